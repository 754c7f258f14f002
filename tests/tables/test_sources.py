"""Files of every format, several as one, and what is said of those that are no tables."""

import datetime
import gzip
import io
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from written_files import written

from neural_enquirer.tables import Field, FieldType, Table, TableError

DAY = datetime.date(2004, 8, 13)


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
        assert (
            Table.read(written(tmp_path, "games.csv.gz", gzip.compress(self.GAMES.encode()))) == self.EXPECTED
        )

    def test_zstandard_json(self, tmp_path: Path) -> None:
        with pa.output_stream(tmp_path / "a.json.zst", compression="zstd") as file:
            file.write(b'[{"a": 1}, {"a": 2}]')
        assert Table.read(tmp_path / "a.json.zst").columns == ((1, 2),)

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

    def test_objects_one_after_the_other(self, tmp_path: Path) -> None:
        text = '{"a": 1,\n "b": "x"}  {"a": 2}\n\n[{"a": 3}]'
        assert Table.read(written(tmp_path, "a.json", text)).columns == ((1, 2, 3), ("x", None, None))


class TestPatterns:
    def test_files_stand_one_below_the_other(self, tmp_path: Path) -> None:
        written(tmp_path, "sales-2.csv", "city ,size\nRome,1.5\n")
        written(tmp_path, "sales-1.csv", 'city,size\nOslo,3\n"Bern",4\n')
        written(tmp_path, "other.csv", "a\nb\n")
        table = Table.read(tmp_path / "sales-*.csv")
        assert (table.name, table.field_names) == ("sales", ("city", "size"))
        assert table.columns == (("Oslo", "Bern", "Rome"), (3, 4, 1.5))

    def test_parquet(self, tmp_path: Path) -> None:
        for name, days in (("a", [DAY]), ("b", [None, DAY])):
            pa.parquet.write_table(
                pa.table({"day": pa.array(days, pa.date32())}), tmp_path / f"{name}.parquet"
            )
        table = Table.read(tmp_path / "*.parquet")
        assert (table.name, table.columns) == (tmp_path.name, ((DAY, None, DAY),))

    def test_other_fields_are_told(self, tmp_path: Path) -> None:
        written(tmp_path, "a.csv", "city,size\nOslo,3\n")
        written(tmp_path, "b.csv", "city,area\nRome,4\n")
        with pytest.raises(TableError, match=r"same fields: a\.csv has city, size; b\.csv has city, area$"):
            Table.read(tmp_path / "*.csv")

    def test_one_broken_file_is_named(self, tmp_path: Path) -> None:
        written(tmp_path, "a.csv", "city,size\nOslo,3\n")
        written(tmp_path, "b.csv", "city,size\nOslo,3,4\n")
        with pytest.raises(TableError, match=r"^b\.csv cannot be read as CSV: line 2 has 3 cells"):
            Table.read(tmp_path / "*.csv")

    def test_nothing_fits(self, tmp_path: Path) -> None:
        (tmp_path / "folder.csv").mkdir()
        with pytest.raises(TableError, match=r"no file fits .*\*\.csv"):
            Table.read(tmp_path / "*.csv")


class TestOddFiles:
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
            ("a.json", b'{"a": 1', "cannot be read as JSON"),
            ("a.json", b"[1, 2]", "one object per row"),
            ("a.json", b"[]", "no columns"),
            ("a.jsonl", b'{"a": 1}\n{"a": \n', "cannot be read as JSON"),
            ("a.parquet", b"PAR1 and then nothing", "cannot be read as Parquet"),
            ("a.parquet", b"plain text", "not a Parquet file"),
            ("a.duckdb", b"plain text", "a.duckdb is not a DuckDB file, despite its name"),
            ("a.numbers", b"PX", "export it as .xlsx or CSV"),
            ("a.csv.gz", b"\x1f\x8b and then nothing", "a.csv.gz cannot be unpacked"),
            ("a.csv.zst", b"\x28\xb5\x2f\xfd and then nothing", "a.csv.zst cannot be unpacked"),
            ("a.csv.gz", gzip.compress(b"", mtime=0), "does not begin with a line of headers"),
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
