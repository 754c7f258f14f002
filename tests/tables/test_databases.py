"""Tables of SQLite files."""

import contextlib
import sqlite3
from pathlib import Path

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
