"""Models in the processes that share the work: each loads the model once."""

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.runtime.loading import Loaded

Told = Callable[[str, int, int], None]
"""Hears what is going on, how much of it is done, and of how much."""


def nobody(what: str, done: int, total: int) -> None:
    """Hears nothing."""


@functools.lru_cache(maxsize=1)
def predictor_of(run: Path, temperature: float) -> OpenPredictor:
    """Loads the open model of a run, without a judge."""
    return OpenPredictor(replace(Loaded.read(run), temperature=temperature), run.name)
