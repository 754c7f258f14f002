"""Programs step by step, with the rows after each step."""

import pytest

from told import answer


@pytest.mark.parametrize(
    ("program", "steps"),
    [
        ("count(rows())", ["Take the table: 5 rows.", "Count them."]),
        (
            "cells(name, largest(salary, rows(department = Sales and salary < 5000)))",
            [
                "Take the table: 5 rows.",
                "Keep those where department is Sales and salary is less than $5,000: 2 rows.",
                "Keep the one with the largest salary ($4,000): 1 row.",
                "Read name.",
            ],
        ),
        (
            "distinct(country, largest(2, salary))",
            [
                "Take the table: 5 rows.",
                "Keep the 2 with the largest salary: 2 rows.",
                "Read country, each value once.",
            ],
        ),
        ("cells(name, last())", ["Take the table: 5 rows.", "Keep the last: 1 row.", "Read name."]),
        (
            'cells(name, next(rows(name = "Bo Lee")))',
            [
                "Take the table: 5 rows.",
                "Keep those where name is Bo Lee: 1 row.",
                "Take the row right after it: 1 row.",
                "Read name.",
            ],
        ),
        (
            "cells(department, largest(measure, groups(department, sum(salary))))",
            [
                "Take the table: 5 rows.",
                "Group them by department, with the total salary of each: 2 values of department.",
                "Keep the one with the largest total salary ($12,750): 1 value of department.",
                "Read department.",
            ],
        ),
        (
            "difference(maximum(salary), average(salary, rows(department = Sales)))",
            [
                "Take the table: 5 rows.",
                "Keep those where department is Sales: 3 rows.",
                "Take the second value from the first.",
            ],
        ),
        (
            "exists(rows(country is missing))",
            [
                "Take the table: 5 rows.",
                "Keep those where country is missing: 1 row.",
                "See whether there is any.",
            ],
        ),
        (
            "holds(average(salary) > 3000)",
            ["Take the table: 5 rows.", "Compare the values."],
        ),
    ],
)
def test_each_step_says_what_it_does_and_how_many_rows_there_are_then(program: str, steps: list[str]) -> None:
    assert [str(step) for step in answer("?", program).steps] == steps


def test_steps_show_some_of_their_rows_with_what_is_read_of_them() -> None:
    _, kept, _ = answer("?", "sum(salary, rows(department = Sales))").steps
    assert kept.shown == (
        "row 1: name Ada Marsh, salary $4,000, department Sales",
        "row 2: name Bo Lee, salary $5,500, department Sales",
        "row 4: name Di Fox, salary $3,250, department Sales",
    )
    _, grouped, _, _ = answer("?", "cells(department, largest(measure, groups(department, count)))").steps
    assert grouped.shown == ("Sales: 3", "Research: 2")


def test_nothing_is_shown_of_no_rows() -> None:
    assert answer("?", "count(rows(country = Peru))").steps[1].shown == ()


def test_steps_say_which_fields_they_read_themselves() -> None:
    text = "cells(name, largest(salary, rows(department = Sales)))"
    assert [step.fields for step in answer("?", text).steps] == [
        (),
        ((0, "department"),),
        ((0, "salary"),),
        ((0, "name"),),
    ]
    groups = "cells(department, largest(measure, groups(department, sum(salary))))"
    assert answer("?", groups).steps[1].fields == ((0, "department"), (0, "salary"))
