"""The test of a finished run, on questions that training never saw."""

from pathlib import Path
from typing import Any

import torch

from neural_enquirer.evaluation.closed import score_on, stored_score
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment


def tested(directory: Path, experiment: Experiment, device: torch.device) -> dict[str, Any]:
    """Tests the best checkpoint in the folder of a run on the test examples of its experiment's task."""
    task = experiment.task
    questions = generate(task.name, "test", seed=task.seed, examples=task.held_out)
    return stored_score(score_on(directory, questions, device))
