"""Layers: a model's weights by their names, and the few operations that all its parts are made of."""

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
ONE, HALF = np.ones((), np.float32), np.full((), 0.5, np.float32)
"""As arrays, which numpy takes with less ado than numbers."""
_MOST_AS_IT_IS: Final = 1_000_000
"""Products of two numbers up to which OpenBLAS takes a matrix as it is."""
_FEW: Final = 32
"""Rows up to which that makes a difference."""


@dataclass(frozen=True)
class Weights:
    """The weights of a model, or of a part of it whose names all begin alike."""

    arrays: Mapping[str, Array]
    prefix: str = ""

    def __getitem__(self, name: str) -> Array:
        return self.arrays[self.prefix + name]

    def __contains__(self, name: str) -> bool:
        return self.prefix + name in self.arrays

    def get(self, name: str) -> Array | None:
        """Those of a name; None where a model has none such."""
        return self.arrays.get(self.prefix + name)

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
    outputs = times(flat, weight.T)
    if bias is not None:
        outputs += bias
    return outputs if inputs.ndim <= 2 else outputs.reshape(*inputs.shape[:-1], -1)


def times(rows: Array, matrix: Array) -> Array:
    """Returns the product of some rows, or of a single one, and a matrix.

    OpenBLAS puts the numbers of a large product into another order first, which takes longer than the product
    where rows are few; then parts of the matrix that are small enough take half of the time.
    """
    columns = matrix.shape[1]
    if rows.ndim == 1 or len(rows) > _FEW or rows.size * columns <= _MOST_AS_IT_IS:
        return np.asarray(rows.dot(matrix))
    product = np.empty((len(rows), columns), np.float32)
    width = -(-columns // -(-rows.size * columns // _MOST_AS_IT_IS))
    for start in range(0, columns, width):
        some = slice(start, start + width)
        np.matmul(rows, matrix[:, some], out=product[:, some])
    return product


def side_by_side(layers: Sequence[Linear]) -> tuple[Linear, list[slice]]:
    """Layers that hear the same as one, and where what each of them says stands in what that says.

    A few rows go through one large matrix in less time than through several small ones: it is read from
    memory in one go.
    """
    together = Linear(
        by_columns(np.concatenate([own.weight for own in layers])),
        np.concatenate([own.bias for own in layers]),
    )
    ends = itertools.accumulate([len(own.bias) for own in layers], initial=0)
    return together, [slice(*each) for each in itertools.pairwise(ends)]


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
    halves: Array = values * HALF
    np.tanh(halves, out=halves)
    halves += ONE
    halves *= HALF
    return halves


def softmax(scores: Array) -> Array:
    """Returns the softmax over the last axis."""
    exponentials: Array = scores - np.maximum.reduce(scores, axis=-1, keepdims=True)
    np.exp(exponentials, out=exponentials)
    exponentials /= sums(exponentials)
    return exponentials


def log_softmax(scores: Array) -> Array:
    """Returns the logarithm of the softmax over the last axis."""
    shifted: Array = scores - np.maximum.reduce(scores, axis=-1, keepdims=True)
    shifted -= np.log(sums(np.exp(shifted)))
    return shifted


def sums(values: Array) -> Array:
    """Returns the sums over the last axis, which stays; of several rows as a product, which is faster."""
    if values.ndim == 1:
        return np.asarray(np.add.reduce(values, keepdims=True))
    return np.asarray(values.dot(_ones(values.shape[-1])))[..., None]


@functools.lru_cache(maxsize=256)
def _ones(count: int) -> Array:
    return np.ones(count, np.float32)
