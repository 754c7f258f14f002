from dataclasses import replace

import pytest
import torch

from model_samples import random_batch, random_model, with_padding


@pytest.mark.parametrize("padded", [False, True])
def test_weights_and_answers_are_distributions(padded: bool) -> None:
    batch = with_padding(random_batch()) if padded else random_batch()
    output = random_model()(batch)
    (probabilities,) = output.probabilities()
    ones = torch.ones(3, dtype=torch.float64)
    assert (output.table.field_weights >= 0).all()
    assert (probabilities >= 0).all()
    torch.testing.assert_close(output.table.field_weights.sum(dim=2), ones[:, None].expand(3, 3))
    torch.testing.assert_close(probabilities.sum(dim=(1, 2)), ones)


def test_what_cells_leave_is_the_probability_of_no_answer() -> None:
    output = random_model()(random_batch())
    doubtful = replace(output, none_scores=output.table.answer_scores.flatten(1).logsumexp(dim=1))
    torch.testing.assert_close(doubtful.probabilities()[0], output.probabilities()[0] / 2)


def test_table_annotations_are_the_largest_row_annotations() -> None:
    for memory in random_model()(random_batch()).table.memories:
        torch.testing.assert_close(memory.table, memory.rows.amax(dim=1))


def test_has_a_step_for_each_executor_that_reads() -> None:
    output = random_model(executors=5)(random_batch(rows=6))
    assert output.table.field_weights.shape == (3, 4, 3)
    assert [memory.rows.shape for memory in output.table.memories] == [(3, 6, 2)] * 4
    assert output.probabilities()[0].shape == (3, 6, 3)
