"""Tables in databases: SQLite by Python's own module, DuckDB and Parquet files by DuckDB."""

import contextlib
import glob
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from neural_enquirer.tables.raw_table import RawTable, TableError, reason

if TYPE_CHECKING:
    import duckdb


TABLES_OF_DUCKDB: Final = "SELECT table_schema, table_name FROM information_schema.tables"


def read_parquet(path: Path, name: str) -> RawTable:
    """The table of a Parquet file.

    Raises:
        TableError: where it cannot be read.
    """
    with _duckdb(None, name, "Parquet") as connection:
        # A folder called year=2020 is no column, and *, ? and [ in a name are no pattern.
        query = "SELECT * FROM read_parquet($1, hive_partitioning=false)"
        relation = connection.sql(query, params=[glob.escape(str(path.absolute()))])
        return _fetched(relation, path.stem)


def read_duckdb(path: Path, name: str, table: str | None) -> RawTable:
    """A table or view of a DuckDB file, which is neither changed nor lets its views read other files.

    Raises:
        TableError: where it cannot be read, or it is open which table is meant.
    """
    with _duckdb(path, name, "DuckDB") as connection:
        places = places_of(connection.execute(TABLES_OF_DUCKDB).fetchall())
        chosen = chosen_table(name, table, sorted(places))
        quoted = ".".join(map(_quoted, places[chosen]))
        return _fetched(connection.table(quoted), chosen)


def _fetched(relation: "duckdb.DuckDBPyRelation", name: str) -> RawTable:
    """The rows of a relation; moments of other time zones are those of UTC."""
    headers = relation.columns
    zoned = [str(kind) == "TIMESTAMP WITH TIME ZONE" for kind in relation.types]
    terms = (
        f"make_timestamp(epoch_us({_quoted(header)}))" if own else _quoted(header)
        for header, own in zip(headers, zoned, strict=True)
    )
    return RawTable.of_rows(name, headers, relation.project(", ".join(terms)).fetchall())


def places_of(found: Iterable[Sequence[Any]]) -> dict[str, tuple[str, str]]:
    """What tables are called, by what `TABLES_OF_DUCKDB` finds: their schema and their name in it."""
    return {table if schema == "main" else f"{schema}.{table}": (schema, table) for schema, table in found}


@contextlib.contextmanager
def _duckdb(database: Path | None, name: str, form: str) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A DuckDB that never reaches for the network, and whose complaints become one line.

    A file of its own can only be read; and its views, which others may have written, read no other files.
    """
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "enable_external_access": "true" if database is None else "false",
    }
    file = ":memory:" if database is None else str(database.absolute())
    try:
        with duckdb.connect(file, read_only=database is not None, config=settings) as connection:
            yield connection
    except TableError:
        raise
    except (duckdb.Error, ValueError, OverflowError) as error:  # such as dates without end
        complaint = reason(error)
        raise TableError(
            f"{name} cannot be read as {form}: {complaint.partition('Error: ')[2].strip() or complaint}"
        ) from None


def read_sqlite(path: Path, name: str, table: str | None) -> RawTable:
    """A table or view of an SQLite file.

    Raises:
        TableError: where it cannot be read, or it is open which table is meant.
    """
    with _sqlite(path, name) as connection:
        chosen = chosen_table(name, table, _sqlite_names(connection))
        cursor = connection.execute(f"SELECT * FROM {_quoted(chosen)}")
        return RawTable.of_rows(chosen, [column[0] for column in cursor.description], cursor.fetchall())


def sqlite_tables(path: Path, name: str) -> list[str]:
    """The names of the tables and views of an SQLite file."""
    with _sqlite(path, name) as connection:
        return _sqlite_names(connection)


@contextlib.contextmanager
def _sqlite(path: Path, name: str) -> Iterator[sqlite3.Connection]:
    """A file that can only be read, and whose complaints become one line."""
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise TableError(f"{name} cannot be read as SQLite: {reason(error)}") from None


def _sqlite_names(connection: sqlite3.Connection) -> list[str]:
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
