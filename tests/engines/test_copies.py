"""Large files of text are asked by copies, which are made once and take a bounded space."""

import os
from pathlib import Path

import pytest

from neural_enquirer.engines import addresses, copies
from neural_enquirer.engines.choosing import engine_of, open_sources
from neural_enquirer.engines.duckdb import DuckDbEngine
from neural_enquirer.engines.stamps import cache_folder
from neural_enquirer.programs import parse


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes every file a large one, and gives the folder of the copies."""
    monkeypatch.setattr(addresses, "LARGE_BYTES", 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache_folder() / "copies"


def _values(path: Path, program: str) -> object:
    (table,) = open_sources([str(path)])
    return engine_of(table).run(parse(program), [table]).values


def test_a_copy_is_made_once_until_the_file_changes(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "days.csv"
    path.write_text("day,n\nMonday,1\nTuesday,2\n")
    assert _values(path, "sum(n)") == (3,)
    with monkeypatch.context() as patch:
        patch.setattr(DuckDbEngine, "_write", lambda *_: pytest.fail("it was kept"))
        assert _values(path, "cells(day, last())") == ("Tuesday",)
    path.write_text("day,n\nMonday,5\n")
    assert _values(path, "sum(n)") == (5,)
    for copy in place.glob("*/*"):
        copy.write_bytes(b"damaged")
    assert _values(path, "sum(n)") == (5,)


def test_all_rows_tell_the_types(tmp_path: Path) -> None:
    text = tmp_path / "late.csv"
    text.write_text("n,code\n" + "1,1\n" * 30_000 + "1.5,007\n")
    assert _values(text, 'cells(n, rows(code = "007"))') == (1.5,)
    records = tmp_path / "late.jsonl"
    records.write_text('{"n": 1}\n' * 30_000 + '{"n": 2.5, "more": "x"}\n')
    assert _values(records, "cells(n, rows(more = x))") == (2.5,)


def test_a_copy_that_is_interrupted_leaves_nothing_behind(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_engine: DuckDbEngine, _source: object, copy: Path, _progress: object) -> None:
        copy.write_bytes(b"half")
        raise KeyboardInterrupt

    path = tmp_path / "days.csv"
    path.write_text("day\nMonday\n")
    monkeypatch.setattr(DuckDbEngine, "_write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_sources([str(path)])
    assert list(place.iterdir()) == []


def test_without_room_files_are_asked_as_they_are(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "days.csv"
    path.write_text("day,n\nMonday,1\n")
    monkeypatch.setattr(copies, "_MOST_BYTES", 0)
    assert _values(path, "sum(n)") == (1,)
    assert list(place.iterdir()) == []


def test_copies_that_were_not_used_for_longest_go_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(key: str) -> None:
        copies.copy_of(key, 1, lambda path: path.write_text("12345") and None)

    monkeypatch.setattr(copies, "_MOST_BYTES", 10)
    for key in ("first", "second"):
        kept(key)
        os.utime(place / key, (0, 0))
    kept("first")
    (place / ".killed.partial").mkdir()
    os.utime(place / ".killed.partial", (0, 0))
    kept("third")
    assert {folder.name for folder in place.iterdir()} == {"first", "third"}
