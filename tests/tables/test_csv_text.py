"""Separated text: well-formed, loosely written, and any text at all."""

import csv
import gzip
import io
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from written_files import written

from neural_enquirer.tables import Table, TableError, TableWarning


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

    @pytest.mark.parametrize("text", ["1,2,3\n4,5,6\n", "Athens,2004\nSydney,2000\n", "1\n", "x,$5\ny,$6\n"])
    def test_data_for_a_header_is_said(self, tmp_path: Path, text: str) -> None:
        with pytest.warns(
            TableWarning, match="the first line, '.*', was taken as the names .* looks like data"
        ):
            table = Table.read(written(tmp_path, "a.csv", text))
        first, *others = text.splitlines()
        assert (",".join(table.field_names), table.row_count) == (first, len(others))

    @pytest.mark.parametrize(
        "text",
        [
            "car,-\nFord,1\nFiat,2\n",
            "team,1,2,total\nReds,0,1,1\nBlues,2,0,2\n",
            "name,size\nx,1\n",
            "day,2004-08-13\nx,3\n",
            "a,b\nx,y\n",
        ],
    )
    def test_names_of_fields_are_not_doubted(self, tmp_path: Path, text: str) -> None:
        assert ",".join(Table.read(written(tmp_path, "a.csv", text)).field_names) == text.splitlines()[0]

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
            ('"Sales, 2024",\n,\na,b\n1,2\n3,4\n', "'Sales, 2024' above the header"),
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

    @pytest.mark.parametrize(
        ("text", "headers"),
        [
            (",name,city\n,,\nx,Ada,Rome\ny,Bob,Oslo\n", ("column 1", "name", "city")),
            ("team,,\nReds,x,y\nBlues,z,w\n", ("team", "column 2", "column 3")),
        ],
    )
    def test_headers_with_gaps_are_no_titles(
        self, tmp_path: Path, text: str, headers: tuple[str, ...]
    ) -> None:
        with pytest.warns(TableWarning, match="a blank header"):
            table = Table.read(written(tmp_path, "a.csv", text))
        assert (table.field_names, table.row_count) == (headers, text.count("\n") - 1)

    def test_separator_below_a_title_with_commas(self, tmp_path: Path) -> None:
        with pytest.warns(TableWarning, match="'Sales, all of them, 2024' above the header was left out"):
            table = Table.read(written(tmp_path, "a.csv", "Sales, all of them, 2024\nname;size\nx;1\ny;2\n"))
        assert table.columns == (("x", "y"), (1, 2))


class TestWellFormed:
    @pytest.mark.parametrize(
        "text",
        [
            'name,"built\r\nin",cost\r\nTower,1889,5\r\nArch,1836,9\r\n',
            '"first\nname","last\n\nname"\n"Ada\nAugusta",Lovelace\nAlan,"Turing\n"\n',
            '"he said ""hi""","a,b"\n"""",","\n"x""y","""z"""\n',
            "a,b\rc,d\re,f\r",
            '"name","note"\n"x",""\n"","y"\n',
            "name;x,note|y\nA;B,C|D\nE;F,G|H\n",
            'only\n"x, y"\n"a;b"\n',
            '"one, or two"\nx\ny\n',
            "one|two; or three\nx\ny\n",
            "a,b,c\n,,\n1,,3\n,,\n",
            "a,b\nx\u2028y,z\x0bw\nq\x85r,s\x1ct\n",
            "a,b\n" + "x,y\n" * 300 + '"last\n",z\n',
            'a,b\n\\,x\nC:\\dir\\,y\n"C:\\",z\n',
            "größe,ort\n東京,Ö\n🏅,ß\n",
            "a,b\nlonger than others,x\n\ny,z\n\n\n",
        ],
    )
    def test_is_read_as_by_the_csv_module(self, tmp_path: Path, text: str) -> None:
        table = Table.read(written(tmp_path, "a.csv", text))
        headers, *rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
        assert table.field_names == tuple(" ".join(header.split()) for header in headers)
        cells = [[table.text(row, i) for i in range(len(headers))] for row in range(table.row_count)]
        assert cells == [[cell.strip() for cell in row] for row in rows]

    @pytest.mark.parametrize("text", ['"a",   "b"\n"x",  "y, z"\n', '"a" , "b" \n "x" ,"y, z"\n'])
    def test_spaces_around_quotes(self, tmp_path: Path, text: str) -> None:
        table = Table.read(written(tmp_path, "a.csv", text))
        assert (table.field_names, table.row(0)) == (("a", "b"), ("x", "y, z"))

    def test_cells_are_as_long_as_they_are(self, tmp_path: Path) -> None:
        before, long = csv.field_size_limit(2000), "x" * 2001
        try:
            assert Table.read(written(tmp_path, "a.csv", f"a,b\n{long},y\n")).row(0) == (long, "y")
            assert csv.field_size_limit() == 2000
        finally:
            csv.field_size_limit(before)


class TestOddFiles:
    def test_unicode_mark_and_quotes(self, tmp_path: Path) -> None:
        text = '\ufeff"Größe";ort\n"a\nb";東京\n"sagt ""ja""; oft";Ö\n'
        table = Table.read(written(tmp_path, "a.csv", text))
        assert table.field_names == ("Größe", "ort")
        assert table.columns == (("a\nb", 'sagt "ja"; oft'), ("東京", "Ö"))

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

    def test_message_names_the_line(self, tmp_path: Path) -> None:
        text = 'a,b\n"x\ny",1\n\nz,2\nu,v,w\n'
        with pytest.raises(
            TableError, match=r"^a\.csv cannot be read as CSV: line 6 has 3 cells, its header 2;"
        ):
            Table.read(written(tmp_path, "a.csv", text))

    @pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
    def test_longer_rows_do_not_make_a_table_of_one_field(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(TableError, match="cannot be read as CSV"):
            Table.read(written(tmp_path, name, "a;b\n1;2;3\n"))

    def test_empty_cells_beyond_the_header(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.csv", "a,b\nx,1,, \ny,2,\n")).columns == (("x", "y"), (1, 2))

    def test_blank_lines_are_no_rows(self, tmp_path: Path) -> None:
        assert Table.read(written(tmp_path, "a.csv", "\n\na,b\n\nx,1\n   \n\ny,2\n\n")).row_count == 2

    @pytest.mark.parametrize("tail", ['"v" w', 'v "w"', 'v"', '"v'])
    def test_one_stray_quote_leaves_other_cells_alone(self, tmp_path: Path, tail: str) -> None:
        text = f'a,"b\nc"\n"x, ""y""","z\n"\n,\n"",q \nr,{tail}\n'
        table = Table.read(written(tmp_path, "a.csv", text))
        assert table.field_names == ("a", "b c")
        assert table.columns == (('x, "y"', None, None, "r"), ("z", None, "q", tail))

    def test_quote_that_is_not_closed(self, tmp_path: Path) -> None:
        text = "a,b\n" + "x,1\n" * 300 + '"y,2\n' + "x,1\n" * 300
        assert Table.read(written(tmp_path, "a.csv", text)).row(300) == ('"y', 2)

    def test_escaped_quotes(self, tmp_path: Path) -> None:
        text = r"""a,b
"she said \"yes\", twice",1
"back\\slash",2
"""
        table = Table.read(written(tmp_path, "a.csv", text))
        assert table.columns == (('she said "yes", twice', "back\\slash"), (1, 2))

    @pytest.mark.parametrize(
        ("text", "row"),
        [
            ("a;b\n1,5;2,5\n3,5;4,25\n", (1.5, 2.5)),
            ("name;note\nx;one, two\ny;three\n", ("x", "one, two")),
            ("lat, lon;name;kind\n1, 2;x;y\n3, 4;z;w\n", ("1, 2", "x", "y")),
            ("a|b|c\nx,y|1|2\n", ("x,y", 1, 2)),
        ],
    )
    @pytest.mark.filterwarnings("ignore:field '.':neural_enquirer.tables.TableWarning")
    def test_separators(self, tmp_path: Path, text: str, row: tuple[object, ...]) -> None:
        assert Table.read(written(tmp_path, "a.csv", text)).row(0) == row


def read_quietly(path: Path) -> Table | str:
    """The table, or why there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        try:
            return Table.read(path)
        except TableError as error:
            return str(error)


_CELLS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(['"', ",", "\r\n", ' "', "-"])
_ROWS = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(_CELLS, min_size=width, max_size=width), min_size=2, max_size=6)
)
MANY = settings(max_examples=300, deadline=None)


@MANY
@given(rows=_ROWS)
def test_what_the_csv_module_writes_is_read_back(rows: list[list[str]], tmp_path_factory) -> None:
    rows[0] = [f"field {place}" for place in range(len(rows[0]))]
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    content = text.getvalue().encode()
    path = written(tmp_path_factory.mktemp("any"), "a.csv", content)
    table = read_quietly(path)
    assert isinstance(table, Table) or b"\0" in content
    if isinstance(table, Table):
        assert table.field_names == tuple(rows[0])
        assert table.row_count == len(rows) - 1
        for row, cells in enumerate(rows[1:]):
            for column, cell in enumerate(cells):
                assert table.text(row, column) in (
                    cell.strip(),
                    "" if table.row(row)[column] is None else None,
                )


@MANY
@given(content=st.binary(max_size=200) | st.text(',;|\t"\\ \r\na1-', max_size=60).map(str.encode))
@example(content=b"\xff\xfe")
@example(content=b"\xef\xbb\xbf")
@example(content=b'"')
@example(content=b"\0a\0,\0b")
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a"])
def test_any_bytes_are_a_table_or_one_line(content: bytes, name: str, tmp_path_factory) -> None:
    table = read_quietly(written(tmp_path_factory.mktemp("any"), name, content))
    assert isinstance(table, Table) or len(table.splitlines()) == 1
