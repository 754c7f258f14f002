"""Rows as people look at them: an engine shows the same as memory does, whatever is asked for."""

import contextlib
import sqlite3
from collections.abc import Iterator

import duckdb
import pytest

from neural_enquirer.engines.choosing import open_object
from neural_enquirer.engines.engine import EngineError
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.memory_view import MemoryView
from neural_enquirer.engines.sql_view import SqlView
from neural_enquirer.engines.wanted import Kept, Wanted, filter_of
from neural_enquirer.programs import parse
from neural_enquirer.programs.language import Exists, Rows
from neural_enquirer.tables import Table

TABLE = Table.of(
    {
        "name": ["Zoë", "ada", "Bo_%", None, "Émile", "bo"],
        "size": [5, 3.5, None, 5, -1, 12],
        "day": ["2020-01-02", "2019-05-05", "2020-01-02", "2021-01-01", None, "2018-03-03"],
    },
    "things",
)
NAMES = TABLE.field_names
ASKED = [
    Wanted(),
    Wanted(sort=0),
    Wanted(sort=0, descending=True),
    Wanted(sort=1),
    Wanted(sort=1, descending=True),
    Wanted(sort=2),
    Wanted(search="BO"),
    Wanted(search="emile"),
    Wanted(search="_%"),
    Wanted(search="2020 o"),
    Wanted(search="' OR 1=1 --"),
    *(
        Wanted(filters=(filter_of(text, NAMES),), sort=1)
        for text in (
            "name~e", "name=EMILE", "name=", "size>=5", "size<=3.5", "size=5", "day>=2020",
            "day<=2019-05-05", "size~5",
        )
    ),
]  # fmt: skip


def rows_of(program: str) -> Rows:
    parsed = parse(program)
    assert isinstance(parsed, Exists)
    return parsed.rows


@pytest.fixture(scope="module", params=["duckdb", "sqlite"])
def there(request: pytest.FixtureRequest) -> Iterator[EngineTable]:
    if request.param == "duckdb":
        with duckdb.connect() as connection:
            arrow = TABLE.to_arrow()
            found = open_object(connection.from_arrow(arrow), "things")
            assert isinstance(found, EngineTable)
            yield found
        return
    with contextlib.closing(sqlite3.connect(":memory:", check_same_thread=False)) as database:
        database.execute("CREATE TABLE things (name TEXT, size REAL, day DATE)")
        rows = zip(*TABLE.columns, strict=True)
        database.executemany(
            "INSERT INTO things VALUES (?, ?, ?)", [(n, s, d and str(d)) for n, s, d in rows]
        )
        found = open_object((database, "things"), "things")
        assert isinstance(found, EngineTable)
        yield found


@pytest.mark.parametrize("wanted", ASKED, ids=str)
def test_engines_show_what_memory_shows(there: EngineTable, wanted: Wanted) -> None:
    ours, theirs = MemoryView(TABLE), SqlView(there)
    assert theirs.count(wanted) == ours.count(wanted)
    found, expected = theirs.page(wanted, 0, 10), ours.page(wanted, 0, 10)
    assert found.cells == expected.cells
    assert found.numbers == expected.numbers
    assert theirs.page(wanted, 1, 2).cells == expected.cells[1:3]


@pytest.mark.parametrize(
    "program", ["exists(rows(size > 3))", "exists(largest(size))", "exists(rows(name contains o))"]
)
def test_rows_of_programs(there: EngineTable, program: str) -> None:
    step = rows_of(program)
    ours = MemoryView(TABLE).page(Wanted(kept=Kept(step, 0, ("a",), (TABLE,)), sort=1, search="0"), 0, 9)
    theirs = SqlView(there).page(Wanted(kept=Kept(step, 0, ("a",), (there,)), sort=1, search="0"), 0, 9)
    assert theirs.cells == ours.cells
    assert ours.cells


def test_what_is_wrong_with_a_filter(there: EngineTable) -> None:
    for view in (SqlView(there), MemoryView(TABLE)):
        with pytest.raises(EngineError, match="size is compared with a number, and 'much' is none"):
            view.count(Wanted(filters=(filter_of("size>=much", NAMES),)))


def test_searches_are_not_mixed_up() -> None:
    """The same search of other tables, or another step, is another search."""
    view = MemoryView(TABLE)
    one, other = (
        Kept(rows_of(text), 0, ("a",), (TABLE,)) for text in ("exists(rows(size = 5))", "exists(rows())")
    )
    assert view.count(Wanted(kept=one)) == 2
    assert view.count(Wanted(kept=other)) == 6
    assert view.count(Wanted(kept=one)) == 2
