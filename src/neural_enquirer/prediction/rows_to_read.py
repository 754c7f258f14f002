"""Rows to read: which rows of a very long table the cascade looks at.

What it finds depends on the rows that the question mentions, on those at the ends of some order, among all
rows or among those that fulfil a condition, and on what the others are like. So these are read, and of the
others some from the first to the last; programs still run over all rows.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.linking import EQUAL, LESS, MORE
from neural_enquirer.encoding.open import LinkedTable, OpenQuestion
from neural_enquirer.prediction.cells import Prediction, TablePrediction

MOST_READ = 4096
"""Of a longer table, so many rows are read."""
_AT_EACH_END = 12
_MOST_CONDITIONS = 32

Rows = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


def rows_to_read(question: OpenQuestion) -> Rows | None:
    """Which rows of a question's table are read, in their order; None for all, or where it has several."""
    if len(question.tables) > 1 or question.tables[0].index.shape[0] <= MOST_READ:
        return None
    table = question.tables[0]
    chosen = np.zeros(table.index.shape[0], np.bool_)
    chosen[_ends(table)] = True
    met = (table.links.cell_mentions > 0).any(axis=1) | (table.links.relations == EQUAL).any(axis=(0, 2))
    chosen[_evenly(np.flatnonzero(met & ~chosen), MOST_READ // 2)] = True
    chosen[_evenly(np.flatnonzero(~chosen), MOST_READ - int(chosen.sum()))] = True
    return np.flatnonzero(chosen)


def spread_over(prediction: Prediction, rows: Rows, count: int) -> Prediction:
    """The prediction for a table of so many rows, of which some were read; the others have no part in it."""
    (own,) = prediction.tables
    probabilities = np.zeros((count, own.probabilities.shape[1]), np.float32)
    probabilities[rows] = own.probabilities
    marks = np.zeros((len(own.row_marks), count), np.float32)
    marks[:, rows] = own.row_marks
    return replace(prediction, tables=(TablePrediction(probabilities, own.field_weights, marks),))


def _ends(table: LinkedTable) -> Rows:
    """The rows with the least and greatest values of each field, among those that fulfil each condition."""
    orders = table.index.orders.values()
    found = []
    for condition, order in product(_conditions(table), orders):
        fulfilling = order if condition is None else order[condition[order]]
        found += [fulfilling[:_AT_EACH_END], fulfilling[-_AT_EACH_END:]]
    return np.concatenate(found) if found else np.zeros(0, np.intp)


def _conditions(table: LinkedTable) -> list[Mask | None]:
    """The conditions that a question may set: none, a mention, a side of a quantity, or one of either."""
    rows = table.index.shape[0]
    named = list(_mentioned(table, rows))
    sides = list(_sides(table))
    both = [one & other for one, other in product(named, sides)]
    several = [one & other for place, one in enumerate(named) for other in named[:place]]
    return [None, *named, *sides, *several, *both][:_MOST_CONDITIONS]


def _mentioned(table: LinkedTable, rows: int) -> Iterator[Mask]:
    for cells in table.links.mentioned:
        mask = np.zeros(rows, np.bool_)
        for _, own in cells:
            mask[own] = True
        if mask.any():
            yield mask


def _sides(table: LinkedTable) -> Iterator[Mask]:
    for relations, lies in zip(table.links.relations, table.links.quantity_fields, strict=True):
        for field in np.flatnonzero(lies).tolist():
            for side in (LESS, EQUAL, MORE):
                mask = relations[:, field] == side
                if mask.any() and not mask.all():
                    yield mask


def _evenly(rows: Rows, count: int) -> Rows:
    """So many of some rows, from the first to the last; all where they are not more."""
    if len(rows) <= count:
        return rows
    return rows[np.linspace(0, len(rows) - 1, max(count, 0)).astype(np.intp)]
