"""An example of the open task: any table, any question about it."""

from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.language import Cells
from neural_enquirer.synthesis.examples import PROGRAM_TYPES
from neural_enquirer.tables import Table

__all__ = ["OPEN_TYPES", "WORDINGS", "OpenExample"]

OPEN_TYPES: Final = (*PROGRAM_TYPES, "either", "order", "absent", "unsupported")
WORDINGS: Final = ("literal", "natural")


@dataclass(frozen=True)
class OpenExample:
    """A table, a question, and the cell that answers it."""

    table: Table
    question: str
    type: str
    """One of the paper's four types; "either" where one of two named things is to be chosen; "order" where
    the answer's row is told by its place in the table; "absent" where a field or value that is asked for is
    not in the table; "unsupported" where no single cell answers: counts, sums, averages, lists, yes or no."""
    wording: str
    """"literal": fields are called by words of their headers only; "natural": by adjectives, verbs and
    question words as well."""
    answer: tuple[int, int] | None
    """Row and column; None where the table cannot answer."""
    program: Cells | None
    """For the paper's four types; None for all others."""

    @property
    def tables(self) -> tuple[Table]:
        """The table, as an example with more of them has it."""
        return (self.table,)

    @property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """The cells that answer as table, row and column: one, or none."""
        return () if self.answer is None else ((0, *self.answer),)
