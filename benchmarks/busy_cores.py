"""Cores that are busy elsewhere: what other programs on a machine look like to one that answers questions."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

__all__ = ["PER_CORE", "PROPORTION", "all_cores_busy"]

PER_CORE = 2
"""Processes that each core has to do besides."""
PROPORTION = 1.5 * (PER_CORE + 1)
"""How many times slower asking may be then: its share of a core, and half of that for changing over."""


@contextlib.contextmanager
def all_cores_busy(per_core: int = PER_CORE) -> Iterator[None]:
    """Keeps all cores busy with processes that do nothing of use."""
    count = per_core * (os.cpu_count() or 1)
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()
