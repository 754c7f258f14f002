"""The trainer: epochs of steps, validation after each, the best checkpoint kept, every run resumable."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.any_batch import Shelf
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.network import Network, NetworkConfig
from neural_enquirer.training.accuracy import accuracy, with_programs
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment, TrainingConfig
from neural_enquirer.training.losses import open_loss, step_by_step_loss
from neural_enquirer.training.optimization import FlatParameters, make_optimizer, rate_factor, set_rate
from neural_enquirer.training.renaming import WITHIN_TRAINING, Renaming
from neural_enquirer.training.state import (
    WEIGHTS,
    EpochReport,
    Progress,
    TrainingError,
    load_state,
    save_state,
)
from neural_enquirer.training.step import CapturedStep, Change, Loss, TrainingStep
from neural_enquirer.training.widening import Widening

RECENCY = 4
"""How fast the average of the weights forgets: an epoch counts about as its number to this power."""


EXPLORING = 0.5
"""The share of a run over which programs are kept from being sure of themselves, less and less."""


def new_model(experiment: Experiment, vocabulary: Vocabulary, seed: int) -> Network:
    """Makes an untrained model; the seed decides every weight but the entities', which their text decides."""
    torch.manual_seed(seed)
    config: NetworkConfig = experiment.model
    return config.new_network(vocabulary, experiment.training.beginning)


def begin_with(model: Network, vocabulary: Vocabulary, start: Checkpoint) -> None:
    """Gives an open model the weights of another one, and its vectors to the words that both know.

    Raises:
        TrainingError: if the other one is not open, or of other sizes.
    """
    if not (model.can_begin_with and start.model.kind == model.kind):
        raise TrainingError("only an open model can begin with another one's weights")
    weights = start.model.state_dict()
    known = weights.pop("embedding")
    try:
        model.load_state_dict(weights, strict=False)
    except RuntimeError as error:
        raise TrainingError("the model to begin with has other sizes than the experiment") from error
    both = [word for word in vocabulary.words if word in start.vocabulary.codes]
    # Padding has no row; the unknown word has the first.
    here = torch.tensor([0, *(vocabulary.codes[word] - 1 for word in both)])
    there = torch.tensor([0, *(start.vocabulary.codes[word] - 1 for word in both)])
    with torch.no_grad():
        own = model.get_parameter("embedding")
        own[here] = known.to(own)[there]


def make_loss(config: TrainingConfig) -> Loss:
    """Returns the loss of the experiment."""
    return open_loss if config.supervision == "answers" else partial(step_by_step_loss, alpha=config.alpha)


def make_changes(config: TrainingConfig, data: TrainingData, device: torch.device | str) -> list[Change]:
    """Returns what makes other examples of those that are there, first what makes tables wider.

    Raises:
        TrainingError: if questions are to be renamed, and nobody said which forms are for training.
    """
    if not (config.widening or config.renaming):
        return []
    examples: Any = data.train.to(device)  # of a closed task: no other is learned with changes
    changes: list[Change] = []
    if config.widening:
        changes.append(Widening.of(len(data.vocabulary), examples))
    if config.renaming:
        if data.allowed is None:
            raise TrainingError("to rename questions, encode the data for an experiment that does so")
        changes.append(Renaming.of(data.vocabulary, examples, data.allowed))
    return changes


class Trainer:
    """Trains one model."""

    def __init__(
        self,
        experiment: Experiment,
        data: TrainingData,
        *,
        seed: int = 0,
        device: torch.device | str = "cpu",
        directory: Path | None = None,
        resume: bool = False,
        start: Checkpoint | None = None,
        on_step: Callable[[int], None] | None = None,
    ) -> None:
        """Prepares a run.

        Args:
            experiment: what is learned and how.
            data: the encoded examples.
            seed: of weights and the order of examples.
            device: where the data and the model live.
            directory: where checkpoint and state are written; None to keep nothing.
            resume: whether to go on from the state in `directory`.
            start: a model whose weights and words' vectors to begin with; new words begin at random.
            on_step: called with the number of questions seen in each step.

        Raises:
            TrainingError: if such a run cannot start; the message says what to change.
        """
        if seed < 0:
            raise TrainingError(f"the seed must be 0 or more, not {seed}")
        self.experiment, self.seed, self.directory, self.on_step = experiment, seed, directory, on_step
        self.device = torch.device(device)
        self.vocabulary, self.type_names = data.vocabulary, data.type_names
        synthetic = [shelf for shelf in (data.train, *data.further_train) if len(shelf)]
        real = list(filter(len, data.real_train))
        self.shelves: list[Shelf] = [
            shelf.to(self.device) for shelf in (*synthetic, *real, *filter(len, data.programs))
        ]
        self.real = range(len(synthetic), len(synthetic) + len(real))
        self.program_validation = [part.to(self.device) for part in data.program_validation]
        self.validation = [part.to(self.device) for part in (data.validation, *data.further_validation)]
        self.processes = distributed.get_world_size() if distributed.is_initialized() else 1
        self.rank = distributed.get_rank() if distributed.is_initialized() else 0
        config = experiment.training
        torch.set_float32_matmul_precision("high" if config.tf32 else "highest")
        cells = self.shelves[: self.real.stop]
        self.batch_size = min(config.batch_size, *(len(shelf) for shelf in cells))
        self.batch_sizes = [self.batch_size] * len(cells)
        self.batch_sizes += [
            min(config.program_batch_size, len(shelf)) for shelf in self.shelves[self.real.stop :]
        ]
        if any(size % self.processes for size in self.batch_sizes):
            raise TrainingError(
                f"{self.processes} processes cannot share batches of {self.batch_size}: "
                f"set training.batch_size to a multiple of {self.processes}"
            )
        self.steps_per_epoch = len(self.batches(0))
        self.model = new_model(experiment, data.vocabulary, seed).to(self.device)
        self.start = start
        if start is not None:
            begin_with(self.model, data.vocabulary, start)
        self.weights = FlatParameters(self.model)
        self.optimizer = make_optimizer(self.weights.whole, config)
        self.changes = make_changes(config, data, self.device)
        self.step = self._make_step()
        self.take_step: Callable[[Tensor, int], None] = self.step
        if self.device.type == "cuda" and self.processes == 1:
            self.take_step = CapturedStep(self.step, self.batch_sizes)
        self.average = torch.zeros_like(self.weights.whole.data) if config.average else None
        self.progress = Progress(
            experiment.to_dict(), seed, renaming=WITHIN_TRAINING if config.renaming else ""
        )
        if resume and directory is not None and (directory / WEIGHTS).exists():
            self.progress = self._resumed(directory)

    def _make_step(self) -> TrainingStep:
        module: nn.Module = self.model
        if self.processes > 1:
            # Of questions on one table, nothing is learned about what links tables.
            module = DistributedDataParallel(self.model, find_unused_parameters=len(self.shelves) > 1)
        config = self.experiment.training
        return TrainingStep(
            module, self.weights, self.optimizer, make_loss(config), self.shelves, config, self.changes
        )

    def _resumed(self, directory: Path) -> Progress:
        progress = load_state(directory, self.model, self.optimizer, self.average)
        if not progress.is_of(self.progress):
            raise TrainingError(f"{directory} holds a run of another experiment or seed: name another folder")
        return progress

    def run(self) -> Iterator[EpochReport]:
        """Trains to the end, yielding a report after each epoch."""
        epochs = self.experiment.training.epochs
        before = self.progress.epochs[-1].seconds if self.progress.epochs else 0.0
        start = time.perf_counter() - before
        for epoch in range(len(self.progress.epochs), epochs):
            loss = self._run_epoch(epoch)
            self._update_average(epoch)
            with self.averaged():
                found = accuracy(self.model, self.validation, self.type_names)
                if self.program_validation:
                    found = with_programs(found, self.model, self.program_validation)
                seconds = time.perf_counter() - start
                report = EpochReport(epoch + 1, loss, found.overall, found.by_type, seconds)
                self._keep_best(report)
            self._keep(report)
            yield report

    @contextlib.contextmanager
    def averaged(self) -> Iterator[None]:
        """Gives the model the mean of its weights so far, where the experiment asks for it."""
        if self.average is None:
            yield
            return
        whole = self.weights.whole.data
        latest = whole.clone()
        whole.copy_(self.average)
        try:
            yield
        finally:
            whole.copy_(latest)

    def _update_average(self, epoch: int) -> None:
        """Adds an epoch's mean to that of the run (polynomial-decay averaging, Shamir and Zhang).

        The last fifth of the run so far makes two thirds of it: noise cancels, and what was thought early on
        does not linger.
        """
        if self.average is not None and self.step.total_weights is not None:
            share = (RECENCY + 1) / (epoch + 1 + RECENCY)
            self.average.lerp_(self.step.total_weights / self.steps_per_epoch, share)

    def _run_epoch(self, epoch: int) -> float:
        """Sees every example once, in an order that the seed and the epoch decide; returns the mean loss."""
        torch.manual_seed(self.seed * 1_000_003 + epoch)  # of dropout
        config = self.experiment.training
        total_steps = self.steps_per_epoch * config.epochs
        self.step.begin_epoch()
        self.step.exploration.fill_(config.exploration * max(0.0, 1 - epoch / (EXPLORING * config.epochs)))
        for index, (shelf, whole) in enumerate(self.batches(epoch)):
            factor = rate_factor(config, epoch * self.steps_per_epoch + index, total_steps)
            set_rate(self.optimizer, config.learning_rate * factor)
            self.take_step(whole[self.rank :: self.processes], shelf)
            if self.on_step is not None:
                self.on_step(len(whole))
        if self.processes > 1:
            distributed.all_reduce(self.step.total_loss)
        return float(self.step.total_loss) / (self.steps_per_epoch * self.processes)

    def batches(self, epoch: int) -> list[tuple[int, Int[Tensor, "batch"]]]:
        """Returns the shelf and the examples of each step, in an order that the seed and the epoch decide."""
        batches = [
            (shelf, order[start : start + size])
            for shelf, size in enumerate(self.batch_sizes)
            for order in self.orders(epoch, shelf)
            for start in range(0, len(order) - size + 1, size)
        ]
        if len(self.shelves) > 1:
            np.random.default_rng([self.seed, epoch]).shuffle(batches)
        return batches

    def orders(self, epoch: int, shelf: int) -> list[Int[Tensor, "example"]]:
        """Returns the orders in which an epoch sees a shelf: real questions may be seen several times."""
        times = self.experiment.training.repeats if shelf in self.real else 1
        rng = np.random.default_rng([self.seed, epoch, shelf] if shelf else [self.seed, epoch])
        count = len(self.shelves[shelf])
        return [torch.from_numpy(rng.permutation(count)).to(self.device) for _ in range(times)]

    def _keep_best(self, report: EpochReport) -> None:
        """Writes the checkpoint if the epoch is the best so far."""
        if self.directory is not None and not self.rank and report.overall > self.progress.best:
            self.checkpoint(self._about(report)).save(self.directory)

    def _keep(self, report: EpochReport) -> None:
        """Records the epoch and writes the state from which the run can go on."""
        self.progress = replace(self.progress, epochs=(*self.progress.epochs, report))
        if self.directory is not None and not self.rank:
            save_state(self.directory, self.model, self.optimizer, self.progress, self.average)

    def _about(self, report: EpochReport) -> dict[str, Any]:
        validation = {"overall": report.overall, "by_type": report.by_type}
        about = {
            "experiment": self.experiment.to_dict(),
            "seed": self.seed,
            "epoch": report.epoch,
            "validation": validation,
        }
        return about if self.start is None else about | {"start": dict(self.start.about)}

    def checkpoint(self, about: dict[str, Any] | None = None) -> Checkpoint:
        """Returns the model as it is now."""
        return Checkpoint(self.model, self.vocabulary, self.experiment.task.form, about or {})


@contextlib.contextmanager
def start_processes(device: torch.device) -> Iterator[None]:
    """Joins the other processes for as long as the block runs; alone unless `torchrun` started this one."""
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        yield
        return
    if device.type == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield
    finally:
        distributed.destroy_process_group()


def choose_device(wanted: str) -> torch.device:
    """Turns `auto`, `cpu`, `cuda` or `cuda:1` into a device that is there."""
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(wanted)
    except RuntimeError as error:
        raise TrainingError(f"unknown device {wanted!r}: give auto, cpu or cuda") from error
    if device.type not in ("cpu", "cuda"):
        raise TrainingError(f"cannot use the device {wanted!r}: give auto, cpu or cuda")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise TrainingError(f"there is no CUDA device {wanted!r} here: give --device cpu or auto")
    return device
