"""The program decoder in numpy, for one question at a time: what `model/program_decoder.py` computes.

Its matrices are so small that torch takes longer to call its operations than to carry them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import PRODUCTIONS, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import COMPARING, HOMES

__all__ = ["Decoder", "Heard", "Memory", "Turn"]

Array = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

COUNT: Final = len(PRODUCTIONS)
NEVER: Final = np.float32(-1e9)
_HOMES: Final = np.array(HOMES)
_COMPARING: Final = np.array(COMPARING)


@dataclass(frozen=True)
class Heard:
    """What the encoders say of a question; names and shapes are those of the model's, without the batch.

    Attributes:
        query: q.
        states: the question's states h_t.
        fields: the fields' vectors f_n.
        pointers: the vectors of all that can be pointed at, as inputs: fields, mentions, quantities, tables.
        mentions: the mean state of the words of each mention.
        trusted: how much each mention is trusted for the way in which it was recognised.
        quantities: the same for each quantity.
        tables: the mean vector of the fields of each table.
        says: how much each word speaks of each pointer.
        wants: how much each production that asks wants each field.
        allowed: which pointers there are for which symbol.
        linked: which fields have which mention.
        compared: which fields compare with which quantity.
        productions: which productions can be completed.
    """

    query: Array
    states: Array
    fields: Array
    pointers: Array
    mentions: Array
    trusted: Array
    quantities: Array
    tables: Array
    says: Array
    wants: Array
    allowed: Mask
    linked: Mask
    compared: Mask
    productions: Mask

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the choices of each pool begin among all."""
        sizes = (COUNT, len(self.fields), len(self.mentions), len(self.quantities))
        return tuple(sum(sizes[: int(pool)]) for pool in Pool)

    @cached_property
    def spoken(self) -> Array:
        """How much each word speaks of anything."""
        return np.asarray(self.says.max(axis=1, initial=0.0))

    @cached_property
    def share(self) -> Array:
        """How much of what is said of a pointer each word says."""
        return np.asarray(self.says / np.maximum(self.says.sum(axis=0), 1))


@dataclass(frozen=True)
class Turn:
    """What is to be chosen now, in each of several derivations."""

    symbols: Numbers
    parents: Numbers
    given: Numbers
    previous: Numbers


@dataclass(frozen=True)
class Memory:
    """What the decoder remembers from step to step, for each derivation."""

    hidden: Array
    context: Array
    used: Array

    def take(self, ways: Numbers) -> "Memory":
        """The memories of the derivations that are followed on."""
        return Memory(self.hidden[ways], self.context[ways], self.used[ways])


class Decoder:
    """p(action | actions before, Q, schema)."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        """Takes the weights of a model's decoder, by their names there."""
        self._weights = {name: np.ascontiguousarray(weight, np.float32) for name, weight in weights.items()}

    def _linear(self, name: str, inputs: Array) -> Array:
        outputs = inputs @ self._weights[f"{name}.weight"].T
        bias = self._weights.get(f"{name}.bias")
        return outputs if bias is None else outputs + bias

    def begin(self, heard: Heard) -> Memory:
        """The memory before the first step of one derivation."""
        hidden = np.tanh(self._linear("start", heard.query))[None]
        tokens, states = heard.states.shape
        return Memory(hidden, np.zeros((1, states), np.float32), np.zeros((1, tokens), np.float32))

    def step(self, heard: Heard, memory: Memory, turn: Turn) -> tuple[Array, Memory]:
        """Returns the log-probabilities of all choices, and the memory after the step."""
        used = np.minimum(memory.used + self._newly_used(heard, turn.previous), 1)
        hidden = self._recur(
            np.concatenate((self._input(heard, turn), memory.context), axis=1), memory.hidden
        )
        keys = self._linear("attention", hidden) / np.sqrt(np.float32(heard.states.shape[1]))
        weights = _softmax(keys @ heard.states.T + used * self._linear("attention_used", hidden))
        context = weights @ heard.states
        left = (1 - used) * heard.spoken
        unused = left @ heard.states / np.maximum(left.sum(axis=1, keepdims=True), 1)
        mixed = np.tanh(self._linear("mix", np.concatenate((hidden, context, unused), axis=1)))
        scores = np.where(self._allowed(heard, turn), self._scores(heard, turn, mixed, weights, used), NEVER)
        return _log_softmax(scores), Memory(hidden, context, used)

    def _recur(self, inputs: Array, hidden: Array) -> Array:
        """One step of the GRU."""
        weights = self._weights
        incoming = inputs @ weights["recurrence.weight_ih"].T + weights["recurrence.bias_ih"]
        recurrent = hidden @ weights["recurrence.weight_hh"].T + weights["recurrence.bias_hh"]
        size = hidden.shape[1]
        gates = _sigmoid(incoming[:, : 2 * size] + recurrent[:, : 2 * size])
        reset, update = gates[:, :size], gates[:, size:]
        new = np.tanh(incoming[:, 2 * size :] + reset * recurrent[:, 2 * size :])
        return np.asarray(new + update * (hidden - new))

    def _input(self, heard: Heard, turn: Turn) -> Array:
        """The vectors of the action before, the symbol, and who asks for it."""
        weights, chosen = self._weights, turn.previous
        produced = weights["production"][np.where(chosen < COUNT, chosen % (COUNT + 1), COUNT)]
        pointed = heard.pointers[np.maximum(chosen - COUNT, 0)]
        before = np.where((chosen >= COUNT)[:, None], pointed, produced)
        return np.asarray(before + weights["symbol"][turn.symbols] + weights["parent"][turn.parents])

    def _newly_used(self, heard: Heard, previous: Numbers) -> Array:
        """The words that speak of what was pointed at last."""
        return heard.says.T[np.maximum(previous - COUNT, 0)] * (previous >= COUNT)[:, None]

    def _scores(self, heard: Heard, turn: Turn, mixed: Array, weights: Array, used: Array) -> Array:
        pointed = (
            self._linear("to_field", mixed) @ heard.fields.T + heard.wants.T[turn.parents],
            self._linear("to_mention", mixed) @ heard.mentions.T + heard.trusted,
            self._linear("to_quantity", mixed) @ heard.quantities.T,
            self._linear("to_table", mixed) @ heard.tables.T,
        )
        counts = [part.shape[1] for part in pointed]
        attended = np.repeat(self._weights["attended"], counts)
        repeated = np.repeat(self._weights["repeated"], counts)
        links = (weights @ heard.says) * attended + (used @ heard.share) * repeated
        productions = self._linear("to_production", mixed)
        return np.concatenate((productions, np.concatenate(pointed, axis=1) + links), axis=1)

    def _allowed(self, heard: Heard, turn: Turn) -> Mask:
        productions = _HOMES[turn.symbols] & heard.productions
        pointers = heard.allowed[turn.symbols]
        fields = len(heard.fields)
        for symbol, has in ((Symbol.LINKED, heard.linked), (Symbol.COMPARED, heard.compared)):
            now = turn.symbols == symbol
            if now.any():
                pointers[now, :fields] = has[np.minimum(turn.given[now], len(has) - 1)]
        # A quantity that no field compares with leads nowhere.
        quantities = slice(fields + len(heard.mentions), fields + len(heard.mentions) + len(heard.quantities))
        alone = ~heard.compared.any(axis=1)
        pointers[:, quantities] &= ~(_COMPARING[turn.parents][:, None] & alone)
        return np.concatenate((productions, pointers), axis=1)


def _sigmoid(values: Array) -> Array:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * values)), np.float32)


def _softmax(scores: Array) -> Array:
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=1, keepdims=True))


def _log_softmax(scores: Array) -> Array:
    shifted = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
