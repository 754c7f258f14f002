"""What the words of a question were taken for, and which were not used at all."""

import pytest

from neural_enquirer.encoding.wording import is_superlative, operation_words, plain_words
from neural_enquirer.judge.ranked import Ranked
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table
from told import CUSTOMERS, ORDERS, STAFF, answer, told


def _meanings(question: str, program: str) -> dict[str, str]:
    return {each.words: each.meaning for each in answer(question, program).understood}


@pytest.mark.parametrize(
    ("question", "program", "words", "meaning"),
    [
        ("how many work in Sales", "count(rows(department = Sales))", "in Sales", "department = Sales"),
        ("what does Marsh earn", 'cells(salary, rows(name = "Ada Marsh"))', "Marsh", 'name = "Ada Marsh"'),
        ("how many Swiss are there", "count(rows(country = Switzerland))", "Swiss", "country = Switzerland"),
        ("who gets more than 5,000", "cells(name, rows(salary > 5000))", "more than 5,000", "salary > 5000"),
        ("who came in July", "cells(name, rows(month_of(hired) = 7))", "in July", "month_of(hired) = 7"),
        ("who came in 2020", "cells(name, rows(year_of(hired) = 2020))", "in 2020", "year_of(hired) = 2020"),
        (
            "anyone from Spain or France?",
            "exists(rows(country one of (Spain, France)))",
            "from Spain or France",
            "country one of (Spain, France)",
        ),
        ("highest salary", "maximum(salary)", "highest", "largest"),
        ("mean salary", "average(salary)", "mean", "average"),
        ("salary of Bo Lee", 'cells(salary, rows(name = "Bo Lee"))', "salary", "salary"),
    ],
)
def test_words_are_told_with_what_they_were_taken_for(
    question: str, program: str, words: str, meaning: str
) -> None:
    assert _meanings(question, program)[words] == meaning


def test_a_word_stands_for_one_thing() -> None:
    told = _meanings("how many in department Sales", "count(rows(department = Sales))")
    assert told == {"how many": "count", "in department Sales": "department = Sales"}


@pytest.mark.parametrize(
    ("question", "program", "unused"),
    [
        ("highest salary in Sales", "maximum(salary)", ("Sales",)),
        ("highest salary in Sales", "maximum(salary, rows(department = Sales))", ()),
        ("highest salary in Sales", "cells(salary, rows(department = Sales))", ("highest",)),
        ("average salary in Sales", "cells(salary, rows(department = Sales))", ("average",)),
        ("how many Norwegians and Bo Lee", "count(rows())", ("Norwegians", "Bo Lee")),
        ("the second highest salary", "cells(salary, nth_largest(2, salary))", ()),
        ("the 3 highest salaries", "cells(salary, largest(3, salary))", ()),
        ("staff with more than 4,000 since 2019", "count(rows(salary > 4000))", ("2019",)),
        ("HOW MANY WORK HERE", "count(rows())", ()),
        ("please show me how many people there are", "count(rows())", ()),
    ],
)
def test_words_that_ask_for_something_and_are_not_used_are_told(
    question: str, program: str, unused: tuple[str, ...]
) -> None:
    assert answer(question, program).unused == unused


def test_words_of_another_table_are_used_where_a_join_reads_it() -> None:
    program = "cells(total, rows(city = Rome, join(orders, customers, customer = name)))"
    assert answer("totals of Rome", program, ORDERS, CUSTOMERS).unused == ()
    assert answer("totals of Rome", "cells(total, rows(orders))", ORDERS, CUSTOMERS).unused == ("Rome",)


def test_words_are_told_as_they_were_typed() -> None:
    program = 'cells(salary, rows(name = "Ada Marsh"))'
    assert "Ada MARSH" in _meanings("Ada MARSH's salary?", program)


def test_the_lists_of_words_are_sound() -> None:
    told = {each.name for each in operation_words()}
    assert {"count", "sum", "average", "median", "largest", "smallest", "difference", "percentage"} <= told
    assert plain_words().isdisjoint({"average", "median", "french", "salary", "sales"})
    assert is_superlative("oldest")
    assert not is_superlative("harvest")


def test_words_that_the_judge_found_unheard_are_unused() -> None:
    tables = (STAFF,)
    program = parse("average(salary)")
    told_so = Ranked(program, None, run(program, tables), 0.8, unheard=(4,))
    found = told("average salary in the evening", told_so, tables=tables)
    assert found.unused == ("evening",)
    assert "Not used: evening." in found.told


def test_a_prefix_is_heard_where_the_other_value_is_asked_for() -> None:
    members = Table.of({"name": ["Ann", "Bob", "Cem"], "paid": ["yes", "no", "yes"]})
    assert answer("unpaid members", "cells(name, rows(paid = no))", members).unused == ()
