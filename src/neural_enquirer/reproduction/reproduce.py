"""`enquirer reproduce`: makes what is missing of the paper's tables and figures, and shows them with ours."""

import json
import os
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction import (
    efficiency,
    figures,
    join_probe,
    large_kb,
    oov,
    plateau,
    report,
    table2,
    two_tables,
)
from neural_enquirer.reproduction.efficiency_curve import measure
from neural_enquirer.reproduction.experiments import ReproductionError, find_experiment
from neural_enquirer.reproduction.paper_table import PaperTable
from neural_enquirer.reproduction.progress import shown
from neural_enquirer.reproduction.run import Run
from neural_enquirer.reproduction.schedule import execute_all
from neural_enquirer.reproduction.size import QUICK_NOTE, QUICK_REMARK
from neural_enquirer.reproduction.stored import Results, changed_settings
from neural_enquirer.synthesis.tasks import TASKS
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import choose_device

TABLES: Final[dict[str, PaperTable]] = {
    "table2": table2.TABLE,
    "oov": oov.TABLE,
    "large-kb": large_kb.TABLE,
    "two-tables": two_tables.TABLE,
}
FIGURES: Final = "figures"
EFFICIENCY: Final = "efficiency"
ALL: Final = "all"
PARTS: Final = (*TABLES, FIGURES, EFFICIENCY, ALL)

RESULTS: Final = Path("results")
QUICK_RESULTS: Final = Path("results-quick")
QUICK: Final = ("task.examples=100", "task.held_out=20", "training.epochs=1", "training.batch_size=50")
"""Settings that make a run small: enough to see it work, too little to learn anything."""
QUICK_QUESTIONS: Final = 80
QUICK_CURVE: Final[dict[str, Any]] = {"settings": QUICK, "seconds": 0, "test_examples": 20}
_WIDTHS: Final = (None, 12, 5, 7, 13, None)
"""Of the columns of a printed table, so that 80 columns cut no word; the first and last have what is left."""
_RUNS_AT_A_TIME: Final = 4
"""So many have room on a GPU."""


@dataclass(frozen=True)
class Request:
    """What is wanted.

    Attributes:
        part: one of `PARTS`.
        seeds: how many; 0, 1, 2 and so on. None for three, and for one where all is small.
        quick: whether all is made at a small size, only to see it work.
        out: the folder of results; None for the usual one.
        device: `auto`, `cpu`, `cuda` or `cuda:1`.
        workers: runs at a time; None for one on a CPU and a few on a GPU.
    """

    part: str = ALL
    seeds: int | None = None
    quick: bool = False
    out: Path | None = None
    device: str = "auto"
    workers: int | None = None

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise ReproductionError(f"there is no part '{self.part}'; the parts are {', '.join(PARTS)}")
        for name in ("seeds", "workers"):
            count = getattr(self, name)
            if count is not None and count < 1:
                raise ReproductionError(f"--{name} must be 1 or more, not {count}")
        if self.quick and self.folder.resolve() in {RESULTS.resolve(), report.REPOSITORY / RESULTS}:
            raise ReproductionError(
                "--quick does not write among real results; name another folder with --out"
            )

    @property
    def folder(self) -> Path:
        """The folder of results."""
        return self.out or (QUICK_RESULTS if self.quick else RESULTS)

    @property
    def runs(self) -> Path:
        """The folder of checkpoints: beside the results, or among them where all is small."""
        return self.folder / "runs" if self.quick else self.folder.parent / "runs"

    @property
    def seed_count(self) -> int:
        """How many seeds every experiment is run with."""
        return self.seeds or (1 if self.quick else 3)

    @property
    def workers_at_once(self) -> int:
        """How many runs share the machine; on a CPU a run makes use of all cores, unless it is small."""
        if self.workers is not None:
            return self.workers
        shared = self.quick or choose_device(self.device).type == "cuda"
        return min(_RUNS_AT_A_TIME, os.cpu_count() or 1) if shared else 1

    def wants(self, part: str) -> bool:
        """Returns whether a part is wanted."""
        return self.part in (part, ALL)


def reproduce(request: Request) -> None:
    """Makes the runs that are not there yet, draws, writes the page of results and prints the tables.

    Raises:
        ReproductionError: if some runs failed; all that could be made is there by then.
    """
    choose_device(request.device)  # says at once if it is not there
    runs = plan(request)
    request.folder.mkdir(parents=True, exist_ok=True)
    _warn_of_changes(runs)
    failed: ReproductionError | None = None
    try:
        with shown(runs) as observer:
            execute_all(runs, request.workers_at_once, observer)
    except ReproductionError as error:
        failed = error
    _show(request, Console(), Results(request.folder))
    if failed is not None:
        raise failed


def _show(request: Request, console: Console, results: Results) -> None:
    """Prints, draws and writes what there are results for."""
    if request.quick:
        console.print(QUICK_REMARK, highlight=False)
    for name, chosen in TABLES.items():
        if request.wants(name) and not (request.part == ALL and name == "oov"):  # it is a part of table2
            print_table(console, chosen, results)
    if request.wants(FIGURES):
        _look_inside(console, request, results)
    if request.wants(EFFICIENCY):
        _draw_efficiency(console, request, results)
    report.write(request.folder)
    console.print(f"{request.folder / 'README.md'}: all results as a page", highlight=False)


def plan(request: Request) -> list[Run]:
    """Returns the runs that the wanted parts are made of.

    All of a seed come before those of the next; but where several run at a time the longest come first, so
    that none of them is left over at the end.
    """
    others = request.workers_at_once - 1
    note = QUICK_NOTE if request.quick else f"ran beside up to {others} others" if others else ""
    experiments = dict.fromkeys(
        name for part, chosen in TABLES.items() if request.wants(part) for name in chosen.experiments()
    )
    drawn = dict.fromkeys(figures.experiments() if request.wants(FIGURES) else ())
    runs = [
        Run(
            find_experiment(name),
            seed=seed,
            settings=QUICK if request.quick else (),
            device=request.device,
            out=request.folder,
            runs=request.runs,
            note=note,
        )
        for seed in range(request.seed_count)
        for name in (experiments | drawn if seed == 0 else experiments)
    ]
    return sorted(runs, key=_steps, reverse=True) if others else runs


def _steps(run: Run) -> float:
    """Returns how many steps of training a run takes."""
    experiment = Experiment.load(run.experiment, run.settings)
    task, training = experiment.task, experiment.training
    examples = task.examples or TASKS[task.name].examples["train"]
    return examples * training.epochs / training.batch_size


def _warn_of_changes(runs: list[Run]) -> None:
    """Says which results are kept though their experiment says otherwise by now."""
    for run in runs:
        stored = Results(run.out).read(str(run.result.relative_to(run.out)))
        if stored is None:
            continue
        if changed := changed_settings(stored, Experiment.load(run.experiment, run.settings).to_dict()):
            warnings.warn(
                f"{run.result} was made with other settings than {run.experiment.name} has now "
                f"({', '.join(changed)}): delete it to make it again",
                stacklevel=2,
            )


def print_table(console: Console, chosen: PaperTable, results: Results) -> None:
    """Prints a table of the paper cell by cell, with ours beside it."""
    heads = ("", "questions", "paper", "ours", "spread", "minutes, hardware")
    grid = Table(*heads, title=chosen.title, title_justify="left")
    for column, width in zip(grid.columns, _WIDTHS, strict=True):
        column.width = width
    for column in grid.columns[2:5]:
        column.justify = "right"
    before = ""
    for line in chosen.lines(results):
        name = f"{line.setting} {line.title}".strip()
        if name != before:
            grid.add_section()
        first = name != before
        made = ", ".join(filter(None, (line.minutes, line.hardware))) if first else ""
        kind = line.kind.replace("_", " ")  # so that it can be broken
        grid.add_row(name if first else "", kind, line.paper, line.ours, line.spread, made)
        before = name
    console.print(grid)


def _look_inside(console: Console, request: Request, results: Results) -> None:
    """Draws what models attend to, and finds out what they answer nested questions and joins with."""
    folder = request.folder / "figures"
    for name, problem in figures.draw_all(results, request.runs, folder):
        told = f"{folder / name}.png" if problem is None else f"{name}: not complete, {problem}"
        console.print(told, highlight=False)
    for probe in (plateau, join_probe):
        asked = {title: figures.trained(name, results, request.runs) for title, name in probe.MODELS.items()}
        models = {title: model for title, model in asked.items() if model is not None}
        if models:
            found = probe.measure(models, QUICK_QUESTIONS if request.quick else probe.QUESTIONS)
            write_text(request.folder / probe.FILE, json.dumps(found, indent=2) + "\n")


def _draw_efficiency(console: Console, request: Request, results: Results) -> None:
    """Measures the curves that are missing, and draws all."""
    for curve in efficiency.plan(results):
        measure(replace(curve, **QUICK_CURVE) if request.quick else curve)
    path = request.folder / "figures" / "efficiency.png"
    drawn = efficiency.draw(results, path)
    told = str(path) if drawn else f"{EFFICIENCY}: not drawn, no efficiency-*.json is in {request.folder}"
    console.print(told, highlight=False)
