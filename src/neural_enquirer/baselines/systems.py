"""The systems behind one interface: Neural Enquirer and the baselines are trained, kept and tested alike."""

from collections.abc import Sequence
from pathlib import Path

import torch

from neural_enquirer.baselines.loading import Trained
from neural_enquirer.baselines.semantic_parser.config import ParserConfig
from neural_enquirer.baselines.semantic_parser.parser import SemanticParser
from neural_enquirer.baselines.semantic_parser.training import ParserTrainer
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.training.accuracy import Accuracy, accuracy, encode_questions
from neural_enquirer.training.data import TrainingData, draw_examples
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.state import TrainingError


def make_trainer(
    experiment: Experiment,
    *,
    seed: int = 0,
    device: torch.device | str = "cpu",
    directory: Path | None = None,
    resume: bool = False,
    real: Sequence[Path] = (),
    start: Checkpoint | None = None,
) -> Trainer | ParserTrainer:
    """Draws the data of an experiment and prepares its run.

    Args:
        experiment: what is learned, by which system, and how.
        seed: of weights and the order of examples.
        device: where a network is trained; programs are searched for on the CPU.
        directory: where checkpoint and state are written; None to keep nothing.
        resume: whether to go on from the state in `directory`.
        real: folders of real questions, for the open task.
        start: a model to begin with, for the open task.

    Raises:
        TrainingError: if such a run cannot start; the message says what to change.
    """
    if isinstance(experiment.model, ParserConfig):
        if real or start is not None:
            raise TrainingError(f"{experiment.system} learns its task alone: leave out --data and --start")
        train, validation = draw_examples(experiment.task)
        return ParserTrainer(experiment, train, validation, seed=seed, directory=directory, resume=resume)
    known = start.vocabulary.words if start is not None else ()
    data = TrainingData.generate(experiment, real, known)
    return Trainer(
        experiment, data, seed=seed, device=device, directory=directory, resume=resume, start=start
    )


def accuracy_of(trained: Trained, examples: ExampleSet, device: torch.device | str) -> Accuracy:
    """Returns the share of questions that a system of the closed tasks answers with the right cell.

    Entities that training never met get the vectors that their text decides.

    Raises:
        EncodingError: if the questions have another number of tables than the system reads.
    """
    if isinstance(trained, SemanticParser):
        return trained.accuracy(examples)
    knowing = trained.knowing(examples.entity_words)
    batch, type_names = encode_questions(knowing, examples)
    return accuracy(knowing.model.to(device), batch.to(device), type_names)
