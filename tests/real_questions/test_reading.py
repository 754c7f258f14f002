import subprocess
import sys
from pathlib import Path

import pytest

import real_folders as folders
from neural_enquirer.real_questions import Condition, RealDataError, is_real, read_real
from neural_enquirer.tables import FieldType


@pytest.mark.parametrize("make", [folders.simple, folders.packed])
def test_the_simple_format_unpacked_and_packed(make, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    first, several, counted = read_real(make(tmp_path), "dev")
    assert (first.answers, first.cells, first.one_cell) == (("greece",), ((0, 1),), True)
    assert (first.aggregation, first.conditions) == ("none", 1)
    assert first.query is not None
    assert first.query.where == (Condition(0, "=", "Athens"),)
    assert (several.cells, several.one_cell) == (((1, 0), (2, 0)), False)
    assert (counted.cells, counted.aggregation, counted.conditions) == (None, "count", 0)
    assert first.table is several.table


def test_tables_are_typed_as_those_of_users(tmp_path: Path) -> None:
    table = read_real(folders.simple(tmp_path), "dev")[0].table
    assert [field.type for field in table.fields] == [FieldType.TEXT, FieldType.TEXT, FieldType.NUMBER]
    assert table.column("people") == (3150, 5300, None)
    assert table.text(0, 2) == "3,150"


def test_a_missing_cell_holds_no_answer(tmp_path: Path) -> None:
    asked = folders.question(0, "people of perth", ["-"], cells=[[2, 2]], sql=None)
    (example,) = read_real(folders.simple(tmp_path, questions=[asked]), "dev")
    assert example.cells is None
    assert example.one_cell  # by the data set's own count


def test_wikisql_as_published_answers_by_its_queries(tmp_path: Path) -> None:
    where, more, largest, count, average, nothing = read_real(folders.wikisql(tmp_path), "dev")
    assert (where.answers, where.cells, where.one_cell) == (("Greece",), ((0, 1),), True)
    assert (more.answers, more.one_cell) == (("Athens", "Sydney", "Perth"), False)
    assert (largest.answers, largest.cells, largest.one_cell) == (("5300",), ((1, 2),), True)
    assert (count.answers, count.cells) == (("2",), None)
    assert average.answers == ("3700.25",)
    assert (nothing.answers, nothing.cells, nothing.one_cell) == ((), None, False)


def test_wiki_table_questions_as_published(tmp_path: Path) -> None:
    quoted, years, bar = read_real(folders.wiki_table_questions(tmp_path), "dev")
    assert (quoted.answers, quoted.cells, quoted.one_cell) == (('The "Big" One',), ((0, 0),), True)
    assert years.cells == ((0, 1), (1, 1))
    assert years.query is None
    assert years.conditions is None
    assert (bar.question, bar.answers) == ("both | signs", ("a|b",))
    assert bar.table.column("Note") == ("a, b", None)


def test_a_folder_is_recognised(tmp_path: Path) -> None:
    assert is_real(folders.wikisql(tmp_path / "sql", "test"))
    assert is_real(folders.packed(tmp_path / "packed"))
    assert not is_real(tmp_path)
    assert not is_real(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda folder: None, "holds no questions: expected train.jsonl of WikiSQL"),
        (lambda folder: folders.simple(folder), "has no train questions, only dev"),
        (lambda folder: (folder / "questions-train.jsonl").write_text("{"), "a line that is not JSON"),
        (lambda folder: (folder / "questions-train.jsonl").write_text("{}"), "line 1 lacks one of"),
        (lambda folder: (folder / "questions-train.jsonl.xz").write_text("no"), "is damaged"),
        (lambda folder: (folder / "train.jsonl").write_text("{}"), "train.tables.jsonl is missing"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(break_it, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    break_it(tmp_path)
    with pytest.raises(RealDataError, match=message) as error:
        read_real(tmp_path, "train")
    assert "\n" not in str(error.value)


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    folder = folders.simple(tmp_path)
    (folder / "tables" / "cities.csv").unlink()
    with pytest.raises(RealDataError, match=r"cities.csv is missing"):
        read_real(folder, "dev")
    (folder / "tables" / "cities.csv").write_bytes(b"\xff\xfe,")
    with pytest.raises(RealDataError, match=r"cities is empty or no CSV"):
        read_real(folder, "dev")


@pytest.mark.parametrize("split", ["validation", ""])
def test_splits_have_their_names(split: str, tmp_path: Path) -> None:
    with pytest.raises(RealDataError, match="the splits are train, dev, test"):
        read_real(tmp_path, split)


def test_nothing_but_python_is_needed(tmp_path: Path) -> None:
    folders.simple(tmp_path)
    program = (
        "import sys; from pathlib import Path; from neural_enquirer.real_questions import read_real; "
        f"read_real(Path({str(tmp_path)!r}), 'dev'); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"torch", "duckdb", "pyarrow", "pandas"} & set(loaded.stdout.split())
