import math

import pytest
import torch

from neural_enquirer.model.program_decoder import NEVER, ProgramOutput
from neural_enquirer.training.losses import program_loss


def test_the_loss_counts_what_is_told() -> None:
    scores = torch.tensor([[math.log(0.2), math.log(0.3)], [math.log(0.25), NEVER], [NEVER, NEVER]])
    expected = (0.7 * math.log(0.5) + 0.3 * math.log(0.3) + math.log(0.25)) / 2
    assert program_loss(ProgramOutput(scores)).item() == pytest.approx(-expected)
    assert program_loss(ProgramOutput(scores[2:])).item() == 0
    sure = torch.tensor([[math.log(0.3), math.log(0.3)], [math.log(0.5), NEVER], [NEVER, NEVER]])
    assert ProgramOutput(sure).found().tolist() == [True, False, False]
