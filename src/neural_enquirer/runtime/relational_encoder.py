"""Relational encoder: words, fields, mentions and quantities look at each other along their links.

Layers of self-attention, x + attention(norm x) and then x + DNN(norm x), in which a link adds to the score of
the pair that it joins, by a weight of each head.
"""

import functools
import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.linking import FOUND
from neural_enquirer.encoding.schema import Pointed
from neural_enquirer.runtime.layers import Array, Linear, Mask, Weights, by_columns, softmax, sums

_LEAST: Final = np.full((), 1e-5, np.float32)
"""Added to a variance, so that it can be divided by."""
_ZERO: Final = np.zeros((), np.float32)
_KINDS: Final = 7
"""Kinds of links between two items, each of which goes both ways; fields of one table are linked as well."""


class RelationalEncoder:
    """Changes the vectors of words, fields, mentions and quantities by what the others are.

    Every norm takes the mean away from an item. So it is taken from the weights of all that is added to
    items, once and for all, and items have none.
    """

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's relational encoder."""
        self._into = [_without_mean(weights.linear(f"into.{n}")) for n in range(weights.count("into"))]
        norm = weights.part("norm")
        self._out = [_behind(norm, weights.linear(f"out.{n}")) for n in range(weights.count("out"))]
        self._layers = [_Layer(weights.part(f"layers.{n}")) for n in range(weights.count("layers"))]
        self._relation = np.ascontiguousarray(
            np.concatenate([layer.relation for layer in self._layers], axis=1).T
        )

    def related(self, vectors: Sequence[Array], links: Array) -> list[Array]:
        """The vectors of words, fields, mentions and quantities anew; `links` are those of `relations`."""
        there = [(into, own) for into, own in zip(self._into, vectors, strict=True) if len(own)]
        items = np.concatenate([into(own) for into, own in there])
        count = len(items)
        scores = self._relation.dot(links.reshape(len(links), -1))
        for layer, own in zip(self._layers, scores.reshape(len(self._layers), -1, count, count), strict=True):
            layer.change(items, own)
        items, changed, first = _normed(items), [], 0
        for own, out in zip(vectors, self._out, strict=True):
            changed.append(own + out(items[first : first + len(own)]) if len(own) else own)
            first += len(own)
        return changed


def _normed(items: Array) -> Array:
    """Divides items, whose mean is zero, by their deviation."""
    squares = sums(items * items)
    squares /= items.shape[1]
    squares += _LEAST
    return np.asarray(items / np.sqrt(squares, out=squares))


def _without_mean(layer: Linear) -> Linear:
    """A layer that takes the mean away from all that it says."""
    return Linear(by_columns(layer.weight - layer.weight.mean(axis=0)), layer.bias - layer.bias.mean())


def _behind(norm: Weights, layer: Linear) -> Linear:
    """A layer behind the scale of a norm, as one layer."""
    return Linear(by_columns(layer.weight * norm["weight"]), layer.bias + layer.weight @ norm["bias"])


class _Layer:
    """Self-attention, and a DNN of two layers; `relation` is what each link weighs for each head."""

    def __init__(self, weights: Weights) -> None:
        self.relation = weights["relation"]
        attended = _behind(weights.part("attention_norm"), weights.linear("attended"))
        self._attended = _scaled_queries(attended, self.relation.shape[1])
        self._gathered = _without_mean(weights.linear("gathered"))
        self._hidden = _behind(weights.part("thought_norm"), weights.linear("hidden"))
        self._thought = _without_mean(weights.linear("thought"))

    def change(self, items: Array, linked: Array) -> None:
        """Changes items; `linked` is what their links add to the scores of each head."""
        count, size = items.shape
        parts = self._attended(_normed(items)).reshape(count, 3, len(linked), -1)
        queries, keys, values = parts.transpose(1, 2, 0, 3)
        scores = np.matmul(queries, keys.transpose(0, 2, 1))
        scores += linked
        gathered = np.matmul(softmax(scores), values)
        items += self._gathered(gathered.transpose(1, 0, 2).reshape(count, size))
        hidden = self._hidden(_normed(items))
        items += self._thought(np.maximum(hidden, _ZERO, out=hidden))


def _scaled_queries(attended: Linear, heads: int) -> Linear:
    """The layer of queries, keys and values with queries divided by the root of a head's size."""
    size = len(attended.bias) // 3
    scale = np.ones(len(attended.bias), np.float32)
    scale[:size] /= np.sqrt(np.float32(size / heads))
    return Linear(by_columns(attended.weight * scale[:, None]), attended.bias * scale)


def relations(says: Array, pointed: Pointed, tables: Sequence[int]) -> Array:
    """What is linked with what, and how strongly: a matrix over all items for each relation.

    Args:
        says: how much each word speaks of each field, mention and quantity.
        pointed: what mentions and quantities point at.
        tables: how many fields each table has.
    """
    sizes = (len(says), len(pointed.kinds), len(pointed.mention_fields), len(pointed.quantity_fields))
    ends = list(itertools.accumulate(sizes, initial=0))
    words, fields, mentions, quantities = (slice(*each) for each in itertools.pairwise(ends))
    links = np.zeros((2 * _KINDS + 1, ends[-1], ends[-1]), np.float32)

    def link(kind: int, row: slice, column: slice, block: Array | Mask) -> None:
        links[2 * kind, row, column] = block
        links[2 * kind + 1, column, row] = block.T

    link(0, words, fields, says[:, : sizes[1]])
    if sizes[2]:
        link(1, words, mentions, says[:, sizes[1] : sizes[1] + sizes[2]])
        link(3, mentions, fields, pointed.mention_fields)
    if sizes[3]:
        link(2, words, quantities, says[:, ends[3] - ends[1] : ends[4] - ends[1]])
        link(4, quantities, fields, pointed.quantity_fields > 0)
        link(5, quantities, fields, pointed.quantity_fields == FOUND)
    link(6, words, words, _followed(sizes[0]))
    for first, last in itertools.pairwise(itertools.accumulate(tables, initial=ends[1])):
        links[-1, first:last, first:last] = 1
    return links


@functools.lru_cache(maxsize=256)
def _followed(words: int) -> Array:
    """Which word is followed by which."""
    return np.eye(words, k=1, dtype=np.float32)
