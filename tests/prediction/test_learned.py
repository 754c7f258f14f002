"""What is remembered of corrections, and which questions are answered by it."""

import numpy as np
import pytest

from neural_enquirer.checkpoint_files import CheckpointError
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.prediction import Verdict
from neural_enquirer.prediction.learned import (
    LearnedPredictor,
    Remembered,
    fields_of,
    read_memory,
    write_memory,
)
from neural_enquirer.prediction.likeness import FEATURES
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.programs import parse, run
from neural_enquirer.programs.text import to_text
from neural_enquirer.tables import Table

STAFF = Table.of(
    [{"name": "Ada", "team": "Sales", "pay": 30}, {"name": "Bo", "team": "Tools", "pay": 50}], "staff"
)
OTHER = Table.of([{"city": "Oslo"}])
VOCABULARY = Vocabulary(("who",), frozenset())
BOSS = Remembered("Who is the Boss?", (fields_of(STAFF),), "cells(name, largest(pay))")
SALES = Remembered("who sells for ada", (fields_of(STAFF),), "cells(pay, rows(name = Ada))")
NOTHING = Remembered("the weather", (fields_of(STAFF),), None)


class Writer(OpenPredictor):
    """Always counts the rows, and finds all programs as likely."""

    def __init__(self):
        self.name, self.asked = "writer", []

    def judge(self, questions):
        self.asked += [question for _, question in questions]
        return [self._verdict(*one) for one in questions]

    def _verdict(self, tables, question):
        links = TablesIndex.of([TableIndex.of(one) for one in tables]).link(question, VOCABULARY)
        program = parse("count(rows())")
        first = Ranked(program, None, run(program, tables), 0.6, 0.7)
        return Verdict(None, (first, Ranked(None, "no_field", None, 0.4, 0.2)), tuple(links))

    def scores(self, asked, programs):
        return [-1.0] * len(programs)


def likeness(**weights):
    """A judge that adds up features."""
    row = np.zeros((1, len(FEATURES)), np.float32)
    for name, weight in weights.items():
        row[0, FEATURES.index(name.replace("_", " "))] = weight
    nothing = np.zeros(len(FEATURES), np.float32)
    return Judge(nothing, nothing + 1, (row,), (np.zeros(1, np.float32),))


SAME = likeness(words_of_old_alike=20, recalled=-10)
"""Takes questions for the same that have most of their words in common."""


def ask(question, table=STAFF, memory=(BOSS, SALES, NOTHING), judge=SAME):
    predictor = LearnedPredictor(Writer(), memory, judge)
    (verdict,) = predictor.judge([((table,), question)])
    return verdict.ranked


def told(ranked):
    return None if ranked[0].program is None else to_text(ranked[0].program)


def test_what_was_corrected_is_answered_so():
    ranked = ask("who is  the boss", judge=likeness(recalled=-99))
    assert told(ranked) == BOSS.program
    assert ranked[0].recalled == BOSS.question
    assert ranked[0].probability > 0.9


def test_what_nothing_answers_is_refused():
    ranked = ask("The weather?")
    assert ranked[0].refusal == "not_about_this_table"
    assert ranked[0].recalled == NOTHING.question


def test_like_questions_are_answered_alike():
    assert told(ask("now who is the boss here")) == BOSS.program


def test_other_questions_are_answered_as_before():
    ranked = ask("how many are there")
    assert told(ranked) == "count(rows())"
    assert ranked[0].recalled is None
    assert ranked[0].probability == pytest.approx(0.6, abs=0.01)
    assert sum(one.probability for one in ranked) == pytest.approx(1, abs=1e-3)


def test_a_weak_likeness_adds_nothing_to_what_the_model_thinks():
    many = Remembered("how many of all these", BOSS.fields, "count(rows(pay > 40))")
    unlike = likeness(recalled=-1.5)
    assert told(ask("how many are there", memory=(many, BOSS), judge=unlike)) == "count(rows())"
    seconds = [one for one in ask("x", memory=(NOTHING,), judge=unlike) if one.program is None]
    assert [one.recalled for one in seconds] == [None]
    assert seconds[0].probability < 0.4


def test_values_are_those_that_the_question_names():
    assert told(ask("who sells for bo")) == "cells(pay, rows(name = Bo))"


def test_of_two_corrections_of_a_question_the_later_counts():
    later = Remembered(BOSS.question, BOSS.fields, "cells(name, smallest(pay))")
    assert told(ask(BOSS.question, memory=(BOSS, later))) == later.program


def test_other_tables_know_nothing_of_it():
    assert told(ask(BOSS.question, OTHER)) == "count(rows())"
    assert ask(BOSS.question, OTHER)[0].probability == 0.6


def test_a_program_that_a_table_cannot_run_is_left_out():
    gone = Remembered(BOSS.question, BOSS.fields, "cells(name, largest(age))")
    assert told(ask(BOSS.question, memory=(gone,))) == "count(rows())"


def test_the_model_is_asked_what_was_corrected_once_a_table():
    writer = Writer()
    predictor = LearnedPredictor(writer, [BOSS], SAME)
    for question in ("one", "two"):
        predictor.judge([((STAFF,), question)])
    assert writer.asked == ["one", BOSS.question, "two"]


def test_a_field_more_makes_no_other_table():
    known = Remembered("who", (frozenset({"name", "team", "pay", "born", "office"}),), None)
    names = ("NAME", "team", "pay", "born", "office")
    assert known.is_about([Table.of([dict.fromkeys((*names, "new"), 1)])])
    assert not known.is_about([Table.of([dict.fromkeys((*names, "new", "newer"), 1)])])
    assert not known.is_about([OTHER, STAFF])


def test_memory_is_kept_in_a_file(tmp_path):
    assert read_memory(tmp_path) == []
    write_memory(tmp_path, [BOSS, NOTHING])
    assert read_memory(tmp_path) == [BOSS, NOTHING]


@pytest.mark.parametrize("content", ["{", "[1]", '[{"question": "who"}]'])
def test_a_damaged_file_is_told(tmp_path, content):
    (tmp_path / "corrections.json").write_text(content)
    with pytest.raises(CheckpointError, match="damaged"):
        read_memory(tmp_path)
