"""Answers over two sets of rows: differences, ratios, and whether one has more than the other."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration.asked import as_bits
from neural_enquirer.programs.enumeration.columns import as_matrix
from neural_enquirer.programs.enumeration.space import TOLERANCE, Hit, Space, hit, hits
from neural_enquirer.programs.enumeration.ways import Node
from neural_enquirer.programs.language import Aggregation, Comparison, Operation
from neural_enquirer.tables import FieldType

_MOST_SINGLE: Final = 40
_MOST_SETS: Final = 40
_COMPARISONS: Final = (Comparison.MORE, Comparison.LESS, Comparison.EQUAL)

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Value:
    """One value of each of some sets of rows: a cell of a term, or what is made of all of them."""

    aggregation: Aggregation | None
    term: lang.Term | None
    kind: FieldType
    nodes: Sequence[Node]
    values: Numbers
    moments: Numbers
    """The same, but dates with their time of day."""

    @property
    def cost(self) -> int:
        """What it costs, besides the rows."""
        return 1 if self.aggregation in (None, Aggregation.COUNT) else 2

    @property
    def shape(self) -> str:
        """What it does."""
        return "cells" if self.aggregation is None else self.aggregation.value

    def of(self, rows: lang.Rows | lang.Constant) -> lang.Single:
        """The part of a program that gives the value for some rows; a constant is one by itself."""
        if isinstance(rows, lang.Constant):
            return rows
        if self.aggregation is None:
            assert self.term is not None
            return lang.Cells((self.term,), rows)
        return lang.Aggregate(self.aggregation, self.term, rows)


def combinations(space: Space, number: float) -> Iterator[Hit]:
    """Two values taken together that are the wanted number."""
    named = space.sets.candidates.operations
    for value in _values(space):
        yield from _differences(value, number)
        if value.kind is FieldType.NUMBER:
            yield from _from_constants(space, value, number)
            for operation in (Operation.RATIO, Operation.PERCENTAGE):
                if operation in named:
                    yield from _ratios(value, operation, number)


def truths(space: Space, truth: bool) -> Iterator[Hit]:
    """Questions to be answered with yes or no that have the wanted answer."""
    yield hit((_found_or_not(space, truth),), lang.Exists, 1, "exists")
    for value in _values(space):
        left, right = value.moments[:, None], value.moments[None, :]
        known = ~np.isnan(left) & ~np.isnan(right)
        for comparison in _COMPARISONS:
            good = known & (comparison.test(left, right) == truth)
            make = partial(_holds, value, comparison)
            yield from _pairs(value, good, make, f"holds {value.shape}")
        if value.kind is FieldType.NUMBER:
            yield from _than_constants(space, value, truth)


def _found_or_not(space: Space, truth: bool) -> Node:
    """What the question says that some row fulfils, or two things of it that none does together."""
    node = Node(0)
    said = [each for each in space.sets.filters if each.words]
    for each in said if truth else ():
        node.add_leaf(space.sets.where(each.condition, each.cost, each.words, each.shape))
    for one, other in itertools.combinations(said[:_MOST_SETS], 2):
        if not one.words & other.words and bool(one.mask & other.mask) is truth:
            condition = lang.And((one.condition, other.condition))
            cost, words = one.cost + other.cost, one.words | other.words
            node.add_leaf(space.sets.where(condition, cost, words, f"{one.shape} and {other.shape}"))
    return node


def _values(space: Space) -> Iterator[_Value]:
    """Cells of single rows; counts and sums of sets of several."""
    single = space.sets.singled[:_MOST_SINGLE]
    rows = [node.mask.bit_length() - 1 for node in single]
    for column in space.columns.ranked:
        yield _Value(None, column.term, column.kind, single, column.numbers[rows], column.moments[rows])
    nodes = space.sets.filtered[:_MOST_SETS]
    if len(nodes) < 2:
        return
    matrix = as_matrix([node.mask for node in nodes], space.columns.count)
    counts = matrix.sum(axis=1).astype(np.float64)
    yield _Value(Aggregation.COUNT, None, FieldType.NUMBER, nodes, counts, counts)
    for column in space.columns.added:
        there = matrix[:, ~np.isnan(column.numbers)].sum(axis=1)
        sums = np.where(there > 1, matrix @ np.nan_to_num(column.numbers), np.nan)
        yield _Value(Aggregation.SUM, column.term, FieldType.NUMBER, nodes, sums, sums)
        if Aggregation.AVERAGE in space.sets.candidates.operations:
            averages = sums / np.maximum(there, 1)
            yield _Value(Aggregation.AVERAGE, column.term, FieldType.NUMBER, nodes, averages, averages)


def _differences(value: _Value, number: float) -> Iterator[Hit]:
    apart = value.values[:, None] - value.values[None, :]
    good = np.abs(apart - number) < TOLERANCE
    for operation in (Operation.DIFFERENCE, Operation.DISTANCE)[: 1 if number < 0 else 2]:
        make = partial(_combination, operation, value)
        yield from _pairs(value, good, make, f"{operation.value} {value.shape}")


def _ratios(value: _Value, operation: Operation, number: float) -> Iterator[Hit]:
    factor = 100 if operation is Operation.PERCENTAGE else 1
    below = np.where(value.values == 0, np.nan, value.values)
    good = np.abs(factor * value.values[:, None] / below[None, :] - number) < TOLERANCE
    make = partial(_combination, operation, value)
    yield from _pairs(value, good, make, f"{operation.value} {value.shape}")


def _pairs(
    value: _Value, good: npt.NDArray[np.bool_], make: partial[lang.Program], shape: str
) -> Iterator[Hit]:
    for left, right in zip(*(places.tolist() for places in np.nonzero(good)), strict=True):
        if left != right:
            yield hit((value.nodes[left], value.nodes[right]), make, 1 + 2 * value.cost, shape)


def _from_constants(space: Space, value: _Value, number: float) -> Iterator[Hit]:
    """How far values are from a number of the question."""
    for other in space.sets.candidates.numbers:
        good = np.abs(np.abs(value.values - other.value) - number) < TOLERANCE
        make = partial(_combination, Operation.DISTANCE, value, right=lang.Constant(other.value))
        shape = f"from {value.shape}"
        yield from hits(value.nodes, good, make, value.cost + 1, shape, as_bits(other.words))


def _than_constants(space: Space, value: _Value, truth: bool) -> Iterator[Hit]:
    """How values compare with a number of the question."""
    for other in space.sets.candidates.numbers:
        for comparison in _COMPARISONS:
            good = ~np.isnan(value.values) & (comparison.test(value.values, other.value) == truth)
            make = partial(_holds, value, comparison, right=lang.Constant(other.value))
            shape = f"holds {value.shape} with a number"
            yield from hits(value.nodes, good, make, value.cost, shape, as_bits(other.words))


def _combination(
    operation: Operation, value: _Value, left: lang.Rows, right: lang.Rows | lang.Constant
) -> lang.Program:
    return lang.Combination(operation, value.of(left), value.of(right))


def _holds(
    value: _Value, comparison: Comparison, left: lang.Rows, right: lang.Rows | lang.Constant
) -> lang.Program:
    return lang.Holds(value.of(left), comparison, value.of(right))
