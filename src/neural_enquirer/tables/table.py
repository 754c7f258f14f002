"""Tables with typed fields: what questions are asked of.

A Table is plain data: names, types and cells. It knows nothing of models and needs no tensor library.
"""

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from neural_enquirer.installed import check_installed
from neural_enquirer.tables.cell_types import FieldType, Value, spelling, type_column
from neural_enquirer.tables.objects import article, from_arrow, from_columns, from_pandas, from_records
from neural_enquirer.tables.raw_table import KNOWN_FORMATS, RawTable, TableError, warn
from neural_enquirer.tables.sources import from_stream, read_source

if TYPE_CHECKING:
    import pyarrow as pa

    from neural_enquirer.tables.arrays import Column
    from neural_enquirer.tables.readings import Reading

# How much of odd headers a warning tells.
_MOST_REPAIRS = 5
_LONGEST_NAME = 60
_Made = TypeVar("_Made")


@dataclass(frozen=True)
class Field:
    """A column's name and what its cells are."""

    name: str
    type: FieldType


@dataclass(frozen=True)
class Table:
    """Typed fields and their cells.

    Attributes:
        fields: One per column; no two names are equal.
        columns: The cells, column by column; None is a missing cell. Dates of one column are all dates or all
            datetimes (in UTC where the source had zones), so that they compare.
        name: The file's name, or that of the table or sheet within it.
        texts: How each cell is spelled in its source, shaped as `columns`; None where the plain spelling of
            the value is meant. Two tables with equal values are equal, however their cells are spelled.
        whole: Where these are a few rows of a larger table: the different values of its fields, each once.
            Its rows mean nothing; a field of text without values there has too many to list.
    """

    fields: tuple[Field, ...]
    columns: tuple[tuple[Value | None, ...], ...]
    name: str = "table"
    texts: tuple[tuple[str, ...], ...] | None = field(default=None, compare=False, repr=False)
    whole: "Table | None" = field(default=None, compare=False, repr=False)
    is_elsewhere: ClassVar[bool] = False
    """Whether its rows are where an engine runs programs over them, and these are a few of them."""

    def __post_init__(self) -> None:
        if not self.fields:
            raise TableError(f"{self.name} has no columns; a table needs at least one field")
        if len(self.fields) != len(self.columns) or len({len(column) for column in self.columns}) != 1:
            raise TableError(f"{self.name}: every field needs one column, and all columns the same length")
        if len(set(self.field_names)) != len(self.fields):
            raise TableError(f"{self.name}: two fields have the same name")

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, totals: bool = True) -> "Table":
        """Reads a file: CSV, TSV, JSON, JSONL, Parquet, .xlsx, .xls, .ods, SQLite or DuckDB.

        `file.db::table` and `file.xlsx::sheet` choose a table, `data/*.csv` reads several files as one,
        `-` is standard input.

        Args:
            path: The file.
            totals: Whether last rows that sum up the others stay, as they do in no table that is asked; if
                not, a warning says which were left out.

        Raises:
            TableError: with one line that says what is wrong with the file.
        """
        return cls._of_file(read_source(os.fspath(path)), totals)

    @classmethod
    def of(cls, source: Any, name: str = "table", *, totals: bool = True) -> "Table":
        """A Table of whatever holds one.

        Args:
            source: A Table; a path; a pandas frame or series, whose index counts where it says something; an
                Arrow table; a list of dicts; a dict of columns; an open file or `io.StringIO`.
            name: What to call it; files have names of their own.
            totals: Whether last rows of a file that sum up the others stay.

        Raises:
            TableError: with one line that says what is wrong with it.
        """
        if isinstance(source, Table):
            return source
        if isinstance(source, str | os.PathLike):
            if isinstance(source, str) and len(source.splitlines()) > 1:
                raise TableError("this is text, not the name of a file; pass a file, or io.StringIO(text)")
            return cls.read(source, totals=totals)
        return cls._of_file(_raw(source, name), totals)

    @classmethod
    def of_columns(
        cls, headers: Sequence[str], columns: Sequence[Sequence[object]], name: str = "table"
    ) -> "Table":
        """A Table of columns of untyped cells; blank and double headers are repaired."""
        return cls._typed(RawTable(name, headers, columns))

    @classmethod
    def _of_file(cls, raw: RawTable, totals: bool) -> "Table":
        if totals:
            return cls._typed(raw)
        if raw.told:
            warn(raw.told)
        return cls._typed(raw.without_totals())

    @classmethod
    def _typed(cls, raw: RawTable) -> "Table":
        names = _repaired(raw.name, raw.headers)
        typed = [type_column(name, cells) for name, cells in zip(names, raw.columns, strict=True)]
        fields = tuple(Field(name, column.type) for name, column in zip(names, typed, strict=True))
        columns = tuple(column.values for column in typed)
        return cls(fields, columns, raw.name, tuple(column.texts for column in typed))

    @property
    def row_count(self) -> int:
        """How many rows there are, the header not counted."""
        return len(self.columns[0])

    @property
    def rows_there(self) -> int:
        """How many rows people are told of: all, where these are a few rows of a larger table."""
        return self.row_count

    @functools.cached_property
    def field_names(self) -> tuple[str, ...]:
        """The names of the fields, in order."""
        return tuple(field.name for field in self.fields)

    @functools.cached_property
    def field_places(self) -> dict[str, int]:
        """Where each field stands."""
        return {name: place for place, name in enumerate(self.field_names)}

    def field_index(self, name: str) -> int:
        """Where a field stands.

        Raises:
            TableError: if there is none of this name.
        """
        try:
            return self.field_places[name]
        except KeyError:
            known = ", ".join(self.field_names[:20]) + ", …" * (len(self.field_names) > 20)
            raise TableError(f"{self.name} has no field '{name}'; its fields are {known}") from None

    def column(self, name: str) -> tuple[Value | None, ...]:
        """All cells of one field."""
        return self.columns[self.field_index(name)]

    def array(self, index: int) -> "Column":
        """The cells of a field as an array, made when it is first asked for."""
        return self._once("array", index, lambda: _as_array(self.fields[index].type, self.columns[index]))

    def _once(self, what: str, index: int, make: Callable[[], _Made]) -> _Made:
        """Something of a field that is made when it is first asked for."""
        made: dict[tuple[str, int], _Made] = self.__dict__.setdefault("_made", {})
        if (what, index) not in made:
            made[what, index] = make()
        return made[what, index]

    def reading(self, index: int) -> "Reading | None":
        """What the cells of a field are amounts of, found when it is first asked for; None where of nothing.

        Fields of text may be read as well ("5 km" beside "800 m"), and fields of numbers may have a unit.
        """
        return self._once("reading", index, lambda: self._read(index))

    def _read(self, index: int) -> "Reading | None":
        from neural_enquirer.tables.readings import read_field

        field, cells = self.fields[index], self.columns[index]
        if field.type is FieldType.TEXT and self.whole is not None and self.lists_all(index):
            return _taken(self.whole.reading(index), self.whole.columns[index], cells)
        texts = self.texts[index] if self.texts else [self.text(row, index) for row in range(self.row_count)]
        return read_field(field.name, field.type, cells, texts)

    @property
    def listed(self) -> "Table":
        """The table with all values of its fields, which is what SQL is written for."""
        if self.whole is None or self.whole.name == self.name:
            return self.whole or self
        return replace(self.whole, name=self.name)

    def lists_all(self, index: int) -> bool:
        """Whether these are a few rows of a larger table whose every value of a field is known."""
        return self.whole is not None and any(value is not None for value in self.whole.columns[index])

    def different(self, index: int) -> tuple[Value | None, ...]:
        """Cells of a field that have every value of it, and some more than once."""
        return self.whole.columns[index] if self.whole and self.lists_all(index) else self.columns[index]

    def amounts(self, index: int) -> "Column | None":
        """What the cells of a field of text amount to, as an array; None where they cannot be read."""
        from neural_enquirer.tables import arrays

        reading = self.reading(index) if self.fields[index].type is FieldType.TEXT else None
        if reading is None:
            return None
        return self._once("amounts", index, lambda: arrays.Column.of_reading(reading))

    def row(self, index: int) -> tuple[Value | None, ...]:
        """All cells of one row; rows count from 0."""
        return tuple(column[index] for column in self.columns)

    def text(self, row: int, column: int) -> str:
        """A cell as its source spells it; the empty text where it is missing."""
        return spelling(self.columns[column][row]) if self.texts is None else self.texts[column][row]

    def to_arrow(self) -> "pa.Table":
        """The typed values as an Arrow table: integers and floats, dates and timestamps, strings."""
        check_installed("pyarrow", "arrow", "an Arrow table")
        import pyarrow as pa

        arrays = [
            _arrow_array(field.type, column) for field, column in zip(self.fields, self.columns, strict=True)
        ]
        return pa.table(arrays, names=list(self.field_names))


def _raw(source: Any, name: str) -> RawTable:
    """What an object that is no table yet holds."""
    if type(source).__module__.partition(".")[0] == "pandas" and hasattr(source, "iloc"):
        return from_pandas(source, name)
    if hasattr(source, "__arrow_c_stream__"):
        return from_arrow(source, name)
    if isinstance(source, Mapping):
        return from_columns(source, name)
    if hasattr(source, "read"):
        return from_stream(source, name)
    if isinstance(source, Sequence) and all(isinstance(record, Mapping) for record in source):
        return from_records(source, name)
    what = type(source).__name__
    kinds = f"a file ({KNOWN_FORMATS}), a pandas or Arrow table, a list of dicts, a dict of columns"
    raise TableError(f"{article(what)} {what} is not a table; give {kinds}")


def _as_array(kind: FieldType, cells: Sequence[Value | None]) -> "Column":
    from neural_enquirer.tables import arrays  # those who only read tables need no numpy

    return arrays.Column.of(kind, cells)


def _taken(
    reading: "Reading | None", known: Sequence[Value | None], cells: Sequence[Value | None]
) -> "Reading | None":
    """What some of the cells that were read amount to."""
    import numpy as np

    from neural_enquirer.tables.readings import Reading

    if reading is None:
        return None
    value_of = dict(zip(known, reading.values.tolist(), strict=True)) | {None: np.nan}
    # The larger table may have changed since its values were listed.
    values = [value_of.get(cell, np.nan) for cell in cells]
    return Reading(reading.kind, reading.unit, np.array(values))


def _arrow_array(field_type: FieldType, column: Sequence[Value | None]) -> "pa.Array":
    import datetime

    import pyarrow as pa

    if field_type is FieldType.TEXT:
        return pa.array(column, pa.string())
    if field_type is FieldType.DATE:
        timed = any(isinstance(value, datetime.datetime) for value in column)
        return pa.array(column, pa.timestamp("us") if timed else pa.date32())
    if all(value is None or (isinstance(value, int) and -(2**63) <= value < 2**63) for value in column):
        return pa.array(column, pa.int64())
    return pa.array([None if value is None else float(value) for value in column], pa.float64())  # type: ignore


def _repaired(table: str, headers: Sequence[str]) -> list[str]:
    """Headers with blank ones named and double ones numbered, and a warning that says so.

    Headers that differ in case alone count as double: neither questions nor SQL tell them apart.
    """
    names: list[str] = []
    repairs: list[str] = []
    wanted_names = [" ".join(header.split()) for header in headers]
    taken = {wanted.casefold() for wanted in wanted_names}
    seen: set[str] = set()
    next_number: dict[str, int] = {}
    for position, wanted in enumerate(wanted_names, start=1):
        name = wanted or f"column {position}"
        if name.casefold() in seen or (not wanted and name.casefold() in taken):
            name = _numbered(name, taken, seen, next_number)
        if name != wanted:
            what = f"the double header '{wanted[:_LONGEST_NAME]}'" if wanted else "a blank header"
            repairs.append(f"{what} in column {position} is now '{name[:_LONGEST_NAME]}'")
        seen.add(name.casefold())
        names.append(name)
    if repairs:
        more = f"; and {len(repairs) - _MOST_REPAIRS:,} more" if len(repairs) > _MOST_REPAIRS else ""
        warn(f"{table}: {'; '.join(repairs[:_MOST_REPAIRS])}{more}")
    return names


def _numbered(name: str, taken: set[str], seen: set[str], next_number: dict[str, int]) -> str:
    """The name with the first number from 2 on that makes it new; remembers how far it got with each name."""
    number = next_number.get(name.casefold(), 2)
    while (candidate := f"{name} ({number})").casefold() in taken or candidate.casefold() in seen:
        number += 1
    next_number[name.casefold()] = number + 1
    return candidate
