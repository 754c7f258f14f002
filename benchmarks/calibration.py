"""Calibration: whether answers are right as often as the model says they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BINS = 15


@dataclass(frozen=True)
class Bin:
    """The answers whose confidence lies between two bounds."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


def reliability(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> list[Bin]:
    """Sorts answers into bins of equal width by their confidence; empty bins are left out."""
    sure, hits = np.asarray(confidences, dtype=float), np.asarray(right, dtype=float)
    place = np.clip(np.ceil(sure * bins).astype(int) - 1, 0, bins - 1)  # bounds belong to the bin below
    found = []
    for i in range(bins):
        own = place == i
        if own.any():
            means = float(sure[own].mean()), float(hits[own].mean())
            found.append(Bin(i / bins, (i + 1) / bins, int(own.sum()), *means))
    return found


def expected_calibration_error(bins: Sequence[Bin]) -> float:
    """Returns the mean distance between confidence and accuracy, each bin weighed by its answers."""
    total = sum(one.count for one in bins)
    return sum(one.count * abs(one.confidence - one.accuracy) for one in bins) / max(total, 1)


def draw_reliability(path: Path, bins: Sequence[Bin], title: str) -> None:
    """Draws accuracy over confidence, and how many answers each bin has."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (upper, lower) = pyplot.subplots(
        2, 1, sharex=True, figsize=(5, 6), height_ratios=(3, 1), layout="constrained"
    )
    middles, width = [(one.low + one.high) / 2 for one in bins], 0.9 / BINS
    upper.plot((0, 1), (0, 1), color="grey", linestyle="--", linewidth=1, label="perfectly calibrated")
    upper.bar(middles, [one.accuracy for one in bins], width, color="#4c72b0", label="answers")
    upper.plot(
        [one.confidence for one in bins], [one.accuracy for one in bins], "o", color="#c44e52", markersize=4
    )
    upper.set(ylabel="share of right answers", xlim=(0, 1), ylim=(0, 1), title=title)
    upper.legend(loc="upper left")
    lower.bar(middles, [one.count for one in bins], width, color="#4c72b0")
    lower.set(xlabel="confidence", ylabel="answers", yscale="log")
    figure.savefig(path, dpi=120, metadata={"Software": None})
    pyplot.close(figure)
