"""Refusals say why there is no answer, and name what was found and what was not."""

import pytest

from neural_enquirer.judge.ranked import REFUSALS, Ranked
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table
from told import CUSTOMERS, ORDERS, STAFF, answer, refused, told


@pytest.mark.parametrize(
    ("kind", "question", "message"),
    [
        (
            "no_field",
            "what is Ada Marsh's phone number",
            "The table has Ada Marsh, but no field about “phone”.",
        ),
        (
            "no_field",
            "what is the weather",
            "The table has no field about “weather”: its fields are name, department, country, salary and "
            "hired.",
        ),
        ("no_field", "what of Bo Lee", "The table has Bo Lee, but no field that answers this."),
        (
            "no_row",
            "salary of Zoe Quinn",
            "The table has the field salary, but no row about “Zoe Quinn”.",
        ),
        (
            "no_row",
            "phone or salary of Zoe Quinn",
            "The table has the field salary, but no row about “Zoe Quinn”.",
        ),
        ("no_row", "who came in 1950", "The table has no row about “1950”."),
        (
            "not_about_this_table",
            "will it rain",
            "The question does not seem to be about this table: its fields are name, department, country, "
            "salary and hired.",
        ),
        (
            "unsupported",
            "draw me a picture",
            "This cannot be worked out here: programs can look up, count, add up, average, compare and rank "
            "what stands in this table.",
        ),
        ("unsure", "so what", "Not sure enough to answer."),
    ],
)
def test_a_refusal_says_why(kind: str, question: str, message: str) -> None:
    found = refused(question, kind)
    assert found.refusal is not None
    assert (found.refusal.kind, found.refusal.message) == (kind, message)
    assert found.told == found.sentence == message
    assert (found.value, found.values, found.text, found.program, found.sql()) == (None, (), None, None, None)
    content = found.to_json()
    assert content["refusal"] == {"kind": kind, "message": message}
    assert (content["answer"], content["answers"], content["cells"], content["table"]) == (None, [], [], None)


@pytest.mark.parametrize(
    ("question", "kind"),
    [("salary of Zoe Quinn", "no_row"), ("salary of zoe quinn", "no_field"), ("Bo Lee and Zoe", "no_field")],
)
def test_a_name_that_is_not_there_lacks_a_row_and_no_field(question: str, kind: str) -> None:
    found = refused(question, "no_field").refusal
    assert found is not None
    assert found.kind == kind


def test_every_kind_has_a_message() -> None:
    assert all(refused("anything", kind).sentence for kind in REFUSALS)


def test_several_tables_are_called_so() -> None:
    message = refused("phone of Ann", "no_field", tables=(ORDERS, CUSTOMERS)).sentence
    assert message == "The tables have Ann, but no field about “phone”."


def test_numbers_that_stand_in_the_table_are_not_missing_from_it() -> None:
    lines = Table.of({"bus": ["66", "4a"], "stops": [12, 30]}, "lines")
    message = refused("what was bus 66 in 1950", "no_row", tables=(lines,)).sentence
    assert message == "The table has the field bus, but no row about “1950”."


def test_the_best_guess_is_told_where_nothing_is_sure_enough() -> None:
    program = parse("count(rows())")
    guess = Ranked(program, None, run(program, [STAFF]), 0.3)
    assert refused("so many", "unsure", guess).sentence == (
        "Not sure enough to answer. The best guess is 5 (30 %): Counted all 5 rows."
    )


def test_a_program_that_finds_nothing_is_a_refusal_for_want_of_a_row() -> None:
    found = answer("who is from Peru", "cells(name, rows(country = Peru))")
    assert found.refusal is not None
    assert found.refusal.kind == "no_row"
    assert found.sentence == ("Looked for name in the rows where country is Peru, but there is no such row.")


def test_many_fields_are_not_all_named() -> None:
    table = Table.of({f"field {number}": ["x"] for number in range(9)}, "wide")
    message = refused("weather", "no_field", tables=(table,)).sentence
    assert message.endswith("field 4, field 5 and 3 more.")


def ranked(program: str, probability: float) -> Ranked:
    written = parse(program)
    return Ranked(written, None, run(written, [STAFF]), probability)


class TestNearest:
    def test_the_row_that_is_mentioned(self) -> None:
        assert refused("what is Cy Young's phone number", "no_field").to_json()["nearest"] == {
            "table": "staff",
            "row": 2,
            "fields": ["name"],
            "message": "Row 3 has name Cy Young; its fields are name, department, country, salary and hired.",
            "count": 1,
        }

    def test_the_row_with_most_of_what_is_mentioned(self) -> None:
        found = refused("phone of Sales people in Spain and their salary", "no_field").nearest
        assert found is not None
        assert (found.row, set(found.fields)) == (3, {"department", "country", "salary"})

    def test_words_that_were_found_and_not_found(self) -> None:
        question = "what is Cy Young's phone number"
        found = refused(question, "no_field")
        assert [each.meaning for each in found.understood] == ["Cy Young"]
        assert [question[start:end] for start, end in found.unused_spans] == ["phone"]
        assert found.unused == ()
        assert refused("will it rain", "not_about_this_table").unused_spans == ()

    def test_several_rows(self) -> None:
        found = refused("phone number of Research", "no_field").nearest
        assert found is not None
        assert found.count == 2
        assert found.message.startswith("2 rows have department Research, row 3 first; their fields are name")

    def test_fields_alone(self) -> None:
        found = refused("salary of Zoe Quinn", "no_row").nearest
        assert found is not None
        assert (found.row, found.fields, found.message) == (
            None,
            ("salary",),
            "Of its fields, the question names salary.",
        )

    def test_the_table_that_has_it(self) -> None:
        found = refused("phone number of Rome", "no_field", tables=(ORDERS, CUSTOMERS)).nearest
        assert found is not None
        assert (found.table, found.row) == ("customers", 1)

    def test_nothing(self) -> None:
        assert refused("will it rain", "not_about_this_table").nearest is None
        assert answer("how many in Sales", "count(rows(department = Sales))").nearest is None


class TestAlternatives:
    def test_other_programs_the_likeliest_first(self) -> None:
        best, second, third = (
            ranked(program, probability)
            for program, probability in [
                ("count(rows(department = Sales))", 0.6),
                ("cells(name, rows(department = Sales))", 0.2),
                ("count(rows())", 0.1),
            ]
        )
        nothing = ranked("cells(name, rows(department = Law))", 0.05)
        found = told("who is in Sales", best, second, third, third, nothing).to_json()["alternatives"]
        assert found == [
            {
                "answer": "Ada Marsh, Bo Lee, Di Fox",
                "answers": ["Ada Marsh", "Bo Lee", "Di Fox"],
                "sentence": second_sentence(),
                "program": "cells(name, rows(department = Sales))",
                "probability": 0.2,
            },
            found[1],
        ]
        assert found[1]["program"] == "count(rows())"

    def test_of_a_refusal(self) -> None:
        found = refused("who is in Sales", "unsure", ranked("count(rows())", 0.1))
        assert [each.text for each in found.alternatives] == ["5"]


def second_sentence() -> str:
    return answer("who is in Sales", "cells(name, rows(department = Sales))").sentence


class TestPlaces:
    @pytest.mark.parametrize(
        "question", ["How many work in Sales?", "how many  work\tin Sales", "Combien? how many work in Sales"]
    )
    def test_words_stand_where_they_are_said_to(self, question: str) -> None:
        found = answer(question, "count(rows(department = Sales))").to_json()
        assert [question[each["start"] : each["end"]] for each in found["understood"]] == [
            each["words"] for each in found["understood"]
        ]
        assert question[found["understood"][-1]["start"] :].startswith("in Sales")

    def test_unused_words(self) -> None:
        question = "how many work in Sales in Switzerland and in 2020"
        found = answer(question, "count(rows(department = Sales))").to_json()
        spans = [question[each["start"] : each["end"]] for each in found["unused_spans"]]
        assert spans == found["unused"] == ["Switzerland", "2020"]
