"""Reading: what the words of questions say of their tables, before any row is looked at."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass(frozen=True)
class Words:
    """Words of questions or headers.

    Attributes:
        codes: their codes.
        known: whether their vectors mean something; of others the text counts.
        vectors: their vectors x.
        meanings: their fixed word vectors, where the model has such.
    """

    codes: Int[Tensor, "*shape"]
    known: Bool[Tensor, "*shape"]
    vectors: Float[Tensor, "*shape embedding"]
    meanings: Float[Tensor, "*shape vector"]


@dataclass(frozen=True)
class Evidence:
    """What the words of a question say, gathered over their links.

    Attributes:
        names: Σ_t α_tn h_t for each field, divided by the sum of the α where that is more than one.
        mentions: the mean state of the words of each mention.
        quantities: the same for each number or date.
    """

    names: Float[Tensor, "batch field states"]
    mentions: Float[Tensor, "batch mention states"]
    quantities: Float[Tensor, "batch quantity states"]


@dataclass(frozen=True)
class Reading:
    """What was read.

    Attributes:
        query: the query embedding q.
        states: the states h_t of the words.
        alphas: for each table how much each word speaks of each field.
        names: for each table the fields' vectors f_n.
        evidence: for each table what the words say, gathered over their links.
    """

    query: Float[Tensor, "batch query"]
    states: Float[Tensor, "batch token states"]
    alphas: tuple[Float[Tensor, "batch token _"], ...]
    names: tuple[Float[Tensor, "batch _ size"], ...]
    evidence: tuple[Evidence, ...]

    @property
    def alpha(self) -> Float[Tensor, "batch token field"]:
        """The same over the fields of all tables, table by table."""
        return torch.cat(self.alphas, dim=2)

    @property
    def fields(self) -> Float[Tensor, "batch field size"]:
        """The vectors f_n of the fields of all tables, table by table."""
        return torch.cat(self.names, dim=1)


def name_means(
    states: Float[Tensor, "batch token states"], alpha: Float[Tensor, "batch token field"]
) -> Float[Tensor, "batch field states"]:
    """Collects the words' states over their links."""
    return torch.bmm(alpha.transpose(1, 2), states) / alpha.sum(dim=1).clamp(min=1)[..., None]


def span_means(
    states: Float[Tensor, "batch token states"], spans: Int[Tensor, "batch span 2"]
) -> Float[Tensor, "batch span states"]:
    """Returns the mean state of the words of each span; zero where there is none."""
    inside = inside_spans(spans, states.shape[1])
    return torch.bmm(inside.to(states.dtype), states) / inside.sum(dim=2).clamp(min=1)[..., None]


def inside_spans(spans: Int[Tensor, "batch span 2"], tokens: int) -> Bool[Tensor, "batch span token"]:
    """Returns which of so many words are of which span."""
    place = torch.arange(tokens, device=spans.device)
    return (place >= spans[..., :1]) & (place < spans[..., 1:])
