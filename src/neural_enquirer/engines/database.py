"""Databases: any connection of Python's DB-API, asked by SELECTs that change nothing."""

import contextlib
import importlib
import threading
from collections.abc import Iterator
from typing import Any, Final

from sqlglot import exp

from neural_enquirer.engines.engine import LIMITS, Engine, EngineError, Limits
from neural_enquirer.engines.relations import Relation, columns_of
from neural_enquirer.engines.sql_engine import Record, SqlEngine
from neural_enquirer.tables import FieldType
from neural_enquirer.tables.cell_types import type_column
from neural_enquirer.tables.raw_table import reason

DIALECTS: Final = {
    "sqlite3": "sqlite",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pg8000": "postgres",
    "pymysql": "mysql",
    "MySQLdb": "mysql",
    "mysql": "mysql",
    "oracledb": "oracle",
    "snowflake": "snowflake",
    "duckdb": "duckdb",
}
"""The SQL that the connections of drivers speak."""
_TYPES: Final = {FieldType.TEXT: "TEXT", FieldType.NUMBER: "DOUBLE", FieldType.DATE: "TIMESTAMP"}
_ROWS_SEEN: Final = 1_000


def dialect_of(connection: Any) -> str | None:
    """The SQL that a connection speaks; None where nobody here knows its driver."""
    return DIALECTS.get(_driver(connection))


def table_tree(name: str) -> exp.Table:
    """A table by its name, whatever is in it; a dot parts a schema from it."""
    schema, _, table = name.rpartition(".")
    return exp.table_(table, schema or None, quoted=True)


class DatabaseEngine(SqlEngine):
    """A connection to a database.

    What it is called by drivers differs so much that only reading is asked of them all: SQLite and PostgreSQL
    have engines of their own, which see to it that nothing can be written, and that nothing takes too long.
    """

    is_owner = False
    """Whether the connection is closed with it."""

    def __init__(self, connection: Any, dialect: str | None = None, limits: Limits = LIMITS) -> None:
        """Takes a connection, which stays open.

        Raises:
            EngineError: if nobody knows which SQL it speaks.
        """
        super().__init__(limits)
        known = dialect or dialect_of(connection)
        if known is None:
            drivers = ", ".join(DIALECTS)
            raise EngineError(f"unknown driver {_driver(connection)}; those that are known are {drivers}")
        self.dialect = known
        self._connection = connection
        self._lock = threading.RLock()

    @property
    def place(self) -> str:
        """What people are told where it is, without any password."""
        return "the database"

    def close(self) -> None:
        """Hangs up, where the connection is its own."""
        if self.is_owner:
            self._connection.close()

    def is_beside(self, other: Engine) -> bool:
        """Whether the other has the same connection."""
        return isinstance(other, DatabaseEngine) and other._connection is self._connection

    def table(self, name: str) -> Relation:
        """A table of the database; its columns are what some of its cells are."""
        source = table_tree(name)
        tree = exp.Select().select(exp.Star()).from_(source.copy()).limit(_ROWS_SEEN)
        with self._reading(self.limits.seconds) as cursor:
            cursor.execute(tree.sql(dialect=self.dialect))
            rows, names = cursor.fetchall(), [column[0] for column in cursor.description]
        kinds = [type_column(name, [row[i] for row in rows]).type for i, name in enumerate(names)]
        return Relation(source, columns_of(zip(names, map(_TYPES.__getitem__, kinds), strict=True)))

    def fetch(self, sql: str, most: int | None, seconds: float | None) -> list[Record]:
        """Runs one SELECT."""
        with self._reading(seconds) as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall() if most is None else cursor.fetchmany(most))

    @contextlib.contextmanager
    def _reading(self, seconds: float | None) -> Iterator[Any]:
        """A cursor, what is said on which is taken back."""
        with self._lock, self._complaints(seconds):
            cursor = self._connection.cursor()
            try:
                yield cursor
            finally:
                with contextlib.suppress(Exception):
                    cursor.close()
                    self._connection.rollback()

    @contextlib.contextmanager
    def _complaints(self, seconds: float | None) -> Iterator[None]:
        """What the driver complains of, in one line."""
        failure = getattr(importlib.import_module(_driver(self._connection)), "Error", Exception)
        try:
            yield
        except failure as error:
            raise EngineError(self._told(error, seconds)) from None

    def _told(self, error: Exception, seconds: float | None) -> str:
        return f"{self.place}: {reason(error)}"


def _driver(connection: Any) -> str:
    return type(connection).__module__.partition(".")[0].replace("_duckdb", "duckdb")
