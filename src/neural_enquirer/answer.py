"""Answers: a cell of a table, how sure the model is, what else it considered, and how it got there."""

import dataclasses
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from neural_enquirer.explanation import Link, Look, Trace
from neural_enquirer.tables import Table
from neural_enquirer.tables.cell_types import Value
from neural_enquirer.tables.wording import cut, listed, rows_told

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from neural_enquirer.prediction import FieldLink, Looks, Prediction, TablePrediction

UNSURE_BELOW = 0.5
"""An answer less probable than this is more likely wrong than right."""
_DIGITS = 6
_STEP_DIGITS = 4
_MOST_ROWS = 3
_LONGEST_TEXT = 30


@dataclass(frozen=True)
class Candidate:
    """A cell that may be the answer, or the finding that the tables hold none (all but probability None).

    Attributes:
        value: the cell: a number, a date or text.
        text: the cell as its source spells it.
        row: counts data rows from 0.
        field: the name of its field.
        probability: how probable it is that this cell is the answer.
        table: what its table is called.
    """

    value: Value | None
    text: str | None
    row: int | None
    field: str | None
    probability: float
    table: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The candidate as an object of the command line's JSON."""
        return {
            "answer": self.text,
            "table": self.table,
            "row": self.row,
            "field": self.field,
            "probability": round(self.probability, _DIGITS),
        }


@dataclass(frozen=True)
class Answer:
    """The answer to one question about one table, or about several together.

    Attributes:
        question: the question as it was asked.
        ranked: the most probable candidates, most probable first; the first of them is the answer.
        model: the name of the model that answered.
        tables: the tables it was asked of; those whose names are alike have a number in it.
        names: what they are called: their files' names without the suffix, numbered where two are alike.
        traces: what each executor read and marked in each table.
        links: the fields by which the tables are linked, the strongest first.
        looks: for each executor, by pairs of tables, which rows of the one looked at which of the other.
        program: the steps of the program that led to it, where the model is a baseline that writes one.
    """

    question: str
    ranked: tuple[Candidate, ...]
    model: str
    tables: tuple[Table, ...] = dataclasses.field(repr=False, compare=False)
    names: tuple[str, ...]
    traces: tuple[Trace, ...] = dataclasses.field(repr=False, compare=False)
    links: tuple[Link, ...] = ()
    looks: tuple[Mapping[tuple[int, int], "Looks"], ...] = dataclasses.field(
        default=(), repr=False, compare=False
    )
    program: tuple[str, ...] = ()

    @property
    def value(self) -> Value | None:
        """The answer: a number, a date or text; None where the tables cannot answer the question."""
        return self.ranked[0].value

    @property
    def text(self) -> str | None:
        """The answer as its source spells it, such as "$1,200" where the value is 1200."""
        return self.ranked[0].text

    @property
    def row(self) -> int | None:
        """The row of the answer; data rows count from 0."""
        return self.ranked[0].row

    @property
    def field(self) -> str | None:
        """The name of the answer's field."""
        return self.ranked[0].field

    @property
    def confidence(self) -> float:
        """How probable the answer is, from 0 to 1."""
        return self.ranked[0].probability

    @property
    def is_unsure(self) -> bool:
        """Whether the answer is more likely wrong than right."""
        return self.confidence < UNSURE_BELOW

    @property
    def table_name(self) -> str | None:
        """What the table that holds the answer is called; None where none does."""
        return self.ranked[0].table

    @property
    def table(self) -> Table:
        """The table that holds the answer, or the first."""
        return self.tables[self._place]

    @property
    def trace(self) -> Trace:
        """What each executor read and marked in that table."""
        return self.traces[self._place]

    @property
    def _place(self) -> int:
        return 0 if self.table_name is None else self.names.index(self.table_name)

    @property
    def is_linked(self) -> bool:
        """Whether the question has one table, or anything was found that links any two of its tables."""
        looked = any(len(one.rows) for step in self.looks for one in step.values())
        return len(self.tables) == 1 or bool(self.links) or looked

    @property
    def told_as_none(self) -> str:
        """What people are told where nothing answers."""
        return "not in this table" if len(self.tables) == 1 else "not in these tables"

    def __str__(self) -> str:
        return self.told_as_none if self.text is None else self.text

    @property
    def cells(self) -> tuple[tuple[int, str], ...]:
        """The cells (row, field) that the answer is made of: one, or none."""
        return () if self.row is None or self.field is None else ((self.row, self.field),)

    @property
    def answer_looks(self) -> list[Look]:
        """What the answer's row looked at in other tables, in the last step in which it looked at any."""
        if self.row is None:
            return []
        executors = range(len(self.looks), 0, -1)
        steps = (self.looks_of(executor, self._place, [self.row]) for executor in executors)
        return next(filter(None, steps), [])

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
            name = cut(self.names[other], _LONGEST_TEXT)
            told.append(f"row {row + 1:,} looked at {rows_told(rows, _MOST_ROWS)} of {name}{shown}")
        return told

    @property
    def answer_looks_told(self) -> list[str]:
        """The looks of the answer's row in words."""
        return self.looks_told(self._place, self.answer_looks)

    def _linking_value(self, one: tuple[int, int], other: tuple[int, int]) -> str | None:
        """What rows of two tables have in common, in the fields that link these most; None where unlike."""
        wanted = self.names[one[0]], self.names[other[0]]
        link = next((link for link in self.links if sorted(link.tables) == sorted(wanted)), None)
        if link is None:
            return None
        texts = []
        for k, row in (one, other):
            field = link.fields[link.tables.index(self.names[k])]
            texts.append(self.tables[k].text(row, self.tables[k].field_index(field)))
        return texts[0] if texts[0].casefold() == texts[1].casefold() else None

    def to_json(self, steps: bool = True) -> dict[str, Any]:
        """The answer as the command line's JSON object.

        Args:
            steps: Whether to say what the executors did: two lists for each, as long as the table's rows.
        """
        content: dict[str, Any] = {
            "question": self.question,
            "answer": self.text,
            "table": self.table_name,
            "row": self.row,
            "field": self.field,
            "confidence": round(self.confidence, _DIGITS),
            "aggregation": "none",
            "cells": [{"table": self.table_name, "row": row, "field": name} for row, name in self.cells],
            "ranked": [candidate.to_json() for candidate in self.ranked],
            "tables": list(self.names),
            "links": [link.to_json() for link in self.links],
        }
        if steps:
            content["steps"] = [
                self.step_json(executor, k)
                for executor in range(1, len(self.traces[0].field_weights) + 1)
                for k in range(len(self.tables))
            ]
        if self.program:
            content["program"] = list(self.program)
        return content | {"model": self.model}

    def step_json(self, executor: int, table: int, rows: bool = True) -> dict[str, Any]:
        """One executor's work in one table, with the marks of all rows or without; executors count from 1."""
        trace = self.traces[table]
        weights = trace.field_weights[executor - 1].astype(float)
        content: dict[str, Any] = {
            "executor": executor,
            "table": self.names[table],
            "fields": dict(zip(trace.fields, np.round(weights, _STEP_DIGITS).tolist(), strict=True)),
        }
        if rows:
            content["rows"] = np.round(trace.row_marks[executor - 1].astype(float), _STEP_DIGITS).tolist()
        if len(self.tables) > 1:
            content["looked_at"] = [
                {
                    "row": look.row,
                    "table": self.names[look.table],
                    "other_row": look.other_row,
                    "weight": round(look.weight, _STEP_DIGITS),
                }
                for look in self.looks_of(executor, table)
            ]
        return content

    def plot(self, path: str | os.PathLike[str] | None = None, width: float | None = None) -> "Figure":
        """Draws the steps that led to the answer, one table below the other.

        Args:
            path: where to write the picture, if anywhere; the suffix says as what: .png, .svg or .pdf.
            width: in inches, such as 3.3 for one column of a printed page; otherwise what the tables need.

        Returns:
            The figure of matplotlib, which notebooks show.

        Raises:
            FigureError: where the suffix is another, or nothing can be drawn in that width.
        """
        from neural_enquirer import visualization  # and matplotlib, only for those who want a picture

        panels = []
        for k, (name, table, trace) in enumerate(zip(self.names, self.tables, self.traces, strict=True)):
            holds = k == self._place and self.row is not None and self.field is not None
            cell = (self.row or 0, table.field_index(self.field or "")) if holds else None
            panels.append(visualization.Panel(table, trace, cell, name if len(self.tables) > 1 else ""))
        note = "; ".join(f"linked {link}" for link in self.links[:1])
        if looked := self.answer_looks_told:
            note += f"; in {self.table_name}, {listed(looked)}"
        caption = visualization.Caption(self.question, str(self), self.confidence, self.is_unsure, note)
        if path is None:
            return visualization.figure_of(panels, caption, width)
        return visualization.draw(path, panels, caption, width)


def of_prediction(
    tables: Sequence[Table], question: str, prediction: "Prediction", model: str, top: int
) -> Answer:
    """Puts a model's probabilities in words: the tables and cells that they belong to."""
    names = names_of(tables)
    called = tuple(_called(table, name) for table, name in zip(tables, names, strict=True))
    candidates = [Candidate(None, None, None, None, float(prediction.none_probability))]
    for name, table, own in zip(names, called, prediction.tables, strict=True):
        candidates += _likeliest(table, name, own, top)
    candidates.sort(key=lambda candidate: -candidate.probability)
    # A cell never comes up with nothing: that would be a missing one.
    possible = [candidate for candidate in candidates[1:] if candidate.probability > 0]
    return Answer(
        question,
        (candidates[0], *possible)[:top],
        model,
        called,
        names,
        _traces(called, prediction.tables),
        tuple(_link(called, names, link) for link in prediction.links),
        prediction.looks,
        prediction.program,
    )


def names_of(tables: Sequence[Table]) -> tuple[str, ...]:
    """What to call tables: by their files without the suffix where that tells them apart."""
    short = [PurePath(table.name).stem or table.name for table in tables]
    names = short if len(set(short)) == len(short) else [table.name for table in tables]
    if len(set(names)) < len(names):
        names = [f"{name} {number}" for number, name in enumerate(names, start=1)]
    return tuple(names)


def _called(table: Table, name: str) -> Table:
    """The table, under the name that tells it from others where its own does not."""
    is_known = name in (table.name, PurePath(table.name).stem)
    return table if is_known else dataclasses.replace(table, name=name)


def _traces(tables: Sequence[Table], predicted: Sequence["TablePrediction"]) -> tuple[Trace, ...]:
    """What was read and marked in each table; the answer weights of all tables sum to one."""
    sums = [np.asarray(own.probabilities).sum(axis=0, dtype=np.float32) for own in predicted]
    total = np.float32(max(sum(float(own.sum()) for own in sums), 1e-12))
    return tuple(
        Trace(table.field_names, own.field_weights, own.row_marks, weights / total)
        for table, own, weights in zip(tables, predicted, sums, strict=True)
    )


def _link(tables: Sequence[Table], names: Sequence[str], link: "FieldLink") -> Link:
    (one, other), (field, other_field) = link.tables, link.fields
    fields = tables[one].fields[field].name, tables[other].fields[other_field].name
    return Link((names[one], names[other]), fields, link.weight)


def _likeliest(
    table: Table, table_name: str, prediction: "TablePrediction", count: int
) -> Iterable[Candidate]:
    flat = np.asarray(prediction.probabilities).reshape(-1)
    # Not the partition itself: of equally probable cells, the first ones count, however many are wanted.
    least = np.partition(flat, -count)[-count] if count < flat.size else 0
    enough = np.flatnonzero(flat >= least)
    for place in enough[np.argsort(-flat[enough], kind="stable")][:count].tolist():
        row, column = divmod(place, len(table.fields))
        value = table.columns[column][row]
        if value is not None:
            name = table.fields[column].name
            yield Candidate(value, table.text(row, column), row, name, float(flat[place]), table_name)
