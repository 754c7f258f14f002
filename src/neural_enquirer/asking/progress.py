"""A bar on a terminal while long work goes on."""

import contextlib
import sys
from collections.abc import Callable, Iterator

__all__ = ["progress"]


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, and nothing where the output goes to a file."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    import rich.console
    import rich.progress

    console = rich.console.Console(stderr=True)
    with rich.progress.Progress(
        *rich.progress.Progress.get_default_columns(), console=console, transient=True
    ) as bar:
        job = bar.add_task(what, total=total)
        yield lambda done: bar.advance(job, done)
