"""Many runs: several at a time, each in a process of its own, what is done already left out."""

import contextlib
import importlib.util
import json
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from neural_enquirer.reproduction.experiments import ReproductionError
from neural_enquirer.reproduction.run import Run, execute
from neural_enquirer.reproduction.stored import Results, met_test_forms
from neural_enquirer.training.state import PROGRESS

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_LOOK = 0.5
"""Seconds between two looks at how far the runs are."""


class Observer:
    """Is told how the runs go; this one says nothing of it."""

    def going(self, run: Run, epoch: int, validation: float) -> None:
        """A run has come so far."""

    def finished(self, run: Run) -> None:
        """A run is done."""


@dataclass
class _Lines(Observer):
    """A line for each run, for output that is kept in a file."""

    total: int
    done: int
    start: float = field(default_factory=time.perf_counter)

    def finished(self, run: Run) -> None:
        self.done += 1
        seconds = time.perf_counter() - self.start
        print(f"{self.done}/{self.total} runs, {seconds:.0f} s: {run.title}", file=sys.stderr, flush=True)


@dataclass
class _Bars(Observer):
    """A bar for all runs, and a line for each that is going on."""

    progress: "Progress"
    all_runs: "TaskID"
    tasks: dict[str, "TaskID"] = field(default_factory=dict)

    def going(self, run: Run, epoch: int, validation: float) -> None:
        if run.title not in self.tasks:
            self.tasks[run.title] = self.progress.add_task(run.title, total=None)
        found = f"epoch {epoch}, validation {validation:.4f}"
        self.progress.update(self.tasks[run.title], description=f"{run.title}: {found}")

    def finished(self, run: Run) -> None:
        if run.title in self.tasks:
            self.progress.remove_task(self.tasks.pop(run.title))
        self.progress.advance(self.all_runs)


@contextlib.contextmanager
def shown(runs: Sequence[Run]) -> Iterator[Observer]:
    """Yields who shows how far these runs are: bars on a terminal, where Rich is installed, else lines."""
    done = sum(map(is_done, runs))
    if not sys.stderr.isatty() or importlib.util.find_spec("rich") is None:
        yield _Lines(len(runs), done)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(bar_width=20), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Bars(progress, progress.add_task("all runs", total=len(runs), completed=done))


def is_done(run: Run) -> bool:
    """Returns whether a run's result is there; one that met test forms in training is made again."""
    stored = Results(run.out).read(str(run.result.relative_to(run.out)))
    return stored is not None and not met_test_forms(stored)


def execute_all(runs: Sequence[Run], workers: int, observer: Observer) -> None:
    """Makes the results that are not there yet. A run that fails does not keep the others from going on.

    Stopped and started again, finished runs are left out and the others go on after their last epoch.

    Raises:
        ReproductionError: once all others are done, if some failed.
    """
    left = [run for run in runs if not is_done(run)]
    if not left:
        return
    failures: dict[str, BaseException] = {}
    with _pool(min(workers, len(left))) as pool:
        running = {pool.submit(_execute_quietly, run): run for run in left}
        while running:
            done = _wait(running, observer)
            for future in done:
                run = running.pop(future)
                if (error := future.exception()) is None:
                    observer.finished(run)
                else:
                    failures[run.title] = error
    if failures:
        title, error = next(iter(failures.items()))
        raise ReproductionError(_told(title, error, len(failures)))


def _wait(running: dict[Future[None], Run], observer: Observer) -> set[Future[None]]:
    done, _ = wait(running, timeout=_LOOK, return_when=FIRST_COMPLETED)
    for future, run in running.items():
        if future not in done and future.running():
            _tell_progress(run, observer)
    return done


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that share the cores, so that they do not wait for each other; an interrupt ends them."""
    threads = max(1, (os.cpu_count() or 1) // workers) if workers > 1 else None
    pool = ProcessPoolExecutor(
        workers, multiprocessing.get_context("spawn"), initializer=_begin, initargs=(threads,)
    )
    try:
        yield pool
    except BaseException:
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _begin(threads: int | None) -> None:
    """Prepares a process: it has its share of the cores, and ends with the one that started it."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if threads is not None:
        import torch

        torch.set_num_threads(threads)


def _end_with_parent() -> None:
    """Without this, a run would go on beside the same one of a reproduction that is started again."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _execute_quietly(run: Run) -> None:
    """Executes a run; what it prints goes into a file beside its folder."""
    run.runs.mkdir(parents=True, exist_ok=True)
    with log_of(run).open("a") as log, contextlib.redirect_stdout(log):
        execute(run)


def log_of(run: Run) -> Path:
    """Returns the file that holds what a run printed."""
    return run.runs / f"{run.title}.log"


def _tell_progress(run: Run, observer: Observer) -> None:
    """Looks at what the run has written after its last epoch."""
    try:
        epochs = json.loads((run.directory / PROGRESS).read_text())["epochs"]
    except (OSError, ValueError, KeyError):
        return
    if epochs:
        observer.going(run, len(epochs), float(epochs[-1]["overall"]))


def _told(title: str, error: BaseException, count: int) -> str:
    reason = "its process was ended" if isinstance(error, BrokenProcessPool) else str(error) or repr(error)
    others = f" (and {count - 1} more failed)" if count > 1 else ""
    return f"the run {title} failed{others}: {reason}"
