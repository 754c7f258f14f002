"""Closer looks: in long tables, the rows that may matter are asked again, ranked among themselves.

Ranks are numbers between 0 and 1: among very many rows, neighbours look the same. So the rows that may hold
the answer, those linked to them, and those that the question mentions are taken out and asked the same
question, again and again until they are few. That no table has the answer is decided at the first look.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.linking import EQUAL
from neural_enquirer.encoding.open import LinkedTable, OpenQuestion
from neural_enquirer.encoding.tables_index import Codes
from neural_enquirer.prediction.cells import Prediction
from neural_enquirer.prediction.outputs import shares
from neural_enquirer.runtime.cascade import Output

ROWS_SEEN = 24
"""As many rows as the model saw in training; a longer table is looked at again, at fewer rows each time."""

ROWS_AT_LAST = 12
"""How many are left in the end: fewer than the model saw, so that it tells neighbours apart for certain."""

NARROWING = 8
"""How many times fewer rows each look has than the one before."""

Likely = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


def needs_closer_look(question: OpenQuestion, prediction: Prediction) -> bool:
    """Whether a table is long, and there may be an answer."""
    is_long = any(table.index.shape[0] > ROWS_SEEN for table in question.tables)
    return is_long and not prediction.is_refusal


@dataclass(frozen=True)
class Look:
    """What is still in question.

    Attributes:
        question: about the rows that were kept.
        kept: these rows of each table.
        likely: for each table how likely each cell of these rows is the answer.
    """

    question: OpenQuestion
    kept: tuple[Rows, ...]
    likely: tuple[Likely, ...]

    @classmethod
    def first(cls, question: OpenQuestion, prediction: Prediction) -> "Look":
        """What was found with all rows."""
        likely = tuple(own.probabilities for own in prediction.tables)
        return cls(question, tuple(np.arange(len(own)) for own in likely), likely)

    @property
    def is_long(self) -> bool:
        """Whether a table has too many rows to be the last look."""
        return any(len(rows) > ROWS_AT_LAST for rows in self.kept)

    def closer(self) -> "Look":
        """Keeps the rows that may matter."""
        chosen = worth_a_look(self.question, self.likely)
        return Look(
            only_rows(self.question, chosen),
            tuple(rows[own] for rows, own in zip(self.kept, chosen, strict=True)),
            tuple(own[rows] for own, rows in zip(self.likely, chosen, strict=True)),
        )

    def found(self, output: Output, temperature: float) -> "Look":
        """Returns the look with what the model says of its rows."""
        likely = shares([own.answer_scores for own in output.tables], temperature)
        pairs = zip(likely, self.likely, strict=True)
        return replace(self, likely=tuple(own[:, : before.shape[1]] for own, before in pairs))

    def told(self, first: Prediction) -> Prediction:
        """Returns the first look's prediction with the probabilities of the last."""
        tables = []
        for own, rows, likely in zip(first.tables, self.kept, self.likely, strict=True):
            probabilities = np.zeros_like(own.probabilities)
            probabilities[rows] = likely * (1 - first.none_probability)
            tables.append(replace(own, probabilities=probabilities))
        return replace(first, tables=tuple(tables))


def worth_a_look(question: OpenQuestion, likely: Sequence[Likely]) -> list[Rows]:
    """Returns the rows of each table to look at again.

    A row is as likely to matter as the likeliest of its own cells, or as that of a row that shares a value
    with one of its cells, at half the weight.
    """
    chosen = []
    for k, table in enumerate(question.tables):
        by_row = likely[k].max(axis=1)
        for j, other in enumerate(question.tables):
            if j != k and other.values is not None and table.values is not None:
                passed = _passed_on(likely[j].max(axis=1), other.values, table.values)
                by_row = np.maximum(by_row, passed / 2)
        count = max(ROWS_AT_LAST, len(by_row) // NARROWING)
        is_long = len(by_row) > count
        chosen.append(likeliest_rows(table, by_row, count) if is_long else np.arange(len(by_row)))
    return chosen


def likeliest_rows(table: LinkedTable, by_row: Likely, count: int) -> Rows:
    """Returns the rows to look at again, in their order: mentioned ones, some of all kinds, the likeliest.

    The question must keep its sense: where a number is to be exceeded, some rows should fail to.
    """
    mentioned = np.flatnonzero(
        (table.links.cell_mentions > 0).any(axis=1) | (table.links.relations == EQUAL).any(axis=(0, 2))
    )
    if len(mentioned) > count // 2:
        mentioned = mentioned[np.argsort(-by_row[mentioned], kind="stable")[: count // 2]]
    chosen = np.zeros(len(by_row), np.bool_)
    chosen[mentioned] = True
    chosen[np.linspace(0, len(by_row) - 1, count // 8).astype(np.intp)] = True
    others = np.argsort(-by_row, kind="stable")
    chosen[others[~chosen[others]][: count - int(chosen.sum())]] = True
    return np.flatnonzero(chosen)


def only_rows(question: OpenQuestion, rows: Sequence[Rows]) -> OpenQuestion:
    """Returns the same question about some rows of each table only, ranked among themselves."""
    tables = (_with_rows(table, chosen) for table, chosen in zip(question.tables, rows, strict=True))
    return replace(question, tables=tuple(tables))


def _with_rows(table: LinkedTable, rows: Rows) -> LinkedTable:
    links = table.links.select(rows)
    values = None if table.values is None else table.values[rows]
    return replace(table, index=table.index.select(rows), links=links, values=values)


def _passed_on(likely: Likely, values: Codes, others: Codes) -> Likely:
    """Hands what is known of rows on to the rows of another table that share a value with them."""
    best = np.zeros(int(max(values.max(initial=0), others.max(initial=0))) + 1, dtype=np.float32)
    for column in values.T:
        np.maximum.at(best, column, likely)
    best[0] = 0
    passed: Likely = best[others].max(axis=1)
    return passed
