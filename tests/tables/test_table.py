import datetime
import decimal
import io
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
from written_files import written

from neural_enquirer.tables import Field, FieldType, Table, TableError, TableWarning

DAY = datetime.date(2004, 8, 13)
MOMENT = datetime.datetime(2004, 8, 13, 20, 45)


def column_of(*cells: object) -> tuple[FieldType, tuple[object, ...]]:
    table = Table.of([{"a": cell} for cell in cells])
    return table.fields[0].type, table.columns[0]


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

    @pytest.mark.parametrize(
        "cells",
        [
            ["12 Main Street", "14 Oak Road"],
            ["5 km", "800 m"],
            ["$5", "6 €"],
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
