"""Names, texts, numbers and dates as sentences write them."""

import datetime

import pytest

from neural_enquirer.programs import parse, run
from neural_enquirer.programs.spoken import sentence
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.tables import Table


@pytest.mark.parametrize(
    "name",
    [
        "city",
        "duration_days",
        "Name",
        "GDP (USD bln, 2012)",
        "Area (km²)",
        "Größe",
        "名前",
        "B2B",
        "win-loss",
    ],
)
def test_readable_names_stay_as_they_are(name: str) -> None:
    assert spoken.name(name) == name


@pytest.mark.parametrize(
    "name", ["2012", "No.", "and", "is open", "rows", "a", "of", "x(", 'say "hi"', "", "a  b", "a; b", "%"]
)
def test_odd_names_are_quoted(name: str) -> None:
    assert spoken.name(name) == f"“{' '.join(name.split())}”"


@pytest.mark.parametrize(
    "text", ["Rome", "St. Louis", "University of York", "3-1", "100%", "$5", "Smith (Jr)"]
)
def test_clear_texts_stay_as_they_are(text: str) -> None:
    assert spoken.text(text) == text


@pytest.mark.parametrize(
    "text", ["missing", "Sales and support", "", "Paris, Texas", "not Rome", "the end", "Jr."]
)
def test_texts_that_could_be_misread_are_quoted(text: str) -> None:
    assert spoken.text(text) == f"“{text}”"


def test_long_and_broken_texts_become_one_short_line() -> None:
    assert spoken.text("two\nlines\t\x1b[31m") == "“two lines \\x1b[31m”"
    assert len(spoken.text("word " * 10_000)) < 70


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (5, "5"),
        (1234567, "1,234,567"),
        (-1234.5, "-1,234.5"),
        (-0.5, "-0.5"),
        (12.0, "12"),
        (0.1, "0.1"),
        (1e22, "1 × 10^22"),
        (1.5e-7, "1.5 × 10^-7"),
        (10**20, "100,000,000,000,000,000,000"),
    ],
)
def test_numbers_keep_their_digits(value: float, written: str) -> None:
    assert spoken.number(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (100 / 3, "about 33.33"),
        (2 / 3, "about 0.6667"),
        (1e5 / 3, "about 33,333.33"),
        (2e-9 / 3, "about 6.667 × 10^-10"),
        (0.1 + 0.2, "0.3"),
        (2.5, "2.5"),
        (12345, "12,345"),
    ],
)
def test_worked_out_numbers_say_that_they_are_rounded(value: float, written: str) -> None:
    assert spoken.amount(value) == written


def test_dates() -> None:
    assert spoken.date(datetime.date(2004, 8, 13)) == "13 August 2004"
    assert spoken.date(datetime.datetime(2004, 8, 3)) == "3 August 2004"
    assert spoken.date(datetime.datetime(2004, 8, 3, 14, 30)) == "3 August 2004 at 14:30"
    assert spoken.date(datetime.datetime(2004, 8, 3, 14, 0, 5)) == "3 August 2004 at 14:00:05"


def test_ordinals() -> None:
    places = (1, 2, 10, 11, 12, 13, 21, 22, 23, 111, 1002)
    written = "first second tenth 11th 12th 13th 21st 22nd 23rd 111th 1,002nd"
    assert [spoken.ordinal(place) for place in places] == written.split()


def test_long_lists_are_cut() -> None:
    assert spoken.few(["a"]) == "a"
    assert spoken.few(list("abcdef"), last="or") == "a, b, c, d, e or f"
    assert spoken.few([*"abcde", *(["z"] * 1200)]) == "a, b, c, d, e and 1,200 more"


@pytest.mark.parametrize(
    ("field", "cells", "written"),
    [
        ("population", ["1234567", "5"], "1,234,567"),
        ("population", ["1,234,567", "5"], "1,234,567"),
        ("population", ["1.2 million", "5 million"], "5 million"),
        ("amount", ["$1,250.00", "$7"], "$1,250.00"),
        ("amount", ["1250.00", "12500.00"], "12,500.00"),
        ("amount", ["2012", "10,400", "3"], "10,400"),
        ("weight", ["2012", "1999"], "2012"),
        ("birth_year", ["2012", "1999"], "2012"),
        ("order id", ["100023", "100022"], "100023"),
        ("day", ["2004-08-13", "2004-08-12"], "13 August 2004"),
    ],
)
def test_cells_are_written_as_the_table_spells_them(field: str, cells: list[str], written: str) -> None:
    table = Table.of({field: cells, "name": [f"n{row}" for row, _ in enumerate(cells)]})
    program = parse(f'cells("{field}", largest("{field}"))')
    assert sentence(program, run(program, [table]), [table]).endswith(f" is {written}.")


def test_hostile_names_and_cells_stay_in_one_sentence() -> None:
    table = Table.of({"is not": ["x\ny", "“q”", "z" * 500], "and or": [1, 2, 3]})
    program = parse('cells("is not", rows("and or" >= 1))')
    text = sentence(program, run(program, [table]), [table])
    assert text.startswith(
        "In the 3 rows where “and or” is at least 1, the values of “is not” are “x y”, ““q””"
    )
    assert len(text) < 200
    assert "\n" not in text
