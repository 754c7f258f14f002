"""Outputs: what a model says of a question, made into a prediction."""

import functools
from collections.abc import Sequence

import numpy as np

from neural_enquirer.prediction.cells import FieldLink, Prediction, TablePrediction, Tables
from neural_enquirer.runtime.cascade import Output, TableOutput
from neural_enquirer.runtime.layers import Array, Mask, softmax, sums

FAINTEST_LINK = 0.01
"""Fields that link two tables less do not link them."""
MOST_LINKS = 3
"""Of each pair of tables."""
_LEAST_DISTANCE = np.float32(0.1)
_ROWS_AT_ONCE = 8192


def prediction_of(
    output: Output, mentioned: Sequence[Mask], temperature: float, tables: Tables
) -> Prediction:
    """Makes a prediction of what a model says of a question.

    Args:
        output: what it says.
        mentioned: for each table the cells that the question mentions.
        temperature: what scores are divided by.
        tables: those of the question; outputs may have a field more, the order of rows.
    """
    none = [] if output.none_score is None else [np.array([[output.none_score]], np.float32)]
    *cells, last = shares([*(own.answer_scores for own in output.tables), *none], temperature)
    if output.none_score is None:
        cells.append(last)
    marks = _marks(output, mentioned)
    own = [
        TablePrediction(
            np.ascontiguousarray(cells[k][:, : len(table.fields)]),
            softmax(output.tables[k].field_scores)[:, : len(table.fields)],
            marks[k],
        )
        for k, table in enumerate(tables)
    ]
    refusing = 0.0 if output.none_score is None else float(last[0, 0])
    return Prediction(tuple(own), refusing, _links(output, tables), output.looks)


def shares(scores: Sequence[Array], temperature: float) -> tuple[Array, ...]:
    """The softmax over all scores together, divided by the temperature, in the shapes of the scores."""
    together = np.concatenate([own.ravel() for own in scores])
    together /= np.float32(temperature)
    parts = np.split(softmax(together), np.cumsum([own.size for own in scores])[:-1])
    return tuple(part.reshape(own.shape) for part, own in zip(parts, scores, strict=True))


def _marks(output: Output, mentioned: Sequence[Mask]) -> list[Array]:
    """Says which rows of each table each executor marked.

    It was after the answer's row and, in a table without the answer, after the rows that are linked to it.
    """
    holder = int(np.argmax([own.answer_scores.max() for own in output.tables]))
    best = [int(own.answer_scores.max(axis=1).argmax()) for own in output.tables]
    marks = []
    for k, own in enumerate(output.tables):
        wanted = np.zeros(len(own.answer_scores), np.float32)
        wanted[best[k]] = 1
        if k != holder and (holder, k) in output.links:
            strength = output.links[holder, k].rows[best[holder]]
            wanted = strength if strength.max() > 0 else wanted
        marks.append(row_marks(own, mentioned[k], wanted))
    return marks


def row_marks(output: TableOutput, mentioned: Mask, after: Array) -> Array:
    """Says which rows each executor marked: those annotated like the rows it was looking for.

    An executor that reads a field with mentioned cells looks for their rows, any other for those that it was
    `after`. The mark is 1 for an annotation equal to theirs, 0 for the one that is farthest away.
    """
    there = np.isfinite(np.maximum.reduce(output.answer_scores, axis=1))
    wanted = mentioned[:, output.field_scores.argmax(axis=1)].T.astype(np.float32)
    wanted[~wanted.any(axis=1)] = after
    distances = _distances(output.annotations, wanted / sums(wanted))
    farthest = np.maximum.reduce(distances, axis=1, where=there, initial=0, keepdims=True)
    marks = 1 - distances / np.maximum(farthest, _LEAST_DISTANCE)
    return np.asarray(np.clip(marks, 0, 1), np.float32)


def _distances(annotations: Sequence[Array], weights: Array) -> Array:
    """How far each row is from a weighted mean of rows, for each executor."""
    found, count = np.empty(weights.shape, np.float32), weights.shape[1]
    parts = [slice(start, start + _ROWS_AT_ONCE) for start in range(0, count, _ROWS_AT_ONCE)]
    means = functools.reduce(
        np.add, [np.matmul(weights[:, None, some], _part(annotations, some)) for some in parts]
    )
    for some in parts:
        apart = _part(annotations, some) - means
        np.einsum("lmk,lmk->lm", apart, apart, out=found[:, some])
    return np.sqrt(found, out=found)


def _part(annotations: Sequence[Array], some: slice) -> Array:
    """The annotations of some rows, of all executors."""
    return np.array([rows[some] for rows in annotations], np.float32)


def _links(output: Output, tables: Tables) -> tuple[FieldLink, ...]:
    """The fields that link each pair of tables: the strongest pair, and others that come close."""
    links = []
    for (k, j), link in output.links.items():
        if k < j:
            weights = link.fields[: len(tables[k].fields), : len(tables[j].fields)]
            for place in _largest(weights.ravel(), MOST_LINKS):
                fields = divmod(place, weights.shape[1])
                links.append(FieldLink((k, j), fields, float(weights[fields])))
    worth = (link for link in links if link.weight > FAINTEST_LINK)
    return tuple(sorted(worth, key=lambda link: -link.weight))


def _largest(values: Array, count: int) -> list[int]:
    """The places of the largest values, the largest first."""
    return [int(place) for place in np.argsort(-values, kind="stable")[:count]]
