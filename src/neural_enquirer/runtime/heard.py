"""What the decoder hears: of one question, and of several whose programs are written side by side."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import PRODUCTIONS, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import COMPARING, HOMES
from neural_enquirer.encoding.schema import ANY, DATE, NUMBER, ORDERED, Pointed
from neural_enquirer.runtime.layers import Array, Mask, Numbers

COUNT: Final = len(PRODUCTIONS)
NEVER: Final = np.float32(-1e9)
"""The score of what cannot be chosen."""
_HOMES: Final = np.array(HOMES)
_NEEDS: Final = np.array([[symbol in one.arguments for symbol in Symbol] for one in PRODUCTIONS])
_OF_KINDS: Final = [Symbol.TERM, Symbol.NUMBER, Symbol.ORDERED, Symbol.DATE]
"""Symbols that stand for fields of some kind."""
_KIND_BITS: Final = np.array([[ANY], [NUMBER], [ORDERED], [DATE]], np.uint8)
_POINTED_AT: Final = [*_OF_KINDS, Symbol.MENTION, Symbol.QUANTITY]
_COMPARING: Final = len(Symbol)
"""The row of a quantity that is to be compared; behind it come those of mentions and of quantities."""


@dataclass(frozen=True)
class Choices:
    """What can be chosen: productions, and behind them fields, mentions, quantities and tables.

    Attributes:
        sizes: how many fields, mentions, quantities and tables there are.
        forbidden: `NEVER` for what cannot be chosen: a row for each symbol, for a quantity that is to be
            compared, and for the fields of each mention and quantity.
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
            return _COMPARING + 1 + given
        if symbol is Symbol.COMPARED:
            return _COMPARING + 1 + self.sizes[1] + given
        return _COMPARING if symbol is Symbol.QUANTITY and COMPARING[parent] else symbol

    @classmethod
    def of(cls, pointed: Pointed, tables: int) -> "Choices":
        """Looks at what a question points at."""
        linked, compared = pointed.mention_fields, (pointed.quantity_fields > 0) & (pointed.kinds > 0)
        mentions, fields = linked.shape
        quantities = len(compared)
        sizes = (fields, mentions, quantities, tables)
        allowed = np.zeros((_COMPARING + 1 + mentions + quantities, COUNT + sum(sizes)), np.bool_)
        pointers = allowed[:, COUNT:]
        of_mentions = slice(fields, fields + mentions)
        of_quantities = slice(of_mentions.stop, of_mentions.stop + quantities)
        pointers[_OF_KINDS, :fields] = (pointed.kinds & _KIND_BITS) > 0
        pointers[Symbol.MENTION, of_mentions] = linked.any(axis=1)
        pointers[[Symbol.QUANTITY, Symbol.COUNT], of_quantities] = True
        pointers[Symbol.TABLE, of_quantities.stop :] = True
        # A quantity that no field compares with leads nowhere.
        pointers[_COMPARING, of_quantities] = compared.any(axis=1)
        pointers[_COMPARING + 1 :, :fields] = np.concatenate((linked, compared))
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
        pointed: W_ih times the vector of each field, mention, quantity and table as the choice before.
        states: W_ih times the words' states h_t.
        keys: what a hidden state is multiplied with to attend to the words.
        told: what attended, unused and used words add to the mixed state, and behind it to the scores of
            what is pointed at.
        pointers: what the mixed state is multiplied with to score what is pointed at.
        bias: what is added to the score of each choice.
        wants: how much each production that asks wants each field.
    """

    choices: Choices
    says: Array
    start: Array
    pointed: Array
    states: Array
    keys: Array
    told: tuple[Array, Array, Array]
    pointers: Array
    bias: Array
    wants: Array


class Span(NamedTuple):
    """The derivations of a question among those of several."""

    question: int
    rows: slice


class Now(NamedTuple):
    """What is to be chosen now in a derivation.

    Attributes:
        symbol: the symbol that is expanded.
        parent: the production that asks for it; -1 at the beginning.
        given: the mention or quantity chosen last.
        previous: the choice before, among all of the question; -1 at the beginning.
    """

    symbol: Symbol
    parent: int
    given: int
    previous: int


class Turn(NamedTuple):
    """What is to be chosen now in some derivations of some questions.

    Attributes:
        spans: whose they are.
        questions: the same for each.
        symbols: the symbol that is expanded.
        parents: the production that asks for it.
        wants: whose wishes for fields count, among all of `Together`.
        free: what can be chosen, among all of `Together`.
        previous: the choice before, among all of `Together`.
    """

    spans: tuple[Span, ...]
    questions: Numbers
    symbols: Numbers
    parents: Numbers
    wants: Numbers
    free: Numbers
    previous: Numbers


class Memory(NamedTuple):
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
        return Memory(*[own.take(ways, axis=0) for own in self])


@dataclass(frozen=True)
class Together:
    """What is heard of several questions, each padded to the longest.

    What is the same for all questions stands once. Matrices that a question has of its own are taken for the
    rows of its derivations alone (see `times_own`).

    Attributes:
        choices: what can be chosen, for each.
        starts: the first hidden state of each.
        inputs: W_ih times the vector of each production as the choice before, of none, and of what the
            questions point at.
        newly: how much of each word is used by each of these.
        behind: how far behind its own choices those of a question stand among them.
        spoken: how much each word speaks of anything.
        absent: `NEVER` for words that are padding; None where there are none.
        free: what is added to the score of each choice, its bias or `NEVER`: as many rows for each question.
        states: see `Heard`; so are the following.
        keys: a column for each word.
        told: a row for each word that is attended to, unused and used.
        pointers: a column for each that is pointed at.
        wants: a row for each production and the beginning of each question.
    """

    choices: tuple[Choices, ...]
    starts: Array
    inputs: Array
    newly: Array
    behind: tuple[int, ...]
    spoken: Array
    absent: Array | None
    free: Array
    states: Array
    keys: Array
    told: Array
    pointers: Array
    wants: Array

    @classmethod
    def of(cls, heard: Sequence[Heard], productions: Array) -> "Together":
        """Puts questions side by side; `productions` are W_ih times their vectors, and behind them none's."""
        words, pointed = (max(one.says.shape[axis] for one in heard) for axis in (0, 1))
        fields = max(one.choices.sizes[0] for one in heard)
        own = [one.says.shape[1] for one in heard]
        newly = _padded([one.says.T for one in heard], (pointed, words))
        there = np.arange(pointed) < np.array(own)[:, None]
        lengths = [len(one.says) for one in heard]
        return cls(
            choices=tuple(one.choices for one in heard),
            starts=np.stack([one.start for one in heard]),
            inputs=np.concatenate((productions, *(one.pointed for one in heard))),
            newly=np.concatenate((np.zeros((COUNT + 1, words), np.float32), newly[there])),
            behind=tuple(np.cumsum([1, *own[:-1]]).tolist()),
            spoken=newly.max(axis=1, initial=0.0),
            absent=None if min(lengths) == words else _absent(lengths, words),
            free=_free(heard, COUNT + pointed),
            states=_padded([one.states for one in heard], (words, heard[0].states.shape[1])),
            keys=_padded([one.keys for one in heard], (heard[0].keys.shape[0], words)),
            told=_told(heard, words, pointed),
            pointers=_padded([one.pointers for one in heard], (heard[0].pointers.shape[0], pointed)),
            wants=np.concatenate(_padded([one.wants for one in heard], (COUNT + 1, fields))),
        )

    def turn(self, now: Sequence[tuple[int, Sequence[Now]]]) -> Turn:
        """What is to be chosen now in the derivations of some questions, which are told by their numbers."""
        ends = list(itertools.accumulate(len(own) for _, own in now))
        spans = [Span(one, slice(end - len(own), end)) for (one, own), end in zip(now, ends, strict=True)]
        rows = len(self.free) // len(self.starts)
        found = [
            (
                question,
                one.symbol,
                one.parent,
                question * (COUNT + 1) + one.parent % (COUNT + 1),
                question * rows + self.choices[question].row(one.symbol, one.parent, one.given),
                one.previous % (COUNT + 1) if one.previous < COUNT else one.previous + self.behind[question],
            )
            for question, own in now
            for one in own
        ]
        return Turn(tuple(spans), *np.array(found).T)


def times_own(rows: Array, matrices: Array, spans: Sequence[Span]) -> Array:
    """The rows of each question times the matrix that it has of its own."""
    if len(spans) == 1:
        return np.asarray(rows @ matrices[spans[0].question])
    product = np.empty((len(rows), matrices.shape[2]), np.float32)
    for question, some in spans:
        np.matmul(rows[some], matrices[question], out=product[some])
    return product


def _padded(matrices: Sequence[Array], shape: tuple[int, int]) -> Array:
    """Matrices of several questions, with zeros behind their rows and columns."""
    if len(matrices) == 1:
        return matrices[0][None]
    padded = np.zeros((len(matrices), *shape), np.float32)
    for place, own in enumerate(matrices):
        padded[place, : own.shape[0], : own.shape[1]] = own
    return padded


def _absent(lengths: Sequence[int], words: int) -> Array:
    return np.where(np.arange(words) < np.array(lengths)[:, None], np.float32(0), NEVER)


def _free(heard: Sequence[Heard], choices: int) -> Array:
    rows = max(len(one.choices.forbidden) for one in heard)
    free = np.full((len(heard), rows, choices), NEVER)
    for place, one in enumerate(heard):
        own = one.choices.forbidden
        free[place, : own.shape[0], : own.shape[1]] = own + one.bias
    return free.reshape(-1, choices)


def _told(heard: Sequence[Heard], words: int, pointed: int) -> Array:
    """What words add to the mixed state and to the pointers' scores, as one matrix for each question."""
    mixed = heard[0].told[0].shape[1] - heard[0].says.shape[1]
    told: npt.NDArray[np.float32] = np.zeros((len(heard), 3 * words, mixed + pointed), np.float32)
    for place, one in enumerate(heard):
        length, own = one.says.shape
        attended, left, used = one.told
        told[place, :length, : mixed + own] = attended
        told[place, words : words + length, :mixed] = left
        told[place, 2 * words : 2 * words + length, mixed : mixed + own] = used
    return told
