"""Sentences say in plain English how answers came about, whatever the program, the names and the cells."""

import re

import pytest

from neural_enquirer.programs import (
    parse,
    run,
)
from neural_enquirer.programs.spoken import sentence
from neural_enquirer.tables import Table

GOODS = Table.of(
    {
        "item": ["tea", "rum", "salt", "oil", "figs", "silk"],
        "kind": ["drink", "drink", "spice", "spice", "fruit", None],
        "price": ["4", "12.50", "1.5", "12.50", None, "1250"],
        "sold": ["12,000", "800", "950", "12,000", "40", "7"],
        "since": ["1990", "1985", "2001", "1985", "2010", "1999"],
        "first sale": ["2004-08-13", "2004-08-13", "2005-01-02", "2006-07-01", "2009-03-04", "2010-10-10"],
    },
    "goods",
)
PRICES = Table.of({"good": ["tea", "tea", "rum"], "item": ["a", "b", "c"], "cost": [1, 2, 3]}, "prices")


def _said(text: str, *tables: Table) -> str:
    tables = tables or (GOODS,)
    program = parse(text)
    return sentence(program, run(program, tables), tables)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("count(rows())", "Counted all 6 rows."),
        ("count(rows(kind = spice))", "Counted the 2 rows where kind is spice."),
        ("count(rows(kind = fruit))", "There is only one row where kind is fruit."),
        ("count(rows(sold <= 800 and sold >= 800))", "There is only one row where sold is 800."),
        ("count(rows(sold <= 800, rows(sold >= 800)))", "There is only one row where sold is 800."),
        ("cells(kind, rows(kind = spice))", "There are 2 rows where kind is spice."),
        ("count(rows(kind = cloth))", "There is no row where kind is cloth."),
        ("exists(rows(kind = spice))", "Yes, there are 2 rows where kind is spice."),
        ("exists(rows(kind = fruit))", "Yes, there is one row where kind is fruit."),
        ("cells(item, rows(kind = fruit))", "In the only row where kind is fruit, item is figs."),
        (
            "cells(kind, rows(price < 20 and kind <> drink))",
            "In the 2 rows where price is less than 20 and kind is not drink, kind is always spice.",
        ),
        (
            "cells(item)",
            "In all 6 rows, the values of item are tea, rum, salt, oil, figs and silk.",
        ),
        (
            "cells(price, rows(since > 1995))",
            "In the 3 rows where since is after 1995, the values of price are 1.5 and 1250 (1 is missing).",
        ),
        (
            "distinct(kind, rows(price > 4))",
            "In the 3 rows where price is more than 4, the different values of kind are drink and spice "
            "(1 is missing).",
        ),
        ("distinct(since, smallest(since))", "The earliest since is 1985, in 2 rows."),
        (
            "distinct(price, smallest(since))",
            "Two rows tie for the earliest since (1985), with price 12.50.",
        ),
    ],
)
def test_one_row_several_and_none(program: str, said: str) -> None:
    assert _said(program) == said


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("kind is missing", "kind is missing"),
        ("not kind is missing", "kind is not missing"),
        ("kind one of (drink, spice)", "kind is drink or spice"),
        ("kind <> one of (drink, spice)", "kind is neither drink nor spice"),
        ("not kind one of (drink, spice, fruit)", "kind is none of drink, spice and fruit"),
        (
            "kind one of (drink, spice) and price < 5",
            "kind is either drink or spice and price is less than 5",
        ),
        ("item contains i and not item ends with l", "item contains “i” and does not end with “l”"),
        ("item < rum", "item comes before rum in the alphabet"),
        ("price between 4 and 12.5", "price is from 4 to 12.50"),
        ("not price > 4", "price is not more than 4"),
        ("not price >= 4", "price is less than 4"),
        ("since >= 1990", "since is 1990 or later"),
        ("since <= 1990", "since is 1990 or earlier"),
        ('"first sale" > 2004-08-13', "first sale is after 13 August 2004"),
        ('month_of("first sale") = 8', "the month of first sale is August"),
        ('year_of("first sale") < 2005', "the year of first sale is before 2005"),
        ("since > 1984 and since < 1990", "since is after 1984 and before 1990"),
        ("kind = drink or kind = fruit", "kind is drink or fruit"),
        (
            "price < 5 or (kind = drink and sold > 7)",
            "price is less than 5, or kind is drink and sold is more than 7",
        ),
        (
            "(price < 5 or kind = drink) and sold > 7",
            "sold is more than 7 and either price is less than 5 or kind is drink",
        ),
        (
            "(price < 5 or kind = drink) and (sold > 7 or since = 1985)",
            "either price is less than 5 or kind is drink, and either sold is more than 7 or since is 1985",
        ),
        (
            "sold > 7 and (price < 5 or (kind = drink and since > 1984))",
            "sold is more than 7 and (price is less than 5, or kind is drink and since is after 1984)",
        ),
        ("not (price < 5 and kind = spice)", "price is not less than 5 or kind is not spice"),
        ("price > its(since)", "price is more than since"),
        ("item = its(kind)", "item is the same as kind"),
        (
            "price = cells(price, rows(item = rum))",
            "price is the same as in the row where item is rum (12.50)",
        ),
        ("price > cells(price, rows(item = rum))", "price is more than in the row where item is rum (12.50)"),
        ("since > cells(since, rows(item = rum))", "since is after that in the row where item is rum (1985)"),
        (
            "price > cells(price, rows(item = figs))",
            "price is more than in the row where item is figs (none)",
        ),
        (
            "since < cells(since, rows(kind = drink))",
            "since is before all of those in the 2 rows where kind is drink (1990 and 1985)",
        ),
        (
            "kind = cells(kind, rows(price > 10))",
            "kind is one of those in the 3 rows where price is more than 10 (drink and spice)",
        ),
        (
            "sold >= cells(sold, rows(kind = spice))",
            "sold is not less than any of those in the 2 rows where kind is spice (950 and 12,000)",
        ),
        (
            "since = cells(since, rows(price = 12.5))",
            "since is the same as in the 2 rows where price is 12.50 (1985)",
        ),
        ("price > average(price)", "price is more than the average price (256.1)"),
        (
            "price > average(price, rows(kind = drink))",
            "price is more than the average price of the 2 rows where kind is drink (8.25)",
        ),
        (
            "sold > difference(maximum(sold), 100)",
            "sold is more than the difference between the largest sold (12,000) and 100 (11,900)",
        ),
    ],
)
def test_conditions(condition: str, said: str) -> None:
    text = _said(f"exists(rows({condition}))")
    assert re.sub(r"^(Yes|No), there (is|are) .*? rows? where ", "", text) == f"{said}."


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("cells(item, largest(price))", "The item with the largest price (1250) is silk."),
        (
            "cells(item, smallest(since))",
            "Two rows tie for the earliest since (1985), with item rum and oil.",
        ),
        (
            "cells(item, largest(sold, rows(price < 20)))",
            "Among the 4 rows where price is less than 20, two tie for the largest sold (12,000), "
            "with item tea and oil.",
        ),
        ("cells(since, smallest(since))", "The earliest since is 1985, in 2 rows."),
        (
            "cells(item, nth_largest(3, price))",
            "Two rows tie for the third largest price (12.50), with item rum and oil.",
        ),
        (
            "cells(item, largest(2, price))",
            "The 2 rows with the largest price, and 1 more that ties, have item silk (1250), rum (12.50) and "
            "oil (12.50).",
        ),
        (
            "cells(kind, largest(3, since))",
            "The 3 rows with the latest since have kind fruit and spice (1 is missing).",
        ),
        (
            "cells(item, largest(price, rows(kind = fruit)))",
            "Looked for item in the row with the largest price in the row where kind is fruit, "
            "but price is missing there.",
        ),
        (
            "cells(item, largest(since, rows(item = tea)))",
            "There is only one row where item is tea.",
        ),
        (
            "cells(item, nth_smallest(12, since))",
            "Looked for item in the row with the 12th earliest since, but there is no such row.",
        ),
        ("cells(item, largest(item))", "The last item in the alphabet is tea."),
        ("cells(since, smallest(item))", "The since with the first item in the alphabet (figs) is 2010."),
        (
            "cells(item, largest(product(price, sold)))",
            "The item with the largest product of price and sold (150,000) is oil.",
        ),
        ("cells(item, first())", "In the first row, item is tea."),
        ("cells(item, nth_last(3))", "In the third to last row, item is oil."),
        (
            "cells(item, last(2, rows(price < 20)))",
            "In the last 2 of the 4 rows where price is less than 20, the values of item are salt and oil.",
        ),
        ("cells(item, first(rows(kind = fruit)))", "In the only row where kind is fruit, item is figs."),
        (
            "cells(kind, first(9))",
            "In all 6 rows, the values of kind are drink, drink, spice, spice and fruit (1 is missing).",
        ),
        (
            "cells(item, next(rows(kind = drink)))",
            "In the 2 rows right after the 2 rows where kind is drink, the values of item are rum and salt.",
        ),
        (
            "cells(item, after(rows(kind = spice)))",
            "In the 2 rows after the last of the 2 rows where kind is spice, the values of item are figs "
            "and silk.",
        ),
        (
            "cells(item, previous(rows(item = tea)))",
            "Looked for item in the row right before the row where item is tea, but there is no such row.",
        ),
        (
            "cells(item, rows(price > 10, first(3)))",
            "In the only row where price is more than 10 among the first 3 rows, item is rum.",
        ),
    ],
)
def test_superlatives_and_order(program: str, said: str) -> None:
    assert _said(program) == said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("sum(sold, rows(kind = spice))", "Over the 2 rows where kind is spice, the total sold is 12,950."),
        ("average(price)", "Over all 6 rows, the average price is 256.1, leaving out 1 where it is missing."),
        ("average(sold)", "Over all 6 rows, the average sold is 4,299.5."),
        ("median(since)", "Over all 6 rows, the median since is 1994.5."),
        (
            'range("first sale")',
            "Among all 6 rows, the range of first sale is 2,249 days, from 13 August 2004 to 10 "
            "October 2010.",
        ),
        (
            "minimum(price, rows(kind = fruit))",
            "In the only row where kind is fruit, price is missing, so nothing can be worked out.",
        ),
        (
            "maximum(price, rows(kind = cloth))",
            "Looked for the largest price among the rows where kind is cloth, but there is no such row.",
        ),
        (
            "count_distinct(kind, rows(price < 20))",
            "Among the 4 rows where price is less than 20, there are 2 different values of kind.",
        ),
        (
            "count_distinct(kind, rows(price < 2))",
            "In the only row where price is less than 2, there is only one value of kind.",
        ),
        (
            "count_distinct(price, rows(kind = fruit))",
            "There is no value of price in the only row where kind is fruit.",
        ),
        (
            "difference(cells(sold, rows(item = rum)), cells(sold, rows(item = salt)))",
            "In the only row where item is rum, sold is 800, which is 150 less than in the row where "
            "item is salt (950).",
        ),
        (
            "difference(cells(sold, rows(item = tea)), cells(sold, rows(item = oil)))",
            "In the only row where item is tea, sold is 12,000, which is the same as in the row where "
            "item is oil (12,000).",
        ),
        (
            "difference(cells(since, rows(item = rum)), cells(since, rows(item = salt)))",
            "In the only row where item is rum, since is 1985, which is 16 years before that in the "
            "row where item is salt (2001).",
        ),
        (
            'difference(cells("first sale", rows(item = salt)), cells("first sale", rows(item = tea)))',
            "In the only row where item is salt, first sale is 2 January 2005, which is 142 days after "
            "that in the row where item is tea (13 August 2004).",
        ),
        (
            "distance(cells(sold, rows(item = rum)), 100)",
            "The sold in the row where item is rum (800) and 100 are 700 apart.",
        ),
        (
            "total(sum(sold, rows(kind = spice)), sum(sold, rows(kind = drink)))",
            "The total sold of the 2 rows where kind is spice (12,950) and that of the 2 rows where "
            "kind is drink (12,800) add up to 25,750.",
        ),
        (
            "ratio(cells(sold, rows(item = tea)), cells(price, rows(item = tea)))",
            "In the only row where item is tea, sold is 12,000, which is 3,000 times the price there (4).",
        ),
        (
            "ratio(cells(sold, rows(item = tea)), cells(price, rows(item = figs)))",
            "The ratio of the sold in the row where item is tea (12,000) to the price in the row where "
            "item is figs (none) cannot be worked out.",
        ),
        (
            "percentage(sum(sold, rows(kind = spice)), sum(sold))",
            "Over the 2 rows where kind is spice, the total sold is 12,950, which is about 50.2 % of "
            "that of all 6 rows (25,797).",
        ),
        (
            "percentage(count(rows(kind = fruit)), count(rows()))",
            "The only row where kind is fruit is about 16.67 % of all 6 rows.",
        ),
        (
            "percentage(count(rows(kind = cloth)), count(rows()))",
            "The number of rows where kind is cloth (0) is 0 % of the number of all rows (6).",
        ),
        (
            "difference(count(rows(kind = spice)), count(rows(kind = drink)))",
            "There are as many rows where kind is spice (2) as rows where kind is drink (2).",
        ),
        (
            "difference(count(rows(kind = fruit)), count(rows(kind = drink)))",
            "There is 1 fewer row where kind is fruit (1) than rows where kind is drink (2).",
        ),
        (
            "holds(cells(kind, rows(item = tea)) = drink)",
            "Yes, in the only row where item is tea, kind is drink.",
        ),
        (
            "holds(cells(kind, rows(item = tea)) = spice)",
            "No, in the only row where item is tea, kind is drink, not spice.",
        ),
        (
            "holds(cells(kind, rows(item = tea)) = one of (spice, fruit))",
            "No, in the only row where item is tea, kind is drink, which is neither spice nor fruit.",
        ),
        (
            "holds(cells(price, rows(item = figs)) > 1)",
            "It cannot be told whether the price in the row where item is figs (none) is more than 1.",
        ),
        (
            "holds(count(rows(kind = spice)) > count(rows(kind = drink)))",
            "No, the number of rows where kind is spice (2) is not more than the number of rows where "
            "kind is drink (2).",
        ),
    ],
)
def test_worked_out(program: str, said: str) -> None:
    assert _said(program) == said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "cells(kind, largest(measure, groups(kind, count)))",
            "Two values of kind tie for the most rows (2): drink and spice.",
        ),
        ("cells(kind, smallest(measure, groups(kind, count)))", "The least common kind is fruit (1 row)."),
        (
            "cells(kind, largest(measure, groups(kind, average(price), rows(since > 1985))))",
            "Among the 4 rows where since is after 1985, the kind with the largest average price (4) "
            "is drink.",
        ),
        (
            "cells(kind, largest(2, measure, groups(kind, sum(sold))))",
            "The 2 values of kind with the largest total sold are spice (12,950) and drink (12,800).",
        ),
        (
            "cells(kind, measure, largest(measure, groups(kind, sum(sold))))",
            "The kind with the largest total sold (12,950) is spice.",
        ),
        (
            "cells(measure, largest(measure, groups(kind, count)))",
            "The largest number of rows per kind is 2, for 2 values of kind.",
        ),
        (
            "cells(kind, measure, groups(kind, count))",
            "The number of rows per kind is 2 for drink, 2 for spice and 1 for fruit.",
        ),
        (
            "cells(measure, rows(kind = spice, groups(kind, sum(sold))))",
            "For the only value of kind where kind is spice, the total sold is 12,950.",
        ),
        (
            "cells(kind, groups(kind, count, rows(price > 10)))",
            "Among the 3 rows where price is more than 10, the 2 values of kind are drink and spice.",
        ),
        (
            "cells(kind, rows(measure > 1, groups(kind, count)))",
            "The 2 values of kind where the number of rows is more than 1 are drink and spice.",
        ),
        (
            "cells(kind, rows(measure > 5, groups(kind, count)))",
            "Looked for the values of kind where the number of rows is more than 5, but there is no "
            "such value.",
        ),
        (
            "count(rows(measure > 1, groups(kind, count)))",
            "Counted the 2 values of kind where the number of rows is more than 1.",
        ),
        ("average(measure, groups(kind, count))", "The average number of rows per kind is about 1.667."),
        (
            "maximum(measure, groups(kind, average(price)))",
            "The largest average price per kind is 8.25, leaving out 1 where it is missing.",
        ),
        (
            'cells(year_of("first sale"), largest(measure, groups(year_of("first sale"), count)))',
            "The most common year of first sale is 2004 (2 rows).",
        ),
        (
            "exists(rows(measure > 1, groups(kind, count)))",
            "Yes, there are 2 values of kind where the number of rows is more than 1.",
        ),
    ],
)
def test_groups(program: str, said: str) -> None:
    assert _said(program) == said


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("count(rows(goods))", "Counted all 6 rows of goods."),
        (
            "cells(item, rows(price > 10, goods))",
            "In the 3 rows of goods where price is more than 10, the values of item are rum, oil and silk.",
        ),
        (
            "cells(goods.item, largest(cost, join(prices, goods, good = item)))",
            "Among all 3 rows of prices matched with goods (good to item), the item in goods with the "
            "largest cost (3) is rum.",
        ),
        (
            "cells(prices.item, rows(goods.item = tea, join(prices, goods, good = item)))",
            "In the 2 rows of prices matched with goods (good to item) where item in goods is tea, the "
            "values of item in prices are “a” and b.",
        ),
        (
            "sum(cost, rows(kind = drink, join(prices, goods, good = item)))",
            "Over the 3 rows of prices matched with goods (good to item) where kind is drink, the "
            "total cost is 6.",
        ),
        (
            "cells(kind, largest(measure, groups(kind, sum(cost), join(prices, goods, good = item))))",
            "Among all 3 rows of prices matched with goods (good to item), the kind with the largest "
            "total cost (6) is drink.",
        ),
        (
            "cells(cost, rows(good = cells(item, largest(sold, rows(goods))), prices))",
            "In the 2 rows of prices where good is one of the values of the item with the largest sold "
            "among all 6 rows of goods (tea and oil), the values of cost are 1 and 2.",
        ),
    ],
)
def test_several_tables(program: str, said: str) -> None:
    assert _said(program, GOODS, PRICES) == said


MEASURED = Table.of(
    {
        "run": ["first", "second", "third"],
        "length": ["12 km", "3.5 km", "7 km"],
        "cost": ["$1,200", "$80", "$5"],
        "Series": ["1", "2", "3"],
        "score": ["259.0", "41.0", "8.0"],
        "growth": ["0.463211867357523", "2.5", "3"],
    },
    "runs",
)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("sum(length)", "Over all 3 rows, the total length is 22.5 km."),
        ("average(cost)", "Over all 3 rows, the average cost is about $428.33."),
        ("count(rows(cost > 100))", "There is only one row where cost is more than $100."),
        ("count(rows(score > 40))", "Counted the 2 rows where score is more than 40."),
        ("maximum(score)", "Among all 3 rows, the largest score is 259."),
        ("minimum(growth)", "Among all 3 rows, the smallest growth is about 0.4632."),
        (
            "difference(cells(cost, rows(run = second)), cells(cost, rows(run = third)))",
            "In the only row where run is second, cost is $80, which is $75 more than in the row where run "
            "is third ($5).",
        ),
        (
            "cells(run, rows(Series = total(cells(Series, rows(run = first)), 1)))",
            "In the only row where Series is 1 more than in the row where run is first (1), run is second.",
        ),
    ],
)
def test_numbers_have_the_units_of_their_field_and_no_needless_digits(program: str, said: str) -> None:
    assert _said(program, MEASURED) == said


def test_equal_values_of_rows_that_tie_are_told_once() -> None:
    screens = Table.of({"product": ["Monitor", "Monitor", "Desk"], "price": [249, 249, 498]})
    said = "Two rows tie for the second largest price (249), with product Monitor."
    assert _said("cells(product, nth_largest(2, price))", screens) == said


def test_tables_that_go_together_by_one_name_are_told_by_it() -> None:
    orders = Table.of({"customer": ["Ann", "Bob"], "total": [1, 2]}, "orders")
    people = Table.of({"Customer": ["Ann", "Bob"], "city": ["Rome", "Oslo"]}, "people")
    said = _said(
        "count(rows(city = Rome, join(orders, people, orders.customer = people.Customer)))", orders, people
    )
    assert said == "There is only one row of orders matched with people (by customer) where city is Rome."
