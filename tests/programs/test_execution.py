import datetime

import pytest
from example_tables import CUSTOMERS, GAMES, ORDERS
from sql_engines import SqlEngines

from neural_enquirer.programs import Cell, ProgramError, Result, parse, run
from neural_enquirer.programs.execution import Runner
from neural_enquirer.tables import Field as TableField
from neural_enquirer.tables import FieldType, Table


def answer(text: str, *tables: Table) -> tuple[object, ...]:
    return run(parse(text), tables or (GAMES,)).values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cells(city, rows(year = 1980))", ["Moscow"]),
        ("cells(city, rows(year = 1981))", []),
        ("cells(city, rows(kind <> summer))", ["London"]),
        ("cells(city, rows(not kind = summer))", ["London"]),
        ("cells(city, rows(not kind = winter))", ["Athens", "Paris", "Moscow"]),
        ("cells(city, rows(kind is missing))", ["Rome"]),
        ("cells(city, rows(kind = summer and (year > 1950 or days < 15)))", ["Athens", "Moscow"]),
        ("cells(city, rows(days between 15 and 20))", ["Paris", "Moscow"]),
        ("cells(city, rows(city contains o and city ends with w))", ["Moscow"]),
        ("cells(city, rows(city starts with M))", ["Moscow"]),
        ("cells(city, rows(city one of (Rome, Oslo, Paris)))", ["Paris", "Rome"]),
        ("cells(city, rows(city <> one of (Rome, Paris)))", ["Athens", "London", "Moscow"]),
        ("cells(city, rows(year > its(days)))", ["Athens", "Paris", "London", "Moscow", "Rome"]),
        ("cells(city, rows(days > cells(days, rows(kind = summer))))", ["London", "Rome"]),
        ("cells(city, rows(days < cells(days, rows(kind = summer and year > 1896))))", ["Athens"]),
        ("cells(price)", [0.1, 0.2, 0.3, 5]),
        ("distinct(days)", [10, 20, 188, 15]),
        ("cells(city, year, rows(days > 100))", ["London", 1908, "Rome", 1984]),
    ],
)
def test_conditions(text: str, values: list[object]) -> None:
    assert list(answer(text)) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cells(city, largest(days))", ["London", "Rome"]),
        ("cells(city, smallest(price))", ["Athens"]),
        ("cells(city, largest(days, rows(year < cells(year, rows(city = Moscow)))))", ["London"]),
        ("cells(city, largest(3, days))", ["London", "Rome", "Paris"]),
        ("cells(city, largest(1, days, smallest(2, days)))", ["Moscow"]),
        ("cells(city, smallest(9, price))", ["Athens", "Paris", "London", "Rome"]),
        ("cells(city, nth_largest(2, days))", ["London", "Rome"]),
        ("cells(city, nth_largest(3, days))", ["Paris"]),
        ("cells(city, nth_smallest(9, days))", []),
        ("cells(city, first(rows(days = 188)))", ["London"]),
        ("cells(city, last(2))", ["Moscow", "Rome"]),
        ("cells(city, nth_last(2))", ["Moscow"]),
        ("cells(city, nth_first(6))", []),
        ("cells(city, last(largest(3, days)))", ["Rome"]),
        ("cells(city, next(rows(kind = summer)))", ["Paris", "London", "Rome"]),
        ("cells(city, next(rows(city = Rome)))", []),
        ("cells(city, previous(rows(city = Athens)))", []),
        ("cells(city, previous(rows(days = 188)))", ["Paris", "Moscow"]),
        ("cells(city, after(rows(days = 188)))", []),
        ("cells(city, after(rows(city = London)))", ["Moscow", "Rome"]),
        ("cells(city, before(rows(days = 188)))", ["Athens", "Paris"]),
        ("cells(city, before(rows(city = Oslo)))", []),
    ],
)
def test_superlatives_and_places(text: str, values: list[object]) -> None:
    assert list(answer(text)) == values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("count(rows())", 5),
        ("count(rows(price > 0))", 4),
        ("count_distinct(kind)", 2),
        ("sum(price)", 5.6),
        ("sum(price, rows(price < 1))", 0.6),
        ("sum(price, rows(city one of (Athens, Paris)))", 0.3),
        ("average(price)", 1.4),
        ("average(days)", 84.2),
        ("median(price)", 0.25),
        ("median(days)", 20),
        ("minimum(city)", "Athens"),
        ("maximum(year)", 1984),
        ("range(price)", 4.9),
        ("difference(cells(year, rows(city = Rome)), cells(year, rows(city = Athens)))", 88),
        ("difference(count(rows(kind = winter)), count(rows(kind = summer)))", -2),
        ("distance(count(rows(kind = winter)), count(rows(kind = summer)))", 2),
        ("total(sum(days), 1)", 422),
        ("product(count(rows()), 0.1)", 0.5),
        ("ratio(maximum(days), minimum(days))", 18.8),
        ("percentage(count(rows(kind = summer)), count(rows()))", 60),
        ("sum(difference(year, days), rows(city = Paris))", 1880),
        ("maximum(ratio(days, year), rows(city = Paris))", 20 / 1900),
        ("exists(rows(city = Oslo))", "no"),
        ("exists(rows(days > 100))", "yes"),
        ("holds(cells(days, rows(city = Rome)) > cells(days, rows(city = Paris)))", "yes"),
        ("holds(cells(kind, rows(city = Paris)) = winter)", "no"),
        ("holds(cells(city, last()) = one of (Rome, Oslo))", "yes"),
        ("holds(average(price) >= 1.4)", "yes"),
    ],
)
def test_single_values(text: str, value: object) -> None:
    assert answer(text) == (value,)


@pytest.mark.parametrize(
    "text",
    [
        "sum(price, rows(city = Moscow))",
        "average(price, rows(city = Oslo))",
        "difference(cells(price, rows(city = Moscow)), 1)",
        "holds(cells(price, rows(city = Moscow)) > 1)",
        "ratio(1, count(rows(city = Oslo)))",
        "holds(cells(kind, rows(city = Oslo)) = winter)",
    ],
)
def test_what_is_missing_has_no_value(text: str) -> None:
    assert answer(text) == ()


def test_no_row_compares_with_a_missing_value() -> None:
    assert answer("count(rows(days > average(days, rows(city = Oslo))))") == (0,)
    assert answer("count(rows(not days > average(days, rows(city = Oslo))))") == (0,)
    assert answer("count(rows(city <> cells(city, rows(city = Oslo))))") == (5,)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cells(kind, measure, groups(kind, count))", ["summer", 3, "winter", 1]),
        ("cells(kind, largest(measure, groups(kind, count)))", ["summer"]),
        ("cells(kind, largest(measure, groups(kind, average(days))))", ["winter"]),
        ("cells(days, rows(measure > 1, groups(days, count)))", [188]),
        ("cells(kind, measure, groups(kind, sum(price)))", ["summer", 0.3, "winter", 0.3]),
        ("cells(kind, largest(measure, groups(kind, sum(price))))", ["summer", "winter"]),
        ("cells(kind, measure, groups(kind, median(days)))", ["summer", 15, "winter", 188]),
        ("cells(kind, measure, groups(kind, range(year)))", ["summer", 84, "winter", 0]),
        ("cells(kind, measure, groups(kind, maximum(city)))", ["summer", "Paris", "winter", "London"]),
        ("cells(kind, measure, groups(kind, count_distinct(days)))", ["summer", 3, "winter", 1]),
        ("count(rows(measure > 1, groups(kind, count)))", [1]),
        ("average(measure, groups(kind, count))", [2]),
    ],
)
def test_groups(text: str, values: list[object]) -> None:
    assert list(answer(text)) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cells(note, rows(customer = Bob, orders))", ["1,200 g"]),
        ("cells(total, rows(country = France, join(orders, customers, customer = name)))", [10, 5]),
        ("cells(country, largest(total, join(orders, customers, customer = name)))", ["Spain"]),
        ("count(rows(customer = cells(name, rows(country = France, customers)), orders))", [2]),
        (
            "cells(country, largest(measure, groups(country, sum(total), "
            "join(orders, customers, customer = name))))",
            ["Spain"],
        ),
        ("count(join(orders, customers, orders.customer = customers.name))", [3]),
        ("cells(note, rows(month_of(day) = 2, orders))", ["1,200 g"]),
        ("cells(customer, rows(year_of(day) = 2024 and day_of(day) = 1, orders))", ["Bob", "Ann"]),
        ("cells(number_in(note), rows(orders))", [3, 1200, -4]),
        ("difference(cells(day, rows(total = 25, orders)), cells(day, rows(total = 10, orders)))", [2]),
        ("range(day, rows(orders))", [31]),
        ("maximum(born, rows(customers))", [datetime.date(1990, 5, 1)]),
        ("sum(difference(day, born), join(orders, customers, customer = name))", [38839]),
    ],
)
def test_several_tables_dates_and_numbers_in_texts(text: str, values: list[object]) -> None:
    assert list(answer(text, ORDERS, CUSTOMERS)) == values


def test_three_tables_are_joined() -> None:
    countries = Table.of(
        [{"country": "France", "capital": "Paris"}, {"country": "Spain", "capital": "Madrid"}]
    )
    countries = Table(countries.fields, countries.columns, "countries")
    tables = (ORDERS, CUSTOMERS, countries)
    source = (
        "join(join(orders, customers, customer = name), countries, customers.country = countries.country)"
    )
    program = parse(f"cells(capital, largest(total, {source}))")
    assert run(program, tables).values == ("Madrid",)
    with SqlEngines(tables) as engines:
        assert engines.check(program)
        assert engines.check(parse(f"cells(capital, measure, groups(capital, sum(total), {source}))"))


def test_a_day_is_its_first_moment() -> None:
    day = datetime.date(2024, 1, 30)
    moments = Table.of(
        [{"at": datetime.datetime(2024, 1, 30)}, {"at": datetime.datetime(2024, 1, 30, 12)}], name="m"
    )
    tables = (ORDERS, moments)
    for text in (
        "count(join(orders, m, day = at))",
        "count(rows(at = cells(day, rows(orders)), m))",
        "count(rows(at > 2024-01-30, m))",
        "holds(cells(day, first(rows(orders))) = cells(at, first(rows(m))))",
    ):
        with SqlEngines(tables) as engines:
            assert engines.check(parse(text)), text
    assert answer("count(join(orders, m, day = at))", *tables) == (1,)
    assert answer("cells(day, rows(day = cells(at, rows(m)), orders))", *tables) == (day,)


def test_integers_of_any_size_are_exact() -> None:
    table = Table.of([{"n": 10**30, "k": "a"}, {"n": 1, "k": "a"}, {"n": -3, "k": "b"}])
    assert answer("sum(n)", table) == (10**30 - 2,)
    assert answer("cells(measure, groups(k, sum(n)))", table) == (10**30 + 1, -3)
    assert answer("cells(k, rows(n < 1000000000000000000000000000001))", table) == ("a", "a", "b")
    large = Table.of([{"n": 2**61 + 1}] * 9)
    assert answer("sum(n)", large) == (9 * 2**61 + 9,)


def test_numbers_in_texts_may_be_of_any_size() -> None:
    table = Table.of_columns(["a"], [["9" * 400 + " m", "x 5", "none", "9" * 400 + ".5"]])
    assert answer("cells(number_in(a))", table) == (10**400 - 1, 5)


def test_decimals_are_exact_as_written() -> None:
    table = Table.of([{"n": 0.1}, {"n": 0.2}, {"n": 1e-12}, {"n": 1234567890.123}])
    assert answer("sum(n, smallest(3, n))", table) == (0.300000000001,)
    assert answer("cells(n, rows(n = 0.1))", table) == (0.1,)


def test_one_value_is_needed() -> None:
    with pytest.raises(ProgramError, match="one value is needed, but 2 rows have one"):
        answer("difference(cells(year, rows(days = 188)), 1)")


def result(text: str) -> Result:
    return run(parse(text), [GAMES])


def test_cells_are_told() -> None:
    assert result("cells(city, largest(days))").cells == (Cell(0, 2, 0), Cell(0, 4, 0))
    assert result("sum(price, rows(kind = summer))").cells == (Cell(0, 0, 3), Cell(0, 1, 3))
    assert result("count(rows(kind = winter))").cells == (Cell(0, 2, 4),)
    assert result("count(rows(year > 1950))").cells_count == 2
    assert set(result("cells(kind, largest(measure, groups(kind, count)))").cells) == {
        Cell(0, 0, 4),
        Cell(0, 1, 4),
        Cell(0, 3, 4),
    }


def test_rows_of_each_step_are_told() -> None:
    steps = result("cells(city, largest(days, rows(year < cells(year, rows(city = Moscow)))))").steps
    assert [step.of_table(0) for step in steps] == [(0, 1, 2, 3, 4), (0, 1, 2, 3, 4), (3,), (0, 1, 2), (2,)]


def test_texts_are_spelled_as_in_the_table() -> None:
    table = Table.of([{"n": "10,318"}, {"n": "9"}])
    assert run(parse("cells(n)"), [table]).texts([table]) == ("10,318", "9")
    assert run(parse("sum(n)"), [table]).texts([table]) == ("10327",)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cells(a, rows(ratio(a, b) one of (0.5, 2)))", [1, 4]),
        ("cells(a, rows(ratio(a, b) <> one of (0.5, 7)))", [4, 3]),
        ("cells(a, rows(ratio(a, b) = cells(ratio(a, b), rows(a = 1))))", [1]),
        ("cells(k, rows(measure one of (2.5, 7), groups(k, average(a))))", ["x"]),
        ("holds(cells(ratio(a, c), rows(a = 1)) = 0.1)", ["yes"]),
        ("cells(percentage(p, q))", [57, 29, 10]),
        ("cells(product(a, huge))", [-(2**64), 4, 3]),
        ("cells(a, rows(zero < its(tiny)))", [1, 4]),
        ("cells(k, measure, groups(k, range(ratio(a, b))))", ["x", 1.5, "y", 0]),
    ],
)
def test_ratios_and_extreme_numbers(text: str, values: list[object]) -> None:
    rows = [
        {"k": "x", "a": 1, "b": 2, "c": 10, "p": 0.57, "q": 1, "huge": -(2**64), "zero": 0, "tiny": 1e-19},
        {"k": "x", "a": 4, "b": 2, "c": 10, "p": 0.29, "q": 1, "huge": 1, "zero": 0, "tiny": 0.5},
        {"k": "y", "a": 3, "b": 2, "c": 10, "p": 0.1, "q": 1, "huge": 1, "zero": 0, "tiny": -1},
    ]
    assert list(answer(text, Table.of(rows))) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("cells(ratio(a, b))", [1e-300, 2]),
        ("cells(percentage(a, b))", [1e-298, 200]),
        ("cells(measure, groups(a, average(a)))", [1e-300, 2]),
        ("cells(b, rows(ratio(a, b) < 3))", [1, 1]),
    ],
)
def test_numbers_without_a_float_are_left_out(text: str, values: list[object]) -> None:
    fields = TableField("a", FieldType.NUMBER), TableField("b", FieldType.NUMBER)
    assert list(answer(text, Table(fields, ((1e-300, 10**400, 2), (1, 1, 1))))) == values


def test_a_measure_makes_no_groups() -> None:
    with pytest.raises(ProgramError, match="not by a value or a measure"):
        answer("cells(measure, groups(measure, count, groups(kind, count)))")


def test_rows_that_are_known_are_not_looked_for_again() -> None:
    table = Table.of({"city": ["Oslo", "Rome", "Oslo"], "cost": [1, 2, 3]}, name="games")
    first = run(parse("count(rows(city = Oslo))"), [table])
    again = Runner([table], first.steps).run(parse("sum(cost, rows(city = Oslo))"))
    assert again.values == (4,)
    assert again.steps == first.steps[-1:]


def test_cells_of_several_lines_are_told_in_one_without_notes() -> None:
    table = Table.of({"who": ["Cosimo\n (Pater Patriae)", "Zions Bank\n\n\nBank in Boise", "one  line"]})
    texts = run(parse("cells(who, rows())"), [table]).texts([table])
    assert texts == ("Cosimo (Pater Patriae)", "Zions Bank", "one  line")
