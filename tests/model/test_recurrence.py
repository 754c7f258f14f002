import pytest
import torch
from torch import Tensor

from neural_enquirer.model.recurrence import recur


def inputs(seed: int = 0) -> tuple[Tensor, tuple[Tensor, ...], Tensor, Tensor]:
    """Terms of four words in both directions, three questions of three, two and one word, two state units."""
    torch.manual_seed(seed)
    terms = torch.randn(8, 6, dtype=torch.float64)
    codes = tuple(torch.randint(0, 8, (2, begun)) for begun in (1, 2, 3))
    gates, candidate = torch.randn(2, 2, 4, dtype=torch.float64), torch.randn(2, 2, 2, dtype=torch.float64)
    return terms, codes, gates, candidate


@pytest.mark.parametrize("reset_after", [False, True])
def test_the_gradient_written_out_is_right(reset_after: bool) -> None:
    terms, codes, gates, candidate = inputs()
    weights = [tensor.requires_grad_() for tensor in (terms, gates, candidate)]

    def states(terms: Tensor, gates: Tensor, candidate: Tensor) -> Tensor:
        return recur(terms, codes, gates, candidate, reset_after=reset_after)

    assert torch.autograd.gradcheck(states, weights)


@pytest.mark.parametrize("reset_after", [False, True])
def test_without_gradients_the_states_are_the_same(reset_after: bool) -> None:
    terms, codes, gates, candidate = inputs()
    with torch.no_grad():
        alone = recur(terms, codes, gates, candidate, reset_after=reset_after)
    both = recur(terms.requires_grad_(), codes, gates, candidate, reset_after=reset_after)
    assert torch.equal(alone, both)


def test_later_questions_start_from_nothing() -> None:
    """A question that begins at the last step ends where it would end alone."""
    terms, codes, gates, candidate = inputs()
    with torch.no_grad():
        together = recur(terms, codes, gates, candidate, reset_after=False)
        alone = recur(terms, (codes[-1][:, 2:],), gates, candidate, reset_after=False)
    torch.testing.assert_close(together[:, 2:], alone)
