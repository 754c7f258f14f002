"""The same tables in every engine that is there."""

import contextlib
import datetime
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa

from benchmarks import engine_servers as servers
from neural_enquirer.engines.duckdb import DuckDbEngine
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.opening import known_table
from neural_enquirer.engines.postgres import PostgresEngine
from neural_enquirer.engines.spark import SparkEngine
from neural_enquirer.engines.sql_engine import SqlEngine
from neural_enquirer.engines.sqlite import SqliteEngine
from neural_enquirer.tables import FieldType, Table

__all__ = ["PLACES", "Put", "is_there", "put_in_postgres", "put_in_sqlite", "the_place"]

Put = Callable[[Sequence[Table]], list[EngineTable]]
"""Puts tables into an engine."""

PLACES = ("duckdb", "sqlite", "postgres", "spark")


def is_there(name: str) -> bool:
    """Whether an engine is installed."""
    match name:
        case "postgres":
            return servers.has_postgres()
        case "spark":
            return servers.has_spark()
    return True


@contextlib.contextmanager
def the_place(name: str) -> Iterator[Put]:
    """An engine, gone afterwards."""
    with {"duckdb": _duckdb, "sqlite": _sqlite, "postgres": _postgres, "spark": _spark}[name]() as put:
        yield put


def _opened(
    engine: SqlEngine, tables: Sequence[Table], relation: Callable[[Table], Any]
) -> list[EngineTable]:
    return [known_table(engine, table.name, relation(table)) for table in tables]


@contextlib.contextmanager
def _duckdb() -> Iterator[Put]:
    with contextlib.closing(DuckDbEngine()) as engine:
        yield lambda tables: [
            known.spelled_as(table)  # as `--engine duckdb` does
            for table, known in zip(tables, _opened(engine, tables, engine.stored), strict=True)
        ]


@contextlib.contextmanager
def _sqlite() -> Iterator[Put]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        engine = SqliteEngine(connection)

        def put(tables: Sequence[Table]) -> list[EngineTable]:
            for table in tables:
                put_in_sqlite(connection, table)
            return _opened(engine, tables, lambda table: engine.table(table.name))

        yield put


@contextlib.contextmanager
def _postgres() -> Iterator[Put]:
    with servers.postgres() as server:
        engine = PostgresEngine(address=server.address)

        def put(tables: Sequence[Table]) -> list[EngineTable]:
            for table in tables:
                put_in_postgres(server.address, table)
            return _opened(engine, tables, lambda table: engine.table(table.name))

        with contextlib.closing(engine):
            yield put


@contextlib.contextmanager
def _spark() -> Iterator[Put]:
    session = servers.spark_session()
    with contextlib.closing(SparkEngine(session)) as engine:
        yield lambda tables: _opened(
            engine, tables, lambda table: engine.frame(session.createDataFrame(_arrow(table)))
        )


def put_in_sqlite(connection: sqlite3.Connection, table: Table) -> None:
    """Makes a table of an SQLite database; dates are texts there."""
    names = ", ".join(map(_quoted, table.field_names))
    connection.execute(f"CREATE TABLE {_quoted(table.name)} ({names})")
    marks = ", ".join("?" * len(table.fields))
    rows = [[_stored(cell) for cell in table.row(row)] for row in range(table.row_count)]
    connection.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", rows)
    connection.commit()


def put_in_postgres(address: str, table: Table) -> None:
    """Makes a table of a PostgreSQL database; its rows have no key, and so no order."""
    import psycopg

    columns = ", ".join(
        f"{_quoted(name)} {_postgres_type(table, number)}" for number, name in enumerate(table.field_names)
    )
    marks = ", ".join(["%s"] * len(table.fields))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {_quoted(table.name)} ({columns})")
        with connection.cursor() as cursor:
            rows = [list(table.row(row)) for row in range(table.row_count)]
            cursor.executemany(f"INSERT INTO {_quoted(table.name)} VALUES ({marks})", rows)


def _postgres_type(table: Table, number: int) -> str:
    cells = [cell for cell in table.columns[number] if cell is not None]
    match table.fields[number].type:
        case FieldType.TEXT:
            return "text"
        case FieldType.DATE:
            return "timestamp" if any(isinstance(cell, datetime.datetime) for cell in cells) else "date"
    if any(isinstance(cell, float) for cell in cells):
        return "double precision"
    return "bigint" if all(isinstance(cell, int) and abs(cell) < 2**63 for cell in cells) else "numeric"


def _stored(cell: Any) -> Any:
    return str(cell) if isinstance(cell, datetime.date) else cell


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _arrow(table: Table) -> pa.Table:
    """A table in Arrow's form; integers that are too long are decimals."""
    arrays = [
        pa.array([None if cell is None else Decimal(str(cell)) for cell in column], pa.decimal128(38, 0))
        if any(isinstance(cell, int) and abs(cell) >= 2**63 for cell in column)
        else table.to_arrow().column(number).combine_chunks()
        for number, column in enumerate(table.columns)
    ]
    return pa.table(arrays, names=list(table.field_names))
