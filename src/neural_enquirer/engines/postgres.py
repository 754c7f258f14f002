"""PostgreSQL: a server that is only read, by its address or by a connection that a program has at hand."""

import contextlib
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from sqlglot import exp

from neural_enquirer.engines.database import DatabaseEngine, table_tree
from neural_enquirer.engines.engine import LIMITS, EngineError, Limits
from neural_enquirer.engines.relations import Relation, columns_of
from neural_enquirer.engines.stamps import digest
from neural_enquirer.tables.raw_table import reason

_CONNECT_SECONDS: Final = 10
_CANCELLED: Final = "57014"
_COLUMNS: Final = """
SELECT attname, CASE WHEN typtype = 'e' THEN 'text' ELSE format_type(atttypid, NULL) END
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
WHERE attrelid = {table} AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_KEY: Final = """
SELECT attname FROM pg_index CROSS JOIN LATERAL UNNEST(indkey) WITH ORDINALITY AS keys(number, place)
JOIN pg_attribute ON attrelid = indrelid AND attnum = number
WHERE indisprimary AND indrelid = {table} ORDER BY place
"""
_VERSION: Final = """
SELECT relkind::text, relfilenode, pg_relation_size(pg_class.oid), n_tup_ins, n_tup_upd, n_tup_del
FROM pg_class LEFT JOIN pg_stat_all_tables ON relid = pg_class.oid WHERE pg_class.oid = {table}
"""
_TABLES: Final = """
SELECT CASE WHEN schemaname = 'public' THEN tablename ELSE schemaname || '.' || tablename END
FROM (SELECT schemaname, tablename FROM pg_tables UNION ALL SELECT schemaname, viewname FROM pg_views) AS own
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1
"""


def shown_address(address: str) -> str:
    """An address without its password and options."""
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user.partition(':')[0]}{at}{host}", parts.path, "", ""))


class PostgresEngine(DatabaseEngine):
    """A PostgreSQL server. Every statement has a transaction of its own, in which nothing can be written."""

    def __init__(
        self, connection: Any = None, limits: Limits = LIMITS, *, address: str | None = None
    ) -> None:
        """Takes a connection, which stays open, or the address of a server.

        Raises:
            EngineError: if the server cannot be reached.
        """
        self._address, self.is_owner = address, address is not None
        super().__init__(_connected(address) if address else connection, "postgres", limits)

    @property
    def place(self) -> str:
        """What people are told where it is, without any password."""
        return shown_address(self._address) if self._address else "PostgreSQL"

    def tables(self) -> list[str]:
        """The names of all tables and views."""
        return [str(row[0]) for row in self.fetch(_TABLES, None, self.limits.seconds)]

    def table(self, name: str) -> Relation:
        """A table or view, by its name or with its schema before it."""
        source = table_tree(name)
        described = self.fetch(_COLUMNS.format(table=_oid(source)), None, self.limits.seconds)
        key = self.fetch(_KEY.format(table=_oid(source)), None, self.limits.seconds)
        return Relation(source, columns_of(described, "postgres"), tuple(str(row[0]) for row in key) or None)

    def version(self, relation: Relation) -> str | None:
        """What the server counts of the changes of a table; a view may change unseen."""
        ((kind, *counts),) = self.fetch(
            _VERSION.format(table=_oid(relation.source)), None, self.limits.seconds
        )
        return digest(f"{self.place} {counts}") if kind in ("r", "p", "m") and self._address else None

    def row_sum(self, cells: list[exp.Expr]) -> exp.Expr | None:
        """A whole number made of all cells of a row."""
        row = exp.cast(exp.Anonymous(this="ROW", expressions=cells), "text")
        return exp.Anonymous(this="HASHTEXT", expressions=[row])

    def folded(self, text: exp.Expr) -> exp.Expr:
        """A text in small letters without accents; the language of the server knows more letters."""
        return super().folded(exp.Collate(this=text, expression=exp.to_identifier("default", quoted=True)))

    @contextlib.contextmanager
    def _reading(self, seconds: float | None) -> Iterator[Any]:
        """A cursor in a transaction that only reads, ends after some time, and leaves nothing behind."""
        with self._lock:
            if self._address and getattr(self._connection, "closed", False):
                self._connection = _connected(self._address)
            with self._complaints(seconds):
                self._check_idle()
                cursor = self._connection.cursor()
                try:
                    cursor.execute("BEGIN READ ONLY" if self._is_automatic else "SET TRANSACTION READ ONLY")
                    most = 0 if seconds is None or seconds == float("inf") else round(seconds * 1000)
                    cursor.execute(f"SET LOCAL statement_timeout = {most}")
                    cursor.execute("SET LOCAL TIME ZONE 'UTC'")
                    yield cursor
                finally:
                    with contextlib.suppress(Exception):
                        cursor.execute("ROLLBACK") if self._is_automatic else self._connection.rollback()
                        cursor.close()

    @property
    def _is_automatic(self) -> bool:
        """Whether every statement is a transaction of its own, unless one is begun."""
        return bool(getattr(self._connection, "autocommit", False))

    def _check_idle(self) -> None:
        status = getattr(getattr(self._connection, "info", None), "transaction_status", 0)
        if not self._connection.closed and int(status) in (
            1,
            2,
            3,
        ):  # at work, in a transaction, in a failed one
            raise EngineError(
                "the connection is in the middle of a transaction; commit it or roll it back first"
            )

    def _told(self, error: Exception, seconds: float | None) -> str:
        if getattr(error, "sqlstate", None) == _CANCELLED:
            return f"{self.place} took longer than {seconds:g} s; ask for less"
        if self._connection.closed:
            again = "ask again once it is back" if self._address else "connect again"
            return f"the connection to {self.place} was lost; {again}"
        return super()._told(error, seconds)


def _oid(source: exp.Expr) -> str:
    """A table as PostgreSQL's catalogues know it."""
    name = exp.Literal.string(source.sql(dialect="postgres")).sql("postgres")
    return f"CAST({name} AS regclass)"


def _connected(address: str) -> Any:
    try:
        import psycopg
    except ImportError:
        message = "PostgreSQL needs a package that is not installed; run: pip install '.[postgres]'"
        raise EngineError(message) from None
    try:
        return psycopg.connect(address, autocommit=True, connect_timeout=_CONNECT_SECONDS)
    except psycopg.Error as error:
        raise EngineError(f"cannot connect to {shown_address(address)}: {reason(error)}") from None
