"""DuckDB: large files of tables, read where they are, with memory to spare."""

import atexit
import contextlib
import functools
import glob
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from neural_enquirer.engines.engine import LIMITS, EngineError, Limits
from neural_enquirer.engines.relations import Relation, columns_of
from neural_enquirer.engines.sql_engine import Record, SqlEngine
from neural_enquirer.engines.stamps import files_stamp
from neural_enquirer.engines.time_limit import ended_after
from neural_enquirer.installed import check_installed
from neural_enquirer.tables import Table
from neural_enquirer.tables.cell_types import MISSING_AMONG_TEXT
from neural_enquirer.tables.databases import TABLES_OF_DUCKDB, places_of
from neural_enquirer.tables.raw_table import reason

if TYPE_CHECKING:
    import duckdb

__all__ = ["DuckDbEngine"]

_MEMORY: Final = "1500MB"
_READERS: Final = {"Parquet": "READ_PARQUET", "CSV": "READ_CSV", "TSV": "READ_CSV", "JSON": "READ_JSON"}
_MISSING: Final = sorted({form for word in MISSING_AMONG_TEXT for form in (word, word.upper())})
_OPTIONS: Final[dict[str, dict[str, exp.Expr]]] = {
    "READ_PARQUET": {"hive_partitioning": exp.false()},
    "READ_CSV": {
        "hive_partitioning": exp.false(),
        "sample_size": exp.Literal.number(1_000_000),
        "nullstr": exp.Array(expressions=[exp.Literal.string(word) for word in _MISSING]),
    },
    "READ_JSON": {},
}
_VIEW: Final = "given"


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
        self._files: dict[str, tuple[Path, ...]] = {}
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
        reader = _READERS[form]
        names = [exp.Literal.string(glob.escape(str(path.absolute()))) for path in paths]
        options = [
            exp.PropertyEQ(this=exp.to_identifier(name), expression=value.copy())
            for name, value in _OPTIONS[reader].items()
        ]
        source = exp.Table(
            this=exp.Anonymous(this=reader, expressions=[exp.Array(expressions=names), *options])
        )
        return self._described(source, tuple(paths), ())

    def tables(self) -> list[str]:
        """The names of the tables and views of its database."""
        return sorted(self._places)

    def table(self, name: str) -> Relation:
        """A table or view of its database."""
        assert self._database is not None
        schema, table = self._places[name]
        return self._described(exp.table_(table, schema, quoted=True), (self._database,), ())

    @functools.cached_property
    def _places(self) -> dict[str, tuple[str, str]]:
        return places_of(self.fetch(TABLES_OF_DUCKDB, None, None))

    def stored(self, table: Table) -> Relation:
        """A table in memory, which DuckDB then holds as well."""
        return self.arrow(table.to_arrow())

    def arrow(self, source: Any) -> Relation:
        """A table in Arrow's form, which is not copied."""
        check_installed("pyarrow", "arrow", "an Arrow table")
        import pyarrow as pa

        name = f"table {len(self._files) + 1}"
        with self._complaints():
            assert self._connection is not None
            self._connection.register(name, source if isinstance(source, pa.Table) else pa.table(source))
        return self._described(exp.table_(name, quoted=True), (), ())

    def given(self) -> Relation:
        """The relation that a program has at hand."""
        return self._described(exp.table_(_VIEW, quoted=True), (), ())

    def _described(self, source: exp.Expr, paths: tuple[Path, ...], order: tuple[str, ...]) -> Relation:
        self._files[source.sql("duckdb")] = paths
        tree = exp.Select().select(exp.Star()).from_(source.copy())
        rows = self.fetch(f"DESCRIBE {tree.sql('duckdb')}", None, None)
        described = [
            (str(row[0]), exp.DataType.build(str(row[1]), dialect="duckdb", udt=True)) for row in rows
        ]
        return Relation(source, columns_of(described), order)

    # Statements.

    def fetch(self, sql: str, most: int | None, seconds: float | None) -> list[Record]:
        """Runs one SELECT."""
        limit = None if self._connection is None else seconds  # a program's own relation has its own limits
        with self._lock, self._complaints(), ended_after(limit, self._interrupt, "DuckDB"):
            if self._given is not None:
                found = self._given.query(_VIEW, sql)
                return [] if found is None else list(found.fetchall()[:most])
            if self._connection is None:
                raise EngineError("the table is closed; open it again")
            return list(self._connection.execute(sql).fetchall()[:most])

    def _interrupt(self) -> None:
        if self._connection is not None:
            self._connection.interrupt()

    def folded(self, text: exp.Expr) -> exp.Expr:
        """A text in small letters without accents."""
        return exp.Anonymous(this="STRIP_ACCENTS", expressions=[exp.Lower(this=text)])

    def version(self, relation: Relation) -> str | None:
        """The names, sizes and times of the files."""
        paths = self._files.get(relation.source.sql("duckdb"))
        return files_stamp(paths) if paths else None

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
