"""What a cascade of executors did with a question: fields read, rows marked, tables linked, a cell chosen."""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.prediction import FieldLink, Looks, Pair, Prediction, TablePrediction
from neural_enquirer.programs.result import Cell
from neural_enquirer.tables import Table
from neural_enquirer.tables.wording import cut, rows_told

# A field that got less of an executor's attention is not worth naming; a row marked less is not marked.
_WORTH_NAMING = 0.2
_MARKED = 0.5
# Executors whose weights and marks differ by less do the same thing twice.
_SAME = 0.1
# A second field with less of the answer's probability was not in question.
_RUNNER_UP = 0.1
_STEP_DIGITS: Final = 4
_MOST_ROWS: Final = 3
_LONGEST_TEXT: Final = 30


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


def steps_of(trace: Trace) -> list[Step]:
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


@dataclass(frozen=True, eq=False)
class Cascade:
    """The record of one question's execution, in all of its tables.

    Attributes:
        tables: what was asked.
        traces: what each executor read and marked in each table.
        cell: the cell that it points at; None where it finds that the tables cannot answer.
        probability: how probable it is to the cascade alone that this is right.
        links: the fields by which the tables are linked, the strongest first.
        looks: for each executor, by pairs of tables, which rows of the one looked at which of the other.
        program: the steps of a baseline's own program, in words; Neural Enquirer has none.
    """

    tables: tuple[Table, ...] = dataclasses.field(repr=False)
    traces: tuple[Trace, ...] = dataclasses.field(repr=False)
    cell: Cell | None
    probability: float
    links: tuple[Link, ...] = ()
    looks: tuple[Mapping[Pair, Looks], ...] = dataclasses.field(default=(), repr=False)
    program: tuple[str, ...] = ()

    @classmethod
    def of(cls, tables: tuple[Table, ...], prediction: Prediction) -> "Cascade":
        """Puts a model's prediction in words: the tables and fields that its numbers belong to."""
        found = next(iter(likeliest_cells(tables, prediction, 1)), None)
        is_none = found is None or prediction.is_refusal
        cell, probability = (None, prediction.none_probability) if found is None or is_none else found
        return cls(
            tables,
            _traces(tables, prediction.tables),
            cell,
            float(probability),
            tuple(_link(tables, link) for link in prediction.links),
            prediction.looks,
            prediction.program,
        )

    @property
    def executors(self) -> range:
        """The numbers of the executors that read, from 1."""
        return range(1, len(self.traces[0].field_weights) + 1)

    @property
    def table(self) -> int:
        """The table that holds the cell, or the first."""
        return 0 if self.cell is None else self.cell.table

    @property
    def is_linked(self) -> bool:
        """Whether there is one table, or anything was found that links any two."""
        looked = any(len(one.rows) for step in self.looks for one in step.values())
        return len(self.tables) == 1 or bool(self.links) or looked

    @property
    def cell_looks_told(self) -> list[str]:
        """What the cell's row looked at in other tables, in the last step in which it looked at any."""
        if self.cell is None:
            return []
        executors = range(len(self.looks), 0, -1)
        steps = (self.looks_of(executor, self.cell.table, [self.cell.row]) for executor in executors)
        return self.looks_told(self.cell.table, next(filter(None, steps), []))

    def looks_of(self, executor: int, table: int, rows: Collection[int] | None = None) -> list[Look]:
        """What rows of a table, all or some, looked at in the others in a step; executors count from 1."""
        found: list[Look] = []
        for (own, other), looks in self.looks[executor - 1].items():
            if own == table:
                wanted = slice(None) if rows is None else np.isin(looks.rows, list(rows))
                columns = (looks.rows[wanted], looks.others[wanted], looks.weights[wanted])
                found += [
                    Look(row, other, other_row, weight)
                    for row, other_row, weight in zip(*(one.tolist() for one in columns), strict=True)
                ]
        return sorted(found, key=lambda look: (look.row, -look.weight))

    def looks_told(self, table: int, looks: Iterable[Look]) -> list[str]:
        """A table's looks in words, for each row and other table, with the value that links the rows."""
        together: dict[tuple[int, int], list[int]] = {}
        for look in looks:
            together.setdefault((look.row, look.table), []).append(look.other_row)
        told = []
        for (row, other), rows in together.items():
            value = self._linking_value((table, row), (other, rows[0]))
            shown = f" ({cut(value, _LONGEST_TEXT)})" if value else ""
            name = cut(self.tables[other].name, _LONGEST_TEXT)
            told.append(f"row {row + 1:,} looked at {rows_told(rows, _MOST_ROWS)} of {name}{shown}")
        return told

    def _linking_value(self, one: tuple[int, int], other: tuple[int, int]) -> str | None:
        """What rows of two tables have in common, in the fields that link these most; None where unlike."""
        wanted = sorted(self.tables[k].name for k, _ in (one, other))
        link = next((link for link in self.links if sorted(link.tables) == wanted), None)
        if link is None:
            return None
        texts = []
        for k, row in (one, other):
            field = link.fields[link.tables.index(self.tables[k].name)]
            texts.append(self.tables[k].text(row, self.tables[k].field_index(field)))
        return texts[0] if texts[0].casefold() == texts[1].casefold() else None

    def steps_json(self) -> list[dict[str, Any]]:
        """All executors' work in all tables, as objects of the command line's JSON."""
        return [self.step_json(one, k) for one in self.executors for k in range(len(self.tables))]

    def step_json(self, executor: int, table: int, rows: bool = True) -> dict[str, Any]:
        """One executor's work in one table, with the marks of all rows or without; executors count from 1."""
        trace = self.traces[table]
        weights = trace.field_weights[executor - 1].astype(float)
        content: dict[str, Any] = {
            "executor": executor,
            "table": self.tables[table].name,
            "fields": dict(zip(trace.fields, np.round(weights, _STEP_DIGITS).tolist(), strict=True)),
        }
        if rows:
            content["rows"] = np.round(trace.row_marks[executor - 1].astype(float), _STEP_DIGITS).tolist()
        if len(self.tables) > 1:
            content["looked_at"] = [
                {
                    "row": look.row,
                    "table": self.tables[look.table].name,
                    "other_row": look.other_row,
                    "weight": round(look.weight, _STEP_DIGITS),
                }
                for look in self.looks_of(executor, table)
            ]
        return content


def likeliest_cells(
    tables: Sequence[Table], prediction: Prediction, count: int
) -> Iterator[tuple[Cell, float]]:
    """The cells most likely to answer, and how likely they are, the likeliest first; never a missing one."""
    found = [
        one
        for k, (table, own) in enumerate(zip(tables, prediction.tables, strict=True))
        for one in _likeliest(k, table, own, count)
    ]
    yield from sorted(found, key=lambda one: -one[1])[:count]


def _likeliest(
    number: int, table: Table, prediction: TablePrediction, count: int
) -> Iterator[tuple[Cell, float]]:
    flat = np.asarray(prediction.probabilities).reshape(-1)
    for place in [int(flat.argmax())] if count == 1 else _highest(flat, count):
        row, column = divmod(place, len(table.fields))
        if table.columns[column][row] is not None:
            yield Cell(number, row, column), float(flat[place])


def _highest(values: npt.NDArray[np.float32], count: int) -> list[int]:
    """The places of the highest values, the highest first; of equal ones the first count."""
    likely = values[values > 0]  # in long tables, few are
    # Not the partition itself: it might have others of those that are equal.
    least = np.partition(likely, -count)[-count] if count < likely.size else 0
    enough = np.flatnonzero(values >= least)
    places: list[int] = enough[np.argsort(-values[enough], kind="stable")][:count].tolist()
    return places


def _traces(tables: Sequence[Table], predicted: Sequence[TablePrediction]) -> tuple[Trace, ...]:
    """What was read and marked in each table; the answer weights of all tables sum to one."""
    sums = [np.asarray(own.probabilities).sum(axis=0, dtype=np.float32) for own in predicted]
    total = np.float32(max(sum(float(own.sum()) for own in sums), 1e-12))
    return tuple(
        Trace(table.field_names, own.field_weights, own.row_marks, weights / total)
        for table, own, weights in zip(tables, predicted, sums, strict=True)
    )


def _link(tables: Sequence[Table], link: FieldLink) -> Link:
    (one, other), (field, other_field) = link.tables, link.fields
    fields = tables[one].fields[field].name, tables[other].fields[other_field].name
    return Link((tables[one].name, tables[other].name), fields, link.weight)
