"""What the semantic parser owes to its beam and to features that know what a field is used for.

Trains it with other beams, and with features nearer to those of Pasupat and Liang (2015), on all training
questions of the experiment, and writes the accuracies on its validation questions.
"""

import argparse
import concurrent.futures
import functools
import itertools
import json
import multiprocessing
import platform
from pathlib import Path
from typing import Any

from neural_enquirer.baselines.semantic_parser.training import ParserTrainer
from neural_enquirer.checkpoint import write_text
from neural_enquirer.evaluation.closed import score_of
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment

EXPERIMENT = Path("experiments/semantic-parser-25k.toml")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--beams", type=int, nargs="+", default=[1, 2, 5, 10, 20, 50, 100, 200])
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--processes", type=int, default=1, help="runs at once, a thread or more each")
    options.add_argument(
        "--set", nargs="*", default=[], help="settings for all runs, such as task.examples=1000"
    )
    options.add_argument("--note", default="", help="what readers of the result should know")
    options.add_argument("--out", type=Path, default=Path("results/semantic-parser-search.json"))
    given = options.parse_args()
    settings = list(itertools.product((True, False), given.beams))
    run = functools.partial(_run, seed=given.seed, overrides=tuple(given.set))
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(given.processes, mp_context=context) as pool:
        rows = list(pool.map(run, settings))
    content = {
        "experiment": Experiment.load(EXPERIMENT, given.set).to_dict(),
        "seed": given.seed,
        "command": " ".join(("python -m benchmarks.parser_search --beams", *map(str, given.beams))),
        "hardware": f"{platform.machine()} CPU, {given.processes} run{'s' * (given.processes > 1)} at a time",
        **({"note": given.note} if given.note else {}),
        "runs": rows,
    }
    write_text(given.out, json.dumps(content) + "\n")


def _run(setting: tuple[bool, int], seed: int, overrides: tuple[str, ...]) -> dict[str, Any]:
    roles, beam = setting
    experiment = Experiment.load(
        EXPERIMENT, [*overrides, f"model.roles={str(roles).lower()}", f"model.beam={beam}"]
    )
    task, drawn = (
        experiment.task,
        functools.partial(generate, experiment.task.name, seed=experiment.task.seed),
    )
    validation = drawn("validation")
    trainer = ParserTrainer(experiment, drawn("train", examples=task.examples), validation, seed=seed)
    reports = list(trainer.run())
    found = score_of(experiment.kind, trainer.checkpoint(), validation, "cpu")
    print(f"roles {roles}, beam {beam}: {found.overall:.4f} {found.by_type}", flush=True)
    return {
        "roles": roles,
        "beam": beam,
        "overall": found.overall,
        "by_type": found.by_type,
        "examples": found.examples,
        "seconds": reports[-1].seconds,
    }


if __name__ == "__main__":
    main()
