from math import tanh

import pytest
import torch

from neural_enquirer.model.annotator import Annotator, pooled


@pytest.fixture
def annotator() -> Annotator:
    """All sizes are one, so that every weight is a number."""
    annotator = Annotator(1, 1, 1, 1, depth=3, first=False)
    with torch.no_grad():
        annotator.first.weight["read"].fill_(2.0)
        annotator.first.weight["rows"].fill_(-1.0)
        annotator.hidden[0].weight.fill_(3.0)
        annotator.hidden[0].bias.fill_(0.5)
        annotator.last.weight.fill_(-2.0)
        annotator.last.bias.fill_(0.25)
    return annotator


def noted(local: float) -> float:
    return tanh(-2.0 * tanh(3.0 * tanh(local) + 0.5) + 0.25)


def test_notes_what_was_read_and_noted_before(annotator: Annotator) -> None:
    rows, table = annotator(
        torch.tensor([[[0.1], [-0.4]]]),
        torch.tensor([[0.3]]),
        torch.tensor([[-0.2]]),
        torch.tensor([[[0.6], [-0.7]]]),
        None,
    )
    expected = [noted(2 * 0.1 - 0.6 + 0.3 - 0.2), noted(2 * -0.4 + 0.7 + 0.3 - 0.2)]
    assert rows.flatten().tolist() == pytest.approx(expected)
    assert table.item() == pytest.approx(max(expected))


def test_the_first_annotator_has_no_memory(annotator: Annotator) -> None:
    rows, _ = annotator(torch.tensor([[[0.1], [-0.4]]]), torch.tensor([[0.3]]), None, None, None)
    assert rows.flatten().tolist() == pytest.approx([noted(2 * 0.1 + 0.3), noted(2 * -0.4 + 0.3)])
    assert sorted(Annotator(1, 1, 1, 1, depth=2, first=True).first.weight) == ["query", "read"]


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_depth_counts_layers(depth: int) -> None:
    annotator = Annotator(2, 3, 4, 5, depth=depth, first=True)
    assert 1 + len(annotator.hidden) + 1 == depth


class TestPooling:
    rows = torch.tensor([[[1.0, -2.0], [0.0, 3.0], [5.0, 5.0]]])

    def test_takes_the_largest_of_each_entry(self) -> None:
        assert pooled(self.rows, None).tolist() == [[5.0, 5.0]]

    def test_rows_that_are_not_there_do_not_count(self) -> None:
        there = torch.tensor([[True, True, False]])
        assert pooled(self.rows, there).tolist() == [[1.0, 3.0]]

    def test_the_gradient_goes_to_the_first_of_equal_rows(self) -> None:
        rows = torch.tensor([[[1.0], [2.0], [2.0]]], requires_grad=True)
        pooled(rows, None).sum().backward()
        assert rows.grad is not None
        assert rows.grad.flatten().tolist() == [0.0, 1.0, 0.0]
