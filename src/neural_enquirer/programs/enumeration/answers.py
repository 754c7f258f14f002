"""Answers over one set of rows: which cells, counts, sums and the like are the wanted answer."""

import itertools
from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.enumeration.columns import Column
from neural_enquirer.programs.enumeration.space import ANOTHER, GONE, TOLERANCE, Hit, Space, hit, hits
from neural_enquirer.programs.language import Aggregate, Aggregation, Cells, Field
from neural_enquirer.tables import FieldType

_MOST_CELLS_OF_GROUPS: Final = 4_000_000
"""Sets times rows times groups for which distinct values are counted: a few milliseconds."""

Numbers = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

_COUNT, _COUNT_DISTINCT = 1, 2
_COSTS: Final = {
    Aggregation.SUM: 1,
    Aggregation.AVERAGE: 1,
    Aggregation.MEDIAN: 1,
    Aggregation.MINIMUM: 2,
    Aggregation.MAXIMUM: 2,
    Aggregation.RANGE: 3,
}
_OF_ONE: Final = frozenset({Aggregation.SUM, Aggregation.AVERAGE, Aggregation.MINIMUM, Aggregation.MAXIMUM})
"""What may be made of one value, where the question has a word for it.

Averages and medians are only looked for where it has one.
"""


def cells(space: Space) -> Iterator[Hit]:
    """Cells that are the wanted answer."""
    derived = space.sets.ranked[len(space.columns.ranked) :]
    for column in (*space.columns.answering, *derived):
        places = space.places(column.keys(space.wanted.key))
        if not space.has_all(places):
            continue
        cost = space.sets.strange[column] + (not isinstance(column.term, Field))
        once, as_often = _coverage(space, places)
        good = as_often if space.wanted.counted else once
        yield from hits(space.listed, good, partial(Cells, (column.term,)), cost, "cells")
        if space.wanted.counted and set(space.wanted.counts.values()) == {1}:
            good = once & ~as_often & _distinct_spellings(space, column)
            make = partial(Cells, (column.term,), distinct=True)
            yield from hits(space.listed, good, make, cost + 1, "distinct")


def pairs_of_cells(space: Space) -> Iterator[Hit]:
    """Cells of two fields that are the wanted answer together."""
    if len(space.keys) < 2:
        return
    found = {column: space.places(column.keys(space.wanted.key)) for column in space.columns.fields}
    telling = [column for column, places in found.items() if places.max(initial=ANOTHER) >= 0]
    for left, right in itertools.combinations(telling, 2):
        both = np.concatenate([found[left], found[right]])
        if not space.has_all(both):
            continue
        # A row that lacks one of the cells gives neither.
        places = np.where(both == GONE, ANOTHER, both).reshape(2, -1)
        once, as_often = _coverage(space, *places)
        good = as_often if space.wanted.counted else once
        cost = 1 + space.sets.strange[left] + space.sets.strange[right]
        yield from hits(space.listed, good, partial(Cells, (left.term, right.term)), cost, "cells of two")


def _coverage(space: Space, *columns: npt.NDArray[np.int64]) -> tuple[Truths, Truths]:
    """The sets whose cells are the wanted ones: each at least once, and exactly as often."""
    others = sum((places == ANOTHER).astype(np.float32) for places in columns)
    once: Truths = space.matrix @ others == 0
    as_often = once.copy()
    for place, key in enumerate(space.keys):
        found = space.matrix @ sum((places == place).astype(np.float32) for places in columns)
        once &= found > 0
        as_often &= found == space.wanted.counts[key]
    return once, as_often


def _distinct_spellings(space: Space, column: Column) -> Truths:
    """The sets that have as many distinct values as answers are wanted."""
    found: Truths = (space.matrix @ column.groups > 0).sum(axis=1) == len(space.keys)
    return found


def counts(space: Space, number: float) -> Iterator[Hit]:
    """Counts of rows, or of distinct values, that are the wanted number."""
    make = partial(Aggregate, Aggregation.COUNT, None)
    if number <= 1:  # nobody counts what is one row anyway: of a superlative, or beside another
        for node in (space.sets.empty, *space.sets.filtered):
            if node.mask.bit_count() == number:
                yield hit((node,), make, _COUNT, "count")
        return
    yield from hits(space.listed, space.sizes == number, make, _COUNT, "count")
    large = np.flatnonzero(space.sizes > number)
    matrix = space.matrix[large]
    for column in space.columns.grouping:
        groups = column.groups
        if not number <= groups.shape[1] < column.present.bit_count():
            continue
        if matrix.size * groups.shape[1] > _MOST_CELLS_OF_GROUPS:
            continue
        good = np.zeros(len(space.distinct), dtype=np.bool_)
        good[large] = (matrix @ groups > 0).sum(axis=1) == number
        make = partial(Aggregate, Aggregation.COUNT_DISTINCT, column.term)
        cost = _COUNT_DISTINCT + space.sets.strange[column]
        yield from hits(space.listed, good, make, cost, "count distinct")


def aggregates(space: Space, number: float) -> Iterator[Hit]:
    """Sums, averages, extremes and ranges that are the wanted number."""
    named = space.sets.candidates.operations
    for column in space.sets.ranked:
        if not column.present:
            continue
        sizes, made = _aggregated(space, column)
        for aggregation, cost in _COSTS.items():
            if aggregation not in made:
                continue
            least = 1 if aggregation in named & _OF_ONE else 2
            good = (np.abs(made[aggregation] - number) < TOLERANCE) & (sizes >= least)
            make = partial(Aggregate, aggregation, column.term)
            yield from hits(space.listed, good, make, cost + space.sets.strange[column], aggregation.value)


def _aggregated(space: Space, column: Column) -> tuple[Numbers, dict[Aggregation, Numbers]]:
    """How many values of a column each set has, and what is made of them; anything where it has none."""
    present = ~np.isnan(column.numbers)
    order = np.argsort(np.where(present, column.numbers, np.inf), kind="stable")[: present.sum()]
    values, matrix = column.numbers[order], space.matrix[:, order]
    sizes = matrix.sum(axis=1)
    low = values[matrix.argmax(axis=1)]
    high = values[len(values) - 1 - matrix[:, ::-1].argmax(axis=1)]
    made = {Aggregation.RANGE: high - low}
    if column.kind is not FieldType.NUMBER:
        return sizes, made
    named = space.sets.candidates.operations
    made |= {Aggregation.MINIMUM: low, Aggregation.MAXIMUM: high, Aggregation.SUM: matrix @ values}
    if Aggregation.AVERAGE in named:
        made[Aggregation.AVERAGE] = made[Aggregation.SUM] / np.maximum(sizes, 1)
    if Aggregation.MEDIAN in named:
        ranks = matrix.cumsum(axis=1)
        middle = (np.ceil(sizes / 2), np.floor(sizes / 2) + 1)
        one, other = (values[(ranks >= rank[:, None]).argmax(axis=1)] for rank in middle)
        made[Aggregation.MEDIAN] = (one + other) / 2
    return sizes, made
