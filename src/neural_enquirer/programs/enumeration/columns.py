"""The columns of a table as enumeration needs them: rows as the bits of integers, made once a table."""

import bisect
import datetime
import functools
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.frames import TableFrame, joined, number_in
from neural_enquirer.programs.language import Comparison, Operation, Part
from neural_enquirer.programs.trees import field_of
from neural_enquirer.programs.types import TableScope, scope_of
from neural_enquirer.tables import FieldType, Table, Value, spelling
from neural_enquirer.tables.arrays import first_moment, plain

_LEAST_SHARE_OF_NUMBERS: Final = 0.5
"""The share of a text field's cells that must have a number for the field to be ranked by it."""
_TABLES_KEPT: Final = 64
_MOST_DERIVED_FROM: Final = 3
_EXACT_PLACES: Final = 9
"""Decimal places to which sums of floats are the sums of the numbers that they are written as."""


class Column:
    """What a term gives for each row.

    Attributes:
        term: a field, or a part of one.
        kind: what the values are.
        values: the value of each row, None where it is missing.
        texts: how each is spelled.
        rows_by_value: the rows of each value, in the order in which values come first.
        present: the rows that have a value.
    """

    def __init__(
        self,
        term: lang.Term,
        kind: FieldType,
        values: Sequence[Value | None],
        texts: Sequence[str] | None = None,
    ) -> None:
        """Gathers the rows of each value; without texts, values are spelled as people write them."""
        self.term, self.kind, self.values = term, kind, values
        self.texts = [spelling(value) for value in values] if texts is None else texts
        self.rows_by_value: dict[Value, int] = {}
        self.present = 0
        self._keys: dict[Callable[[str], Hashable], list[Hashable | None]] = {}
        for row, value in enumerate(values):
            if value is not None:
                self.rows_by_value[value] = self.rows_by_value.get(value, 0) | 1 << row
                self.present |= 1 << row

    @functools.cached_property
    def ascending(self) -> list[Any]:
        """The distinct values in order."""
        return sorted(self.rows_by_value)

    @functools.cached_property
    def levels(self) -> list[int]:
        """The rows of each distinct value, in the order of values."""
        return [self.rows_by_value[value] for value in self.ascending]

    @functools.cached_property
    def falling(self) -> list[int]:
        """The same from the largest value down."""
        return self.levels[::-1]

    @functools.cached_property
    def _below(self) -> list[int]:
        """For each place among the distinct values the rows of lesser ones."""
        sums = [0]
        for level in self.levels:
            sums.append(sums[-1] | level)
        return sums

    @functools.cached_property
    def numbers(self) -> npt.NDArray[np.float64]:
        """The values as numbers, dates as days; NaN where one is missing."""
        return np.array([np.nan if value is None else _as_float(value) for value in self.values])

    @functools.cached_property
    def moments(self) -> npt.NDArray[np.float64]:
        """The values as numbers that compare as they do, dates with their time of day."""
        if self.kind is not FieldType.DATE:
            return self.numbers
        start, dates = datetime.datetime.min, cast("Sequence[datetime.date | None]", self.values)
        seconds = [np.nan if day is None else (first_moment(day) - start).total_seconds() for day in dates]
        return np.array(seconds)

    @functools.cached_property
    def groups(self) -> npt.NDArray[np.float32]:
        """For each row and distinct value whether the row has it."""
        return as_matrix(self.rows_by_value.values(), len(self.values)).T.copy()

    def keys(self, key: Callable[[str], Hashable]) -> list[Hashable | None]:
        """The key of each text, None where the value is missing; kept for the next question."""
        known = self._keys.get(key)
        if known is None:
            known = [
                None if value is None else key(text)
                for value, text in zip(self.values, self.texts, strict=True)
            ]
            self._keys[key] = known
        return known

    def _bound(self, value: Any) -> Any | None:
        """A value as those of the column compare with it: a day begins at midnight; None for another kind."""
        own = next(iter(self.rows_by_value), None)
        if isinstance(own, datetime.datetime) and type(value) is datetime.date:
            return first_moment(value)
        number = (int, float, Fraction)
        alike = type(own) is type(value) or (isinstance(own, number) and isinstance(value, number))
        return value if alike else None

    def compared(self, comparison: Comparison, value: Any) -> int:
        """The rows whose values compare so with a value."""
        if comparison is Comparison.EQUAL:
            return self.rows_by_value.get(value, 0)
        if comparison is Comparison.DIFFERS:
            return self.present & ~self.rows_by_value.get(value, 0)
        if comparison.of_text:
            items = self.rows_by_value.items()
            return sum(own for text, own in items if comparison.test(str(text), str(value)))
        if (bound := self._bound(value)) is None:
            return 0
        up_to = comparison in (Comparison.AT_MOST, Comparison.MORE)
        place = (bisect.bisect_right if up_to else bisect.bisect_left)(self.ascending, bound)
        below = self._below[place]
        return below if comparison in (Comparison.LESS, Comparison.AT_MOST) else self.present & ~below


def _as_float(value: Any) -> float:
    if isinstance(value, datetime.date):
        return float(value.toordinal())
    try:
        return float(value)
    except (OverflowError, ValueError):  # an integer of more than 300 digits
        return float("nan")


def as_matrix(masks: Iterable[int], rows: int) -> npt.NDArray[np.float32]:
    """Sets of rows as a matrix: 1 where a set has a row."""
    width = (rows + 7) // 8
    packed = b"".join([mask.to_bytes(width, "little") for mask in masks])
    bits = np.frombuffer(packed, dtype=np.uint8).reshape(-1, width)
    return np.unpackbits(bits, axis=1, count=rows, bitorder="little").astype(np.float32)


class Columns:
    """All terms that programs over one source are made of.

    Attributes:
        source: where the rows come from.
        count: how many rows there are.
        ordered: whether the rows have an order.
        fields: the fields.
        parts: years, months and days of dates, numbers and amounts in texts.
        ranked: what rows can be put in order by: numbers, dates, numbers and amounts in texts.
        added: what can be added up: numbers, numbers and amounts in texts.
        answering: what people want to know: fields, years, numbers in texts.
        grouping: what people group rows by: fields, years, months.
    """

    def __init__(
        self, source: lang.Source, count: int, fields: Sequence[Column], amounts: Sequence[Column] = ()
    ) -> None:
        """Adds the parts of fields to them, and what fields of text amount to."""
        self.source, self.count, self.fields = source, count, fields
        self.ordered = not isinstance(source, lang.Join)
        self.everything = (1 << count) - 1
        self.parts = [*(part for field in fields for part in _parts(field)), *amounts]
        years, months, numbers = (self.parts_of(part) for part in (Part.YEAR, Part.MONTH, Part.NUMBER))
        same = {field_of(column.term): column.values for column in numbers}
        telling = [column for column in amounts if same.get(field_of(column.term)) != column.values]
        self.ranked = [
            *(column for column in fields if column.kind is not FieldType.TEXT),
            *numbers,
            *telling,
        ]
        self.added = [column for column in self.ranked if column.kind is FieldType.NUMBER]
        self.answering = [*fields, *years, *numbers]
        self.grouping = [*fields, *years, *months]
        self._by_term = {column.term: column for column in (*fields, *self.parts)}

    def parts_of(self, part: Part) -> list[Column]:
        """The parts of one kind: all years, say."""
        return [
            column
            for column in self.parts
            if isinstance(column.term, lang.PartOf) and column.term.part is part
        ]

    def column(self, term: lang.Term) -> Column | None:
        """The column of a term; None for one that programs are not made of."""
        return self._by_term.get(term)

    def derived(self, names: frozenset[str]) -> Iterator[Column]:
        """What two named fields of a row make together."""
        fields = ((field_of(column.term), column) for column in self.ranked)
        named = [column for field, column in fields if field is not None and field.name in names]
        for left, right in itertools.combinations(named[:_MOST_DERIVED_FROM], 2):
            if left.kind is right.kind:
                yield _derived(Operation.DIFFERENCE, left, right)
                yield _derived(Operation.DIFFERENCE, right, left)
                if left.kind is FieldType.NUMBER:
                    yield _derived(Operation.TOTAL, left, right)

    def rows_where(self, condition: lang.Compare | lang.Between) -> int:
        """The rows that fulfil a comparison with constants; none where its term is no column."""
        column = self.column(condition.term)
        if column is None:
            return 0
        if isinstance(condition, lang.Between):
            low = column.compared(Comparison.AT_LEAST, condition.low.value)
            return low & column.compared(Comparison.AT_MOST, condition.high.value)
        if isinstance(condition.operand, lang.OneOf):
            rows = sum({column.compared(Comparison.EQUAL, each.value) for each in condition.operand.values})
            return rows if condition.comparison is Comparison.EQUAL else column.present & ~rows
        assert isinstance(condition.operand, lang.Constant)
        return column.compared(condition.comparison, condition.operand.value)


def _derived(operation: Operation, left: Column, right: Column) -> Column:
    values = [
        None if math.isnan(value) else plain_number(round(value, _EXACT_PLACES))
        for value in operation.make(left.numbers, right.numbers).tolist()
    ]
    return Column(lang.Arithmetic(operation, left.term, right.term), FieldType.NUMBER, values)


def plain_number(number: float) -> int | float:
    """A number as people write it: without decimals where it has none."""
    return int(number) if float(number).is_integer() else number


def _parts(field: Column) -> Iterator[Column]:
    if field.kind is FieldType.DATE:
        for part in (Part.YEAR, Part.MONTH, Part.DAY):
            name = part.name.lower()
            values = [None if value is None else getattr(value, name) for value in field.values]
            yield Column(lang.PartOf(part, field.term), FieldType.NUMBER, values)
    if field.kind is FieldType.TEXT:
        numbers = [_number_in(value) for value in field.values]
        found = len(numbers) - numbers.count(None)
        enough = max(2, _LEAST_SHARE_OF_NUMBERS * field.present.bit_count())
        if found >= enough and len(set(numbers) - {None}) > 1:
            yield Column(lang.PartOf(Part.NUMBER, field.term), FieldType.NUMBER, numbers)


def _number_in(text: Value | None) -> int | float | None:
    number = None if text is None else number_in(str(text))
    return None if number is None else plain_number(number)


def order_by(table: Table, column: int) -> Part:
    """What texts of a field are put in order by: what they amount to, or the number in each.

    Where they amount to no more than the number, the number it is, which any SQL can say.
    """
    known: dict[int, Part] = table.__dict__.setdefault("_order_by", {})
    if column not in known:
        known[column] = Part.NUMBER if _mere_numbers(table, column) else Part.AMOUNT
    return known[column]


def _mere_numbers(table: Table, column: int) -> bool:
    amounts = table.amounts(column)
    if amounts is None:
        return True
    rows = {text: row for row, text in enumerate(table.columns[column]) if text is not None}
    return all(
        _number_in(text) == (plain(amounts.exact_of(amounts.keys[row])) if amounts.present[row] else None)
        for text, row in rows.items()
    )


@dataclass(frozen=True, eq=False)
class _Same:
    """A table as a key: this very one, since equal tables may be spelled differently."""

    table: Table

    def __hash__(self) -> int:
        return id(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.table is self.table


def columns_of(table: Table, source: str | None = None) -> Columns:
    """The columns of a table, which programs call `source`; kept for the next question of the table."""
    return _columns_of(_Same(table), source)


@functools.lru_cache(maxsize=_TABLES_KEPT)
def _columns_of(same: _Same, source: str | None) -> Columns:
    rows = range(same.table.row_count)
    fields, amounts = _fields(same.table, source, rows), _amounts(same.table, source, rows)
    return Columns(source, len(rows), list(fields), list(amounts))


def _fields(table: Table, name: str | None, rows: Sequence[int]) -> Iterator[Column]:
    for n, (field, values) in enumerate(zip(table.fields, table.columns, strict=True)):
        own = [values[row] for row in rows]
        yield Column(lang.Field(field.name, name), field.type, own, [table.text(row, n) for row in rows])


def _amounts(table: Table, name: str | None, rows: Sequence[int]) -> Iterator[Column]:
    """What fields of text amount to."""
    for n, field in enumerate(table.fields):
        amounts = table.amounts(n)
        if amounts is None:
            continue
        present, keys = amounts.present.tolist(), amounts.keys.tolist()
        values = [plain(amounts.exact_of(keys[row])) if present[row] else None for row in rows]
        yield Column(lang.PartOf(Part.AMOUNT, lang.Field(field.name, name)), amounts.type, values)


def joined_columns(tables: Sequence[Table], join: lang.Join) -> Columns:
    """The columns of two tables that are joined by shared fields."""
    scope = scope_of(lang.All(join), tables)
    assert isinstance(scope, TableScope)
    left = TableFrame.of(TableScope(tables, scope.members[:1]))
    rows = [index.tolist() for index in joined(left, join, scope).rows]
    sides = [(tables[member], own) for member, own in zip(scope.members, rows, strict=True)]
    fields = [column for table, own in sides for column in _fields(table, table.name, own)]
    amounts = [column for table, own in sides for column in _amounts(table, table.name, own)]
    return Columns(join, len(rows[0]), fields, amounts)
