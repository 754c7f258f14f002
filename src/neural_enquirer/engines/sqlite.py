"""SQLite: a file that is only read, or a connection that a program has at hand."""

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlglot import exp

from neural_enquirer.engines.database import DatabaseEngine
from neural_enquirer.engines.engine import LIMITS, EngineError, Limits
from neural_enquirer.engines.relations import Cast, Column, Relation, columns_of
from neural_enquirer.engines.stamps import files_stamp
from neural_enquirer.engines.time_limit import ended_after
from neural_enquirer.engines.values import folded
from neural_enquirer.programs.sqlite import add_functions
from neural_enquirer.tables import FieldType
from neural_enquirer.tables.raw_table import reason

_DAY: Final = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_MOMENT: Final = f"{_DAY} [0-9][0-9]:[0-9][0-9]:[0-9][0-9]*"
_SUM: Final = "ENQUIRER_SUM"
_FOLD: Final = "ENQUIRER_FOLD"
_STEPS_UNHEARD: Final = 200_000
"""After so many steps of a statement Python may act, such as on Ctrl-C: a few hundredths of a second."""


class SqliteEngine(DatabaseEngine):
    """An SQLite database. Its columns are what their cells are: their declared types promise nothing."""

    def __init__(self, connection: sqlite3.Connection, limits: Limits = LIMITS) -> None:
        """Takes a connection, which gains the functions that SQLite lacks."""
        super().__init__(connection, "sqlite", limits)
        add_functions(connection)
        connection.create_function(_SUM, -1, _sum, deterministic=True)
        connection.create_function(_FOLD, 1, _folded, deterministic=True)

    @classmethod
    def opened(cls, path: Path, limits: Limits = LIMITS) -> "SqliteEngine":
        """The database of a file.

        Raises:
            EngineError: if it cannot be opened.
        """
        address = f"file:{quote(str(path.absolute()))}?mode=ro"
        try:
            engine = cls(sqlite3.connect(address, uri=True, check_same_thread=False), limits)
        except sqlite3.Error as error:
            raise EngineError(f"{path} cannot be opened: {reason(error)}") from None
        engine.is_owner = True
        return engine

    @property
    def place(self) -> str:
        """What people are told where it is."""
        return "SQLite"

    def table(self, name: str) -> Relation:
        """A table or view."""
        quoted = exp.Literal.string(name).sql("sqlite")
        kinds = self.fetch(f"SELECT type, sql FROM sqlite_master WHERE name = {quoted}", None, None)
        if not kinds:
            raise EngineError(f"the database has no table '{name}'")
        source = exp.table_(name, quoted=True)
        names = [
            str(row[0]) for row in self.fetch(f"SELECT name FROM PRAGMA_TABLE_INFO({quoted})", None, None)
        ]
        columns = columns_of((each, "TEXT") for each in names)
        is_table = kinds[0][0] == "table" and "without rowid" not in str(kinds[0][1]).lower()
        order = ("rowid",) if is_table else None
        return Relation(source, tuple(self._typed(column, source) for column in columns), order)

    def _typed(self, column: Column, source: exp.Table) -> Column:
        """The column as its cells are."""
        own = exp.column(column.source, quoted=True)
        kind = exp.Anonymous(this="TYPEOF", expressions=[own])
        tests = [exp.Glob(this=own.copy(), expression=exp.Literal.string(form)) for form in (_DAY, _MOMENT)]
        sums = [exp.Sum(this=test) for test in tests]
        tree = exp.Select().select(kind, exp.Count(this=own.copy()), *sums).from_(source.copy())
        found = {row[0]: row[1:] for row in self.select(tree.group_by(kind.copy()), None, float("inf"))}
        found.pop("null", None)
        if found and found.keys() <= {"integer", "real"}:
            return _as(column, FieldType.NUMBER)
        if found.keys() == {"text"}:
            count, days, moments = found["text"]
            return _as(column, FieldType.DATE) if count in (days, moments) else column
        return Column(column.source, column.field, Cast.AS_TEXT)

    def folded(self, text: exp.Expr) -> exp.Expr:
        """A text in small letters without accents."""
        return exp.Anonymous(this=_FOLD, expressions=[text])

    def version(self, relation: Relation) -> str | None:
        """The file's size and time, and those of what was written last."""
        files = [
            row[2] for row in self.fetch("SELECT * FROM PRAGMA_DATABASE_LIST", None, None) if row[1] == "main"
        ]
        if not files or not files[0]:
            return None
        path = Path(files[0])
        journal = path.with_name(f"{path.name}-wal")
        return files_stamp([path, *([journal] if journal.exists() else [])])

    def row_sum(self, cells: list[exp.Expr]) -> exp.Expr | None:
        """A whole number made of all cells of a row."""
        return exp.Anonymous(this=_SUM, expressions=cells)

    @contextlib.contextmanager
    def _reading(self, seconds: float | None) -> Iterator[Any]:
        """A cursor that can only read, and whose work ends after some time."""
        with (
            self._lock,
            self._complaints(seconds),
            _heard(),
            ended_after(seconds, self._connection.interrupt, self.place),
        ):
            cursor = self._connection.cursor()
            ((was_only_read,),) = cursor.execute("PRAGMA query_only").fetchall()
            try:
                cursor.execute("PRAGMA query_only = 1")
                self._connection.set_progress_handler(lambda: 0, _STEPS_UNHEARD)
                yield cursor
            finally:
                self._connection.set_progress_handler(None, 0)
                cursor.execute(f"PRAGMA query_only = {was_only_read}")
                cursor.close()


@contextlib.contextmanager
def _heard() -> Iterator[None]:
    """Ctrl-C, which a statement that listens to Python from time to time takes for an interruption."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from None
        raise


def _as(column: Column, kind: FieldType) -> Column:
    return Column(column.source, type(column.field)(column.field.name, kind))


def _sum(*cells: Any) -> int:
    return zlib.crc32(repr(cells).encode("utf-8", errors="replace"))


def _folded(text: Any) -> str | None:
    return None if text is None else folded(str(text))
