"""Widening: another example with the same answer, made of one whose table lacks some of the fields.

An answer does not change when its table gets further columns. Where training tables show only some of the
fields at a time, a model learns that the others are not there, and is lost in a table that has them all.
Widened tables have them all; what stands in the further columns comes from other training tables.
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.encoding.words import PADDING, UNKNOWN


@dataclass(frozen=True)
class Widening:
    """Draws for each example of a batch the columns that it lacks.

    Attributes:
        names: the codes of all fields.
        columns: for each of them, columns of the training tables that have it.
        codes: how many codes the vocabulary has.
    """

    names: Int[Tensor, "name"]
    columns: Int[Tensor, "name column row"]
    codes: int

    @classmethod
    def of(cls, codes: int, batch: Batch) -> "Widening":
        """Collects the columns of unpadded tables, as many of each field as of the rarest one."""
        names = batch.table.fields.unique()
        own = batch.table.cells.transpose(1, 2)
        found = [own[batch.table.fields == name] for name in names]
        count = min(len(columns) for columns in found)
        return cls(names, torch.stack([columns[:count] for columns in found]), codes)

    def __call__(self, batch: Batch) -> Batch:
        """Returns the batch with all fields in every table, in any order."""
        order = torch.rand(len(batch), len(self.names), device=self.names.device).argsort(dim=1)
        drawn = torch.randint(self.columns.shape[1], order.shape, device=order.device)
        table = batch.table
        fields = self.names[order].to(table.fields.dtype)
        same = fields[:, :, None] == table.fields[:, None]
        own, there = same.to(torch.uint8).argmax(dim=2), same.any(dim=2)
        cells = _taken(table.cells, own).where(there[:, None], self.columns[order, drawn].transpose(1, 2))
        place = same.to(torch.uint8).argmax(dim=1)  # where each column of the batch is now
        row, column = batch.answers // table.fields.shape[1], batch.answers % table.fields.shape[1]
        right = batch.answer_cells
        return replace(
            batch,
            tables=(TableCodes(fields, cells, self._mentioned(cells, batch.words)),),
            answers=row * len(self.names) + place.gather(1, column[:, None])[:, 0],
            answer_cells=None
            if right is None
            else (_taken(right.view_as(table.cells), own) & there[:, None]).flatten(1),
            steps=place.gather(1, batch.steps.clamp(min=0)).where(batch.steps >= 0, batch.steps),
        )

    def _mentioned(
        self, cells: Int[Tensor, "batch row field"], words: Int[Tensor, "batch token"]
    ) -> Bool[Tensor, "batch row field"]:
        """Returns for each cell whether its word is among its question's words, as `encoding.closed` does."""
        said = torch.zeros(len(words), self.codes, dtype=torch.bool, device=words.device)
        said.scatter_(1, words.long(), True)
        for code in (PADDING, UNKNOWN):  # one by one: a list of them would have to be copied to the device
            said[:, code] = False
        return said.gather(1, cells.flatten(1).long()).view_as(cells)


def _taken(table: Tensor, own: Int[Tensor, "batch field"]) -> Tensor:
    """Returns the columns of a table in another order; each may be taken several times."""
    return table.gather(2, own[:, None].expand(-1, table.shape[1], -1))
