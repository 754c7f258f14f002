"""Keeps the published numbers equal to the stored runs."""

from pathlib import Path

import pytest

from neural_enquirer.reproduction.report import DOCUMENTS, page, with_tables
from neural_enquirer.reproduction.run import MODULE
from neural_enquirer.reproduction.stored import Results
from neural_enquirer.synthesis.tasks import TASKS

ROOT = Path(__file__).parents[1]
RESULTS = Results(ROOT / "results")


def test_page_of_results_is_that_of_the_stored_runs() -> None:
    assert (ROOT / "results" / "README.md").read_text(encoding="utf-8") == page(RESULTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_published_tables_are_those_of_the_stored_runs(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert with_tables(text, RESULTS) == text


def test_every_run_says_how_it_was_made() -> None:
    for name, stored in RESULTS.runs().items():
        for run in stored:
            assert run["command"].startswith(f"{MODULE} experiments/{name}.toml")
            assert run["hardware"]
            assert run["seconds"]["training"] > 0
            assert run["test"]["examples"] == TASKS[run["experiment"]["task"]["name"]].examples["test"]
