"""The beginning of a run, whatever system is trained."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.systems import SYSTEMS
from neural_enquirer.training.data import TrainingData, draw_examples
from neural_enquirer.training.display import Training
from neural_enquirer.training.experiment import OPEN_TASK, Experiment, ExperimentError
from neural_enquirer.training.loop import Trainer


def start_run(
    experiment: Experiment,
    *,
    seed: int = 0,
    device: torch.device | str = "cpu",
    directory: Path | None = None,
    resume: bool = False,
    real: Sequence[Path] = (),
    start: Checkpoint | None = None,
) -> Training:
    """Draws the data of an experiment and prepares its run.

    Args:
        experiment: what is learned, by which system, and how.
        seed: of weights and the order of examples.
        device: where a network is trained.
        directory: where checkpoint and state are written; None to keep nothing.
        resume: whether to go on from the state in `directory`.
        real: folders of real questions, for the open task.
        start: a model to begin with, for the open task.

    Raises:
        TrainingError: if such a run cannot start; the message says what to change.
    """
    run: Training = SYSTEMS[experiment.kind].part("trainer")(
        experiment, seed=seed, device=device, directory=directory, resume=resume, real=real, start=start
    )
    return run


def draw_data(experiment: Experiment, real: Sequence[Path] = (), known: Sequence[str] = ()) -> TrainingData:
    """Draws the experiment's task; to the open one real questions may be added, a folder a set.

    Its vocabulary also has the words that a model to begin with knows.

    Raises:
        RealDataError: if a folder holds no questions.
        ExperimentError: if real questions are to join another task.
    """
    task = experiment.task
    if task.name == OPEN_TASK:
        # Not at the top: what the open task draws from takes a while to load.
        from neural_enquirer.training.open_task import open_data

        return open_data(experiment, real, known)
    if real:
        raise ExperimentError(f"real questions join the open task only, not {task.name}")
    return TrainingData.of(experiment, *draw_examples(task))


def start_network(
    experiment: Experiment, *, real: Sequence[Path] = (), start: Checkpoint | None = None, **options: Any
) -> Trainer:
    """Prepares the run of a network; see `start_run`."""
    known = start.vocabulary.words if start is not None else ()
    data = draw_data(experiment, real, known)
    return Trainer(experiment, data, start=start, **options)
