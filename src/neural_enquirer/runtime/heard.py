"""What the decoder hears: of one question, and of several whose programs are written side by side."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import numpy as np

from neural_enquirer.encoding.actions import PRODUCTIONS, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import COMPARING, HOMES, START
from neural_enquirer.encoding.schema import ANY, DATE, NUMBER, ORDERED, Pointed
from neural_enquirer.runtime.layers import Array, Numbers

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
        pointers = np.zeros((_COMPARING + 1 + mentions + quantities, sum(sizes)), np.bool_)
        of_mentions = slice(fields, fields + mentions)
        of_quantities = slice(of_mentions.stop, of_mentions.stop + quantities)
        pointers[_OF_KINDS, :fields] = (pointed.kinds & _KIND_BITS) > 0
        pointers[Symbol.MENTION, of_mentions] = linked.any(axis=1)
        pointers[[Symbol.QUANTITY, Symbol.COUNT], of_quantities] = True
        pointers[Symbol.TABLE, of_quantities.stop :] = True
        # A quantity that no field compares with leads nowhere.
        pointers[_COMPARING, of_quantities] = compared.any(axis=1)
        pointers[_COMPARING + 1 : _COMPARING + 1 + mentions, :fields] = linked
        pointers[_COMPARING + 1 + mentions :, :fields] = compared
        forbidden = np.full((len(pointers), COUNT + pointers.shape[1]), NEVER)
        forbidden[:, COUNT:][pointers] = 0
        forbidden[: len(Symbol), :COUNT] = _completed(
            pointers[_POINTED_AT].any(axis=1).tobytes(), bool(compared.any())
        )
        return cls(sizes, forbidden)


@lru_cache(maxsize=256)
def _completed(pointed_at: bytes, compares: bool) -> Array:
    """0 for each production that expands a symbol and whose arguments are there; `NEVER` for others."""
    there = np.ones(len(Symbol), np.bool_)
    there[_POINTED_AT] = np.frombuffer(pointed_at, np.bool_)
    there[Symbol.COMPARED] = compares
    return np.where(_HOMES & ~(_NEEDS & ~there).any(axis=1), np.float32(0), NEVER)


@dataclass(frozen=True)
class Heard:
    """What the encoders say of a question, as the decoder's layers see it.

    Attributes:
        choices: what can be chosen.
        says: how much each word speaks of each field, mention, quantity and table.
        start: the first hidden state.
        pointed: W_ih times the vector of nothing, and of each field, mention, quantity and table as the
            choice before, for each of the two gates and the new state; so for `states`.
        states: W_ih times the words' states h_t.
        keys: what a hidden state is multiplied with to attend to the words.
        mixed: what words that are attended to, and those that are unused, add to the mixed state.
        told: what used words, and those that are attended to, add to the scores of what is pointed at.
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
    mixed: Array
    told: Array
    pointers: Array
    bias: Array
    wants: Array


OPENINGS: Final[Mapping[tuple[Symbol, int], int]] = {
    (symbol, parent): place
    for place, (symbol, parent) in enumerate(
        dict.fromkeys(
            [START, *((symbol, n) for n, one in enumerate(PRODUCTIONS) for symbol in one.arguments)]
        )
    )
}
"""A number for each symbol that may be expanded with the production that asks for it."""


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
        asking: the symbol that is expanded and the production that asks for it, among `OPENINGS`.
        wants: whose wishes for fields count, among all of `Together`.
        free: what can be chosen, among all of `Together`.
        produced: the production that was the choice before; `COUNT` at the beginning, and one more where
            something was pointed at.
        pointed: what was pointed at before, among all of `Together`.
    """

    spans: tuple[Span, ...]
    questions: Numbers
    asking: Numbers
    wants: Numbers
    free: Numbers
    produced: Numbers
    pointed: Numbers


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
        pointed: W_ih times the vector of nothing, and of what the question points at, of each question.
        newly: how much of each word is used by each of these.
        behind: where those of each question begin.
        spoken: how much each word speaks of anything.
        absent: `NEVER` for words that are padding; None where there are none.
        free: what is added to the score of each choice, its bias or `NEVER`: as many rows for each question.
        states: see `Heard`; so are the following.
        keys: a column for each word.
        mixed: a row for each word that is attended to, and for each that is unused.
        told: a row for each word that is used, and for each that is attended to.
        pointers: a column for each that is pointed at.
        wants: a row for each production and the beginning of each question.
    """

    choices: tuple[Choices, ...]
    starts: Array
    pointed: Array
    newly: Array
    behind: tuple[int, ...]
    spoken: Array
    absent: Array | None
    free: Array
    states: Array
    keys: Array
    mixed: Array
    told: Array
    pointers: Array
    wants: Array

    @classmethod
    def of(cls, heard: Sequence[Heard]) -> "Together":
        """Puts questions side by side."""
        own = [one.says.shape[1] for one in heard]
        lengths = [len(one.says) for one in heard]
        words = max(lengths)
        return cls(
            choices=tuple(one.choices for one in heard),
            starts=np.array([one.start for one in heard]),
            pointed=_side_by_side([one.pointed for one in heard]),
            newly=_newly(heard, words),
            behind=tuple(itertools.accumulate([1 + count for count in own[:-1]], initial=0)),
            spoken=_spoken(heard, words),
            absent=None if min(lengths) == words else _absent(lengths, words),
            free=_free(heard, COUNT + max(own)),
            states=_padded([one.states for one in heard]),
            keys=_padded([one.keys for one in heard]),
            mixed=_below(_padded([one.mixed for one in heard])),
            told=_below(_padded([one.told for one in heard])),
            pointers=_padded([one.pointers for one in heard]),
            wants=np.concatenate(_padded([one.wants for one in heard])),
        )

    def turn(self, now: Sequence[tuple[int, Sequence[Now]]]) -> Turn:
        """What is to be chosen now in the derivations of some questions, which are told by their numbers."""
        spans, first = [], 0
        for question, own in now:
            spans.append(Span(question, slice(first, first + len(own))))
            first += len(own)
        rows, found = len(self.free) // len(self.starts), []
        for question, own in now:
            choices, nothing = self.choices[question], self.behind[question]
            for symbol, parent, given, previous in own:
                points = previous >= COUNT
                found.append(
                    (
                        question,
                        OPENINGS[symbol, parent],
                        question * (COUNT + 1) + parent % (COUNT + 1),
                        question * rows + choices.row(symbol, parent, given),
                        COUNT + 1 if points else previous % (COUNT + 1),
                        nothing + (previous - COUNT + 1 if points else 0),
                    )
                )
        return Turn(tuple(spans), *np.array(found).T.copy())


def times_own(rows: Array, matrices: Array, spans: Sequence[Span]) -> Array:
    """The rows of each question times the matrix, or the matrices, that it has of its own."""
    if len(spans) == 1:
        return np.asarray(np.matmul(rows, matrices[spans[0].question]))
    product = np.empty((*matrices.shape[1:-2], len(rows), matrices.shape[-1]), np.float32)
    for question, some in spans:
        np.matmul(rows[some], matrices[question], out=product[..., some, :])
    return product


def _padded(matrices: Sequence[Array]) -> Array:
    """Matrices of several questions, with zeros behind their rows and columns."""
    if len(matrices) == 1:
        return matrices[0][None]
    shape = [max(sizes) for sizes in zip(*(own.shape for own in matrices), strict=True)]
    padded = np.zeros((len(matrices), *shape), np.float32)
    for place, own in enumerate(matrices):
        padded[place, ..., : own.shape[-2], : own.shape[-1]] = own
    return padded


def _below(matrices: Array) -> Array:
    """Of each question its matrices, one below the other."""
    return matrices.reshape(len(matrices), -1, matrices.shape[-1])


def _side_by_side(pointed: Sequence[Array]) -> Array:
    return pointed[0] if len(pointed) == 1 else np.concatenate(pointed, axis=1)


def _newly(heard: Sequence[Heard], words: int) -> Array:
    """How much of each word is used by nothing, and by what is pointed at."""
    newly = np.zeros((sum(1 + one.says.shape[1] for one in heard), words), np.float32)
    first = 1
    for one in heard:
        length, pointed = one.says.shape
        newly[first : first + pointed, :length] = one.says.T
        first += pointed + 1
    return newly


def _spoken(heard: Sequence[Heard], words: int) -> Array:
    spoken = np.zeros((len(heard), words), np.float32)
    for row, one in zip(spoken, heard, strict=True):
        np.maximum.reduce(one.says, axis=1, initial=0, out=row[: len(one.says)])
    return spoken


def _absent(lengths: Sequence[int], words: int) -> Array:
    return np.where(np.arange(words) < np.array(lengths)[:, None], np.float32(0), NEVER)


def _free(heard: Sequence[Heard], choices: int) -> Array:
    if len(heard) == 1:
        return heard[0].choices.forbidden + heard[0].bias
    rows = max(len(one.choices.forbidden) for one in heard)
    free = np.full((len(heard), rows, choices), NEVER)
    for place, one in enumerate(heard):
        own = one.choices.forbidden
        free[place, : own.shape[0], : own.shape[1]] = own + one.bias
    return free.reshape(-1, choices)
