"""What may be the answer to a question: what a program gives, one cell, or the finding that there is none."""

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from neural_enquirer.asking.writing import AS_THEY_ARE, answer_kind, span_asked, written
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.programs.frames import CellBlock
from neural_enquirer.programs.language import Program
from neural_enquirer.programs.result import Cell, Result
from neural_enquirer.programs.spoken import sentence
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.wording import cut

DIGITS: Final = 6
"""How exactly probabilities are told to programs."""
_LONGEST_NAME: Final = 30


@dataclass(frozen=True)
class CellPlace:
    """Where a cell stands: the name of its table, its row from 0, the name of its field."""

    table: str
    row: int
    field: str

    @classmethod
    def of(cls, cell: Cell, tables: tuple[Table, ...]) -> "CellPlace":
        """The place of a cell that is known by numbers."""
        table = tables[cell.table]
        return cls(table.name, cell.row, table.field_names[cell.column])

    def told(self, alone: bool) -> str:
        """In words, with the table unless there is but one: city in row 4 of customers."""
        place = f"{cut(self.field, _LONGEST_NAME)} in row {self.row + 1:,}"
        return place if alone else f"{place} of {cut(self.table, _LONGEST_NAME)}"


@dataclass(frozen=True, eq=False)
class Candidate:
    """One possible answer, or the finding that there is none.

    Attributes:
        tables: what was asked.
        probability: how probable it is that this is right.
        result: what was found; None where there is no answer.
        program: the program that gives it; None where a model points at a cell.
        refusal: why there is no answer: one of `REFUSALS`; None where there is one.
        recalled: the corrected question that it was learned from; None where it was not.
        unheard: the places of words that sound like conditions and that it does nothing with.
        span: the unit of time that the question wants to hear of days in; None for days.
    """

    tables: tuple[Table, ...] = dataclasses.field(repr=False)
    probability: float
    result: Result | None = None
    program: Program | None = None
    refusal: str | None = None
    recalled: str | None = None
    unheard: tuple[int, ...] = ()
    span: str | None = None

    @classmethod
    def of(cls, tables: tuple[Table, ...], outcome: Ranked, question: str = "") -> "Candidate":
        """What a judge considered."""
        found = outcome.result, outcome.program, outcome.refusal, outcome.recalled, outcome.unheard
        return cls(tables, outcome.probability, *found, span_asked(question))

    @classmethod
    def of_cell(cls, tables: tuple[Table, ...], cell: Cell, probability: float) -> "Candidate":
        """A cell that a model points at, which is not missing."""
        value = tables[cell.table].columns[cell.column][cell.row]
        assert value is not None
        block = CellBlock(cell.table, cell.column, np.array([cell.row]))
        return cls(tables, probability, Result((value,), (), (block,), verbatim=True))

    @property
    def values(self) -> tuple[Value, ...]:
        """Every value, in the table's order."""
        return () if self.result is None else self.result.values

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """Every value as its cell spells it, or in its plain form."""
        return () if self.result is None else self.result.texts(self.tables)

    @functools.cached_property
    def text(self) -> str | None:
        """All that was found in one line; None where that is nothing."""
        if self.result is None or not self.values:
            return None
        return (
            self.texts[0]
            if self.program is None
            else written(self.program, self.result, self.tables, self.span)
        )

    @property
    def told(self) -> str:
        """The same for people, who hear it where there is nothing."""
        return "no answer" if self.text is None else self.text

    @property
    def aggregation(self) -> str:
        """What the values are made by: count, sum, …; none for cells as they are."""
        return AS_THEY_ARE if self.program is None else answer_kind(self.program)

    @functools.cached_property
    def sentence(self) -> str | None:
        """How it came about; None where there is no answer."""
        if self.result is None:
            return None
        if self.program is not None:
            told = sentence(self.program, self.result, self.tables)
            return f"{told} As you corrected “{self.recalled}”." if self.recalled else told
        return f"Read {self.cell.told(len(self.tables) == 1)}." if self.cell else None

    @property
    def cell(self) -> CellPlace | None:
        """The cell that it is, where one cell answers."""
        result = self.result
        is_one = result is not None and result.verbatim and result.cells_count == 1
        return next(iter(self.cells(1)), None) if is_one else None

    def cells(self, most: int) -> tuple[CellPlace, ...]:
        """The cells that it is made of, or the first of them."""
        if self.result is None:
            return ()
        return tuple(CellPlace.of(cell, self.tables) for cell in self.result.cells[:most])

    def to_json(self) -> dict[str, Any]:
        """As an object of the command line's JSON."""
        cell = self.cell
        return {
            "answer": self.text,
            "aggregation": self.aggregation,
            "table": cell and cell.table,
            "row": cell and cell.row,
            "field": cell and cell.field,
            "probability": round(self.probability, DIGITS),
        }

    def reading_json(self) -> dict[str, Any]:
        """As a reading of the question that can be chosen instead of another."""
        return {
            "answer": self.text,
            "answers": list(self.texts),
            "sentence": self.sentence,
            "program": None if self.program is None else to_text(self.program),
            "probability": round(self.probability, DIGITS),
        }
