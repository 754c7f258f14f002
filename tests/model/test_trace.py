from dataclasses import replace

import pytest
import torch

from model_samples import random_batch, random_model, with_padding


@pytest.mark.parametrize("padded", [False, True])
def test_weights_and_answers_are_distributions(padded: bool) -> None:
    batch = with_padding(random_batch()) if padded else random_batch()
    trace = random_model()(batch).trace().tables[0]
    ones = torch.ones(3, dtype=torch.float64)
    assert (trace.field_weights >= 0).all()
    assert (trace.answer_probabilities >= 0).all()
    torch.testing.assert_close(trace.field_weights.sum(dim=2), ones[:, None].expand(3, 3))
    torch.testing.assert_close(trace.answer_probabilities.sum(dim=(1, 2)), ones)


def test_what_cells_leave_is_the_probability_of_no_answer() -> None:
    output = random_model()(random_batch())
    doubtful = replace(output, none_scores=output.table.answer_scores.flatten(1).logsumexp(dim=1))
    expected = output.trace().tables[0].answer_probabilities / 2
    torch.testing.assert_close(doubtful.trace().tables[0].answer_probabilities, expected)


def test_table_annotations_are_the_largest_row_annotations() -> None:
    trace = random_model()(random_batch()).trace().tables[0]
    torch.testing.assert_close(trace.table_annotations, trace.row_annotations.amax(dim=2))


def test_has_a_step_for_each_executor_that_reads() -> None:
    trace = random_model(executors=5)(random_batch(rows=6)).trace().tables[0]
    assert trace.field_weights.shape == (3, 4, 3)
    assert trace.row_annotations.shape == (3, 4, 6, 2)
    assert trace.answer_probabilities.shape == (3, 6, 3)
