"""Training of the parser: parts of passes over the data, with a state on disk after each of them."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.baselines.semantic_parser.features import FeatureSpace
from neural_enquirer.baselines.semantic_parser.learning import AdaGrad, Lesson, consistent_cells, learn
from neural_enquirer.baselines.semantic_parser.parser import SHARD, ParserConfig, SemanticParser, on_threads
from neural_enquirer.baselines.semantic_parser.problems import of_examples
from neural_enquirer.baselines.semantic_parser.scoring import Weights
from neural_enquirer.checkpoint import Checkpoint, CheckpointError, read_tensors, write_tensors, write_text
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.training.accuracy import Accuracy
from neural_enquirer.training.data import draw_examples
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.state import (
    PROGRESS,
    WEIGHTS,
    EpochReport,
    Progress,
    TrainingError,
    read_progress,
)

_UNANSWERED_LOSS: Final = 20.0
"""What a question counts in the loss for which no form found denotes the answer."""


def start_parser(
    experiment: Experiment,
    *,
    seed: int,
    device: torch.device | str,
    directory: Path | None,
    resume: bool,
    real: Sequence[Path],
    start: Checkpoint | None,
) -> "ParserTrainer":
    """Prepares the run of a parser; see `training.starting.start_run`. It searches on the CPU, always."""
    if real or start is not None:
        raise TrainingError(f"{experiment.system} learns its task alone: leave out --data and --start")
    train, validation = draw_examples(experiment.task)
    return ParserTrainer(experiment, train, validation, seed=seed, directory=directory, resume=resume)


class ParserTrainer:
    """Trains one parser."""

    rank = 0

    def __init__(
        self,
        experiment: Experiment,
        train: ExampleSet,
        validation: ExampleSet,
        *,
        seed: int = 0,
        directory: Path | None = None,
        resume: bool = False,
        on_step: Callable[[int], None] | None = None,
    ) -> None:
        """Prepares a run.

        Args:
            experiment: what is learned and how; its model is a :class:`ParserConfig`.
            train: what is learned from; only questions, tables and answers are read.
            validation: what the best parser is chosen on.
            seed: of the order of examples.
            directory: where the parser and the state are written; None to keep nothing.
            resume: whether to go on from the state in `directory`.
            on_step: called with the number of questions seen in each step.

        Raises:
            TrainingError: if such a run cannot start; the message says what to change.
        """
        if experiment.task.form != "natural":
            raise TrainingError("the semantic parser reads natural language: set task.form=natural")
        if seed < 0:
            raise TrainingError(f"the seed must be 0 or more, not {seed}")
        self.experiment, self.seed, self.directory, self.on_step = experiment, seed, directory, on_step
        self.config: ParserConfig = experiment.model
        problems = of_examples(train)
        self.space = FeatureSpace.of(
            problems, self.config.longest_phrase, self.config.least_count, self.config.roles
        )
        self.train = self.space.look_up(problems)
        self.validation = self.space.look_up(of_examples(validation))
        self.places = validation.answer_places()
        self.consistent = consistent_cells(problems, experiment.task.answer)
        self.weights = Weights.zeros(self.space)
        self.learner = AdaGrad(self.weights, self.config.learning_rate)
        self.batch_size = min(experiment.training.batch_size, len(problems))
        self.steps_per_epoch = max(1, min(self.config.part, len(problems)) // self.batch_size)
        self.progress = Progress(experiment.to_dict(), seed)
        if resume and directory is not None and (directory / WEIGHTS).exists():
            self._resume(directory)

    def run(self) -> Iterator[EpochReport]:
        """Trains to the end; yields after each part of the data, once its state is on disk."""
        for epoch in range(len(self.progress.epochs), self.experiment.training.epochs):
            before = self.progress.epochs[-1].seconds if self.progress.epochs else 0.0
            start = time.perf_counter()
            loss = self._run_part(epoch)
            accuracy = self._accuracy()
            seconds = before + time.perf_counter() - start
            report = EpochReport(epoch + 1, loss, accuracy.overall, accuracy.by_type, seconds)
            self._keep(report)
            yield report

    def checkpoint(self, about: dict[str, Any] | None = None) -> SemanticParser:
        """The parser as it is now."""
        return SemanticParser(self.config, self.space, self.weights, self.experiment.task.form, about or {})

    def _accuracy(self) -> Accuracy:
        """The share of validation questions that are answered with the right cell."""
        right = self.checkpoint().answers(self.validation).places == self.places
        return Accuracy.of(right, self.validation.problems.types, PROGRAM_TYPES)

    def _run_part(self, epoch: int) -> float:
        """Sees the next part of the examples; the mean loss of a question."""
        parser, loss, seen = self.checkpoint(), 0.0, 0

        def lesson(chosen: npt.NDArray[np.int64]) -> Lesson:
            _, scorer, derivations = parser.derive(self.train.select(chosen))
            return learn(scorer, derivations, self.consistent[chosen])

        for step in range(epoch * self.steps_per_epoch, (epoch + 1) * self.steps_per_epoch):
            batch = self._batch(step)
            # The shards are the same however many threads there are, and so is the order of their sum.
            shards = np.array_split(batch, max(1, len(batch) // SHARD))
            lessons = list(on_threads(lesson, shards))
            self.learner.step([each.gradient for each in lessons])
            loss += sum(_UNANSWERED_LOSS * each.unanswered - each.log_likelihood for each in lessons)
            seen += len(batch)
            if self.on_step is not None:
                self.on_step(len(batch))
        return loss / seen

    def _batch(self, step: int) -> npt.NDArray[np.int64]:
        """The examples of a step: each pass over the data has an order of its own, made by seed and pass."""
        count = len(self.train.problems)
        sweep, place = divmod(step, count // self.batch_size)
        order = np.random.default_rng((self.seed, sweep)).permutation(count)
        return order[place * self.batch_size : (place + 1) * self.batch_size]

    def _keep(self, report: EpochReport) -> None:
        """Writes the parser if it is the best so far, and the state from which the run can go on."""
        best = report.overall > self.progress.best
        self.progress = replace(self.progress, epochs=(*self.progress.epochs, report))
        if self.directory is None:
            return
        if best:
            validation = {"overall": report.overall, "by_type": report.by_type}
            about = {"experiment": self.experiment.to_dict(), "seed": self.seed, "epoch": report.epoch}
            self.checkpoint(about | {"validation": validation}).save(self.directory)
        write_text(self.directory / PROGRESS, json.dumps(asdict(self.progress)) + "\n")
        tensors = self.weights.tensors("weights.") | self.learner.squares.tensors("squares.")
        # The tensors carry their epoch, so that a kill between the two files is noticed.
        write_tensors(self.directory / WEIGHTS, tensors | {"epoch": torch.tensor(report.epoch)})

    def _resume(self, directory: Path) -> None:
        stored, progress = read_tensors(directory / WEIGHTS), read_progress(directory)
        if not progress.is_of(self.progress):
            raise TrainingError(f"{directory} holds a run of another experiment or seed; name another folder")
        try:
            self.weights = Weights.of_tensors(stored, self.space, "weights.")
            self.learner.weights = self.weights
            self.learner.squares = Weights.of_tensors(stored, self.space, "squares.")
            self.progress = replace(progress, epochs=progress.epochs[: int(stored["epoch"])])
        except (KeyError, ValueError, TypeError) as error:
            raise CheckpointError(f"the state in {directory} does not fit this experiment") from error
