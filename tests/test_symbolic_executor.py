import datetime
from collections.abc import Iterator
from typing import Any, TypeAlias

import duckdb
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from neural_enquirer.query import (
    Comparison,
    Condition,
    Direction,
    Nest,
    Query,
    SelectNest,
    SelectWhere,
    Superlative,
    WhereSuperlative,
    parse,
)
from neural_enquirer.symbolic_executor import (
    AmbiguousAnswer,
    Cell,
    ExecutionError,
    NoAnswer,
    SymbolicExecutor,
)
from neural_enquirer.tables import Field, FieldType, Table, Value

# Not duckdb.DuckDBPyConnection: Hypothesis would keep the type until the end, and DuckDB report a leak.
Database: TypeAlias = Any

GAMES = Table.of(
    [
        {"year": "2000", "host_city": "Sydney", "#_duration": "20", "#_medals": "2,000"},
        {"year": "2004", "host_city": "Athens", "#_duration": "35", "#_medals": "1,500"},
        {"year": "2008", "host_city": "Beijing", "#_duration": "30", "#_medals": "2,500"},
        {"year": "2012", "host_city": "London", "#_duration": "40", "#_medals": "2,300"},
    ]
)


@pytest.mark.parametrize(
    ("text", "row", "steps"),
    [
        ("select #_medals, where host_city = Beijing", 2, ("host_city", "#_medals")),
        ("argmin(host_city, #_medals)", 1, ("#_medals", "host_city")),
        ("where year < 2012, argmax(host_city, #_duration)", 1, ("year", "#_duration", "host_city")),
        (
            "where year > (select year, where host_city = Athens), argmax(#_medals, #_duration)",
            3,
            ("host_city", "year", "year", "#_duration", "#_medals"),
        ),
        ("select year, where #_medals > 1,800 and #_duration = 30", 2, ("#_medals", "#_duration", "year")),
        (
            "where year > 2000 and year < 2012, argmin(host_city, #_duration)",
            2,
            ("year", "year", "#_duration", "host_city"),
        ),
        (
            "where year > (select year, where host_city = Sydney) and #_duration < 38, argmax(year, year)",
            2,
            ("host_city", "year", "year", "#_duration", "year", "year"),
        ),
        (
            "select year, where #_medals > (select #_medals, where year = 2012) and host_city <> Athens",
            2,
            ("year", "#_medals", "#_medals", "host_city", "year"),
        ),
    ],
)
def test_finds_the_cell_and_names_the_field_of_each_step(text: str, row: int, steps: tuple[str, ...]) -> None:
    execution = SymbolicExecutor().run(parse(text), GAMES)

    column = GAMES.field_index(steps[-1])
    assert execution.cell == Cell(table=0, row=row, column=column)
    assert execution.value == GAMES.columns[column][row]
    assert execution.steps == steps


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        ("select year, where host_city = Paris", NoAnswer, "no row answers"),
        ("where year > 2012, argmax(host_city, year)", NoAnswer, "no row answers"),
        ("where year > (select year, where host_city = Paris), argmax(year, year)", NoAnswer, "no row"),
        ("select year, where #_medals > 2,000", AmbiguousAnswer, "2 rows answer"),
        ("select year, where city = Paris", ExecutionError, "city"),
        ("select year, where host_city < 12", ExecutionError, "cannot run"),
    ],
)
def test_says_in_one_line_why_there_is_no_answer(
    text: str, error: type[ExecutionError], complaint: str
) -> None:
    with pytest.raises(error, match=complaint) as caught:
        SymbolicExecutor().run(parse(text), GAMES)

    assert "\n" not in str(caught.value)


def test_a_missing_cell_neither_matches_nor_answers() -> None:
    fields = (Field("year", FieldType.NUMBER), Field("city", FieldType.TEXT))
    table = Table(fields, ((2000, None, 2008), ("Sydney", "Athens", None)))
    run = SymbolicExecutor().run

    assert run(parse("argmin(city, year)"), table).value == "Sydney"
    with pytest.raises(NoAnswer, match="missing"):
        run(parse("argmax(city, year)"), table)
    with pytest.raises(NoAnswer, match="compare with is missing"):
        run(parse("where year > (select year, where city = Athens), argmax(city, year)"), table)


# Small domains make ties, hits and empty filters all frequent.
DOMAINS: dict[FieldType, st.SearchStrategy[Value]] = {
    FieldType.TEXT: st.sampled_from(["a", "b", "B", "é", "o'x", ""]),
    FieldType.NUMBER: st.integers(-2, 3) | st.sampled_from([0.5, -1.5, 2.25]),
    FieldType.DATE: st.dates(datetime.date(2000, 1, 1), datetime.date(2000, 1, 4)),
}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rows = draw(st.integers(1, 6))
    types = draw(st.lists(st.sampled_from(FieldType), min_size=2, max_size=4))
    cells = [draw(st.lists(DOMAINS[kind] | st.none(), min_size=rows, max_size=rows)) for kind in types]
    fields = [Field(f"field {n}", kind) for n, kind in enumerate(types)]
    row_numbers = Field("row", FieldType.NUMBER)
    return Table((*fields, row_numbers), (*map(tuple, cells), tuple(range(rows))))


@st.composite
def queries_on(draw: st.DrawFn, table: Table) -> Query:
    fields = st.sampled_from(table.fields)

    def condition() -> Condition:
        field = draw(fields)
        return Condition(field.name, draw(st.sampled_from(Comparison)), draw(DOMAINS[field.type]))

    names = st.sampled_from(table.field_names)
    superlative = Superlative(draw(names), draw(st.sampled_from(Direction)), draw(names))
    also = tuple(condition() for _ in range(draw(st.integers(0, 2))))
    match draw(st.sampled_from([SelectWhere, Superlative, WhereSuperlative, Nest, SelectNest])):
        case kind if kind is SelectWhere:
            return SelectWhere(draw(names), condition(), also)
        case kind if kind is Superlative:
            return superlative
        case kind if kind is WhereSuperlative:
            return WhereSuperlative(condition(), superlative, also)
        case kind if kind is Nest:
            return Nest(draw(names), draw(st.sampled_from(Comparison)), condition(), superlative, also)
    return SelectNest(draw(names), draw(names), draw(st.sampled_from(Comparison)), condition(), also)


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    with duckdb.connect() as connection:
        # Otherwise conditions that exclude each other keep a subquery from being run, and its error from us.
        connection.execute("PRAGMA disable_optimizer")
        yield connection


def outcome_of_sql(database: Database, sql: str) -> Any:
    """The value that SQL finds, or the error that its result stands for."""
    try:
        rows = database.execute(sql).fetchall()
    except duckdb.InvalidInputException:  # A subquery that should name one row names several.
        return AmbiguousAnswer
    if len(rows) > 1:
        return AmbiguousAnswer
    return NoAnswer if not rows or rows[0][0] is None else rows[0][0]


def outcome_of_executor(query: Query, tables: Table | list[Table]) -> Any:
    try:
        return SymbolicExecutor().run(query, tables).value
    except ExecutionError as error:
        return type(error)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_agrees_with_sql_on_random_tables(database: Database, data: st.DataObject) -> None:
    table = data.draw(tables())
    query = data.draw(queries_on(table))
    database.register("random table", table.to_arrow())

    expected = outcome_of_sql(database, query.to_sql("random table"))

    event(f"{type(query).__name__} {expected.__name__ if isinstance(expected, type) else 'answer'}")
    assert outcome_of_executor(query, table) == expected


@st.composite
def joined_tables(draw: st.DrawFn) -> list[Table]:
    """Two tables that share the field `key`, which may repeat or be missing in both."""
    made = []
    for name in ("left", "right"):
        rows = draw(st.integers(1, 5))
        fields = (Field(f"{name} value", FieldType.NUMBER), Field("key", FieldType.TEXT))
        columns = [
            tuple(draw(st.lists(DOMAINS[field.type] | st.none(), min_size=rows, max_size=rows)))
            for field in fields
        ]
        made.append(Table(fields, tuple(columns), name))
    return made


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_agrees_with_sql_on_joins(database: Database, data: st.DataObject) -> None:
    two = data.draw(joined_tables())
    here, there = data.draw(st.permutations(range(2)))
    for table in two:
        database.register(table.name, table.to_arrow())
    condition = Condition(
        two[there].field_names[0],
        data.draw(st.sampled_from(Comparison)),
        data.draw(DOMAINS[FieldType.NUMBER]),
    )
    query = SelectWhere(two[here].field_names[0], condition)

    expected = outcome_of_sql(database, query.to_join_sql(two[here].name, two[there].name, on="key"))

    assert outcome_of_executor(query, two) == expected


def test_the_field_that_two_tables_share_needs_no_join() -> None:
    games = Table.of([{"country": "China", "year": 2008}, {"country": "Greece", "year": 2004}], "games")
    countries = Table.of([{"country": "Greece", "size": 130}, {"country": "China", "size": 960}], "countries")
    run = SymbolicExecutor().run

    assert run(parse("select size, where country = China"), [games, countries]).cell == Cell(1, 1, 1)
    assert run(parse("select country, where year = 2004"), [games, countries]).cell == Cell(0, 1, 0)
    assert run(parse("select country, where size = 960"), [games, countries]).cell == Cell(1, 1, 0)
    assert run(parse("select size, where year = 2004"), [games, countries]).cell == Cell(1, 0, 1)


@pytest.mark.parametrize(
    ("others", "text", "complaint"),
    [
        ([], "argmax(year, year)", "only a select"),
        ([], "select year, where year = 2008", "these share 4"),
        ([GAMES], "select year, where year = 2008", "not on 3"),
    ],
)
def test_tables_that_do_not_go_together_are_refused(others: list[Table], text: str, complaint: str) -> None:
    with pytest.raises(ExecutionError, match=complaint):
        SymbolicExecutor().run(parse(text), [GAMES, GAMES, *others])
