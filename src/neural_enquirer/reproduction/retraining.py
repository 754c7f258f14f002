"""What is still to be trained, and how long that takes by the runs that are stored."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from neural_enquirer.reproduction import large_kb, table2, two_tables
from neural_enquirer.reproduction.benchmark_tables import table
from neural_enquirer.reproduction.stored import Results, met_test_forms, minutes

PARTS: Final = {"table2": table2.TABLE, "large-kb": large_kb.TABLE, "two-tables": two_tables.TABLE}
SEEDS: Final = 3
"""As many as every experiment should have."""
_ALIKE: Final = {
    "olympics-25k-n2n-paper": ("olympics-100k-n2n", 0.25),
    "olympics-25k-sbs-paper": ("olympics-100k-n2n", 0.25),
    "olympics-25k-oov-n2n-paper": ("olympics-100k-oov-n2n", 0.25),
    "olympics-100k-n2n-paper": ("olympics-100k-n2n", 1.0),
    "olympics-100k-sbs-paper": ("olympics-100k-n2n", 1.0),
    "olympics-100k-oov-n2n-paper": ("olympics-100k-oov-n2n", 1.0),
}
"""For what was never run, what takes as many steps, or a share of them, with the same batches."""


@dataclass(frozen=True)
class Left:
    """An experiment that lacks runs.

    Attributes:
        part: of the reproduction.
        experiment: its file.
        missing: how many of its seeds were never run.
        old: how many met forms of the test, and are to be made again.
        minutes: that one run trained, or one that is like it; None where there is none such.
    """

    part: str
    experiment: str
    missing: int
    old: int
    minutes: float | None


def left(results: Results) -> Iterator[Left]:
    """Returns the experiments of the paper's tables that lack runs."""
    stored = results.runs()
    for part, chosen in PARTS.items():
        for experiment in chosen.experiments():
            runs = stored.get(experiment, [])
            old, missing = sum(map(met_test_forms, runs)), max(0, SEEDS - len(runs))
            like, share = (experiment, 1.0) if runs else _ALIKE.get(experiment, ("", 1.0))
            known = share * minutes(stored[like]) if like in stored else None
            if old or missing:
                yield Left(part, experiment, missing, old, known)


def told(results: Results) -> str:
    """Returns what is left to train as Markdown, with the minutes that it takes."""
    found = list(left(results))
    if not found:
        return "Nothing: every cell has its seeds."
    rows = [
        [
            own.part,
            f"`{own.experiment}`",
            f"{own.old} met test forms" if own.old else f"{own.missing} never run",
            "" if own.minutes is None else f"{own.minutes:.1f}",
            "" if own.minutes is None else f"{own.minutes * (own.old + own.missing):.0f}",
        ]
        for own in found
    ]
    total = sum((own.minutes or 0.0) * (own.old + own.missing) for own in found)
    count = sum(own.old + own.missing for own in found)
    made = table(["part", "experiment", "runs to make", "minutes a run", "minutes in all"], rows)
    return (
        f"{made}\n\n{count} runs, {math.ceil(total)} minutes of training if they ran as the stored ones did."
    )


def cost(results: Results) -> str:
    """Says how many runs all of it takes, and what those that were made on a GPU took."""
    names = {name for chosen in PARTS.values() for name in chosen.experiments()}
    runs = [run for name, own in results.runs().items() if name in names for run in own]
    on_gpu = [run["seconds"]["training"] for run in runs if "CPU" not in run["hardware"]]
    wanted, trained = SEEDS * len(names), f"{sum(on_gpu) / 60:.0f} minutes of training"
    stored = f"the {len(on_gpu)} that are stored and were made on a GPU add up to {trained}"
    return f"In full, {wanted} runs have to be trained; {stored}."
