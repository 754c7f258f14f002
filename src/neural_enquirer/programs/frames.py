"""Rows in memory: which rows of which source, and what terms give for them."""

import datetime
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Operation, Part, ProgramError
from neural_enquirer.programs.types import GroupScope, Home, TableScope, amounts_of
from neural_enquirer.tables import FieldType, Value
from neural_enquirer.tables.arrays import (
    Column,
    Index,
    Mask,
    days,
    exact,
    first_moment,
    largest_of,
    of_numbers,
    scaled,
    whole,
    wide,
)
from neural_enquirer.tables.measures import nearest

NUMBER_PATTERN: Final = r"(?:^-)?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?"
"""A number in a text, in the words of all regular expressions; a dash counts at the very beginning only."""

_NUMBER = re.compile(NUMBER_PATTERN)
_EXACT_FLOAT: Final = 2**53
_MOST_DIGITS: Final = 4000
"""Python reads no longer integer."""
_MOST_PAIRS: Final = 5_000_000
"""So many pairs of rows are held in memory at most."""


@dataclass(frozen=True)
class CellBlock:
    """Cells of one column of one table."""

    table: int
    column: int
    rows: Index


@dataclass(frozen=True, eq=False)
class TableFrame:
    """All rows of a table, or of joined tables."""

    scope: TableScope
    rows: tuple[Index, ...]
    """For each joined table its row in each row of the frame."""

    @classmethod
    def of(cls, scope: TableScope) -> "TableFrame":
        """All rows of one table."""
        return cls(scope, (np.arange(scope.tables[scope.members[0]].row_count),))

    def __len__(self) -> int:
        return len(self.rows[0])

    def column(self, term: lang.Term, index: Index) -> Column:
        """The cells of a field in some rows."""
        if not isinstance(term, lang.Field):
            raise ProgramError("only a table of groups has a measure")
        home = self.scope.home(term)
        return self._taken(self.scope.tables[home.table].array(home.column), home, index)

    def amounts(self, term: lang.Term, index: Index) -> Column:
        """What the cells of a field of text amount to in some rows."""
        amounts = amounts_of(term, self.scope)
        assert isinstance(term, lang.Field)
        return self._taken(amounts, self.scope.home(term), index)

    def _taken(self, array: Column, home: Home, index: Index) -> Column:
        everything = len(self.rows) == 1 and len(index) == len(array)
        if everything and (index is self.rows[0] or np.array_equal(index, self.rows[0])):
            return array
        return array.take(self.rows[home.place][index])

    def block(self, home: Home, index: Index) -> CellBlock:
        """The cells of a field in some rows."""
        return CellBlock(home.table, home.column, self.rows[home.place][index])


@dataclass(frozen=True, eq=False)
class GroupFrame:
    """All rows of a table of groups."""

    scope: GroupScope
    by: Column
    measure: Column
    rows: "RowSet"
    """The rows that were grouped."""
    group: npt.NDArray[np.int64]
    """The group of each of them; -1 where what they are grouped by is missing."""

    def __len__(self) -> int:
        return len(self.by)

    def column(self, term: lang.Term, index: Index) -> Column:
        """What groups are made by, or measured of them, for some of them."""
        return (self.measure if isinstance(term, lang.Measure) else self.by).take(index)

    def members(self, index: Index) -> Index:
        """The rows that some groups are made of, as places among the grouped rows."""
        chosen = np.zeros(len(self) + 1, dtype=np.bool_)
        chosen[index] = True
        return self.rows.index[chosen[self.group]]


@dataclass(frozen=True, eq=False)
class RowSet:
    """Some rows of a frame, in order."""

    frame: TableFrame | GroupFrame
    index: Index

    @classmethod
    def all_of(cls, frame: TableFrame | GroupFrame) -> "RowSet":
        """Every row."""
        if isinstance(frame, TableFrame) and len(frame.rows) == 1:
            return cls(frame, frame.rows[0])  # which a frame takes for all of its rows
        return cls(frame, np.arange(len(frame)))

    def __len__(self) -> int:
        return len(self.index)

    def at(self, index: Index) -> "RowSet":
        """Other rows of the same frame."""
        return RowSet(self.frame, index)

    def kept(self, mask: Mask) -> "RowSet":
        """The rows where the mask holds."""
        return RowSet(self.frame, self.index[mask])

    def blocks(self, terms: Sequence[lang.Term]) -> list[CellBlock]:
        """The cells that terms read in these rows, each field once."""
        if isinstance(self.frame, GroupFrame):
            groups = self.frame.scope.groups
            below = [groups.term if lang.Measure() in _leaves(term) else groups.by for term in terms]
            members = self.frame.rows.at(self.frame.members(self.index))
            return members.blocks([term for term in below if term is not None] or [groups.by])
        fields = (leaf for term in terms for leaf in _leaves(term) if isinstance(leaf, lang.Field))
        homes = dict.fromkeys(map(self.frame.scope.home, fields))
        return [self.frame.block(home, self.index) for home in homes]


def column_of(term: lang.Term, rows: RowSet) -> Column:
    """What a term gives for each of some rows."""
    frame = rows.frame
    if isinstance(frame, GroupFrame) and term == frame.scope.groups.by:
        return frame.column(term, rows.index)
    match term:
        case lang.Constant(value):
            one = Column.of(
                FieldType.DATE if not isinstance(value, int | float) else FieldType.NUMBER, [value]
            )
            return one.take(np.zeros(len(rows), dtype=np.intp))
        case lang.PartOf(Part.AMOUNT, inner) if isinstance(frame, TableFrame):
            return frame.amounts(inner, rows.index)
        case lang.PartOf(part, inner):
            return _part(part, column_of(inner, rows))
        case lang.Arithmetic(operation, left, right):
            return _combined(operation, column_of(left, rows), column_of(right, rows))
    return frame.column(term, rows.index)


def number_in(text: str) -> int | float | None:
    """The first number in a text; None where there is none, or one that is too large."""
    match = _NUMBER.search(text)
    if match is None:
        return None
    digits = match[0].replace(",", "")
    if "." not in digits and len(digits) <= _MOST_DIGITS:
        return int(digits)
    number = float(digits)
    return number if math.isfinite(number) else None


def _numbers_in(column: Column) -> Column:
    """The first number in each text; missing where there is none."""
    found = [number_in(word) for word in column.words or ("",)]
    there = np.array([number is not None for number in found], dtype=np.bool_)
    numbers = of_numbers([number or 0 for number in found], there).take(column.keys)
    return Column(FieldType.NUMBER, numbers.keys, numbers.present & column.present, numbers.scale)


def _part(part: Part, column: Column) -> Column:
    if part is Part.NUMBER:
        return _numbers_in(column)
    dates = days(column).astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    match part:
        case Part.YEAR:
            keys = dates.astype("datetime64[Y]").astype(np.int64) + 1970
        case Part.MONTH:
            keys = months.astype(np.int64) % 12 + 1
        case _:
            keys = (dates - months.astype("datetime64[D]")).astype(np.int64) + 1
    return Column(FieldType.NUMBER, keys, column.present)


def _combined(operation: Operation, left: Column, right: Column) -> Column:
    present = left.present & right.present
    if left.type is FieldType.DATE:
        return Column(FieldType.NUMBER, operation.make(days(left), days(right)), present)
    if operation.of_ratio:
        return _ratio(operation, left, right, present)
    if not (left.is_exact and right.is_exact):
        return Column(FieldType.NUMBER, operation.make(floats(left), floats(right)), present)
    if operation is Operation.PRODUCT:
        products = wide(left.keys, max(largest_of(right.keys), 1)) * right.keys
        return Column(FieldType.NUMBER, products, present, left.scale + right.scale)
    scale = max(left.scale, right.scale)
    one, other = (wide(scaled(column, scale), 2) for column in (left, right))
    return Column(FieldType.NUMBER, operation.make(one, other), present, scale)


def _ratio(operation: Operation, left: Column, right: Column, present: Mask) -> Column:
    """Ratios are the nearest floats; nothing can be divided by zero."""
    factor = 100 if operation is Operation.PERCENTAGE else 1
    if left.is_exact and right.is_exact:
        scale = max(left.scale, right.scale)
        keys = _quotients(wide(scaled(left, scale), factor) * factor, scaled(right, scale))
    else:
        keys = _quotients(factor * floats(left), floats(right))
    return Column(FieldType.NUMBER, np.nan_to_num(keys), present & np.isfinite(keys))


def _quotients(above: npt.NDArray[Any], below: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The nearest floats; not a number where something would be divided by zero."""
    if above.dtype.kind == "f" or max(largest_of(above), largest_of(below)) <= _EXACT_FLOAT:
        found = np.full(len(above), np.nan)
        possible = np.asarray(below != 0, dtype=np.bool_)
        with np.errstate(over="ignore"):
            np.divide(above.astype(np.float64), below.astype(np.float64), out=found, where=possible)
        return found
    pairs = zip(above.tolist(), below.tolist(), strict=True)
    return np.array([nearest(Fraction(one, other)) if other else math.nan for one, other in pairs])


def floats(column: Column) -> npt.NDArray[np.float64]:
    """Numbers as floats, the nearest ones."""
    if not column.is_exact:
        return column.keys
    return _quotients(column.keys, whole([10**column.scale] * len(column)))


def joined(frame: TableFrame, join: lang.Join, scope: TableScope) -> TableFrame:
    """The frame of every pair of rows that agree in all shared fields, in the order of the left rows."""
    right = TableScope(scope.tables, scope.members[-1:])
    other = TableFrame.of(right)
    lefts = [frame.scope.home(one) for one, _ in join.on]
    rights = [right.home(two) for _, two in join.on]
    places: dict[tuple[object, ...], list[int]] = {}
    for row, key in enumerate(_keys(other, rights)):
        if None not in key:
            places.setdefault(key, []).append(row)
    keys = _keys(frame, lefts)
    if sum(len(places.get(key, ())) for key in keys) > _MOST_PAIRS:
        raise ProgramError(
            f"{join.right} has too many rows that go with others: more than {_MOST_PAIRS:,} pairs"
        )
    pairs = [(row, match) for row, key in enumerate(keys) for match in places.get(key, ())]
    chosen = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return TableFrame(scope, (*(rows[chosen[:, 0]] for rows in frame.rows), chosen[:, 1]))


def _keys(frame: TableFrame, homes: Sequence[Home]) -> list[tuple[object, ...]]:
    """For each row the values of some fields, such that equal ones are equal; None where one is missing."""
    columns = []
    for home in homes:
        cells = frame.scope.tables[home.table].columns[home.column]
        columns.append([_comparable(cells[row]) for row in frame.rows[home.place].tolist()])
    return list(zip(*columns, strict=True))


def _comparable(cell: Value | None) -> object:
    """A cell such that equal ones are equal: a day is its first moment."""
    if isinstance(cell, datetime.date):
        return first_moment(cell)
    return None if cell is None else exact(cell)


def _leaves(term: lang.Term) -> list[lang.Term]:
    match term:
        case lang.PartOf(_, inner):
            return _leaves(inner)
        case lang.Arithmetic(_, left, right):
            return _leaves(left) + _leaves(right)
    return [term]
