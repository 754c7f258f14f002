"""Whole questions that are put together from one that leans and the one before, and what is read in them.

A model that knows some questions and refuses all others answers them.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.last import About
from neural_enquirer.asking.follow_ups.leaning import Leaning
from neural_enquirer.asking.follow_ups.wholes import Whole, whole_questions
from neural_enquirer.judge.ranked import NO_FIELD, NOT_ABOUT
from neural_enquirer.programs import parse
from neural_enquirer.programs.execution import Runner
from neural_enquirer.tables import Table
from told import answer, refused

FILMS: Final = Table.of(
    {
        "film": ["Tide", "Ash", "Neap", "Lanterns"],
        "director": ["Ann Ray", "Bo Lee", "Ann Ray", "Cy Fox"],
        "shown": [2021, 2022, 2022, 2023],
        "jury score": [7, 9, 8, 5],
        "public score": [6, 4, 9, 8],
        "prizes lost": [1, 0, 2, 5],
    },
    "films",
)
_TIDE: Final = 'cells(shown, rows(film = "Tide"))'


def _wholes(first: str, program: str, question: str) -> list[str]:
    plain, last = refused(question, NOT_ABOUT, tables=(FILMS,)), Last.read(first, program)
    fragment = Fragment(plain)
    about = About(last, plain.tables, Runner(plain.tables).run)
    return [each.question for each in whole_questions(about, fragment, Leaning(fragment, last))]


@pytest.mark.parametrize(
    ("first", "program", "question", "whole"),
    [
        ("when was Tide shown", _TIDE, "what did it win?", "what did tide win"),
        ("when was Tide shown", _TIDE, "and its rank?", "tide 's rank"),
        ("who won most", 'cells(film, largest("jury score"))', "who made it?", "who made ash"),
        (
            "which year had the best film",
            'cells(shown, largest("jury score"))',
            "what else came that year?",
            "what else came in 2022",
        ),
        ("when was Tide shown", _TIDE, "what are the costs?", "what are the costs of tide"),
        ("when was Tide shown", _TIDE, "and Ash?", "when was ash shown"),
        ("when was Tide shown", _TIDE, "who made Ash?", "when was ash shown"),
        ("films in 2022", "count(rows(shown = 2022))", "after 2021?", "films after 2021"),
        (
            "which film got most from the jury in May",
            'cells(film, largest("jury score"))',
            "and from the public?",
            "which film got most from the public in may",
        ),
        (
            "which film has the best jury score",
            'cells(film, largest("jury score"))',
            "the worst?",
            "which film has the worst jury score",
        ),
    ],
)
def test_two_questions_are_put_together(first: str, program: str, question: str, whole: str) -> None:
    assert whole in _wholes(first, program, question)


def test_what_asks_for_something_of_them_is_not_put_in_the_place_of_words() -> None:
    wholes = _wholes("best jury score", 'cells(film, largest("jury score"))', "which of those is the best?")
    assert not [each for each in wholes if "jury" in each]


def _asked(known: Mapping[str, str], probability: float, question: str, program: str, first: str) -> Answer:
    def ask(questions: Sequence[str]) -> list[Answer]:
        return [
            answer(each, known[each], FILMS, probability=probability)
            if each in known
            else refused(each, NO_FIELD, tables=(FILMS,))
            for each in questions
        ]

    return follow_up(refused(question, NOT_ABOUT, tables=(FILMS,)), Last.read(first, program), ask)


def test_what_the_model_reads_in_a_whole_question_is_asked_of_the_rows_behind_the_last_answer() -> None:
    program = 'cells(director, rows(shown = 2021, rows("jury score" = 7)))'
    known = {"what did ann ray miss": 'cells("prizes lost", rows(director = "Ann Ray"))'}
    given = _asked(known, 0.9, "what did she miss?", program, "who directed the film of 2021")
    assert given.program == 'cells("prizes lost", rows(shown = 2021, rows("jury score" = 7)))'


@pytest.mark.parametrize(("probability", "values"), [(0.9, ("1",)), (0.05, ())])
def test_a_question_that_the_model_hardly_understands_has_no_say(
    probability: float, values: tuple[str, ...]
) -> None:
    known = {"how badly was tide beaten": 'cells("prizes lost", rows(film = Tide))'}
    given = _asked(known, probability, "how badly was it beaten?", _TIDE, "when was Tide shown")
    assert given.texts == values


def test_a_program_may_forget_the_name() -> None:
    whole = Whole("when was tide shown", 0.0, "Tide")
    assert whole.forgets(parse('cells(shown, rows(film = "Ash"))'))
    assert not whole.forgets(parse(_TIDE))
