"""OpenBatch: questions linked to their tables, as tensors: all that the open model sees."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor

from neural_enquirer.encoding.tensors import Tensors


@dataclass(frozen=True)
class OpenTable(Tensors):
    """One table of each question, as the question's words see it; padded at the end, with zeros.

    Attributes:
        levels: how each word names each field.
        headers: the codes of the words of each field's name.
        features: numbers about each field (see `field_features`).
        coverage: the share of each field's name that the question has.
        mention_fields: whether a mention is one of a cell of the field.
        quantity_fields: how each quantity lies to each field.
        cell_mentions: the number of the mention of each cell, from 1; 0 for none.
        relations: how each cell compares with each quantity.
        ranks: of each cell in its field.
        cell_flags: of each cell.
        sizes: rows and fields of each table.
        values: the codes of the cells' values, by which cells of different tables are compared: equal codes
            are equal values, 0 is nothing to compare; None where a question has one table.
    """

    levels: UInt8[Tensor, "batch token field"]
    headers: Int[Tensor, "batch field header"]
    features: Float[Tensor, "batch field feature"]
    coverage: Float[Tensor, "batch field"]
    mention_fields: Bool[Tensor, "batch mention field"]
    quantity_fields: UInt8[Tensor, "batch quantity field"]
    cell_mentions: Int[Tensor, "batch row field"]
    relations: UInt8[Tensor, "batch quantity row field"]
    ranks: Float[Tensor, "batch row field"]
    cell_flags: UInt8[Tensor, "batch row field"]
    sizes: Int[Tensor, "batch 2"]
    values: Int[Tensor, "batch row field"] | None = None

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


@dataclass(frozen=True)
class OpenBatch(Tensors):
    """Encoded examples; entry i of every tensor belongs to example i. All is padded at the end, with zeros.

    Attributes:
        words: the codes of the question's words.
        word_flags: their flags (see `linking`).
        mentions: the first word of each mention and the one behind its last.
        quantities: the first word of each quantity and the one behind its last.
        tables: what the words say of each table; all questions of a batch have as many.
        answer_cells: the cells that answer, counted table by table and row by row over the padded tables;
            none where the tables cannot answer.
        types: the type of question, for the report.
    """

    words: Int[Tensor, "batch token"]
    word_flags: UInt8[Tensor, "batch token"]
    mentions: Int[Tensor, "batch mention 2"]
    quantities: Int[Tensor, "batch quantity 2"]
    tables: tuple[OpenTable, ...]
    answer_cells: Bool[Tensor, "batch cell"]
    types: Int[Tensor, "batch"]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def answers(self) -> Int[Tensor, "batch"]:
        """The first cell that answers; behind them all if there is none."""
        first = self.answer_cells.long().argmax(dim=1)
        return torch.where(self.answer_cells.any(dim=1), first, self.answer_cells.shape[1])
