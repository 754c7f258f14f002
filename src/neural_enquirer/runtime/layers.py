"""Layers: a model's weights by their names, and the few operations that all its parts are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
_AT_ONCE: Final = 4
"""Rows of a product that processors work on together."""


@dataclass(frozen=True)
class Weights:
    """The weights of a model, or of a part of it whose names all begin alike."""

    arrays: Mapping[str, Array]
    prefix: str = ""

    def __getitem__(self, name: str) -> Array:
        return self.arrays[self.prefix + name]

    def part(self, name: str) -> "Weights":
        """Those of a part."""
        return Weights(self.arrays, f"{self.prefix}{name}.")

    def count(self, name: str) -> int:
        """How many numbered parts there are."""
        first = f"{self.prefix}{name}."
        return len({own[len(first) :].partition(".")[0] for own in self.arrays if own.startswith(first)})

    def linear(self, name: str) -> "Linear":
        """A linear layer."""
        return Linear(self[f"{name}.weight"], self[f"{name}.bias"])


@dataclass(frozen=True)
class Linear:
    """W x + b."""

    weight: Array
    bias: Array

    def __call__(self, inputs: Array) -> Array:
        """Applies the layer to the last axis."""
        return linear(inputs, self.weight, self.bias)


def linear(inputs: Array, weight: Array, bias: Array | None = None) -> Array:
    """Returns W x + b over the last axis."""
    # One large product takes less time than one for each of the axes before.
    flat = inputs if inputs.ndim <= 2 else inputs.reshape(-1, inputs.shape[-1])
    outputs: Array = flat @ weight.T
    if bias is not None:
        outputs += bias
    return outputs if inputs.ndim <= 2 else outputs.reshape(*inputs.shape[:-1], -1)


def times(rows: Array, matrix: Array) -> Array:
    """Returns the product of some rows and a large matrix.

    Processors work on four rows together: five take as long as eight, and two or three are faster one by one.
    """
    count = len(rows)
    if count < _AT_ONCE:
        return np.asarray([row @ matrix for row in rows])
    missing = -count % _AT_ONCE
    if not missing:
        return np.asarray(rows @ matrix)
    filled = np.zeros((count + missing, rows.shape[1]), np.float32)
    filled[:count] = rows
    return np.asarray((filled @ matrix)[:count])


def by_columns(weight: Array) -> Array:
    """A matrix with its columns one behind the other, as `linear` reads it.

    For the few rows of a question, such a product takes a third of the time of one by a matrix that has to be
    turned round.
    """
    return np.asfortranarray(weight)


def tanh(values: Array) -> Array:
    """Replaces values by their hyperbolic tangents."""
    return np.tanh(values, out=values)


def sigmoid(values: Array) -> Array:
    """Returns σ(x) = (1 + tanh(x / 2)) / 2."""
    halves: Array = np.tanh(values * np.float32(0.5))
    halves += 1
    halves *= np.float32(0.5)
    return halves


def softmax(scores: Array) -> Array:
    """Returns the softmax over the last axis."""
    exponentials: Array = np.exp(scores - np.maximum.reduce(scores, axis=-1, keepdims=True))
    exponentials /= np.add.reduce(exponentials, axis=-1, keepdims=True)
    return exponentials


def log_softmax(scores: Array) -> Array:
    """Returns the logarithm of the softmax over the last axis."""
    shifted: Array = scores - np.maximum.reduce(scores, axis=-1, keepdims=True)
    shifted -= np.log(np.add.reduce(np.exp(shifted), axis=-1, keepdims=True))
    return shifted
