import numpy as np
import numpy.typing as npt
import pytest
import torch

from neural_enquirer.model.query_encoder import QueryEncoder, reversed_words

Array = npt.NDArray[np.float64]


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def by_hand(encoder: QueryEncoder, direction: int, inputs: Array) -> Array:
    """The appendix's equations, word by word."""
    w_z, w_r, w = encoder.input_weight[direction].detach().numpy().reshape(3, encoder.state_size, -1)
    u_z, u_r = encoder.gate_weight[direction].detach().numpy().reshape(2, encoder.state_size, -1)
    u = encoder.candidate_weight[direction].detach().numpy()
    h = np.zeros(encoder.state_size)
    for x in inputs:
        z, r = sigmoid(w_z @ x + u_z @ h), sigmoid(w_r @ x + u_r @ h)
        new = np.tanh(w @ x + (r * (u @ h) if encoder.reset_after else u @ (r * h)))
        h = z * h + (1 - z) * new
    return h


@pytest.fixture(params=[False, True], ids=["reset before", "reset after"])
def encoder(request: pytest.FixtureRequest) -> QueryEncoder:
    torch.manual_seed(0)
    return QueryEncoder(3, 2, reset_after=request.param).double()


EMBEDDING = torch.cat(
    (torch.zeros(1, 3), torch.randn(6, 3, generator=torch.Generator().manual_seed(1)))
).double()


@pytest.mark.parametrize("grad", [False, True])
def test_both_directions_by_hand(encoder: QueryEncoder, grad: bool) -> None:
    words = torch.tensor([[0, 0, 5], [2, 3, 4], [0, 6, 1]])
    with torch.set_grad_enabled(grad):
        query = encoder(words, EMBEDDING).detach().numpy()
    for found, question in zip(query, ([5], [2, 3, 4], [6, 1]), strict=True):
        inputs = EMBEDDING[question].numpy()
        expected = [by_hand(encoder, 0, inputs), by_hand(encoder, 1, inputs[::-1])]
        np.testing.assert_allclose(found, np.concatenate(expected), rtol=1e-12)


def test_one_step_by_hand() -> None:
    """Of the zero state one word leaves (1 - z) tanh(W x)."""
    encoder = QueryEncoder(1, 1)
    with torch.no_grad():
        encoder.input_weight[0] = torch.tensor([[0.5], [7.0], [-1.5]])  # z, r, the candidate
    query = encoder(torch.tensor([[1]]), torch.tensor([[0.0], [2.0]]))
    z = 1 / (1 + np.exp(-0.5 * 2))
    assert query[0, 0].item() == pytest.approx((1 - z) * np.tanh(-1.5 * 2))


def test_the_variants_differ() -> None:
    torch.manual_seed(0)
    before = QueryEncoder(3, 2).double()
    after = QueryEncoder(3, 2, reset_after=True).double()
    after.load_state_dict(before.state_dict())
    words = torch.tensor([[1, 2]])
    assert not torch.allclose(before(words, EMBEDDING), after(words, EMBEDDING))


@pytest.mark.parametrize("grad", [False, True])
def test_a_question_without_words_is_zero(encoder: QueryEncoder, grad: bool) -> None:
    with torch.set_grad_enabled(grad):
        query = encoder(torch.tensor([[0, 0], [1, 2], [0, 0]]), EMBEDDING)
        alone = encoder(torch.tensor([[0, 0]]), EMBEDDING)
    assert query[0].tolist() == query[2].tolist() == alone[0].tolist() == [0.0] * 4
    assert query[1].abs().min() > 0


def test_reversed_words() -> None:
    words = torch.tensor([[0, 0, 1], [0, 1, 2], [3, 4, 5]])
    assert reversed_words(words).tolist() == [[0, 0, 1], [0, 2, 1], [5, 4, 3]]
