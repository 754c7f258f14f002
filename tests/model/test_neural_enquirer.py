"""The whole model: what must hold whatever its weights are."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from model_samples import random_batch, random_model, with_padding
from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.training.losses import step_by_step_loss

SETTINGS: list[dict[str, Any]] = [
    {},
    {"grounded": True},
    {"reset_after": True, "annotator_depth": 2, "answer_depth": 4, "executors": 2},
]


def with_table(batch: Batch, **changes: Tensor) -> Batch:
    return replace(batch, tables=(replace(batch.table, **changes),))


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize(("words", "rows", "fields"), [(2, 0, 0), (0, 3, 0), (0, 0, 2), (3, 2, 1)])
def test_padding_changes_nothing(settings: dict[str, Any], words: int, rows: int, fields: int) -> None:
    model, batch = random_model(**settings), random_batch()
    plain, padded = model(batch).table, model(with_padding(batch, words, rows, fields)).table
    row_count, field_count = batch.table.cells.shape[1:]
    torch.testing.assert_close(padded.answer_scores[:, :row_count, :field_count], plain.answer_scores)
    assert (padded.answer_scores[:, row_count:] == -torch.inf).all()
    assert (padded.answer_scores[:, :, field_count:] == -torch.inf).all()
    for ours, theirs in zip(padded.field_scores, plain.field_scores, strict=True):
        torch.testing.assert_close(ours[:, :field_count], theirs)
    for ours, theirs in zip(padded.memories, plain.memories, strict=True):
        torch.testing.assert_close(ours.table, theirs.table)
    weights = torch.stack(padded.field_scores).softmax(dim=2)
    assert (weights[:, :, field_count:] == 0).all()


@pytest.mark.parametrize("settings", SETTINGS)
def test_questions_do_not_see_each_other(settings: dict[str, Any]) -> None:
    model, batch = random_model(**settings), random_batch()
    together = model(batch).table.answer_scores
    for index in range(len(batch)):
        alone = model(batch.select(slice(index, index + 1))).table.answer_scores
        torch.testing.assert_close(alone[0], together[index])


@pytest.mark.parametrize("settings", SETTINGS)
def test_permuting_rows_permutes_answers(settings: dict[str, Any]) -> None:
    model, batch = random_model(**settings), random_batch()
    order = torch.tensor([2, 0, 3, 1])
    table = batch.table
    moved = with_table(batch, cells=table.cells[:, order], mentions=table.mentions[:, order])
    torch.testing.assert_close(model(moved).table.answer_scores, model(batch).table.answer_scores[:, order])


@pytest.mark.parametrize("settings", SETTINGS)
def test_permuting_fields_permutes_answers_and_weights(settings: dict[str, Any]) -> None:
    model, batch = random_model(**settings), random_batch()
    order = torch.tensor([1, 2, 0])
    table = batch.table
    moved = with_table(
        batch,
        fields=table.fields[:, order],
        cells=table.cells[:, :, order],
        mentions=table.mentions[:, :, order],
    )
    before, after = model(batch).table, model(moved).table
    torch.testing.assert_close(after.answer_scores, before.answer_scores[:, :, order])
    for ours, theirs in zip(after.field_scores, before.field_scores, strict=True):
        torch.testing.assert_close(ours, theirs[:, order])


def test_the_question_matters_only_where_it_says_something() -> None:
    """Without grounding, what the question mentions is nothing the model can see."""
    batch = random_batch()
    other = with_table(batch, mentions=~batch.table.mentions)
    assert torch.equal(random_model()(batch).table.answer_scores, random_model()(other).table.answer_scores)
    grounded = random_model(grounded=True)
    assert not torch.allclose(grounded(batch).table.answer_scores, grounded(other).table.answer_scores)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("padded", [False, True])
def test_gradients_are_finite_and_reach_every_weight(settings: dict[str, Any], padded: bool) -> None:
    model = random_model(**settings)
    batch = with_padding(random_batch()) if padded else random_batch()
    step_by_step_loss(model(batch), batch, alpha=1.0).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().max() > 0, name


def test_entities_and_padding_are_not_trained() -> None:
    model = random_model()
    assert model.word_vectors()[0].tolist() == [0.0] * 4
    assert "fixed_embedding" not in dict(model.named_parameters())
    assert len(model.word_vectors()) == 1 + len(model.embedding) + len(model.fixed_embedding)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"executors": 1}, "at least 2"),
        ({"answer_depth": 1}, "at least 2"),
        ({"annotator_depth": 1}, "at least 2"),
        ({"dropout": 1.0}, "less than 1"),
        ({"hidden_size": 0}, "hidden_size must be at least 1"),
    ],
)
def test_impossible_sizes(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ModelConfig(**settings)


def test_dropout_is_for_training_only() -> None:
    model, batch = random_model(dropout=0.5), random_batch()
    assert torch.equal(model(batch).table.answer_scores, model(batch).table.answer_scores)
    model.train()
    assert not torch.equal(model(batch).table.answer_scores, model(batch).table.answer_scores)
