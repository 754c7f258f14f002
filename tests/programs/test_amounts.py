"""Programs over texts that are read as amounts: in memory, as SQL, as a line and as a sentence."""

import datetime

import pytest
from sql_engines import SqlEngines

from neural_enquirer.programs import ProgramError, parse, run, sentence, to_sql, to_text
from neural_enquirer.tables import Table

RUNS = Table.of(
    {
        "runner": ["Ada", "Bo", "Cy", "Dee", "Eve"],
        "distance": ["5km", "800m", "10km", None, "0.5 km"],
        "time": ["58m", "2h 15m", "1h 45m", "DNF", "40m"],
        "day": ["12 Mar 19", "3 Jan 21", "7 Jul 20", "9 Jul 20", "1 Feb 20"],
        "club": ["North", "South", "North", "South", "South"],
    },
    name="runs",
)


@pytest.mark.parametrize(
    ("program", "values"),
    [
        ("cells(runner, largest(amount_in(distance)))", ("Cy",)),
        ("cells(runner, smallest(amount_in(distance)))", ("Eve",)),
        ("cells(time, smallest(amount_in(time)))", ("40m",)),
        ("cells(runner, largest(amount_in(day)))", ("Bo",)),
        ("cells(runner, rows(amount_in(distance) > 700))", ("Ada", "Bo", "Cy")),
        ("cells(runner, rows(amount_in(day) >= 2020-07-07))", ("Bo", "Cy", "Dee")),
        ("count(rows(amount_in(time) is missing))", (1,)),
        ("sum(amount_in(distance))", (16300,)),
        ("average(amount_in(time), rows(club = South))", (87.5,)),
        ("minimum(amount_in(day))", (datetime.date(2019, 3, 12),)),
        ("cells(club, largest(measure, groups(club, sum(amount_in(distance)))))", ("North",)),
        ("cells(runner, largest(year_of(amount_in(day))))", ("Bo",)),
    ],
)
def test_amounts_are_compared_ordered_and_added(program: str, values: tuple[object, ...]) -> None:
    read = parse(program)
    assert run(read, [RUNS]).values == values
    assert to_text(read) == program
    with SqlEngines([RUNS]) as engines:
        assert engines.check(read)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "cells(runner, largest(amount_in(distance)))",
            "The runner with the largest distance (10km) is Cy.",
        ),
        ("cells(runner, largest(amount_in(day)))", "The runner with the latest day (3 January 2021) is Bo."),
        (
            "sum(amount_in(distance))",
            "Over all 5 rows, the total distance is 16,300 m, leaving out 1 where it is missing.",
        ),
        (
            "cells(runner, rows(amount_in(time) < 45))",
            "In the only row where time is less than 45 min, runner is Eve.",
        ),
        (
            "cells(club, largest(measure, groups(club, sum(amount_in(distance)))))",
            "The club with the largest total distance (15,000 m) is North.",
        ),
    ],
)
def test_the_sentence_says_the_unit_and_nothing_of_the_reading(program: str, said: str) -> None:
    read = parse(program)
    assert sentence(read, run(read, [RUNS]), [RUNS]) == said


@pytest.mark.parametrize("field", ["runner", "club", "pace"])
def test_texts_that_cannot_be_read_have_no_amount(field: str) -> None:
    with pytest.raises(ProgramError):
        run(parse(f"cells(runner, largest(amount_in({field})))"), [RUNS])


def test_sql_of_too_many_texts_is_refused_in_one_line() -> None:
    many = Table.of({"size": [f"{number} {unit}" for number in range(1, 600) for unit in ("m", "km")]})
    with pytest.raises(ProgramError, match="1,198 different texts of size"):
        to_sql(parse("sum(amount_in(size))"), [many])
