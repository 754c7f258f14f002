"""What every engine can do, whatever it is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from neural_enquirer.programs.language import Condition, Program
from neural_enquirer.programs.result import Result
from neural_enquirer.tables import Table, TableError
from neural_enquirer.tables.profile import TableProfile

__all__ = ["LIMITS", "Engine", "EngineError", "Limits", "Progress"]

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

    def find(self, table: Table, wanted: Sequence[Condition], most: int) -> Table:
        """The rows that fulfil some of several conditions, those that fulfil most of them first."""
        ...

    def run(self, program: Program, tables: Sequence[Table]) -> Result:
        """Runs a program.

        Raises:
            ProgramError: if the program does not fit the tables, or the engine cannot say it.
            EngineError: if the engine cannot be reached, or it takes too long.
        """
        ...

    def rows(self, program: Program, tables: Sequence[Table], start: int, count: int) -> Table:
        """A page of the rows that a program's answer is made of."""
        ...
