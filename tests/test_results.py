"""Keeps the published numbers equal to the stored runs, and the stored runs to the experiments."""

import re
from pathlib import Path

import pytest

from neural_enquirer.reproduction.experiments import find_experiment
from neural_enquirer.reproduction.report import DOCUMENTS, page, with_tables
from neural_enquirer.reproduction.run import MODULE
from neural_enquirer.reproduction.stored import Results, changed_settings
from neural_enquirer.synthesis.tasks import TASKS
from neural_enquirer.training.experiment import Experiment

ROOT = Path(__file__).parents[1]
RESULTS = Results(ROOT / "results")
COMMAND = re.compile(rf"{re.escape(MODULE)} experiments/(?P<name>[\w-]+)\.toml --seed \d+(?P<settings>.*)")


def test_page_of_results_is_that_of_the_stored_runs() -> None:
    assert (ROOT / "results" / "README.md").read_text(encoding="utf-8") == page(RESULTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_published_tables_are_those_of_the_stored_runs(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert with_tables(text, RESULTS) == text


def test_every_run_says_how_it_was_made() -> None:
    for name, run in ((name, run) for name, runs in RESULTS.runs().items() for run in runs):
        made = COMMAND.fullmatch(run["command"])
        assert made is not None, name
        assert name.startswith(made["name"])
        settings = re.findall(r"--set (\S+)", made["settings"])
        today = Experiment.load(find_experiment(made["name"]), settings)
        assert changed_settings(run, today.to_dict()) == [], name
        assert run["hardware"], name
        assert run["seconds"]["training"] > 0, name
        assert run["test"]["examples"] == TASKS[run["experiment"]["task"]["name"]].examples["test"], name
