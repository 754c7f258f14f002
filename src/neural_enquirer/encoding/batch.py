"""Batch: questions, tables and answers as tensors, all that closed models and their losses see."""

from dataclasses import dataclass

from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.tensors import Tensors
from neural_enquirer.encoding.words import PADDING, UNKNOWN


@dataclass(frozen=True)
class TableCodes(Tensors):
    """One of the tables of each question, padded at the end; the masks say what is not padding.

    Attributes:
        fields: the name of each field.
        cells: the value of each cell.
        mentions: whether the cell's value is mentioned in the question.
        padded: whether any row or field is padding; where none is, masks cost nothing.
    """

    fields: Int[Tensor, "batch field"]
    cells: Int[Tensor, "batch row field"]
    mentions: Bool[Tensor, "batch row field"]
    padded: bool = False

    @property
    def field_mask(self) -> Bool[Tensor, "batch field"] | None:
        """Which fields are there; None if all are."""
        return self.fields != PADDING if self.padded else None

    @property
    def row_mask(self) -> Bool[Tensor, "batch row"] | None:
        """Which rows are there; None if all are."""
        return (self.cells != PADDING).any(dim=2) if self.padded else None

    @property
    def values(self) -> Int[Tensor, "batch row field"]:
        """What cells of different tables are compared by; 0 for padding and words that nobody knows."""
        return self.cells.masked_fill(self.cells == UNKNOWN, 0)


@dataclass(frozen=True)
class Batch(Tensors):
    """Encoded examples; entry i of every tensor belongs to example i.

    Codes are those of `Vocabulary`; `PADDING` marks words, rows and fields that are not there.

    Attributes:
        words: the question, padded at the beginning.
        tables: the tables, as many for each question.
        answers: the answer's cell, counted table by table and row by row over the padded tables.
        answer_cells: all cells that hold the answer's value, in the same order, where only the value is
            known; None where the cell itself is known.
        steps: the column that each executor should read (the step-by-step labels), -1 where nothing is known.
        types: the type of question, for the report.
        forms: the pattern of the logical form and the code of the value in it, where questions are renamed.
    """

    words: Int[Tensor, "batch token"]
    tables: tuple[TableCodes, ...]
    answers: Int[Tensor, "batch"]
    answer_cells: Bool[Tensor, "batch cell"] | None
    steps: Int[Tensor, "batch executor"]
    types: Int[Tensor, "batch"]
    forms: Int[Tensor, "batch 2"] | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def table(self) -> TableCodes:
        """The table of questions that have one only."""
        (table,) = self.tables
        return table
