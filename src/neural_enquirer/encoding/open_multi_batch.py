"""OpenMultiBatch: questions linked to several tables each, as tensors."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.open_batch import OpenBatch


@dataclass(frozen=True)
class OpenMultiBatch:
    """Encoded examples; entry i of every tensor belongs to example i.

    Attributes:
        tables: the question with each of its tables. They share its words, mentions and quantities, and the
            tensors that hold these; their own answers do not count.
        values: for each table the codes of the cells' values, by which cells of different tables are
            compared: equal codes are equal values, 0 is nothing to compare.
        answer_cells: the cells that answer, counted table by table and row by row over the padded tables;
            none where the tables cannot answer.
        types: the kind of question, for the report.
    """

    tables: tuple[OpenBatch, ...]
    values: tuple[Int[Tensor, "batch _ _"], ...]
    answer_cells: Bool[Tensor, "batch cell"]
    types: Int[Tensor, "batch"]

    def __len__(self) -> int:
        return len(self.types)

    @property
    def words(self) -> Int[Tensor, "batch token"]:
        """The codes of the question's words."""
        return self.tables[0].words

    @property
    def answers(self) -> Int[Tensor, "batch"]:
        """The first cell that answers; behind them all if there is none."""
        first = self.answer_cells.long().argmax(dim=1)
        return torch.where(self.answer_cells.any(dim=1), first, self.answer_cells.shape[1])

    def to(self, device: torch.device | str) -> "OpenMultiBatch":
        """Returns the batch with all tensors on a device."""
        return self._map(lambda tensor: tensor.to(device))

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "OpenMultiBatch":
        """Returns the chosen examples."""
        return self._map(lambda tensor: tensor[index])

    def _map(self, function: Callable[[Tensor], Tensor]) -> "OpenMultiBatch":
        done: dict[int, Tensor] = {}  # what tables share stays shared

        def once(tensor: Tensor) -> Tensor:
            if id(tensor) not in done:
                done[id(tensor)] = function(tensor)
            return done[id(tensor)]

        return OpenMultiBatch(
            tuple(_mapped(table, once) for table in self.tables),
            tuple(once(codes) for codes in self.values),
            once(self.answer_cells),
            once(self.types),
        )


def _mapped(table: OpenBatch, function: Callable[[Tensor], Tensor]) -> OpenBatch:
    tensors: dict[str, Any] = {
        item.name: function(value)
        for item in fields(table)
        if isinstance(value := getattr(table, item.name), Tensor)
    }
    return replace(table, **tensors)
