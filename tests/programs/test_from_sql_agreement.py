"""What SQL becomes gives what DuckDB gives, over drawn cells, conditions and programs."""

from collections import Counter

import duckdb
import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from neural_enquirer.programs import Program, ProgramError, run
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.programs.sql_reading import from_sql
from neural_enquirer.programs.sql_reading.texts import CastError, cell_value
from neural_enquirer.tables import Table
from tests.programs.strategies import table_and_programs

WORDS = ("3-2", "", " 7 ", "12.5", "-2.5", "a1-b22 c", "£1,200", "x", "**x*", "1e2", "Straße", None)


@pytest.mark.parametrize(
    "function",
    [
        *("word::INT", "TRY_CAST(word AS INT)", "TRY_CAST(word AS DOUBLE)", "CAST(word AS VARCHAR)"),
        *("replace(word, '-', '')", "replace(replace(word, '£', ''), ',', '')::BIGINT"),
        *("split_part(word, '-', 1)", "split_part(word, '-', 2)::INT", "split_part(word, '-', 9)"),
        *("regexp_extract(word, '[0-9]+')", r"regexp_extract(word, '([a-z])(\d)', 2)"),
        *("substr(word, 2)", "substr(word, 1, 3)", "left(word, 2)", "right(word, 3)"),
        *("trim(word)", "rtrim(word, '*')", "ltrim(word, '*')", "trim(word, '*x')"),
    ],
)
def test_functions_of_text_give_what_they_give_in_duckdb(function: str) -> None:
    node = sqlglot.parse_one(function, dialect="duckdb")
    for word in WORDS:
        try:
            wanted = duckdb.execute(f"SELECT {function} FROM (SELECT ?::VARCHAR AS word)", [word]).fetchall()
        except duckdb.ConversionException:
            with pytest.raises(CastError):
                cell_value(node, word)
        else:
            assert cell_value(node, word) == wanted[0][0]


@pytest.mark.parametrize(
    "function",
    [
        *(
            "substr(word, -2)",
            "split_part(word, '-', 0)",
            "replace(word, '', 'x')",
            "replace(word, other, 'x')",
        ),
        *("reverse(word)", "CAST(word AS DATE)", "left(word, length(word) - 1)", "lower(reverse(word))"),
    ],
)
def test_functions_of_text_that_are_not_known_exactly_are_refused(function: str) -> None:
    with pytest.raises(ProgramError):
        from_sql(f"SELECT {function} FROM t", [Table.of({"word": ["ab", "cd"], "other": ["a", "b"]})])


NAMES = ("a", "b", "word")
CELLS = {
    "a": st.none() | st.integers(0, 3),
    "b": st.none() | st.integers(0, 3),
    "word": st.none() | st.sampled_from(("x", "xy", "yx", "Y")),
}
TESTS = st.one_of(
    st.tuples(
        st.sampled_from(("a", "b", "a + b", "a - b")),
        st.sampled_from(("=", "<>", "<", ">=")),
        st.sampled_from(("1", "2", "b", "(SELECT avg(b) FROM t)", "(SELECT max(a) FROM t WHERE b = 1)")),
    ).map(" ".join),
    st.sampled_from(
        (
            *("a IS NULL", "word IS NOT NULL", "a BETWEEN 1 AND 2", "b NOT BETWEEN 0 AND 1", "a IN (0, 3)"),
            *("b NOT IN (1, 2)", "word LIKE 'x%'", "word NOT LIKE '%y'", "word = 'xy'", "word <> 'x'"),
            *("word > 'x'", "b IN (SELECT a FROM t WHERE a IS NOT NULL)", "1 < a"),
        )
    ),
)
CONDITIONS = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from((" AND ", " OR ")), inner).map(lambda parts: f"({''.join(parts)})"),
        inner.map(lambda part: f"NOT ({part})"),
    ),
    max_leaves=5,
)
TOLD = st.sampled_from(
    (
        "id",
        "count(*)",
        "sum(a)",
        "avg(a + b)",
        "count(word)",
        "count(DISTINCT a)",
        "max(word)",
        "max(b) - min(b)",
    )
)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=8), TOLD, CONDITIONS)
def test_missing_cells_count_as_duckdb_counts_them(
    rows: list[dict[str, object]], told: str, condition: str
) -> None:
    columns = {name: [None, *(row[name] for row in rows)] for name in NAMES}
    first = {"a": 1, "b": 2, "word": "x"}  # so that every column has its type
    columns = {name: [first[name], *cells] for name, cells in columns.items()}
    table = Table.of({"id": list(range(len(rows) + 2)), **columns}, name="t")
    sql = f"SELECT {told} FROM t WHERE {condition}"
    with duckdb.connect() as connection:
        connection.register("arrow", table.to_arrow())
        connection.execute("CREATE TABLE t AS FROM arrow")
        wanted = [row[0] for row in connection.execute(sql).fetchall() if row[0] is not None]
    found = list(run(from_sql(sql, [table]), [table]).values)
    assert sorted(found, key=repr) == pytest.approx(sorted(wanted, key=repr))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(table_and_programs(count=6))
def test_sql_that_was_written_for_a_program_asks_the_same(drawn: tuple[list[Table], list[Program]]) -> None:
    tables, programs = drawn
    for program in programs:
        try:
            wanted = run(program, tables).values
            again = from_sql(to_sql(program, tables), tables)
        except ProgramError:
            continue
        assert Counter(run(again, tables).values) == Counter(wanted)
