"""MultiBatch: questions on several tables each, as tensors."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.batch import PaddedTables
from neural_enquirer.encoding.words import UNKNOWN


@dataclass(frozen=True)
class TableCodes(PaddedTables):
    """One of the tables of each question; codes and padding are those of `Batch`.

    Attributes:
        fields: the name of each field.
        cells: the value of each cell.
        mentions: whether the cell's value is mentioned in the question.
        padded: whether any row or field is padding.
    """

    fields: Int[Tensor, "batch field"]
    cells: Int[Tensor, "batch row field"]
    mentions: Bool[Tensor, "batch row field"]
    padded: bool = False

    @property
    def values(self) -> Int[Tensor, "batch row field"]:
        """What cells of different tables are compared by; 0 for padding and words that nobody knows."""
        return self.cells.masked_fill(self.cells == UNKNOWN, 0)

    def map(self, function: Callable[[Tensor], Tensor]) -> "TableCodes":
        """Returns the table with a function applied to every tensor."""
        return TableCodes(function(self.fields), function(self.cells), function(self.mentions), self.padded)


@dataclass(frozen=True)
class MultiBatch:
    """Encoded examples; entry i of every tensor belongs to example i.

    Attributes:
        words: the question, padded at the beginning.
        tables: the tables, as many for each question.
        answers: the answer's cell, counted table by table and row by row over the padded tables.
        answer_cells: all cells that hold the answer's value, in the same order, where only the value is
            known; None where the cell itself is known.
        types: the kind of question, for the report.
    """

    words: Int[Tensor, "batch token"]
    tables: tuple[TableCodes, ...]
    answers: Int[Tensor, "batch"]
    answer_cells: Bool[Tensor, "batch cell"] | None
    types: Int[Tensor, "batch"]

    def __len__(self) -> int:
        return len(self.words)

    def to(self, device: torch.device | str) -> "MultiBatch":
        """Returns the batch with all tensors on a device."""
        return self._map(lambda tensor: tensor.to(device))

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "MultiBatch":
        """Returns the chosen examples."""
        return self._map(lambda tensor: tensor[index])

    def _map(self, function: Callable[[Tensor], Tensor]) -> "MultiBatch":
        return MultiBatch(
            function(self.words),
            tuple(table.map(function) for table in self.tables),
            function(self.answers),
            None if self.answer_cells is None else function(self.answer_cells),
            function(self.types),
        )
