"""An end to what takes too long."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Final, TypeVar

from neural_enquirer.engines.engine import EngineError

_Found = TypeVar("_Found")

_AGAIN_SECONDS: Final = 0.5
"""An engine that has not begun when it is told to stop does not hear it, and is told again after so long."""


@contextlib.contextmanager
def ended_after(seconds: float | None, stop: Callable[[], object], name: str) -> Iterator[None]:
    """Stops the work of an engine, which has a name, after some time; None or infinity never does.

    Raises:
        EngineError: if it was stopped.
    """
    if seconds is None or seconds >= threading.TIMEOUT_MAX:
        yield
        return
    is_done, is_late = threading.Event(), threading.Event()

    def end() -> None:
        wait = seconds
        while not is_done.wait(wait):
            is_late.set()
            stop()
            wait = _AGAIN_SECONDS

    watcher = threading.Thread(target=end, daemon=True)
    watcher.start()
    try:
        yield
    except Exception:
        if is_late.is_set():
            raise EngineError(f"{name} took longer than {seconds:g} s; ask for less") from None
        raise
    finally:
        is_done.set()
        watcher.join()  # so that it stops nothing that comes after


def done_within(
    seconds: float | None, work: Callable[[], _Found], stop: Callable[[], object], name: str
) -> _Found:
    """What an engine finds, which hears nothing while it works: whoever waits for it stops it.

    It is stopped after some time, and by Ctrl-C.

    Raises:
        EngineError: if it took too long.
    """
    future: Future[_Found] = Future()
    worker = threading.Thread(target=_do, args=(work, future), daemon=True)
    worker.start()
    is_endless = seconds is None or seconds >= threading.TIMEOUT_MAX
    try:
        return future.result(None if is_endless else seconds)
    except TimeoutError:
        raise EngineError(f"{name} took longer than {seconds:g} s; ask for less") from None
    finally:
        while not future.done():
            stop()
            worker.join(_AGAIN_SECONDS)


def _do(work: Callable[[], _Found], future: "Future[_Found]") -> None:
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)
