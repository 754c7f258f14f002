"""Drawn programs give the same in memory, in DuckDB and in SQLite, and come back from their text."""

import pytest
from hypothesis import HealthCheck, given, settings
from sql_engines import SqlEngines
from strategies import table_and_programs

from neural_enquirer.programs import Program, check, parse, run, to_text
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


GAMES = Table.of(
    {
        "team": ["x", "x", "y", None, "x"],
        "year": [1, 2, 1, 2, None],
        "won": [5, 6, 7, 8, 9],
        "note": ["5% off", "50 off", "a_b", "axb", "5!"],
    },
    "games",
)
COACHES = Table.of(
    {"team": ["x", "x", "y", None], "year": [1, 2, 2, 2], "coach": ["Ann", "Bo", "Cy", "Di"]}, "coaches"
)
BOTH = "join(games, coaches, games.team = coaches.team and games.year = coaches.year)"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (f"cells(coach, won, {BOTH})", ("Ann", 5, "Bo", 6)),  # neither a missing team nor a missing year
        (f"sum(won, rows(coach = Bo, {BOTH}))", (6,)),
        ('cells(won, rows(note contains "5% o", games))', (5,)),
        ("cells(won, rows(note contains a_b, games))", (7,)),
        ('cells(won, rows(note ends with "!", games))', (9,)),
    ],
)
def test_engines_agree_on_what_is_seldom_drawn(text: str, values: tuple[object, ...]) -> None:
    """Joins by two fields, and the signs of SQL's patterns."""
    tables = [GAMES, COACHES]
    assert run(parse(text), tables).values == values
    with SqlEngines(tables) as engines:
        assert engines.check(parse(text))
