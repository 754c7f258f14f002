import json
from pathlib import Path

import pytest

from benchmarks import everyday_programs
from benchmarks.everyday_programs import DIFFERENT, NO_GROUP, NO_KEY, SAME, TIES, Query, examine, main

CSV = """city,year,days,kind
Athens,1896,10,summer
Paris,1900,20,
London,1908,188,
Moscow,1980,15,
Rome,1984,188,winter
Nice,1990,,winter
"""
SQL = {
    "SELECT city FROM t WHERE year = 1900": SAME,
    "SELECT city FROM t ORDER BY days LIMIT 2": SAME,
    "SELECT city FROM t ORDER BY days DESC LIMIT 1": TIES,
    "SELECT city FROM t ORDER BY days DESC LIMIT 1 OFFSET 1": TIES,
    "SELECT kind FROM t GROUP BY 1 ORDER BY count(*) DESC LIMIT 1": NO_GROUP,
    "SELECT city FROM t ORDER BY days LIMIT 6": NO_KEY,
}


def data(folder: Path, *queries: str) -> Path:
    for part in everyday_programs.PARTS:
        (folder / part / "tables").mkdir(parents=True)
        (folder / part / "tables" / "games.csv").write_text(CSV)
    lines = [line(number, sql) for number, sql in enumerate(queries)]
    (folder / "train" / "questions.jsonl").write_text("\n".join(lines))
    (folder / "dev" / "questions.jsonl").write_text(line(0, None))
    return folder


def line(number: int, sql: str | None) -> str:
    kind, answers = ("unanswerable", []) if sql is None else ("lookup", [["Paris"]])
    own = {"id": str(number), "question": "which?", "kind": kind, "reason": None}
    return json.dumps(own | {"tables": ["games.csv"], "sql": sql, "answers": answers})


@pytest.mark.parametrize(("sql", "verdict"), SQL.items())
def test_a_program_is_held_against_its_sql_with_ties_and_without_what_is_missing(
    tmp_path: Path, sql: str, verdict: str
) -> None:
    query = Query(data(tmp_path) / "train", ("games.csv",), sql, (("Paris",),))
    (outcome,) = examine([query])
    assert outcome.verdict == verdict
    assert outcome.faults == ()
    assert outcome.right == (sql in list(SQL)[:1])


def test_a_program_that_gives_something_else_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        everyday_programs,
        "from_sql",
        lambda sql, tables: everyday_programs.parse("cells(city, largest(2, days))"),
    )
    query = Query(data(tmp_path) / "train", ("games.csv",), "SELECT city FROM t ORDER BY days LIMIT 2", ())
    (outcome,) = examine([query])
    assert outcome.verdict == DIFFERENT


def test_the_report_counts_and_the_exit_status_says_whether_that_is_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = "SELECT rank() OVER (ORDER BY days) FROM t"
    folder = data(tmp_path, *SQL, "SELECT city FROM t WHERE year = 1900", refused)
    assert main([str(folder)]) == 1
    printed = capsys.readouterr().out
    assert "7 distinct SQL queries" in printed
    assert "6 became programs" in printed
    assert "1 a window function" in printed
    assert refused in printed
    assert main([str(data(tmp_path / "good", *SQL))]) == 0
