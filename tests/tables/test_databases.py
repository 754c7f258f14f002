"""Tables of SQLite and DuckDB files."""

import contextlib
import datetime
import sqlite3
from pathlib import Path

import duckdb
import pytest
from written_files import written

from neural_enquirer.tables import Table, TableError


def database(path: Path, *tables: str) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table in tables:
            connection.execute(f'CREATE TABLE "{table}" (city TEXT, year INTEGER, area REAL)')
            connection.execute(f'INSERT INTO "{table}" VALUES (?, ?, ?)', (f"{table} city", 2004, None))
        connection.commit()
    return path


class TestSqlite:
    def test_named_table(self, tmp_path: Path) -> None:
        table = Table.read(f"{database(tmp_path / 'a.db', 'one', 'two')}::two")
        assert (table.name, table.row(0)) == ("two", ("two city", 2004, None))

    def test_only_table_needs_no_name(self, tmp_path: Path) -> None:
        assert Table.read(database(tmp_path / "a.db", "one")).name == "one"

    def test_several_tables_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(TableError, match=r"2 tables; choose one of a\.db::one, a\.db::two"):
            Table.read(database(tmp_path / "a.db", "one", "two"))

    def test_unknown_table(self, tmp_path: Path) -> None:
        with pytest.raises(TableError, match=r"no table 'three'.*a\.db::one"):
            Table.read(f"{database(tmp_path / 'a.db', 'one')}::three")

    def test_name_is_quoted_not_run(self, tmp_path: Path) -> None:
        name = 'x" ; DROP TABLE one; --'
        path = database(tmp_path / "odd ?#%.db", "one")
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute('CREATE TABLE [x" ; DROP TABLE one; --] (a)')
        assert Table.read(f"{path}::{name}").row_count == 0
        assert Table.read(f"{path}::one").row_count == 1

    def test_no_tables_and_no_database(self, tmp_path: Path) -> None:
        with pytest.raises(TableError, match="not a SQLite file"):
            Table.read(written(tmp_path, "a.db", "plain text"))
        path = database(tmp_path / "b.db", "one")
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("DROP TABLE one")
        with pytest.raises(TableError, match="holds no table"):
            Table.read(path)

    def test_corrupted_database(self, tmp_path: Path) -> None:
        path = database(tmp_path / "a.db", "one")
        path.write_bytes(path.read_bytes()[:100] + b"\xff" * 4000)
        with pytest.raises(TableError, match="cannot be read as SQLite"):
            Table.read(path)

    def test_table_of_a_file_without_tables(self, tmp_path: Path) -> None:
        path = written(tmp_path, "a.csv", "a\n1\n")
        with pytest.raises(TableError, match="leave out '::x'"):
            Table.read(f"{path}::x")


def duckdb_file(path: Path, *statements: str) -> Path:
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path


class TestDuckdb:
    ORDERS = (
        "CREATE TABLE orders AS SELECT 21 AS number, DATE '2004-08-13' AS day, 1.50::DECIMAL(9, 2) AS cost"
    )
    VIEW = "CREATE VIEW days AS SELECT day FROM orders"

    def test_named_table_and_view(self, tmp_path: Path) -> None:
        path = duckdb_file(tmp_path / "a.duckdb", self.ORDERS, self.VIEW)
        day = datetime.date(2004, 8, 13)
        table = Table.read(f"{path}::orders")
        assert (table.name, table.row(0)) == ("orders", (21, day, 1.5))
        assert Table.read(f"{path}::days").row(0) == (day,)

    def test_only_table_needs_no_name(self, tmp_path: Path) -> None:
        path = duckdb_file(tmp_path / "a.db", self.ORDERS)  # its content outweighs its name
        assert Table.read(path).name == "orders"

    def test_tables_that_are_there_are_named(self, tmp_path: Path) -> None:
        path = duckdb_file(
            tmp_path / "a.duckdb",
            self.ORDERS,
            self.VIEW,
            "CREATE SCHEMA old",
            "CREATE TABLE old.orders (a INT)",
        )
        known = r"choose one of a\.duckdb::days, a\.duckdb::old\.orders, a\.duckdb::orders$"
        with pytest.raises(TableError, match=f"holds 3 tables; {known}"):
            Table.read(path)
        with pytest.raises(TableError, match=f"holds no table 'order'; {known}"):
            Table.read(f"{path}::order")
        assert Table.read(f"{path}::old.orders").field_names == ("a",)

    def test_is_not_changed_and_reads_no_other_file(self, tmp_path: Path) -> None:
        secret = written(tmp_path, "secret.csv", "a\nx\n")
        view = f"CREATE VIEW evil AS SELECT * FROM read_csv('{secret}')"
        path = duckdb_file(tmp_path / "a.duckdb", self.ORDERS, view)
        before = path.read_bytes()
        with pytest.raises(TableError, match=r"a\.duckdb cannot be read as DuckDB: Cannot access file"):
            Table.read(f"{path}::evil")
        Table.read(f"{path}::orders")
        assert path.read_bytes() == before
        assert sorted(file.name for file in tmp_path.iterdir()) == ["a.duckdb", "secret.csv"]

    def test_odd_names(self, tmp_path: Path) -> None:
        path = duckdb_file(tmp_path / "a.duckdb", 'CREATE TABLE "x"" . y; --" AS SELECT 1 AS "a b"')
        assert Table.read(f'{path}::x" . y; --').columns == ((1,),)

    def test_moments_of_any_grain(self, tmp_path: Path) -> None:
        moments = "CREATE TABLE t AS SELECT '2004-08-13 20:45:00.123456789'::TIMESTAMP_NS AS a"
        table = Table.read(duckdb_file(tmp_path / "a.duckdb", moments))
        assert table.column("a") == (datetime.datetime(2004, 8, 13, 20, 45, 0, 123456),)

    def test_no_tables_and_a_broken_file(self, tmp_path: Path) -> None:
        path = duckdb_file(tmp_path / "a.duckdb", "CREATE TABLE t (a INT)", "DROP TABLE t")
        with pytest.raises(TableError, match="holds no table"):
            Table.read(path)
        path.write_bytes(path.read_bytes()[:600])
        with pytest.raises(TableError, match=r"a\.duckdb cannot be read as DuckDB") as caught:
            Table.read(path)
        assert "\n" not in str(caught.value)
