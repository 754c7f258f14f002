"""Sheets of workbooks, with what people put around their tables."""

import datetime
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest
from written_files import written

from neural_enquirer.tables import FieldType, Table, TableError, TableWarning

WORKBOOKS = Path(__file__).parent / "workbooks"
DAY = datetime.date(2004, 8, 13)
GAMES = [["city", "year", "opened", "held"], ["Athens", 2004, DAY, True], ["Sydney", 2000.5, None, False]]


def workbook(path: Path, **sheets: Sequence[Sequence[object]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_cells_arrive_as_they_are(tmp_path: Path) -> None:
    table = Table.read(workbook(tmp_path / "games.xlsx", Sheet1=GAMES))
    assert [(field.name, field.type) for field in table.fields] == [
        ("city", FieldType.TEXT),
        ("year", FieldType.NUMBER),
        ("opened", FieldType.DATE),
        ("held", FieldType.TEXT),
    ]
    assert table.name == "games"
    assert [table.row(0), table.row(1)] == [("Athens", 2004, DAY, "true"), ("Sydney", 2000.5, None, "false")]
    assert isinstance(table.row(0)[1], int)
    assert (table.text(0, 1), table.text(0, 2)) == ("2004", "2004-08-13")


@pytest.mark.parametrize("name", ["games.xls", "games.ods"])
def test_older_and_open_formats(name: str) -> None:
    table = Table.read(WORKBOOKS / name)
    assert table.name == "games"
    assert table.columns == (
        ("Athens", "Sydney"),
        (2004, 2000),
        (DAY, datetime.date(2000, 9, 15)),
        ("true", "false"),
    )


def test_content_outweighs_the_name(tmp_path: Path) -> None:
    path = written(tmp_path, "games.csv", (WORKBOOKS / "games.ods").read_bytes())
    assert Table.read(path).field_names == ("city", "year", "opened", "held")
    with path.open("rb") as file:
        assert Table.of(file).row_count == 2


class TestSheets:
    def test_first_with_cells_and_the_others_are_named(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", empty=[], games=GAMES, blank=[], cities=[["name"], ["Rome"]])
        with pytest.warns(
            TableWarning, match=r"2 sheets, of which 'games' was read; the others: a\.xlsx::cities$"
        ):
            table = Table.read(path)
        assert (table.name, table.row_count) == ("games", 2)

    def test_named(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", games=GAMES, cities=[["name"], ["Rome"]])
        table = Table.read(f"{path}::cities")
        assert (table.name, table.columns) == ("cities", (("Rome",),))

    def test_hidden_ones_must_be_named(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", codes=[["code"], ["x"]], games=GAMES)
        book = openpyxl.load_workbook(path)
        book["codes"].sheet_state = "hidden"
        book.active = book["games"]
        book.save(path)
        assert Table.read(path).field_names[0] == "city"
        assert Table.read(f"{path}::codes").columns == (("x",),)

    def test_unknown(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", games=GAMES, cities=[["name"]])
        with pytest.raises(TableError, match=r"no sheet 'x'; choose one of a\.xlsx::games, a\.xlsx::cities$"):
            Table.read(f"{path}::x")

    def test_empty(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", games=[], cities=[["name"], ["Rome"]])
        with pytest.raises(TableError, match=r"the sheet 'games' of a\.xlsx is empty"):
            Table.read(f"{path}::games")
        with pytest.raises(TableError, match=r"^b\.xlsx is empty; a table needs a line of headers$"):
            Table.read(workbook(tmp_path / "b.xlsx", games=[]))


class TestLayout:
    def test_merged_title(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", games=[["Games of 2024"], [], *GAMES])
        book = openpyxl.load_workbook(path)
        book["games"].merge_cells("A1:D1")
        book.save(path)
        with pytest.warns(TableWarning, match="the line 'Games of 2024' above the header was left out"):
            table = Table.read(path)
        assert (table.field_names, table.row_count) == (("city", "year", "opened", "held"), 2)

    def test_blank_rows_and_columns_set_apart(self, tmp_path: Path) -> None:
        rows = [[], [None, "a", None, "b"], [None, 1, None, 2], [], [None, None, None, 4]]
        table = Table.read(workbook(tmp_path / "a.xlsx", sheet=rows))
        assert (table.field_names, table.columns) == (("a", "b"), ((1, None), (2, 4)))

    def test_years_as_headers(self, tmp_path: Path) -> None:
        table = Table.read(workbook(tmp_path / "a.xlsx", sheet=[["city", 2000, 2004], ["Rome", 5, 6.5]]))
        assert (table.field_names, table.row(0)) == (("city", "2000", "2004"), ("Rome", 5, 6.5))

    def test_cell_far_away(self, tmp_path: Path) -> None:
        path = workbook(tmp_path / "a.xlsx", sheet=GAMES)
        book = openpyxl.load_workbook(path)
        book["sheet"].cell(1_048_576, 16_384, "x")
        book.save(path)
        with pytest.raises(TableError, match="a cell far below or beside the table"):
            Table.read(path)


class TestUnreadable:
    def test_protected(self) -> None:
        with pytest.raises(
            TableError, match=r"^protected\.xlsx is protected by a password; save it without one$"
        ):
            Table.read(WORKBOOKS / "protected.xlsx")

    @pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
    @pytest.mark.parametrize("name", ["games.xlsx", "games.ods"])
    def test_cut_off(self, tmp_path: Path, name: str, share: float) -> None:
        whole = workbook(tmp_path / name, sheet=GAMES) if name.endswith("x") else WORKBOOKS / name
        content = whole.read_bytes()
        path = written(tmp_path, f"cut {name}", content[: int(len(content) * share)])
        with pytest.raises(TableError, match=f"^cut {name} cannot be read as a workbook: ") as caught:
            Table.read(path)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.xlsx", b"PK\x03\x04\0\0", r"a\.xlsx cannot be read as a workbook"),
            ("a.XLS", b"\xd0\xcf\x11\xe0", r"a\.XLS cannot be read as a workbook"),
            ("a.xlsx", b"city,year\nRome,1960\n", r"a\.xlsx is not a workbook, despite its name"),
        ],
    )
    def test_no_workbook(self, tmp_path: Path, name: str, content: bytes, message: str) -> None:
        with pytest.raises(TableError, match=message):
            Table.read(written(tmp_path, name, content))
