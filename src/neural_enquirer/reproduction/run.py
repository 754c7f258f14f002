"""One run: trains an experiment with one seed, tests the best checkpoint, and writes what came of it as JSON.

    python -m neural_enquirer.reproduction.run experiments/olympics-100k-n2n.toml --seed 0

writes results/runs/olympics-100k-n2n/0.json and keeps the run, with its checkpoint, in
runs/olympics-100k-n2n-0; started again, it goes on where it was stopped. Several of these at once share a GPU
well. It needs neither Typer nor Rich, so that a bare machine with a GPU will do.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.checkpoint import write_text
from neural_enquirer.evaluation.closed import score_on, stored_score
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.reproduction.stored import about_renaming
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import choose_device
from neural_enquirer.training.starting import start_run
from neural_enquirer.training.state import EpochReport, run_file

MODULE = "python -m neural_enquirer.reproduction.run"
BARS = (0.9, 0.99, 0.995)
"""Validation accuracies whose first time is reported."""
SHOWN = 5
"""Every so many epochs a line is printed."""


@dataclass(frozen=True)
class Run:
    """What decides a run, and where it goes.

    Attributes:
        experiment: the TOML file.
        seed: of weights and order.
        settings: `section.key=value`, which override the file.
        name: of the result, without the seed; the file's unless given.
        device: `auto`, `cpu`, `cuda` or `cuda:1`.
        out: the folder of the result.
        runs: the folder of checkpoints and states.
        note: what readers of the result should know.
    """

    experiment: Path
    seed: int = 0
    settings: tuple[str, ...] = ()
    name: str | None = None
    device: str = "auto"
    out: Path = Path("results")
    runs: Path = Path("runs")
    note: str = ""

    @property
    def title(self) -> str:
        """Name and seed: what the run is called by."""
        return f"{self.name or self.experiment.stem}-{self.seed}"

    @property
    def result(self) -> Path:
        """The file that says what came of it."""
        return self.out / run_file(self.name or self.experiment.stem, self.seed)

    @property
    def directory(self) -> Path:
        """The folder of checkpoint and state."""
        return self.runs / self.title

    @property
    def command(self) -> str:
        """The command that makes the run again."""
        overrides = (f"--set {setting}" for setting in self.settings)
        return " ".join([MODULE, f"experiments/{self.experiment.name}", f"--seed {self.seed}", *overrides])


def execute(run: Run) -> dict[str, Any]:
    """Trains, or goes on training, tests, and writes the result, which is also returned."""
    device = choose_device(run.device)
    experiment = Experiment.load(run.experiment, run.settings)
    prepared, epochs = train(run, experiment, device)
    task = experiment.task
    questions = generate(task.name, "test", seed=task.seed, examples=task.held_out)
    result = {
        "experiment": experiment.to_dict(),
        "seed": run.seed,
        "command": run.command,
        **({"note": run.note} if run.note else {}),
        **about_renaming(experiment.training),
        "hardware": hardware(device),
        "torch": torch.__version__,
        "test": stored_score(score_on(run.directory, questions, device)),
        "best_epoch": max(epochs, key=lambda report: report.overall).epoch,
        "seconds": {
            "preparing": prepared,
            "training": epochs[-1].seconds,
            "to_validation": first_times(epochs),
        },
        "epochs": [asdict(report) for report in epochs],
    }
    run.result.parent.mkdir(parents=True, exist_ok=True)
    write_text(run.result, json.dumps(result) + "\n")
    return result


def train(run: Run, experiment: Experiment, device: torch.device) -> tuple[float, tuple[EpochReport, ...]]:
    """Trains to the end; returns the seconds of preparing, data included, and what every epoch brought."""
    start = time.perf_counter()
    trainer = start_run(experiment, seed=run.seed, device=device, directory=run.directory, resume=True)
    prepared = time.perf_counter() - start
    for report in trainer.run():
        if report.epoch % SHOWN == 0:
            show(run.title, report)
    return prepared, trainer.progress.epochs


def show(title: str, report: EpochReport) -> None:
    """Prints what an epoch brought."""
    types = " ".join(f"{value:.4f}" for value in report.by_type.values())
    found = f"loss {report.loss:.4f} {report.overall:.4f} [{types}]"
    print(f"{title} epoch {report.epoch} {found} {report.seconds:.1f}s", flush=True)


def first_times(epochs: tuple[EpochReport, ...]) -> dict[str, float | None]:
    """Returns the seconds of training after which validation accuracy first reached each bar."""
    return {str(bar): next((r.seconds for r in epochs if r.overall >= bar), None) for bar in BARS}


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", dest="settings", action="append", default=[], help="section.key=value")
    parser.add_argument("--name", help="of the result; the experiment's unless given")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--note", default="", help="what readers of the result should know")
    given = vars(parser.parse_args(arguments))
    run = Run(**given | {"settings": tuple(given["settings"])})
    result = execute(run)
    print(f"RESULT {run.title} {json.dumps(result['test'])} {result['seconds']}", flush=True)


if __name__ == "__main__":
    main()
