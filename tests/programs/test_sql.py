import duckdb
import pytest
from example_tables import CUSTOMERS, GAMES, ORDERS

from neural_enquirer.programs import ProgramError, parse
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.programs.sql_dialects import identifier
from neural_enquirer.tables import Table

DIALECTS = [
    (
        "cells(city, rows(city contains o))",
        {
            "duckdb": "SELECT city FROM games WHERE city LIKE '%o%'",
            "sqlite": "SELECT city FROM games WHERE city GLOB '*o*'",
        },
    ),
    (
        "median(days)",
        {
            "duckdb": "SELECT MEDIAN(days) FROM games",
            "postgres": "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY days) FROM games",
        },
    ),
    (
        "ratio(sum(days), count(rows()))",
        {
            "duckdb": "SELECT 1.0 * SUM(days) / NULLIF(COUNT(*), 0) FROM games",
            "spark": "SELECT 1.0 * SUM(days) / NULLIF(COUNT(*), 0) FROM games",
        },
    ),
    (
        "cells(city, rows(number_in(city) > 3))",
        {
            "postgres": "SELECT city FROM games WHERE CAST(NULLIF(REPLACE(SUBSTRING(city, "
            "'(?:^-)?[0-9]+(?:,[0-9]{3})*(?:\\.[0-9]+)?'), ',', ''), '') AS DOUBLE PRECISION) > 3",
        },
    ),
]


@pytest.mark.parametrize(("text", "sqls"), DIALECTS)
def test_dialects(text: str, sqls: dict[str, str]) -> None:
    assert {dialect: to_sql(parse(text), [GAMES], dialect) for dialect in sqls} == sqls


def test_dates_and_joins_in_dialects() -> None:
    program = parse("cells(orders.note, rows(born > 1988-01-01, join(orders, customers, customer = name)))")
    join = "SELECT orders.note FROM orders JOIN customers ON orders.customer = customers.name"
    where = f"{join} WHERE customers.born > "
    assert to_sql(program, [ORDERS, CUSTOMERS]) == where + "CAST('1988-01-01' AS DATE)"
    assert to_sql(program, [ORDERS, CUSTOMERS], "sqlite") == where + "'1988-01-01'"


@pytest.mark.parametrize("place", ["first()", "next(rows(city = Rome))", "after(rows(city = Rome))"])
def test_no_order_of_rows_in_databases(place: str) -> None:
    with pytest.raises(ProgramError, match="rows have no order in postgres"):
        to_sql(parse(f"cells(city, {place})"), [GAMES], "postgres")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(ProgramError, match="unknown SQL dialect 'PostgreSQL'; there are duckdb"):
        to_sql(parse("count(rows())"), [GAMES], "PostgreSQL")


def test_a_field_called_rowid_is_not_the_order_of_rows() -> None:
    table = Table.of([{"rowid": 3}], name="t")
    with pytest.raises(ProgramError, match="rows have no order in duckdb"):
        to_sql(parse("cells(rowid, first())"), [table])
    assert "_rowid_" in to_sql(parse("cells(rowid, first())"), [table], "sqlite")


def test_reserved_words_stand_in_quotes() -> None:
    words = duckdb.execute(
        "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    ).fetchall()
    for (word,) in words:
        assert identifier(word, "duckdb").args["quoted"], word


def test_names_without_need_have_no_quotes() -> None:
    assert identifier("duration_days", "duckdb").sql("duckdb") == "duration_days"
    assert identifier("Name", "duckdb").sql("duckdb") == "Name"
    assert identifier("Name", "postgres").sql("postgres") == '"Name"'
    assert identifier("two words", "duckdb").sql("duckdb") == '"two words"'
    assert identifier('x"; DROP', "duckdb").sql("duckdb") == '"x""; DROP"'


def test_values_cannot_leave_their_quotes() -> None:
    table = Table.of([{"name": "'; DROP TABLE t; --", "n": 1}, {"name": "x", "n": 2}], name="t")
    sql = to_sql(parse("""cells(n, rows(name = "'; DROP TABLE t; --"))"""), [table])
    database = duckdb.connect()
    database.register("t", table.to_arrow())
    assert database.execute(sql).fetchall() == [(1,)]
