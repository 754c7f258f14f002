"""Answers of all kinds: their values, what is printed, and the object of the command line's JSON."""

import datetime
import json
import subprocess
import sys

import pytest

from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table
from told import CUSTOMERS, ORDERS, STAFF, answer, told


@pytest.mark.parametrize(
    ("program", "kind", "values", "text"),
    [
        ('cells(salary, rows(name = "Bo Lee"))', "none", (5500,), "$5,500"),
        ("cells(name, largest(salary))", "none", ("Bo Lee", "Cy Young"), "Bo Lee, Cy Young"),
        ("distinct(department)", "none", ("Sales", "Research"), "Sales, Research"),
        ("count(rows(department = Sales))", "count", (3,), "3"),
        ("count_distinct(country)", "count_distinct", (3,), "3"),
        ("sum(salary)", "sum", (19250,), "$19,250"),
        ("average(salary, rows(department = Sales))", "average", (4250,), "$4,250"),
        ("median(salary, rows(department = Research))", "median", (3250,), "$3,250"),
        ("minimum(hired)", "minimum", (datetime.date(2018, 7, 1),), "2018-07-01"),
        ("maximum(salary)", "maximum", (5500,), "$5,500"),
        ("range(salary)", "range", (4500,), "$4,500"),
        ("range(hired)", "range", (1248,), "1,248 days"),
        (
            'difference(cells(salary, rows(name = "Di Fox")), cells(salary, rows(name = "Ada Marsh")))',
            "difference",
            (-750,),
            "-$750",
        ),
        ("total(count(rows()), 1)", "total", (6,), "6"),
        ("ratio(count(rows(department = Sales)), 7)", "ratio", (pytest.approx(3 / 7),), "0.4286"),
        (
            "percentage(count(rows(department = Sales)), count(rows()))",
            "percentage",
            (60,),
            "60 %",
        ),
        (
            "cells(department, largest(measure, groups(department, count)))",
            "most_common",
            ("Sales",),
            "Sales",
        ),
        (
            "cells(department, smallest(measure, groups(department, count)))",
            "least_common",
            ("Research",),
            "Research",
        ),
        (
            "cells(department, measure, groups(department, average(salary)))",
            "average",
            ("Sales", 4250, "Research", 3250),
            "Sales $4,250, Research $3,250",
        ),
        (
            'cells(department, salary, rows(name = "Di Fox"))',
            "none",
            ("Sales", 3250),
            "department Sales, salary $3,250",
        ),
        ("exists(rows(country = Spain))", "yes_no", ("yes",), "yes"),
        ("holds(count(rows()) > 9)", "yes_no", ("no",), "no"),
    ],
)
def test_every_operation_has_its_name_its_values_and_a_text(
    program: str, kind: str, values: tuple[object, ...], text: str
) -> None:
    found = answer("?", program)
    assert (found.aggregation, found.values, found.text, str(found)) == (kind, values, text, text)
    assert found.value == (values[0] if len(values) == 1 else text)
    assert found.refusal is None


def test_one_cell_stands_somewhere_and_several_do_not() -> None:
    one = answer("?", 'cells(salary, rows(name = "Bo Lee"))')
    assert (one.row, one.field, one.table) == (1, "salary", "staff")
    several = answer("?", "cells(name, largest(salary))")
    assert (several.row, several.field) == (None, None)
    assert [(cell.row, cell.field) for cell in several.cells] == [(1, "name"), (2, "name")]
    counted = answer("?", "count(rows(department = Research))")
    assert [(cell.row, cell.field) for cell in counted.cells] == [(2, "department"), (4, "department")]


def test_ties_are_told_as_ties() -> None:
    assert answer("?", "cells(name, largest(salary))").sentence == (
        "Two rows tie for the largest salary ($5,500), with name Bo Lee and Cy Young."
    )


def test_lists_are_cut_when_printed_and_whole_in_their_values() -> None:
    table = Table.of({"place": [f"Town, {number}" for number in range(30)]}, "towns")
    found = answer("?", "cells(place)", table)
    assert found.text is not None
    assert found.text.startswith("Town, 0; Town, 1; ")
    assert found.text.endswith("; Town, 19 and 10 more")
    assert len(found.values) == len(found.to_json()["answers"]) == 30


def test_the_json_object_has_all_keys_and_plain_values() -> None:
    question = "how many works in Sales"
    content = answer(question, "count(rows(department = Sales))").to_json()
    assert json.loads(json.dumps(content)) == content
    assert content | {"program_steps": [], "cells": []} == {
        "question": question,
        "answer": "3",
        "answers": ["3"],
        "aggregation": "count",
        "row": None,
        "field": None,
        "table": "staff",
        "cells": [],
        "cells_count": 3,
        "confidence": 0.976,
        "sentence": "Counted the 3 rows where department is Sales.",
        "program": "count(rows(department = Sales))",
        "sql": "SELECT COUNT(*) FROM staff WHERE department = 'Sales'",
        "understood": [
            {"words": "how many", "as": "count", "start": 0, "end": 8},
            {"words": "in Sales", "as": "department = Sales", "start": 15, "end": 23},
        ],
        "unused": [],
        "unused_spans": [],
        "refusal": None,
        "nearest": None,
        "read_as": None,
        "ranked": [
            {
                "answer": "3",
                "aggregation": "count",
                "table": None,
                "row": None,
                "field": None,
                "probability": 0.976,
            }
        ],
        "alternatives": [],
        "tables": ["staff"],
        "links": [],
        "program_steps": [],
        "chart": None,
        "model": "open",
    }
    assert content["cells"][1] == {"table": "staff", "row": 1, "field": "department"}
    assert content["program_steps"][1] == {
        "step": "Keep those where department is Sales: 3 rows.",
        "fields": ["department"],
        "rows": 3,
        "shown": [
            "row 1: name Ada Marsh, department Sales",
            "row 2: name Bo Lee, department Sales",
            "row 4: name Di Fox, department Sales",
        ],
        "table": "staff",
        "kept": [0, 1, 3],
        "kept_count": 3,
    }


def test_numbers_that_were_worked_out_are_rounded_for_people_alone() -> None:
    found = answer("?", "average(salary, rows(salary < 4500))")
    assert (found.text, found.texts) == ("$2,750", ("2750",))
    third = answer("?", "ratio(count(rows(department = Sales)), 9)")
    assert (third.text, third.texts[0][:8]) == ("0.3333", "0.333333")


def test_people_are_told_how_sure_it_is_and_what_was_not_used() -> None:
    program = "count(rows(department = Sales))"
    assert (
        answer("how many in Sales?", program).told
        == "Counted the 3 rows where department is Sales. 98 % sure."
    )
    assert answer("how many in Sales?", program, probability=1).told.endswith(" More than 99 % sure.")
    unused = answer("how many in Sales since 2019?", program)
    assert unused.told.endswith(" 98 % sure. Not used: 2019.")


def test_of_an_unsure_answer_the_others_are_told() -> None:
    programs = [parse("count(rows())"), parse("sum(salary)")]
    ranked = [Ranked(each, None, run(each, [STAFF]), 0.4 - 0.1 * n) for n, each in enumerate(programs)]
    found = told("how many", *ranked, Ranked(None, "unsure", None, 0.25))
    assert found.told.endswith(" 40 % sure. Or $19,250 (30 %) or no answer (25 %).")


@pytest.mark.parametrize(
    ("confidence", "words"),
    [(0.39, "a guess"), (0.4, "unsure"), (0.6, "fairly sure"), (0.8, "sure"), (0.95, "very sure")],
)
def test_how_sure_an_answer_is_in_words(confidence: float, words: str) -> None:
    assert answer("how many", "count(rows())", probability=confidence).sureness == words


def test_several_tables_are_told_apart() -> None:
    program = "sum(total, rows(city = Paris, join(orders, customers, customer = name)))"
    found = answer("total for Paris", program, ORDERS, CUSTOMERS)
    assert (found.text, found.table, found.unused) == ("15.5 km", "orders", ())
    assert [(cell.table, cell.row) for cell in found.cells] == [("orders", 0), ("orders", 2)]
    assert "JOIN" in (found.sql("postgres") or "")
    assert [str(step) for step in found.steps] == [
        "Match orders with customers (customer to name): 3 rows.",
        "Keep those where city is Paris: 2 rows.",
        "Work out the sum of total.",
    ]


def test_what_else_was_considered_comes_after_the_answer() -> None:
    programs = [parse("count(rows())"), parse("sum(salary)")]
    ranked = [Ranked(each, None, run(each, [STAFF]), 0.5 - 0.1 * n) for n, each in enumerate(programs)]
    found = told("how many", *ranked)
    assert [(each.text, each.probability) for each in found.ranked] == [("5", 0.5), ("$19,250", 0.4)]


def test_an_outcome_is_a_program_with_its_result_or_a_refusal() -> None:
    with pytest.raises(ValueError, match="known kind"):
        Ranked(None, "tired", None, 0.5)
    with pytest.raises(ValueError, match="with its result"):
        Ranked(parse("count(rows())"), None, None, 0.5)


def test_sql_is_loaded_only_when_it_is_asked_for() -> None:
    heavy = "{'sqlglot', 'torch', 'rich'}"
    code = f"import sys, neural_enquirer.asking.answer; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
