"""What running a program gives."""

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.frames import CellBlock, GroupFrame, RowSet, TableFrame
from neural_enquirer.programs.language import Program, Rows
from neural_enquirer.tables import Table, Value, spelling

_NOTE: Final = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Cell:
    """Where a cell stands; all numbers count from 0."""

    table: int
    row: int
    column: int


@dataclass(frozen=True, eq=False)
class StepRows:
    """The rows after one step of a program."""

    step: Rows
    rows: RowSet = field(repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def of_table(self, table: int, most: int | None = None) -> tuple[int, ...]:
        """The rows of one table among them, or below the groups that they are, each once and in order."""
        frame, index = self._below
        members = frame.scope.members
        if table not in members:
            return ()
        own = frame.rows[members.index(table)]
        if len(members) == 1:  # so that no row is there twice
            return tuple(own[index[:most]].tolist())
        return tuple(dict.fromkeys(own[index].tolist()))[:most]

    def count_of_table(self, table: int) -> int:
        """How many rows of one table there are among them, or below the groups that they are."""
        frame, index = self._below
        return len(index) if len(frame.scope.members) == 1 else len(self.of_table(table))

    @property
    def _below(self) -> tuple[TableFrame, npt.NDArray[np.intp]]:
        """The rows, or those that the groups are made of: a frame of tables, and which of its rows."""
        rows = self.rows
        while isinstance(rows.frame, GroupFrame):
            rows = rows.frame.rows.at(rows.frame.members(rows.index))
        assert isinstance(rows.frame, TableFrame)
        return rows.frame, rows.index


@dataclass(frozen=True, eq=False)
class Result:
    """An answer, and how it was found.

    Attributes:
        values: the answer's values, row by row where there are several terms; "yes" or "no"; none where there
            is no answer.
        steps: the rows after each step, in the order in which they were found, those of inner programs first.
        verbatim: whether the values are cells as they are, one by one.
        parts: gives the values of parts of the program, where they are not run in memory.
    """

    values: tuple[Value, ...]
    steps: tuple[StepRows, ...] = field(repr=False)
    blocks: tuple[CellBlock, ...] = field(repr=False)
    verbatim: bool = False
    parts: Callable[[Program], tuple[Value, ...]] | None = field(default=None, repr=False)

    @functools.cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the answer: its own, those that are added up, or those that rows are found by."""
        if self.verbatim and len(self.blocks) > 1:
            rows = zip(*(block.rows.tolist() for block in self.blocks), strict=True)
            return tuple(
                Cell(block.table, row, block.column)
                for record in rows
                for block, row in zip(self.blocks, record, strict=True)
            )
        cells = (Cell(block.table, row, block.column) for block in self.blocks for row in block.rows.tolist())
        return tuple(dict.fromkeys(cells)) if not self.verbatim else tuple(cells)

    @property
    def cells_count(self) -> int:
        """How many cells there are, without making them all."""
        return sum(len(block.rows) for block in self.blocks)

    def texts(self, tables: Sequence[Table]) -> tuple[str, ...]:
        """The values as the tables spell them, in one line each, or as a person would write them."""
        if self.verbatim:
            return tuple(_in_one_line(tables[cell.table].text(cell.row, cell.column)) for cell in self.cells)
        return tuple(spelling(value) for value in self.values)


def _in_one_line(text: str) -> str:
    """A cell's text without line breaks; what comes after an empty line is a note and left out."""
    return " ".join(_NOTE.split(text.strip(), 1)[0].split()) if "\n" in text else text
