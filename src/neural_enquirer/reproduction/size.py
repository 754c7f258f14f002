"""How many questions results were tested on, so that a page about small runs does not speak of large ones."""

from collections.abc import Callable
from typing import Any, Final

from neural_enquirer.reproduction.paper_table import PaperTable
from neural_enquirer.reproduction.stored import Results

QUICK_NOTE: Final = "made at a tiny size, only to see it work"
"""The note of every run that was made so."""
QUICK_REMARK: Final = "Made with --quick, at a tiny size and only to see it work: the figures mean nothing."


def remark(results: Results) -> str:
    """Returns a paragraph that warns of small runs; nothing where there are none."""
    small = any(note == QUICK_NOTE for _, note in results.notes())
    return f"**{QUICK_REMARK}** What is said of settings below holds at full size.\n\n" if small else ""


def test_questions(chosen: PaperTable) -> Callable[[Results], str | None]:
    """Returns what finds the number of test questions behind a table; None where nothing was run."""

    def found(results: Results) -> str | None:
        stored = results.runs()
        runs = [run for name in chosen.experiments() for run in stored.get(name, [])]
        return _range([run["test"]["examples"] for run in runs])

    return found


def curve_questions(results: Results) -> str | None:
    """Returns the number of test questions behind the points of the efficiency curves."""
    curves = results.matching("efficiency-*.json").values()
    return _range([curve["test_examples"] for curve in curves])


def _range(counts: list[Any]) -> str | None:
    return " or ".join(f"{count:,}" for count in sorted(set(counts))) or None
