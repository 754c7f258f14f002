"""Spark: catalogue tables, data frames and paths, asked in a session that is there or that is started."""

import contextlib
import dataclasses
import itertools
import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlglot import exp

from neural_enquirer.engines.engine import LIMITS, Engine, EngineError, Limits
from neural_enquirer.engines.relations import Relation, columns_of
from neural_enquirer.engines.sql_engine import Record, SqlEngine
from neural_enquirer.engines.time_limit import ended_after
from neural_enquirer.tables.raw_table import reason

_READERS: Final = {
    "Parquet": ("parquet", {}),
    "CSV": ("csv", {"header": True, "inferSchema": True, "multiLine": True, "escape": '"'}),
    "TSV": ("csv", {"header": True, "inferSchema": True, "sep": "\t"}),
    "JSON": ("json", {}),
}


class SparkEngine(SqlEngine):
    """A Spark session. Data frames become temporary views, which are gone when it is closed."""

    dialect = "spark"

    def __init__(self, session: Any = None, limits: Limits = LIMITS) -> None:
        """Takes a session, or the one that runs, or starts one.

        Raises:
            EngineError: if Spark is not installed.
        """
        super().__init__(limits)
        self._session = session if session is not None else _session()
        self._views: list[str] = []
        self._numbers = itertools.count(1)

    def close(self) -> None:
        """Drops the views."""
        for view in self._views:
            with contextlib.suppress(Exception):
                self._session.catalog.dropTempView(view)
        self._views.clear()

    def is_beside(self, other: Engine) -> bool:
        """Whether the other has the same session."""
        return isinstance(other, SparkEngine) and other._session is self._session

    # Tables.

    def frame(self, frame: Any) -> Relation:
        """A data frame."""
        view = f"enquirer_{uuid.uuid4().hex[:8]}_{next(self._numbers)}"
        with self._complaints():
            frame.createOrReplaceTempView(view)
        self._views.append(view)
        return self._described(exp.table_(view, quoted=True))

    def table(self, name: str) -> Relation:
        """A table of the catalogue, with its schema and catalogue before it where that is needed."""
        *before, table = name.split(".")
        parts = [None, None, *before][-2:]
        return self._described(exp.table_(table, parts[1], parts[0], quoted=True))

    def files(self, paths: Sequence[Path], form: str) -> Relation:
        """Files of one kind, all rows of which make one table."""
        reader, options = _READERS[form]
        names = [str(path.absolute()) for path in paths]
        with self._complaints():
            frame = self._session.read.format(reader).options(**options).load(names)
        return dataclasses.replace(self.frame(frame), paths=tuple(paths))

    def _described(self, source: exp.Expr) -> Relation:
        with self._complaints():
            schema = self._session.table(source.sql("spark")).schema
        described = [(field.name, field.dataType.simpleString()) for field in schema.fields]
        return Relation(source, columns_of(described, "spark"))

    # Statements.

    def fetch(self, sql: str, most: int | None, seconds: float | None) -> list[Record]:
        """Runs one SELECT."""
        with self._complaints(), self._as_group() as stop, ended_after(seconds, stop, "Spark"):
            found = self._session.sql(sql)
            return [tuple(row) for row in (found.collect() if most is None else found.take(most))]

    @contextlib.contextmanager
    def _as_group(self) -> Iterator[Callable[[], object]]:
        """Makes all jobs of a statement a group, and gives what ends it."""
        context, name = self._session.sparkContext, f"enquirer-{uuid.uuid4().hex}"
        context.setJobGroup(name, "a question", interruptOnCancel=True)
        try:
            yield partial(context.cancelJobGroup, name)
        finally:
            for each in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
                with contextlib.suppress(Exception):  # of a session that has ended
                    context.setLocalProperty(each, None)

    def row_sum(self, cells: list[exp.Expr]) -> exp.Expr | None:
        """A whole number made of all cells of a row."""
        return exp.Anonymous(this="XXHASH64", expressions=cells)

    @contextlib.contextmanager
    def _complaints(self) -> Iterator[None]:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            yield
        except EngineError:
            raise
        except Exception as error:
            if self._is_lost():
                raise EngineError("the Spark session has ended; start it again, and ask again") from None
            if isinstance(error, Py4JError | PySparkException):
                raise EngineError(f"Spark: {reason(error)}") from None
            raise

    def _is_lost(self) -> bool:
        try:
            return bool(self._session.sparkContext._jsc.sc().isStopped())
        except Exception:
            return True


def _session() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        message = "Spark needs a package that is not installed; run: pip install '.[spark]'"
        raise EngineError(message) from None
    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    try:
        builder = SparkSession.builder.appName("enquirer")
        for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
            builder = builder.config(name, "false")
        return builder.config("spark.log.level", "ERROR").getOrCreate()
    except Exception as error:  # without a Java runtime it fails in many ways
        raise EngineError(f"Spark cannot be started: {reason(error)}; it needs a Java runtime") from None
