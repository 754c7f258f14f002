"""Programs of many shapes, with the SQL, the answer and the sentence that people shall see of them.

`golden.txt` is written to be read: every line of it shall be good SQL, and good English.
"""

from functools import cache
from pathlib import Path

import pytest

from neural_enquirer.programs import parse, run, to_text
from neural_enquirer.programs.spoken import sentence
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.tables import Table

HERE = Path(__file__).parent
ENTRIES = (HERE / "golden.txt").read_text(encoding="utf-8").strip().split("\n\n")


@cache
def _table(name: str) -> Table:
    return Table.read(HERE / "tables" / f"{name}.csv")


def _entry(names: str, text: str) -> str:
    """What the file says of a program over some tables."""
    tables = [_table(name) for name in names.split(", ")]
    program = parse(text)
    result = run(program, tables)
    lines = {
        "tables": names,
        "program": to_text(program),
        "sql": to_sql(program, tables),
        "answer": " | ".join(result.texts(tables)) or "(none)",
        "sentence": sentence(program, result, tables),
    }
    return "\n".join(f"{label + ':':<9} {line}" for label, line in lines.items())


def _stated(entry: str, label: str) -> str:
    (line,) = (line for line in entry.splitlines() if line.startswith(f"{label}:"))
    return line.partition(":")[2].strip()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: _stated(entry, "program"))
def test_program_gives_what_people_shall_see(entry: str) -> None:
    assert _entry(_stated(entry, "tables"), _stated(entry, "program")) == entry


def test_entries_differ() -> None:
    assert len({_stated(entry, "sentence") for entry in ENTRIES}) == len(ENTRIES) >= 50
