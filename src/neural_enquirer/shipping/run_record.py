"""What is said of a run beside its model: the results of its epochs, or of its test."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from neural_enquirer.checkpoint import Checkpoint, write_text
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.training.state import PROGRESS, run_file

FURTHER: Final = "-further"
"""Behind the seed of a run that began with the weights of another: that one's record stays."""


@dataclass(frozen=True)
class StoredRun:
    """A file about a run.

    Attributes:
        file: below the folder of results.
        content: what it says.
    """

    file: str
    content: dict[str, Any]


def keep_record(run: Path, results: Path) -> StoredRun | None:
    """Writes down what the epochs of a run brought; None where the run's folder does not say."""
    if not (run / PROGRESS).is_file():
        return None
    progress, start = _read(run / PROGRESS), _read(run / "config.json").get("about", {}).get("start")
    try:
        experiment, seed, epochs = progress["experiment"], progress["seed"], progress["epochs"]
        file = run_file(experiment["task"]["name"], seed if start is None else f"{seed}{FURTHER}")
        content = {
            "experiment": experiment,
            "seed": seed,
            "best_epoch": max(epochs, key=lambda epoch: epoch["overall"])["epoch"],
            "seconds": {"training": epochs[-1]["seconds"]},
            "epochs": epochs,
        } | ({} if start is None else {"start": start.get("run")})
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ShippingError(f"{run / PROGRESS} does not say what the epochs of the run brought") from error
    (results / file).parent.mkdir(parents=True, exist_ok=True)
    write_text(results / file, json.dumps(content) + "\n")
    return StoredRun(file, content)


def stored_result(run: Path, trained: Checkpoint, results: Path) -> StoredRun:
    """Finds the result of the test of a run, which is called as the run's folder is.

    Raises:
        ShippingError: if it is not there, or is that of another run.
    """
    name, _, seed = run.resolve().name.rpartition("-")
    file = run_file(name, seed)
    if not (results / file).is_file():
        raise ShippingError(f"{results / file}, the result of the run's test, is missing; test the run first")
    content = _read(results / file)
    if "test" not in content or content.get("seed") != trained.about.get("seed"):
        raise ShippingError(f"{results / file} is not the result of {run}")
    return StoredRun(file, content)


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ShippingError(f"{path} is damaged") from error
    return content if isinstance(content, dict) else {}
