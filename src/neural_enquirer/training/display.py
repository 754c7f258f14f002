"""What a run shows while it goes on: a bar on a terminal, elsewhere a line after each epoch."""

import datetime
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.state import EpochReport, Progress

_REFRESH = 0.1
"""Seconds between two looks of the bar: a GPU's thousands of steps a second must not wait for it."""


@runtime_checkable
class Training(Protocol):
    """A run that can be shown: of a network, or of another system that learns in epochs."""

    rank: int
    experiment: Experiment
    progress: Progress
    steps_per_epoch: int
    batch_size: int
    on_step: Callable[[int], None] | None

    def run(self) -> Iterator[EpochReport]:
        """Trains to the end, yielding a report after each epoch."""
        ...

    def checkpoint(self) -> Any:
        """Returns the trained system as it is now."""
        ...


@dataclass
class Pace:
    """How fast a run goes."""

    total: int
    """Examples that this run will see."""
    seen: int = 0
    start: float = field(default_factory=time.perf_counter)

    def __str__(self) -> str:
        """Examples a second, and the time left."""
        rate = self.seen / (time.perf_counter() - self.start)
        left = datetime.timedelta(seconds=round((self.total - self.seen) / rate)) if rate else "?"
        return f"{rate:,.0f} examples/s, {left} left"


def run_and_show(trainer: Training) -> None:
    """Trains to the end; of several processes, only the first shows how it goes."""
    if trainer.rank:
        for _ in trainer.run():
            pass
    elif sys.stderr.isatty():
        _run_with_bar(trainer)
    else:
        _run_with_lines(trainer)


def _pace(trainer: Training) -> Pace:
    epochs_left = trainer.experiment.training.epochs - len(trainer.progress.epochs)
    return Pace(epochs_left * trainer.steps_per_epoch * trainer.batch_size)


def _run_with_lines(trainer: Training) -> None:
    pace, epochs = _pace(trainer), trainer.experiment.training.epochs
    for report in trainer.run():
        pace.seen += trainer.steps_per_epoch * trainer.batch_size
        types = ", ".join(f"{name} {value:.4f}" for name, value in report.by_type.items())
        print(f"epoch {report.epoch}/{epochs}: {_found(report)} ({types}), {pace}", flush=True)


def _run_with_bar(trainer: Training) -> None:
    import rich.console
    import rich.progress

    pace, epochs = _pace(trainer), trainer.experiment.training.epochs
    columns = (
        "epoch {task.fields[epoch]}/{task.fields[epochs]}",
        "{task.fields[found]}",
        "{task.fields[pace]}",
    )
    with rich.progress.Progress(
        columns[0], rich.progress.BarColumn(), *columns[1:], console=rich.console.Console(stderr=True)
    ) as bar:
        done = len(trainer.progress.epochs)
        job = bar.add_task("", total=pace.total, epoch=done + 1, epochs=epochs, found="", pace="")
        shown = 0.0

        def advance(examples: int) -> None:
            nonlocal shown
            pace.seen += examples
            if (now := time.perf_counter()) - shown > _REFRESH:
                bar.update(job, completed=pace.seen, pace=str(pace))
                shown = now

        trainer.on_step = advance
        for report in trainer.run():
            next_epoch = min(report.epoch + 1, epochs)
            bar.update(job, completed=pace.seen, epoch=next_epoch, found=_found(report), pace=str(pace))


def _found(report: EpochReport) -> str:
    return f"loss {report.loss:.4f}, accuracy {report.overall:.4f}"
