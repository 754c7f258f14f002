"""The fast model computes what the paper says: the reference, given the same weights."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from model_samples import random_batch, random_model, random_tables_batch, with_padding
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer
from neural_enquirer.model.output import Output
from neural_enquirer.model.reference import ReferenceEnquirer, ReferenceEnquirerM
from neural_enquirer.model.reference_weights import as_reference, reference_of
from neural_enquirer.training.losses import step_by_step_loss

PAPER = {"embedding_size": 20, "cell_size": 20, "annotation_size": 20, "hidden_size": 50, "state_size": 150}


def gradients(model: nn.Module, loss: Tensor) -> dict[str, Tensor]:
    names, weights = zip(*model.named_parameters(), strict=True)
    return dict(zip(names, torch.autograd.grad(loss, weights), strict=True))


def assert_same_gradients(
    model: NeuralEnquirer, loss: Tensor, reference: nn.Module, expected_loss: Tensor
) -> None:
    expected = gradients(reference, expected_loss)
    found = as_reference(model, gradients(model, loss))
    assert found.keys() == expected.keys()
    for name, gradient in found.items():  # of words, those that are trained: they come first
        torch.testing.assert_close(
            gradient, expected[name][: len(gradient)], msg=lambda text, name=name: f"{name}: {text}"
        )


def assert_same(ours: Output, theirs: Output) -> None:
    torch.testing.assert_close(ours.candidates(), theirs.candidates())
    for own, other in zip(ours.tables, theirs.tables, strict=True):
        torch.testing.assert_close(own.field_scores, other.field_scores)
        for memory, expected in zip(own.memories, other.memories, strict=True):
            torch.testing.assert_close(vars(memory), vars(expected))


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"grounded": True},
        {"reset_after": True},
        {"executors": 2, "annotator_depth": 2, "answer_depth": 4},
        {"executors": 5, **PAPER},
    ],
)
def test_on_one_table(settings: dict[str, Any], padded: bool) -> None:
    model, batch = random_model(**settings), random_batch(lengths=(6, 1, 4, 6, 3), rows=7)
    batch = with_padding(batch) if padded else batch
    reference = reference_of(model)
    ours, theirs = model(batch), reference(batch)
    assert_same(ours, theirs)
    losses = (step_by_step_loss(output, batch, alpha=0.2) for output in (ours, theirs))
    assert_same_gradients(model, next(losses), reference, next(losses))


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("shapes", [((4, 3), (5, 2)), ((4, 3), (5, 2), (2, 3))], ids=["two", "three"])
@pytest.mark.parametrize(
    "settings", [{}, {"grounded": True}, {"sets": True}, {"executors": 2}, {"executors": 5, **PAPER}]
)
def test_on_several_tables(
    settings: dict[str, Any], shapes: tuple[tuple[int, int], ...], padded: bool
) -> None:
    settings = dict(settings)
    sets = len(shapes) if settings.pop("sets", False) else 1
    model = random_model(tables=len(shapes), executor_sets=sets, **settings)
    batch, reference = random_tables_batch(shapes, padded=padded), reference_of(model)
    ours, theirs = model(batch), reference(batch)
    assert_same(ours, theirs)
    for own, other in zip(ours.asked, theirs.asked, strict=True):
        torch.testing.assert_close(own.weights, other.weights)
    losses = (several_loss(output) for output in (ours, theirs))
    assert_same_gradients(model, next(losses), reference, next(losses))


def several_loss(output: Output) -> Tensor:
    """Of a cell in the last table that is there for every question, and of a field in each executor."""
    first = sum(own.answer_scores[0].numel() for own in output.tables[:-1])
    answers = torch.full((len(output.candidates()),), first)
    reading = [scores.log_softmax(dim=1)[:, 0].mean() for own in output.tables for scores in own.field_scores]
    return functional.cross_entropy(output.candidates(), answers) - torch.stack(reading).sum()


def test_in_single_precision() -> None:
    model = random_model(executors=5, state_size=150, hidden_size=50).float()
    batch = random_batch(lengths=(6, 1, 4, 6, 3), rows=7)
    torch.testing.assert_close(model(batch).candidates(), reference_of(model)(batch).candidates())


@pytest.mark.parametrize("kind", [ReferenceEnquirer, ReferenceEnquirerM])
@pytest.mark.parametrize("settings", [{"tables": 2, "linked": True}])
def test_is_the_model_of_the_paper_only(kind: type[nn.Module], settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the reference is the paper's model"):
        kind(ModelConfig(**settings), 30)
