"""OpenBatch: questions linked to their tables, as tensors: all that the open model sees."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor


@dataclass(frozen=True)
class OpenBatch:
    """Encoded examples; entry i of every tensor belongs to example i. All is padded at the end, with zeros.

    Attributes:
        words: the codes of the question's words.
        word_flags: their flags (see `linking`).
        levels: how each word names each field.
        headers: the codes of the words of each field's name.
        features: numbers about each field (see `table_index`).
        coverage: the share of each field's name that the question has.
        mentions: the first word of each mention and the one behind its last.
        cell_mentions: the number of the mention of each cell, from 1; 0 for none.
        mention_fields: whether a mention is one of a cell of the field.
        quantities: the first word of each quantity and the one behind its last.
        relations: how each cell compares with each quantity.
        quantity_fields: how each quantity lies to each field.
        ranks: of each cell in its field.
        cell_flags: of each cell.
        sizes: rows and fields of each table.
        answer_cell: row and field of the answer; -1 where the table does not have it.
        types: the type of question, for the report.
        answer_cells: all cells that hold the answer, where only its text is known; None where no other cell
            than the answer's own counts.
    """

    words: Int[Tensor, "batch token"]
    word_flags: UInt8[Tensor, "batch token"]
    levels: UInt8[Tensor, "batch token field"]
    headers: Int[Tensor, "batch field header"]
    features: Float[Tensor, "batch field feature"]
    coverage: Float[Tensor, "batch field"]
    mentions: Int[Tensor, "batch mention 2"]
    cell_mentions: Int[Tensor, "batch row field"]
    mention_fields: Bool[Tensor, "batch mention field"]
    quantities: Int[Tensor, "batch quantity 2"]
    relations: UInt8[Tensor, "batch quantity row field"]
    quantity_fields: UInt8[Tensor, "batch quantity field"]
    ranks: Float[Tensor, "batch row field"]
    cell_flags: UInt8[Tensor, "batch row field"]
    sizes: Int[Tensor, "batch 2"]
    answer_cell: Int[Tensor, "batch 2"]
    types: Int[Tensor, "batch"]
    answer_cells: Bool[Tensor, "batch row field"] | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def answers(self) -> Int[Tensor, "batch"]:
        """The answer's cell, counted row by row over the padded table; behind them all if there is none."""
        rows, columns = self.ranks.shape[1:]
        row, column = self.answer_cell.long().unbind(dim=1)
        return torch.where(row < 0, rows * columns, row * columns + column)

    @property
    def row_mask(self) -> Bool[Tensor, "batch row"]:
        """Which rows are there."""
        return torch.arange(self.ranks.shape[1], device=self.sizes.device) < self.sizes[:, :1]

    @property
    def field_mask(self) -> Bool[Tensor, "batch field"]:
        """Which fields are there."""
        return torch.arange(self.ranks.shape[2], device=self.sizes.device) < self.sizes[:, 1:]

    @property
    def masks(self) -> tuple[Bool[Tensor, "batch field"] | None, Bool[Tensor, "batch row"] | None]:
        """Which fields and rows are there; None for all of them, where that can be seen without a GPU."""
        if not self.sizes.is_cuda and bool((self.sizes == self.sizes.new_tensor(self.ranks.shape[1:])).all()):
            return None, None
        return self.field_mask, self.row_mask

    def to(self, device: torch.device | str) -> "OpenBatch":
        """Returns the batch with all tensors on a device."""
        return self._map(lambda tensor: tensor.to(device))

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "OpenBatch":
        """Returns the chosen examples."""
        return self._map(lambda tensor: tensor[index])

    def _map(self, function: Callable[[Tensor], Tensor]) -> "OpenBatch":
        tensors: dict[str, Any] = {
            item.name: function(value)
            for item in fields(self)
            if isinstance(value := getattr(self, item.name), Tensor)
        }
        return replace(self, **tensors)
