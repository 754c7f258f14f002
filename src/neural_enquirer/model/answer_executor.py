"""The last executor: how likely each cell is to be the answer."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.executor import Memory
from neural_enquirer.model.layers import FactoredLinear, TypedList, linear, tanh, through


class AnswerExecutor(nn.Module):
    """f_ANS([e_mn; q; a_m; g]), a DNN whose softmax over all cells is p(w_mn | Q, T).

    Beyond the paper it may also see f_n, which in the open model no cell can hold in full.
    """

    def __init__(
        self,
        cell_size: int,
        query_size: int,
        annotation_size: int,
        hidden_size: int,
        *,
        depth: int,
        field_size: int = 0,
    ) -> None:
        """Makes the answer layer with a DNN of `depth` layers; it sees fields of a `field_size` above 0."""
        super().__init__()
        names = {"field": field_size} if field_size else {}
        self.first = FactoredLinear(
            hidden_size,
            cell=cell_size,
            query=query_size,
            rows=annotation_size,
            table=annotation_size,
            **names,
        )
        self.hidden = TypedList[nn.Linear](linear(hidden_size, hidden_size) for _ in range(depth - 2))
        self.score = linear(hidden_size, 1, bias=False)  # a bias would not change the softmax

    def forward(
        self,
        cells: Float[Tensor, "batch field row cell"],
        agenda: Float[Tensor, "batch hidden"],
        memory: Memory,
        field_mask: Bool[Tensor, "batch field"] | None,
        row_mask: Bool[Tensor, "batch row"] | None,
        names: Float[Tensor, "batch field name"] | None = None,
    ) -> Float[Tensor, "batch row field"]:
        """Returns the scores of all cells; cells that are only padding get -inf."""
        weight = self.first.weight
        once = torch.addmm(agenda, memory.table, weight["table"].T)
        per_row = functional.linear(memory.rows, weight["rows"]) + once[:, None]
        per_cell = functional.linear(cells, weight["cell"]).add_(per_row[:, None])
        if names is not None:
            per_cell.add_(functional.linear(names, weight["field"])[:, :, None])
        hidden = tanh(per_cell, spent=True)
        scores: Tensor = self.score(through(self.hidden, hidden))
        return hide_padding(scores.squeeze(3).transpose(1, 2), field_mask, row_mask)


def hide_padding(
    scores: Float[Tensor, "batch row field"],
    field_mask: Bool[Tensor, "batch field"] | None,
    row_mask: Bool[Tensor, "batch row"] | None,
) -> Float[Tensor, "batch row field"]:
    """Gives cells that are only padding the score -inf."""
    if field_mask is None or row_mask is None:
        return scores
    return scores.masked_fill(~(row_mask[:, :, None] & field_mask[:, None]), -torch.inf)
