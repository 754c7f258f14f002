"""Answers: a cell of the table, how sure the model is, what else it considered, and how it got there."""

import dataclasses
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from neural_enquirer.explanation import Trace
from neural_enquirer.tables import Table
from neural_enquirer.tables.cell_types import Value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from neural_enquirer.prediction import Prediction

UNSURE_BELOW = 0.5
"""An answer less probable than this is more likely wrong than right."""
_DIGITS = 6


@dataclass(frozen=True)
class Candidate:
    """A cell that may be the answer, or the finding that the table holds none (all but probability None).

    Attributes:
        value: the cell: a number, a date or text.
        text: the cell as its source spells it.
        row: counts data rows from 0.
        field: the name of its field.
        probability: how probable it is that this cell is the answer.
        table: where several tables were asked, what the cell's own is called.
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
            "row": self.row,
            "field": self.field,
            "probability": round(self.probability, _DIGITS),
        }


@dataclass(frozen=True)
class Answer:
    """The answer to one question about one table.

    Attributes:
        question: the question as it was asked.
        ranked: the most probable candidates, most probable first; the first of them is the answer.
        trace: what each executor read and marked.
        model: the name of the model that answered.
        table: the table it was asked of.
        program: the steps of the program that led to it, where the model is a baseline that writes one.
    """

    question: str
    ranked: tuple[Candidate, ...]
    trace: Trace = dataclasses.field(repr=False, compare=False)
    model: str
    table: Table = dataclasses.field(repr=False, compare=False)
    program: tuple[str, ...] = ()

    @property
    def value(self) -> Value | None:
        """The answer: a number, a date or text; None where the table cannot answer the question."""
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
    def told_as_none(self) -> str:
        """What people are told where nothing answers."""
        return "not in this table"

    def __str__(self) -> str:
        return self.told_as_none if self.text is None else self.text

    @property
    def cells(self) -> tuple[tuple[int, str], ...]:
        """The cells (row, field) that the answer is made of: one, or none."""
        return () if self.row is None or self.field is None else ((self.row, self.field),)

    def to_json(self, steps: bool = True) -> dict[str, Any]:
        """The answer as the command line's JSON object.

        Args:
            steps: Whether to say what the executors did: two lists for each, as long as the table's rows.
        """
        content: dict[str, Any] = {
            "question": self.question,
            "answer": self.text,
            "row": self.row,
            "field": self.field,
            "confidence": round(self.confidence, _DIGITS),
            "aggregation": "none",
            "cells": [{"row": row, "field": name} for row, name in self.cells],
            "ranked": [candidate.to_json() for candidate in self.ranked],
        }
        if steps:
            content["steps"] = _steps_json(self.trace)
        if self.program:
            content["program"] = list(self.program)
        return content | {"model": self.model}

    def plot(self, path: str | os.PathLike[str] | None = None, width: float | None = None) -> "Figure":
        """Draws the steps that led to the answer.

        Args:
            path: where to write the picture, if anywhere; the suffix says as what: .png, .svg or .pdf.
            width: in inches, such as 3.3 for one column of a printed page; otherwise what the table needs.

        Returns:
            The figure of matplotlib, which notebooks show.

        Raises:
            FigureError: where the suffix is another, or nothing can be drawn in that width.
        """
        from neural_enquirer import visualization  # and matplotlib, only for those who want a picture

        first = self.ranked[0]
        cell = None
        if first.row is not None and first.field is not None:
            cell = (first.row, self.table.field_index(first.field))
        caption = visualization.Caption(self.question, str(self), cell, self.confidence, self.is_unsure)
        if path is None:
            return visualization.figure_of(self.table, self.trace, caption, width)
        return visualization.draw(path, self.table, self.trace, caption, width)


def of_prediction(table: Table, question: str, prediction: "Prediction", model: str, top: int) -> Answer:
    """Puts a model's probabilities in words: the cells that they belong to."""
    by_field = np.asarray(prediction.probabilities).sum(axis=0, dtype=np.float32)
    weights = by_field / max(float(by_field.sum()), 1e-12)
    trace = Trace(table.field_names, prediction.field_weights, prediction.row_marks, weights)
    candidates = [Candidate(None, None, None, None, float(prediction.none_probability))]
    candidates += _likeliest(table, prediction, top)
    candidates.sort(key=lambda candidate: -candidate.probability)
    # A cell never comes up with nothing: that would be a missing one.
    possible = [candidate for candidate in candidates[1:] if candidate.probability > 0]
    return Answer(question, (candidates[0], *possible)[:top], trace, model, table, program=prediction.program)


def _likeliest(table: Table, prediction: "Prediction", count: int) -> Iterable[Candidate]:
    flat = np.asarray(prediction.probabilities).reshape(-1)
    # Not the partition itself: of equally probable cells, the first ones count, however many are wanted.
    least = np.partition(flat, -count)[-count] if count < flat.size else 0
    enough = np.flatnonzero(flat >= least)
    for place in enough[np.argsort(-flat[enough], kind="stable")][:count].tolist():
        row, column = divmod(place, len(table.fields))
        value = table.columns[column][row]
        if value is not None:
            name = table.fields[column].name
            yield Candidate(value, table.text(row, column), row, name, float(flat[place]))


def _steps_json(trace: Trace) -> list[dict[str, Any]]:
    return [
        {
            "executor": index + 1,
            "fields": dict(zip(trace.fields, np.round(weights.astype(float), 4).tolist(), strict=True)),
            "rows": np.round(marks.astype(float), 4).tolist(),
        }
        for index, (weights, marks) in enumerate(zip(trace.field_weights, trace.row_marks, strict=True))
    ]
