"""Work that is spread over all cores, for data that take a while to draw or to encode."""

import concurrent.futures
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
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if min(cores, len(jobs)) < 2:
        yield from map(function, jobs)
        return
    # Fresh processes: forked ones would inherit threads and, on a GPU machine, its context.
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(cores, len(jobs)), mp_context=context) as pool:
        yield from pool.map(function, jobs, chunksize=chunksize)
