"""Accuracy on real questions, with a model that answers with the last row of the field that is named."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

import real_folders
from command_line import Run, assert_one_line
from fake_predictor import FakePredictor
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.real_evaluation import RealAccuracy, Share, answer_real, header_naming
from neural_enquirer.real_questions import Condition, RealExample, SqlQuery, read_real
from neural_enquirer.tables import Table

TABLE = Table.of([{"city": "Oslo", "people (total)": 5}, {"city": "Rome", "people (total)": 7}])


def example(
    question: str,
    answers: Sequence[str],
    *,
    cells: tuple[tuple[int, int], ...] | None = ((1, 0),),
    aggregation: str | None = "none",
    conditions: int = 1,
    table: Table = TABLE,
) -> RealExample:
    where = tuple(Condition(0, "=", "x") for _ in range(conditions))
    query = None if aggregation is None else SqlQuery(0, aggregation, where)
    return RealExample("q", table, question, tuple(answers), cells, cells is not None, query)


def accuracy(*examples: RealExample) -> RealAccuracy:
    return RealAccuracy.of(answer_real(FakePredictor(), examples))  # type: ignore[arg-type]


def test_shares_of_all_and_of_those_that_one_cell_answers() -> None:
    found = accuracy(
        example("which city", ["rome"]),
        example("which city", ["Oslo"]),
        example("largest city", ["ROME"], aggregation="max"),
        example("how many of each city", ["2"], cells=None, aggregation="count"),
        example("nothing known", ["Rome"]),
    )
    assert found.examples == 5
    assert found.overall == pytest.approx(2 / 5)
    assert found.one_cell == pytest.approx(2 / 4)
    assert found.one_cell_no_aggregation == pytest.approx(1 / 3)
    assert found.refused == pytest.approx(1 / 5)


def test_a_question_without_a_query_tells_no_aggregation() -> None:
    found = accuracy(example("which city", ["Rome [1]"], aggregation=None))
    assert found.overall == 1
    assert "one_cell_no_aggregation" not in found.to_json()
    assert found.to_json()["breakdown"]["conditions"] == {}


def test_shares_by_conditions_header_and_size() -> None:
    found = accuracy(
        example("which city", ["Rome"], conditions=0),
        example("which town, city or not", ["Oslo"], conditions=5),
        example("which town", ["Rome"], conditions=4),
    )
    assert found.breakdown["conditions"] == {"0": Share(1, 1), "4+": Share(0, 2)}
    assert found.breakdown["header"] == {"named": Share(0.5, 2), "not named": Share(0, 1)}
    assert found.breakdown["table"] == {"1-50 cells": Share(pytest.approx(1 / 3), 3)}


def test_groups_stand_in_the_order_of_their_numbers() -> None:
    tables = [Table.of([{"city": "Rome"}] * count) for count in (500, 60, 10, 150)]
    found = accuracy(*(example("which city", ["Rome"], table=table) for table in tables))
    sizes = list(found.breakdown["table"])
    assert sizes == ["1-50 cells", "51-100 cells", "101-200 cells", "401+ cells"]


def test_the_answers_field_may_be_known_by_its_cells_alone() -> None:
    assert header_naming(example("the total", ["7"], cells=((1, 1),), aggregation=None)) == "named"
    assert header_naming(example("the total", ["9"], cells=None, aggregation=None)) is None


def test_a_table_without_rows_is_not_asked() -> None:
    empty = Table.of_columns(["city"], [[]])
    found = accuracy(example("which city", ["Rome"], table=empty), example("which city", ["Rome"]))
    assert found.overall == pytest.approx(1 / 2)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """An open model that was never trained."""
    torch.manual_seed(0)
    sizes = dict.fromkeys(("embedding", "link", "field", "cell", "annotation", "hidden", "state"), 4)
    config = OpenConfig(executors=2, **{f"{name}_size": size for name, size in sizes.items()})
    vocabulary = Vocabulary(("which", "city"), frozenset())
    Checkpoint(OpenEnquirer(config, torch.randn(3, 4)), vocabulary, "natural").save(tmp_path / "model")
    return tmp_path / "model"


class TestEvaluate:
    def test_json(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        folder = real_folders.simple(tmp_path / "data")
        status, printed, err = enquirer("evaluate", model, "--data", folder, "--split", "dev", "--json")
        assert (status, err) == (0, "")
        found = json.loads(printed)
        assert found["examples"] == len(read_real(folder, "dev"))
        assert found.keys() == {
            "overall",
            "one_cell",
            "one_cell_no_aggregation",
            "refused",
            "examples",
            "breakdown",
            "seconds",
        }
        assert 0 <= found["overall"] <= found["one_cell"] <= 1
        assert found["breakdown"]["conditions"]["1"]["examples"] == 2

    def test_for_people(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        folder = real_folders.wiki_table_questions(tmp_path / "data")
        status, printed, _ = enquirer("evaluate", model, "--data", folder, "--examples", 2)
        assert status == 0
        assert "of 2 questions" in printed.splitlines()[-1]

    def test_bad_input(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        folder = real_folders.simple(tmp_path / "data")
        outcome = enquirer("evaluate", model, "--data", folder, "--split", "test")
        assert_one_line(outcome, "has no test questions, only dev")
        assert_one_line(enquirer("evaluate", model, "--split", "dev"), "--split goes with --data")


EXPERIMENT = """
[task]
name = "open"
examples = 30

[model]
executors = 2
hidden_size = 8
state_size = 8

[training]
batch_size = 4
epochs = 1
optimizer = "adamw"
learning_rate = 0.001
"""


class TestTrain:
    def test_real_questions_join_the_open_task(
        self, enquirer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("neural_enquirer.training.data.OPEN_VALIDATION", 20)
        for split in ("train", "dev"):
            real_folders.simple(tmp_path / "data", split)
        (tmp_path / "small.toml").write_text(EXPERIMENT)
        arguments = ("train", tmp_path / "small.toml", "--data", tmp_path / "data", "--out", tmp_path / "run")
        status, printed, err = enquirer(*arguments)
        assert (status, err) == (0, "")
        assert "wikisql" in printed
        assert enquirer("evaluate", tmp_path / "run", "--data", tmp_path / "data")[0] == 0

    def test_bad_input(self, enquirer: Run, tmp_path: Path) -> None:
        (tmp_path / "small.toml").write_text(EXPERIMENT)
        arguments = (
            "train",
            tmp_path / "small.toml",
            "--data",
            tmp_path / "nowhere",
            "--out",
            tmp_path / "run",
        )
        assert_one_line(enquirer(*arguments), "nowhere is not a folder")
