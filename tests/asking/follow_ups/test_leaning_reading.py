"""What questions that lean on the one before are read as, where rules over programs say it."""

from typing import Final

import pytest

from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.judge.ranked import NOT_ABOUT
from neural_enquirer.tables import Table
from told import answer, refused

CLUBS: Final = Table.of(
    {
        "club": ["Ayr", "Bute", "Clyde", "Dee", "Esk"],
        "town": ["North", "North", "South", "South", "South"],
        "league": ["A", "A", "B", "A", "A"],
        "morning points": [3, 8, 5, 1, 4],
        "evening points": [9, 2, 6, 7, 3],
        "members": [40, 10, 30, 20, 50],
    },
    "clubs",
)


def _read(program: str, question: str, first: str = "") -> str | None:
    plain = refused(question, NOT_ABOUT, tables=(CLUBS,), probability=0.4)
    return follow_up(plain, Last.read(first, program)).program


@pytest.mark.parametrize(
    ("program", "question", "read"),
    [
        # A field that is called like another.
        (
            'cells(club, largest("morning points"))',
            "and in the evening?",
            'cells(club, largest("evening points"))',
        ),
        # Others that have what was answered.
        (
            "cells(town, rows(club = Dee))",
            "how many other clubs are there?",
            "count(rows(club <> Dee, rows(town = South)))",
        ),
        # A share of a number, and not of rows.
        (
            "cells(members, rows(club = Dee))",
            "what share of the total is that?",
            "percentage(cells(members, rows(club = Dee)), sum(members))",
        ),
        # The next one, said with the superlative again.
        (
            "cells(club, smallest(members))",
            "what is the next smallest?",
            "cells(club, nth_smallest(2, members))",
        ),
        ("cells(club, smallest(members))", "the second lowest?", "cells(club, nth_smallest(2, members))"),
        # Most of what was compared, where nothing else is said.
        (
            'count(rows("morning points" > 3))',
            "which of them has the most?",
            'cells(club, largest("morning points", rows("morning points" > 3)))',
        ),
        # A single group is no answer to what there is per league.
        (
            "average(members, rows(club = Clyde))",
            "by league?",
            "cells(league, measure, groups(league, average(members)))",
        ),
    ],
)
def test_rules_read_what_leans(program: str, question: str, read: str) -> None:
    assert _read(program, question) == read


def test_a_word_that_points_at_something_with_a_noun_stands_for_it_wherever_it_is() -> None:
    read = _read("cells(club, largest(members))", "morning points of that team?")
    assert read == 'cells("morning points", largest(members))'


def test_a_question_that_says_what_rows_it_means_does_not_lean() -> None:
    plain = answer("what are the members of North?", "cells(members, rows(town = North))", CLUBS)
    assert follow_up(plain, Last.read("", "cells(town, rows(club = Dee))")) is plain


@pytest.mark.parametrize(
    ("question", "probability", "read"),
    [
        ("what league of bowls?", 0.6, "cells(league, largest(members))"),
        ("which leagues are the clubs of North in?", 0.97, "distinct(league, rows(town = North))"),
    ],
)
def test_a_question_leans_unless_more_speaks_for_it_by_itself(
    question: str, probability: float, read: str
) -> None:
    plain = answer(question, "distinct(league, rows(town = North))", CLUBS, probability=probability)
    last = Last.read("who has most members", "cells(club, largest(members))")
    whole = "cells(league, rows(club = Esk))"
    given = follow_up(plain, last, lambda asked: [answer(each, whole, CLUBS) for each in asked])
    assert given.program == read


def test_nobody_asks_for_the_sum_of_what_each_has() -> None:
    plain = answer("how big are they?", "sum(members)", CLUBS, probability=0.3)
    read = follow_up(plain, Last.read("", "cells(club, rows(town = North))"))
    assert read.program == "cells(members, rows(town = North))"
