"""Runs the SQL of programs in DuckDB and SQLite, over the same tables."""

import datetime
import functools
import sqlite3
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import duckdb
import pyarrow as pa

from neural_enquirer.programs import Program, ProgramError, run
from neural_enquirer.programs.language import Exists, Holds
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.programs.sqlite import add_functions
from neural_enquirer.tables import FieldType, Table

__all__ = ["DisagreementError", "SqlEngines"]

_TOLERANCE = 1e-9
_TYPES = {FieldType.TEXT: "TEXT", FieldType.NUMBER: "NUMERIC", FieldType.DATE: "TEXT"}


class DisagreementError(AssertionError):
    """Two engines give different answers."""


class SqlEngines:
    """DuckDB, and SQLite unless some integer is too large for it, with tables in both."""

    def __init__(self, tables: Sequence[Table]) -> None:
        self._tables = tables
        self._duckdb = _duckdb().cursor()
        self._sqlite = sqlite3.connect(":memory:") if all(map(_fits, tables)) else None
        for table in tables:
            self._fill_duckdb(table)
            if self._sqlite is not None:
                self._fill_sqlite(self._sqlite, table)

    def __enter__(self) -> "SqlEngines":
        return self

    def __exit__(self, *_: object) -> None:
        for table in self._tables:
            self._duckdb.execute(f"DROP TABLE {_quoted(table.name)}")
        if self._sqlite is not None:
            self._sqlite.close()

    def check(self, program: Program) -> bool:
        """Compares the program in memory with its SQL; False where it needs one value and finds several."""
        try:
            values = run(program, self._tables).values
        except ProgramError as error:
            if not str(error).startswith("one value is needed, but"):
                raise
            return False
        yes_no = isinstance(program, Exists | Holds)
        wanted = Counter(map(_key, values))
        for dialect in ("duckdb", "sqlite") if self._sqlite is not None else ("duckdb",):
            sql = to_sql(program, self._tables, dialect)
            found = self._values(dialect, sql, yes_no)
            if not _same(wanted, Counter(map(_key, found))):
                raise DisagreementError(f"{dialect} gives {found}, memory {list(values)}: {sql}")
        return True

    def _values(self, dialect: str, sql: str, yes_no: bool) -> list[Any]:
        if dialect == "duckdb":
            rows = self._duckdb.execute(sql).fetchall()
        else:
            assert self._sqlite is not None
            rows = self._sqlite.execute(sql).fetchall()
        found = [value for row in rows if None not in row for value in row]
        return ["yes" if value else "no" for value in found] if yes_no else found

    def _fill_duckdb(self, table: Table) -> None:
        arrays = [
            _array(field.type, column) for field, column in zip(table.fields, table.columns, strict=True)
        ]
        self._duckdb.register("filling", pa.table(arrays, names=list(table.field_names)))
        self._duckdb.execute(f"CREATE TABLE {_quoted(table.name)} AS SELECT * FROM filling")

    def _fill_sqlite(self, connection: sqlite3.Connection, table: Table) -> None:
        add_functions(connection)
        names = ['"' + name.replace('"', '""') + '"' for name in (table.name, *table.field_names)]
        columns = ", ".join(
            f"{name} {_TYPES[field.type]}" for name, field in zip(names[1:], table.fields, strict=True)
        )
        connection.execute(f"CREATE TABLE {names[0]} ({columns})")
        marks = ", ".join("?" * len(table.fields))
        rows = [[_stored(cell) for cell in table.row(row)] for row in range(table.row_count)]
        connection.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", rows)


@functools.cache
def _duckdb() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _array(kind: FieldType, column: Sequence[Any]) -> pa.Array:
    if kind is FieldType.TEXT:
        return pa.array(column, pa.string())
    if kind is FieldType.DATE:
        timed = any(isinstance(cell, datetime.datetime) for cell in column)
        return pa.array(column, pa.timestamp("us") if timed else pa.date32())
    if any(isinstance(cell, float) for cell in column):
        return pa.array([None if cell is None else float(cell) for cell in column], pa.float64())
    if all(cell is None or abs(cell) < 2**62 for cell in column):
        return pa.array(column, pa.int64())
    return pa.array([None if cell is None else Decimal(cell) for cell in column], pa.decimal128(38, 0))


def _fits(table: Table) -> bool:
    return all(not isinstance(cell, int) or abs(cell) < 2**62 for column in table.columns for cell in column)


def _stored(cell: Any) -> Any:
    return str(cell) if isinstance(cell, datetime.date) else cell


def _key(value: Any) -> Any:
    """A value such that equal ones of all engines are equal, numbers nearly."""
    if isinstance(value, datetime.date):
        return str(value)
    if isinstance(value, bool | str):
        return str(value)
    return value if isinstance(value, int) else float(value)


def _same(one: Counter[Any], other: Counter[Any]) -> bool:
    if one == other:
        return True
    lists = [
        sorted(each.elements(), key=lambda value: (isinstance(value, str), value)) for each in (one, other)
    ]
    return len(lists[0]) == len(lists[1]) and all(_near(*pair) for pair in zip(*lists, strict=True))


def _near(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return bool(abs(one - other) <= _TOLERANCE * max(1, abs(one), abs(other)))
