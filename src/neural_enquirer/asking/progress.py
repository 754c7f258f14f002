"""A bar on a terminal while long work goes on."""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Final

_SECONDS_UNSEEN: Final = 1.0
"""What is done within so long needs no sign that it goes on."""


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
def waiting(what: str) -> Iterator[None]:
    """A sign on a terminal that something goes on, from the moment at which it has taken a second."""
    if not sys.stderr.isatty():
        yield
        return
    is_done = threading.Event()

    def show() -> None:
        if not is_done.wait(_SECONDS_UNSEEN):
            import rich.console  # not before: most answers take less
            import rich.status

            with rich.status.Status(what, console=rich.console.Console(stderr=True)):
                is_done.wait()

    sign = threading.Thread(target=show, daemon=True)
    sign.start()
    try:
        yield
    finally:
        is_done.set()
        sign.join()


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
