"""Drawn programs give the same in memory, in DuckDB and in SQLite, and come back from their text."""

from hypothesis import HealthCheck, given, settings
from sql_engines import SqlEngines
from strategies import table_and_programs

from neural_enquirer.programs import Program, check, parse, to_text
from neural_enquirer.tables import Table


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(table_and_programs(count=16) | table_and_programs(count=16, huge=True))
def test_engines_agree(drawn: tuple[list[Table], list[Program]]) -> None:
    tables, programs = drawn
    with SqlEngines(tables) as engines:
        for program in programs:
            check(program, tables)
            engines.check(program)
            assert parse(to_text(program)) == program
