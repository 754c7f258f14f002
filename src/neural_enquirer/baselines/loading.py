"""Loads what a run kept: a network in a checkpoint, or a semantic parser. Needs nothing of training."""

from pathlib import Path

from neural_enquirer import checkpoint
from neural_enquirer.baselines.neural_programmer.programmer import NeuralProgrammer
from neural_enquirer.baselines.semantic_parser.parser import SemanticParser
from neural_enquirer.checkpoint import Checkpoint

Trained = Checkpoint | SemanticParser
"""A trained system."""


def load(name_or_directory: str | Path) -> Trained:
    """Loads a shipped model by its name, or a system from the directory where its run kept it.

    Raises:
        CheckpointError: where there is none, or its files are damaged.
    """
    directory = checkpoint.locate(name_or_directory)
    if checkpoint.read_config(directory).get("kind") == "semantic-parser":
        return SemanticParser.load(directory)
    return checkpoint.load(directory, {NeuralProgrammer.kind: NeuralProgrammer.restored})
