"""Undisturbed: while questions are answered, OpenBLAS's further threads rest, and nothing looks for garbage.

numpy multiplies by OpenBLAS, whose threads wait for each other in loops. The products of a question are too
small to gain by that, and where cores are shared each of them waits for the slowest. Long tables have threads
of our own. Of garbage that only Python's collector finds, a question makes hardly any.
"""

import contextlib
import ctypes
import functools
import gc
import importlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

_LOCK: Final = threading.Lock()
_NAMES: Final = [
    tuple(f"{before}openblas_{verb}_num_threads{behind}" for verb in ("get", "set"))
    for before in ("scipy_", "")
    for behind in ("64_", "")
]
"""What packages call the functions that tell and set how many threads multiply."""
_before: list[tuple[int, bool]] = []
"""How many threads there were, and whether garbage was looked for, when each came who is at it now."""


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Lets numpy multiply without further threads and false alarms, and garbage lie.

    The last who leaves puts all back.
    """
    tell, say = _functions()
    with _LOCK:
        _before.append((tell(), gc.isenabled()))
        say(1)
        gc.disable()
    try:
        # A product may look at numbers beyond its end, which it throws away, and warn of these.
        with np.errstate(invalid="ignore"):
            yield
    finally:
        with _LOCK:
            threads, collects = _before.pop()  # the last entry that is left is the first
            if not _before:
                say(threads)
                if collects:
                    gc.enable()


@functools.cache
def _functions() -> tuple[Callable[[], int], Callable[[int], object]]:
    """What tells and sets how many threads OpenBLAS has; nothing where numpy multiplies by something else."""
    own = importlib.import_module("numpy.linalg._umath_linalg").__file__
    beside = Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*")  # where Windows finds it
    for path in filter(None, (own, *map(str, beside))):
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(path)
            for tell, say in _NAMES:
                if hasattr(library, tell) and hasattr(library, say):
                    return getattr(library, tell), getattr(library, say)
    return (lambda: 1), (lambda _: None)
