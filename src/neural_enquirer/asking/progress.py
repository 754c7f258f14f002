"""A bar on a terminal while long work goes on."""

import contextlib
import sys
from collections.abc import Callable, Iterator

__all__ = ["progress", "progress_of_parts"]


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


@contextlib.contextmanager
def progress_of_parts() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each thing that goes on, one after the other: what it is, what is done, and of how much."""
    with contextlib.ExitStack() as bars:
        now, done_before = "", 0
        advance: Callable[[int], None] = print

        def told(what: str, done: int, total: int) -> None:
            nonlocal now, done_before, advance
            if what != now:
                bars.close()
                now, done_before, advance = what, 0, bars.enter_context(progress(what, total))
            advance(done - done_before)
            done_before = done

        yield told
