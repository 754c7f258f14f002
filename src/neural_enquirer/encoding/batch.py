"""Batch: questions, tables and answers as tensors, all that the model and the losses see."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.words import PADDING


class PaddedTables:
    """Tables in codes, of which some rows and fields may be padding; the masks say which are not."""

    fields: Int[Tensor, "batch field"]
    cells: Int[Tensor, "batch row field"]
    padded: bool

    @property
    def field_mask(self) -> Bool[Tensor, "batch field"] | None:
        """Which fields are there; None if all are."""
        return self.fields != PADDING if self.padded else None

    @property
    def row_mask(self) -> Bool[Tensor, "batch row"] | None:
        """Which rows are there; None if all are."""
        return (self.cells != PADDING).any(dim=2) if self.padded else None


@dataclass(frozen=True)
class Batch(PaddedTables):
    """Encoded examples; entry i of every tensor belongs to example i.

    Codes are those of `Vocabulary`; `PADDING` marks words, rows and fields that are not there. Questions are
    padded at the beginning, tables at the end.

    Attributes:
        words: the question.
        fields: the name of each field.
        cells: the value of each cell.
        mentions: whether the cell's value is mentioned in the question.
        answers: the answer's cell, counted row by row over the padded table.
        answer_cells: all cells that hold the answer's value, where only the value is known; None where the
            cell itself is known.
        steps: the column that each executor should read (the step-by-step labels), -1 where nothing is known.
        types: the type of question, for the report.
        padded: whether any row or field is padding; where none is, masks cost nothing.
    """

    words: Int[Tensor, "batch token"]
    fields: Int[Tensor, "batch field"]
    cells: Int[Tensor, "batch row field"]
    mentions: Bool[Tensor, "batch row field"]
    answers: Int[Tensor, "batch"]
    answer_cells: Bool[Tensor, "batch row field"] | None
    steps: Int[Tensor, "batch executor"]
    types: Int[Tensor, "batch"]
    padded: bool

    def __len__(self) -> int:
        return len(self.words)

    def to(self, device: torch.device | str) -> "Batch":
        """Returns the batch with all tensors on a device."""
        return self._map(lambda tensor: tensor.to(device))

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "Batch":
        """Returns the chosen examples."""
        return self._map(lambda tensor: tensor[index])

    def _map(self, function: Callable[[Tensor], Tensor]) -> "Batch":
        tensors: dict[str, Any] = {
            item.name: function(value)
            for item in fields(self)
            if isinstance(value := getattr(self, item.name), Tensor)
        }
        return replace(self, **tensors)
