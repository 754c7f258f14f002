"""One curve of the efficiency figure: accuracy on test questions over the time of training, as JSON.

    taskset -c 0,1 python -m neural_enquirer.reproduction.efficiency_curve \
        experiments/olympics-25k-grounded.toml --seconds 500 --out results/efficiency-grounded-cpu.json

works for Neural Enquirer and for both baselines. After each epoch the system is tested on the first of the
common test questions; the time that takes does not count. The file is written anew after each point, so that
a run that is stopped leaves its curve. Pin it to cores of its own: what else runs there is measured too.
"""

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.checkpoint import write_text
from neural_enquirer.evaluation.closed import score_of, stored_score
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.reproduction.stored import about_renaming
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import choose_device
from neural_enquirer.training.starting import start_run

MODULE = "python -m neural_enquirer.reproduction.efficiency_curve"
TEST_EXAMPLES = 2_000
"""Enough for half a percent point, few enough to test after every epoch."""
VALIDATION_EXAMPLES = 100
"""As few as possible: a run validates after each epoch, and that time counts."""


@dataclass(frozen=True)
class Curve:
    """What is measured, and where it goes.

    Attributes:
        experiment: the TOML file.
        out: the JSON file.
        name: of the curve; the experiment's unless given.
        settings: `section.key=value`, which override the file.
        seed: of weights and order.
        seconds: of training, after which it stops.
        device: `cpu`, `cuda` or `cuda:1`.
        test_examples: how many test questions each point is made of.
    """

    experiment: Path
    out: Path
    name: str | None = None
    settings: tuple[str, ...] = ()
    seed: int = 0
    seconds: float = 500
    device: str = "cpu"
    test_examples: int = TEST_EXAMPLES

    @property
    def command(self) -> str:
        """The command that measures it again."""
        settings = [f"--set {setting}" for setting in self.settings]
        where = f"--device {self.device} --seconds {self.seconds:g} --out results/{self.out.name}"
        return " ".join([MODULE, f"experiments/{self.experiment.name}", *settings, where])


def measure(curve: Curve) -> None:
    """Trains, and tests after each epoch."""
    device = choose_device(curve.device)
    experiment = Experiment.load(curve.experiment, [f"task.held_out={VALIDATION_EXAMPLES}", *curve.settings])
    task = experiment.task
    questions = generate(task.name, "test", seed=task.seed, examples=curve.test_examples)
    start = time.perf_counter()
    trainer = start_run(experiment, seed=curve.seed, device=device)
    about: dict[str, Any] = {
        "name": curve.name or curve.experiment.stem,
        "system": experiment.system,
        "command": curve.command,
        "hardware": hardware(device),
        "torch": torch.__version__,
        "experiment": experiment.to_dict(),
        **about_renaming(experiment.training),
        "seed": curve.seed,
        "preparing": time.perf_counter() - start,
        "test_examples": len(questions),
    }
    points: list[dict[str, Any]] = []
    seconds, start = 0.0, time.perf_counter()
    for report in trainer.run():
        seconds += time.perf_counter() - start
        found = stored_score(score_of(experiment.kind, trainer.checkpoint(), questions, device))
        point = {"seconds": round(seconds, 3), "epoch": report.epoch, "accuracy": found["overall"]}
        points.append(point | {"by_type": found["by_type"]})
        complete = seconds >= curve.seconds or report.epoch == experiment.training.epochs
        curve.out.parent.mkdir(parents=True, exist_ok=True)
        write_text(curve.out, json.dumps(about | {"complete": complete, "points": points}) + "\n")
        if complete:
            break
        start = time.perf_counter()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", type=Path)
    parser.add_argument("--name", help="of the curve; the experiment's unless given")
    parser.add_argument("--set", dest="settings", action="append", default=[], help="section.key=value")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=500, help="of training, after which the run stops")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", type=Path, required=True)
    given = vars(parser.parse_args(arguments))
    measure(Curve(**given | {"settings": tuple(given["settings"])}))


if __name__ == "__main__":
    main()
