"""The questions that the page suggests: few, plain, and with the answer that the table gives."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.answering_speed import make_table
from neural_enquirer import Enquirer, Table
from neural_enquirer.web.example_questions import MOST_QUESTIONS, example_questions, examples
from neural_enquirer.web.example_tables import example_tables

EXAMPLE_TABLES = dict(example_tables())


def test_plain_words_from_the_table() -> None:
    table = Table.of(
        [
            {
                "fullName": "Amara Okafor",
                "home_town": "Lagos",
                "grossSalary (EUR)": 78,
                "hired": "2016-03-14",
            },
            {
                "fullName": "Ben Whitfield",
                "home_town": "Leeds",
                "grossSalary (EUR)": 54,
                "hired": "2019-09-02",
            },
            {
                "fullName": "Carla Ortiz",
                "home_town": "Lagos",
                "grossSalary (EUR)": 61,
                "hired": "2011-01-05",
            },
        ]
    )
    assert example_questions(table) == [
        "What is the home town of Amara Okafor?",
        "Which full name has the highest gross salary?",
        "Which full name with home town Lagos has the highest gross salary?",
        "Which full name has the latest hired?",
        "What is the gross salary of Amara Okafor?",
        "What is the hired of Amara Okafor?",
    ]


def test_ties_are_no_question() -> None:
    table = Table.of([{"name": "a", "n": 1}, {"name": "b", "n": 2}, {"name": "c", "n": 2}])
    assert not any("highest" in question for question in example_questions(table))


@pytest.mark.parametrize(
    "records",
    [
        [{"n": 1, "m": 2}],
        [{"": "x"}],
        [{"name": None, "n": 1}, {"name": "b", "n": None}],
        [{"name": "x" * 1000, "n": 1}],
        [{"name": "same", "n": i} for i in range(5)],
        [{"name" * 100: "a", "n": 1}],
        [{"name": "a\nb", "n": 1}, {"name": "\u202e", "n": 2}],
        [{"(only brackets)": "a", "n": 3}],
    ],
)
@pytest.mark.filterwarnings("ignore::neural_enquirer.tables.TableWarning")
def test_odd_tables_have_few_questions_or_none(records: list[dict[str, object]]) -> None:
    for question in example_questions(Table.of(records)):
        assert question.isprintable()


cells = st.none() | st.text(max_size=8) | st.integers() | st.floats() | st.dates().map(str)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"a": cells, "b (x)": cells, "cD": cells, "d": cells}), min_size=1, max_size=8
    )
)
def test_answers_are_cells_of_the_table(records: list[dict[str, object]]) -> None:
    table = Table.of(records)
    made = examples(table)
    assert len(made) <= MOST_QUESTIONS
    assert len({example.question for example in made}) == len(made)
    for example in made:
        assert table.text(example.row, table.field_index(example.field))


@pytest.fixture(scope="module")
def shipped() -> Enquirer:
    return Enquirer.from_pretrained()


@pytest.mark.parametrize("name", EXAMPLE_TABLES)
def test_the_shipped_model_answers_those_of_the_examples(shipped: Enquirer, name: str) -> None:
    table = EXAMPLE_TABLES[name]
    made = examples(table)
    assert len(made) == MOST_QUESTIONS
    answers = shipped.ask_many(table, [example.question for example in made])
    assert [(answer.row, answer.field) for answer in answers] == [(each.row, each.field) for each in made]


def test_the_shipped_model_answers_those_of_other_tables(shipped: Enquirer) -> None:
    draw = random.Random(5)
    asked = [
        (table, example) for table in (make_table(draw) for _ in range(30)) for example in examples(table)
    ]
    answers = shipped.ask_many([(table, example.question) for table, example in asked])
    right = sum(
        (answer.row, answer.field) == (example.row, example.field)
        for answer, (_, example) in zip(answers, asked, strict=True)
    )
    assert len(asked) > 120
    assert right >= 0.95 * len(asked)
