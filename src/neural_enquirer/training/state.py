"""The state of a run between two epochs, on disk, so that a killed run goes on as if nothing had happened."""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from neural_enquirer.checkpoint import CheckpointError, read_tensors, write_tensors, write_text

WEIGHTS = "state.safetensors"
PROGRESS = "progress.json"


def run_file(experiment: str, seed: int | str) -> str:
    """Names the file that says what came of a run, below the folder of results."""
    return f"runs/{experiment}/{seed}.json"


class TrainingError(ValueError):
    """A run that cannot start; the message is one line that says what to change."""


@dataclass(frozen=True)
class EpochReport:
    """What an epoch brought: the mean training loss, and accuracies on the validation examples.

    `seconds` counts from the first step of the run, validation included.
    """

    epoch: int
    loss: float
    overall: float
    by_type: dict[str, float]
    seconds: float


@dataclass(frozen=True)
class Progress:
    """How far a run has come; `renaming` says which names it uses, if it changes them (see `renaming`)."""

    experiment: dict[str, Any]
    seed: int
    epochs: tuple[EpochReport, ...] = field(default=())
    renaming: str = ""

    def is_of(self, other: "Progress") -> bool:
        """Returns whether both are of one run, however far they have come."""
        return replace(self, epochs=()) == replace(other, epochs=())

    @property
    def best(self) -> float:
        """The best validation accuracy so far."""
        return max((report.overall for report in self.epochs), default=-1.0)


def check_directory(directory: Path, *, resume: bool) -> None:
    """Makes sure that a run may write there: a folder that is empty or, to resume, one that holds a run.

    A run that was killed in its first epoch may have left a checkpoint without a state, or hidden files.
    """
    if not directory.exists():
        return
    if not directory.is_dir():
        raise TrainingError(f"{directory} is a file; name a folder")
    names = {path.name for path in directory.iterdir()}
    if names and not resume:
        raise TrainingError(f"{directory} is not empty; name another folder, or go on with its run: --resume")
    if any(not name.startswith(".") for name in names) and "config.json" not in names:
        raise TrainingError(f"{directory} holds no run to resume; name another folder")


def read_progress(directory: Path) -> Progress:
    """Reads how far the run in a folder has come.

    Raises:
        CheckpointError: if its file does not say so.
    """
    try:
        content = json.loads((directory / PROGRESS).read_text(encoding="utf-8"))
        reports = tuple(EpochReport(**report) for report in content["epochs"])
        return Progress(content["experiment"], content["seed"], reports, content.get("renaming", ""))
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise CheckpointError(f"{directory / PROGRESS} does not say how far its run has come") from error


def save_state(
    directory: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    progress: Progress,
    average: Tensor | None = None,
) -> None:
    """Writes the state. The tensors carry their epoch, so that a kill between the two files is noticed."""
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
    if average is not None:
        tensors["average"] = average
    tensors["epoch"] = torch.tensor(len(progress.epochs))
    write_text(directory / PROGRESS, json.dumps(asdict(progress)) + "\n")
    write_tensors(directory / WEIGHTS, tensors)


def load_state(
    directory: Path, model: nn.Module, optimizer: torch.optim.Optimizer, average: Tensor | None = None
) -> Progress:
    """Puts the stored weights into model, optimizer and average, in place where they have state already."""
    stored = read_tensors(directory / WEIGHTS)
    progress = read_progress(directory)
    try:
        # A kill may fall between the two files: the tensors' epoch is the one that counts.
        progress = replace(progress, epochs=progress.epochs[: int(stored.pop("epoch"))])
        model.load_state_dict(
            {k.removeprefix("model."): v for k, v in stored.items() if k.startswith("model.")}
        )
        if average is not None:
            average.copy_(stored["average"])
        _load_optimizer(optimizer, {k: v for k, v in stored.items() if k.startswith("optimizer.")})
    except (KeyError, ValueError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"the state in {directory} does not fit this experiment") from error
    return progress


def _load_optimizer(optimizer: torch.optim.Optimizer, stored: dict[str, torch.Tensor]) -> None:
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in stored.items():
        _, index, name = key.split(".")
        state.setdefault(int(index), {})[name] = value
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    if optimizer.state:
        for position, values in state.items():
            for name, value in values.items():
                optimizer.state[parameters[position]][name].copy_(value)
    else:
        optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
