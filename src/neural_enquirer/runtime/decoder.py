"""The program decoder, for one question at a time: what `model/program_decoder.py` computes.

Most of what its layers see is the same at all steps: words, fields, and their links. The layers are
multiplied with these beforehand, and a step that follows several derivations is a few small products.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import COMPARING, HOMES
from neural_enquirer.encoding.schema import ANY, DATE, NUMBER, ORDERED, Pointed
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
)
from neural_enquirer.runtime.reading import Evidence, Reading
from neural_enquirer.runtime.relational_encoder import RelationalEncoder, relations

__all__ = ["COUNT", "Decoder", "Heard", "Memory", "Turn"]

COUNT: Final = len(PRODUCTIONS)
_POINTERS: Final = ("field", "mention", "quantity", "table")
MOST_ITEMS: Final = 1024
"""Words, fields, mentions and quantities that look at each other; of a longer question, none does."""
NEVER: Final = np.float32(-1e9)
"""The score of what cannot be chosen."""
_HOMES: Final = np.array(HOMES)
_NEEDS: Final = np.array([[symbol in one.arguments for symbol in Symbol] for one in PRODUCTIONS])
_OF_KINDS: Final = [Symbol.TERM, Symbol.NUMBER, Symbol.ORDERED, Symbol.DATE]
"""Symbols that stand for fields of some kind."""
_KIND_BITS: Final = np.array([[ANY], [NUMBER], [ORDERED], [DATE]], np.uint8)
_POINTED_AT: Final = [*_OF_KINDS, Symbol.MENTION, Symbol.QUANTITY]


@dataclass(frozen=True)
class Choices:
    """What can be chosen: productions, and behind them fields, mentions, quantities and tables.

    Attributes:
        sizes: how many fields, mentions, quantities and tables there are.
        forbidden: `NEVER` for what cannot be chosen: a row for each symbol, for the fields of each mention
            and quantity, and for a quantity that is to be compared.
    """

    sizes: tuple[int, int, int, int]
    forbidden: Array

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the choices of each pool begin among all."""
        counts = (COUNT, *self.sizes)
        return tuple(sum(counts[: int(pool)]) for pool in Pool)

    def row(self, symbol: Symbol, parent: int, given: int) -> int:
        """The row for a symbol that a production asks for, after a mention or quantity was chosen."""
        if symbol is Symbol.LINKED:
            return len(Symbol) + given
        if symbol is Symbol.COMPARED:
            return len(Symbol) + self.sizes[1] + given
        return -1 if symbol is Symbol.QUANTITY and COMPARING[parent] else symbol

    @classmethod
    def of(cls, pointed: Pointed, tables: int) -> "Choices":
        """Looks at what a question points at."""
        linked, compared = pointed.mention_fields, (pointed.quantity_fields > 0) & (pointed.kinds > 0)
        mentions, fields = linked.shape
        quantities = len(compared)
        sizes = (fields, mentions, quantities, tables)
        allowed = np.zeros((len(Symbol) + mentions + quantities + 1, COUNT + sum(sizes)), np.bool_)
        pointers = allowed[:, COUNT:]
        of_mentions = slice(fields, fields + mentions)
        of_quantities = slice(of_mentions.stop, of_mentions.stop + quantities)
        pointers[_OF_KINDS, :fields] = (pointed.kinds & _KIND_BITS) > 0
        pointers[Symbol.MENTION, of_mentions] = linked.any(axis=1)
        pointers[[Symbol.QUANTITY, Symbol.COUNT], of_quantities] = True
        pointers[Symbol.TABLE, of_quantities.stop :] = True
        pointers[len(Symbol) : len(Symbol) + mentions, :fields] = linked
        pointers[len(Symbol) + mentions : -1, :fields] = compared
        # A quantity that no field compares with leads nowhere.
        pointers[-1, of_quantities] = compared.any(axis=1)
        allowed[: len(Symbol), :COUNT] = _HOMES & _completed(pointers, compared)
        return cls(sizes, np.where(allowed, np.float32(0), NEVER))


def _completed(pointers: Mask, compared: Mask) -> Mask:
    """Which productions can be completed: what their arguments point at is there."""
    there = np.ones(len(Symbol), np.bool_)
    there[_POINTED_AT] = pointers[_POINTED_AT].any(axis=1)
    there[Symbol.COMPARED] = compared.any()
    return np.asarray(~(_NEEDS & ~there).any(axis=1))


@dataclass(frozen=True)
class Heard:
    """What the encoders say of a question, as the decoder's layers see it.

    Attributes:
        choices: what can be chosen.
        says: how much each word speaks of each field, mention, quantity and table.
        start: the first hidden state.
        inputs: W_ih times the vector of each choice as the one before, and behind them all, of none.
        states: W_ih times the words' states h_t.
        mixed: the mixing layer times h_t where they are attended to, and where they are unused.
        hidden: what a hidden state is multiplied with: the words as keys, whether used ones count, mixing.
        hidden_bias: its bias.
        scores: what the mixed state is multiplied with to score the choices.
        scores_bias: its bias.
        wants: how much each production that asks wants each field.
        links: what the words that are attended to, and those that are used, add to the pointers' scores.
    """

    choices: Choices
    says: Array
    start: Array
    inputs: Array
    states: Array
    mixed: Array
    hidden: Array
    hidden_bias: Array
    scores: Array
    scores_bias: Array
    wants: Array
    links: Array

    @property
    def offsets(self) -> tuple[int, ...]:
        """Where the choices of each pool begin among all."""
        return self.choices.offsets

    @cached_property
    def newly(self) -> Array:
        """How much of each word is used by each choice, and behind them all, by none."""
        found = np.zeros((len(self.inputs), len(self.says)), np.float32)
        found[COUNT:-1] = self.says.T
        return found

    @cached_property
    def spoken(self) -> Array:
        """How much each word speaks of anything."""
        return np.asarray(self.says.max(axis=1, initial=0.0))


@dataclass(frozen=True)
class Turn:
    """What is to be chosen now, in each of several derivations.

    Attributes:
        symbols: the symbol that is expanded.
        parents: the production that asks for it; behind all of them at the beginning.
        rows: what can be chosen (see `Choices`).
        previous: the choice before, among all; -1 at the beginning.
    """

    symbols: Numbers
    parents: Numbers
    rows: Numbers
    previous: Numbers


@dataclass(frozen=True)
class Memory:
    """What the decoder remembers from step to step, for each derivation.

    Attributes:
        hidden: the state of the GRU.
        attended: how much each word was attended to.
        used: how much each word is accounted for by what was chosen.
    """

    hidden: Array
    attended: Array
    used: Array

    def take(self, ways: Numbers) -> "Memory":
        """The memories of the derivations that are followed on."""
        return Memory(*(own.take(ways, axis=0) for own in (self.hidden, self.attended, self.used)))


class Decoder:
    """p(program | Q, schema) = Π p(action | actions before, Q, schema)."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's decoder."""
        self._weights = weights
        self._relations = RelationalEncoder(weights.part("relations"))
        size = weights["symbol"].shape[1]
        incoming, mix = weights["recurrence.weight_ih"], weights["mix.weight"]
        self._input, self._context = incoming[:, :size], incoming[:, size:]
        self._mix = mix[:, :size], *np.split(mix[:, size:], 2, axis=1)
        self._before = linear(weights["production"], self._input, weights["recurrence.bias_ih"])
        self._recurrent = np.ascontiguousarray(weights["recurrence.weight_hh"].T)
        self._recurrent_bias = weights["recurrence.bias_hh"]
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
        keys = [part @ weights[f"to_{kind}.weight"] for kind, part in zip(_POINTERS, parts, strict=True)]
        biases = [part @ weights[f"to_{kind}.bias"] for kind, part in zip(_POINTERS, parts, strict=True)]
        hows = [*(how + 1 for how in asked.links[0].hows), *(0 for _ in asked.unsaid)]
        biases[1] = biases[1] + weights["how"][hows]
        attended, repeated = (np.repeat(weights[name], choices.sizes) for name in ("attended", "repeated"))
        share = says / np.maximum(says.sum(axis=0), 1)
        attention = (states @ weights["attention.weight"]) / np.sqrt(np.float32(states.shape[1]))
        return Heard(
            choices=choices,
            says=says,
            start=tanh(weights.linear("start")(reading.query)),
            inputs=np.concatenate((self._before[:-1], *inputs, self._before[-1:])),
            states=linear(states, self._context),
            mixed=np.concatenate((linear(states, self._mix[1]), linear(states, self._mix[2]))),
            hidden=_below_each_other(attention, weights["attention_used.weight"], self._mix[0]),
            hidden_bias=np.concatenate(
                (np.zeros(len(states), np.float32), weights["attention_used.bias"], weights["mix.bias"])
            ),
            scores=_below_each_other(weights["to_production.weight"], *keys),
            scores_bias=np.concatenate((weights["to_production.bias"], *biases)),
            wants=weights.linear("field_wanted")(names).T,
            links=np.concatenate((says * attended, share * repeated)),
        )

    def _related(
        self, vectors: Sequence[Array], says: Array, pointed: Pointed, sizes: Sequence[int]
    ) -> Sequence[Array]:
        """The vectors of words, fields, mentions and quantities, as the others change them."""
        if sum(map(len, vectors)) > MOST_ITEMS:
            return vectors
        return self._relations.related(vectors, relations(says, pointed, sizes))

    def begin(self, heard: Heard) -> Memory:
        """The memory before the first step of one derivation."""
        nothing = np.zeros((1, len(heard.says)), np.float32)
        return Memory(heard.start[None], nothing, nothing)

    def step(self, heard: Heard, memory: Memory, turn: Turn) -> tuple[Array, Memory]:
        """Returns the log-probabilities of all choices, and the memory after the step."""
        used = memory.used + heard.newly.take(turn.previous, axis=0)
        np.minimum(used, 1, out=used)
        hidden = self._recur(heard, memory, turn)
        terms = linear(hidden, heard.hidden, heard.hidden_bias)
        tokens = len(heard.says)
        attended = softmax(terms[:, :tokens] + used * terms[:, tokens : tokens + 1])
        left = (1 - used) * heard.spoken
        left /= np.maximum(left.sum(axis=1, keepdims=True), 1)
        mixed = terms[:, tokens + 1 :]
        mixed += np.concatenate((attended, left), axis=1) @ heard.mixed
        scores = linear(tanh(mixed), heard.scores, heard.scores_bias)
        scores[:, COUNT:] += np.concatenate((attended, used), axis=1) @ heard.links
        scores[:, COUNT : COUNT + heard.wants.shape[1]] += heard.wants.take(turn.parents, axis=0)
        scores += heard.choices.forbidden.take(turn.rows, axis=0)
        return log_softmax(scores), Memory(hidden, attended, used)

    def _recur(self, heard: Heard, memory: Memory, turn: Turn) -> Array:
        """One step of the GRU: it hears the action before, the symbol, who asks for it, and the context."""
        size = memory.hidden.shape[1]
        gated = 2 * size
        incoming = heard.inputs.take(turn.previous, axis=0)
        incoming += self._symbol.take(turn.symbols, axis=0)
        incoming += self._parent.take(turn.parents, axis=0)
        incoming += memory.attended @ heard.states
        recurrent = memory.hidden @ self._recurrent
        recurrent += self._recurrent_bias
        gates = sigmoid(incoming[:, :gated] + recurrent[:, :gated])
        new = recurrent[:, gated:]
        new *= gates[:, :size]  # r
        new += incoming[:, gated:]
        change = memory.hidden - tanh(new)
        change *= gates[:, size:]  # z
        change += new
        return change


def _below_each_other(*matrices: Array) -> Array:
    """Matrices one below the other, `by_columns`: large ones are so already and need not be turned round."""
    return np.concatenate([own.T for own in matrices], axis=1).T


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
