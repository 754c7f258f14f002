"""Columns as people write them are read as people read them."""

import datetime
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.readings import Kind, read_cells, read_quantity

MESSY = tomllib.loads(Path(__file__).with_name("messy_columns.toml").read_text(encoding="utf-8"))


def wrong(column: dict[str, Any]) -> str | None:
    """What is wrong with how a messy column is read; None where nothing is."""
    cells = column["cells"]
    reading = read_cells(cells)
    if reading is None:
        return f"{cells} is not read"
    most, least = (cells[place(reading.values)] for place in (np.nanargmax, np.nanargmin))
    found = {"kind": reading.kind.value, "largest": most, "smallest": least}
    return None if found.items() <= column.items() else f"{cells} is read as {found}: {reading.values}"


def test_people_and_the_reader_agree_on_the_largest_and_the_smallest_cell() -> None:
    assert len(MESSY["columns"]) >= 120
    problems = [problem for column in MESSY["columns"] if (problem := wrong(column))]
    assert not problems, "\n".join(problems)


def test_names_codes_and_descriptions_have_no_order_but_the_alphabet() -> None:
    read = {tuple(cells): reading for cells in MESSY["unordered"] if (reading := read_cells(cells))}
    assert not read


def test_the_column_says_what_a_symbol_means() -> None:
    beside = {"2h 15m": 58.0, "5km": 58.0, "$9m": None}
    for other, value in beside.items():
        reading = read_cells([other, "58m", "30m", "12m"])
        assert reading is not None
        assert reading.kind is (Kind.DURATION if "h" in other else Kind.LENGTH)
        assert reading.values[1] == value or value is None
    assert read_cells(["$9m", "$58m", "$30k"]).values.tolist() == [9e6, 58e6, 30e3]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("cells", "unit", "values"),
    [
        (["5 km", "800 m", "10 km"], "m", [5000, 800, 10000]),
        (["1.5 km", "0.8 km"], "km", [1.5, 0.8]),
        (["2h 15m", "58m", ""], "min", [135, 58, np.nan]),
        (["6'2\"", "5'11"], "in", [74, 71]),
        (["20 °C", "68 °F", "5"], "°C", [20, 20, 5]),
        (["£1.20", "50p"], "£", [1.2, 0.5]),
        (["10–20 km", "800 m"], "m", [15000, 800]),
        (["12 views", "3k views"], "view", [12, 3000]),
        (["300 BC", "AD 120", "1066"], "", [-300, 120, 1066]),
        (["1 Jan 0001", "02.01.0001 12:00"], "day", [1, 2.5]),
        (["1:00 pm", "0:30 am"], "s", [46800, 1800]),
    ],
)
def test_values_are_in_the_smallest_unit_of_the_column(
    cells: list[str], unit: str, values: list[float]
) -> None:
    reading = read_cells(cells)
    assert reading is not None
    assert reading.unit == unit
    np.testing.assert_allclose(reading.values, values)


@pytest.mark.parametrize(
    ("cells", "quantity", "value"),
    [
        (["5 km", "800 m"], "5 km", 5000),
        (["5 km", "800 m"], "3 mi", 4828.032),
        (["5 km", "800 m"], "700", 700),
        (["5 km", "800 m"], "3 kg", None),
        (["2h 15m", "58m"], "1.5 hours", 90),
        (["2h 15m", "58m"], "1:30:00", 90),
        (["$3.5M", "$800k"], "$1 million", 1e6),
        (["$3.5M", "$800k"], "€5", None),
        (["20 °C", "-3 °C"], "50 °F", 10),
        (["12 Mar 19", "3 Jan 21"], "1 Jan 2020", datetime.date(2020, 1, 1).toordinal()),
        (["c. 1850", "1790"], "1800", 1800),
        (["9:00 pm", "1:00 am"], "14:30", 52200),
        (["18-24", "25-34"], "20", 20),
        (["18-24", "25-34"], "soon", None),
    ],
)
def test_an_amount_in_a_question_is_said_in_the_unit_of_the_column(
    cells: list[str], quantity: str, value: float | None
) -> None:
    reading = read_cells(cells)
    assert reading is not None
    assert read_quantity(quantity, reading) == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("name", "quantity", "value"),
    [
        ("Runtime (min)", "3 hours", 180),
        ("dist_km", "10 miles", 16.09344),
        ("Weight [kg]", "2 lb", 0.90718474),
        ("Weight [kg]", "3 hours", None),
        ("Films (won)", "3 hours", None),
        ("minutes", "3 hours", None),
    ],
)
def test_the_name_of_a_field_of_numbers_says_their_unit(
    name: str, quantity: str, value: float | None
) -> None:
    reading = Table.of({name: [1, 2]}).reading(0)
    assert reading is not None
    assert read_quantity(quantity, reading) == (None if value is None else pytest.approx(value))


def test_a_field_keeps_its_type_and_gains_a_reading() -> None:
    table = Table.of({"run": ["5 km", "800 m"], "leg": ["5 km", "12 km"], "on": ["2004-08-13", "2004-08-14"]})
    assert [field.type for field in table.fields] == [FieldType.TEXT, FieldType.NUMBER, FieldType.DATE]
    readings = [table.reading(n) for n in range(3)]
    assert [reading and (reading.kind, reading.unit) for reading in readings] == [
        (Kind.LENGTH, "m"),
        (Kind.LENGTH, "km"),
        (Kind.DATE, "day"),
    ]
    assert table.columns[0] == ("5 km", "800 m")
    assert table.reading(1) is readings[1]


@given(
    st.lists(
        st.text(max_size=50) | st.from_regex(r"[~$€(]?[-+]?\d[\d.,:/ '–-]*[a-zA-Z%°\"]{0,4}\)?"), max_size=6
    )
)
def test_any_column_is_read_or_not(cells: list[str]) -> None:
    reading = read_cells(cells)
    assert reading is None or len(reading.values) == len(cells)


@pytest.mark.parametrize("sign", ["1", "(", "1,", "1-", "1 ", "[a]", "Jan ", "-", "1:"])
def test_a_cell_of_any_length_is_read_at_once(sign: str) -> None:
    assert read_cells([sign * 100_000, sign * 100_001]) is None


@pytest.mark.parametrize(
    "cell", [" 12:30", "T12:00:00", ", 1:00", "12:30 Jan", "0/0/0", "1/0", "P", "PT", "()"]
)
def test_odd_cells_are_no_trouble(cell: str) -> None:
    read_cells([cell, f"{cell} ", "Q3 2020", "5 km"])
    read_cells([cell, f"{cell}0"])
