"""The test of a finished run, on questions that training never saw."""

from pathlib import Path

import torch

from neural_enquirer.evaluation.closed import accuracy_on
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import Accuracy
from neural_enquirer.training.experiment import Experiment


def accuracy_on_test(directory: Path, experiment: Experiment, device: torch.device) -> Accuracy:
    """Tests the best checkpoint in the folder of a run on the test examples of its experiment's task."""
    task = experiment.task
    questions = generate(task.name, "test", seed=task.seed, examples=task.held_out)
    return accuracy_on(directory, questions, device)
