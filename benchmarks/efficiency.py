"""Accuracy on test questions over the time of training: a curve of the efficiency figure, as JSON.

    taskset -c 0,1 python -m benchmarks.efficiency experiments/olympics-25k-grounded.toml \
        --device cpu --threads 2 --seconds 500 --out results/efficiency-grounded-cpu.json

works for Neural Enquirer and for both baselines. After each epoch the system is tested on the first of the
common test questions; the time that takes does not count. The file is written anew after each point: a
run that is stopped leaves its curve. Pin it to cores of its own: what else runs there is measured too.
"""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.baselines.systems import accuracy_of, make_trainer
from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import choose_device

TEST_EXAMPLES = 2_000
"""Enough for half a percent point, few enough to test after every epoch."""
VALIDATION_EXAMPLES = 100
"""As few as possible: a run validates after each epoch, and that time counts."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", type=Path)
    parser.add_argument("--name", help="of the curve; the experiment's unless given")
    parser.add_argument("--set", dest="settings", action="append", default=[], help="section.key=value")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=500, help="of training, after which the run stops")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=2, help="of torch, on the CPU")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def command(given: argparse.Namespace) -> str:
    settings = " ".join(f"--set {setting}" for setting in given.settings)
    where = f"--device {given.device} --threads {given.threads} --seconds {given.seconds:g}"
    parts = (f"experiments/{given.experiment.name}", settings, where, f"--out results/{given.out.name}")
    return "python -m benchmarks.efficiency " + " ".join(part for part in parts if part)


def main() -> None:
    given = arguments()
    torch.set_num_threads(given.threads)
    device = choose_device(given.device)
    experiment = Experiment.load(given.experiment, [*given.settings, f"task.held_out={VALIDATION_EXAMPLES}"])
    task = experiment.task
    questions = generate(task.name, "test", seed=task.seed, examples=TEST_EXAMPLES)
    start = time.perf_counter()
    trainer = make_trainer(experiment, seed=given.seed, device=device)
    curve: dict[str, Any] = {
        "name": given.name or given.experiment.stem,
        "system": experiment.system,
        "command": command(given),
        "hardware": hardware(device),
        "torch": torch.__version__,
        "experiment": experiment.to_dict(),
        "seed": given.seed,
        "preparing": time.perf_counter() - start,
        "test_examples": len(questions),
    }
    points: list[dict[str, Any]] = []
    seconds, start = 0.0, time.perf_counter()
    for report in trainer.run():
        seconds += time.perf_counter() - start
        found = accuracy_of(trainer.checkpoint(), questions, device)
        points.append({"seconds": round(seconds, 3), "epoch": report.epoch, "accuracy": found.overall})
        points[-1]["by_type"] = asdict(found)["by_type"]
        given.out.parent.mkdir(parents=True, exist_ok=True)
        write_text(given.out, json.dumps(curve | {"points": points}) + "\n")
        print(f"{curve['name']} epoch {report.epoch} {seconds:.1f}s {found.overall:.4f}", flush=True)
        if seconds >= given.seconds:
            break
        start = time.perf_counter()


if __name__ == "__main__":
    main()
