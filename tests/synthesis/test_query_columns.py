import numpy as np
import pytest

from neural_enquirer.query import (
    Comparison,
    Condition,
    Nest,
    SelectWhere,
    Superlative,
    WhereSuperlative,
    parse,
)
from neural_enquirer.symbolic_executor import AmbiguousAnswer, NoAnswer, SymbolicExecutor
from neural_enquirer.synthesis.examples import QUERY_TYPES, word_value
from neural_enquirer.synthesis.olympics import ROWS, SCHEMA, WORDS, sample_bounds, sample_tables
from neural_enquirer.synthesis.query_columns import QueryColumns, draw_queries
from neural_enquirer.tables import Field, FieldType, Table

NAMES = SCHEMA.field_names
NUMERIC = np.array([field.type is FieldType.NUMBER for field in SCHEMA.fields])


def table_of(cells: np.ndarray) -> Table:
    columns = tuple(tuple(word_value(WORDS[code]) for code in column) for column in cells.T)
    return Table(tuple(Field(field.name, field.type) for field in SCHEMA.fields), columns)


def proposals(query_type: int, count: int) -> tuple[QueryColumns, np.ndarray]:
    rng = np.random.default_rng(query_type)
    fields = np.tile(np.arange(len(NAMES), dtype=np.int16), (count, 1))
    queries = draw_queries(rng, query_type, fields, NUMERIC)
    queries = queries.at(queries.sensible(NUMERIC))
    cells = sample_tables(rng, len(queries))
    bounds = sample_bounds(rng, queries.condition)
    return queries.with_values(bounds, cells, rng.integers(0, ROWS, len(queries))), cells


def survivors(query: object, table: Table) -> int:
    """How many rows a query's filter leaves, counted one by one."""
    match query:
        case WhereSuperlative(Condition(field, comparison, value), _):
            bound = value
        case Nest(field, comparison, condition, _):
            bound = SymbolicExecutor().run(SelectWhere(field, condition), table).value
        case _:
            return table.row_count
    tests = {
        Comparison.EQUAL: lambda cell: cell == bound,
        Comparison.LESS: lambda cell: cell < bound,
        Comparison.MORE: lambda cell: cell > bound,
    }
    return sum(map(tests[comparison], table.column(field)))


@pytest.mark.parametrize("query_type", range(len(QUERY_TYPES)), ids=QUERY_TYPES)
def test_answers_as_the_symbolic_executor_does(query_type: int) -> None:
    queries, cells = proposals(query_type, 1500)
    answered = queries.answer(cells)

    assert 0.3 < answered.valid.mean() < 1
    for index, query in enumerate(queries.queries(NAMES, WORDS)):
        table = table_of(cells[index])
        try:
            execution = SymbolicExecutor().run(query, table)
            expected = execution.cell.row if survivors(query, table) >= 2 else None
        except (AmbiguousAnswer, NoAnswer):
            expected = None
        assert (answered.rows[index] if answered.valid[index] else None) == expected
        steps = [NAMES[code] for code in queries.steps()[index] if code >= 0]
        assert tuple(steps) == query.fields()


def columns_of(text: str) -> QueryColumns:
    """A query as columns of length one."""
    query = parse(text)
    comparison, value, condition, compared = Comparison.EQUAL, "10", query.fields()[0], query.fields()[0]
    superlative = query if isinstance(query, Superlative) else getattr(query, "superlative", None)
    match query:
        case WhereSuperlative(Condition(_, comparison, _), _):
            pass
        case Nest(compared, comparison, _, _):
            pass
    codes = {
        "select": NAMES.index(query.fields()[-1]),
        "condition": NAMES.index(condition),
        "comparison": list(Comparison).index(comparison),
        "value": WORDS.index(value),
        "compared": NAMES.index(compared),
        "direction": 0 if superlative is None or superlative.direction.value == "argmax" else 1,
        "by": NAMES.index(superlative.by) if superlative else 0,
    }
    kinds = (SelectWhere, Superlative, WhereSuperlative, Nest)
    arrays = {name: np.array([code], dtype=np.int16) for name, code in codes.items()}
    return QueryColumns(type=kinds.index(type(query)), **arrays)


@pytest.mark.parametrize(
    ("text", "sensible"),
    [
        ("select year, where host_city = Athens", True),
        ("select year, where year = 2008", False),
        ("argmax(host_city, year)", True),
        ("argmax(year, year)", False),
        ("argmax(year, host_city)", False),
        ("where year > 2008, argmin(#_medals, year)", True),
        ("where year > 2008, argmax(#_medals, year)", False),
        ("where year < 2008, argmin(#_medals, year)", False),
        ("where year < 2008, argmax(#_medals, year)", True),
        ("where #_medals < 100, argmax(#_medals, year)", True),
        ("where host_city = Athens, argmax(#_medals, year)", True),
        ("where host_city = Athens, argmax(host_city, year)", False),
        ("where year < (select year, where host_city = Athens), argmax(host_city, #_medals)", True),
        ("where year < (select year, where host_city = Athens), argmax(host_city, year)", True),
        ("where year < (select year, where host_city = Athens), argmin(host_city, year)", False),
        ("where year > (select year, where host_city = Athens), argmax(host_city, year)", False),
        ("where year < (select year, where year = 2008), argmax(host_city, #_medals)", False),
        ("where year < (select year, where host_city = Athens), argmax(#_medals, #_medals)", False),
    ],
)
def test_only_sensible_questions_are_asked(text: str, sensible: bool) -> None:
    assert columns_of(text).sensible(NUMERIC).tolist() == [sensible]


def test_drawn_conditions_on_text_are_equalities() -> None:
    queries, _ = proposals(QUERY_TYPES.index("where_superlative"), 2000)
    names = np.array(NAMES)[queries.condition]

    assert set(names) == set(NAMES)
    for query in queries.queries(NAMES, WORDS):
        assert isinstance(query, WhereSuperlative)
        text = query.condition.field in ("host_city", "host_country")
        assert (query.condition.comparison is Comparison.EQUAL) == text
