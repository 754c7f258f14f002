"""The judge's small network, in numpy: a score for each candidate, and how sure that makes one."""

import functools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Judge:
    """Scores rows of features; the scores of one question make a distribution.

    Attributes:
        mean: of each feature.
        scale: by which each feature is divided.
        weights: of each layer.
        biases: of each layer.
    """

    mean: Array
    scale: Array
    weights: tuple[Array, ...]
    biases: tuple[Array, ...]

    @functools.cached_property
    def _turned(self) -> list[Array]:
        """The weights as rows are multiplied with them, in their order in memory."""
        return [np.ascontiguousarray(weight.T) for weight in self.weights]

    def probabilities(self, features: Array) -> Array:
        """The probability of each candidate, of refusing, and of the right answer not being there."""
        hidden = (features - self.mean) / self.scale
        *layers, (weight, bias) = zip(self._turned, self.biases, strict=True)
        for own, more in layers:
            hidden = hidden.dot(own)
            hidden += more
            np.maximum(hidden, 0, out=hidden)
        scores = (hidden.dot(weight) + bias)[:, 0]
        scores -= scores.max()
        exponentials = np.exp(scores)
        return np.asarray(exponentials / exponentials.sum(), np.float32)
