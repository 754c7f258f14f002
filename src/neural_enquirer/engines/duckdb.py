"""DuckDB: large files of tables, read where they are, with memory to spare."""

import atexit
import contextlib
import datetime
import functools
import glob
import itertools
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from neural_enquirer.engines.copies import copy_of, forget
from neural_enquirer.engines.engine import LIMITS, EngineError, Limits, Progress
from neural_enquirer.engines.relations import Relation, columns_of
from neural_enquirer.engines.sql_engine import Record, SqlEngine
from neural_enquirer.engines.stamps import digest, files_stamp
from neural_enquirer.engines.time_limit import done_within
from neural_enquirer.installed import check_installed
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.cell_types import MISSING_AMONG_TEXT
from neural_enquirer.tables.databases import TABLES_OF_DUCKDB, places_of
from neural_enquirer.tables.raw_table import reason

if TYPE_CHECKING:
    import duckdb

_MEMORY: Final = "1500MB"
_READERS: Final = {"Parquet": "READ_PARQUET", "CSV": "READ_CSV", "TSV": "READ_CSV", "JSON": "READ_JSON"}
_MISSING: Final = sorted({form for word in MISSING_AMONG_TEXT for form in (word, word.upper())})
_OPTIONS: Final[dict[str, dict[str, exp.Expr]]] = {
    "READ_PARQUET": {"hive_partitioning": exp.false()},
    "READ_CSV": {
        "hive_partitioning": exp.false(),
        "nullstr": exp.Array(expressions=[exp.Literal.string(word) for word in _MISSING]),
    },
    "READ_JSON": {},
}
_ROWS_SEEN: Final = 1_000_000
"""So many rows of a text tell the types of its fields where it is read again and again."""
_VIEW: Final = "given"
_COPIED: Final = "rows"
_GLANCE_SECONDS: Final = 0.2
"""How often somebody looks how far a copy is."""


class DuckDbEngine(SqlEngine):
    """A DuckDB of its own, which reads any files; one for a DuckDB file; or a relation of a program."""

    dialect = "duckdb"

    def __init__(
        self,
        limits: Limits = LIMITS,
        relation: "duckdb.DuckDBPyRelation | None" = None,
        database: Path | None = None,
    ) -> None:
        """Starts a DuckDB, unless there is a relation to be asked.

        The views of a database, which others may have written, read no other files.
        """
        super().__init__(limits)
        self._given, self._database = relation, database
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()
        with self._complaints():
            self._connection = None if relation is not None else _started(database)

    def close(self) -> None:
        """Lets go of the memory, and of what did not fit into it."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    # Tables.

    def files(self, paths: Sequence[Path], form: str) -> Relation:
        """Files of one kind, all rows of which make one table, in their order."""
        return self._described(_reading(paths, form, _ROWS_SEEN), paths)

    def copied(self, paths: Sequence[Path], form: str, progress: Progress | None) -> Relation | None:
        """A copy of files of text as they are now; `progress` hears of each hundredth of one that is made.

        All rows tell the types of the fields, whatever the first ones look like.

        Returns:
            None where no copy can be kept.
        """
        import duckdb

        key = digest(f"{duckdb.__version__} {form} {files_stamp(paths)}")
        source = _reading(paths, form, None)
        size = sum(path.stat().st_size for path in paths)
        copy = copy_of(key, size, lambda path: self._write(source, path, progress))
        if copy is None or not self._attached(copy, key):
            return None
        return self._described(exp.table_(_COPIED, "main", key, quoted=True), paths)

    def _write(self, source: exp.Table, path: Path, progress: Progress | None) -> None:
        """Writes a copy by a DuckDB of its own: this one changes no file."""
        with self._complaints(), contextlib.closing(_started(None)) as writer:
            writer.execute("SET enable_progress_bar = true")
            writer.execute("SET enable_progress_bar_print = false")
            writer.execute(f"ATTACH {exp.Literal.string(str(path)).sql('duckdb')} AS copy")
            making = f"CREATE TABLE copy.{_COPIED} AS SELECT * FROM {source.sql('duckdb')}"
            with _told(writer, progress):
                done_within(None, lambda: writer.execute(making), writer.interrupt, "DuckDB")
            writer.execute("DETACH copy")

    def _attached(self, copy: Path, key: str) -> bool:
        """Opens a copy for reading; whether it can be read."""
        place = exp.Literal.string(str(copy)).sql("duckdb")
        try:
            self.fetch(f"ATTACH IF NOT EXISTS {place} AS {_quoted(key)} (READ_ONLY)", None, None)
        except EngineError:
            forget(copy)
            return False
        return True

    def tables(self) -> list[str]:
        """The names of the tables and views of its database."""
        return sorted(self._places)

    def table(self, name: str) -> Relation:
        """A table or view of its database."""
        assert self._database is not None
        schema, table = self._places[name]
        return self._described(exp.table_(table, schema, quoted=True), (self._database,))

    @functools.cached_property
    def _places(self) -> dict[str, tuple[str, str]]:
        return places_of(self.fetch(TABLES_OF_DUCKDB, None, None))

    def stored(self, table: Table) -> Relation:
        """A table in memory, which DuckDB then holds as well."""
        name = exp.table_(self._new_name(), quoted=True)
        columns = zip(table.fields, table.columns, strict=True)
        cells = [
            f"UNNEST(${place}::{_type(field.type, column)}[]) AS {_quoted(field.name)}"
            for place, (field, column) in enumerate(columns, start=1)
        ]
        making = f"CREATE TABLE {name.sql('duckdb')} AS SELECT {', '.join(cells)}"
        with self._complaints():
            assert self._connection is not None
            self._connection.execute(making, list(map(list, table.columns)))
        return self._described(name)

    def arrow(self, source: Any) -> Relation:
        """A table in Arrow's form, which is not copied."""
        check_installed("pyarrow", "arrow", "an Arrow table")
        import pyarrow as pa

        name = self._new_name()
        with self._complaints():
            assert self._connection is not None
            self._connection.register(name, source if isinstance(source, pa.Table) else pa.table(source))
        return self._described(exp.table_(name, quoted=True))

    def _new_name(self) -> str:
        return f"table {next(self._numbers)}"

    def given(self) -> Relation:
        """The relation that a program has at hand."""
        return self._described(exp.table_(_VIEW, quoted=True))

    def _described(self, source: exp.Expr, paths: Sequence[Path] = ()) -> Relation:
        tree = exp.Select().select(exp.Star()).from_(source.copy())
        rows = self.fetch(f"DESCRIBE {tree.sql('duckdb')}", None, None)
        return Relation(source, columns_of(rows, "duckdb"), (), tuple(paths))

    # Statements.

    def fetch(self, sql: str, most: int | None, seconds: float | None) -> list[Record]:
        """Runs one SELECT."""
        with self._lock, self._complaints():
            if self._given is not None:  # a program's own relation has its own limits
                found = self._given.query(_VIEW, sql)
                return [] if found is None else list(found.fetchall()[:most])
            if self._connection is None:
                raise EngineError("the table is closed; open it again")
            connection = self._connection
            rows = done_within(
                seconds, lambda: connection.execute(sql).fetchall(), connection.interrupt, "DuckDB"
            )
            return list(rows[:most])

    def folded(self, text: exp.Expr) -> exp.Expr:
        """A text in small letters without accents."""
        return exp.Anonymous(this="STRIP_ACCENTS", expressions=[exp.Lower(this=text)])

    def row_sum(self, cells: list[exp.Expr]) -> exp.Expr | None:
        """A whole number made of all cells of a row."""
        return exp.Anonymous(this="HASH", expressions=cells)

    @contextlib.contextmanager
    def _complaints(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            complaint = reason(error)
            raise EngineError(f"DuckDB: {complaint.partition('Error: ')[2].strip() or complaint}") from None
        except RuntimeError as error:
            if "interrupted" in str(error):  # what DuckDB makes of Ctrl-C
                raise KeyboardInterrupt from None
            raise


def _reading(paths: Sequence[Path], form: str, rows_seen: int | None) -> exp.Table:
    """What reads files; so many rows tell the types of a text, or all."""
    reader = _READERS[form]
    options = dict(_OPTIONS[reader])
    if reader != "READ_PARQUET":
        options["sample_size"] = exp.Literal.number(-1 if rows_seen is None else rows_seen)
    names = [exp.Literal.string(glob.escape(str(path.absolute()))) for path in paths]
    told = [
        exp.PropertyEQ(this=exp.to_identifier(name), expression=value.copy())
        for name, value in options.items()
    ]
    return exp.Table(this=exp.Anonymous(this=reader, expressions=[exp.Array(expressions=names), *told]))


def _type(kind: FieldType, cells: Sequence[Value | None]) -> str:
    """What DuckDB calls the type of a column."""
    if kind is FieldType.TEXT:
        return "VARCHAR"
    if kind is FieldType.DATE:
        return "TIMESTAMP" if any(isinstance(cell, datetime.datetime) for cell in cells) else "DATE"
    numbers = [cell for cell in cells if isinstance(cell, int | float)]
    if any(isinstance(number, float) or abs(number) >= 2**127 for number in numbers):
        return "DOUBLE"
    return "BIGINT" if all(-(2**63) <= number < 2**63 for number in numbers) else "HUGEINT"


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql("duckdb")


@contextlib.contextmanager
def _told(connection: "duckdb.DuckDBPyConnection", progress: Progress | None) -> Iterator[None]:
    """Tells of each hundredth of a statement that is done."""
    if progress is None:
        yield
        return
    is_done = threading.Event()

    def watch() -> None:
        told = 0
        while not is_done.wait(_GLANCE_SECONDS):
            done = int(connection.query_progress())
            progress(max(0, done - told))
            told = max(told, done)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        is_done.set()
        watcher.join()


@functools.cache
def _folder() -> str:
    """Where DuckDB puts what does not fit into memory; it is gone when the program ends."""
    folder = tempfile.mkdtemp(prefix="enquirer-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _started(database: Path | None) -> "duckdb.DuckDBPyConnection":
    """A DuckDB that never reaches for the network, changes no file, and takes no more memory than it may."""
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "enable_external_access": "true" if database is None else "false",
        "memory_limit": _MEMORY,
        "temp_directory": _folder(),
    }
    if database is None:
        return duckdb.connect(":memory:", config=settings)
    return duckdb.connect(str(database.absolute()), read_only=True, config=settings)
