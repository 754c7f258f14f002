"""Gated recurrent units: h = n + z (h - n), where n = tanh(W x + b + r (U h + c)) and r and z are gates.

The numbers of both gates and of n lie in matrices of their own, one behind the other: numpy goes through
whole matrices several times as fast as through some columns of a larger one. As σ(x) = (1 + tanh(x / 2)) / 2,
the weights of gates are halved when a model is loaded, and so are U and c, which r is multiplied with.
"""

from collections.abc import Sequence

import numpy as np

from neural_enquirer.runtime.layers import HALF, ONE, Array, Weights

GATES = 2
"""r and z, which come before n."""


def by_gates(weight: Array) -> Array:
    """A matrix as three, for r, z and n, which rows are multiplied with; those of the gates are halved."""
    parts = weight.reshape(GATES + 1, -1, weight.shape[-1]).transpose(0, 2, 1).copy()
    parts[:GATES] *= HALF
    return parts


class Recurrence:
    """A unit that keeps states, or several such side by side.

    Attributes:
        bias: what is to be added to what comes in, for r, z and n.
    """

    def __init__(self, units: Sequence[tuple[Array, Array, Array]]) -> None:
        """Takes U, c and b of each unit."""
        recurrent = np.stack([by_gates(weight) for weight, _, _ in units], axis=1)
        recurrent[GATES] *= HALF
        self._recurrent = np.ascontiguousarray(recurrent)
        hidden, incoming = (np.array([one[n] for one in units], np.float32) for n in (1, 2))
        hidden, incoming = (
            own.reshape(len(units), GATES + 1, -1).transpose(1, 0, 2) for own in (hidden, incoming)
        )
        self.bias = incoming.copy()[:, :, None]
        self.bias[:GATES] = (hidden[:GATES] + incoming[:GATES])[:, :, None] * HALF
        self._new_bias = hidden[GATES][:, None] * HALF

    def step(self, states: Array, incoming: Array) -> Array:
        """The states after what came in, for r, z and n; of each unit there may be several."""
        gates = np.matmul(states, self._recurrent)
        new = gates[GATES]
        new += self._new_bias
        twice = gates[:GATES]
        twice += incoming[:GATES]
        np.tanh(twice, out=twice)
        twice += ONE
        new *= twice[0]
        new += incoming[GATES]
        np.tanh(new, out=new)
        update = twice[1]
        update *= HALF
        changed: Array = states - new
        changed *= update
        changed += new
        return changed


class BothWays:
    """The question encoder: one unit reads onward, the other one backward."""

    def __init__(self, directions: Sequence[Weights]) -> None:
        """Takes the weights of both."""
        names = ("weight_hh_l0", "bias_hh_l0", "bias_ih_l0")
        onward, backward = ((own[names[0]], own[names[1]], own[names[2]]) for own in directions)
        self._unit = Recurrence([onward, backward])
        self._incoming = np.stack([by_gates(own["weight_ih_l0"]) for own in directions], axis=1)

    def states(self, inputs: Array) -> tuple[Array, Array]:
        """h_t for every word, of both directions, and q, the last of each."""
        words, size = len(inputs), self._incoming.shape[3]
        terms = np.matmul(np.stack((inputs, inputs[::-1])), self._incoming)
        terms += self._unit.bias
        state, states = np.zeros((2, 1, size), np.float32), np.empty((2, words, size), np.float32)
        for place, term in enumerate(np.ascontiguousarray(terms.transpose(2, 0, 1, 3))):
            state = self._unit.step(state, term[:, :, None])
            states[:, place] = state[:, 0]
        return np.concatenate((states[0], states[1, ::-1]), axis=1), state.reshape(-1)
