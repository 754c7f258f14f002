"""`enquirer evaluate` with an open model, on real questions and on those of templates."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

import real_folders
from command_line import Run, assert_one_line
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.synthesis.examples import PROGRAM_TYPES

ALWAYS = {
    *("overall", "by_type", "examples", "examples_by_type", "seconds"),
    *("refused", "sure", "wrong_and_sure"),
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """An open model that was never trained."""
    torch.manual_seed(0)
    sizes = dict.fromkeys(("embedding", "link", "field", "cell", "annotation", "hidden", "state"), 4)
    config = OpenConfig(executors=2, **{f"{name}_size": size for name, size in sizes.items()})
    vocabulary = Vocabulary(("which", "city"), frozenset())
    about = {"experiment": {"task": {"name": "open"}}}
    Checkpoint(OpenEnquirer(config, torch.randn(3, 4)), vocabulary, "natural", about).save(tmp_path / "model")
    return tmp_path / "model"


def evaluated(enquirer: Run, *arguments: Any) -> dict[str, Any]:
    status, printed, err = enquirer("evaluate", *arguments, "--json")
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(printed)
    assert found.keys() >= ALWAYS
    assert sum(found["examples_by_type"].values()) == found["examples"]
    return found


class TestRealQuestions:
    def test_json(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        folder = real_folders.simple(tmp_path / "data")
        found = evaluated(enquirer, model, "--data", folder, "--split", "dev")
        assert found["examples_by_type"] == {"count": 1, "none": 2}
        assert {"one_cell", "one_cell_no_aggregation", "in_candidates", "breakdown"} <= found.keys()
        assert found["breakdown"]["conditions"]["1"]["examples"] == 2

    @pytest.mark.parametrize("by", ["judge", "decoder", "cascade"])
    def test_everyday_questions(self, enquirer: Run, model: Path, tmp_path: Path, by: str) -> None:
        folder = real_folders.everyday(tmp_path / "mine", "a.csv", "b.csv")
        found = evaluated(enquirer, model, "--data", folder, "--by", by)
        assert found["examples_by_type"] == {"list": 2, "unanswerable": 2}
        assert ("in_candidates" in found) == (by != "cascade")
        assert list(found["breakdown"]) == ["about"]
        assert sum(share["examples"] for share in found["breakdown"]["about"].values()) == 4

    def test_held_out_questions_are_those_of_the_tenth_that_the_model_held_out(
        self, enquirer: Run, model: Path, tmp_path: Path
    ) -> None:
        folder = real_folders.everyday(tmp_path / "train", "r_UN.csv", "r_CAFE.csv", "p.csv")
        assert evaluated(enquirer, model, "--data", folder, "--split", "held_out")["examples"] == 2
        config = json.loads((model / "config.json").read_text())
        config["about"]["experiment"]["task"]["tenth"] = 1  # that of all but the first
        (model / "config.json").write_text(json.dumps(config))
        assert evaluated(enquirer, model, "--data", folder, "--split", "held_out")["examples"] == 4

    def test_for_people(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        folder = real_folders.wiki_table_questions(tmp_path / "data")
        status, printed, _ = enquirer("evaluate", model, "--data", folder, "--limit", 2)
        assert status == 0
        assert "of 2 questions" in printed.splitlines()[-1]

    def test_bad_input(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        folder = real_folders.simple(tmp_path / "data")
        outcome = enquirer("evaluate", model, "--data", folder, "--split", "test")
        assert_one_line(outcome, "has no test questions, only dev")
        assert_one_line(
            enquirer("evaluate", model, "--data", folder, "--split", "all"), "unknown split 'all'"
        )
        assert_one_line(enquirer("evaluate", model, "--split", "dev"), "--split goes with --data")
        assert_one_line(enquirer("evaluate", model, "--by", "luck"), "the ways are judge, decoder, cascade")


class TestTemplates:
    def test_forms_and_operations(self, enquirer: Run, model: Path) -> None:
        found = evaluated(enquirer, model, "--examples", 60)
        assert found["examples"] == pytest.approx(60, abs=3)
        assert {*PROGRAM_TYPES, "lookup"} <= found["by_type"].keys()
        assert list(found["by_wording"]) == ["literal", "natural"]

    def test_a_stored_data_set(self, enquirer: Run, model: Path, tmp_path: Path) -> None:
        enquirer("generate", "open", "--out", tmp_path / "data", "--examples", 20, "--seed", 3)
        stored = evaluated(enquirer, model, "--data", tmp_path / "data")
        drawn = evaluated(enquirer, model, "--task", "open", "--seed", 3, "--examples", 20)
        assert {**stored, "seconds": 0} == {**drawn, "seconds": 0}

    def test_for_people(self, enquirer: Run, model: Path) -> None:
        _, printed, _ = enquirer("evaluate", model, "--examples", 40)
        assert "literal wording" in printed
        assert "questions in" in printed.splitlines()[-1]

    def test_an_olympic_task(self, enquirer: Run, model: Path) -> None:
        found = evaluated(enquirer, model, "--task", "olympics-25k", "--examples", 20)
        assert found["by_type"].keys() == set(PROGRAM_TYPES)
        assert "by_wording" not in found

    def test_questions_on_any_tables_are_for_an_open_model(self, enquirer: Run) -> None:
        outcome = enquirer("evaluate", "olympics-sbs", "--task", "open", "--examples", 4)
        assert_one_line(outcome, "for an open model")
