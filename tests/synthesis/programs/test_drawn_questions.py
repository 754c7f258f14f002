"""Questions drawn over given tables: programs that run, conditions that count and are said."""

from collections import Counter

import pytest

from neural_enquirer.programs import run, to_text
from neural_enquirer.programs.language import (
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Exists,
    Extreme,
    Field,
    Holds,
    Join,
    Where,
)
from neural_enquirer.programs.trees import parts
from neural_enquirer.real_questions.everyday.questions import KINDS
from neural_enquirer.synthesis.open.draw import Draw, attempted
from neural_enquirer.synthesis.programs import draw_questions
from neural_enquirer.synthesis.programs.drawing import drafted
from neural_enquirer.synthesis.programs.subject import Subject
from neural_enquirer.tables import Table

CARS = Table.of_columns(
    ("Car", "brand", "color", "price_usd", "hp", "Year", "sold"),
    (
        ("Fiesta", "Panda", "Golf", "Clio", "Focus", "Polo", "Uno", "Megane", "Passat", "Punto"),
        ("Ford", "Fiat", "VW", "Renault", "Ford", "VW", "Fiat", "Renault", "VW", "Fiat"),
        ("red", "blue", "red", "green", "blue", "blue", "red", "red", "green", None),
        (9500, 7200, 18900, 8800, 14500, 12100, 3100, 13300, 24800, 6900),
        (85, 69, 150, 90, 125, 95, 45, 140, 190, 77),
        (2012, 2015, 2018, 2011, 2016, 2017, 1995, 2014, 2019, 2008),
        ("2020-01-05", "2020-03-17", "2019-11-30", "2021-06-01", "2021-06-20", "2018-02-02", "2018-09-09",
         "2020-12-24", "2022-05-05", "2019-01-15"),
    ),
    "cars",
)  # fmt: skip
BRANDS = Table.of_columns(
    ("brand", "country", "founded", "employees"),
    (
        ("Ford", "Fiat", "VW", "Renault"),
        ("United States", "Italy", "Germany", "France"),
        (1903, 1899, 1937, 1899),
        (190_000, 20_000, 670_000, 105_000),
    ),
    "brands",
)
UNANSWERABLE = {"no_field", "no_row", "off_topic", "nonsense"}


@pytest.fixture(scope="module")
def drawn():
    return draw_questions([CARS], 1500, seed=5)


def test_the_same_seed_gives_the_same_questions_and_another_others(drawn):
    assert draw_questions([CARS], 40, seed=5) == drawn[:40]
    assert draw_questions([CARS], 40, seed=6) != drawn[:40]


def test_every_kind_is_drawn_and_a_twelfth_has_no_answer(drawn):
    counts = Counter(question.kind for question in drawn)
    assert set(counts) - UNANSWERABLE == set(KINDS) - {"join", "unanswerable"}
    assert counts.keys() >= UNANSWERABLE
    assert 0.05 < sum(counts[kind] for kind in UNANSWERABLE) / len(drawn) < 0.12
    assert all((question.program is None) == (question.kind in UNANSWERABLE) for question in drawn)


def test_questions_hardly_recur(drawn):
    assert len({question.question.casefold() for question in drawn}) > 0.93 * len(drawn)


def test_programs_answer(drawn):
    for question in drawn:
        if question.program is not None:
            assert run(question.program, [CARS]).values, to_text(question.program)


def test_every_condition_takes_rows_away(drawn):
    for question in drawn:
        if question.program is None or isinstance(question.program, Exists | Holds):
            continue
        steps = {step.step: len(step) for step in run(question.program, [CARS]).steps}
        for rows, count in steps.items():
            if isinstance(rows, Where) and rows.rows == All():
                assert 0 < count < CARS.row_count, question


def test_one_row_is_the_largest(drawn):
    asked = [each for each in drawn if each.kind in ("superlative", "filter_superlative")]
    extremes = [each.program for each in asked if isinstance(each.program, Cells)]
    assert len(extremes) > 100
    for program in extremes:
        assert isinstance(program.rows, Extreme)
        assert len(run(program, [CARS]).values) == 1


def test_values_of_conditions_are_said():
    """Before slips of the finger, each text that a program compares with stands in the question."""
    draw, subject = Draw("test", 1), Subject(CARS)
    compared = 0
    for _ in range(3000):
        draft = attempted(drafted, draw, subject)
        for part in [] if draft is None else parts(draft.program):
            match part:
                case Compare(Field(), Comparison.EQUAL | Comparison.DIFFERS, Constant(str(value))):
                    assert value in draft.text, (draft.text, to_text(draft.program))
                    compared += 1
    assert compared > 500


def test_a_program_over_two_tables_names_them_and_uses_both():
    joined = alone = 0
    for question in draw_questions([CARS, BRANDS], 300, seed=2):
        if question.program is None:
            continue
        found = list(parts(question.program))
        fields = {part for part in found if isinstance(part, Field)}
        assert fields, question
        assert all(field.table in ("cars", "brands") for field in fields)
        if any(isinstance(part, Join) for part in found):
            joined += 1
            assert any(field.table == "brands" and field.name != "brand" for field in fields)
        else:
            alone += 1
            assert len({field.table for field in fields}) == 1
    assert joined > alone > 0


def test_a_missing_field_is_not_one_of_the_table(drawn):
    words = {"car", "brand", "color", "price", "hp", "horsepower", "year", "sold"}
    asked = [question.question for question in drawn if question.kind == "no_field"]
    assert len(asked) > 40
    named = [text for text in asked if "phone" in text.lower() or words.isdisjoint(text.lower().split())]
    assert len(named) > len(asked) / 3


@pytest.mark.parametrize(
    "columns",
    [
        {"column 1": ["a", "b"]},
        {"n": [1, 2]},
        {"x": [None, None], "y": ["a", None]},
        {"#": [1, 2, 3], "%": [0.5, 0.25, 0.25]},
        {"date": ["2020-01-01", "2020-01-02", "2020-01-03"], "note": ["-", "-", "-"]},
        {"name": ["A\nB", "C (d)", '"E"'], "score": ["1-0", "2-2", "0-3"]},
    ],
)
def test_odd_tables_are_no_trouble(columns):
    table = Table.of_columns(list(columns), list(columns.values()), "odd")
    for question in draw_questions([table], 30, seed=1):
        assert question.question
        assert question.program is None or run(question.program, [table]).values


def test_a_table_of_one_row_has_nothing_to_ask():
    assert draw_questions([Table.of_columns(["a"], [["x"]])], 5, seed=1) == []
