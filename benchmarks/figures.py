"""Figures that are measured, the bars that they are held against, and what measures them."""

import resource
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Figure", "peak_memory", "seconds", "show_figures", "spread"]


@dataclass(frozen=True)
class Figure:
    """A measured figure and the bar that it is held against."""

    name: str
    value: float
    unit: str
    bar: float
    at_most: bool

    @property
    def holds(self) -> bool:
        """Whether the bar is met."""
        return self.value <= self.bar if self.at_most else self.value >= self.bar


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def spread(values: Sequence[float]) -> dict[str, float]:
    """Returns the median, the least and the most."""
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}


def peak_memory() -> float:
    """Returns the most memory that this process had, in MB; ru_maxrss would count its parent's as well."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def show_figures(figures: Iterable[Figure]) -> None:
    for figure in figures:
        bar = f"{'at most' if figure.at_most else 'at least'} {figure.bar:,g}"
        missed = "" if figure.holds else ": MISSED"
        print(f"{figure.name:52}{figure.value:10,.2f} {figure.unit:12} ({bar}{missed})")
