from math import inf, tanh

import pytest
import torch

from neural_enquirer.model.answer_executor import AnswerExecutor
from neural_enquirer.model.executor import Memory


@pytest.fixture
def answer_executor() -> AnswerExecutor:
    """All sizes are one, so that every weight is a number."""
    executor = AnswerExecutor(1, 1, 1, 1, depth=3)
    with torch.no_grad():
        executor.first.weight["cell"].fill_(1.5)
        executor.first.weight["rows"].fill_(-0.5)
        executor.first.weight["table"].fill_(0.4)
        executor.hidden[0].weight.fill_(2.0)
        executor.hidden[0].bias.fill_(-0.1)
        executor.score.weight.fill_(3.0)
    return executor


# Three fields, two rows: field, row, cell.
CELLS = torch.tensor([[[[0.1], [0.2]], [[0.3], [0.4]], [[0.5], [0.6]]]])
MEMORY = Memory(torch.tensor([[[0.7], [-0.7]]]), torch.tensor([[0.9]]))


def score(cell: float, row: float) -> float:
    return 3 * tanh(2 * tanh(1.5 * cell - 0.5 * row + 0.4 * 0.9 + 0.2) - 0.1)


def test_scores_every_cell_row_by_row(answer_executor: AnswerExecutor) -> None:
    scores = answer_executor(CELLS, torch.tensor([[0.2]]), MEMORY, None, None)
    assert scores[0, 0].tolist() == pytest.approx([score(0.1, 0.7), score(0.3, 0.7), score(0.5, 0.7)])
    assert scores[0, 1].tolist() == pytest.approx([score(0.2, -0.7), score(0.4, -0.7), score(0.6, -0.7)])


def test_cells_that_are_not_there_cannot_be_the_answer(answer_executor: AnswerExecutor) -> None:
    fields, rows = torch.tensor([[True, False, True]]), torch.tensor([[False, True]])
    scores = answer_executor(CELLS, torch.tensor([[0.2]]), MEMORY, fields, rows)
    assert scores[0, 0].tolist() == [-inf, -inf, -inf]
    assert scores[0, 1].tolist() == [pytest.approx(score(0.2, -0.7)), -inf, pytest.approx(score(0.6, -0.7))]
