"""Tables in SQLite, by Python's own module, and in Parquet files, by DuckDB."""

import contextlib
import glob
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from neural_enquirer.tables.objects import from_arrow
from neural_enquirer.tables.raw_table import RawTable, TableError, reason

if TYPE_CHECKING:
    import duckdb


def read_parquet(path: Path, name: str) -> RawTable:
    """The table of a Parquet file.

    Raises:
        TableError: where it cannot be read.
    """
    with _duckdb(name, "Parquet") as connection:
        # A folder called year=2020 is no column, and *, ? and [ in a name are no pattern.
        query = "SELECT * FROM read_parquet($1, hive_partitioning=false)"
        relation = connection.sql(query, params=[glob.escape(str(path.absolute()))])
        return from_arrow(relation.to_arrow_table(), path.stem)


@contextlib.contextmanager
def _duckdb(name: str, form: str) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A DuckDB that never reaches for the network, and whose complaints become one line."""
    import duckdb
    import pyarrow as pa

    offline: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    try:
        with duckdb.connect(":memory:", config=offline) as connection:
            yield connection
    except (duckdb.Error, pa.ArrowException, ValueError, OverflowError) as error:  # such as dates without end
        complaint = reason(error)
        raise TableError(
            f"{name} cannot be read as {form}: {complaint.partition('Error: ')[2].strip() or complaint}"
        ) from None


def read_sqlite(path: Path, name: str, table: str | None) -> RawTable:
    """A table or view of an SQLite file.

    Raises:
        TableError: where it cannot be read, or it is open which table is meant.
    """
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            chosen = chosen_table(name, table, _sqlite_tables(connection))
            cursor = connection.execute(f"SELECT * FROM {_quoted(chosen)}")
            headers = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
    except sqlite3.Error as error:
        raise TableError(f"{name} cannot be read as SQLite: {reason(error)}") from None
    return RawTable(chosen, headers, list(zip(*rows, strict=True)) or [()] * len(headers))


def _sqlite_tables(connection: sqlite3.Connection) -> list[str]:
    query = (
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'"
    )
    return sorted(row[0] for row in connection.execute(query))


def _quoted(name: str) -> str:
    """A name as SQL takes it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def chosen_table(name: str, wanted: str | None, tables: Sequence[str]) -> str:
    """The table of a file that is meant: the one that is wanted, or the only one.

    Raises:
        TableError: with the names of those that are there.
    """
    if not tables:
        raise TableError(f"{name} holds no table")
    if wanted is not None and wanted in tables:
        return wanted
    if wanted is None and len(tables) == 1:
        return tables[0]
    problem = f"{len(tables)} tables" if wanted is None else f"no table '{wanted}'"
    raise TableError(
        f"{name} holds {problem}; choose one of {', '.join(f'{name}::{each}' for each in tables)}"
    )
