"""Questions that stand by themselves, whatever was asked before."""

from collections.abc import Sequence
from typing import Final

import pytest

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.asking.questions import QuestionError
from neural_enquirer.tables import Table
from told import answer

GAMES: Final = Table.of(
    {
        "country": ["Chile", "Peru", "France", "Spain"],
        "continent": ["America", "America", "Europe", "Europe"],
        "gold": [3, 1, 9, 4],
        "year": [1996, 1998, 2001, 2004],
    },
    "games",
)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("who had the most gold", "cells(country, largest(gold))"),
        ("how many countries are there", "count(rows())"),
    ],
)
def test_one_row_is_nothing_to_choose_from_or_to_count(question: str, program: str) -> None:
    plain = answer(question, program, GAMES, probability=0.5)
    assert follow_up(plain, Last.read("when was Peru", "cells(year, rows(country = Peru))")) is plain


def test_how_many_there_are_is_asked_of_all() -> None:
    last = Last.read("who is in Europe", "cells(country, rows(continent = Europe))")
    plain = answer(
        "how many continents are there", "count_distinct(continent, rows())", GAMES, probability=0.5
    )
    assert follow_up(plain, last) is plain
    headless = follow_up(answer("how many are there", "count(rows())", GAMES, probability=0.5), last)
    assert headless.program == "count(rows(continent = Europe))"


def test_what_is_too_long_to_ask_together_is_asked_alone() -> None:
    def ask(_: Sequence[str]) -> list[Answer]:
        raise QuestionError("a word of the question has 20,000 letters; ask in plain words")

    plain = answer("and in Europe", "count(rows(continent = Europe))", GAMES, probability=0.5)
    last = Last.read("who is in America", "cells(country, rows(continent = America))")
    assert follow_up(plain, last) is not plain
    assert follow_up(plain, last, ask) is plain
