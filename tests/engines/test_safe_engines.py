"""Nothing that stands in a table, a header or a question does anything in an engine but be read."""

import contextlib
import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlglot import exp, parse_one

from benchmarks import engine_servers
from benchmarks.engine_places import PLACES, is_there, put_in_postgres, put_in_sqlite, the_place
from neural_enquirer.engines.choosing import engine_of
from neural_enquirer.engines.duckdb import DuckDbEngine
from neural_enquirer.engines.engine import EngineError, Limits
from neural_enquirer.engines.opening import known_table
from neural_enquirer.engines.postgres import PostgresEngine, shown_address
from neural_enquirer.engines.spark import SparkEngine
from neural_enquirer.engines.sql_engine import SqlEngine
from neural_enquirer.engines.sqlite import SqliteEngine
from neural_enquirer.programs import parse, run
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Field,
    ProgramError,
    Where,
)
from neural_enquirer.tables import Table

NASTY = [
    "'; DROP TABLE nasty; --",
    '"; DELETE FROM nasty; --',
    "' OR '1'='1",
    "\\'; SELECT 1; --",
    "/* */ UNION SELECT 1",
    "SELECT",
    "ʼ; DROP TABLE nasty; --",
    "’ OR ’1’=’1",
    "100%_[a-z]*?",
    "{{x}} %s ? :a $1",
    "`; DROP TABLE nasty; `",
]
TABLE = Table.of(
    [{header: f"{header} {row}" for header in NASTY} | {"n": row} for row in range(3)], name="nasty"
)
COUNT = parse("count(rows())")
FOREVER = {
    "duckdb": "SELECT SUM(a.range * b.range) FROM range(10000000) AS a, range(1000000) AS b",
    "sqlite": "WITH RECURSIVE own(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM own) SELECT COUNT(*) FROM own",
}


@pytest.fixture(params=("memory", *PLACES), scope="module")
def there(request: pytest.FixtureRequest) -> Iterator[Table]:
    if request.param == "memory":
        yield TABLE
        return
    if not is_there(request.param):
        pytest.skip(f"needs {request.param}")
    with the_place(request.param) as put:
        (table,) = put([TABLE])
        yield table


@pytest.mark.parametrize("text", NASTY)
def test_values_and_headers_are_only_read(there: Table, text: str) -> None:
    own, engine = Field(text), engine_of(there)
    wanted = Compare(own, Comparison.EQUAL, Constant(f"{text} 1"))
    part = Compare(own, Comparison.CONTAINS, Constant(text))
    assert engine.run(Cells((own,), Where(All(), wanted)), [there]).values == (f"{text} 1",)
    assert engine.run(Aggregate(Aggregation.COUNT, None, Where(All(), part)), [there]).values == (3,)
    assert engine.find(there, [wanted], 5).row_count == 1
    assert engine.look_up(there, [own], [text.lower()], 5).row_count in (0, 3)
    assert engine.look_up(there, [own], [], 5, [f"{text} 1".lower()]).row_count == 1
    assert engine.run(COUNT, [there]).values == (3,)


@pytest.mark.parametrize(
    "sql", ["DROP TABLE a", "DELETE FROM a", "SELECT 1 INTO x", "SET x = 1", "INSERT INTO a SELECT 1"]
)
def test_only_what_reads_is_run(sql: str) -> None:
    with contextlib.closing(DuckDbEngine()) as engine:
        tree = parse_one(sql, dialect="duckdb")
        assert isinstance(tree, exp.Expression)
        with pytest.raises(EngineError, match="only what reads"):
            engine.select(tree)  # type: ignore[arg-type]


def test_sqlite_cannot_be_written_while_it_is_asked(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "own.db")
    put_in_sqlite(connection, TABLE)
    engine = SqliteEngine(connection)
    with pytest.raises(EngineError, match="readonly"):
        engine.fetch("DELETE FROM nasty", None, None)
    connection.execute("DELETE FROM nasty")  # its owner may
    connection.close()


def test_a_statement_that_takes_too_long_is_ended() -> None:
    forever = parse_one(FOREVER["duckdb"])
    with contextlib.closing(DuckDbEngine(Limits(seconds=0.2))) as engine:
        with pytest.raises(EngineError, match=r"longer than 0\.2 s"):
            engine.select(forever)  # type: ignore[arg-type]
        assert engine.fetch("SELECT 1", None, None) == [(1,)]
    with (
        contextlib.closing(sqlite3.connect(":memory:")) as connection,
        pytest.raises(EngineError, match=r"longer than 0\.2 s"),
    ):
        SqliteEngine(connection, Limits(seconds=0.2)).select(parse_one(FOREVER["sqlite"]))  # type: ignore[arg-type]


def _fetch_and_press(engine: SqlEngine, sql: str) -> None:
    pressed = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    pressed.start()
    try:
        engine.fetch(sql, None, 60)
    finally:
        pressed.join()


@pytest.mark.parametrize("name", FOREVER)
def test_ctrl_c_ends_a_statement_at_once_and_leaves_the_engine_usable(name: str) -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        engine = DuckDbEngine() if name == "duckdb" else SqliteEngine(connection)
        with pytest.raises(KeyboardInterrupt):
            _fetch_and_press(engine, FOREVER[name])
        assert engine.fetch("SELECT 1", None, None) == [(1,)]
        engine.close()


@pytest.mark.skipif(not engine_servers.has_spark(), reason="needs Spark and Java")
def test_spark_is_ended_as_well() -> None:
    session = engine_servers.spark_session()
    with contextlib.closing(SparkEngine(session, Limits(seconds=1.0))) as engine:
        forever = "SELECT SUM(a.id * b.id % 7) FROM RANGE(1000000000000) AS a CROSS JOIN RANGE(1000) AS b"
        with pytest.raises(EngineError, match="longer than 1 s"):
            engine.select(parse_one(forever, dialect="spark"))  # type: ignore[arg-type]
        assert engine.fetch("SELECT 1", None, None) == [(1,)]
        assert session.sparkContext.getLocalProperty("spark.jobGroup.id") is None


def test_an_answer_without_end_is_refused() -> None:
    with contextlib.closing(DuckDbEngine(Limits(rows=2))) as engine:
        table = known_table(engine, "nasty", engine.stored(TABLE))
        with pytest.raises(ProgramError, match="more than 2 values"):
            engine.run(parse("cells(n)"), [table])
        assert engine.run(COUNT, [table]).values == (3,)


def test_passwords_are_not_shown() -> None:
    shown = shown_address("postgresql://ann:pass:w@rd@host:5432/shop?password=again&sslmode=require")
    assert shown == "postgresql://ann@host:5432/shop"
    with pytest.raises(EngineError) as refused:
        PostgresEngine(address="postgresql://ann:secret@127.0.0.1:1/shop?password=secret")
    assert "secret" not in str(refused.value)


def test_a_table_that_is_gone_is_one_line(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "own.db")) as connection:
        put_in_sqlite(connection, TABLE)
        lite = SqliteEngine(connection)
        table = known_table(lite, "nasty", lite.table("nasty"))
    with pytest.raises(EngineError, match=r"^SQLite: Cannot operate on a closed database\.?$"):
        lite.run(COUNT, [table])
    path = tmp_path / "own.parquet"
    with contextlib.closing(DuckDbEngine()) as engine:
        engine.fetch(f"COPY (SELECT 1 AS n) TO '{path}' (FORMAT parquet)", None, None)
        table = known_table(engine, "own", engine.files([path], "Parquet"))
        path.unlink()
        with pytest.raises(EngineError, match=r"^DuckDB: No files found .*$"):
            engine.run(COUNT, [table])
    with pytest.raises(EngineError, match="closed; open it again"):
        engine.run(COUNT, [table])


@pytest.mark.skipif(not engine_servers.has_postgres(), reason="needs PostgreSQL")
def test_a_server_that_dies_is_one_line_and_loses_nothing() -> None:
    import psycopg

    with engine_servers.postgres() as server:
        put_in_postgres(server.address, TABLE)
        engine = PostgresEngine(address=server.address, limits=Limits(seconds=0.5))
        table = known_table(engine, "nasty", engine.table("nasty"))
        with pytest.raises(EngineError, match="read-only transaction"):
            engine.fetch("DELETE FROM nasty", None, None)
        with pytest.raises(EngineError, match=r"longer than 0\.5 s"):
            engine.fetch("SELECT pg_sleep(5)", None, 0.5)
        with pytest.raises(KeyboardInterrupt):
            _fetch_and_press(engine, "SELECT pg_sleep(60)")
        with psycopg.connect(server.address) as own:
            own.execute("CREATE TABLE half (a int)")
            with pytest.raises(EngineError, match="in the middle of a transaction"):
                PostgresEngine(own).tables()
            own.rollback()
            assert "nasty" in PostgresEngine(own).tables()
        server.kill()
        with pytest.raises(EngineError, match="was lost; ask again") as lost:
            engine.run(COUNT, [table])
        assert "secret" not in str(lost.value)
        with pytest.raises(EngineError, match="cannot connect"):
            engine.run(COUNT, [table])
        server.start()
        assert engine.run(COUNT, [table]).values == run(COUNT, [TABLE]).values
        engine.close()


@pytest.mark.skipif(not engine_servers.has_spark(), reason="needs Spark and Java")
def test_a_spark_session_that_ends_is_one_line_and_loses_nothing() -> None:
    session = engine_servers.spark_session()
    engine = SparkEngine(session)
    table = known_table(engine, "own", engine.frame(session.range(3).toDF("n")))
    session.stop()
    engine_servers.spark_session.cache_clear()
    with pytest.raises(EngineError, match=r"^the Spark session has ended; start it again, and ask again$"):
        engine.run(COUNT, [table])
    again = SparkEngine(engine_servers.spark_session())
    assert again.fetch("SELECT 1", None, None) == [(1,)]
