"""What a program asks for, named without its answer."""

import pytest

from neural_enquirer.programs import parse, run
from neural_enquirer.programs.spoken import noun_phrase
from neural_enquirer.tables import Table

_STAFF = Table.of(
    {"name": ["Ada", "Bo", "Cy"], "team": ["Sales", "Sales", "Research"], "salary": [30, 20, 50]}, "staff"
)


@pytest.mark.parametrize(
    ("program", "named"),
    [
        ("count(rows(team = Sales))", "the number of rows where team is Sales"),
        ("average(salary)", "the average salary"),
        ("cells(name, largest(salary))", "the name with the largest salary"),
        ("cells(name, salary, rows(team = Sales))", "name and salary in the 2 rows where team is Sales"),
        ("exists(rows(salary > 40))", "whether there is a row where salary is more than 40"),
        ("exists(last())", "whether there is a last row"),
        ("exists(first(2))", "whether there are the first 2 rows"),
        (
            "holds(cells(team, rows(name = Ada)) = Sales)",
            "how the team in the row where name is Ada compares with Sales",
        ),
        (
            "percentage(count(rows(team = Sales)), count(rows()))",
            "what percentage the number of rows where team is Sales is of the number of all rows",
        ),
    ],
)
def test_a_program_is_named_without_its_answer(program: str, named: str) -> None:
    written = parse(program)
    assert noun_phrase(written, run(written, [_STAFF]), [_STAFF]) == named
