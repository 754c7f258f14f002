"""Row attention: what a row of one table fetches from the rows of another one."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.executor import Memory
from neural_enquirer.model.layers import FactoredLinear, linear, tanh

FAINTEST = 1e-9
"""Rows with a weaker link count as having one of this strength; the logarithm needs a number above zero."""
FIRST_BIAS = 3.0
"""At first the weight of a link is shared by all pairs of fields; this makes up for it."""


class RowAttention(nn.Module):
    """γ(r_km, q, a_km, a_k'm', g_k, g_k'), a DNN of two layers (appendix "Handling Multiple Tables").

    Its softmax over the rows m' of table k' weighs their annotations. What depends on one of the two rows is
    computed for that row alone; only the sum and what follows is computed for pairs of rows.
    """

    def __init__(self, cell_size: int, query_size: int, annotation_size: int, hidden_size: int) -> None:
        """Makes an attention with one hidden layer."""
        super().__init__()
        self.hidden = FactoredLinear(
            hidden_size,
            read=cell_size,
            query=query_size,
            rows=annotation_size,
            table=annotation_size,
            other_rows=annotation_size,
            other_table=annotation_size,
        )
        self.score = linear(hidden_size, 1, bias=False)  # a bias would not change the softmax

    def own_term(
        self,
        read: Float[Tensor, "batch row cell"],
        query: Float[Tensor, "batch query"],
        memory: Memory,
    ) -> Float[Tensor, "batch row hidden"]:
        """Computes what depends on the row that asks: W_r r + W_q q + W_a a_km + W_g g_k + b."""
        weight = self.hidden.weight
        once = functional.linear(query, weight["query"], self.hidden.bias)
        once = once + functional.linear(memory.table, weight["table"])
        local = functional.linear(read, weight["read"]) + functional.linear(memory.rows, weight["rows"])
        return local + once[:, None]

    def other_term(self, memory: Memory) -> Float[Tensor, "batch row hidden"]:
        """Computes what depends on the row that is asked: W_a' a_k'm' + W_g' g_k'."""
        weight = self.hidden.weight
        table = functional.linear(memory.table, weight["other_table"])
        return functional.linear(memory.rows, weight["other_rows"]) + table[:, None]

    def forward(
        self,
        own: Float[Tensor, "batch row hidden"],
        other: Float[Tensor, "batch other hidden"],
        other_mask: Bool[Tensor, "batch other"] | None,
    ) -> Float[Tensor, "batch row other"]:
        """Returns the scores γ; rows that are only padding get -inf."""
        pairs: Tensor = self.score(tanh(own[:, :, None] + other[:, None], spent=True))
        scores = pairs.squeeze(3)
        return scores if other_mask is None else scores.masked_fill(~other_mask[:, None], -torch.inf)


class LinkedAttention(nn.Module):
    """Beyond the paper: the same scores, but only rows that share a value with the row that asks.

    A row m' counts as exp(γ + b) times the strength of its link to m. One more candidate, no row at all, has
    the score zero, so that a row without a link fetches nothing.
    """

    def __init__(self) -> None:
        """Makes an attention with the bias b."""
        super().__init__()
        self.bias = nn.Parameter(torch.tensor(FIRST_BIAS))

    def forward(
        self, scores: Float[Tensor, "batch row other"], link: Float[Tensor, "batch row other"]
    ) -> Float[Tensor, "batch row other"]:
        """Returns the weights of the other table's rows; they sum to one or less."""
        linked = scores + self.bias + link.clamp(min=FAINTEST).log()
        nothing = linked.new_zeros(*linked.shape[:2], 1)
        return torch.cat((linked, nothing), dim=2).softmax(dim=2)[:, :, :-1]
