"""Both baselines behind `enquirer train`, `evaluate` and `ask`."""

import json
from pathlib import Path

import pytest

from command_line import Run, assert_one_line
from neural_enquirer import Enquirer
from neural_enquirer.evaluation.closed import accuracy_on
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.starting import start_run

SETTINGS = {
    "neural-programmer": "[model]\nembedding_size = 4\nstate_size = 4\nhistory_size = 4\n",
    "semantic-parser": "[model]\nbeam = 10\npart = 20\n",
}
QUESTION = "Which city hosted the game with the most medals?"


@pytest.fixture(params=SETTINGS)
def experiment(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"{request.param}.toml"
    task = '[task]\nname = "olympics-25k"\nexamples = 40\nheld_out = 20\n'
    training = "[training]\nbatch_size = 20\nepochs = 2\n"
    path.write_text(f'system = "{request.param}"\n{task}{SETTINGS[request.param]}{training}')
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "games.csv"
    path.write_text("year,host_city,#_medals\n1996,Atlanta,20\n2000,Sydney,30\n2004,Athens,10\n")
    return path


def test_train_evaluate_ask(enquirer: Run, experiment: Path, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    status, printed, _ = enquirer("train", experiment, "--out", out, "--device", "cpu")
    assert status == 0
    assert printed.count("accuracy") == 3
    assert json.loads((out / "config.json").read_text())["kind"] == experiment.stem

    wanted = ("--task", "olympics-25k", "--examples", 20, "--device", "cpu", "--json")
    status, printed, _ = enquirer("evaluate", out, *wanted)
    found = json.loads(printed)
    assert status == 0
    assert found["examples"] == 20
    assert set(found["by_type"]) == {"select_where", "superlative", "where_superlative", "nest"}
    examples = generate("olympics-25k", "test", examples=20)
    assert found["overall"] == accuracy_on(out, examples, "cpu").overall

    status, printed, _ = enquirer("ask", table, QUESTION, "--model", out, "--json")
    answer = json.loads(printed)
    assert status == 0
    assert answer["program"]
    assert all(set(step["fields"]) == {"year", "host_city", "#_medals"} for step in answer["steps"])
    status, printed, _ = enquirer("ask", table, QUESTION, "--model", out, "--explain")
    assert status == 0
    assert f"Program: {answer['program']}" in printed


def test_a_stopped_run_goes_on_to_the_same_end(enquirer: Run, experiment: Path, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    assert enquirer("train", experiment, "--out", whole, "--device", "cpu")[0] == 0
    run = start_run(Experiment.load(experiment), directory=parted)
    next(run.run())
    status, printed, _ = enquirer("train", experiment, "--out", parted, "--device", "cpu", "--resume")
    assert status == 0
    assert "epoch 1/2" not in printed
    assert (whole / "state.safetensors").read_bytes() == (parted / "state.safetensors").read_bytes()


def test_draws_how_a_baseline_answered(enquirer: Run, experiment: Path, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    enquirer("train", experiment, "--out", out, "--device", "cpu", "--set", "training.epochs=1")
    answer = Enquirer.from_pretrained(out).ask(table, QUESTION)
    answer.plot(tmp_path / "why.png")
    assert (tmp_path / "why.png").exists()
    assert 0 <= answer.confidence <= 1 + 1e-6


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('system = "sempre"\n', "system must be one of neural-enquirer, neural-programmer, semantic-parser"),
        ("system = 3\n", "system must be of type str, not 3"),
        ('system = "neural-programmer"\n[model]\nexecutors = 3\n', "unknown key 'executors' in [model]"),
        ('system = "semantic-parser"\n[task]\nname = "open"\n', "learns tasks other than open"),
        ('system = "neural-programmer"\n[training]\nsupervision = "steps"\n', "from answers"),
        ('system = "neural-programmer"\n[task]\nname = "olympics-two-tables"\n', "one table"),
        ('system = "semantic-parser"\n[task]\nname = "olympics-two-tables"\n', "one table"),
        ("[training]\nexploration = 0.1\n", "training.exploration is for neural-programmer only"),
    ],
)
def test_what_cannot_be_trained_is_told_in_one_line(
    enquirer: Run, tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "experiment.toml"
    path.write_text(content)
    outcome = enquirer("train", path, "--out", tmp_path / "run", "--device", "cpu")
    assert_one_line(outcome, message)


def test_a_baseline_begins_with_no_other_model(enquirer: Run, tmp_path: Path) -> None:
    path = tmp_path / "experiment.toml"
    path.write_text('system = "semantic-parser"\n')
    outcome = enquirer("train", path, "--out", tmp_path / "run", "--start", "open", "--device", "cpu")
    assert_one_line(outcome, "leave out --data and --start")


@pytest.mark.parametrize("experiment", ["semantic-parser", "neural-programmer"], indirect=True)
def test_a_damaged_baseline_is_told_in_one_line(enquirer: Run, experiment: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    enquirer("train", experiment, "--out", out, "--device", "cpu", "--set", "training.epochs=1")
    for path in out.glob("*.safetensors"):
        path.write_bytes(path.read_bytes()[:40])
    assert_one_line(enquirer("evaluate", out, "--device", "cpu"), "safetensors")
