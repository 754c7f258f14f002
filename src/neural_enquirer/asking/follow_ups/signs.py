"""Whether signs say that a question leans on the one before: weights that were learned from conversations."""

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["WEIGHTS", "leans"]

WEIGHTS: Final = Path(__file__).parents[2] / "data" / "answers" / "leaning.toml"
"""Written by `python -m benchmarks.leaning`."""


def leans(signs: Mapping[str, float]) -> float:
    """How much speaks for a question to lean on the one before; less than nothing speaks against it."""
    weights = _weights()
    return sum(weights.get(name, 0.0) * value for name, value in signs.items())


@functools.cache
def _weights() -> Mapping[str, float]:
    return {name: float(weight) for name, weight in tomllib.loads(WEIGHTS.read_text("utf-8")).items()}
