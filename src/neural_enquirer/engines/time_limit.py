"""An end to what takes too long."""

import contextlib
import threading
from collections.abc import Callable, Iterator

from neural_enquirer.engines.engine import EngineError

__all__ = ["ended_after"]


@contextlib.contextmanager
def ended_after(seconds: float | None, stop: Callable[[], object], name: str) -> Iterator[None]:
    """Stops the work of an engine, which has a name, after some time; None or infinity never does.

    Raises:
        EngineError: if it was stopped.
    """
    if seconds is None or seconds >= threading.TIMEOUT_MAX:
        yield
        return
    late = threading.Event()

    def end() -> None:
        late.set()
        stop()

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    except Exception:
        if late.is_set():
            raise EngineError(f"{name} took longer than {seconds:g} s; ask for less") from None
        raise
    finally:
        timer.cancel()
