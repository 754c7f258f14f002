"""Models in the processes that share the work: each loads the model once."""

import functools
import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from neural_enquirer import checkpoint
from neural_enquirer.prediction.predictors import OpenPredictor

__all__ = ["Told", "nobody", "predictor_of"]

Told = Callable[[str, int, int], None]
"""Hears what is going on, how much of it is done, and of how much."""


def nobody(what: str, done: int, total: int) -> None:
    """Hears nothing."""


@functools.lru_cache(maxsize=1)
def predictor_of(run: Path, temperature: float) -> OpenPredictor:
    """Loads the open model of a run, without a judge."""
    if multiprocessing.parent_process() is not None:
        torch.set_num_threads(1)  # the other cores have processes of their own
    return OpenPredictor(replace(checkpoint.load(run), temperature=temperature), run.name)
