"""The tables of examples/ can be read, and the listed answers are cells of theirs."""

import pytest

from benchmarks.examples_score import EXAMPLES, ExampleQuestion, ask_all, read_questions, shares
from neural_enquirer import Table
from neural_enquirer.checkpoint_files import shipped

QUESTIONS = read_questions()
TABLES = sorted({one.table for one in QUESTIONS})


def test_six_tables_with_ten_questions_each() -> None:
    assert len(TABLES) == 6
    asked_together = {"orders.csv", "customers.csv"}
    files = {path.name for path in EXAMPLES.iterdir()}
    assert files == {*TABLES, *asked_together, "README.md", "questions.jsonl"}
    assert all(sum(one.table == table for one in QUESTIONS) >= 10 for table in TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_answers_are_cells(name: str) -> None:
    table = Table.read(EXAMPLES / name)
    cells = {table.text(row, field) for row in range(table.row_count) for field in range(len(table.fields))}
    for one in QUESTIONS:
        if one.table == name:
            assert (one.answer is None) == (one.kind == "not in the table"), one
            assert one.answer is None or one.answer in cells, one


def test_readme_lists_them() -> None:
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for one in QUESTIONS:
        assert f"| {one.question} | {one.answer or ''}".rstrip() in readme


@pytest.mark.skipif("open" not in shipped(), reason="asks the shipped model")
def test_the_shipped_model_answers_nine_of_ten() -> None:
    answers = ask_all("open", QUESTIONS)
    right = [answer.text == one.answer for one, answer in zip(QUESTIONS, answers, strict=True)]
    assert sum(right) >= 0.9 * len(QUESTIONS)


def test_shares() -> None:
    questions = [ExampleQuestion("a", "q", "x", "look-up"), ExampleQuestion("b", "q", None, "look-up")]
    assert shares(questions, [True, False]) == {
        "table": {"a": [1, 1], "b": [0, 1]},
        "kind": {"look-up": [1, 2]},
    }
