"""Which rows fulfil a condition: yes, no, or not known because a cell is missing."""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.frames import floats
from neural_enquirer.programs.language import Comparison
from neural_enquirer.tables import FieldType
from neural_enquirer.tables.arrays import Column, Exact, Mask, first_moment, microseconds, scaled, whole
from neural_enquirer.tables.measures import nearest


@dataclass(frozen=True)
class Truth:
    """The rows where a condition holds, and those where it does not; in others it is not known."""

    yes: Mask
    no: Mask

    @classmethod
    def known(cls, mask: Mask, where: Mask) -> "Truth":
        """Known in some rows only."""
        return cls(mask & where, ~mask & where)

    @classmethod
    def unknown(cls, column: Column) -> "Truth":
        """Known nowhere."""
        nowhere = np.zeros(len(column), dtype=np.bool_)
        return cls(nowhere, nowhere)

    def __and__(self, other: "Truth") -> "Truth":
        return Truth(self.yes & other.yes, self.no | other.no)

    def __or__(self, other: "Truth") -> "Truth":
        return Truth(self.yes | other.yes, self.no & other.no)

    def __invert__(self) -> "Truth":
        return Truth(self.no, self.yes)


def holds(left: Exact, comparison: Comparison, right: Exact) -> bool:
    """Whether one value compares so with another."""
    both = (first_moment(each) if isinstance(each, datetime.date) else each for each in (left, right))
    return bool(comparison.test(*both))


def compare_value(column: Column, comparison: Comparison, value: Exact) -> Truth:
    """A column compared with one value."""
    if comparison.of_text:
        fits = np.array([comparison.test(word, value) for word in column.words], dtype=np.bool_)
        return Truth.known(fits[column.keys] if len(fits) else column.present, column.present)
    key = column.key_of(value)
    if not column.is_exact:
        return Truth.known(_compare(column.keys, comparison, nearest(key)), column.present)
    return Truth.known(_compare_whole(column.keys, comparison, key), column.present)


def with_each(column: Column, comparison: Comparison, values: Sequence[Exact]) -> Truth:
    """A column compared with several values."""
    if comparison in (Comparison.EQUAL, Comparison.DIFFERS):
        found = [column.key_of(value) for value in values]
        keys = whole([key.numerator for key in found if key.denominator == 1])
        if not column.is_exact:
            keys = np.array([nearest(key) for key in found])
        equal = Truth.known(np.isin(column.keys, keys), column.present)
        return equal if comparison is Comparison.EQUAL else ~equal
    if not values:
        return Truth.unknown(column)
    bound = min if comparison in (Comparison.LESS, Comparison.AT_MOST) else max
    return compare_value(column, comparison, bound(values, key=column.key_of))


def _compare_whole(keys: Any, comparison: Comparison, key: Fraction) -> Mask:
    """Whole numbers compared with a number that need not be whole."""
    if key.denominator == 1:
        return _compare(keys, comparison, key.numerator)
    mask: Mask
    match comparison:
        case Comparison.EQUAL | Comparison.DIFFERS:
            mask = np.full(len(keys), comparison is Comparison.DIFFERS)
        case Comparison.LESS | Comparison.AT_MOST:
            mask = keys <= math.floor(key)
        case _:
            mask = keys >= math.ceil(key)
    return mask


def compare_columns(left: Column, comparison: Comparison, right: Column) -> Truth:
    """Two columns compared row by row."""
    present = left.present & right.present
    one, other = _aligned(left, right)
    return Truth.known(_compare(one, comparison, other), present)


def _aligned(left: Column, right: Column) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Keys that compare across two columns."""
    if left.type is FieldType.TEXT:
        places = {word: place for place, word in enumerate(sorted({*left.words, *right.words}))}
        return _translated(left, places), _translated(right, places)
    if left.type is FieldType.DATE:
        return microseconds(left), microseconds(right)
    if left.is_exact and right.is_exact:
        scale = max(left.scale, right.scale)
        return scaled(left, scale), scaled(right, scale)
    return floats(left), floats(right)


def _translated(column: Column, places: dict[str, int]) -> npt.NDArray[np.int64]:
    translated = np.array([places[word] for word in column.words] or [0], dtype=np.int64)
    return np.take(translated, column.keys)


def _compare(left: Any, comparison: Comparison, right: Any) -> Mask:
    return np.asarray(comparison.test(left, right), dtype=np.bool_)
