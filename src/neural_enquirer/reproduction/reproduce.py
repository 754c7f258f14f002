"""`enquirer reproduce`: makes what is missing of the paper's tables and figures, and shows them with ours.

Torch, numpy, safetensors and jaxtyping are all that it needs, so that a bare machine with a GPU will do:
`python -m neural_enquirer.reproduction` does the same without Typer. Figures are drawn where matplotlib is.
"""

import importlib.util
import json
import os
import textwrap
import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction import (
    efficiency,
    figures,
    join_probe,
    plateau,
    report,
)
from neural_enquirer.reproduction.efficiency_curve import measure
from neural_enquirer.reproduction.experiments import ReproductionError, find_experiment
from neural_enquirer.reproduction.paper_tables import TABLES
from neural_enquirer.reproduction.run import Run
from neural_enquirer.reproduction.schedule import execute_all, shown
from neural_enquirer.reproduction.stored import (
    QUICK_NOTE,
    QUICK_REMARK,
    Results,
    changed_settings,
    met_test_forms,
)
from neural_enquirer.synthesis.tasks import TASKS
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import choose_device

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
        only: the experiments to run, of those that the part is made of; none for all.
    """

    part: str = ALL
    seeds: int | None = None
    quick: bool = False
    out: Path | None = None
    device: str = "auto"
    workers: int | None = None
    only: tuple[str, ...] = ()

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
    _show(request, Results(request.folder))
    if failed is not None:
        raise failed


def _show(request: Request, results: Results) -> None:
    """Prints, draws and writes what there are results for."""
    if request.quick:
        print(textwrap.fill(QUICK_REMARK, 80))
    for name, chosen in TABLES.items():
        if request.wants(name) and not (request.part == ALL and name == "oov"):  # it is a part of table2
            print(chosen.text(results))
    if request.wants(FIGURES):
        _look_inside(request, results)
    if request.wants(EFFICIENCY):
        _show_efficiency(request, results)
    report.write(request.folder)
    print(f"{request.folder / 'README.md'}: all results as a page")


def plan(request: Request) -> list[Run]:
    """Returns the runs that the wanted parts are made of.

    All of a seed come before those of the next; but where several run at a time the longest come first, so
    that none of them is left over at the end.

    Raises:
        ReproductionError: if an experiment is wanted that the parts do not have.
    """
    others = request.workers_at_once - 1
    note = QUICK_NOTE if request.quick else f"ran beside up to {others} others" if others else ""
    experiments = dict.fromkeys(
        name for part, chosen in TABLES.items() if request.wants(part) for name in chosen.experiments()
    )
    drawn = dict.fromkeys(figures.experiments() if request.wants(FIGURES) else ())
    if unknown := [name for name in request.only if name not in experiments | drawn]:
        raise ReproductionError(f"{request.part} has no experiment {unknown[0]}")
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
        if not request.only or name in request.only
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
        if stored is None or met_test_forms(stored):  # it will be made again
            continue
        if changed := changed_settings(stored, Experiment.load(run.experiment, run.settings).to_dict()):
            warnings.warn(
                f"{run.result} was made with other settings than {run.experiment.name} has now "
                f"({', '.join(changed)}): delete it to make it again",
                stacklevel=2,
            )


def _look_inside(request: Request, results: Results) -> None:
    """Draws what models attend to, and finds out what they answer nested questions and joins with."""
    folder = request.folder / "figures"
    drawn = figures.draw_all(results, request.runs, folder) if _can_draw(FIGURES) else ()
    for name, problem in drawn:
        print(f"{folder / name}.png" if problem is None else f"{name}: not complete, {problem}")
    for probe in (plateau, join_probe):
        asked = {title: figures.trained(name, results, request.runs) for title, name in probe.MODELS.items()}
        models = {title: model for title, model in asked.items() if model is not None}
        if models:
            found = probe.measure(models, QUICK_QUESTIONS if request.quick else probe.QUESTIONS)
            write_text(request.folder / probe.FILE, json.dumps(found, indent=2) + "\n")


def _show_efficiency(request: Request, results: Results) -> None:
    """Measures the curves that are missing, and draws all."""
    for curve in efficiency.plan(results):
        measure(replace(curve, **QUICK_CURVE) if request.quick else curve)
    if not _can_draw(EFFICIENCY):
        return
    path = request.folder / "figures" / "efficiency.png"
    drawn = efficiency.draw(results, path)
    print(path if drawn else f"{EFFICIENCY}: not drawn, no efficiency-*.json is in {request.folder}")


def _can_draw(what: str) -> bool:
    """Returns whether matplotlib is there; says so if not."""
    there = importlib.util.find_spec("matplotlib") is not None
    if not there:
        print(
            f"{what}: not drawn, matplotlib is not installed; run it again where it is, with results and runs"
        )
    return there
