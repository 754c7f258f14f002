"""`enquirer profile`."""

import json
from pathlib import Path

import pytest

from command_line import Run, assert_one_line, runner

RUNS = """runner,distance,time,fee
Ada,5km,58m,$20
Bo,800m,2h 15m,
Cy,10km,1h 45m,$300
Cy,,DNF,$20
Di,1km,40m,$20
"""


@pytest.fixture
def enquirer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    return path


def test_the_profile_says_how_each_field_is_read(enquirer: Run, runs: Path) -> None:
    status, out, _ = enquirer("profile", runs, "--json")
    known = json.loads(out)
    assert (status, known["table"], known["rows"]) == (0, "runs", 5)
    name, distance, time, fee = known["fields"]
    assert (name["type"], name["read_as"], name["distinct"], name["largest"]) == ("text", None, 4, None)
    assert distance == {
        "name": "distance",
        "type": "text",
        "read_as": "length",
        "unit": "m",
        "distinct": 4,
        "missing": 1,
        "smallest": "800m",
        "largest": "10km",
        "examples": ["5km", "800m", "10km", "1km"],
    }
    assert (time["read_as"], time["unit"], time["smallest"]) == ("duration", "min", "40m")
    assert (fee["type"], fee["read_as"], fee["unit"], fee["largest"]) == ("number", "money", "$", "$300")


def test_people_see_a_grid_for_each_table(enquirer: Run, runs: Path) -> None:
    status, out, _ = enquirer("profile", runs, runs)
    assert status == 0
    assert out.count("runs: 5 rows") == 2
    assert "length (m)" in out
    assert out.count("2h 15m") >= 2


def test_a_table_that_is_not_there_is_one_line(enquirer: Run) -> None:
    assert_one_line(enquirer("profile", "nowhere.csv"), "nowhere.csv does not exist")


def test_an_engine_says_the_same(enquirer: Run, runs: Path) -> None:
    near, far = (enquirer("profile", runs, "--json", "--engine", name)[1] for name in ("memory", "duckdb"))
    fields = [json.loads(out)["fields"] for out in (near, far)]
    told = [[(one["name"], one["type"], one["distinct"], one["missing"]) for one in own] for own in fields]
    assert told[0] == told[1]
    assert [one["unit"] for one in fields[1]][:3] == ["", "m", "min"]
    assert_one_line(enquirer("profile", runs, "--engine", "abacus"), "unknown engine 'abacus'")
