import dataclasses
import datetime
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

import neural_enquirer
from fake_predictor import FakePredictor
from neural_enquirer import Enquirer, QuestionError, Table, TableError
from neural_enquirer.asking import enquirer
from neural_enquirer.asking.enquirer import named_apart

ROWS = [
    {"year": 2000, "city": "Sydney", "cost": "$3,800", "opened": "2000-09-15"},
    {"year": 2004, "city": "Athens", "cost": "$9,000", "opened": "2004-08-13"},
    {"year": 2008, "city": None, "cost": "$6,800", "opened": "2008-08-08"},
]


@pytest.fixture
def asked() -> Enquirer:
    return Enquirer(FakePredictor())


class TestAnswer:
    def test_cell(self, asked: Enquirer) -> None:
        answer = asked.ask(ROWS, "what is the cost")
        assert (answer.value, answer.text, answer.row, answer.field) == (6800, "$6,800", 2, "cost")
        assert answer.confidence == pytest.approx(0.9, abs=0.01)
        assert (answer.question, answer.model, str(answer)) == ("what is the cost", "fake", "$6,800")
        assert not answer.is_unsure
        assert asked.ask(ROWS, "when opened").value == datetime.date(2008, 8, 8)

    def test_not_in_the_table(self, asked: Enquirer) -> None:
        answer = asked.ask(ROWS, "who won")
        assert (answer.value, answer.text, answer.row, answer.field) == (None, None, None, None)
        assert answer.confidence == 0.95
        assert str(answer) == "no answer"
        assert answer.refusal is not None
        assert answer.refusal.kind == "not_about_this_table"
        assert answer.cascade is not None
        assert (answer.cascade.cell, answer.cascade.probability) == (None, answer.confidence)
        assert answer.told.endswith("its fields are year, city, cost and opened.")

    def test_unsure(self, asked: Enquirer) -> None:
        answer = asked.ask(ROWS, "perhaps the cost")
        assert answer.text == "$6,800"
        assert answer.is_unsure

    def test_ranked(self, asked: Enquirer) -> None:
        ranked = asked.ask(ROWS, "what is the cost", top=20).ranked
        assert [one.probability for one in ranked] == sorted(
            (one.probability for one in ranked), reverse=True
        )
        assert len({one.cell for one in ranked}) == len(ranked) == 12  # 11 cells, and none
        fewer = asked.ask(ROWS, "what is the cost", top=2).ranked
        assert [one.cell for one in fewer] == [one.cell for one in ranked[:2]]
        assert len(asked.ask(ROWS, "what is the cost").ranked) == 5

    def test_a_missing_cell_is_no_answer_however_probable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        predictor = FakePredictor()
        (found,) = predictor.predict([((Table.of(ROWS),), "what is the cost")])
        found.tables[0].probabilities[2, 1] = 2.0  # the city of 2008, of which nothing is known
        monkeypatch.setattr(predictor, "predict", lambda _: [found])
        answer = Enquirer(predictor).ask(ROWS, "what is the cost", top=20)
        assert answer.text == "$6,800"
        assert (2, "city") not in {(one.cell.row, one.cell.field) for one in answer.ranked if one.cell}

    def test_equals_come_in_the_order_of_the_table(self) -> None:
        many = [{f"field {j}": f"{i} {j}" for j in range(30)} for i in range(50)]
        for top in (3, 7, 1600):
            ranked = Enquirer(FakePredictor()).ask(many, "nothing", top=top).ranked
            assert [one.text for one in ranked[1:3]] == ["0 0", "0 1"]

    def test_trace(self, asked: Enquirer) -> None:
        trace = asked.ask(ROWS, "what is the cost").trace
        assert trace is not None
        assert trace.fields == ("year", "city", "cost", "opened")
        assert trace.field_weights.shape == (3, 4)
        assert trace.row_marks.shape == (3, 3)

    def test_frozen(self, asked: Enquirer) -> None:
        with pytest.raises(dataclasses.FrozenInstanceError):
            asked.ask(ROWS, "cost").model = "other"  # type: ignore

    def test_json(self, asked: Enquirer) -> None:
        content = json.loads(json.dumps(asked.ask(ROWS, "what is the cost", top=1).to_json()))
        steps = content.pop("steps")
        confidence = content.pop("confidence")
        place = {"table": "table", "row": 2, "field": "cost"}
        assert content == {
            "question": "what is the cost",
            "answer": "$6,800",
            "answers": ["$6,800"],
            "aggregation": "none",
            **place,
            "cells": [place],
            "cells_count": 1,
            "sentence": "Read cost in row 3.",
            "program": None,
            "sql": None,
            "understood": [],
            "unused": [],
            "unused_spans": [],
            "refusal": None,
            "nearest": None,
            "read_as": None,
            "alternatives": [],
            "chart": None,
            "ranked": [{"answer": "$6,800", "aggregation": "none", **place, "probability": confidence}],
            "tables": ["table"],
            "links": [],
            "program_steps": [],
            "model": "fake",
        }
        assert [step["executor"] for step in steps] == [1, 2, 3]
        assert steps[1]["rows"] == [0, 0, 0.97]
        assert list(steps[0]["fields"]) == ["year", "city", "cost", "opened"]

    def test_json_of_no_answer(self, asked: Enquirer) -> None:
        content = asked.ask(ROWS, "who won").to_json(steps=False)
        assert (content["answer"], content["row"], content["field"], content["cells"]) == (
            None,
            None,
            None,
            [],
        )
        assert "steps" not in content


class TestPrograms:
    def test_an_answer_has_its_program_and_the_cascade_beside_it(self) -> None:
        programs = {"how many cost more": "count(rows(cost > 5000))"}
        answer = Enquirer(FakePredictor(programs)).ask(ROWS, "how many cost more")
        assert (answer.value, answer.aggregation, answer.confidence) == (2, "count", 0.8)
        sql, _, note = answer.sql().partition(" /* ")
        assert sql == 'SELECT COUNT(*) FROM "table" WHERE cost > 5000'
        assert note == "columns as enquirer reads them: cost ($3,800 is 3800) */"
        assert answer.trace is not None
        assert answer.trace.field_weights.shape == (3, 4)
        content = answer.to_json()
        assert len(content["steps"]) == 3
        assert [step["rows"] for step in content["program_steps"]] == [3, 2, None]
        assert list(content)[-1] == "model"


class TestPlot:
    def test_a_figure_with_and_without_a_file(self, asked: Enquirer, tmp_path: Path) -> None:
        answer = asked.ask(ROWS, "which city")
        assert isinstance(answer.plot(), Figure)
        assert isinstance(answer.plot(tmp_path / "why.png"), Figure)
        assert [path.name for path in tmp_path.iterdir()] == ["why.png"]


class TestAsking:
    def test_whatever_holds_a_table(self, asked: Enquirer, tmp_path: Path) -> None:
        path = tmp_path / "games.csv"
        pd.DataFrame(ROWS).to_csv(path, index=False)
        for table in [path, str(path), pd.DataFrame(ROWS), pa.Table.from_pylist(ROWS), Table.of(ROWS)]:
            assert asked.ask(table, "the cost").text == "$6,800"

    def test_many(self, asked: Enquirer) -> None:
        answers = asked.ask_many(ROWS, (word for word in ["year", "city"]))
        assert [answer.value for answer in answers] == [2008, "Athens"]
        assert asked.ask_many(ROWS, []) == []

    def test_pairs(self, asked: Enquirer) -> None:
        answers = asked.ask_many([(ROWS, "the year"), ([{"a": "x"}], "a"), (ROWS, "the city")])
        assert [answer.value for answer in answers] == [2008, "x", "Athens"]
        assert answers[0].tables[0] is answers[2].tables[0]
        assert asked.ask_many([]) == []

    def test_batches_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        predictor = FakePredictor()
        monkeypatch.setattr(enquirer, "_CELLS_AT_ONCE", 30)
        assert len(Enquirer(predictor).ask_many(ROWS, ["year"] * 5)) == 5
        assert predictor.batches == [2, 2, 1]

    @pytest.mark.parametrize(
        ("question", "message"),
        [("", "no words"), (" \n", "no words"), ("?!", "no words"), (3, "text, not int")],
    )
    def test_bad_question(self, asked: Enquirer, question: str, message: str) -> None:
        with pytest.raises(QuestionError, match=message):
            asked.ask(ROWS, question)

    def test_bad_calls(self, asked: Enquirer) -> None:
        with pytest.raises(QuestionError, match="list of questions"):
            asked.ask_many(ROWS, "the year")
        for pairs in (ROWS, "games.csv", 3, [("a",)]):
            with pytest.raises(QuestionError, match="pairs"):
                asked.ask_many(pairs)
        with pytest.raises(QuestionError, match="1 or more"):
            asked.ask(ROWS, "the year", top=0)

    def test_no_rows(self, asked: Enquirer, tmp_path: Path) -> None:
        (tmp_path / "a.csv").write_text("city,year\n")
        with pytest.raises(TableError, match=r"a\.csv has no rows"):
            asked.ask(tmp_path / "a.csv", "which city")


class TestNames:
    def test_tables_whose_names_are_alike_are_numbered(self, asked: Enquirer) -> None:
        named = [Table.of(ROWS, name) for name in ("games", "cities", "Games")]
        assert named_apart(named[:2]) == tuple(named[:2])
        assert [table.name for table in named_apart(named)] == ["games 1", "cities 2", "Games 3"]
        answer = asked.ask([ROWS, ROWS], "the cost")
        assert (answer.table, answer.to_json()["tables"]) == ("table 1", ["table 1", "table 2"])


class TestSaving:
    def test_files_are_copied(self, tmp_path: Path) -> None:
        source = tmp_path / "source"
        source.mkdir()
        (source / "config.json").write_text("{}")
        (source / "model.safetensors").write_bytes(b"weights")
        Enquirer(FakePredictor(), source).save_pretrained(tmp_path / "new" / "copy")
        copied = sorted((tmp_path / "new" / "copy").iterdir())
        assert [path.name for path in copied] == ["config.json", "model.safetensors"]
        assert copied[1].read_bytes() == b"weights"

    def test_without_files(self, tmp_path: Path) -> None:
        with pytest.raises(QuestionError, match="not loaded from files"):
            Enquirer(FakePredictor()).save_pretrained(tmp_path)


class TestImport:
    def test_is_light(self) -> None:
        code = "import sys; from neural_enquirer import Enquirer, Table, Answer; print(*sys.modules)"
        command = [sys.executable, "-c", code]
        loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert not {"torch", "duckdb", "pyarrow", "pandas", "matplotlib"} & set(loaded)

    def test_unknown_name(self) -> None:
        with pytest.raises(AttributeError, match="nonsense"):
            _ = neural_enquirer.nonsense
