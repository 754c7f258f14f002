"""What takes too long is ended, however late it begins to listen."""

import threading
import time

import pytest

from neural_enquirer.engines.engine import EngineError
from neural_enquirer.engines.time_limit import done_within, ended_after


def test_an_engine_that_begins_late_is_told_again() -> None:
    has_begun, is_stopped = threading.Event(), threading.Event()

    def stop() -> None:
        if has_begun.is_set():
            is_stopped.set()

    def work() -> None:
        with ended_after(0.05, stop, "Sloth"):
            time.sleep(0.3)
            has_begun.set()
            assert is_stopped.wait(30)
            raise RuntimeError("stopped")

    with pytest.raises(EngineError, match=r"^Sloth took longer than 0\.05 s"):
        work()


def test_what_ends_in_time_is_left_alone() -> None:
    stopped = threading.Event()
    with ended_after(0.2, stopped.set, "Hare"):
        pass
    with pytest.raises(RuntimeError, match="its own"), ended_after(0.2, stopped.set, "Hare"):
        raise RuntimeError("its own")
    assert not stopped.wait(0.5)


def test_work_that_hears_nothing_is_stopped_by_whoever_waits_for_it() -> None:
    is_stopped = threading.Event()
    with pytest.raises(EngineError, match=r"^Mole took longer than 0\.05 s"):
        done_within(0.05, lambda: is_stopped.wait(30), is_stopped.set, "Mole")
    assert is_stopped.is_set()
    assert done_within(None, lambda: 1, is_stopped.set, "Mole") == 1
    with pytest.raises(ZeroDivisionError):
        done_within(None, lambda: 1 / 0, is_stopped.set, "Mole")
