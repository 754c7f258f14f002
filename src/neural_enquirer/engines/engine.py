"""What every engine can do, whatever it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.trees import parts
from neural_enquirer.programs.types import source_of
from neural_enquirer.tables import Table, TableError
from neural_enquirer.tables.profile import TableProfile

Progress = Callable[[int], None]
"""Hears how many of the steps of a profile were done."""


class EngineError(TableError):
    """An engine that cannot be reached, or cannot do what is asked; the message is one line for people."""


@dataclass(frozen=True)
class Limits:
    """What a question may take.

    Attributes:
        seconds: for one statement; profiles, which look at every row, have no limit.
        rows: that an answer may have.
    """

    seconds: float = 60.0
    rows: int = 10_000


LIMITS = Limits()


class Engine(Protocol):
    """Where a table is, and where programs over it run. Nothing is ever changed there."""

    def profile(self, table: Table) -> TableProfile:
        """What is known of a table: its fields, their types, units, values, gaps and ends."""
        ...

    def find(self, table: Table, wanted: Sequence[lang.Condition], most: int) -> Table:
        """For each of several conditions, some rows that fulfil it, at most so many."""
        ...

    def look_up(
        self,
        table: Table,
        fields: Sequence[lang.Field],
        words: Sequence[str],
        most: int,
        whole: Sequence[str] = (),
    ) -> Table:
        """Some rows whose texts in some fields have one of some words, case and accents aside.

        Before all others come those of which a text is one of those that are given as a whole.
        """
        ...

    def is_beside(self, other: "Engine") -> bool:
        """Whether tables of another engine are in the same place, so that they can be asked together."""
        ...

    def run(self, program: lang.Program, tables: Sequence[Table]) -> Result:
        """Runs a program.

        Raises:
            ProgramError: if the program does not fit the tables, or the engine cannot say it.
            EngineError: if the engine cannot be reached, or it takes too long.
        """
        ...

    def rows(self, program: lang.Program, tables: Sequence[Table], start: int, count: int) -> Table:
        """A page of the rows that a program's answer is made of."""
        ...


def own_rows(program: lang.Program) -> lang.Rows:
    """The rows that an answer is made of; below groups, those that were grouped."""
    answers = (part for part in parts(program) if isinstance(part, lang.Cells | lang.Aggregate | lang.Exists))
    rows = next((answer.rows for answer in answers), None)
    if rows is None:
        raise ProgramError("the answer is made of no rows")
    source = source_of(rows)
    return own_rows(lang.Exists(source.rows)) if isinstance(source, lang.Groups) else rows
