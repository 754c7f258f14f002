"""Answers as small charts: what is drawn, in which order, and which points are the answer."""

import pytest

from neural_enquirer.asking.charts import Chart
from neural_enquirer.tables import Table
from told import CUSTOMERS, ORDERS, answer

YEARS = Table.of({"year": [2003, 2001, 2002], "visitors": [30, 10, 20], "day": ["a", "b", "c"]}, "years")
DAYS = Table.of({"day": ["2020-02-01", "2020-01-01"], "sold": [5, 7]}, "days")


def chart(program: str, *tables: Table) -> Chart:
    found = answer("question", program, *tables).chart
    assert found is not None
    return found


def test_groups_are_bars_the_highest_first() -> None:
    found = chart("cells(country, measure, groups(country, count))")
    assert found == Chart(
        "bars", ("Switzerland", "France", "Spain"), (2, 1, 1), "country", "number of rows", ()
    )


def test_the_answer_is_marked_among_all_groups() -> None:
    found = chart("cells(department, largest(measure, groups(department, sum(salary))))")
    assert (found.labels, found.values) == (("Sales", "Research"), (12750, 6500))
    assert found.marked == (0,)
    assert chart("cells(department, smallest(measure, groups(department, sum(salary))))").labels == (
        "Research",
        "Sales",
    )


def test_the_n_largest_are_bars_in_their_order() -> None:
    found = chart("cells(name, largest(2, salary))")
    assert found == Chart("bars", ("Bo Lee", "Cy Young"), (5500, 5500), "name", "salary")
    assert chart("cells(salary, largest(2, salary))").labels == ("Bo Lee", "Cy Young")


def test_time_is_a_line_in_its_order() -> None:
    found = chart("cells(year, measure, groups(year, sum(visitors)))", YEARS)
    assert (found.kind, found.labels, found.values) == ("line", ("2001", "2002", "2003"), (10, 20, 30))
    found = chart("cells(day, sold, rows())", DAYS)
    assert (found.kind, found.labels, found.values) == ("line", ("2020-01-01", "2020-02-01"), (7, 5))


def test_joined_tables() -> None:
    join = "join(orders, customers, orders.customer = customers.name)"
    found = chart(f"cells(city, measure, groups(city, sum(total), {join}))", ORDERS, CUSTOMERS)
    assert (found.labels, found.values) == (("Rome", "Paris"), (25, 15.5))


def test_many_points_are_cut_where_they_matter_least() -> None:
    many = Table.of({"name": [f"n{i}" for i in range(80)], "size": list(range(80))}, "many")
    found = chart("cells(name, measure, groups(name, sum(size)))", many)
    assert (len(found.values), found.values[0], found.values[-1]) == (50, 79, 30)


@pytest.mark.parametrize(
    "program",
    [
        "count(rows(department = Sales))",
        "cells(name, largest(salary))",
        "cells(name, salary, rows())",
        "cells(department, measure, groups(department, maximum(hired)))",
        "cells(department, measure, groups(department, count, rows(department = Sales)))",
        "exists(rows(department = Sales))",
    ],
)
def test_what_a_chart_would_not_show(program: str) -> None:
    assert answer("question", program).chart is None


def test_json_is_plain() -> None:
    assert answer("question", "cells(name, largest(2, salary))").to_json()["chart"] == {
        "kind": "bars",
        "labels": ["Bo Lee", "Cy Young"],
        "values": [5500, 5500],
        "label": "name",
        "value": "salary",
        "marked": [],
    }
