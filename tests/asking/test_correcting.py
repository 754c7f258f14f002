"""What people type after `:wrong`."""

import io

import pytest

from fake_predictor import FakePredictor, links_of
from neural_enquirer.asking import terminal
from neural_enquirer.asking.answer import answer_of
from neural_enquirer.asking.conversation import Conversation, correction_of, other_readings
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.learning.corrections import Correction, CorrectionError, default_path, read, references
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table

GAMES = Table.of([{"year": 1996, "city": "Atlanta"}, {"year": 2000, "city": "Sydney"}], "games")
QUESTION = "the last city"
PROGRAMS = ("cells(city, first())", "cells(city, last())", "count(rows())")


def answer():
    found = [(parse(text), 0.3) for text in PROGRAMS]
    ranked = [Ranked(program, None, run(program, (GAMES,)), chance) for program, chance in found]
    ranked.insert(1, Ranked(None, "unsure", None, 0.1))
    return answer_of(QUESTION, (GAMES,), links_of(QUESTION, (GAMES,)), ranked)


def test_other_readings_are_those_that_answer():
    assert [one.text for one in other_readings(answer())] == ["Sydney", "2"]


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("1", {"program": "cells(city, last())"}),
        ("= 2", {"answers": ("2",)}),
        ("Sydney", {"answers": ("Sydney",)}),
        ("Sydney; Atlanta;", {"answers": ("Sydney", "Atlanta")}),
        ("None", {"refuse": True}),
    ],
)
def test_what_is_right(said, right):
    wanted = Correction(QUESTION, references([GAMES]), **right)
    assert correction_of(answer(), [GAMES], said) == wanted


@pytest.mark.parametrize(("said", "told"), [("3", "there are 2"), ("=", "in one way")])
def test_what_is_no_correction_is_told(said, told):
    with pytest.raises(CorrectionError, match=told):
        correction_of(answer(), [GAMES], said)


@pytest.fixture
def said(monkeypatch, tmp_path):
    """Says lines in a conversation, and returns what was printed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out = io.StringIO()
    enquirer = Enquirer(FakePredictor({"which city": PROGRAMS[0]}))
    conversation = Conversation(enquirer, (GAMES,), terminal.console(out))

    def say(*lines):
        for line in lines:
            conversation.say(line)
        return out.getvalue()

    return say


def test_a_conversation_keeps_corrections(said):
    assert "which has 1 now" in said("which city", ":wrong Sydney")
    assert [one.answers for one in read(default_path())] == [("Sydney",)]


def test_without_words_it_says_how(said):
    assert ":wrong none" in said("which city", ":wrong")
    assert not default_path().exists()


def test_a_bad_correction_is_told_and_forgotten(said):
    assert "no other reading has the number 7" in said("which city", ":wrong 7")
    assert not default_path().exists()


def test_there_must_be_an_answer_first(said):
    assert "ask something first" in said(":wrong none")
