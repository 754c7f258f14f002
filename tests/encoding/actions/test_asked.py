"""What pointing at words of a question means in programs."""

import pytest

from asked_games import GAMES, LANDS, ask
from neural_enquirer.encoding.actions import Asked, build, derive
from neural_enquirer.encoding.actions.asked import Place
from neural_enquirer.encoding.open import titles_of
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs.language import Aggregate, Aggregation, All, Comparison, Field, Where
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

OPENED, LENGTH, DAYS = (GAMES.field_index(name) for name in ("opened", "length", "days"))


@pytest.mark.parametrize(
    ("question", "field", "comparison", "expected"),
    [
        ("in february 1928", OPENED, "=", "opened between 1928-02-01 and 1928-02-29"),
        ("in february 1928", OPENED, "<>", "not opened between 1928-02-01 and 1928-02-29"),
        ("before february 1928", OPENED, "<", "opened < 1928-02-01"),
        ("after february 1928", OPENED, ">", "opened > 1928-02-29"),
        ("until february 1928", OPENED, "<=", "opened <= 1928-02-29"),
        ("1928-02-11", OPENED, "<>", "opened <> 1928-02-11"),
        ("1928", OPENED, ">", "year_of(opened) > 1928"),
        ("2 hours", LENGTH, "=", "amount_in(length) = 120"),
        ("17", DAYS, ">=", "days >= 17"),
    ],
)
def test_a_quantity_is_compared_as_the_field_counts(
    question: str, field: int, comparison: str, expected: str
) -> None:
    asked = ask(question)
    condition = asked.compared(Comparison(comparison), 0, Place(0, field))
    assert condition is not None
    program = Aggregate(Aggregation.COUNT, None, Where(All(), condition))
    assert to_text(program) == f"count(rows({expected}))"


def test_what_does_not_compare_means_nothing() -> None:
    asked = ask("1928-02-11 or 17")
    assert asked.compared(Comparison.EQUAL, 0, Place(0, DAYS)) is None
    assert asked.compared(Comparison.EQUAL, 1, Place(0, OPENED)) is None
    assert asked.within(0, 1, Place(0, OPENED)) is None
    assert asked.within(0, 1, Place(0, DAYS)) is None


def test_fields_of_one_name_are_looked_for_where_the_program_is() -> None:
    asked = ask("country", (GAMES, LANDS))
    numbers = [asked.pointer(Field("country"), [name]) for name in ("games", "lands")]
    assert [asked.places[number] for number in numbers] == [Place(0, 1), Place(1, 0)]
    assert asked.pointer(Field("country", "lands"), ["games"]) == numbers[1]
    with pytest.raises(ValueError, match="no table has"):
        asked.pointer(Field("continent", "games"))
    program = parse("cells(country, rows(lands))")
    assert to_text(build(derive(program, asked)[0], asked)) == "cells(lands.country, rows(lands))"


def test_the_order_of_rows_is_no_field() -> None:
    asked = ask("x", (GAMES, LANDS))
    missing = [number for number, place in enumerate(asked.places) if place is None]
    assert missing == [len(GAMES.fields), len(GAMES.fields) + 1 + len(LANDS.fields)]


def test_two_digits_are_a_year_only_where_there_are_years() -> None:
    """Between 60 and 80 points is not between 60 and 1980 of them."""
    table = Table.of(
        [{"pupil": "Ada", "points": 70, "year": 1987}, {"pupil": "Bo", "points": 30, "year": 1990}]
    )
    index = TablesIndex.of([TableIndex.of(table)], titles_of((table,)))
    question = "who had from 60 to 80"
    asked = Asked(question, (table,), index.link(question, Vocabulary((), frozenset())))
    points, year = asked.places[1], asked.places[2]
    to = asked.said[1].quantity
    assert asked._in_the_fields_unit(to, points) == 80
    assert asked._in_the_fields_unit(to, year) == 1980


WEIGHED = Table.of({"weigh-in": ["2024-01-08", "2024-02-05", "2024-03-04"], "hips": [98, 97, 95]})
COUNTED = Table.of({"Month": [5, 5, 6], "Day": [1, 2, 1], "Ozone": [41, 36, 29]})


@pytest.mark.parametrize(
    ("table", "question", "program"),
    [
        (WEIGHED, "hips on 5 Feb?", "count(rows(weigh-in = 2024-02-05))"),
        (WEIGHED, "hips between 6 jan and 10 feb", "count(rows(weigh-in between 2024-01-06 and 2024-02-10))"),
        (WEIGHED, "how many after the 8th of january", "count(rows(weigh-in > 2024-01-08))"),
        (COUNTED, "how many in june", "count(rows(Month = 6))"),
    ],
)
def test_days_and_months_are_those_of_the_field(table: Table, question: str, program: str) -> None:
    index = TablesIndex.of([TableIndex.of(table)], titles_of((table,)))
    asked = Asked(question, (table,), index.link(question, Vocabulary((), frozenset())))
    wanted = parse(program.replace("weigh-in", '"weigh-in"'))
    found = [build(each, asked) for each in derive(wanted, asked)]
    assert found
    assert to_text(found[0]) == to_text(wanted)
