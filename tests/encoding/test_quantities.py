import dataclasses
import datetime

import pytest

from neural_enquirer.encoding.candidates import candidates_of
from neural_enquirer.encoding.linking import link
from neural_enquirer.encoding.quantities import day_number, quantities_in
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.text import fold
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.programs.enumeration import columns_of
from neural_enquirer.tables import Table


def found(question: str) -> list[tuple[str, float | None]]:
    folded = fold(question)
    return [(folded[q.start : q.end], q.number) for q in quantities_in(folded)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("more than $1,200", [("1,200", 1200.0)]),
        ("over 2 million people", [("2 million", 2e6)]),
        ("under 5k", [("5k", 5000.0)]),
        ("under 1 200 000 people", [("1 200 000", 1.2e6)]),
        ("the 3 200 m races", [("3", 3.0), ("200", 200.0)]),
        ("longer than 5 m", [("5", 5.0)]),
        ("within 30km", [("30", 30.0)]),
        ("at -3.5 degrees", [("-3.5", -3.5)]),
        ("a score of –5", [("–5", -5.0)]),
        ("a share of .558", [(".558", 0.558)]),
        ("from 3,4 to 12,345", [("3", 3.0), ("4", 4.0), ("12,345", 12345.0)]),
        ("more than three goals", [("three", 3.0)]),
        ("between 10 and 20", [("10", 10.0), ("20", 20.0)]),
        ("who came third", [("third", 3.0)]),
        ("who came 3rd", [("3", 3.0)]),
        ("requests per second", []),
        ("which server had no errors", [("no", 0.0)]),
        ("a Boeing b747 flight", []),
        ("number 1e309 is odd", []),
        ("thirty-seven thousand five hundred dollars", [("thirty-seven thousand five hundred", 37500.0)]),
        ("elected in nineteen eighty-four", [("nineteen eighty-four", 1984.0)]),
        ("under half a million", [("half a million", 5e5)]),
        ("over a hundred thousand", [("a hundred thousand", 1e5)]),
        ("on the twenty-first", [("twenty-first", 21.0)]),
        ("players with two or three goals", [("two", 2.0), ("three", 3.0)]),
        ("one-day auctions", [("one", 1.0)]),
        ("episode one", [("one", 1.0)]),
        ("which one is the oldest one", []),
        ("the one from Rome", []),
        ("clubs without a title", [("without", 0.0)]),
        ("who won it twice", [("twice", 2.0)]),
        ("goalless draws", [("goalless", 0.0)]),
        ("fat-free cereals", [("free", 0.0)]),
        ("unless he is a free agent", []),
        ("nations that won nothing", [("nothing", 0.0)]),
        ("single-medal nations", [("single", 1.0)]),
        ("neither gold nor silver", [("neither", 0.0), ("nor", 0.0)]),
        ("double-digit medal totals", [("double-digit", 10.0)]),
        ("a six figure toll", [("six figure", 1e5)]),
        ("the two figures", [("two", 2.0)]),
        ("wars of more than a day", [("a", 1.0)]),
        ("over a quarter of the votes", [("a quarter", 25.0)]),
        ("who was on pole", [("pole", 1.0)]),
        ("the North Pole", []),
        ("south of the equator", [("equator", 0.0)]),
        ("first-round wins", [("first", 1.0)]),
        ("the first man on the moon", []),
        ("only one medal", [("one", 1.0)]),
        ("over ten grand", [("ten grand", 10000.0)]),
        ("less than a grand", [("a grand", 1000.0)]),
        ("200 grand", [("200 grand", 200000.0)]),
        ("a grand prix win", []),
        ("a Grand Slam", []),
        ("in more than half of the towns", [("half", 50.0)]),
        ("over half an hour", []),
    ],
)
def test_numbers_are_found_with_their_size(question: str, expected: list[tuple[str, float]]) -> None:
    assert found(question) == expected


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("on 2021-03-05", (2021, 3, 5), (2021, 3, 5)),
        ("on March 5, 2021", (2021, 3, 5), (2021, 3, 5)),
        ("on 5th of march 2021", (2021, 3, 5), (2021, 3, 5)),
        ("on 25.12.1999", (1999, 12, 25), (1999, 12, 25)),
        ("on 12/25/1999", (1999, 12, 25), (1999, 12, 25)),
        ("in Feb 2020", (2020, 2, 1), (2020, 2, 29)),
        ("in 2019", (2019, 1, 1), (2019, 12, 31)),
        ("in '87", (1987, 1, 1), (1987, 12, 31)),
        ("the '87 winner", (1987, 1, 1), (1987, 12, 31)),
        ("any title later than 81?", (1981, 1, 1), (1981, 12, 31)),
        ("in the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("60s films", (1960, 1, 1), (1969, 12, 31)),
        ("in the nineties", (1990, 1, 1), (1999, 12, 31)),
    ],
)
def test_dates_cover_the_days_they_name(
    question: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    (quantity,) = quantities_in(fold(question))
    assert quantity.days is not None
    low, high = quantity.days
    assert low == datetime.date(*first).toordinal()
    assert datetime.date(*last).toordinal() <= high < datetime.date(*last).toordinal() + 1


@pytest.mark.parametrize(
    "question", ["more than 20", "between 10 and 25", "5 of 12 games", "up to 45 people"]
)
def test_small_numbers_are_no_years(question: str) -> None:
    assert all(quantity.days is None for quantity in quantities_in(question))


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("in the nineties", 1990, 1999),
        ("in the 20th century", 1900, 1999),
        ("in the nineteenth century", 1800, 1899),
        ("back to the 1800s", 1800, 1899),
        ("built this century", 2000, 2099),
    ],
)
def test_decades_and_centuries_are_years_in_a_row(question: str, first: int, last: int) -> None:
    (quantity,) = quantities_in(fold(question))
    assert (quantity.number, quantity.last) == (first, last)


def test_tens_of_years_may_be_ages() -> None:
    ages = Table.of_columns(["name", "age"], [["Ada", "Bob", "Cid"], [34, 41, 68]])
    vocabulary = Vocabulary((), frozenset())
    for question, expected in (
        ("in their forties", {"Bob"}),
        ("under-40s", {"Ada"}),
        ("over sixties", {"Cid"}),
    ):
        links = link(question, TableIndex.of(ages), vocabulary)
        found = candidates_of(question, ages, links).conditions
        rows = {columns_of(ages).rows_where(each.condition) for each in found}
        assert sum(1 << ["Ada", "Bob", "Cid"].index(name) for name in expected) in rows


@pytest.mark.parametrize("question", ["who won in 07", "merion 87", "87 placing please", "the 07 worlds"])
def test_years_may_be_short(question: str) -> None:
    (quantity,) = quantities_in(fold(question))
    assert quantity.unscaled in (1987, 2007)


def test_percentages_may_be_fractions() -> None:
    (quantity,) = quantities_in("over 40% black")
    assert (quantity.number, quantity.unscaled) == (40, 0.4)


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("hips on 5 Feb?", [(2, 5)]),
        ("what else was new on the 23rd of march", [(3, 23)]),
        ("wat was the score nov 14th", [(11, 14)]),
        ("the seventh of may", [(5, 7)]),
        ("may 10 or may 4, more calories?", [(5, 10), (5, 4)]),
        ("6 or 13 November: which week", [(11, 6), (11, 13)]),
        ("between 1 and 15 Feb", [(2, 1), (2, 15)]),
        ("from June 3 to 9?", [(6, 3), (6, 9)]),
        ("on 5 Feb 2020", []),
        ("in March 20 people came", []),
        ("the top 3 may entries", []),
        ("how many in 1905", []),
    ],
)
def test_days_may_lack_their_year(question: str, days: list[tuple[int, int]]) -> None:
    found = [quantity.of_a_year for quantity in quantities_in(fold(question))]
    assert [each for each in found if each is not None] == days


def test_a_day_without_a_year_is_one_that_the_dates_of_a_field_are_about() -> None:
    def meant(question: str, *known: str) -> str | None:
        (quantity,) = quantities_in(question)
        days = quantity.days_among({datetime.date.fromisoformat(one).toordinal() for one in known})
        return None if days is None else str(datetime.date.fromordinal(int(days[0])))

    assert meant("on 5 feb", "2024-01-08", "2024-02-05") == "2024-02-05"
    assert meant("on 5 feb", "2022-02-05", "2024-02-05", "2025-03-01") == "2024-02-05"  # the last
    assert meant("before 5 feb", "2022-03-01", "2024-01-01") == "2023-02-05"  # among them
    assert meant("after 20 oct", "2023-11-02", "2024-02-01") == "2023-10-20"  # beside them
    assert meant("on 29 february", "2023-01-01", "2023-12-31") is None
    assert meant("may 24", "2024-05-01", "2024-06-01") == "2024-05-01"  # of a month
    assert meant("may 81", "1981-05-01") == "1981-05-01"
    assert meant("dec 9 '17", "2020-01-01") == "2017-12-09"


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert all(q.days is None or q.number is not None for q in quantities_in("on 2021-02-31"))


def test_moments_lie_between_days() -> None:
    noon = datetime.datetime(2020, 5, 1, 12)
    assert day_number(noon) == datetime.date(2020, 5, 1).toordinal() + 0.5


def test_common_misspellings_of_months_are_read() -> None:
    assert quantities_in("on 3 febuary 2020") == tuple(
        dataclasses.replace(each, end=each.end - 1) for each in quantities_in("on 3 february 2020")
    )
