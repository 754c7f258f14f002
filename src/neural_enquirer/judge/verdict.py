"""The judge's small network, in numpy: a score for each candidate, and how sure that makes one."""

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

    def probabilities(self, features: Array) -> Array:
        """The probability of each candidate, of refusing, and of the right answer not being there."""
        hidden = (features - self.mean) / self.scale
        last = len(self.weights) - 1
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            hidden = hidden @ weight.T + bias
            if layer < last:
                hidden = np.maximum(hidden, 0)
        scores = hidden[:, 0] - hidden[:, 0].max()
        exponentials = np.exp(scores)
        return np.asarray(exponentials / exponentials.sum(), np.float32)
