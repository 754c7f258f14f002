"""What questions that lean on the one before are read as, where rules over programs say it."""

from typing import Final

import pytest

from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.judge.ranked import NO_FIELD, NOT_ABOUT, Ranked
from neural_enquirer.tables import Table
from told import answer, refused, told

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
    plain = refused(question, NOT_ABOUT, tables=(CLUBS,))
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
        # Any value of a field.
        (
            "count(rows(league = A, rows(town = South)))",
            "and in any league?",
            "count(rows(town = South))",
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
        # More of another field of the same row.
        (
            'cells("morning points", rows(club = Dee))',
            "how much more in evening points?",
            'difference(cells("evening points", rows(club = Dee)), '
            'cells("morning points", rows(club = Dee)))',
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
    read = _read("cells(club, largest(members))", "how many points in the morning had that team?")
    assert read == 'cells("morning points", rows(club = Esk))'


def test_a_question_for_which_the_model_made_rows_up_leans() -> None:
    plain = answer("what are the members?", "cells(members, rows(town = North))", CLUBS)
    read = follow_up(plain, Last.read("", "cells(town, rows(club = Dee))"))
    assert read.program == "cells(members, rows(club = Dee))"


def test_a_question_that_says_what_rows_it_means_does_not_lean() -> None:
    plain = answer("what are the members of North?", "cells(members, rows(town = North))", CLUBS)
    assert follow_up(plain, Last.read("", "cells(town, rows(club = Dee))")) is plain


def test_what_no_whole_question_finds_stays_refused() -> None:
    plain = told("how many people watched it?", Ranked(None, NO_FIELD, None, 0.95), tables=(CLUBS,))
    last = Last.read("who is from the north", "cells(club, rows(members = 40))")
    assert follow_up(plain, last).refusal is None
    refusing = follow_up(
        plain, last, lambda asked: [refused(each, NO_FIELD, tables=(CLUBS,)) for each in asked]
    )
    assert refusing is plain


@pytest.mark.parametrize(
    ("probability", "read"), [(0.95, "cells(league, rows(club = Esk))"), (0.6, "distinct(league)")]
)
def test_the_likelier_of_a_whole_question_and_one_by_itself_counts(probability: float, read: str) -> None:
    plain = answer("what league of bowls?", "distinct(league)", CLUBS, probability=0.8)
    last = Last.read("who has most members", "cells(club, largest(members))")
    whole = "cells(league, rows(club = Esk))"
    given = follow_up(
        plain, last, lambda asked: [answer(each, whole, CLUBS, probability=probability) for each in asked]
    )
    assert given.program in (read, read.replace("rows(club = Esk)", "largest(members)"))


def test_nobody_asks_for_the_sum_of_what_each_has() -> None:
    plain = answer("how big are they?", "sum(members)", CLUBS, probability=0.3)
    read = follow_up(plain, Last.read("", "cells(club, rows(town = North))"))
    assert read.program == "cells(members, rows(town = North))"


def test_the_heavier_of_some_is_one_of_them() -> None:
    plain = answer("which is heavier?", "cells(club, largest(members))", CLUBS, probability=0.3)
    read = follow_up(
        plain,
        Last.read("", "count(rows(town = North))"),
        lambda asked: [
            answer(each, "cells(club, largest(members, rows(town = North)))", CLUBS) for each in asked
        ],
    )
    assert read.program == "cells(club, largest(members, rows(town = North)))"
