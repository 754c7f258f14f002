"""Picks rows by their values or by their order: superlatives, neighbours, the first of each value."""

from collections.abc import Sequence
from typing import assert_never

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import Direction, Step
from neural_enquirer.tables.arrays import Column, Index, Mask


def extreme(column: Column, direction: Direction, nth: int, count: int) -> Index:
    """The places with the greatest or least values, and all that tie with them."""
    there = column.present.nonzero()[0]
    keys = column.keys[there]
    if nth > len(there):
        return there[:0]
    largest = direction is Direction.LARGEST
    ties: Mask
    if nth == count == 1:
        ties = keys == (keys.max() if largest else keys.min())
        return there[ties]
    last = min(max(nth, count), len(there))
    place = len(there) - last if largest else last - 1
    bound = np.partition(keys, place)[place]
    if nth > 1:
        ties = keys == bound
        return there[ties]
    chosen = there[keys >= bound if largest else keys <= bound]
    ranks = column.take(chosen).codes * (-1 if largest else 1)
    return np.take(chosen, np.argsort(ranks, kind="stable"))


def at_end(index: Index, direction: Direction, nth: int, count: int) -> Index:
    """The first or last rows in the order of the table."""
    ordered = np.sort(index)
    if direction is Direction.SMALLEST:
        return ordered[nth - 1 : max(nth, count)]
    return ordered[::-1][nth - 1 : max(nth, count)][::-1]


def beside(step: Step, index: Index, count: int) -> Index:
    """The rows beside others in the order of the table."""
    everything = np.arange(count)
    if not len(index):
        return everything[:0]
    match step:
        case Step.NEXT:
            return np.intersect1d(index + 1, everything)
        case Step.PREVIOUS:
            return np.intersect1d(index - 1, everything)
        case Step.AFTER:
            return everything[index.max() + 1 :]
        case Step.BEFORE:
            return everything[: index.min()]
    assert_never(step)


def groups_of(by: Column) -> tuple[Index, npt.NDArray[np.int64]]:
    """Where each value comes first, in order, and the number of each row's value; -1 where it is missing."""
    there = np.flatnonzero(by.present)
    codes = by.codes[there]
    first = np.full(codes.max(initial=-1) + 1, -1)
    first[codes[::-1]] = there[::-1]
    used = np.flatnonzero(first >= 0)
    order = used[np.argsort(first[used], kind="stable")]
    numbers = np.full(len(first), -1, dtype=np.int64)
    numbers[order] = np.arange(len(order))
    group = np.full(len(by), -1, dtype=np.int64)
    group[there] = numbers[codes]
    return first[order], group


def first_of_each(columns: Sequence[Column], there: Mask) -> Mask:
    """The rows, among some, whose values no row before them has."""
    rows = there.nonzero()[0]
    codes = columns[0].codes[rows]
    if len(columns) > 1:
        several = np.stack([column.codes[rows] for column in columns], axis=1)
        codes = np.unique(several, axis=0, return_inverse=True)[1].reshape(-1)
    first = np.full(codes.max(initial=-1) + 1, -1)
    first[codes[::-1]] = rows[::-1]
    chosen = np.zeros(len(there), dtype=np.bool_)
    chosen[first[first >= 0]] = True
    return chosen
