"""What is scored of a model: its cells, or the outcomes that its judge ranks."""

import json
from pathlib import Path

import pytest
from judging import JudgingPredictor

from neural_enquirer.evaluation import WAYS, Response, answer_all, answerer
from neural_enquirer.evaluation.answering import read_responses
from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.denotation import same_rows
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.tables import Table

TABLE = Table.of([{"city": "Oslo", "people": 5}, {"city": "Rome", "people": 7}])
CITY = "cells(city, largest(people, table)) ; count(table) ; refuse"


def ask(question: str, by: str = "judge", table: Table = TABLE) -> Response:
    asked = AskedQuestion("q", (table,), question, "", (), same_rows)
    return answer_all(answerer(JudgingPredictor(), by), [asked])[0]


def test_every_outcome_is_told_in_plain_texts() -> None:
    found = ask(CITY)
    assert found == Response(("Rome",), 0.95, (("Rome",), ("2",), ()), (0, 1, 0))


def test_lists_and_computed_values_are_no_one_cell() -> None:
    assert ask("cells(city) ; refuse").texts == ("Oslo", "Rome")
    assert ask("sum(people)").texts == ("12",)
    assert {ask("cells(city)").cell, ask("sum(people)").cell} == {None}


def test_a_refusal_has_no_texts() -> None:
    assert ask(f"refuse ; {CITY}").texts == ()
    assert ask("nothing there", "cascade") == Response((), pytest.approx(0.95))


def test_the_cascade_alone_answers_with_a_cell() -> None:
    found = ask("count(table) ; cells(people)", "cascade")
    assert (found.texts, found.cell, found.considered) == (("7",), (0, 1, 1), ())
    assert found.confidence == pytest.approx(0.9, abs=0.05)


@pytest.mark.parametrize("by", WAYS)
def test_a_table_without_rows_is_not_asked(by: str) -> None:
    assert ask("cells(city)", by, Table.of_columns(["city"], [[]])) == Response((), 0.0)


def test_answers_stand_in_the_order_of_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neural_enquirer.evaluation.answering.QUESTIONS_AT_ONCE", 2)
    empty = Table.of_columns(["city"], [[]])
    asked = [
        AskedQuestion("", (empty if i == 1 else TABLE,), name, "", (), same_rows)
        for i, name in enumerate(
            ["count(table)", "cells(city)", "cells(city)", "sum(people)", "count(table)"]
        )
    ]
    heard: list[int] = []
    found = answer_all(answerer(JudgingPredictor()), asked, heard.append)
    assert [response.texts for response in found] == [("2",), (), ("Oslo", "Rome"), ("12",), ("2",)]
    assert heard == [2, 2, 1]


@pytest.mark.parametrize("as_list", [False, True])
def test_results_of_a_file(tmp_path: Path, as_list: bool) -> None:
    records = [
        {"id": "a", "answers": ["x", 2], "confidence": 0.5},
        {"id": "b", "answers": [], "confidence": None},
        {"id": "c", "answers": "x"},
    ]
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(records) if as_list else "\n".join(map(json.dumps, records)) + "\n")
    found = read_responses(path)
    assert found == {"a": Response(("x", "2"), 0.5), "b": Response((), 0.0), "c": Response(("x",), 0.0)}


@pytest.mark.parametrize("content", ["{", '{"answers": []}', "3", '{"id": "a", "confidence": "high"}'])
def test_damaged_results(tmp_path: Path, content: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(content)
    with pytest.raises(RealDataError, match="no JSON with an id"):
        read_responses(path)
