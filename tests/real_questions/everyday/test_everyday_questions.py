import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.everyday import EverydayQuestion, read_everyday, read_tables
from neural_enquirer.tables import FieldType

ONE = {
    "id": "a-0",
    "tables": ["games.csv"],
    "question": "where were the games in 2000",
    "kind": "lookup",
    "reason": None,
    "answers": [["Sydney"], ["sydney, australia"]],
    "sql": 'SELECT "city" FROM t WHERE "year" = 2000',
}
NONE = {
    "id": "a-1",
    "tables": ["games.csv", "pair/cities.csv"],
    "question": "who won the 100 m",
    "kind": "unanswerable",
    "answers": [],
    "sql": None,
}


def write(folder: Path, *records: dict[str, Any], packed: bool = False) -> Path:
    (folder / "tables" / "pair").mkdir(parents=True)
    (folder / "tables" / "games.csv").write_text("year,city\n2000,Sydney\n2004,Athens\n")
    (folder / "tables" / "pair" / "cities.csv").write_text("city,city\nAthens,x\n")
    content = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    name = "questions.jsonl.xz" if packed else "questions.jsonl"
    (folder / name).write_bytes(lzma.compress(content) if packed else content)
    return folder


@pytest.mark.parametrize("packed", [False, True])
def test_reads_plain_and_packed_questions(tmp_path: Path, packed: bool) -> None:
    first, second = read_everyday(write(tmp_path, ONE, NONE, packed=packed))
    assert first == EverydayQuestion(
        id="a-0",
        question="where were the games in 2000",
        kind="lookup",
        reason=None,
        tables=("games.csv",),
        answers=(("Sydney",), ("sydney, australia",)),
        sql='SELECT "city" FROM t WHERE "year" = 2000',
    )
    assert (second.kind, second.reason, second.answers, second.sql) == ("unanswerable", None, (), None)


def test_tables_are_typed_and_read_once(tmp_path: Path) -> None:
    folder = write(tmp_path, ONE, NONE, ONE | {"id": "a-2"})
    tables = read_tables(folder, read_everyday(folder))
    assert list(tables) == ["games.csv", "pair/cities.csv"]
    assert tables["games.csv"].fields[0].type is FieldType.NUMBER
    assert tables["games.csv"].name == "games"
    assert tables["pair/cities.csv"].field_names == ("city", "city (2)")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "riddle"}, "line 1: unknown kind 'riddle'"),
        ({"kind": "unanswerable", "answers": [], "sql": None, "reason": "why"}, "unknown reason 'why'"),
        ({"sql": None}, "line 1: answers and SQL"),
        ({"answers": []}, "line 1: answers and SQL"),
        ({"kind": "unanswerable"}, "line 1: answers and SQL"),
    ],
)
def test_odd_questions(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(RealDataError, match=message):
        read_everyday(write(tmp_path, ONE | change))


def test_a_line_without_a_field(tmp_path: Path) -> None:
    with pytest.raises(RealDataError, match="line 2 lacks one of answers, id"):
        read_everyday(write(tmp_path, ONE, {"id": "a"}))


def test_damaged_files(tmp_path: Path) -> None:
    folder = write(tmp_path, ONE, packed=True)
    path = folder / "questions.jsonl.xz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RealDataError, match="damaged"):
        read_everyday(folder)
    (folder / "questions.jsonl").write_text("{\n")
    with pytest.raises(RealDataError, match="not JSON"):
        read_everyday(folder)


def test_a_folder_without_questions_or_tables(tmp_path: Path) -> None:
    with pytest.raises(RealDataError, match=r"has no questions\.jsonl or questions\.jsonl\.xz"):
        read_everyday(tmp_path)
    folder = write(tmp_path, ONE)
    (folder / "tables" / "games.csv").unlink()
    with pytest.raises(RealDataError, match=r"games\.csv is missing; enquirer everyday tables"):
        read_tables(folder, read_everyday(folder))
