"""Row attention: what a row of one table fetches from the rows of another one.

γ(r_km, q, a_km, a_k'm', g_k, g_k') is a DNN of two layers (appendix "Handling Multiple Tables"). What depends
on one of the two rows is computed for that row alone.
"""

import numpy as np

from neural_enquirer.runtime.executor import Memory
from neural_enquirer.runtime.layers import Array, Weights, linear, softmax, tanh

FAINTEST = np.float32(1e-9)
"""Rows with a weaker link count as having one of this strength; the logarithm needs a number above zero."""
PAIRS_AT_ONCE = 65_536
"""Pairs of rows in work at a time: the bound on memory on long tables."""


class RowAttention:
    """Weighs the rows of another table for each row: all of them, and those that share a value with it."""

    def __init__(self, weights: Weights, linked: Weights) -> None:
        """Takes the weights of an attention over all rows, and of one over linked rows."""
        self._hidden, self._bias = weights.part("hidden.weight"), weights["hidden.bias"]
        self._score, self._linked_bias = weights["score.weight"][0], linked["bias"]

    def scores(self, read: Array, query: Array, own: Memory, other: Memory) -> Array:
        """γ for each row that asks and each that is asked."""
        weight = self._hidden
        asking = linear(read, weight["read"]) + linear(own.rows, weight["rows"])
        asking += linear(query, weight["query"], self._bias) + linear(own.table, weight["table"])
        asked = linear(other.rows, weight["other_rows"]) + linear(other.table, weight["other_table"])
        scores = np.empty((len(asking), len(asked)), np.float32)
        height = max(1, PAIRS_AT_ONCE // len(asked))
        for start in range(0, len(asking), height):
            part = asking[start : start + height, None] + asked
            scores[start : start + height] = tanh(part) @ self._score
        return scores

    def linked(self, scores: Array, link: Array) -> Array:
        """The weights of rows that share a value; beside them stands no row at all, with the score zero."""
        scores = scores + self._linked_bias + np.log(np.maximum(link, FAINTEST))
        nothing = np.zeros((len(scores), 1), np.float32)
        return softmax(np.concatenate((scores, nothing), axis=1))[:, :-1]
