"""Answers over groups of rows: the most common, the one with the largest sum, those of more than n rows."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration.asked import as_bits
from neural_enquirer.programs.enumeration.columns import Column
from neural_enquirer.programs.enumeration.space import ANOTHER, TOLERANCE, Hit, Space, hits
from neural_enquirer.programs.language import Aggregation, Comparison, Direction
from neural_enquirer.tables import spelling

_MOST_GROUPS: Final = 400
_COMPARISONS: Final = (
    *(Comparison.EQUAL, Comparison.MORE, Comparison.LESS),
    *(Comparison.AT_LEAST, Comparison.AT_MOST),
)

Numbers = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
_Narrowed = Callable[[lang.Rows], lang.Rows]
"""Some of the groups."""


class _Measured(NamedTuple):
    """What is measured of the groups of each simple set; NaN where a set has no row of a group."""

    by: lang.Term
    aggregation: Aggregation
    term: lang.Term | None
    values: Numbers
    cost: int

    def groups(self, rows: lang.Rows) -> lang.Rows:
        return lang.All(lang.Groups(self.by, self.aggregation, self.term, rows))

    def cells(self, some: _Narrowed, rows: lang.Rows) -> lang.Program:
        return lang.Cells((self.by,), some(self.groups(rows)))

    def counted(self, some: _Narrowed, rows: lang.Rows) -> lang.Program:
        return lang.Aggregate(Aggregation.COUNT, None, some(self.groups(rows)))

    def of_measures(self, aggregation: Aggregation, rows: lang.Rows) -> lang.Program:
        return lang.Aggregate(aggregation, lang.Measure(), self.groups(rows))


def group_answers(space: Space) -> Iterator[Hit]:
    """Groups that are the wanted answer."""
    for column in space.columns.grouping:
        places = space.places([space.wanted.key(spelling(value)) for value in column.rows_by_value])
        if not space.has_all(places):
            continue
        for measured in _measures(space, column):
            yield from _extremes(space, measured, places)
            if measured.aggregation is Aggregation.COUNT:
                yield from _having(space, measured, places)


def group_numbers(space: Space, number: float) -> Iterator[Hit]:
    """Measures of groups, and numbers of groups, that are the wanted number."""
    for column in space.columns.grouping:
        for measured in _measures(space, column):
            if measured.aggregation is Aggregation.COUNT:
                yield from _of_measures(space, measured, number)
                yield from _having_count(space, measured, number)


def _measures(space: Space, column: Column) -> Iterator[_Measured]:
    """Counts, sums and averages by the values of a column."""
    if not space.simple or not 1 < len(column.rows_by_value) < min(_MOST_GROUPS, column.present.bit_count()):
        return
    matrix = space.simple_matrix
    counts = (matrix @ column.groups).astype(np.float64)
    if counts.max() < 2:
        return
    gone = counts == 0
    counts[gone] = np.nan
    strange = space.sets.strange
    yield _Measured(column.term, Aggregation.COUNT, None, counts, 2 + strange[column])
    averages = Aggregation.AVERAGE in space.sets.candidates.operations
    for other in space.columns.added:
        if other is column:
            continue
        present = ~np.isnan(other.numbers)
        amounts = np.where(present, other.numbers, 0)[:, None] * column.groups
        sums = np.round(matrix @ amounts, 6)
        there = matrix @ (present[:, None] * column.groups)
        sums[there == 0] = np.nan
        cost = 3 + strange[column] + strange[other]
        yield _Measured(column.term, Aggregation.SUM, other.term, sums, cost)
        if averages:
            means = np.round(sums / np.maximum(there, 1), 9)
            yield _Measured(column.term, Aggregation.AVERAGE, other.term, means, cost)


def _extremes(space: Space, measured: _Measured, places: npt.NDArray[np.int64]) -> Iterator[Hit]:
    """The groups at either end, the n-th from it, and n of them."""
    for direction, sign in ((Direction.LARGEST, -1.0), (Direction.SMALLEST, 1.0)):
        values = sign * measured.values
        ordered = np.sort(values, axis=1)  # NaN comes last
        several = ~np.isnan(ordered[:, 1])
        for n, words in ((1, 0), *_whole_numbers(space, values.shape[1])):
            bound = ordered[:, n - 1, None]
            good = several & _are_wanted(space, values == bound, places)
            make = partial(measured.cells, partial(lang.Extreme, direction, lang.Measure(), nth=n))
            yield from hits(space.simple, good, make, measured.cost, "group", words)
            if n > 1:
                good = several & _are_wanted(space, values <= bound, places)
                make = partial(measured.cells, partial(lang.Extreme, direction, lang.Measure(), count=n))
                yield from hits(space.simple, good, make, measured.cost, "groups", words)


def _of_measures(space: Space, measured: _Measured, number: float) -> Iterator[Hit]:
    """The largest, smallest or average measure."""
    functions: dict[Aggregation, Any] = {Aggregation.MAXIMUM: np.nanmax, Aggregation.MINIMUM: np.nanmin}
    if Aggregation.AVERAGE in space.sets.candidates.operations:
        functions[Aggregation.AVERAGE] = np.nanmean
    groups = (~np.isnan(measured.values)).sum(axis=1)
    some = np.flatnonzero(groups > 1)
    for aggregation, function in functions.items():
        good = np.zeros(len(groups), dtype=np.bool_)
        good[some] = np.abs(function(measured.values[some], axis=1) - number) < TOLERANCE
        make = partial(measured.of_measures, aggregation)
        yield from hits(space.simple, good, make, measured.cost + 1, "measure")


def _having(space: Space, measured: _Measured, places: npt.NDArray[np.int64]) -> Iterator[Hit]:
    """The groups whose measure compares so with a number."""
    for number, words in _numbers(space):
        for comparison in _COMPARISONS:
            good = _are_wanted(space, comparison.test(measured.values, number), places)
            make = partial(measured.cells, _compared(comparison, number))
            yield from hits(space.simple, good, make, measured.cost + 1 - bool(words), "having", words)


def _having_count(space: Space, measured: _Measured, wanted: float) -> Iterator[Hit]:
    """How many groups have a measure that compares so with a number."""
    groups = (~np.isnan(measured.values)).sum(axis=1)
    for number, words in _numbers(space):
        for comparison in _COMPARISONS:
            found = comparison.test(measured.values, number).sum(axis=1)
            good = (found == wanted) & (found < groups) & (found > 0)
            make = partial(measured.counted, _compared(comparison, number))
            yield from hits(space.simple, good, make, measured.cost + 1 - bool(words), "count having", words)


def _numbers(space: Space) -> Iterator[tuple[int | float, int]]:
    """What numbers of rows are compared with: one ("more than once"), or a number of the question."""
    yield 1, 0
    for number in space.sets.candidates.numbers:
        if number.value != 1:
            yield number.value, as_bits(number.words)


def _whole_numbers(space: Space, most: int) -> Iterator[tuple[int, int]]:
    for number in space.sets.candidates.numbers:
        if isinstance(number.value, int) and 1 < number.value <= most:
            yield number.value, as_bits(number.words)


def _are_wanted(space: Space, chosen: Truths, places: npt.NDArray[np.int64]) -> Truths:
    """The simple sets whose chosen groups are the wanted answer."""
    good: Truths = ~(chosen & (places == ANOTHER)).any(axis=1)
    for place, key in enumerate(space.keys):
        found = (chosen & (places == place)).sum(axis=1)
        good &= found == space.wanted.counts[key] if space.wanted.counted else found > 0
    return good


def _compared(comparison: Comparison, number: int | float) -> _Narrowed:
    """Those groups whose measure compares so with a number."""
    condition = lang.Compare(lang.Measure(), comparison, lang.Constant(number))
    return partial(lang.Where, condition=condition)
