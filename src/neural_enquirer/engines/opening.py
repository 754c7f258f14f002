"""Opens tables where they are, with what is known of them."""

import functools
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from neural_enquirer.engines.addresses import (
    AUTO,
    DUCKDB,
    MEMORY,
    SPARK,
    Bar,
    Files,
    files_of,
    is_address,
    is_connection,
)
from neural_enquirer.engines.database import DatabaseEngine, dialect_of
from neural_enquirer.engines.duckdb import DuckDbEngine
from neural_enquirer.engines.engine import EngineError
from neural_enquirer.engines.keeping import keep, recall
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.postgres import PostgresEngine, shown_address
from neural_enquirer.engines.profiling import know
from neural_enquirer.engines.relations import Relation
from neural_enquirer.engines.spark import SparkEngine
from neural_enquirer.engines.sql_engine import SqlEngine
from neural_enquirer.engines.sqlite import SqliteEngine
from neural_enquirer.tables import Table
from neural_enquirer.tables.databases import chosen_table, sqlite_tables

_FILES: Final = ("Parquet", "CSV", "TSV", "JSON")
"""What DuckDB and Spark read."""


def open_object(source: Any, name: str) -> EngineTable:
    """The table of a relation, a data frame, a connection with a table's name, or a large Arrow table."""
    if is_connection(source):
        return _of_connection(*source)
    if hasattr(source, "createOrReplaceTempView"):
        spark = SparkEngine(source.sparkSession)
        return known_table(spark, name, spark.frame(source))
    if type(source).__name__ == "DuckDBPyRelation":
        given = DuckDbEngine(relation=source)
        return known_table(given, name, given.given())
    duckdb = DuckDbEngine()
    return known_table(duckdb, name, duckdb.arrow(source))


def known_table(engine: SqlEngine, name: str, relation: Relation, bar: Bar | None = None) -> EngineTable:
    """The table that an engine has, with what is known of it: found out now, or kept since."""
    version = engine.version(relation)
    key = None if version is None else f"{engine.dialect} {relation.source.sql(engine.dialect)} {version}"
    known = None if key is None else recall(key)
    if known is None:
        with bar(f"reading {name}", len(relation.columns) + 1) if bar else nullcontext() as progress:
            known = know(engine, relation, progress)
        if key is not None:
            keep(key, known)
    return EngineTable.at(engine, name, relation, known)


def _of_connection(connection: Any, name: str) -> EngineTable:
    engines = {"sqlite": SqliteEngine, "postgres": PostgresEngine}
    engine: DatabaseEngine = engines.get(dialect_of(connection) or "", DatabaseEngine)(connection)
    return known_table(engine, name.rpartition(".")[2], engine.table(name))


class Opener:
    """Opens tables so that all that are in files are in one engine."""

    def __init__(self, engine: str, bar: Bar | None = None) -> None:
        """Takes one of `ENGINES`, and what shows how far it is."""
        self._wanted, self._bar = engine, bar
        self._databases: dict[Path, DuckDbEngine] = {}
        self._servers: dict[str, PostgresEngine] = {}

    @functools.cached_property
    def _duckdb(self) -> DuckDbEngine:
        return DuckDbEngine()

    @functools.cached_property
    def _spark(self) -> SparkEngine:
        return SparkEngine()

    def opened(self, source: str) -> Table:
        """One table.

        Raises:
            TableError: with one line that says what is wrong.
        """
        if is_address(source):
            return self._of_address(source)
        files = files_of(source)
        if self._wanted == SPARK:
            return self._on_spark(source, files)
        if self._wanted == MEMORY or (files is None and self._wanted != DUCKDB):
            return Table.read(source, totals=False)
        if files is not None and files.form == "SQLite" and self._wanted == AUTO:
            return self._in_sqlite(files)
        return self._in_duckdb(source, files)

    def _in_duckdb(self, source: str, files: Files | None) -> Table:
        if files is not None and files.form == "DuckDB":
            return self._in_file(files.paths[0], files)
        if files is not None and files.form in _FILES and files.is_large:
            return self._known(self._duckdb, files.name, self._as_files(files, files.form))
        table = Table.read(source, totals=False)  # so that its fields are what they are in memory
        return self._known(self._duckdb, table.name, self._duckdb.stored(table)).spelled_as(table)

    def _as_files(self, files: Files, form: str) -> Relation:
        """Large files: Parquet as it is, texts as a copy of them, where one can be kept."""
        copied = None
        if form != "Parquet":
            bar = self._bar(f"copying {files.name} to the cache", 100) if self._bar else nullcontext()
            with bar as progress:
                copied = self._duckdb.copied(files.paths, form, progress)
        return copied or self._duckdb.files(files.paths, form)

    def _in_file(self, path: Path, files: Files) -> Table:
        """A table of a DuckDB file."""
        if path not in self._databases:
            self._databases[path] = DuckDbEngine(database=path)
        engine = self._databases[path]
        chosen = chosen_table(files.name, files.table, engine.tables())
        return self._known(engine, chosen, engine.table(chosen))

    def _in_sqlite(self, files: Files) -> Table:
        chosen = chosen_table(files.name, files.table, sqlite_tables(files.paths[0], files.name))
        engine = SqliteEngine.opened(files.paths[0])
        return self._known(engine, chosen, engine.table(chosen))

    def _of_address(self, source: str) -> Table:
        address, _, table = source.partition("::")
        if self._wanted in (MEMORY, SPARK):
            raise EngineError(f"{shown_address(address)} is asked by the database itself; leave out --engine")
        if address not in self._servers:
            self._servers[address] = PostgresEngine(address=address)
        engine = self._servers[address]
        chosen = table or chosen_table(shown_address(address), None, engine.tables())
        return self._known(engine, chosen.rpartition(".")[2], engine.table(chosen))

    def _on_spark(self, source: str, files: Files | None) -> Table:
        if files is None:
            return self._known(self._spark, source.rpartition(".")[2], self._spark.table(source))
        if files.form not in _FILES:
            raise EngineError(f"Spark reads {', '.join(_FILES)} and tables of its catalogue, not {source}")
        return self._known(self._spark, files.name, self._spark.files(files.paths, files.form))

    def _known(self, engine: SqlEngine, name: str, relation: Relation) -> EngineTable:
        return known_table(engine, name, relation, self._bar)
