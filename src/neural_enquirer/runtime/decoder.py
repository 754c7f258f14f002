"""The program decoder: what `model/program_decoder.py` computes.

Most of what its layers see is the same at all steps: words, fields, and their links. The layers are
multiplied with these beforehand, and a step that follows some derivations, of one question or of several, is
a few small products.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.schema import Pointed
from neural_enquirer.runtime.heard import Choices, Heard, Memory, Now, Together, times_own
from neural_enquirer.runtime.layers import (
    Array,
    Linear,
    Mask,
    Numbers,
    Weights,
    by_columns,
    linear,
    log_softmax,
    sigmoid,
    softmax,
    tanh,
    times,
)
from neural_enquirer.runtime.reading import Evidence, Reading
from neural_enquirer.runtime.relational_encoder import RelationalEncoder, relations

_POINTERS: Final = ("field", "mention", "quantity", "table")
MOST_ITEMS: Final = 1024
"""Words, fields, mentions and quantities that look at each other; of a longer question, none does."""


class Decoder:
    """p(program | Q, schema) = Π p(action | actions before, Q, schema)."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's decoder."""
        self._weights = weights
        self._relations = RelationalEncoder(weights.part("relations"))
        size = weights["symbol"].shape[1]
        incoming, mix = weights["recurrence.weight_ih"], weights["mix.weight"]
        self._input, self._context = incoming[:, :size], incoming[:, size:]
        self._size = size
        self._mix = np.split(mix[:, size:], 2, axis=1)
        self._before = linear(weights["production"], self._input, weights["recurrence.bias_ih"])
        self._recurrent = np.ascontiguousarray(weights["recurrence.weight_hh"].T)
        self._recurrent_bias = weights["recurrence.bias_hh"]
        self._mixing = by_columns(np.concatenate((mix[:, :size], weights["attention_used.weight"])))
        self._mixing_bias = np.concatenate((weights["mix.bias"], weights["attention_used.bias"]))
        self._symbol = linear(weights["symbol"], self._input)
        self._parent = linear(weights["parent"], self._input)
        self._pointed = [self._after(weights.linear(f"from_{kind}")) for kind in _POINTERS]

    def _after(self, layer: Linear) -> Linear:
        """W_ih behind another layer, as one layer."""
        bias = self._weights["recurrence.bias_ih"] + self._input @ layer.bias
        return Linear(by_columns(self._input @ layer.weight), bias)

    def hear(
        self,
        reading: Reading,
        asked: Asked,
        pointed: Pointed,
        names: Array,
        evidence: Evidence,
        unsaid: tuple[Array, Array],
    ) -> Heard:
        """Gathers what all steps share.

        Args:
            reading: the question.
            asked: what can be pointed at.
            pointed: what mentions and quantities point at.
            names: the vectors f_n of the fields of all tables.
            evidence: the states of mentions and quantities.
            unsaid: the vectors of values that nobody says, and how much each word speaks of each.
        """
        weights, says = self._weights, _says(reading, asked, unsaid[1])
        mentions = evidence.mentions
        if asked.unsaid:
            mentions = mentions.copy()
            mentions[asked.spoken_count :] = weights.linear("unsaid")(unsaid[0])
        sizes = [len(table.fields) + 1 for table in asked.tables]
        spoken = slice(len(asked.links[0].words))
        words, names, mentions, quantities = self._related(
            (reading.states[spoken], names, mentions, evidence.quantities),
            says[spoken],
            pointed,
            sizes,
        )
        states = words if len(words) else reading.states
        tables = _table_means(names, sizes)
        choices = Choices.of(pointed, len(tables))
        parts = (names, mentions, quantities, tables)
        inputs = [read(part) for read, part in zip(self._pointed, parts, strict=True)]
        keys = [weights[f"to_{kind}.weight"].T @ part.T for kind, part in zip(_POINTERS, parts, strict=True)]
        biases = [part @ weights[f"to_{kind}.bias"] for kind, part in zip(_POINTERS, parts, strict=True)]
        hows = [*(how + 1 for how in asked.links[0].hows), *(0 for _ in asked.unsaid)]
        biases[1] = biases[1] + weights["how"][hows]
        attended, repeated = (np.repeat(weights[name], choices.sizes) for name in ("attended", "repeated"))
        share = says / np.maximum(says.sum(axis=0), 1)
        mixed = (linear(states, own) for own in self._mix)
        return Heard(
            choices=choices,
            says=says,
            start=tanh(weights.linear("start")(reading.query)),
            pointed=np.concatenate(inputs),
            states=linear(states, self._context),
            keys=(weights["attention.weight"].T @ states.T) / np.sqrt(np.float32(states.shape[1])),
            told=(np.concatenate((next(mixed), says * attended), axis=1), next(mixed), share * repeated),
            pointers=np.concatenate(keys, axis=1),
            bias=np.concatenate((weights["to_production.bias"], *biases)),
            wants=weights.linear("field_wanted")(names).T,
        )

    def _related(
        self, vectors: Sequence[Array], says: Array, pointed: Pointed, sizes: Sequence[int]
    ) -> Sequence[Array]:
        """The vectors of words, fields, mentions and quantities, as the others change them."""
        if sum(map(len, vectors)) > MOST_ITEMS:
            return vectors
        return self._relations.related(vectors, relations(says, pointed, sizes))

    def together(self, heard: Sequence[Heard]) -> Together:
        """Puts questions side by side, so that steps are taken for all of them."""
        return Together.of(heard, self._before)

    def begin(self, heard: Together) -> Memory:
        """The memory before the first step, of one derivation for each question."""
        nothing = np.zeros_like(heard.spoken)
        return Memory(heard.starts, nothing, nothing)

    def step(
        self, heard: Together, memory: Memory, now: Sequence[tuple[int, Sequence[Now]]]
    ) -> tuple[Array, Memory]:
        """Returns the log-probabilities of all choices, and the memory after the step.

        Args:
            heard: the questions.
            memory: of each derivation.
            now: of some questions, by their numbers, what is to be chosen in each of their derivations.
        """
        size, turn = self._size, heard.turn(now)
        used = memory.used + heard.newly.take(turn.previous, axis=0)
        np.minimum(used, 1, out=used)
        incoming = heard.inputs.take(turn.previous, axis=0)
        incoming += self._symbol.take(turn.symbols, axis=0)
        incoming += self._parent.take(turn.parents, axis=0)
        incoming += times_own(memory.attended, heard.states, turn.spans)
        hidden = self._recur(memory.hidden, incoming)
        mixed = linear(hidden, self._mixing, self._mixing_bias)
        attended = times_own(hidden, heard.keys, turn.spans)
        attended += used * mixed[:, size:]
        if heard.absent is not None:
            attended += heard.absent.take(turn.questions, axis=0)
        attended = softmax(attended)
        left = (1 - used) * heard.spoken.take(turn.questions, axis=0)
        left /= np.maximum(left.sum(axis=1, keepdims=True), 1)
        told = times_own(np.concatenate((attended, left, used), axis=1), heard.told, turn.spans)
        state = tanh(mixed[:, :size] + told[:, :size])
        pointing = times_own(state, heard.pointers, turn.spans)
        pointing += told[:, size:]
        pointing[:, : heard.wants.shape[1]] += heard.wants.take(turn.wants, axis=0)
        scores = np.concatenate((linear(state, self._weights["to_production.weight"]), pointing), axis=1)
        scores += heard.free.take(turn.free, axis=0)
        return log_softmax(scores), Memory(hidden, attended, used)

    def _recur(self, hidden: Array, incoming: Array) -> Array:
        """One step of the GRU: it hears the action before, the symbol, who asks for it, and the context."""
        gated = 2 * self._size
        recurrent = times(hidden, self._recurrent)
        recurrent += self._recurrent_bias
        gates = sigmoid(incoming[:, :gated] + recurrent[:, :gated])
        new = recurrent[:, gated:]
        new *= gates[:, : self._size]  # r
        new += incoming[:, gated:]
        change = hidden - tanh(new)
        change *= gates[:, self._size :]  # z
        change += new
        return change


def _table_means(names: Array, sizes: list[int]) -> Array:
    """The mean vector of the fields of each table."""
    starts = np.cumsum([0, *sizes[:-1]])
    return np.asarray(np.add.reduceat(names, starts) / np.array(sizes, np.float32)[:, None])


def _says(reading: Reading, asked: Asked, unsaid: Array) -> Array:
    """How much each word speaks of each field, mention, quantity and table; of tables none does."""
    place = np.arange(len(reading.states))[:, None]
    none = np.zeros((len(place), len(asked.tables)), np.float32)
    mentions = _inside(place, asked.links[0].mentions)
    quantities = _inside(place, [said.words for said in asked.said])
    return np.concatenate((reading.alpha, mentions, unsaid, quantities, none), axis=1, dtype=np.float32)


def _inside(place: Numbers, spans: Sequence[tuple[int, int]]) -> Mask:
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    return np.asarray((place >= starts) & (place < ends))
