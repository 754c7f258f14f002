"""Links between tables: by which fields the rows of two tables belong together, and how strongly.

w_nn' = softmax over pairs of fields, and "no pair", of DNN([f_n + f_n'; q; features of the pair]).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.tables_index import Codes
from neural_enquirer.runtime.layers import Array, Mask, Weights, linear, softmax, tanh

COMPARED_AT_ONCE = 4_000_000
"""Pairs of cells that are compared in one go."""
FAINTEST_PAIR = 1e-4
"""Pairs of fields with a weaker link are left out where rows are many."""
_SHORTEST = 1e-12


@dataclass(frozen=True)
class Link:
    """How two tables are linked.

    Attributes:
        fields: the weight of each pair of fields, one from either table; with "no pair" they sum to one.
        rows: the strength of the link of each pair of rows: the weight of all fields whose values they share.
    """

    fields: Array
    rows: Array

    def reversed(self) -> "Link":
        """Returns the same link seen from the other table."""
        return Link(self.fields.T, self.rows.T)


class TableLinker:
    """Links two tables."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's table linker."""
        self._likeness, self._score = weights["likeness.weight"], weights.linear("score")
        self._hidden, self._bias = weights.part("hidden.weight"), weights["hidden.bias"]

    def link(self, query: Array, names: Array, others: Array, values: Codes, other_values: Codes) -> Link:
        """Links two tables by the vectors f_n of their fields and the codes of their cells' values."""
        few = values.size * other_values.size <= COMPARED_AT_ONCE
        found, found_back = _found(values, other_values), _found(other_values, values)
        known = _pair_features(found, found_back, values, other_values)
        features = np.concatenate((known, self._alike(names, others)[..., None]), axis=2)
        hidden = linear(names, self._hidden["field"])[:, None] + linear(others, self._hidden["field"])
        hidden += linear(query, self._hidden["query"], self._bias)
        hidden += linear(features, self._hidden["features"])
        scores = np.where(found.any(axis=0), self._score(tanh(hidden))[..., 0], -np.inf)
        weights = softmax(np.append(scores, np.float32(0)).astype(np.float32))[:-1].reshape(scores.shape)
        return Link(weights, _strength(weights, values, other_values, 0.0 if few else FAINTEST_PAIR))

    def _alike(self, names: Array, others: Array) -> Array:
        ours, theirs = (_unit(linear(some, self._likeness)) for some in (names, others))
        return np.asarray(ours @ theirs.T)


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), _SHORTEST))


def _found(values: Codes, others: Codes) -> Mask:
    """Which cells find their value in each field of the other table: row, field, other field."""
    held = np.zeros((others.shape[1], int(max(values.max(initial=0), others.max(initial=0))) + 1), np.bool_)
    np.put_along_axis(held, others.T.astype(np.int64), True, axis=1)
    held[:, 0] = False  # 0 is nothing to compare
    return np.moveaxis(held[:, values], 0, 2)


def _pair_features(found: Mask, found_back: Mask, values: Codes, other_values: Codes) -> Array:
    """What values tell of each pair of fields, whichever of the tables comes first.

    The share of rows that find their value in the other table, taken both ways, the greater and the lesser;
    and the same where the values found are distinct, as those of a key are.
    """
    share, share_back = _share(found, values), _share(found_back, other_values).T
    as_key, as_key_back = share * _distinct(other_values), share_back * _distinct(values)[:, None]
    features = [
        np.maximum(share, share_back),
        np.minimum(share, share_back),
        np.maximum(as_key, as_key_back),
        np.minimum(as_key, as_key_back),
    ]
    return np.stack(features, axis=2).astype(np.float32)


def _counts(values: Codes) -> npt.NDArray[np.intp]:
    return np.asarray(np.maximum((values != 0).sum(axis=0), 1))


def _share(found: Mask, values: Codes) -> npt.NDArray[np.float64]:
    """The share of the values of each field that are found."""
    return np.asarray(found.sum(axis=0) / _counts(values)[:, None])


def _distinct(values: Codes) -> npt.NDArray[np.float64]:
    """For each field how many distinct values there are to a value."""
    different = [len(set(column.tolist()) - {0}) for column in values.T]
    return np.asarray(np.array(different) / _counts(values))


def _strength(weights: Array, values: Codes, others: Codes, faintest: float) -> Array:
    """The strength of the link of each pair of rows, by the pairs of fields that count."""
    strength = np.zeros((len(values), len(others)), np.float32)
    for n, other in np.argwhere(weights > faintest).tolist():
        ours = values[:, n, None]
        strength += ((ours == others[:, other]) & (ours != 0)) * weights[n, other]
    return strength
