import pytest
from hypothesis import given
from hypothesis import strategies as st

from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.measures import Measure, measure, measured, number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$1,200", 1200, "$"),
        ("-$5", -5, "$"),
        ("$-5.50", -5.5, "$"),
        ("$3.5M", 3_500_000, "$"),
        ("$800k", 800_000, "$"),
        ("£3.2bn", 3_200_000_000, "£"),
        ("US$ 5", 5, "US$"),
        ("USD 1,200", 1200, "USD"),
        ("12 €", 12, "€"),
        ("45%", 45, "%"),
        ("45 %", 45, "%"),
        ("12 km", 12, "km"),
        ("12 m", 12, "m"),
        ("20 km/h", 20, "km/h"),
        ("9.8 m/s²", 9.8, "m/s2"),
        ("12 sq km", 12, "sq km"),
        ("−5.4 °C", -5.4, "°c"),
        ("3.5 million", 3_500_000, ""),
        ("1.1 million", 1_100_000, ""),
        ("7 million people", 7_000_000, "people"),
        ("1 day", 1, "day"),
        ("3 Days", 3, "day"),
        ("2004", 2004, ""),
    ],
)
def test_measures(text: str, value: float, unit: str) -> None:
    found = measure(text)
    assert found == Measure(value, unit)
    assert type(found.value) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "km",
        "",
        "5th",
        "9 am",
        "300 BC",
        "12-15 km",
        "5' 11\"",
        "2h 15m",
        "1 000 km",
        "8.8/10",
        "02134 km",
        "5 " * 40,
    ],
)
def test_what_is_no_measure(text: str) -> None:
    assert measure(text) is None


def test_a_column_needs_one_unit() -> None:
    assert measured(["1 day", "3 days"]) == [1, 3]
    assert measured(["800,000", "3.5 million"]) == [800_000, 3_500_000]
    assert measured(["5 km", "5 m"]) is None
    assert measured(["$5", "7"]) is None
    assert measured([]) is None


def test_one_cell_may_be_an_address() -> None:
    assert measured(["12 Main Street"]) is None
    assert measured(["12%"]) == [12]


@pytest.mark.parametrize("text", ["9" * 400, "1e309", "1" + "0" * 5000])
def test_what_is_too_large_is_no_number(text: str) -> None:
    assert number(text) is None


def test_columns_with_units_are_numbers_and_keep_their_spelling() -> None:
    table = Table.of(
        [
            {"price": "$1,200", "share": "45%", "mixed": "5 km", "year": "1999"},
            {"price": "n/a", "share": "", "mixed": "3 mi", "year": "2004"},
            {"price": "$80", "share": "7.5%", "mixed": "1 km", "year": "2010"},
        ]
    )
    assert [field.type for field in table.fields] == [
        FieldType.NUMBER,
        FieldType.NUMBER,
        FieldType.TEXT,
        FieldType.NUMBER,
    ]
    assert table.column("price") == (1200, None, 80)
    assert table.column("share") == (45, None, 7.5)
    assert table.text(0, 0) == "$1,200"
    assert table.text(1, 0) == ""


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    measure(text)
    assert number(text) is None or measure(text) is not None or len(text) > 60
