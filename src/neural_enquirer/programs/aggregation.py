"""Many values made into one, exactly: of all rows, or group by group."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.language import Aggregation
from neural_enquirer.tables import FieldType
from neural_enquirer.tables.arrays import Column, Exact, days, largest_of, wide
from neural_enquirer.tables.measures import nearest

Groups = npt.NDArray[np.int64]
_EXACT_FLOAT = 2**53


def aggregate(aggregation: Aggregation, column: Column) -> Exact | None:
    """What is made of a column's values; None where there are none and something is needed.

    COUNT counts rows, not values, and has no column.
    """
    keys = column.keys[column.present]
    if aggregation is Aggregation.COUNT_DISTINCT:
        return Fraction(int(np.count_nonzero(np.bincount(column.codes[column.present]))))
    if not len(keys):
        return None
    match aggregation:
        case Aggregation.MINIMUM:
            return column.exact_of(keys.min())
        case Aggregation.MAXIMUM:
            return column.exact_of(keys.max())
        case Aggregation.RANGE:
            low, high = np.array([keys.min()]), np.array([keys.max()])
            return _number(column, _apart(column, low, high)[0])
        case Aggregation.MEDIAN:
            ordered = np.partition(keys, [(len(keys) - 1) // 2, len(keys) // 2])
            middle = (ordered[(len(keys) - 1) // 2], ordered[len(keys) // 2])
            return sum((_number(column, key) for key in middle), Fraction(0)) / 2
    is_float = keys.dtype.kind == "f"
    total = _number(column, math.fsum(keys) if is_float else wide(keys, len(keys)).sum())
    return total / len(keys) if aggregation is Aggregation.AVERAGE else total


def _number(column: Column, key: Any) -> Fraction:
    number = column.exact_of(key) if column.type is FieldType.NUMBER else Fraction(int(key))
    assert isinstance(number, Fraction)
    return number


def _apart(column: Column, low: npt.NDArray[Any], high: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """How far keys are apart; dates by their days."""
    if column.type is FieldType.DATE:
        low, high = (
            days(Column(column.type, keys, np.ones(len(keys), np.bool_), timed=column.timed))
            for keys in (low, high)
        )
    distance: npt.NDArray[Any] = wide(high, 2) - wide(low, 2)
    return distance


def grouped(aggregation: Aggregation, column: Column | None, group: Groups, count: int) -> Column:
    """One value for each of `count` groups; `group` says which one a row belongs to."""
    if column is None:
        sizes = np.bincount(group, minlength=count).astype(np.int64)
        return Column(FieldType.NUMBER, sizes, np.ones(count, dtype=np.bool_))
    values = column
    if not column.present.all():
        group, values = group[column.present], column.take(np.flatnonzero(column.present))
    sizes = np.bincount(group, minlength=count)
    if aggregation is Aggregation.COUNT_DISTINCT:
        return _distinct(values, group, count)
    if aggregation in (Aggregation.SUM, Aggregation.AVERAGE):
        totals = _sums(values, group, count)
        if aggregation is Aggregation.SUM:
            return Column(FieldType.NUMBER, totals, sizes > 0, values.scale)
        averages = _averages(values, totals, sizes)
        return Column(FieldType.NUMBER, np.nan_to_num(averages), (sizes > 0) & np.isfinite(averages))
    return _ordered(aggregation, values, group, sizes)


def _distinct(values: Column, group: Groups, count: int) -> Column:
    codes = values.codes
    pairs = np.unique(group * (codes.max(initial=0) + 1) + codes)
    numbers = np.bincount(pairs // (codes.max(initial=0) + 1), minlength=count).astype(np.int64)
    return Column(FieldType.NUMBER, numbers, np.ones(count, dtype=np.bool_))


def _sums(values: Column, group: Groups, count: int) -> npt.NDArray[Any]:
    keys = wide(values.keys, len(values)) if values.is_exact else values.keys
    # Up to there, floats add up exactly, and fast.
    if keys.dtype == np.int64 and largest_of(keys) * len(keys) < _EXACT_FLOAT:
        return np.bincount(group, keys, minlength=count).astype(np.int64)
    totals: npt.NDArray[Any] = np.zeros(count, dtype=keys.dtype)
    if keys.dtype == object:
        totals[:] = 0
    np.add.at(totals, group, keys)
    return totals


def _averages(
    values: Column, totals: npt.NDArray[Any], sizes: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """The nearest floats; equal averages are equal."""
    parts = np.maximum(sizes, 1)
    below = int(parts.max(initial=1)) * 10**values.scale
    if values.is_exact and max(largest_of(totals), below) >= _EXACT_FLOAT:
        unit = 10**values.scale
        exact = [
            nearest(Fraction(int(total), int(part) * unit)) for total, part in zip(totals, parts, strict=True)
        ]
        return np.array(exact)
    averages: npt.NDArray[np.float64] = totals.astype(np.float64) / (parts * 10.0**values.scale)
    return averages


def _ordered(aggregation: Aggregation, values: Column, group: Groups, sizes: npt.NDArray[np.intp]) -> Column:
    """Least, greatest, middle value of each group, and what lies between the first two."""
    keys = values.keys[np.lexsort((values.codes, group))]
    if not len(keys):
        keys = np.zeros(1, dtype=np.int64)
    ends = np.cumsum(sizes)
    first, last = np.minimum(ends - sizes, len(keys) - 1), np.maximum(ends - 1, 0)
    present = sizes > 0
    match aggregation:
        case Aggregation.MINIMUM:
            chosen = keys[first]
        case Aggregation.MAXIMUM:
            chosen = keys[last]
        case Aggregation.RANGE:
            return Column(FieldType.NUMBER, _apart(values, keys[first], keys[last]), present, values.scale)
        case _:
            low, high = keys[first + (sizes - 1).clip(0) // 2], keys[first + (sizes // 2).clip(0)]
            return _middle(values, low, high, present)
    return Column(values.type, chosen, present, values.scale, values.words, values.timed)


def _middle(
    values: Column, low: npt.NDArray[Any], high: npt.NDArray[Any], present: npt.NDArray[np.bool_]
) -> Column:
    """The middle of two numbers, which needs one more decimal place."""
    if not values.is_exact:
        return Column(FieldType.NUMBER, (low + high) / 2, present)
    return Column(FieldType.NUMBER, (wide(low, 10) + wide(high, 10)) * 5, present, values.scale + 1)
