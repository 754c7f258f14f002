"""The last executor: how likely each cell is to be the answer."""

from collections.abc import Iterator

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.activation import tanh
from neural_enquirer.model.annotator import through
from neural_enquirer.model.executor import Memory
from neural_enquirer.model.factored_linear import FactoredLinear, linear
from neural_enquirer.model.typed_list import TypedList

CELLS_AT_ONCE = 4096
"""Cells that a CPU scores at a time: few enough that their hidden layers stay in its caches."""


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
        batch, fields, rows, _ = cells.shape
        if batch * fields * rows <= CELLS_AT_ONCE or cells.is_cuda or torch.is_grad_enabled():
            return hide_padding(self._scores(cells, agenda, memory, names), field_mask, row_mask)
        scores = cells.new_empty(batch, rows, fields)
        height = min(rows, max(1, CELLS_AT_ONCE // fields))
        for some in _slices(batch, max(1, CELLS_AT_ONCE // (fields * height))):
            named = None if names is None else names[some]
            for part in _slices(rows, height):
                known = Memory(memory.rows[some, part], memory.table[some])
                scores[some, part] = self._scores(cells[some, :, part], agenda[some], known, named)
        return hide_padding(scores, field_mask, row_mask)

    def _scores(
        self,
        cells: Float[Tensor, "batch field row cell"],
        agenda: Float[Tensor, "batch hidden"],
        memory: Memory,
        names: Float[Tensor, "batch field name"] | None,
    ) -> Float[Tensor, "batch row field"]:
        weight = self.first.weight
        once = torch.addmm(agenda, memory.table, weight["table"].T)
        per_row = functional.linear(memory.rows, weight["rows"]) + once[:, None]
        per_cell = functional.linear(cells, weight["cell"]).add_(per_row[:, None])
        if names is not None:
            per_cell.add_(functional.linear(names, weight["field"])[:, :, None])
        hidden = tanh(per_cell, spent=True)
        scores: Tensor = self.score(through(self.hidden, hidden))
        return scores.squeeze(3).transpose(1, 2)


def _slices(total: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, total, size))


def hide_padding(
    scores: Float[Tensor, "batch row field"],
    field_mask: Bool[Tensor, "batch field"] | None,
    row_mask: Bool[Tensor, "batch row"] | None,
) -> Float[Tensor, "batch row field"]:
    """Gives cells that are only padding the score -inf."""
    if field_mask is None or row_mask is None:
        return scores
    return scores.masked_fill(~(row_mask[:, :, None] & field_mask[:, None]), -torch.inf)
