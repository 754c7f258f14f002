"""Answer: what tables say to a question, how sure that is, how it came about, or why there is none."""

import dataclasses
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.answers.accounting import Understanding, Understood, understand
from neural_enquirer.answers.heard import Heard
from neural_enquirer.answers.kinds import AS_THEY_ARE, answer_kind
from neural_enquirer.answers.refusals import Refusal, refusal_message
from neural_enquirer.answers.steps import ProgramStep, program_steps
from neural_enquirer.answers.writing import written
from neural_enquirer.encoding.linking import Links
from neural_enquirer.judge.ranked import NO_ROW, Ranked
from neural_enquirer.programs.language import Program, ProgramError
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken import sentence
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table, Value

__all__ = ["UNSURE_BELOW", "Answer", "Candidate", "CellPlace", "answer_of"]

UNSURE_BELOW: Final = 0.5
"""An answer less probable than this is more likely wrong than right."""
_DIGITS: Final = 6
_MOST_CELLS: Final = 1000
_SUREST: Final = 0.995


@dataclass(frozen=True)
class CellPlace:
    """Where a cell of an answer stands: the name of its table, its row from 0, the name of its field."""

    table: str
    row: int
    field: str

    def to_json(self) -> dict[str, Any]:
        """As an object of the command line's JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True, eq=False)
class Candidate:
    """One possible answer, or the finding that there is none.

    Attributes:
        tables: what was asked.
        outcome: the program, its result and how probable it is.
    """

    tables: tuple[Table, ...] = dataclasses.field(repr=False)
    outcome: Ranked

    @property
    def program(self) -> Program | None:
        """The program that gives it; None where there is no answer."""
        return self.outcome.program

    @property
    def probability(self) -> float:
        """How probable it is that this is right."""
        return self.outcome.probability

    @property
    def values(self) -> tuple[Value, ...]:
        """Every value, in the table's order."""
        return () if self.outcome.result is None else self.outcome.result.values

    @functools.cached_property
    def texts(self) -> tuple[str, ...]:
        """Every value as its cell spells it, or in its plain form."""
        return () if self.outcome.result is None else self.outcome.result.texts(self.tables)

    @functools.cached_property
    def text(self) -> str | None:
        """All that was found in one line; None where that is nothing."""
        found = self._found
        return written(*found, self.tables) if found and self.values else None

    @property
    def aggregation(self) -> str:
        """What the values are made by: count, sum, …; none for cells as they are."""
        return AS_THEY_ARE if self.program is None else answer_kind(self.program)

    @property
    def sentence(self) -> str | None:
        """How it came about."""
        return sentence(*self._found, self.tables) if self._found else None

    @property
    def cell(self) -> CellPlace | None:
        """The cell that it is, where one cell answers."""
        result = self.outcome.result
        is_one = result is not None and result.verbatim and result.cells_count == 1
        return next(iter(self.cells(1)), None) if is_one else None

    def cells(self, most: int) -> tuple[CellPlace, ...]:
        """The cells that it is made of, or the first of them."""
        if self.outcome.result is None:
            return ()
        named = ((self.tables[cell.table], cell) for cell in self.outcome.result.cells[:most])
        return tuple(CellPlace(table.name, cell.row, table.field_names[cell.column]) for table, cell in named)

    def to_json(self) -> dict[str, Any]:
        """As an object of the command line's JSON."""
        cell = self.cell
        return {
            "answer": self.text,
            "aggregation": self.aggregation,
            "row": cell and cell.row,
            "field": cell and cell.field,
            "probability": round(self.probability, _DIGITS),
        }

    @property
    def _found(self) -> tuple[Program, Result] | None:
        program, result = self.outcome.program, self.outcome.result
        return None if program is None or result is None else (program, result)


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer to one question about one table or several.

    Attributes:
        question: the question as it was asked.
        tables: what it was asked of.
        ranked: the likeliest candidates, the likeliest first; the first of them is the answer.
        heard: what the words of the question point at.
        model: the name of the model that answered.
    """

    question: str
    tables: tuple[Table, ...] = dataclasses.field(repr=False)
    ranked: tuple[Candidate, ...]
    heard: Heard = dataclasses.field(repr=False)
    model: str = ""

    @property
    def best(self) -> Candidate:
        """The likeliest candidate."""
        return self.ranked[0]

    @property
    def value(self) -> Value | None:
        """The value: a number, a date or text; several in one line; None where there is no answer."""
        values = self.best.values
        return values[0] if len(values) == 1 else self.text

    @property
    def values(self) -> tuple[Value, ...]:
        """Every value, in the table's order."""
        return self.best.values

    @property
    def text(self) -> str | None:
        """What is printed first: the value as people write it, several in one line; None for no answer."""
        return self.best.text

    @property
    def texts(self) -> tuple[str, ...]:
        """Every value as its cell spells it, or in its plain form."""
        return self.best.texts

    @property
    def aggregation(self) -> str:
        """What the values are made by: count, sum, …; none for cells as they are."""
        return self.best.aggregation

    @property
    def confidence(self) -> float:
        """How probable it is that the answer is right, from 0 to 1."""
        return self.best.probability

    @property
    def is_unsure(self) -> bool:
        """Whether the answer is more likely wrong than right."""
        return self.confidence < UNSURE_BELOW

    @property
    def row(self) -> int | None:
        """The row of the answer where it is one cell; data rows count from 0."""
        return None if self.best.cell is None else self.best.cell.row

    @property
    def field(self) -> str | None:
        """The field of the answer where it is one cell."""
        return None if self.best.cell is None else self.best.cell.field

    @property
    def table(self) -> str | None:
        """The table that the answer is from; None where there is none."""
        if self.text is None:
            return None
        return next((cell.table for cell in self.best.cells(1)), self.tables[0].name)

    @property
    def cells(self) -> tuple[CellPlace, ...]:
        """The cells that the answer is made of, at most 1,000 of them."""
        return self.best.cells(_MOST_CELLS)

    @property
    def cells_count(self) -> int:
        """How many cells the answer is made of."""
        result = self.best.outcome.result
        return 0 if result is None else result.cells_count

    @property
    def program(self) -> str | None:
        """The program in one line; None where nothing answers."""
        return None if self.best.program is None else to_text(self.best.program)

    @functools.cached_property
    def sentence(self) -> str:
        """How the answer came about, or why there is none."""
        return self.refusal.message if self.refusal else self.best.sentence or ""

    @functools.cached_property
    def refusal(self) -> Refusal | None:
        """Why there is no answer; None where there is one."""
        kind = self.best.outcome.refusal
        if kind is not None:
            return Refusal(kind, refusal_message(kind, self.heard, self._guess()))
        return None if self.values else Refusal(NO_ROW, self.best.sentence or "")

    @property
    def understood(self) -> tuple[Understood, ...]:
        """Which words were taken for what."""
        return self._understanding.understood

    @property
    def unused(self) -> tuple[str, ...]:
        """Which telling words were not used at all."""
        return self._understanding.unused

    @functools.cached_property
    def steps(self) -> tuple[ProgramStep, ...]:
        """The program step by step, with the rows after each."""
        program, result = self.best.outcome.program, self.best.outcome.result
        if program is None or result is None:
            return ()
        return program_steps(program, result, self.tables)

    def sql(self, dialect: str = "duckdb", pretty: bool = False) -> str | None:
        """The program as SQL; None where nothing answers.

        Raises:
            ProgramError: with one line that says why the dialect cannot say it.
        """
        if self.best.program is None:
            return None
        from neural_enquirer.programs.sql import to_sql  # and sqlglot, only for those who want SQL

        return to_sql(self.best.program, self.tables, dialect, pretty)

    @property
    def told(self) -> str:
        """The line under the answer: how it came about, how sure that is, and which words went unused."""
        parts = [self.sentence]
        if self.refusal is None:
            parts.append(f"{_sure(self.confidence).capitalize()} sure.")
        if self.unused:
            parts.append(f"Not used: {', '.join(self.unused)}.")
        return " ".join(parts)

    def __str__(self) -> str:
        return "no answer" if self.text is None else self.text

    def to_json(self, dialect: str = "duckdb") -> dict[str, Any]:
        """The answer as the command line's JSON object."""
        return {
            "question": self.question,
            "answer": self.text,
            "answers": list(self.texts),
            "aggregation": self.aggregation,
            "row": self.row,
            "field": self.field,
            "table": self.table,
            "cells": [cell.to_json() for cell in self.cells],
            "cells_count": self.cells_count,
            "confidence": round(self.confidence, _DIGITS),
            "sentence": self.sentence,
            "program": self.program,
            "sql": self._sql_if_sayable(dialect),
            "understood": [each.to_json() for each in self.understood],
            "unused": list(self.unused),
            "refusal": self.refusal and self.refusal.to_json(),
            "ranked": [each.to_json() for each in self.ranked],
            "program_steps": [each.to_json() for each in self.steps],
            "model": self.model,
        }

    @functools.cached_property
    def _understanding(self) -> Understanding:
        return understand(self.heard, self.best.program)

    def _sql_if_sayable(self, dialect: str) -> str | None:
        try:
            return self.sql(dialect)
        except ProgramError:
            return None

    def _guess(self) -> str | None:
        """The likeliest candidate that is an answer, with how it came about."""
        guess = next((each for each in self.ranked if each.text is not None), None)
        if guess is None or guess.sentence is None:
            return None
        return f"{guess.text} ({_sure(guess.probability)}): {guess.sentence.removesuffix('.')}"


def answer_of(
    question: str, tables: Sequence[Table], links: Sequence[Links], ranked: Sequence[Ranked], model: str = ""
) -> Answer:
    """The answer that a judge's outcomes make, the likeliest of which comes first."""
    known = tuple(tables)
    candidates = tuple(Candidate(known, outcome) for outcome in ranked)
    return Answer(question, known, candidates, Heard(question, known, tuple(links)), model)


def _sure(probability: float) -> str:
    """A probability in percent, of which none is certain."""
    return "more than 99 %" if probability >= _SUREST else f"{probability:.0%}".replace("%", " %")
