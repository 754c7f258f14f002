"""The threads of OpenBLAS, by which numpy multiplies: while questions are answered, all but one rest.

They wait for each other in loops. The products of a question are too small to gain by that, and where cores
are shared each of them waits for the slowest. Long tables are worked on by threads of our own.
"""

import contextlib
import ctypes
import functools
import importlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

__all__ = ["on_one_core"]

_LOCK: Final = threading.Lock()
_NAMES: Final = [
    tuple(f"{before}openblas_{verb}_num_threads{behind}" for verb in ("get", "set"))
    for before in ("scipy_", "")
    for behind in ("64_", "")
]
"""What packages call the functions that tell and set how many threads multiply."""
_before: list[int] = []
"""How many threads there were when each of those came who are at it now: 1 but for the first."""


@contextlib.contextmanager
def on_one_core() -> Iterator[None]:
    """Lets numpy multiply without further threads; the last who leaves gives them back.

    Does nothing where numpy multiplies by something else.
    """
    tell, say = _functions()
    with _LOCK:
        _before.append(tell())
        say(1)
    try:
        yield
    finally:
        with _LOCK:
            count = _before.pop()
            if not _before:
                say(count)


@functools.cache
def _functions() -> tuple[Callable[[], int], Callable[[int], object]]:
    """What tells and sets how many threads OpenBLAS has."""
    own = importlib.import_module("numpy.linalg._umath_linalg").__file__
    beside = Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*")  # where Windows finds it
    for path in filter(None, (own, *map(str, beside))):
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(path)
            for tell, say in _NAMES:
                if hasattr(library, tell) and hasattr(library, say):
                    return getattr(library, tell), getattr(library, say)
    return (lambda: 1), (lambda _: None)
