"""A table's columns as arrays, exact: what programs compare, order, group and add up.

Numbers are whole numbers of some power of ten, so that 0.1 and 0.2 add up to 0.3, and integers may be of any
size. Dates are days, or microseconds where some cell has a time of day. Text is its place in the alphabet of
its column.
"""

import bisect
import datetime
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.tables.cell_types import FieldType, Value
from neural_enquirer.tables.readings import Reading

Index = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Exact = Fraction | str | datetime.date
"""A value without rounding."""

_EPOCH: Final = datetime.datetime(1970, 1, 1)
_DAY: Final = datetime.timedelta(days=1)
_MICROSECOND: Final = datetime.timedelta(microseconds=1)
_DAY_IN_MICROSECONDS: Final = _DAY // _MICROSECOND
_SCALES: Final = range(10)
"""Decimal places that are tried before each number is looked at by itself."""
_EXACT_FLOAT: Final = 10.0**15
"""Up to here a float stands for one number of fifteen digits."""
_SAFE: Final = 2**62


@dataclass(frozen=True)
class Column:
    """The cells of one field, or what a term gives for each row.

    Attributes:
        type: what the cells are.
        keys: what they compare by, any number where a cell is missing: whole numbers (64 bits, or Python's
            own where they are larger), or floats for ratios, which no power of ten can hold.
        present: which cells are there.
        scale: for numbers, the decimal places of a key.
        words: for text, the distinct cells in order; a key is a place in it.
        timed: for dates, whether keys are microseconds.
    """

    type: FieldType
    keys: npt.NDArray[Any]
    present: Mask
    scale: int = 0
    words: tuple[str, ...] = ()
    timed: bool = False

    @classmethod
    def of(cls, kind: FieldType, cells: Sequence[Value | None]) -> "Column":
        """The column of typed cells."""
        if None in cells:
            present = np.fromiter((cell is not None for cell in cells), np.bool_, len(cells))
        else:
            present = np.ones(len(cells), np.bool_)
        if kind is FieldType.TEXT:
            return _of_texts(cells, present)
        if kind is FieldType.DATE:
            return _of_dates(cells, present)
        return of_numbers([0 if cell is None else cell for cell in cells], present)

    @classmethod
    def of_reading(cls, reading: Reading) -> "Column":
        """The column of what cells of text amount to: numbers, or dates from the year 1 on."""
        present = np.isfinite(reading.values)
        if not reading.is_date:
            values = np.where(present, reading.values, 0.0)
            return of_numbers(
                [int(value) if value.is_integer() else value for value in values.tolist()], present
            )
        present &= reading.values >= 1
        moments = np.where(present, reading.values, 1.0) - _EPOCH.toordinal()
        timed = bool((moments % 1).any())
        keys = np.rint(moments * 86400).astype(np.int64) * 10**6 if timed else moments.astype(np.int64)
        return cls(FieldType.DATE, keys, present, timed=timed)

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: Index) -> "Column":
        """The column of some rows."""
        taken = Column(self.type, self.keys[rows], self.present[rows], self.scale, self.words, self.timed)
        if "codes" in self.__dict__:  # it took time to find them
            taken.__dict__["codes"] = self.codes[rows]
        return taken

    @functools.cached_property
    def codes(self) -> npt.NDArray[np.int64]:
        """Small whole numbers that are equal, and ordered, as the keys are."""
        if self.type is FieldType.TEXT:
            return self.keys
        return np.unique(self.keys, return_inverse=True)[1].astype(np.int64)

    def exact_of(self, key: Any) -> Exact:
        """The value that a key stands for."""
        if self.type is FieldType.TEXT:
            return self.words[int(key)]
        if self.type is FieldType.DATE:
            return date_of(int(key), self.timed)
        return Fraction(int(key), 10**self.scale) if self.is_exact else _fraction(float(key))

    @property
    def is_exact(self) -> bool:
        """Whether keys are whole numbers."""
        return self.keys.dtype.kind != "f"

    def key_of(self, value: Exact) -> Fraction:
        """Where a value lies among the keys: between two of them if no key is the same."""
        if isinstance(value, str):
            place = bisect.bisect_left(self.words, value)
            there = place < len(self.words) and self.words[place] == value
            return Fraction(place) if there else place - Fraction(1, 2)
        if isinstance(value, Fraction):
            return value * 10**self.scale if self.is_exact else value
        return Fraction(date_key(value, timed=True), 1 if self.timed else _DAY_IN_MICROSECONDS)


def exact(value: Value) -> Exact:
    """A value without rounding; a float is the number that it is written as."""
    return value if isinstance(value, str | datetime.date) else _fraction(value)


def _fraction(number: int | float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(Decimal(repr(float(number))))


def plain(value: Exact) -> Value:
    """The nearest plain value."""
    if not isinstance(value, Fraction):
        return value
    if value.denominator == 1:
        return value.numerator
    try:
        return float(value)
    except OverflowError:
        return value.numerator // value.denominator


def of_numbers(numbers: Sequence[Any], present: Mask) -> Column:
    """The column of whole numbers and floats."""
    try:
        array = np.asarray(numbers)
    except OverflowError:
        array = np.asarray(numbers, dtype=object)
    if array.dtype.kind in "iu" and array.dtype != np.uint64:
        return Column(FieldType.NUMBER, array.astype(np.int64), present)
    if array.dtype.kind == "f" and not any(type(number) is int and abs(number) > 2**53 for number in numbers):
        for scale in _SCALES:
            with np.errstate(over="ignore"):
                keys = np.rint(array * 10.0**scale)
            if np.abs(keys).max(initial=0) < _EXACT_FLOAT and (keys / 10.0**scale == array).all():
                return Column(FieldType.NUMBER, keys.astype(np.int64), present, scale)
    fractions = [_fraction(number) for number in numbers]
    scale = max((_decimal_places(number) for number in numbers), default=0)
    units = [int(number * 10**scale) for number in fractions]
    return Column(FieldType.NUMBER, whole(units), present, scale)


def _decimal_places(number: int | float) -> int:
    if isinstance(number, int):
        return 0
    exponent = Decimal(repr(float(number))).as_tuple().exponent
    assert isinstance(exponent, int)
    return max(-exponent, 0)


def whole(numbers: Sequence[int]) -> npt.NDArray[Any]:
    """Whole numbers in 64 bits where they all fit."""
    if all(-_SAFE < number < _SAFE for number in numbers):
        return np.array(numbers, dtype=np.int64)
    array = np.empty(len(numbers), dtype=object)
    array[:] = numbers
    return array


def scaled(column: Column, scale: int) -> npt.NDArray[Any]:
    """The keys of exact numbers at a finer scale."""
    factor = 10 ** (scale - column.scale)
    finer: npt.NDArray[Any] = column.keys if factor == 1 else wide(column.keys, factor) * factor
    return finer


def wide(keys: npt.NDArray[Any], factor: int) -> npt.NDArray[Any]:
    """Keys that can be multiplied by a factor, or added so many times, without an overflow."""
    if keys.dtype.kind != "i" or max(largest_of(keys), 1) * factor < _SAFE:
        return keys
    return keys.astype(object)


def largest_of(keys: npt.NDArray[Any]) -> int:
    """The largest whole number, its sign aside."""
    return max(abs(int(keys.max(initial=0))), abs(int(keys.min(initial=0))))


def first_moment(day: datetime.date) -> datetime.datetime:
    """The first moment of a day, which compares with points in time; a point in time as it is."""
    if isinstance(day, datetime.datetime):
        return day
    return datetime.datetime(day.year, day.month, day.day)


def date_key(day: datetime.date, timed: bool) -> int:
    """Days or microseconds since 1970."""
    return (first_moment(day) - _EPOCH) // (_MICROSECOND if timed else _DAY)


def date_of(key: int, timed: bool) -> datetime.date:
    """The date, or the point in time, that a key stands for."""
    return _EPOCH + key * _MICROSECOND if timed else (_EPOCH + key * _DAY).date()


def days(column: Column) -> npt.NDArray[np.int64]:
    """The days of a column of dates, since 1970."""
    return column.keys // _DAY_IN_MICROSECONDS if column.timed else column.keys


def microseconds(column: Column) -> npt.NDArray[np.int64]:
    """The moments of a column of dates, since 1970."""
    return column.keys if column.timed else column.keys * _DAY_IN_MICROSECONDS


def _of_texts(cells: Sequence[Value | None], present: Mask) -> Column:
    distinct = set(cells)
    words = sorted([cell for cell in distinct if isinstance(cell, str)])
    places: dict[Value | None, int] = dict(zip(words, range(len(words)), strict=True))
    if len(words) < len(distinct):
        places |= dict.fromkeys(distinct.difference(words), 0)
    keys = np.fromiter(map(places.__getitem__, cells), np.int64, len(cells))
    return Column(FieldType.TEXT, keys, present, words=tuple(words))


def _of_dates(cells: Sequence[Value | None], present: Mask) -> Column:
    timed = any(isinstance(cell, datetime.datetime) for cell in cells)
    keys = [date_key(cell, timed) if isinstance(cell, datetime.date) else 0 for cell in cells]
    return Column(FieldType.DATE, np.array(keys, dtype=np.int64), present, timed=timed)
