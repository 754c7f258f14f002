import datetime

import pytest

from neural_enquirer.programs import ProgramError, parse, run, to_text
from neural_enquirer.programs.sql_reading import from_sql
from neural_enquirer.tables import Table
from tests.programs.example_tables import CUSTOMERS, GAMES, ORDERS

SHOP = [ORDERS, CUSTOMERS]
TEXTS = Table.of(
    [
        {"id": 1, "name": "Layup by Ann", "score": "3-2", "fee": "£1,200", "week": "1", "note": "aXbY"},
        {"id": 2, "name": "layup by Bob", "score": "1-4", "fee": "£900", "week": "02", "note": "bY aX"},
        {"id": 3, "name": "Dunk", "score": "Bye", "fee": "free", "week": "x", "note": None},
    ],
    name="texts",
)
TIMES = Table.of(
    [
        {"id": 1, "at": datetime.datetime(2024, 1, 1, 9, 30), "cost": 1.25},
        {"id": 2, "at": datetime.datetime(2024, 1, 2), "cost": 0.5},
    ],
    name="times",
)


def said(sql: str, *tables: Table) -> str:
    return to_text(from_sql(sql, tables or [GAMES]))


LOOKUPS = [
    ("SELECT city FROM t", "cells(city)"),
    ('SELECT "CITY" FROM games WHERE "Year" = 1980', "cells(city, rows(year = 1980))"),
    ("SELECT city, year FROM t WHERE days > 15", "cells(city, year, rows(days > 15))"),
    ("SELECT * FROM t WHERE year = 1980", "cells(city, year, days, price, kind, rows(year = 1980))"),
    ("SELECT DISTINCT kind FROM t", "distinct(kind)"),
    ("SELECT kind FROM t GROUP BY 1", "distinct(kind)"),
    ("SELECT days - year FROM t", "cells(difference(days, year))"),
    ("SELECT days / year FROM t", "cells(ratio(days, year))"),
    ("SELECT 100.0 * days / year FROM t", "cells(percentage(days, year))"),
    ("SELECT -days FROM t", "cells(difference(0, days))"),
    ("SELECT abs(days - year) FROM t", "cells(distance(days, year))"),
    ("SELECT city FROM t WHERE city IN ('Rome', 'Paris')", "cells(city, rows(city one of (Rome, Paris)))"),
    ("SELECT city FROM t WHERE city NOT IN ('Rome')", "cells(city, rows(city <> Rome))"),
    ("SELECT city FROM t WHERE kind IS NOT NULL", "cells(city, rows(not kind is missing))"),
    ("SELECT city FROM t WHERE 1950 < year", "cells(city, rows(year > 1950))"),
    ("SELECT city FROM t WHERE price > -0.5", "cells(city, rows(price > -0.5))"),
    ("SELECT city FROM t WHERE price = 5.0", "cells(city, rows(price = 5))"),
    (
        "SELECT city FROM t WHERE days BETWEEN 1 AND (SELECT avg(days) FROM t)",
        "cells(city, rows(days >= 1 and days <= average(days)))",
    ),
    ("SELECT city FROM t WHERE days > year", "cells(city, rows(days > its(year)))"),
    (
        "SELECT city FROM t WHERE price IS DISTINCT FROM 5",
        "cells(city, rows(price <> 5 or price is missing))",
    ),
    (
        "SELECT city FROM t WHERE (city NOT LIKE 'R%' OR year = 1) AND days BETWEEN 1 AND 20",
        "cells(city, rows((not city starts with R or year = 1) and days between 1 and 20))",
    ),
]
SUPERLATIVES = [
    ("SELECT city FROM t ORDER BY days DESC LIMIT 1", "cells(city, largest(days))"),
    ("SELECT city FROM t ORDER BY 1 LIMIT 1", "cells(city, smallest(city))"),
    ("SELECT city FROM t ORDER BY days LIMIT 3", "cells(city, smallest(3, days))"),
    ("SELECT city FROM t ORDER BY days DESC LIMIT 1 OFFSET 1", "cells(city, nth_largest(2, days))"),
    ("SELECT city FROM t ORDER BY days DESC, year LIMIT 1", "cells(city, smallest(year, largest(days)))"),
    ("SELECT city FROM t ORDER BY days, rowid LIMIT 1", "cells(city, first(smallest(days)))"),
    ("SELECT city FROM t WHERE days = (SELECT max(days) FROM t)", "cells(city, largest(days))"),
    (
        "SELECT city FROM t WHERE year > 1900 AND days = (SELECT min(days) FROM t WHERE year > 1900)",
        "cells(city, smallest(days, rows(year > 1900)))",
    ),
    (
        "SELECT city FROM t WHERE year > 1900 AND days = (SELECT max(days) FROM t)",
        "cells(city, rows(year > 1900 and days = maximum(days)))",
    ),
    ("SELECT city FROM t LIMIT 2", "cells(city, first(2))"),
    ("SELECT city FROM t ORDER BY rowid DESC LIMIT 1", "cells(city, last())"),
    ("SELECT city FROM t WHERE rowid = 0", "cells(city, first())"),
    ("SELECT city FROM t WHERE rowid < 3", "cells(city, first(3))"),
    ("SELECT city FROM t WHERE rowid > 1", "cells(city, after(first(2)))"),
    (
        "SELECT city FROM t WHERE rowid = (SELECT rowid FROM t WHERE city = 'Rome') - 1",
        "cells(city, previous(rows(city = Rome)))",
    ),
    (
        "SELECT city FROM t WHERE rowid > (SELECT rowid FROM t WHERE city = 'Paris') AND days > 20",
        "cells(city, rows(days > 20, after(rows(city = Paris))))",
    ),
    (
        "SELECT city FROM t WHERE rowid = (SELECT min(rowid) FROM t WHERE days = 188) + 1",
        "cells(city, next(first(rows(days = 188))))",
    ),
]
AGGREGATES = [
    ("SELECT count(*) FROM t", "count(rows())"),
    ("SELECT count(price) FROM t", "count(rows(not price is missing))"),
    ("SELECT count(DISTINCT kind) FROM t", "count_distinct(kind)"),
    ("SELECT median(days) FROM t WHERE year > 1900", "median(days, rows(year > 1900))"),
    ("SELECT max(days) - min(days) FROM t", "range(days)"),
    ("SELECT count(CASE WHEN days > 20 THEN 1 END) FROM t", "count(rows(days > 20))"),
    ("SELECT avg(CASE WHEN days > 20 THEN price END) FROM t", "average(price, rows(days > 20))"),
    ("SELECT sum(days - 1) FROM t", "sum(difference(days, 1))"),
    ("SELECT avg(days) - 2 FROM t", "difference(average(days), 2)"),
    (
        "SELECT 100.0 * count(*) FILTER (WHERE kind = 'summer') / count(*) FROM t",
        "percentage(count(rows(kind = summer)), count(rows()))",
    ),
    (
        "SELECT 100 * avg(CASE WHEN kind = 'summer' THEN 1 ELSE 0 END) FROM t WHERE year > 1900",
        "percentage(count(rows(year > 1900 and kind = summer)), count(rows(year > 1900)))",
    ),
    (
        "SELECT sum(CASE WHEN kind = 'summer' THEN days ELSE 0 END) / sum(days) FROM t",
        "ratio(sum(days, rows(kind = summer)), sum(days))",
    ),
    (
        "SELECT count(DISTINCT CASE WHEN days > 20 THEN kind END) FROM t",
        "count_distinct(kind, rows(days > 20))",
    ),
    (
        "SELECT (SELECT days FROM t WHERE city = 'Rome') - (SELECT days FROM t WHERE city = 'Paris')",
        "difference(cells(days, rows(city = Rome)), cells(days, rows(city = Paris)))",
    ),
    (
        "SELECT count(*) FROM t WHERE days > 2 * (SELECT avg(days) FROM t)",
        "count(rows(days > product(2, average(days))))",
    ),
]
GROUPS = [
    (
        "SELECT kind FROM t GROUP BY kind ORDER BY count(*) DESC LIMIT 1",
        "cells(kind, largest(measure, groups(kind, count)))",
    ),
    (
        "SELECT kind, avg(days) AS mean FROM t GROUP BY ALL ORDER BY mean LIMIT 2",
        "cells(kind, measure, smallest(2, measure, groups(kind, average(days))))",
    ),
    (
        "SELECT kind FROM t GROUP BY kind HAVING count(*) > 1 AND kind <> 'x'",
        "cells(kind, rows(measure > 1 and kind <> x, groups(kind, count)))",
    ),
    (
        "SELECT kind FROM t GROUP BY kind HAVING count(*) > 1 ORDER BY sum(days) DESC LIMIT 1",
        "cells(kind, largest(measure, groups(kind, sum(days), "
        "rows(kind = cells(kind, rows(measure > 1, groups(kind, count)))))))",
    ),
    (
        "SELECT kind FROM t GROUP BY kind ORDER BY count(*) DESC, max(days) LIMIT 1",
        "cells(kind, smallest(measure, groups(kind, maximum(days), "
        "rows(kind = cells(kind, largest(measure, groups(kind, count)))))))",
    ),
    (
        "SELECT kind, max(days) FROM t GROUP BY kind ORDER BY count(*) DESC LIMIT 1",
        "cells(kind, measure, groups(kind, maximum(days), "
        "rows(kind = cells(kind, largest(measure, groups(kind, count))))))",
    ),
    (
        "SELECT kind FROM t GROUP BY kind ORDER BY count(*) FILTER (WHERE days > 15) DESC LIMIT 1",
        "cells(kind, largest(measure, groups(kind, count, rows(days > 15))))",
    ),
    (
        "SELECT max(n) FROM (SELECT kind, count(*) AS n FROM t GROUP BY kind) WHERE n < 9",
        "maximum(measure, rows(measure < 9, groups(kind, count)))",
    ),
    (
        "SELECT n FROM (SELECT city AS n, days AS d FROM t WHERE year > 1) WHERE d > 9 AND d < 20",
        "cells(city, rows(year > 1 and days > 9 and days < 20))",
    ),
    ("SELECT count(*) FROM (SELECT DISTINCT kind FROM t)", "count(groups(kind, count))"),
    ("SELECT kind FROM t GROUP BY kind, days ORDER BY days LIMIT 1", "distinct(kind, smallest(days))"),
]
QUESTIONS = [
    ("SELECT count(*) > 0 FROM t WHERE city = 'Rome'", "exists(rows(city = Rome))"),
    ("SELECT EXISTS(SELECT 1 FROM t WHERE city = 'Rome')", "exists(rows(city = Rome))"),
    ("SELECT NOT EXISTS(SELECT 1 FROM t WHERE city = 'Rome')", "holds(count(rows(city = Rome)) = 0)"),
    ("SELECT count(*) = 2 FROM t WHERE days = 188", "holds(count(rows(days = 188)) = 2)"),
    ("SELECT year > 1900 FROM t WHERE city = 'Rome'", "holds(cells(year, rows(city = Rome)) > 1900)"),
    (
        "SELECT CASE WHEN kind = 'summer' THEN 'yes' ELSE 'no' END FROM t WHERE year = 1900",
        "holds(cells(kind, rows(year = 1900)) = summer)",
    ),
    (
        "SELECT kind NOT IN ('summer', 'winter') FROM t WHERE year = 1900",
        "holds(cells(kind, rows(year = 1900)) <> one of (summer, winter))",
    ),
    (
        "SELECT city LIKE 'R%' FROM t ORDER BY year DESC LIMIT 1",
        "holds(cells(city, largest(year)) starts with R)",
    ),
    (
        "SELECT (SELECT max(days) FROM t) > (SELECT days FROM t WHERE city = 'Rome')",
        "holds(maximum(days) > cells(days, rows(city = Rome)))",
    ),
    ("SELECT bool_or(days > 99) FROM t", "exists(rows(days > 99))"),
    ("SELECT (SELECT count(*) > 0 FROM t WHERE days = 1)", "exists(rows(days = 1))"),
    ("SELECT bool_and(days > 9) FROM t", "holds(count(rows(not days > 9)) = 0)"),
    (
        "SELECT price IS NOT NULL FROM t WHERE city = 'Rome'",
        "exists(rows(city = Rome and not price is missing))",
    ),
]
JOINS = [
    (
        "SELECT c.country FROM orders o JOIN customers c ON o.customer = c.name WHERE o.total > 9",
        "cells(country, rows(total > 9, join(orders, customers, customer = name)))",
    ),
    (
        "SELECT sum(total) FROM customers, orders WHERE name = customer AND country = 'France'",
        "sum(total, rows(country = France, join(customers, orders, name = customer)))",
    ),
    (
        "SELECT name FROM customers WHERE name NOT IN (SELECT customer FROM orders)",
        "cells(name, rows(name <> cells(customer, rows(orders)), customers))",
    ),
    ("SELECT count(*) FROM orders", "count(rows(orders))"),
]


@pytest.mark.parametrize(("sql", "text"), [*LOOKUPS, *SUPERLATIVES, *AGGREGATES, *GROUPS, *QUESTIONS])
def test_a_select_becomes_the_program_that_says_the_same(sql: str, text: str) -> None:
    assert said(sql) == text
    assert from_sql(sql, [GAMES]) == parse(text)


@pytest.mark.parametrize(("sql", "text"), JOINS)
def test_tables_are_joined_by_the_fields_that_are_equal(sql: str, text: str) -> None:
    assert said(sql, *SHOP) == text


def test_fields_of_one_name_are_told_apart_by_their_tables_only_where_that_is_needed() -> None:
    tables = [
        Table.of({"key": ["a"], "x": [1], "y": [2]}, name="old"),
        Table.of({"key": ["a"], "x": [3], "z": [4]}, name="new"),
    ]
    sql = "SELECT a.x, b.x, y FROM old a JOIN new b USING (key) WHERE key = 'a' AND b.z = 4"
    assert said(sql, *tables) == (
        "cells(old.x, new.x, y, rows(old.key = a and z = 4, join(old, new, key = key)))"
    )
    assert run(from_sql(sql, tables), tables).values == (1, 3, 2)


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT note FROM orders WHERE total = '25'", "cells(note, rows(total = 25))"),
        ("SELECT note FROM orders WHERE day > '2024-01-31'", "cells(note, rows(day > 2024-01-31))"),
        ("SELECT note FROM orders WHERE day = DATE '2024-2-1'", "cells(note, rows(day = 2024-02-01))"),
        (
            "SELECT note FROM orders WHERE day BETWEEN '2024-02-01' AND '2024-02-29'",
            "cells(note, rows(day between 2024-02-01 and 2024-02-29))",
        ),
        ("SELECT note FROM orders WHERE year(day) = 2024", "cells(note, rows(year_of(day) = 2024))"),
        ("SELECT note FROM orders WHERE date_part('day', day) = 30", "cells(note, rows(day_of(day) = 30))"),
        (
            "SELECT note FROM orders WHERE CAST(day AS DATE) = '2024-02-01'",
            "cells(note, rows(day = 2024-02-01))",
        ),
        ("SELECT note FROM orders WHERE extract(month FROM day) = 2", "cells(note, rows(month_of(day) = 2))"),
        ("SELECT max(day) - min(day) FROM orders", "range(day)"),
        ("SELECT max(day) > '2024-02-01' FROM orders", "holds(maximum(day) > 2024-02-01)"),
    ],
)
def test_literals_have_the_type_of_the_field_that_they_are_compared_with(sql: str, text: str) -> None:
    assert said(sql, ORDERS) == text


def test_a_day_is_a_point_in_time_beside_points_in_time() -> None:
    sql = "SELECT id FROM times WHERE at > '2024-01-01'"
    assert said(sql, TIMES) == "cells(id, rows(at > 2024-01-01T00:00:00))"
    assert run(from_sql(sql, [TIMES]), [TIMES]).values == (1, 2)


def test_days_and_years_apart_are_differences() -> None:
    apart = (
        "SELECT date_diff('{}', (SELECT day FROM t WHERE total = 10), (SELECT day FROM t WHERE total = 5))"
    )
    assert run(from_sql(apart.format("day"), [ORDERS]), [ORDERS]).values == (31,)
    assert said(apart.format("year"), ORDERS).startswith("difference(cells(year_of(day)")


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT id FROM t WHERE week = 2", "cells(id, rows(number_in(week) = 2))"),
        (
            "SELECT id FROM t ORDER BY split_part(score, '-', 1)::INT DESC LIMIT 1",
            "cells(id, largest(number_in(score)))",
        ),
        (
            "SELECT sum(CAST(replace(replace(fee, '£', ''), ',', '') AS BIGINT)) FROM t WHERE fee LIKE '£%'",
            "sum(number_in(fee), rows(fee starts with £))",
        ),
        ("SELECT avg(TRY_CAST(week AS DOUBLE)) FROM t", "average(number_in(week))"),
        (
            "SELECT CAST((SELECT week FROM t WHERE id = 2) AS INT) - 1",
            "difference(cells(number_in(week), rows(id = 2)), 1)",
        ),
        ("SELECT CAST(id AS VARCHAR)::INT FROM t", "cells(id)"),
        ("SELECT CAST(max(name) AS VARCHAR) FROM t", "maximum(name)"),
    ],
)
def test_numbers_are_taken_out_of_texts_where_sql_takes_the_first(sql: str, text: str) -> None:
    assert said(sql, TEXTS) == text


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("SELECT id FROM t WHERE name LIKE 'Dunk'", "cells(id, rows(name = Dunk))"),
        ("SELECT id FROM t WHERE name LIKE '%Bob'", "cells(id, rows(name ends with Bob))"),
        ("SELECT id FROM t WHERE name LIKE '%up%'", "cells(id, rows(name contains up))"),
        ("SELECT id FROM t WHERE starts_with(name, 'D')", "cells(id, rows(name starts with D))"),
        ("SELECT id FROM t WHERE NOT contains(name, 'D')", "cells(id, rows(not name contains D))"),
        ("SELECT id FROM t WHERE name LIKE '%'", "cells(id, rows(not name is missing))"),
        (
            "SELECT id FROM t WHERE name LIKE 'L%n'",
            "cells(id, rows(name starts with L and name ends with n))",
        ),
        ("SELECT id FROM t WHERE name ILIKE '%DUNK'", "cells(id, rows(name ends with Dunk))"),
        ("SELECT id FROM t WHERE lower(name) = 'dunk'", "cells(id, rows(name = Dunk))"),
    ],
)
def test_patterns_are_what_they_ask_of_the_cells(sql: str, text: str) -> None:
    assert said(sql, TEXTS) == text


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("SELECT id FROM t WHERE name ILIKE '%layup%'", "a pattern that overlooks case"),
        ("SELECT id FROM t WHERE note LIKE '%aX%bY%'", "a pattern of several parts"),
        ("SELECT id FROM t WHERE name LIKE 'L_yup%'", "a pattern with _"),
        ("SELECT split_part(score, '-', 2)::INT FROM t", "another number than the first in a text"),
        ("SELECT replace(name, 'up', '') FROM t", "a part of a text"),
        ("SELECT name || note FROM t", "texts put together"),
        ("SELECT row_number() OVER (ORDER BY id) FROM t", "a window function"),
        ("SELECT sum(id) OVER () FROM t", "a window function"),
        ("SELECT id FROM t QUALIFY rank() OVER (ORDER BY id) = 1", "QUALIFY"),
        ("WITH u AS (SELECT id FROM t) SELECT id FROM u", "WITH"),
        ("SELECT id FROM t UNION SELECT id FROM t", "UNION"),
        ("SELECT DISTINCT ON (name) id FROM t", "DISTINCT ON"),
        ("SELECT id FROM t OFFSET 2", "OFFSET without LIMIT"),
        ("SELECT id FROM t TABLESAMPLE 10%", "this source of rows"),
        ("SELECT name FROM t ORDER BY id", "the order of the whole answer"),
        ("SELECT name FROM t ORDER BY id LIMIT 2 OFFSET 1", "this part of an order"),
        ("SELECT name FROM t ORDER BY id NULLS FIRST LIMIT 1", "NULLS FIRST"),
        ("SELECT name, count(*), sum(id) FROM t GROUP BY name", "a second measure of groups"),
        ("SELECT name FROM t GROUP BY name, note HAVING count(*) > 1", "groups by several fields"),
        (
            "SELECT name FROM t GROUP BY name ORDER BY count(note) LIMIT 1",
            "a measure of some rows of each group",
        ),
        (
            "SELECT name FROM t WHERE (id, note) IN (SELECT id, note FROM t)",
            "several fields compared together",
        ),
        ("SELECT mode(name) FROM t", "this aggregate"),
        ("SELECT * EXCLUDE (name) FROM t", "STAR"),
        ("SELECT CASE WHEN id > 1 THEN name END FROM t", "CASE"),
        ("SELECT id FROM t WHERE rowid = 1 OR id = 1", "the number of a row in this way"),
        ("SELECT id % 2 FROM t", "MOD"),
        ("SELECT rowid FROM t", "the number of a row as a value"),
        (
            "SELECT id FROM t WHERE rowid < (SELECT rowid FROM t WHERE id = 2) + 1",
            "the number of a row in this way",
        ),
        ("SELECT id FROM t WHERE id LIKE '1%'", "LIKE of a number or date"),
        ("SELECT id FROM t WHERE name = TRUE", "BOOLEAN"),
        ("SELECT id FROM t WHERE name > (SELECT count(*) > 0 FROM t)", "yes or no as a value"),
        ("SELECT 1 FROM t", "a value alone"),
        ("SELECT 1 = 1", "a comparison of a value"),
        ("SELECT avg(CASE WHEN id > 1 THEN 2 ELSE 0 END) FROM t", "CASE"),
        (
            "SELECT name FROM t GROUP BY name ORDER BY sum(id) / count(*) LIMIT 1",
            "a second measure of groups",
        ),
        ("SELECT id FROM t WHERE regexp_matches(name, 'x')", "the function regexp_matches"),
        ("SELECT upper(name) FROM t", "the function upper"),
    ],
)
def test_what_cannot_be_said_is_named(sql: str, what: str) -> None:
    with pytest.raises(ProgramError) as error:
        from_sql(sql, [TEXTS])
    assert str(error.value).startswith(f"{what} cannot be said in a program: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT id FROM t WHERE (", "this is no SQL"),
        ("SELECT nothing FROM t", "there is no column nothing"),
        (
            "SELECT id FROM t a WHERE id > (SELECT avg(b.id) FROM t b WHERE b.name = a.name)",
            "there is no column a.name",
        ),
        ("SELECT id FROM t WHERE id = 'one'", "'one' is compared with numbers and is none"),
        ("SELECT at FROM t WHERE at > 'soon'", "'soon' is compared with dates and is none"),
        (
            "SELECT id FROM t WHERE name > DATE '2020-01-01'",
            r"name \(a text\) cannot be compared with '2020-01-01' \(a date\)",
        ),
    ],
)
def test_wrong_sql_is_refused_in_one_line(sql: str, message: str) -> None:
    with pytest.raises(ProgramError, match=f"^{message}[^\n]*$"):
        from_sql(sql, [TIMES if "at >" in sql else TEXTS])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT o.total FROM orders o LEFT JOIN customers c ON o.customer = c.name",
        "SELECT o.total FROM orders o JOIN customers c ON o.total > 5",
        "SELECT a.total FROM orders a JOIN orders b ON a.total = b.total",
        "SELECT total FROM nowhere",
    ],
)
def test_other_joins_and_tables_are_refused(sql: str) -> None:
    with pytest.raises(ProgramError):
        from_sql(sql, SHOP)


@pytest.mark.parametrize(
    ("sql", "values"),
    [
        ("SELECT round((SELECT cost FROM t WHERE id = 1) - (SELECT cost FROM t WHERE id = 2), 2)", (0.75,)),
        ("SELECT round((SELECT cost FROM t WHERE id = 1) - (SELECT cost FROM t WHERE id = 2), 1)", None),
        ("SELECT round(avg(cost), 2) FROM t", None),
        ("SELECT round(sum(id)) FROM t", (3,)),
        ("SELECT CAST(sum(cost) AS DOUBLE) FROM t", (1.75,)),
        ("SELECT CAST(sum(cost) AS INT) FROM t", None),
    ],
)
def test_rounding_is_dropped_where_it_takes_nothing_away(sql: str, values: tuple[float, ...] | None) -> None:
    if values is None:
        with pytest.raises(ProgramError, match="rounding cannot be said"):
            from_sql(sql, [TIMES])
    else:
        assert run(from_sql(sql, [TIMES]), [TIMES]).values == values
