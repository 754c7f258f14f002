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
from neural_enquirer.runtime.heard import OPENINGS, Choices, Heard, Memory, Now, Together, times_own
from neural_enquirer.runtime.layers import (
    ONE,
    Array,
    Mask,
    Numbers,
    Weights,
    log_softmax,
    softmax,
    sums,
    tanh,
    times,
)
from neural_enquirer.runtime.reading import Evidence, Reading
from neural_enquirer.runtime.recurrence import Recurrence, by_gates
from neural_enquirer.runtime.relational_encoder import RelationalEncoder, relations

_POINTERS: Final = ("field", "mention", "quantity", "table")
MOST_ITEMS: Final = 1024
"""Words, fields, mentions and quantities that look at each other; of a longer question, none does."""


class Decoder:
    """p(program | Q, schema) = Π p(action | actions before, Q, schema)."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's decoder."""
        self._relations = RelationalEncoder(weights.part("relations"))
        size = weights["symbol"].shape[1]
        incoming, mix = weights["recurrence.weight_ih"], weights["mix.weight"]
        names = ("recurrence.weight_hh", "recurrence.bias_hh", "recurrence.bias_ih")
        self._unit = Recurrence([(weights[names[0]], weights[names[1]], weights[names[2]])])
        from_action, from_words = by_gates(incoming[:, :size]), by_gates(incoming[:, size:])
        produced = np.matmul(weights["production"], from_action) + self._unit.bias[:, 0]
        self._nothing = np.zeros((len(produced), 1, size), np.float32)
        self._produced = np.concatenate((produced, self._nothing), axis=1)
        symbols, parents = np.array(list(OPENINGS)).T
        asking = weights["symbol"][symbols] + weights["parent"][parents]
        self._asking = np.matmul(asking, from_action)
        self._mixing = np.ascontiguousarray(mix[:, :size].T)
        self._mixing_bias = weights["mix.bias"]
        self._attention_used = weights["attention_used.weight"][0]
        self._attention_used_bias = weights["attention_used.bias"]
        attention = weights["attention.weight"] / np.sqrt(np.float32(len(weights["attention.weight"])))
        self._of_words = np.stack(
            [*from_words, *(own.T for own in np.split(mix[:, size:], 2, axis=1)), attention]
        )
        self._pointers = [_Pointer(kind, weights, from_action, self._unit.bias[:, 0]) for kind in _POINTERS]
        self._production = weights["to_production.weight"].T
        self._production_bias = weights["to_production.bias"]
        self._start, self._wanted = weights.linear("start"), weights.linear("field_wanted")
        self._unsaid = weights.linear("unsaid") if "unsaid.weight" in weights else None
        self._how = weights["how"]
        self._attended, self._repeated = weights["attended"], weights["repeated"]

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
        says = _says(reading, asked, unsaid[1])
        mentions = evidence.mentions
        if asked.unsaid and self._unsaid is not None:
            mentions = mentions.copy()
            mentions[asked.spoken_count :] = self._unsaid(unsaid[0])
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
        parts = zip(self._pointers, (names, mentions, quantities, tables), strict=True)
        inputs, pointers, biases = zip(*[kind.point(part) for kind, part in parts], strict=True)
        hows = [*(how + 1 for how in asked.links[0].hows), *(0 for _ in asked.unsaid)]
        biases[1][:] += self._how[hows]
        attended, repeated = self._attended.repeat(choices.sizes), self._repeated.repeat(choices.sizes)
        of_words = np.matmul(states, self._of_words)
        of_words[3] += self._mixing_bias  # of what is attended to, which sums to one
        share = says / np.maximum(np.add.reduce(says, axis=0), ONE)
        return Heard(
            choices=choices,
            says=says,
            start=tanh(self._start(reading.query)),
            pointed=np.concatenate((self._nothing, *inputs), axis=1),
            states=of_words[:3],
            keys=of_words[5].T,
            mixed=of_words[3:5],
            told=np.stack((share * repeated, says * attended)),
            pointers=np.concatenate(pointers).T,
            bias=np.concatenate((self._production_bias, *biases)),
            wants=np.ascontiguousarray(self._wanted(names).T),
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
        return Together.of(heard)

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
        turn = heard.turn(now)
        spans = turn.spans
        used = heard.newly.take(turn.pointed, axis=0)
        used += memory.used
        np.minimum(used, ONE, out=used)
        incoming = self._produced.take(turn.produced, axis=1)
        incoming += heard.pointed.take(turn.pointed, axis=1)
        incoming += self._asking.take(turn.asking, axis=1)
        incoming += times_own(memory.attended, heard.states, spans)
        hidden = self._unit.step(memory.hidden, incoming[:, None])[0]
        attended = times_own(hidden, heard.keys, spans)
        attended += used * (hidden.dot(self._attention_used) + self._attention_used_bias)[:, None]
        if heard.absent is not None:
            attended += heard.absent.take(turn.questions, axis=0)
        attended = softmax(attended)
        left = ONE - used
        left *= heard.spoken.take(turn.questions, axis=0)
        left /= np.maximum(sums(left), ONE)
        words = np.concatenate((used, attended, left), axis=1)
        count = used.shape[1]
        state = times(hidden, self._mixing)
        state += times_own(words[:, count:], heard.mixed, spans)
        tanh(state)
        pointing = times_own(state, heard.pointers, spans)
        pointing += times_own(words[:, : 2 * count], heard.told, spans)
        pointing[:, : heard.wants.shape[1]] += heard.wants.take(turn.wants, axis=0)
        scores = np.concatenate((times(state, self._production), pointing), axis=1)
        scores += heard.free.take(turn.free, axis=0)
        return log_softmax(scores), Memory(hidden, attended, used)


class _Pointer:
    """What can be pointed at of some kind: fields, mentions, quantities or tables."""

    def __init__(self, kind: str, weights: Weights, from_action: Array, bias: Array) -> None:
        """Takes a decoder's weights, W_ih of the choice before, and what is to be added to what comes in."""
        layer = weights.linear(f"from_{kind}")
        self._input = np.matmul(layer.weight.T, from_action)
        self._input_bias = np.matmul(layer.bias, from_action)[:, None] + bias
        self._pointer = weights[f"to_{kind}.weight"]
        self._bias = weights[f"to_{kind}.bias"]

    def point(self, part: Array) -> tuple[Array, Array, Array]:
        """W_ih times each vector as the choice before, what scores it, and the bias of that."""
        inputs = np.matmul(part, self._input)
        inputs += self._input_bias
        return inputs, part.dot(self._pointer), part.dot(self._bias)


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
