"""Questions that processes of their own answer."""

import gc
import json
from collections.abc import Iterator
from functools import partial

import pytest

from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.asking.follow_ups import Last
from neural_enquirer.tables import TableError
from neural_enquirer.web.answers import answer_body
from neural_enquirer.web.processes import AnsweringProcess

GAMES = [
    {"year": 2000, "city": "Sydney", "cost": 3800},
    {"year": 2004, "city": "Athens", "cost": 9000},
]
QUESTIONS = ("which city had the highest cost", "how many games were there", "what did Sydney cost")


@pytest.fixture(scope="module")
def process() -> Iterator[AnsweringProcess]:
    running = AnsweringProcess("open")
    yield running
    running.close()


def _told(answer: Answer) -> tuple[object, ...]:
    """What both must say alike; their probabilities differ in the last digits."""
    return answer.text, answer.sentence, answer.sql(), round(answer.confidence, 3)


def test_answers_are_those_of_the_model_and_about_our_own_tables(process: AnsweringProcess) -> None:
    table, other = Table.of(GAMES, name="games"), Table.of(GAMES[:1], name="first games")
    pairs = [((own,), question) for own in (table, other) for question in QUESTIONS]
    expected = Enquirer.from_pretrained().ask_many([((own,), question) for (own,), question in pairs])
    for _ in range(2):  # the tables are there already the second time
        answers = process.ask_many(pairs)
        assert [_told(answer) for answer in answers] == [_told(answer) for answer in expected]
        assert all(answer.tables[0] is own for answer, ((own,), _) in zip(answers, pairs, strict=True))


def test_only_what_is_wanted_of_an_answer_comes_back(process: AnsweringProcess) -> None:
    pairs = [((Table.of(GAMES, name="games"),), question) for question in QUESTIONS]
    last = Last.read("what did Athens cost", "cells(cost, rows(city = Athens))")
    wanted = [partial(answer_body, last=own, steps=False, rows_told=1) for own in (None, None, last)]
    told = process.tell_many(pairs, wanted, top=1)
    assert [json.loads(each)["answer"] for each in told] == ["Athens", "2", "3800"]


def test_what_goes_wrong_is_told_here(process: AnsweringProcess) -> None:
    empty = Table.of_columns(["city"], [[]])
    with pytest.raises(TableError, match="no rows"):
        process.ask_many([((empty,), "which city")])


def test_a_table_that_is_gone_is_forgotten(process: AnsweringProcess) -> None:
    table = Table.of(GAMES, name="games")
    process.ask_many([((table,), QUESTIONS[0])])
    known = len(process._known)
    del table
    gc.collect()
    assert len(process._known) < known
    kept = Table.of(GAMES[:1], name="games")  # may stand where the other stood
    assert process.ask_many([((kept,), QUESTIONS[0])])[0].text == "Sydney"


def test_a_process_that_ended_is_started_anew() -> None:
    process = AnsweringProcess("open")
    process._process.kill()
    process._process.join()
    assert process.ask_many([((Table.of(GAMES, name="games"),), QUESTIONS[0])])[0].text == "Athens"
    process.close()
    assert not process._process.is_alive()
