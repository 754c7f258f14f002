import pytest
from example_tables import CUSTOMERS, GAMES, ORDERS

from neural_enquirer.programs import ProgramError, check, parse
from neural_enquirer.tables import FieldType


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cells(size)", "games has no field 'size'; its fields are city, year, days, price, kind"),
        ("sum(city)", "'sum' needs numbers, which city does not hold"),
        ("range(city)", "'range' needs numbers or dates"),
        ("cells(city, rows(year = Rome))", "year (a number) cannot be compared with 'Rome' (a text)"),
        ("cells(city, rows(year contains 3))", "'contains' compares texts"),
        ("cells(city, rows(year > cells(city)))", "year (a number) cannot be compared with a text"),
        ("cells(city, rows(year_of(city) = 3))", "'year_of' needs a date, which city is not"),
        ("cells(city, rows(number_in(year) = 3))", "'number_in' needs a text, which year is not"),
        ("cells(measure)", "only a table of groups has a measure"),
        ("cells(city, groups(kind, count))", "a table of groups has kind and its measure, not city"),
        ("cells(kind, first(groups(kind, count)))", "only the rows of one table have an order"),
        ("cells(kind, next(groups(kind, count)))", "only the rows of one table have an order"),
        ("difference(cells(city), 3)", "no difference of a text and a number"),
        ("holds(count(rows()) = Rome)", "a number cannot be compared with a text"),
        ("holds(cells(city, year) = Rome)", "one value is needed, not several fields"),
        ("cells(city, largest(1, 3))", "a superlative needs a field"),
        ("cells(city, rows(visitors))", "no table is called 'visitors'; there are games"),
        ("cells(city, rows(city between 1 and 2))", "a text cannot be compared with a number"),
    ],
)
def test_wrong_programs_say_why(text: str, why: str) -> None:
    with pytest.raises(ProgramError) as error:
        check(parse(text), [GAMES])
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("count(rows())", "there are 3 tables; say which is meant"),
        ("count(rows(name = Ann, orders))", "orders has no field 'name'"),
        ("count(join(orders, customers, total = name))", "total and name cannot be equal"),
        ("count(join(orders, orders, total = total))", "orders cannot be joined with itself"),
        (
            "count(rows(name = Ann, join(customers, twins, name = name)))",
            "customers and twins both have a field 'name'",
        ),
        ("cells(orders.country, join(orders, customers, customer = name))", "has no field 'orders.country'"),
    ],
)
def test_wrong_tables_say_why(text: str, why: str) -> None:
    twins = type(CUSTOMERS)(CUSTOMERS.fields, CUSTOMERS.columns, "twins")
    with pytest.raises(ProgramError) as error:
        check(parse(text), [ORDERS, CUSTOMERS, twins])
    assert why in str(error.value)


def test_two_tables_of_one_name_are_told_apart_by_nobody() -> None:
    with pytest.raises(ProgramError, match="two tables are called 'games'"):
        check(parse("count(rows(games))"), [GAMES, GAMES])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("cells(city)", FieldType.TEXT),
        ("maximum(city)", FieldType.TEXT),
        ("count_distinct(city)", FieldType.NUMBER),
        ("exists(rows())", None),
    ],
)
def test_kind_of_answer(text: str, kind: FieldType | None) -> None:
    assert check(parse(text), [GAMES]) is kind
