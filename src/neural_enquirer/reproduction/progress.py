"""What people see while runs go on: bars on a terminal, where Rich is installed, else a line for each run."""

import contextlib
import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from neural_enquirer.reproduction.run import Run
from neural_enquirer.reproduction.schedule import Observer, is_done

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@dataclass
class _Lines:
    """For output that is kept in a file."""

    total: int
    start: float = field(default_factory=time.perf_counter)
    done: int = 0

    def going(self, run: Run, epoch: int, validation: float) -> None:
        """Says nothing: epochs are many."""

    def finished(self, run: Run) -> None:
        self.done += 1
        seconds = time.perf_counter() - self.start
        print(f"{self.done}/{self.total} runs, {seconds:.0f} s: {run.title}", file=sys.stderr, flush=True)


@dataclass
class _Bars:
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
    """Yields an observer that shows how far these runs are."""
    done = sum(map(is_done, runs))
    if not sys.stderr.isatty() or importlib.util.find_spec("rich") is None:
        yield _Lines(len(runs), done=done)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(bar_width=20), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield _Bars(progress, progress.add_task("all runs", total=len(runs), completed=done))
