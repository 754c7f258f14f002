"""Which engine opens what, and what it keeps of it."""

import contextlib
import datetime
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from benchmarks import engine_servers
from benchmarks.engine_places import put_in_postgres, put_in_sqlite
from neural_enquirer.engines import addresses, opening, profiling, stamps
from neural_enquirer.engines.addresses import DUCKDB, MEMORY
from neural_enquirer.engines.choosing import engine_of, open_object, open_sources
from neural_enquirer.engines.engine import EngineError
from neural_enquirer.engines.known import MOST_LISTED, EngineTable
from neural_enquirer.engines.sqlite import SqliteEngine
from neural_enquirer.programs import parse
from neural_enquirer.programs.language import Field
from neural_enquirer.tables import FieldType, Table, TableError

ROWS = 12_000
COUNT = parse("count(rows())")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return stamps.cache_folder() / "profiles"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every file a large one."""
    monkeypatch.setattr(addresses, "LARGE_BYTES", 0)


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    return _parquet(tmp_path / "orders.parquet")


def _parquet(path: Path, rows: int = ROWS) -> Path:
    cells = "range AS id, ['Rome', 'Oslo'][1 + range % 2] AS city, 'customer ' || range AS customer"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT {cells} FROM range({rows})) TO '{path}' (FORMAT parquet)")
    return path


def _secret(folder: Path) -> Path:
    path = folder / "secret.csv"
    path.write_text("password\nx\n")
    return path


def _elsewhere(table: Table) -> EngineTable:
    assert isinstance(table, EngineTable)
    return table


def _count(table: Table) -> object:
    return engine_of(table).run(COUNT, [table]).values


def test_small_files_are_read_and_large_ones_are_not(parquet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not open_sources([str(parquet)])[0].is_elsewhere
    monkeypatch.setattr(addresses, "LARGE_BYTES", 0)
    (table,) = open_sources([str(parquet)])
    assert table.is_elsewhere
    assert (table.name, table.rows_there, _count(table)) == ("orders", ROWS, (ROWS,))
    assert not open_sources([str(parquet)], MEMORY)[0].is_elsewhere


def test_a_small_file_in_duckdb_has_the_fields_that_it_has_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    path.write_text('runner,"distance, run",fee,day\nAda,5km,$20,12/31/2024\nBo,800m,n/a,1/2/2025\n')
    (near,), (far,) = open_sources([str(path)], MEMORY), open_sources([str(path)], DUCKDB)
    assert far.is_elsewhere
    assert (far.fields, far.texts) == (near.fields, near.texts)
    assert [far.reading(1).unit, far.columns[2]] == [near.reading(1).unit, near.columns[2]]  # type: ignore[union-attr]


def test_small_files_need_nothing_of_the_engines(tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text("a\n1\n")
    code = f"""
import sys
from neural_enquirer.asking.sources import read_sources
read_sources([{str(tmp_path / "small.csv")!r}])
print(*{{"sqlglot", "duckdb", "pyarrow"}} & set(sys.modules))
"""
    assert _printed_by(code).split() == []


def test_duckdb_asks_small_files_without_pyarrow(tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text(f"day,huge\n2024-01-31,{2**80}\n2024-02-01,7\n")
    code = f"""
import sys
sys.modules["pyarrow"] = None
from neural_enquirer.engines.choosing import engine_of, open_sources
from neural_enquirer.programs import parse
from neural_enquirer.programs.language import Field
(table,) = open_sources([{str(tmp_path / "small.csv")!r}], "duckdb")
for program in ("cells(day, largest(huge))", "sum(huge)"):
    print(*engine_of(table).run(parse(program), [table]).values)
"""
    assert _printed_by(code).split() == ["2024-01-31", str(2**80 + 7)]


def _printed_by(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


@pytest.mark.usefixtures("large")
def test_files_of_a_pattern_are_one_table(tmp_path: Path) -> None:
    for number in (1, 2):
        _parquet(tmp_path / f"part-{number}.parquet", 10)
        (tmp_path / f"day-{number}.csv").write_text(f"name,n\nann,{number}\nbob,\n")
    parts, days = (open_sources([str(tmp_path / pattern)])[0] for pattern in ("part-*.parquet", "day-*.csv"))
    assert (_count(parts), _count(days), parts.name) == ((20,), (4,), "part")
    assert engine_of(days).run(parse("sum(n)"), [days]).values == (3,)


@pytest.mark.usefixtures("large")
def test_databases_are_asked_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "own.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA s; CREATE TABLE s.a AS SELECT 1 AS n")
        connection.execute("CREATE TABLE b AS SELECT 2 AS n")
        connection.execute(f"CREATE VIEW peeking AS SELECT * FROM read_csv('{_secret(tmp_path)}')")
    with contextlib.closing(sqlite3.connect(tmp_path / "own.db")) as lite:
        put_in_sqlite(lite, Table.of([{"n": 3, "day": datetime.date(2024, 1, 1)}], name="c"))
    first, second = open_sources([f"{path}::s.a", f"{path}::b"])
    assert engine_of(first) is engine_of(second)
    assert [engine_of(one).run(parse("sum(n)"), [one]).values for one in (first, second)] == [(1,), (2,)]
    (third,) = open_sources([f"{tmp_path / 'own.db'}::c"])
    assert isinstance(engine_of(third), SqliteEngine)
    assert (third.fields[1].type, _count(third)) == (FieldType.DATE, (1,))
    with pytest.raises(EngineError, match="file system operations are disabled"):
        open_sources([f"{path}::peeking"])
    with pytest.raises(TableError, match=r"own\.duckdb::b"):
        open_sources([str(path)])


@pytest.mark.usefixtures("large")
def test_what_was_found_out_is_kept_until_the_file_changes(
    parquet: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _elsewhere(open_sources([str(parquet)])[0])
    assert len(list(cache.iterdir())) == 1
    with monkeypatch.context() as patch:
        patch.setattr(opening, "know", lambda *_: pytest.fail("it was kept"))
        again = _elsewhere(open_sources([str(parquet)])[0])
    assert again.known == first.known
    _parquet(parquet, ROWS + 1)
    assert open_sources([str(parquet)])[0].rows_there == ROWS + 1
    for kept in cache.iterdir():
        kept.write_bytes(b"damaged")
    assert open_sources([str(parquet)])[0].rows_there == ROWS + 1


@pytest.mark.usefixtures("large")
def test_values_are_listed_up_to_a_bound(parquet: Path) -> None:
    table = _elsewhere(open_sources([str(parquet)])[0])
    _, city, customer = table.known.fields
    assert ROWS > MOST_LISTED
    assert (city.listed, customer.listed) == (("Oslo", "Rome"), None)
    assert city.distinct == 2
    assert abs(customer.distinct - ROWS) < ROWS / 5


@pytest.mark.usefixtures("large")
def test_values_of_all_fields_are_listed_up_to_a_bound(
    parquet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiling, "MOST_LETTERS_TOGETHER", 7)  # Oslo and Rome have eight
    table = _elsewhere(open_sources([str(parquet)])[0])
    assert (table.known.fields[1].listed, table.known.fields[1].distinct) == (None, 2)
    found = table.engine.look_up(table, [Field("city")], ["osl"], 3)
    assert set(found.column("city")) == {"Oslo"}


def test_a_column_is_read_as_its_cells_are() -> None:
    moments = [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 2), None]
    east = datetime.timezone(datetime.timedelta(hours=2))
    zoned = [datetime.datetime(2024, 1, 1, 1, tzinfo=east), None, None]
    frame = pa.table(
        {
            "text": [" a ", "N/A", "b"],
            "truth": [True, False, None],
            "real": [1.5, float("nan"), float("inf")],
            "day": pa.array(moments, pa.timestamp("us")),
            "moment": pa.array(zoned, pa.timestamp("us", "Europe/Oslo")),
            "list": [[1, 2], None, [3]],
        }
    )
    with duckdb.connect() as connection:
        table = _elsewhere(open_object(connection.from_arrow(frame)))
    text, truth, real, day, moment, nested = table.columns
    assert (text, truth, real) == (("a", None, "b"), ("true", "false", None), (1.5, None, None))
    assert (day[0], moment[0]) == (datetime.date(2024, 1, 1), datetime.datetime(2023, 12, 31, 23))
    assert nested[0] == "[1, 2]"


def test_what_a_program_has_at_hand_is_asked_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("SELECT range AS n FROM range(5)")
        assert _count(open_object(relation)) == (5,)
        assert connection.sql("SELECT COUNT(*) FROM duckdb_views() WHERE NOT internal").fetchall() == [(0,)]
    with contextlib.closing(sqlite3.connect(":memory:")) as lite:
        put_in_sqlite(lite, Table.of([{"n": 3}], name="own table"))
        assert _count(open_object((lite, "own table"))) == (1,)
        with pytest.raises(EngineError, match="no table 'other'"):
            open_object((lite, "other"))
    monkeypatch.setattr(addresses, "LARGE_CELLS", 3)
    assert open_object(pa.table({"n": [1, 2, 3, 4]})).is_elsewhere
    polars = pytest.importorskip("polars")
    assert _count(open_object(polars.DataFrame({"n": [1, 2, 3, 4]}))) == (4,)


@pytest.mark.skipif(not engine_servers.has_postgres(), reason="needs PostgreSQL")
def test_an_address_of_a_database() -> None:
    import psycopg

    with engine_servers.postgres() as server:
        put_in_postgres(server.address, Table.of([{"n": 2}, {"n": 1}], name="own"))
        (table,) = open_sources([server.address])
        assert _count(table) == (2,)
        with psycopg.connect(server.address, autocommit=True) as connection:
            connection.execute("CREATE TABLE keyed (k int PRIMARY KEY, who text)")
            connection.execute("INSERT INTO keyed VALUES (3, 'c'), (1, 'a'), (2, 'b')")
        (keyed,) = open_sources([f"{server.address}::keyed"])
        assert engine_of(keyed).run(parse("cells(who, last())"), [keyed]).values == ("c",)
        assert engine_of(keyed).run(parse("cells(who, next(rows(who = a)))"), [keyed]).values == ("b",)
        with pytest.raises(TableError, match="::keyed") as unsaid:
            open_sources([server.address])
        assert "secret" not in str(unsaid.value)
        with pytest.raises(EngineError, match="database itself"):
            open_sources([f"{server.address}::own"], MEMORY)


@pytest.mark.skipif(not engine_servers.has_spark(), reason="needs Spark and Java")
def test_spark_takes_paths_and_tables_of_its_catalogue(parquet: Path) -> None:
    session = engine_servers.spark_session()
    session.read.parquet(os.fspath(parquet)).createOrReplaceTempView("orders_view")
    for source in (str(parquet), "orders_view"):
        (table,) = open_sources([source], "spark")
        assert _count(table) == (ROWS,)
    assert _count(open_object(session.range(7).toDF("n"))) == (7,)
