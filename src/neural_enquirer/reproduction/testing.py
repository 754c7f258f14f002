"""The test of a finished run, on questions that training never saw, in the way of its task."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import torch

from neural_enquirer.baselines.loading import load
from neural_enquirer.baselines.systems import accuracy_of
from neural_enquirer.evaluation import Accuracy
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment

Tester = Callable[[Path, Experiment, torch.device], Accuracy]
"""Tests the best checkpoint of a run's folder on the test examples of the experiment's task."""


def closed_accuracy(directory: Path, experiment: Experiment, device: torch.device) -> Accuracy:
    """Returns the accuracy over the types of question that the task has.

    Entities that training never met get the vectors that their text decides.
    """
    task = experiment.task
    questions = generate(task.name, "test", seed=task.seed, examples=task.held_out)
    return accuracy_of(load(directory), questions, device)


TESTERS: Final[dict[str, Tester]] = {}
"""Tasks that are tested in a way of their own, by name."""


def accuracy_on_test(directory: Path, experiment: Experiment, device: torch.device) -> Accuracy:
    """Tests the best checkpoint of a run."""
    return TESTERS.get(experiment.task.name, closed_accuracy)(directory, experiment, device)
