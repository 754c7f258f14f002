"""Work that is spread over all cores, for data that take a while to draw or to encode."""

import concurrent.futures
import functools
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def map_on_all_cores(
    function: Callable[[Job], Result], jobs: Sequence[Job], chunksize: int = 1
) -> Iterator[Result]:
    """Yields the result of each job in order; processes hand jobs and results on to each other."""
    if min(_cores(), len(jobs)) < 2:
        yield from map(function, jobs)
        return
    yield from _pool().map(function, jobs, chunksize=chunksize)


@functools.cache
def _pool() -> concurrent.futures.ProcessPoolExecutor:
    """The processes, kept for the next work: each takes seconds to load what it needs.

    They are fresh ones: forked ones would inherit threads and, on a GPU machine, its context.
    """
    return concurrent.futures.ProcessPoolExecutor(
        _cores(), mp_context=multiprocessing.get_context("spawn"), initializer=_calm
    )


def end_processes() -> None:
    """Ends the processes; work that comes later starts others."""
    if _pool.cache_info().currsize:
        _pool().shutdown()
        _pool.cache_clear()


def _calm() -> None:
    """Keeps a process from using more than one core."""
    os.environ["OMP_NUM_THREADS"] = "1"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
