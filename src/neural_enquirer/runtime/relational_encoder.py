"""Relational encoder: words, fields, mentions and quantities look at each other along their links.

Layers of self-attention, x + attention(norm x) and then x + DNN(norm x), in which a link adds to the score of
the pair that it joins, by a weight of each head.
"""

from collections.abc import Sequence

import numpy as np

from neural_enquirer.encoding.linking import FOUND
from neural_enquirer.encoding.schema import Pointed
from neural_enquirer.runtime.layers import Array, Weights, softmax

__all__ = ["RelationalEncoder", "relations"]

_LEAST = np.float32(1e-5)
"""Added to a variance, so that it can be divided by."""


class RelationalEncoder:
    """Changes the vectors of words, fields, mentions and quantities by what the others are."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's relational encoder."""
        self._into = [weights.linear(f"into.{n}") for n in range(weights.count("into"))]
        self._out = [weights.linear(f"out.{n}") for n in range(weights.count("out"))]
        self._layers = [_Layer(weights.part(f"layers.{n}")) for n in range(weights.count("layers"))]
        self._norm = _Norm(weights.part("norm"))

    def related(self, vectors: Sequence[Array], links: Array) -> list[Array]:
        """The vectors of words, fields, mentions and quantities anew; `links` are those of `relations`."""
        items = np.concatenate([into(own) for into, own in zip(self._into, vectors, strict=True)])
        for layer in self._layers:
            items = layer(items, links)
        parts = np.split(self._norm(items), np.cumsum([len(own) for own in vectors])[:-1])
        return [own + out(part) for own, out, part in zip(vectors, self._out, parts, strict=True)]


class _Norm:
    """(x - mean) / deviation, scaled."""

    def __init__(self, weights: Weights) -> None:
        self._weight, self._bias = weights["weight"], weights["bias"]

    def __call__(self, items: Array) -> Array:
        apart: Array = items - items.mean(axis=1, keepdims=True)
        apart /= np.sqrt(np.square(apart).mean(axis=1, keepdims=True) + _LEAST)
        apart *= self._weight
        apart += self._bias
        return apart


class _Layer:
    """Self-attention, and a DNN of two layers."""

    def __init__(self, weights: Weights) -> None:
        self._attention_norm, self._thought_norm = (
            _Norm(weights.part(name)) for name in ("attention_norm", "thought_norm")
        )
        self._attended, self._gathered = weights.linear("attended"), weights.linear("gathered")
        self._hidden, self._thought = weights.linear("hidden"), weights.linear("thought")
        self._relation = weights["relation"]

    def __call__(self, items: Array, links: Array) -> Array:
        count, size = items.shape
        heads = self._relation.shape[1]
        parts = self._attended(self._attention_norm(items)).reshape(count, 3, heads, -1)
        queries, keys, values = parts.transpose(1, 2, 0, 3)
        scores = queries @ keys.transpose(0, 2, 1) / np.sqrt(np.float32(size / heads))
        scores += (links @ self._relation).transpose(2, 0, 1)
        gathered = (softmax(scores) @ values).transpose(1, 0, 2).reshape(count, size)
        items = items + self._gathered(gathered)
        return items + self._thought(np.maximum(self._hidden(self._thought_norm(items)), 0))


def relations(says: Array, pointed: Pointed, tables: Sequence[int]) -> Array:
    """What is linked with what, and how strongly: a matrix over all items for each relation.

    Args:
        says: how much each word speaks of each field, mention and quantity.
        pointed: what mentions and quantities point at.
        tables: how many fields each table has.
    """
    sizes = (len(says), len(pointed.kinds), len(pointed.mention_fields), len(pointed.quantity_fields))
    ends = np.cumsum(sizes)
    words, fields, mentions, quantities = (
        slice(int(end) - size, int(end)) for end, size in zip(ends, sizes, strict=True)
    )
    owners = np.repeat(np.arange(len(tables)), tables)
    speaking = says[:, : ends[3] - ends[0]]
    blocks = (
        (words, fields, speaking[:, : sizes[1]]),
        (words, mentions, speaking[:, sizes[1] : sizes[1] + sizes[2]]),
        (words, quantities, speaking[:, sizes[1] + sizes[2] :]),
        (mentions, fields, pointed.mention_fields),
        (quantities, fields, pointed.quantity_fields > 0),
        (quantities, fields, pointed.quantity_fields == FOUND),
        (words, words, np.eye(sizes[0], k=1)),
    )
    links = np.zeros((ends[3], ends[3], 2 * len(blocks) + 1), np.float32)
    for number, (row, column, block) in enumerate(blocks):
        links[row, column, 2 * number] = block
        links[column, row, 2 * number + 1] = np.transpose(block)
    links[fields, fields, -1] = owners == owners[:, None]
    return links
