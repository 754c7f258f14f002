"""What the page shows beside an answer, or where there is none: the nearest thing, other readings, places."""

import pytest

from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.programs import parse, run
from told import CUSTOMERS, ORDERS, STAFF, answer, refused, told


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
            "The nearest is the field salary.",
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
