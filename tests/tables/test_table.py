import contextlib
import datetime
import decimal
import gzip
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neural_enquirer.tables import Field, FieldType, Table, TableError, TableWarning

DAY = datetime.date(2004, 8, 13)
MOMENT = datetime.datetime(2004, 8, 13, 20, 45)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def database(path: Path, *tables: str) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for table in tables:
            connection.execute(f'CREATE TABLE "{table}" (city TEXT, year INTEGER, area REAL)')
            connection.execute(f'INSERT INTO "{table}" VALUES (?, ?, ?)', (f"{table} city", 2004, None))
        connection.commit()
    return path


def types(table: Table) -> dict[str, FieldType]:
    return {field.name: field.type for field in table.fields}


def column_of(*cells: object) -> tuple[FieldType, tuple[object, ...]]:
    table = Table.of([{"a": cell} for cell in cells])
    return table.fields[0].type, table.columns[0]


class TestFormats:
    GAMES = 'city,year,opened,size\nAthens,2004,2004-08-13,"3,500"\nSydney,2000,2000-09-15,900\n'
    EXPECTED = Table(
        (
            Field("city", FieldType.TEXT),
            Field("year", FieldType.NUMBER),
            Field("opened", FieldType.DATE),
            Field("size", FieldType.NUMBER),
        ),
        (("Athens", "Sydney"), (2004, 2000), (DAY, datetime.date(2000, 9, 15)), (3500, 900)),
        "games",
    )

    def test_csv(self, tmp_path: Path) -> None:
        table = Table.read(written(tmp_path, "games.csv", self.GAMES))
        assert table == self.EXPECTED
        assert table.text(0, 3) == "3,500"

    def test_tsv_and_its_commas(self, tmp_path: Path) -> None:
        tabs = self.GAMES.replace('"3,500"', "3;500").replace(",", "\t").replace(";", ",")
        assert Table.read(written(tmp_path, "games.tsv", tabs)) == self.EXPECTED

    @pytest.mark.parametrize("name", ["games.json", "games.jsonl", "games"])
    @pytest.mark.parametrize("as_lines", [True, False])
    def test_json(self, tmp_path: Path, name: str, as_lines: bool) -> None:
        records = [
            {"city": "Athens", "year": 2004, "opened": "2004-08-13", "size": "3,500"},
            {"city": "Sydney", "year": 2000, "opened": "2000-09-15", "size": 900},
        ]
        text = "\n".join(map(json.dumps, records)) if as_lines else json.dumps(records, indent=1)
        table = Table.read(written(tmp_path, name, text))
        assert table == self.EXPECTED
        assert (table.text(0, 3), table.text(1, 3)) == ("3,500", "900")

    def test_parquet(self, tmp_path: Path) -> None:
        pa.parquet.write_table(self.EXPECTED.to_arrow(), tmp_path / "games.parquet")
        assert Table.read(tmp_path / "games.parquet") == self.EXPECTED

    def test_gzipped_csv(self, tmp_path: Path) -> None:
        path = written(tmp_path, "games.csv.gz", gzip.compress(self.GAMES.encode()))
        assert Table.read(path).columns == self.EXPECTED.columns

    def test_content_outweighs_the_name(self, tmp_path: Path) -> None:
        pa.parquet.write_table(self.EXPECTED.to_arrow(), tmp_path / "games.csv")
        assert Table.read(tmp_path / "games.csv") == self.EXPECTED

    @pytest.mark.parametrize("separator", [";", "|", "\t"])
    def test_other_separators_in_csv(self, tmp_path: Path, separator: str) -> None:
        text = self.GAMES.replace('"3,500"', "3500").replace(",", separator)
        assert Table.read(written(tmp_path, "games.csv", text)) == self.EXPECTED

    @pytest.mark.parametrize("form", ["csv", "tsv", "json", "parquet"])
    def test_standard_input(self, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        content = {
            "csv": b"city,year\nAthens,2004\nSydney,2000\n",
            "tsv": b"city\tyear\nAthens\t2004\nSydney\t2000\n",
            "json": b'[{"city": "Athens", "year": 2004}, {"city": "Sydney", "year": 2000}]',
        }
        if form == "parquet":
            pa.parquet.write_table(
                pa.table({"city": ["Athens", "Sydney"], "year": [2004, 2000]}), tmp_path / "p"
            )
            content["parquet"] = (tmp_path / "p").read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content[form])))
        table = Table.read("-")
        assert table.field_names == ("city", "year")
        assert table.row(0) == ("Athens", 2004)

    def test_empty_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        with pytest.raises(TableError, match="standard input is empty"):
            Table.read("-")


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


class TestObjects:
    def test_pandas(self) -> None:
        frame = pd.DataFrame(
            {
                "city": ["Athens", None],
                "size": [3.0, float("nan")],
                "opened": [pd.Timestamp(2004, 8, 13), pd.NaT],
                "count": pd.array([1, None], dtype="Int64"),
                "mixed": [1, "x"],
                7: [True, False],
            },
        )
        table = Table.of(frame)
        assert table.field_names == ("city", "size", "opened", "count", "mixed", "7")
        assert table.row(0) == ("Athens", 3, DAY, 1, "1", "true")
        assert table.row(1) == (None, None, None, None, "x", "false")
        assert table.text(0, 1) == "3"
        assert table.text(0, 2) == "2004-08-13"

    def test_pandas_zones_become_utc(self) -> None:
        table = Table.of(pd.DataFrame({"t": [pd.Timestamp("2004-08-13 22:45", tz="Europe/Berlin")]}))
        assert table.column("t") == (MOMENT,)
        assert type(table.column("t")[0]) is datetime.datetime

    def test_arrow(self) -> None:
        table = Table.of(
            pa.table(
                {
                    "d": pa.array([decimal.Decimal("1.50")]),
                    "t": pa.array([MOMENT], pa.timestamp("us", tz="UTC")),
                    "l": pa.array([[1, 2]]),
                }
            )
        )
        assert table.row(0) == (1.5, MOMENT, "[1, 2]")

    def test_list_of_dicts_with_gaps(self) -> None:
        table = Table.of([{"a": 1}, {"b": "x", "a": None}], name="gaps")
        assert (table.name, table.field_names) == ("gaps", ("a", "b"))
        assert table.columns == ((1, None), (None, "x"))

    def test_path_and_table(self, tmp_path: Path) -> None:
        path = written(tmp_path, "a.csv", "a\nx\n")
        assert Table.of(str(path)) == Table.of(path)
        table = Table.of(path)
        assert Table.of(table) is table

    def test_pandas_index(self) -> None:
        plain = pd.DataFrame({"size": [3, 4]})
        assert Table.of(plain).field_names == ("size",)
        named = Table.of(plain.set_index(pd.RangeIndex(2000, 2008, 4, name="year")))
        assert (named.field_names, named.row(1)) == (("year", "size"), (2004, 4))
        unnamed = Table.of(plain.set_index(pd.Index(["Athens", "Rome"])))
        assert (unnamed.field_names, unnamed.row(1)) == (("index", "size"), ("Rome", 4))
        levels = pd.MultiIndex.from_tuples([("Athens", 2004), ("Rome", 1960)], names=["city", None])
        several = Table.of(plain.set_index(levels))
        assert (several.field_names, several.row(0)) == (("city", "index 2", "size"), ("Athens", 2004, 3))

    def test_pandas_series_and_levels_of_headers(self) -> None:
        sizes = pd.DataFrame({"city": ["Athens", "Athens", "Rome"], "size": [1, 2, 4]}).groupby("city")[
            "size"
        ]
        assert Table.of(sizes.sum()).columns == (("Athens", "Rome"), (3, 4))
        assert Table.of(pd.Series([1, 2])).field_names == ("value",)
        both = sizes.agg(["min", "max"])
        both.columns = pd.MultiIndex.from_product([["size"], both.columns])
        assert Table.of(both).field_names == ("city", "size min", "size max")

    def test_dict_of_columns(self) -> None:
        table = Table.of({"city": ["Athens", "Rome"], "size": np.array([3, 4]), 7: pd.Series([1, None])})
        assert table.field_names == ("city", "size", "7")
        assert table.row(1) == ("Rome", 4, None)

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"a": [1], "b": [1, 2]}, "same number of cells: 'a' has 1, 'b' has 2"),
            ({"a": 1}, "'a' has an int"),
            ({"a": "xyz"}, "'a' has a str"),
        ],
    )
    def test_dict_of_something_else(self, columns: object, message: str) -> None:
        with pytest.raises(TableError, match=message):
            Table.of(columns)

    def test_text_instead_of_a_path(self) -> None:
        text = "city,size\nAthens,3\n"
        with pytest.raises(TableError, match=r"pass a file, or io\.StringIO\(text\)"):
            Table.of(text)
        for opened in (
            io.StringIO(text),
            io.BytesIO(text.encode()),
            io.StringIO('[{"city": "Athens", "size": 3}]'),
        ):
            table = Table.of(opened, name="cities")
            assert (table.name, table.field_names, table.row(0)) == (
                "cities",
                ("city", "size"),
                ("Athens", 3),
            )

    @pytest.mark.parametrize(
        ("source", "message"),
        [(3, "an int is not a table"), ([1, 2], "a list is"), (None, "a NoneType is"), (1.5, "a float is")],
    )
    def test_no_table(self, source: object, message: str) -> None:
        with pytest.raises(TableError, match=message):
            Table.of(source)

    def test_empty_list(self) -> None:
        with pytest.raises(TableError, match="no columns"):
            Table.of([])


class TestTyping:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("3,500", 3500),
            ("1,234.5", 1234.5),
            ("12,345,678", 12345678),
            ("0", 0),
            ("-7", -7),
            ("−7", -7),
            ("+3", 3),
            (".5", 0.5),
            ("0.50", 0.5),
            ("1e3", 1000.0),
            (" 42 ", 42),
            ("123456789012345678901", 123456789012345678901),
        ],
    )
    def test_numbers(self, text: str, value: float) -> None:
        table = Table.of([{"a": text}])
        assert table.fields[0].type is FieldType.NUMBER
        assert table.column("a") == (value,)
        assert table.text(0, 0) == text.strip()

    @pytest.mark.parametrize(
        "text",
        [
            "1,2",
            "02134",
            "1,23,456",
            "3,5000",
            "0,500",
            "1.2.3",
            "5%",
            "$5",
            "1 000",
            "1e999",
            "inf",
            "½",
            "٣",
            "1-2",
        ],
    )
    def test_what_is_no_number(self, text: str) -> None:
        assert column_of(text, "7") == (FieldType.TEXT, (text, "7"))

    @pytest.mark.parametrize(
        "cells", [["7", "1,000", ""], ["2004-08-13", "-"], ["$5", "$6"], ["a", "7", None]]
    )
    def test_cells_that_recur_are_read_alike(self, cells: list[str | None]) -> None:
        kind, values = column_of(*cells)
        assert column_of(*cells * 5) == (kind, values * 5)

    def test_one_word_makes_a_column_text(self) -> None:
        assert column_of("3,500", 900, "many") == (FieldType.TEXT, ("3,500", "900", "many"))

    def test_written_and_real_numbers_mix(self) -> None:
        assert column_of("3,500", 900, 1.5) == (FieldType.NUMBER, (3500, 900, 1.5))

    @pytest.mark.parametrize("gap", ["", "NA", "n/a", "null", "-", "—", None, float("nan"), " "])
    def test_gaps_among_numbers_and_dates(self, gap: object) -> None:
        assert column_of(1, gap) == (FieldType.NUMBER, (1, None))
        assert column_of("2004-08-13", gap) == (FieldType.DATE, (DAY, None))

    def test_gaps_among_text_keep_words(self) -> None:
        cells = column_of("DE", "NA", "-", "None", "", "N/A", "null", None)[1]
        assert cells == ("DE", "NA", "-", "None", None, None, None, None)

    def test_none_is_a_word_among_text_only(self) -> None:
        assert column_of("attached", "none", "carport")[1] == ("attached", "none", "carport")
        assert column_of("2", "none", "1") == (FieldType.NUMBER, (2, None, 1))

    @pytest.mark.parametrize(
        ("cells", "values"),
        [
            (["1.250,00", "928,20"], (1250, 928.2)),
            (["1.250,00 €", "928,20 €", "1.000 €"], (1250, 928.2, 1000)),
            (["0,5", "1", "2,5", "-"], (0.5, 1, 2.5, None)),
            (["-1.234.567,8"], (-1234567.8,)),
        ],
    )
    def test_decimal_commas(self, cells: list[str], values: tuple[float, ...]) -> None:
        with pytest.warns(TableWarning, match="field 'a': the comma is read as the decimal mark"):
            table = Table.of([{"a": cell} for cell in cells])
        assert (table.fields[0].type, table.columns[0]) == (FieldType.NUMBER, values)
        assert table.text(0, 0) == cells[0]

    @pytest.mark.parametrize(
        ("cells", "values"),
        [
            (["1,250"], (1250,)),
            (["1.250"], (1.25,)),
            (["1,250", "1.250"], (1250, 1.25)),
            (["1,2", "7"], ("1,2", "7")),
            (["1,2,3", "2,4", "5,6"], ("1,2,3", "2,4", "5,6")),
        ],
    )
    def test_english_numbers_and_lists_stay(self, cells: list[str], values: tuple[object, ...]) -> None:
        assert column_of(*cells)[1] == values

    @pytest.mark.parametrize("cells", [["5 km", "800 m"], ["$5", "6 €", None], ["3 kg", "200 g", "-"]])
    def test_mixed_units_are_said(self, cells: list[str]) -> None:
        with pytest.warns(TableWarning, match="field 'a' looks like numbers but is read as text"):
            assert column_of(*cells)[0] is FieldType.TEXT

    @pytest.mark.parametrize(
        "cells",
        [
            ["12 Main Street", "14 Oak Road"],
            ["5 apples", "3 pears"],
            ["3 h", "20 min"],
            ["5 m", "long"],
            ["7", "8 th", "x"],
            ["02134", "10001"],
        ],
    )
    def test_other_text_is_read_without_a_word(self, cells: list[str]) -> None:
        assert column_of(*cells) == (FieldType.TEXT, tuple(cells))

    def test_missing_cell_has_no_text(self) -> None:
        assert Table.of([{"a": 1}, {"a": "NA"}]).text(1, 0) == ""

    def test_nothing_but_gaps_is_text(self) -> None:
        assert column_of(None, "") == (FieldType.TEXT, (None, None))

    @pytest.mark.parametrize(
        "text",
        [
            "2004-08-13",
            "2004/08/13",
            "13.08.2004",
            "13 August 2004",
            "13 august 2004",
            "August 13, 2004",
            "Aug 13, 2004",
            "08/13/2004",
            "13/08/2004",
            "2004-8-13",
            "13-Aug-2004",
            "2004-08-13 00:00:00",
        ],
    )
    def test_dates(self, text: str) -> None:
        table = Table.of([{"a": text}])
        assert table.fields[0].type is FieldType.DATE
        assert table.column("a") == (DAY,)
        assert table.text(0, 0) == text

    @pytest.mark.parametrize(
        "text", ["2004-08-13 20:45", "2004-08-13T20:45:00Z", "2004-08-13T22:45:00+02:00"]
    )
    def test_moments(self, text: str) -> None:
        assert column_of(text) == (FieldType.DATE, (MOMENT,))

    def test_days_among_moments_compare(self) -> None:
        cells = column_of("2004-08-13", "2004-08-13 20:45")[1]
        assert cells == (datetime.datetime(2004, 8, 13), MOMENT)

    @pytest.mark.parametrize(
        "text", ["2004-02-30", "13/13/2004", "August 2004", "3/4/04", "1 2004 x", "2004 Games"]
    )
    def test_what_is_no_date(self, text: str) -> None:
        assert column_of(text)[0] is FieldType.TEXT

    def test_one_cell_settles_the_order_of_day_and_month(self) -> None:
        assert column_of("03/04/2004", "13/04/2004")[1][0] == datetime.date(2004, 4, 3)
        assert column_of("03/04/2004", "04/13/2004")[1][0] == datetime.date(2004, 3, 4)

    def test_open_order_of_day_and_month_is_said(self) -> None:
        with pytest.warns(
            TableWarning, match="field 'a': dates such as 03/04/2004 are read as month/day/year"
        ):
            assert column_of("03/04/2004")[1] == (datetime.date(2004, 3, 4),)


class TestHeaders:
    def test_blank_and_double_headers(self, tmp_path: Path) -> None:
        path = written(tmp_path, "a.csv", "city,,City,city (2)\nAthens,1,2,3\n")
        with pytest.warns(TableWarning) as caught:
            table = Table.read(path)
        assert table.field_names == ("city", "column 2", "City (3)", "city (2)")
        assert "a blank header in column 2 is now 'column 2'" in str(caught[0].message)
        assert "the double header 'City' in column 3 is now 'City (3)'" in str(caught[0].message)

    def test_blank_header_beside_its_new_name(self) -> None:
        with pytest.warns(TableWarning):
            assert Table.of([{"": 1, "column 1": 2}]).field_names == ("column 1 (2)", "column 1")

    def test_headers_are_one_line(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.csv", '"host\n city" ,b\nx,y\n')).field_names == (
            "host city",
            "b",
        )

    def test_years_as_headers(self, tmp_path: Path) -> None:
        table = Table.read(written(tmp_path, "a.csv", "city,2000,2004\nAthens,1,2\nParis,3,4\n"))
        assert table.field_names == ("city", "2000", "2004")

    @pytest.mark.parametrize("text", ["1,2,3\n4,5,6\n", "Athens,2004\nSydney,2000\n", "1\n"])
    def test_headerless(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(TableError, match=r"a\.csv has no headers: its first line looks like data"):
            Table.read(written(tmp_path, "a.csv", text))

    def test_header_alone_is_a_table_of_no_rows(self, tmp_path: Path) -> None:
        table = Table.read(written(tmp_path, "a.csv", "city,year\n"))
        assert (table.field_names, table.row_count) == (("city", "year"), 0)


class TestTitles:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("Report 2024\n\na,b\n1,2\n3,4\n", "the line 'Report 2024' above the header was left out"),
            ("Report 2024\r\na;b\r\n1;2\r\n3;4\r\n", "the fields are a, b"),
            ("Report\nby us\n\n\na,b\n1,2\n3,4\n\n", "'Report' and 1 more above the header were left out"),
            ('"Sales, 2024",\n,\na,b\n1,2\n3,4\n', "'\"Sales, 2024\"' above the header"),
        ],
    )
    def test_left_out_where_it_is_safe(self, tmp_path: Path, text: str, told: str) -> None:
        with pytest.warns(TableWarning, match=told):
            table = Table.read(written(tmp_path, "a.csv", text))
        assert (table.field_names, table.columns) == (("a", "b"), ((1, 3), (2, 4)))

    def test_compressed(self, tmp_path: Path) -> None:
        path = written(tmp_path, "a.csv.gz", gzip.compress(b"Report\n\na,b\n1,2\n"))
        with pytest.warns(TableWarning, match="'Report' above the header was left out"):
            assert Table.read(path).field_names == ("a", "b")

    @pytest.mark.parametrize("text", ["Report 2024\na,b\nx,y\nz,w\n", "name\nx;1\ny;2\n"])
    def test_said_where_it_may_be_a_header(self, tmp_path: Path, text: str) -> None:
        with pytest.warns(TableWarning, match="was taken as the header of the only field; if it is a title"):
            table = Table.read(written(tmp_path, "a.csv", text))
        assert (len(table.fields), table.row_count) == (1, text.count("\n") - 1)

    @pytest.mark.parametrize(
        ("text", "header"),
        [
            ("city\nAthens, Greece\nRome, Italy\n", "city"),
            ('title\n"a\nb"\nc\n', "title"),
            ('"a\nb",c\nx,1\ny,2\n', "a b"),
            ("a,b\nx\n\ny,2\nz,3\n", "a"),
            ("name\nx\ny\n", "name"),
        ],
    )
    def test_ordinary_files_keep_their_first_line(self, tmp_path: Path, text: str, header: str) -> None:
        assert Table.read(written(tmp_path, "a.csv", text)).field_names[0] == header


class TestOddFiles:
    def test_unicode_mark_and_quotes(self, tmp_path: Path) -> None:
        text = '\ufeff"Größe";ort\n"a\nb";東京\n"sagt ""ja""; oft";Ö\n'
        table = Table.read(written(tmp_path, "a.csv", text))
        assert table.field_names == ("Größe", "ort")
        assert table.columns == (("a\nb", 'sagt "ja"; oft'), ("東京", "Ö"))

    def test_utf16(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.csv", "a,b\nä,2\n".encode("utf-16"))).row(0) == ("ä", 2)
        text = "Stadt\tEinwohner\r\n" + "Köln 😀\t1000\r\n" * 3000  # as Excel writes "Unicode text"
        for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
            table = Table.read(written(tmp_path, "b.txt", mark + text.encode(encoding)))
            assert (table.name, table.field_names) == ("b", ("Stadt", "Einwohner"))
            assert (table.row_count, table.row(2999)) == (3000, ("Köln 😀", 1000))
        assert Table.read(written(tmp_path, "c.json", '[{"a": "ä"}]'.encode("utf-16"))).row(0) == ("ä",)
        with pytest.raises(TableError, match="begins as UTF-16 text but is not"):
            Table.read(written(tmp_path, "d.csv", b"\xff\xfea\x00,\x00\x00\xd8b"))

    def test_marked_json(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.json", '\ufeff[{"a": 1}, {"a": 2}]')).columns == ((1, 2),)

    def test_stray_quotes(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.csv", 'a,b\n5" pipe,2\n"x" y,3\n')).column("a") == (
            '5" pipe',
            '"x" y',
        )

    def test_hash_is_no_comment(self, tmp_path: Path) -> None:
        table = Table.read(written(tmp_path, "a.csv", "#_participants,b\n#1,2\n"))
        assert (table.field_names, table.row(0)) == (("#_participants", "b"), ("#1", 2))

    def test_short_rows_end_in_gaps(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.csv", "a,b\nx,1\ny\n")).columns == (("x", "y"), (1, None))

    @pytest.mark.parametrize("rows", [2, 30_000])
    def test_long_rows_are_refused(self, tmp_path: Path, rows: int) -> None:
        with pytest.raises(TableError, match="cells") as caught:
            Table.read(written(tmp_path, "a.csv", "a,b\n" + "1,2\n" * rows + "1,2,3\n"))
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("name", ["a[1].csv", "a*.csv", "what?.csv", "it's; DROP.csv", "ü.csv"])
    def test_names_are_not_patterns(self, tmp_path: Path, name: str) -> None:
        written(tmp_path, "a1.csv", "wrong\nfile\n")
        assert Table.read(written(tmp_path, name, "right\nx\n")).field_names == ("right",)

    def test_folders_are_not_columns(self, tmp_path: Path) -> None:
        (tmp_path / "year=2020").mkdir()
        assert Table.read(written(tmp_path / "year=2020", "a.csv", "a\nx\n")).field_names == ("a",)

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.csv", b"", "a.csv is empty"),
            ("a.csv", b"\n\n", "does not begin with a line of headers"),
            ("a.csv", bytes(range(256)) * 20, "a.csv is not a text file"),
            ("a.csv", "name,x\nä,1\n".encode("latin-1"), "not UTF-8"),
            ("a.json", b'{"a": 1', "cannot be read as JSON"),
            ("a.json", b"[1, 2]", "one object per row"),
            ("a.json", b"[]", "no columns"),
            ("a.jsonl", b'{"a": 1}\n{"a": \n', "cannot be read as JSON"),
            ("a.parquet", b"PAR1 and then nothing", "cannot be read as Parquet"),
            ("a.parquet", b"plain text", "not a Parquet file"),
            (
                "a.xlsx",
                b"PK\x03\x04\x00\x00",
                "a.xlsx is a spreadsheet; save it as CSV from your spreadsheet",
            ),
            ("a.XLS", b"\xd0\xcf\x11\xe0", "a.XLS is a spreadsheet"),
        ],
    )
    def test_one_plain_line(self, tmp_path: Path, name: str, content: bytes, message: str) -> None:
        with pytest.raises(TableError, match=message) as caught:
            Table.read(written(tmp_path, name, content))
        assert "\n" not in str(caught.value)

    def test_missing_file_folder_and_remote_name(self, tmp_path: Path) -> None:
        with pytest.raises(TableError, match="does not exist"):
            Table.read(tmp_path / "none.csv")
        with pytest.raises(TableError, match="is a folder"):
            Table.read(tmp_path)
        with pytest.raises(TableError, match="does not exist"):
            Table.read("https://example.com/a.csv")
        with pytest.raises(TableError, match="cannot be opened"):
            Table.read("a\0b.csv")


class TestTable:
    TABLE = Table((Field("a", FieldType.TEXT), Field("b", FieldType.NUMBER)), (("x", "y"), (1, 2.0)))

    def test_access(self) -> None:
        assert self.TABLE.field_index("b") == 1
        assert self.TABLE.column("b") == (1, 2.0)
        assert self.TABLE.row(1) == ("y", 2.0)
        assert self.TABLE.text(1, 1) == "2"
        assert self.TABLE.row_count == 2

    def test_unknown_field_names_the_known(self) -> None:
        with pytest.raises(TableError, match="no field 'c'; its fields are a, b"):
            self.TABLE.field_index("c")

    def test_spelling_does_not_matter_to_equality(self) -> None:
        assert Table.of([{"a": "3,500"}]) == Table.of([{"a": 3500}])

    def test_shapes_are_checked(self) -> None:
        field = Field("a", FieldType.TEXT)
        for fields, columns in [
            ((field,), ()),
            ((field, Field("b", FieldType.TEXT)), (("x",), ())),
            ((), ()),
        ]:
            with pytest.raises(TableError):
                Table(fields, columns)
        with pytest.raises(TableError, match="same name"):
            Table((field, field), (("x",), ("x",)))

    def test_arrow_types(self) -> None:
        table = Table.of([{"i": 1, "f": 1.5, "d": DAY, "t": MOMENT, "s": "x", "big": 2**70}, {}])
        kinds = [pa.int64(), pa.float64(), pa.date32(), pa.timestamp("us"), pa.string(), pa.float64()]
        assert table.to_arrow().schema.types == kinds

    def test_import_is_light(self) -> None:
        code = "import sys, neural_enquirer.tables as t; t.Table.of([{'a': 1}]); print(*sys.modules)"
        loaded = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        assert not {"torch", "duckdb", "pyarrow", "numpy", "pandas"} & set(loaded.split())


# Printable text that CSV can carry; what looks like a number or a date is typed alike on both ways.
_words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)
_kinds = (
    _words,
    st.integers(-(2**53), 2**53),  # beside floats, more digits do not fit into Arrow
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.dates(),
    st.datetimes().map(lambda moment: moment.replace(microsecond=0)),
    st.sampled_from(["3,500", "1,234.5", "02134", "NA", "-", "August 13, 2004", "13.08.2004"]),
)


@st.composite
def record_lists(draw: st.DrawFn) -> list[dict[str, object]]:
    # One kind of cell in most columns, so that numbers and dates do occur.
    kinds = draw(st.lists(st.sampled_from([*_kinds, st.one_of(*_kinds)]), min_size=2, max_size=4))
    rows = draw(st.integers(1, 6))
    return [{f"field {i}": draw(st.none() | kind) for i, kind in enumerate(kinds)} for _ in range(rows)]


@settings(max_examples=60, deadline=None)
@given(records=record_lists())
@pytest.mark.filterwarnings("ignore::neural_enquirer.tables.TableWarning")
def test_values_survive_csv_and_parquet(records: list[dict[str, object]], tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("tables")
    table = Table.of(records)
    pa.csv.write_csv(table.to_arrow(), folder / "table.csv")
    pa.parquet.write_table(table.to_arrow(), folder / "table.parquet")
    assert Table.read(folder / "table.parquet") == table
    assert Table.read(folder / "table.csv") == table
