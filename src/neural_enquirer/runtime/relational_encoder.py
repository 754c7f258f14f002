"""Relational encoder: words, fields, mentions and quantities look at each other along their links.

Layers of self-attention, x + attention(norm x) and then x + DNN(norm x), in which a link adds to the score of
the pair that it joins, by a weight of each head.
"""

from collections.abc import Sequence

import numpy as np

from neural_enquirer.encoding.linking import FOUND
from neural_enquirer.encoding.schema import Pointed
from neural_enquirer.runtime.layers import Array, Linear, Weights, softmax

_LEAST = np.float32(1e-5)
"""Added to a variance, so that it can be divided by."""


class RelationalEncoder:
    """Changes the vectors of words, fields, mentions and quantities by what the others are."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's relational encoder."""
        self._into = [weights.linear(f"into.{n}") for n in range(weights.count("into"))]
        norm = weights.part("norm")
        self._out = [_behind(norm, weights.linear(f"out.{n}")) for n in range(weights.count("out"))]
        self._layers = [_Layer(weights.part(f"layers.{n}")) for n in range(weights.count("layers"))]
        self._relation = np.concatenate([layer.relation for layer in self._layers], axis=1)

    def related(self, vectors: Sequence[Array], links: Array) -> list[Array]:
        """The vectors of words, fields, mentions and quantities anew; `links` are those of `relations`."""
        items = np.concatenate([into(own) for into, own in zip(self._into, vectors, strict=True)])
        count = len(items)
        scores = (links.reshape(count * count, -1) @ self._relation).reshape(count, count, -1)
        heads = scores.shape[2] // len(self._layers)
        for number, layer in enumerate(self._layers):
            own = scores[..., number * heads : (number + 1) * heads]
            layer.change(items, own.transpose(2, 0, 1))
        items = _normed(items)
        parts = np.split(items, np.cumsum([len(own) for own in vectors])[:-1])
        return [own + out(part) for own, out, part in zip(vectors, self._out, parts, strict=True)]


def _normed(items: Array) -> Array:
    """(x - mean) / deviation."""
    share = np.float32(1 / items.shape[1])
    apart: Array = items - items.sum(axis=1, keepdims=True) * share
    apart /= np.sqrt(np.einsum("nd,nd->n", apart, apart) * share + _LEAST)[:, None]
    return apart


def _behind(norm: Weights, layer: Linear) -> Linear:
    """A layer behind the scale of a norm, as one layer."""
    return Linear(layer.weight * norm["weight"], layer.bias + layer.weight @ norm["bias"])


class _Layer:
    """Self-attention, and a DNN of two layers; `relation` is what each link weighs for each head."""

    def __init__(self, weights: Weights) -> None:
        self.relation = weights["relation"]
        attended = _behind(weights.part("attention_norm"), weights.linear("attended"))
        self._attended = _scaled_queries(attended, self.relation.shape[1])
        self._gathered = weights.linear("gathered")
        self._hidden = _behind(weights.part("thought_norm"), weights.linear("hidden"))
        self._thought = weights.linear("thought")

    def change(self, items: Array, linked: Array) -> None:
        """Changes items; `linked` is what their links add to the scores of each head."""
        count, size = items.shape
        parts = self._attended(_normed(items)).reshape(count, 3, len(linked), -1)
        queries, keys, values = parts.transpose(1, 2, 0, 3)
        scores = queries @ keys.transpose(0, 2, 1)
        scores += linked
        items += self._gathered((softmax(scores) @ values).transpose(1, 0, 2).reshape(count, size))
        hidden = self._hidden(_normed(items))
        items += self._thought(np.maximum(hidden, 0, out=hidden))


def _scaled_queries(attended: Linear, heads: int) -> Linear:
    """The layer of queries, keys and values with queries divided by the root of a head's size."""
    size = len(attended.bias) // 3
    scale = np.ones(len(attended.bias), np.float32)
    scale[:size] /= np.sqrt(np.float32(size / heads))
    return Linear(attended.weight * scale[:, None], attended.bias * scale)


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
