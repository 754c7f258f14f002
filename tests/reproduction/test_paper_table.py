from pathlib import Path

import pytest

from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction.experiments import ReproductionError
from neural_enquirer.reproduction.paper_table import PaperTable, Row
from neural_enquirer.reproduction.stored import Results, changed_settings
from stored_runs import store

TABLE = PaperTable(
    "Two models",
    ("nest", "overall"),
    (Row("first", "one", (60.5, 84.0), "small"), Row("second", "two", (), "large")),
)


@pytest.fixture
def results(tmp_path: Path) -> Results:
    for seed, nest in enumerate((0.5, 0.7, 0.6)):
        store(tmp_path, "one", seed, nest=nest)
    return Results(tmp_path)


def test_markdown_has_median_spread_and_the_papers_figures(results: Results) -> None:
    lines = TABLE.markdown(results).splitlines()
    assert "| **first** | 60.00 (50.00–70.00) | 80.00 (75.00–85.00) | 3 | 2 | 0.5 | an abacus |" in lines
    assert "| *paper* | *60.5* | *84.0* | | | | |" in lines
    assert len({line.count("|") for line in lines}) == 1


def test_what_was_not_run_is_said(results: Results) -> None:
    second = TABLE.text(results).partition("large second\n")[2]
    assert second.splitlines()[-1].split(maxsplit=1) == ["overall", "not run yet"]


def test_lines_for_a_terminal_hold_each_cell_of_the_paper(results: Results) -> None:
    lines = [line.split() for line in TABLE.text(results).splitlines()]
    assert ["small", "first:", "0.5", "minutes,", "an", "abacus"] in lines
    assert ["NEST", "60.5", "60.00", "50.00–70.00"] in lines


def test_a_damaged_result_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs" / "one").mkdir(parents=True)
    write_text(tmp_path / "runs" / "one" / "0.json", "{")
    with pytest.raises(ReproductionError, match=r"0\.json is damaged"):
        TABLE.markdown(Results(tmp_path))


def test_settings_that_differ_by_now_are_named(results: Results) -> None:
    (run, *_) = results.runs()["one"]
    today = {"task": {"name": "olympics-25k", "held_out": None}, "training": {"epochs": 9}, "system": "other"}
    assert changed_settings(run, today) == ["training.epochs"]
