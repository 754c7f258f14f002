"""What led to an answer: the fields that each executor read, and the rows that it marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# A field that got less of an executor's attention is not worth naming; a row marked less is not marked.
_WORTH_NAMING = 0.2
_MARKED = 0.5
# Executors whose weights and marks differ by less do the same thing twice.
_SAME = 0.1
# A second field with less of the answer's probability was not in question.
_RUNNER_UP = 0.1


@dataclass(frozen=True, eq=False)
class Trace:
    """The record of one question's execution.

    Attributes:
        fields: the names of the table's fields.
        field_weights: executor × field, what each executor that reads looked at; each row sums to 1.
        row_marks: executor × row in 0…1, which rows each executor marked.
        answer_weights: of each field, how probable it is that it holds the answer, if a cell does; None where
            that is not known.
    """

    fields: tuple[str, ...]
    field_weights: npt.NDArray[np.float32]
    row_marks: npt.NDArray[np.float32]
    answer_weights: npt.NDArray[np.float32] | None = None


@dataclass(frozen=True)
class Step:
    """One executor's work, as far as a person wants to know.

    Attributes:
        executor: its number, from 1.
        read: the fields it looked at, by index, and how much of its attention each got; most first.
        marked: the rows it marked, in the table's order.
        leaning: where no row is marked, those that come closest, if any; most marked first.
        repeats: whether it does what the executor before it did.
    """

    executor: int
    read: tuple[tuple[int, float], ...]
    marked: tuple[int, ...]
    leaning: tuple[int, ...]
    repeats: bool


@dataclass(frozen=True)
class Link:
    """Two fields whose equal values link two tables.

    Attributes:
        tables: what the tables are called.
        fields: the field of each.
        weight: from 0 to 1, how much the model goes by them.
    """

    tables: tuple[str, str]
    fields: tuple[str, str]
    weight: float

    def __str__(self) -> str:
        one, other = (f"{table}.{field}" for table, field in zip(self.tables, self.fields, strict=True))
        return f"{one} to {other}"

    def to_json(self) -> dict[str, Any]:
        """The link as an object of the command line's JSON."""
        return {"tables": list(self.tables), "fields": list(self.fields), "weight": round(self.weight, 4)}


@dataclass(frozen=True)
class Look:
    """A row that looked at a row of another table.

    Attributes:
        row: the row that looked.
        table: the other table, by index.
        other_row: the row that it looked at.
        weight: how much of its attention that row got.
    """

    row: int
    table: int
    other_row: int
    weight: float


def steps(trace: Trace) -> list[Step]:
    """One step for every executor."""
    return [
        Step(
            executor=index + 1,
            read=_read(weights),
            marked=tuple(np.flatnonzero(marks >= _MARKED).tolist()),
            leaning=_leaning(marks),
            repeats=index > 0 and _repeats(trace, index),
        )
        for index, (weights, marks) in enumerate(zip(trace.field_weights, trace.row_marks, strict=True))
    ]


def answer_fields(trace: Trace) -> tuple[tuple[int, float], ...]:
    """The field that the answer was taken from, by index, and the next if it came close; none if unknown."""
    if trace.answer_weights is None:
        return ()
    order = np.argsort(-trace.answer_weights, kind="stable").tolist()
    first = [(field, float(trace.answer_weights[field])) for field in order[:2]]
    return tuple(first[:1] + [other for other in first[1:] if other[1] >= _RUNNER_UP])


def left_out(trace: Trace, step: Step, count: int) -> list[int]:
    """The rows that a step did not mark, where they say more than those it did: few of them, many marked."""
    rows = trace.row_marks.shape[1]
    unmarked = rows - len(step.marked)
    if not 0 < unmarked <= count < len(step.marked):
        return []
    return sorted(set(range(rows)) - set(step.marked))


def most_marked(trace: Trace, step: Step, count: int) -> list[int]:
    """The rows to show for a step: of those marked the most marked, in the table's order."""
    if not step.marked:
        return sorted(step.leaning[:count])
    marks = trace.row_marks[step.executor - 1]
    strongest = sorted(step.marked, key=lambda row: (-float(marks[row]), row))[:count]
    return sorted(strongest)


def _read(weights: npt.NDArray[np.float32]) -> tuple[tuple[int, float], ...]:
    order = np.argsort(-weights, kind="stable").tolist()
    named = [field for field in order if weights[field] >= _WORTH_NAMING] or order[:1]
    return tuple((field, float(weights[field])) for field in named)


def _leaning(marks: npt.NDArray[np.float32], most: int = 3) -> tuple[int, ...]:
    if len(marks) < 2 or marks.max() >= _MARKED or marks.max() - marks.min() < _SAME:
        return ()
    return tuple(np.argsort(-marks, kind="stable")[:most].tolist())


def _repeats(trace: Trace, index: int) -> bool:
    pairs: Sequence[npt.NDArray[np.float32]] = (trace.field_weights, trace.row_marks)
    return all(float(np.abs(pair[index] - pair[index - 1]).max(initial=0)) < _SAME for pair in pairs)
