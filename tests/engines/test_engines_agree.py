"""Programs over messy tables give the same in memory and in every engine."""

import math
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.engine_places import PLACES, Put, is_there, the_place
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.memory import MemoryEngine
from neural_enquirer.programs import ProgramError, parse, run
from neural_enquirer.programs.language import Field
from neural_enquirer.tables import Table

PROGRAMS = Path(__file__).parents[1] / "programs"
GOLDEN = [
    (entry.splitlines()[0].partition(":")[2].strip(), entry.splitlines()[1].partition(":")[2].strip())
    for entry in (PROGRAMS / "golden.txt").read_text(encoding="utf-8").strip().split("\n\n")
]
HEADERS = ("who; --", "select", "note's", "huge", "price", "day", "at", "run")
ROWS: list[tuple[Any, ...]] = [
    ("Ann", 1, "5% off_all", 2**61, 0.1, date(2024, 1, 31), datetime(2024, 1, 31, 23, 59, 1), "5 km"),
    ("Zoë", 2, 'O\'Brien "x"', 2**61 + 1, 0.2, date(2024, 2, 29), datetime(2024, 2, 29), "800 m"),
    ("zoe", 2, "1,200 g", -(2**60), 0.3, date(2023, 2, 28), datetime(2023, 2, 28, 12), "1 km"),
    ("Ångström", 7, None, None, None, None, None, None),
    (
        "李雷",
        None,
        "a\\b; DROP TABLE x",
        0,
        -1.5,
        date(1899, 12, 31),
        datetime(1899, 12, 31, 0, 0, 1),
        "10 km",
    ),
    (None, 7, "5% off_all", 5, 1e9, date(2024, 1, 31), datetime(2024, 1, 31, 23, 59, 2), "800 m"),
    ("Ann", 1, "🙂 tab\there", 5, 0.1, date(2030, 6, 1), datetime(2030, 6, 1, 8), "5 km"),
]
MESSY = Table.of_columns(HEADERS, list(zip(*ROWS, strict=True)), "messy; table")
OF_MESSY = """
count(rows("who; --" = Ann))
cells("who; --", rows("note's" = "O'Brien \\"x\\""))
cells("who; --", rows("note's" contains "5% off_"))
cells("who; --", rows("note's" contains "; DROP TABLE"))
cells("who; --", rows("who; --" starts with Z))
cells("who; --", rows("who; --" ends with "oe"))
cells("who; --", rows("who; --" <> Ann))
cells("who; --", rows(not "select" = 2))
cells("who; --", rows("note's" is missing))
cells("who; --", largest(price))
cells("who; --", smallest(day))
cells("who; --", largest(huge))
cells("who; --", largest(2, "select"))
cells("who; --", nth_largest(2, "select"))
maximum("who; --")
minimum("who; --")
sum("select")
sum(price, rows(price < 1))
average("select")
median("select")
median(price)
range(day)
range(price)
maximum(huge)
maximum(at)
minimum(day)
count_distinct("who; --")
count_distinct(day)
distinct("select")
cells("who; --", "select", rows(price > 0))
cells("who; --", rows(day between 2024-01-01 and 2024-02-29))
cells("who; --", rows(day = 2024-01-31))
cells("who; --", rows(at > 2024-01-31))
cells("who; --", rows(year_of(day) = 2024))
cells("who; --", rows(month_of(at) = 2))
cells(number_in("note's"))
cells("who; --", largest(amount_in(run)))
sum(amount_in(run))
cells("who; --", measure, groups("who; --", count))
cells("select", largest(measure, groups("select", sum(price))))
cells(day, rows(measure > 1, groups(day, count)))
cells("who; --", rows(price > average(price, rows(price < 1))))
cells("who; --", rows("select" = cells("select", rows("who; --" = "Zoë"))))
difference(maximum("select"), minimum("select"))
ratio(count(rows("select" = 2)), count(rows()))
percentage(count(rows("select" = 2)), count(rows()))
difference(cells(day, rows("who; --" = "Zoë")), cells(day, rows("who; --" = zoe)))
exists(rows("who; --" = Nobody))
exists(rows("who; --" = "李雷"))
"""


ASKED = [*GOLDEN, *((MESSY.name, text) for text in OF_MESSY.strip().splitlines())]


@cache
def _golden_table(name: str) -> Table:
    return Table.read(PROGRAMS / "tables" / f"{name}.csv")


@pytest.fixture(scope="module", params=PLACES)
def put(request: pytest.FixtureRequest) -> Iterator[Put]:
    if not is_there(request.param):
        pytest.skip(f"needs {request.param}")
    with the_place(request.param) as put:
        yield put


@pytest.fixture(scope="module")
def there(put: Put) -> dict[str, EngineTable]:
    names = dict.fromkeys(name for names, _ in GOLDEN for name in names.split(", "))
    tables = [*map(_golden_table, names), MESSY]
    return dict(zip((table.name for table in tables), put(tables), strict=True))


@pytest.mark.parametrize(("names", "text"), ASKED)
def test_program(there: dict[str, EngineTable], names: str, text: str) -> None:
    tables = [MESSY if name == MESSY.name else _golden_table(name) for name in names.split(", ")]
    elsewhere = [there[table.name] for table in tables]
    program = parse(text)
    if elsewhere[0].relation.order is None and any(word in text for word in ("first(", "last(", "next(")):
        with pytest.raises(ProgramError, match="no order"):
            elsewhere[0].engine.run(program, elsewhere)
    else:
        found = elsewhere[0].engine.run(program, elsewhere).values
        assert _alike(found, run(program, tables).values)


def test_texts_are_looked_up_whole_and_in_part_case_and_accents_aside(there: dict[str, EngineTable]) -> None:
    table, who = there[MESSY.name], Field("who; --")
    for engine, own in ((table.engine, table), (MemoryEngine(), MESSY)):
        names = [
            sorted(map(str, engine.look_up(own, [who], words, most, whole).column(who.name)))
            for words, most, whole in (
                ([], 5, ["ZOE"]),
                (["angs"], 5, []),
                (["n"], 2, ["zoë"]),
                (["n", "o"], 9, ["zoë"]),
            )
        ]
        assert names[0] == names[2] == ["Zoë", "zoe"]  # before Ann, who is in part only
        assert names[1] == ["Ångström"]
        assert names[3] == ["Ann", "Ann", "Zoë", "zoe", "Ångström"]


def _alike(found: Any, wanted: Any) -> bool:
    """Whether values are the same, rounding and the order of rows aside."""
    if Counter(map(str, found)) == Counter(map(str, wanted)):
        return True
    numbers = [sorted(each, key=str) for each in (found, wanted)]
    return len(found) == len(wanted) and all(
        one == other or (not isinstance(one, str) and math.isclose(one, other, rel_tol=1e-9))
        for one, other in zip(*numbers, strict=True)
    )
