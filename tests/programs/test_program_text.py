import datetime

import pytest

from neural_enquirer.programs import ProgramError, parse, to_text
from neural_enquirer.programs.language import All, Cells, Compare, Comparison, Constant, Field, Where

PROGRAMS = """
cells(city, rows(year = 1980))
cells(city)
distinct(city, country)
count(rows())
count(rows(a = 1 and (b = x or not c < 3)))
count(rows(not (a = 1 or b = 2)))
sum(price, rows(kind = "two words"))
cells(city, largest(3, duration, rows(year < 1980)))
cells(city, nth_smallest(2, duration))
cells(x, first())
cells(x, nth_last(3, rows(a = 1)))
cells(x, first(3))
cells(x, rows(year > 1980, next(rows(city = Rome))))
count(rows(price > average(price)))
count(rows(a > its(difference(b, c))))
count(rows(name one of (A, "B C", 3)))
count(rows(name <> one of (A, B)))
count(rows(name starts with Smith))
count(rows(x between 1 and 5))
count(rows(x is missing))
average(difference(end, year_of(start)), rows(year_of(date) = 1999))
percentage(count(rows(sex = F)), count(rows()))
holds(cells(a, rows(b = 1)) > cells(a, rows(b = 2)))
holds(cells(a, rows(b = 1)) = one of (x, y))
cells(borough, measure, groups(borough, average(price), rows(a = 1)))
cells(borough, largest(measure, groups(borough, count)))
count(rows(total > 5, orders))
cells(b.country, rows(total > 5, join(a, b, customer = name and a.day = b.day)))
count(join(join(a, b, x = y), c, b.x = z))
count(rows("measure" = -3.5 and "a.b" <> "1980" and d < 1980-01-01 and e < 1980-01-01T10:30:00))
""".strip().splitlines()


@pytest.mark.parametrize("text", PROGRAMS)
def test_text_comes_back(text: str) -> None:
    assert to_text(parse(text)) == text


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "and",
        "one",
        'say "hi"',
        "a\\b",
        "line\nbreak",
        "\u2028",
        "\x85",
        "1980",
        "1980-01-01",
        "2024-13-45",
        "1" * 5000,
        "3.5",
        "(x)",
        "a, b",
        "=",
        "x.y",
    ],
)
def test_any_text_is_a_value_and_a_name(value: str) -> None:
    condition = Compare(Field(value, value), Comparison.EQUAL, Constant(value))
    program = Cells((Field(value),), Where(All(value), condition))
    text = to_text(program)
    assert parse(text) == program
    assert len(text.splitlines()) == 1


def test_types_of_values_come_back() -> None:
    for value in (3, 3.0, -1e-9, 10**40, datetime.date(1, 2, 3), datetime.datetime(2000, 1, 1, 0, 0, 0, 5)):
        program = Cells((Field("f"),), Where(All(), Compare(Field("f"), Comparison.EQUAL, Constant(value))))
        assert repr(parse(to_text(program))) == repr(program)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected a value but found the end"),
        ("Rome", "a value alone is no program"),
        ("cells(city", "expected ')' but found the end"),
        ("cells(city))", "expected the end but found ')'"),
        ("cells()", "expected a name but found ')'"),
        ("count(rows(a ~ 3))", "expected a comparison but found '~'"),
        ("count(rows(a between 1, 5))", "expected 'and' but found ','"),
        ("cells(a, groups(b, c))", "expected what to measure"),
        ("cells(city, largest(2.5, x))", "expected a whole number, not 2.5"),
        ('count(rows(a = "open))', "cannot read the program"),
        ("cells(city, nth_largest(0, x))", "counted from 1"),
        ("cells(Office City)", "names and values of several words stand in double quotes"),
        ("largest(x)", "rows alone are no program"),
        ('count(rows(a = "\\q"))', "cannot read what stands in quotes"),
        ("count(rows(" + "not " * 5000 + "a = 1))", "too many brackets"),
        ("holds(count(rows()) < one of (1, 2))", "takes one value"),
        ("foo(x)", "'foo' gives no answer; a program begins with cells, distinct, count"),
        ("count(rows(a < one of (1, 2)))", "takes one value"),
        ("count(rows(a contains average(b)))", "'contains' needs a text"),
    ],
)
def test_wrong_texts_say_why(text: str, why: str) -> None:
    with pytest.raises(ProgramError) as error:
        parse(text)
    assert why in str(error.value)
