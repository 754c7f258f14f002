from dataclasses import replace
from math import log

import pytest
import torch

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.model.output import Output, TableOutput
from neural_enquirer.training.losses import answer_loss, field_loss, step_by_step_loss


def logs(values: list[list[float]]) -> torch.Tensor:
    return torch.tensor(values).log()


# Two questions on tables of two rows and two fields, two executors that read.
OUTPUT = Output.of_one(
    TableOutput(
        answer_scores=torch.stack((logs([[0.1, 0.2], [0.3, 0.4]]), logs([[0.25, 0.25], [0.25, 0.25]]) + 7)),
        field_scores=(logs([[0.9, 0.1], [0.8, 0.2]]), logs([[0.6, 0.4], [0.5, 0.5]])),
        memories=(),
    )
)
BATCH = Batch(
    words=torch.ones(2, 1, dtype=torch.int64),
    tables=(
        TableCodes(
            fields=torch.tensor([[2, 3], [2, 3]]),
            cells=torch.tensor([[[4, 5], [6, 4]], [[4, 5], [6, 7]]]),
            mentions=torch.zeros(2, 2, 2, dtype=torch.bool),
        ),
    ),
    answers=torch.tensor([2, 0]),
    answer_cells=None,
    steps=torch.tensor([[0, 1, 0], [-1, 1, 0]]),
    types=torch.zeros(2, dtype=torch.int64),
)


def test_answer_loss_is_the_mean_over_questions() -> None:
    assert answer_loss(OUTPUT, BATCH).item() == pytest.approx(-(log(0.3) + log(0.25)) / 2)


def test_where_only_the_value_is_known_its_cells_add_up() -> None:
    cells = torch.tensor([[True, False, False, True], [False, True, False, False]])
    known = replace(BATCH, answer_cells=cells)
    assert answer_loss(OUTPUT, known).item() == pytest.approx(-(log(0.1 + 0.4) + log(0.25)) / 2)


def test_both_answer_losses_agree_where_one_cell_holds_the_value() -> None:
    cells = torch.zeros(2, 4, dtype=torch.bool)
    cells[[0, 1], BATCH.answers] = True
    known = replace(BATCH, answer_cells=cells)
    torch.testing.assert_close(answer_loss(OUTPUT, known), answer_loss(OUTPUT, BATCH))


def test_that_no_cell_is_the_answer_is_one_more_candidate() -> None:
    """Beside it, the cells of either question keep half of their probability."""
    output = replace(OUTPUT, none_scores=torch.tensor([0.0, 7.0]))
    assert answer_loss(output, BATCH).item() == pytest.approx(-(log(0.15) + log(0.125)) / 2)
    absent = replace(BATCH, answers=torch.tensor([2, 4]))
    assert answer_loss(output, absent).item() == pytest.approx(-(log(0.15) + log(0.5)) / 2)


def test_a_value_that_no_cell_holds_is_not_in_the_table() -> None:
    output = replace(OUTPUT, none_scores=torch.tensor([0.0, 7.0]))
    cells = torch.tensor([[True, False, False, True], [False] * 4])
    known = replace(BATCH, answer_cells=cells)
    assert answer_loss(output, known).item() == pytest.approx(-(log(0.25) + log(0.5)) / 2)


def test_field_loss_leaves_executors_without_a_label_free() -> None:
    """The first question has both steps, the second one only the last before the answer."""
    expected = -(log(0.9) + log(0.4) + log(0.5)) / 2
    assert field_loss(OUTPUT, BATCH).item() == pytest.approx(expected)


def test_labels_are_aligned_at_the_end() -> None:
    more = replace(BATCH, steps=torch.tensor([[1, 1, 0, 1, 0], [1, 1, -1, 1, 0]]))
    torch.testing.assert_close(field_loss(OUTPUT, more), field_loss(OUTPUT, BATCH))
    fewer = replace(BATCH, steps=torch.tensor([[1, 0], [1, 0]]))
    assert field_loss(OUTPUT, fewer).item() == pytest.approx(-(log(0.4) + log(0.5)) / 2)


def test_the_answer_is_no_step_of_a_reader() -> None:
    other = replace(BATCH, steps=torch.tensor([[0, 1, 1], [-1, 1, 1]]))
    assert torch.equal(field_loss(OUTPUT, other), field_loss(OUTPUT, BATCH))


def test_step_by_step_weighs_the_fields_with_alpha() -> None:
    expected = answer_loss(OUTPUT, BATCH) + 0.2 * field_loss(OUTPUT, BATCH)
    torch.testing.assert_close(step_by_step_loss(OUTPUT, BATCH, alpha=0.2), expected)
