"""Tests on the closed tasks: the share of questions that a system answers with the right cell."""

from pathlib import Path

import torch

from neural_enquirer.checkpoint_files import kind_of, locate
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.systems import SYSTEMS
from neural_enquirer.training.accuracy import Accuracy

__all__ = ["accuracy_on"]


def accuracy_on(name_or_directory: str | Path, examples: ExampleSet, device: torch.device | str) -> Accuracy:
    """Tests a shipped model by its name, or a system from the directory where its run kept it.

    Raises:
        CheckpointError: where there is none, or its files are damaged.
        EncodingError: if the questions have another number of tables than the system reads.
    """
    directory = locate(name_or_directory)
    system = SYSTEMS[kind_of(directory)]
    found: Accuracy = system.part("accuracy")(system.part("load")(directory), examples, device)
    return found
