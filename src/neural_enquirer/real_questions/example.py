"""RealExample: a question that somebody typed about a table that somebody made."""

from dataclasses import dataclass

from neural_enquirer.tables import Table

AGGREGATIONS = ("none", "count", "max", "min", "sum", "avg")
"""What a query of WikiSQL does with the cells that it selects."""


class RealDataError(ValueError):
    """A folder of questions that cannot be read; the message is one line that says what is wrong."""


@dataclass(frozen=True)
class Condition:
    """A condition of a query: a field, one of `=`, `<`, `>`, and a value as its author wrote it."""

    column: int
    operator: str
    value: str


@dataclass(frozen=True)
class SqlQuery:
    """The query that WikiSQL gives with a question: for reports only, nothing is learned from it."""

    select: int
    aggregation: str
    where: tuple[Condition, ...]


@dataclass(frozen=True)
class RealExample:
    """A question with its table and its answers.

    Attributes:
        id: of the question in its data set.
        table: what it is about.
        question: as it was typed.
        answers: the texts of the right answer; none where the set's own query finds nothing.
        cells: row and field of every cell that holds the text of an answer; None where the answer is
            computed, or not every part of it stands in a cell.
        one_cell: whether the data set says that one cell is the answer.
        query: its query, where the set has one (WikiSQL).
    """

    id: str
    table: Table
    question: str
    answers: tuple[str, ...]
    cells: tuple[tuple[int, int], ...] | None
    one_cell: bool
    query: SqlQuery | None = None

    @property
    def aggregation(self) -> str | None:
        """What is done with the selected cells, one of `AGGREGATIONS`; None where nobody says so."""
        return None if self.query is None else self.query.aggregation

    @property
    def conditions(self) -> int | None:
        """How many conditions the query has; None where there is no query."""
        return None if self.query is None else len(self.query.where)
