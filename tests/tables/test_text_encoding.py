"""Text in the encodings that people save it in."""

import io
from pathlib import Path

import pytest
from written_files import written

from neural_enquirer.tables import Table, TableError, TableWarning


class TestEncodings:
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

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    def test_utf16_without_a_mark(self, tmp_path: Path, encoding: str) -> None:
        text = "Stadt,Größe\r\nKöln,5\r\nБонн,6\r\n"
        with pytest.warns(TableWarning, match=r"a\.csv was read as UTF-16 text without a byte-order mark"):
            table = Table.read(written(tmp_path, "a.csv", text.encode(encoding)))
        assert (table.field_names, table.column("Stadt")) == (("Stadt", "Größe"), ("Köln", "Бонн"))

    @pytest.mark.parametrize("name", ["a.csv", "a.json", "a"])
    def test_windows(self, tmp_path: Path, name: str) -> None:
        text = (
            '[{"Stadt": "Köln – „am Rhein“", "€": 5}]' if "json" in name else "Stadt,€\nKöln – „am Rhein“,5\n"
        )
        with pytest.warns(TableWarning, match=rf"^{name} is not UTF-8 text and was read as Windows-1252"):
            table = Table.read(written(tmp_path, name, text.encode("windows-1252")))
        assert (table.field_names, table.row(0)) == (("Stadt", "€"), ("Köln – „am Rhein“", 5))

    def test_open_file(self) -> None:
        with pytest.warns(TableWarning, match="^cities is not UTF-8 text and was read as Windows-1252"):
            table = Table.of(io.BytesIO("a,b\nKöln,5\n".encode("latin-1")), name="cities")
        assert table.row(0) == ("Köln", 5)

    def test_utf8_with_a_broken_letter_stays_utf8(self, tmp_path: Path) -> None:
        content = "a,b\nKöln,5\nMünchen,6\nx\udcffy,7\n".encode(errors="surrogateescape")
        with pytest.warns(TableWarning, match="a.csv is not UTF-8 throughout, first in line 4"):
            table = Table.read(written(tmp_path, "a.csv", content))
        assert table.column("a") == ("Köln", "München", "x\ufffdy")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (
                "都市,人口\n東京,5\n".encode("shift-jis"),
                "neither UTF-8 nor Windows-1252 text; save it as UTF-8",
            ),
            (b"a,b\n\xff\x02\x07,1\n", "not a text file"),
            ("a,b\nx,1\n".encode("utf-32"), "UTF-32 text; save it as UTF-8"),
            (b"\0\1\2\3" * 100, "not a text file"),
        ],
    )
    def test_what_is_not_guessed(self, tmp_path: Path, content: bytes, message: str) -> None:
        with pytest.raises(TableError, match=message):
            Table.read(written(tmp_path, "a.csv", content))
