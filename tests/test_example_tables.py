"""The tables of examples/ can be read; the questions about them are of every kind, their answers possible."""

import pytest

from benchmarks.examples_score import EXAMPLES, ExampleQuestion, ask_all, judge, read_questions, shares
from neural_enquirer import Table
from neural_enquirer.checkpoint_files import shipped

QUESTIONS = read_questions()
ASKED = sorted({one.tables for one in QUESTIONS})
UNANSWERABLE = "not in the table"
COUNTS = {"count", "distinct"}
NUMBERS = {"sum", "average", "difference"}
EVERYWHERE = {"look-up", "filtered superlative", "count", "average", "list", "top", "yes or no", "difference"}
EVERYWHERE |= {"sequence", "distinct", "either or", "two conditions", UNANSWERABLE}


def test_every_table_is_asked() -> None:
    files = {path.name for path in EXAMPLES.iterdir()}
    assert files == {*(name for tables in ASKED for name in tables), "README.md", "questions.jsonl"}
    assert len({(one.tables, one.question.casefold()) for one in QUESTIONS}) == len(QUESTIONS)


@pytest.mark.parametrize("tables", ASKED)
def test_of_every_kind(tables: tuple[str, ...]) -> None:
    kinds = [one.kind for one in QUESTIONS if one.tables == tables]
    assert kinds.count(UNANSWERABLE) >= 3
    assert set(kinds) >= EVERYWHERE


@pytest.mark.parametrize("tables", ASKED)
def test_answers_are_possible(tables: tuple[str, ...]) -> None:
    read = [Table.read(EXAMPLES / name) for name in tables]
    cells = {
        table.text(row, field)
        for table in read
        for row in range(table.row_count)
        for field in range(len(table.fields))
    }
    for one in QUESTIONS:
        if one.tables == tables:
            assert (not one.answers) == (one.kind == UNANSWERABLE), one
            assert is_possible(one, cells, read[0].row_count), one


def is_possible(one: ExampleQuestion, cells: set[str], rows: int) -> bool:
    if one.kind in NUMBERS:
        return float(*one.answers) > 0
    if one.kind == "yes or no":
        return one.answers in {("yes",), ("no",)}
    if one.kind in COUNTS and one.answers[0].isdecimal():
        return 0 < int(*one.answers) <= rows
    return cells.issuperset(one.answers)


def test_readme_lists_them() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    listed = [line for line in readme.splitlines() if line.startswith("| ") and " kind |" not in line]
    wanted = [(one.question, ", ".join(one.answers), one.kind) for one in QUESTIONS]
    assert [tuple(part.strip() for part in line.split("|")[1:-1]) for line in listed] == wanted


@pytest.mark.skipif("open" not in shipped(), reason="asks the shipped model")
def test_the_shipped_model_answers_four_of_five() -> None:
    right = judge(QUESTIONS, ask_all("open", QUESTIONS))
    assert sum(right) >= 0.8 * len(QUESTIONS)
    for kind, (hits, total) in shares(QUESTIONS, right)["kind"].items():
        assert hits >= total / 2, kind


def test_shares() -> None:
    questions = [
        ExampleQuestion(("a",), "q", ("x",), "look-up"),
        ExampleQuestion(("a", "b"), "q", (), "look-up"),
    ]
    assert shares(questions, [True, False]) == {
        "table": {"a": [1, 1], "a and b": [0, 1]},
        "kind": {"look-up": [1, 2]},
    }
