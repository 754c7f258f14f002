"""Runs: made once, made again alike, gone on with after a stop."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from neural_enquirer.reproduction.experiments import ReproductionError, find_experiment
from neural_enquirer.reproduction.run import Run, execute
from neural_enquirer.reproduction.schedule import execute_all, is_done
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.starting import start_run

SETTINGS = ("task.examples=60", "task.held_out=20", "training.epochs=2", "training.batch_size=20")


class Noting:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def going(self, run: Run, epoch: int, validation: float) -> None:
        assert epoch <= 2

    def finished(self, run: Run) -> None:
        self.done.append(run.title)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    return Run(
        find_experiment("olympics-25k-grounded"), 1, SETTINGS, device="cpu", out=folder, runs=folder / "runs"
    )


@pytest.fixture(scope="module")
def stored(run: Run) -> dict[str, object]:
    execute(run)
    return _without_time(run)


def _without_time(run: Run) -> dict[str, object]:
    stored = json.loads(run.result.read_text())
    del stored["seconds"]
    for epoch in stored["epochs"]:
        del epoch["seconds"]
    return dict(stored)


def test_a_rerun_gives_the_same_figures(run: Run, stored: dict[str, object], tmp_path: Path) -> None:
    again = replace(run, out=tmp_path, runs=tmp_path / "runs")
    execute(again)
    assert _without_time(again) == stored


def test_a_stopped_run_goes_on(run: Run, stored: dict[str, object], tmp_path: Path) -> None:
    stopped = replace(run, out=tmp_path, runs=tmp_path / "runs")
    experiment = Experiment.load(stopped.experiment, stopped.settings)
    trainer = start_run(
        experiment, seed=stopped.seed, device=torch.device("cpu"), directory=stopped.directory
    )
    next(trainer.run())
    execute(stopped)
    assert _without_time(stopped) == stored


def test_what_is_done_is_left_out(run: Run, stored: dict[str, object]) -> None:
    observer = Noting()
    execute_all([run], 1, observer)
    assert observer.done == []


def test_what_met_test_forms_is_made_again(run: Run, stored: dict[str, object], tmp_path: Path) -> None:
    """Results of before renaming asked the split do not say that it did."""
    assert stored["renaming"] == "within training forms"
    old = replace(run, out=tmp_path, runs=tmp_path / "runs")
    old.result.parent.mkdir(parents=True)
    old.result.write_text(json.dumps({key: own for key, own in stored.items() if key != "renaming"}))
    assert not is_done(old)
    assert is_done(run)


def test_the_command_of_a_result_makes_it(run: Run, stored: dict[str, object]) -> None:
    wanted = " ".join(f"--set {setting}" for setting in SETTINGS)
    assert str(stored["command"]).endswith(f"run experiments/olympics-25k-grounded.toml --seed 1 {wanted}")


def test_a_failing_run_is_named_and_others_are_made(
    run: Run, stored: dict[str, object], tmp_path: Path
) -> None:
    observer = Noting()
    bad = replace(run, out=tmp_path, runs=tmp_path / "runs", settings=("training.epochs=0",), name="bad")
    good = replace(run, out=tmp_path, runs=tmp_path / "runs")
    with pytest.raises(ReproductionError, match=r"the run bad-1 failed: training\.epochs must be positive"):
        execute_all([bad, good], 1, observer)
    assert observer.done == [good.title]
