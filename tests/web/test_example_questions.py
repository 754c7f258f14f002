"""The questions that the page suggests: of every kind, plain, and with an answer that the table gives."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.drawn_tables import make_table
from neural_enquirer import Enquirer, Table
from neural_enquirer.programs import run
from neural_enquirer.web.example_questions import Example, examples, examples_across
from neural_enquirer.web.server import example_tables

EXAMPLE_TABLES = dict(example_tables())


def questions(table: Table) -> list[str]:
    return [example.question for example in examples(table)]


STAFF = Table.of(
    {
        "fullName": ["Amara Okafor", "Ben Whitfield", "Carla Ortiz", "Di Fox"],
        "home_town": ["Lagos", "Leeds", "Lagos", "Leeds"],
        "grossPay (EUR)": [78, 54, 61, 40],
        "hired": ["2016-03-14", "2019-09-02", "2011-01-05", "2012-01-05"],
        "remoteDays": [3, 1, 0, 1],
    },
    "employees",
)


def test_one_of_every_kind_in_plain_words() -> None:
    assert {example.kind: example.question for example in examples(STAFF)} == {
        "look-up": "What is the home town of Amara Okafor?",
        "superlative": "Which employee has the highest gross pay?",
        "count": "How many employees have Lagos as their home town?",
        "count above": "How many employees have a gross pay above 50?",
        "list": "List the employees with Leeds as their home town.",
        "groups": "How many employees are there for each home town?",
        "top": "What are the top 3 employees by gross pay?",
        "average": "What is the average number of remote days?",
        "sum": "How many remote days are there altogether?",
        "average by group": "What is the average gross pay for each home town?",
        "difference": "What is the difference in gross pay between Amara Okafor and Ben Whitfield?",
        "yes or no": "Is Lagos the home town of Carla Ortiz?",
    }


def test_numbers_that_name_things_are_neither_ranked_nor_added_up() -> None:
    table = Table.of(
        {
            "runner": ["Ana", "Bo", "Cy", "Di", "Ed", "Flo"],
            "bib": [17, 4, 93, 20, 51, 8],
            "tag": [101, 102, 104, 105, 107, 110],
            "club": ["Red", "Blue", "Red", "Blue", "Red", "Green"],
            "time": ["0:53:17", "0:49:30", "1:02:00", "0:58:15", "0:51:00", "0:47:20"],
        },
        "race",
    )
    asked = [each for each in questions(table) if not each.startswith("What is the bib of")]
    assert "Which runner has the longest time?" in asked
    assert not any(word in each for word in ("bib", "tag") for each in asked)


def test_a_number_of_things_alone_is_asked_for_in_english() -> None:
    table = Table.of({"museum visitors": [3, 5, 2, 8, 1]}, "stats")
    assert "What is the highest number of museum visitors?" in questions(table)


@pytest.mark.parametrize(
    ("header", "values", "expected"),
    [
        ("visitors", [3, 5], "How many visitors does Oslo have?"),
        ("founded", ["1048-01-01", "1100-01-01"], "When was Oslo founded?"),
        ("area", [3, 5], "How many cities have an area above 3?"),
        ("sales", [3.5, 5], "What are the sales of Oslo?"),
        ("MAYOR", ["Li", "Bo"], "What is the mayor of Oslo?"),
        ("length_km", [3, 5], "Which city has the highest length?"),
    ],
)
def test_headers_are_said_as_people_would(header: str, values: list[object], expected: str) -> None:
    city = "CITY" if header.isupper() else "city"
    assert expected in questions(Table.of({city: ["Oslo", "Rome"], header: values}))


@pytest.mark.parametrize(
    ("header", "values"),
    [
        ("year", [1990, 1995, 1997]),
        ("phone number", [1, 2, 3]),
        ("rank", [1, 2, 3]),
        ("Score", ["2-1", "3-0", "0-0"]),
    ],
)
def test_nobody_asks_for_the_highest_of_what_only_tells_rows_apart(header: str, values: list[object]) -> None:
    kinds = {example.kind for example in examples(Table.of({"name": ["a", "b", "c"], header: values}))}
    assert not {"superlative", "average", "sum", "top", "difference"} & kinds


def test_tables_without_names_are_asked_about_their_rows() -> None:
    table = Table.of([{"sex": sex, "age": age} for sex, age in [("F", 3), ("M", 5), ("F", 4), ("M", 9)]])
    assert "How many rows have F as their sex?" in questions(table)
    assert "What is the highest age?" in questions(table)
    assert not {"look-up", "top", "list"} & {example.kind for example in examples(table)}


def test_headers_with_of_are_said_as_they_are() -> None:
    kinds = ["Theft", "Loss", "Theft", "Loss", "Theft"]
    names = [f"Clinic {letter}" for letter in "abcde"]
    asked = questions(
        Table.of({"Name.of.Firm": names, "Type.of.Breach": kinds, "Number.of.People": range(5)})
    )
    assert "How many firms have Theft as their type of breach?" in asked
    assert "How many firms are there for each type of breach?" in asked
    assert not any("how many number" in question.lower() for question in asked)


def test_what_is_so_or_not_makes_no_groups() -> None:
    truths = ["True", "False", "True", "False"]
    table = Table.of({"name": list("abcd"), "associate present": truths})
    assert not {"count", "groups", "list"} & {example.kind for example in examples(table)}


def test_dates_are_counted_by_their_years() -> None:
    table = Table.of(
        {"name": list("abcd"), "sent": ["x"] * 4, "date": [f"20{10 + n}-03-04" for n in range(4)]}
    )
    assert "How many rows are there for each year?" in questions(table)


def test_ties_are_no_question() -> None:
    table = Table.of([{"name": "a", "n": 1}, {"name": "b", "n": 2}, {"name": "c", "n": 2}])
    assert not any("highest" in question for question in questions(table))


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
        [{"name": "a", "n": 10**400}, {"name": "b", "n": -1}],
    ],
)
@pytest.mark.filterwarnings("ignore::neural_enquirer.tables.TableWarning")
def test_odd_tables_have_few_questions_or_none(records: list[dict[str, object]]) -> None:
    for question in questions(Table.of(records)):
        assert question.isprintable()


cells = st.none() | st.text(max_size=8) | st.integers() | st.floats() | st.dates().map(str)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"a": cells, "b (x)": cells, "cD": cells, "d": cells}), min_size=1, max_size=8
    )
)
def test_programs_answer_their_questions(records: list[dict[str, object]]) -> None:
    table = Table.of(records)
    made = examples(table)
    assert len({example.kind for example in made}) == len(made)
    for example in made:
        assert run(example.program, [table]).values


@pytest.fixture(scope="module")
def shipped() -> Enquirer:
    return Enquirer.from_pretrained()


def rightly_answered(enquirer: Enquirer, asked: Sequence[tuple[Sequence[Table], Example]]) -> float:
    """The share of questions that get what their programs give."""
    answers = enquirer.ask_many([(list(tables), example.question) for tables, example in asked])
    right = [
        sorted(map(str, answer.values)) == sorted(map(str, run(example.program, tables).values))
        for answer, (tables, example) in zip(answers, asked, strict=True)
    ]
    return sum(right) / len(right)


def test_the_shipped_model_answers_those_of_the_examples(shipped: Enquirer) -> None:
    asked = [([table], example) for table in EXAMPLE_TABLES.values() for example in examples(table)]
    assert len(asked) > 70
    assert rightly_answered(shipped, asked) >= 0.9


def test_the_shipped_model_answers_those_of_other_tables(shipped: Enquirer) -> None:
    draw = random.Random(5)
    asked = [
        ([table], example) for table in (make_table(draw) for _ in range(15)) for example in examples(table)
    ]
    assert len(asked) > 100
    assert rightly_answered(shipped, asked) >= 0.9


def test_tables_that_go_together(shipped: Enquirer) -> None:
    tables = [EXAMPLE_TABLES[name] for name in ("orders.csv", "customers.csv")]
    made = examples_across(tables)
    assert {example.kind: example.question for example in made} == {
        "look-up": "What is the city of the customer of order 17?",
        "count": "How many orders have a customer with Lisbon as their city?",
        "groups": "How many orders are there for each city?",
        "average by group": "What is the average quantity for each city?",
    }
    assert [example.question for example in examples_across(tables[::-1])] == [one.question for one in made]
    assert rightly_answered(shipped, [(tables, example) for example in made]) >= 0.75


def test_tables_that_share_nothing() -> None:
    assert examples_across([EXAMPLE_TABLES["orders.csv"], EXAMPLE_TABLES["planets.parquet"]]) == []
