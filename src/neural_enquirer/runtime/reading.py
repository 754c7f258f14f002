"""Reading: what the words of a question say of its tables, before any row is looked at."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.linking import FOUND, INSIDE
from neural_enquirer.encoding.open import LinkedTable, OpenQuestion
from neural_enquirer.encoding.words import PADDING
from neural_enquirer.runtime.layers import ONE, Array, Mask, Numbers, Weights, linear, sigmoid, tanh
from neural_enquirer.runtime.recurrence import BothWays
from neural_enquirer.runtime.word_table import Words, WordTable

_HEADERS_KEPT = 256
"""Of so many tables the vectors of the header words are kept."""


@dataclass(frozen=True)
class Header:
    """What is known of the field names of a table, whatever the question is.

    Attributes:
        linking: B x_u of the header words u whose vectors mean something, field by field.
        starts: where those of each field begin.
        having: the fields that have such words.
        meanings: their fixed word vectors; None in models without such.
        means: the mean vector of the words of each field.
        terms: W_header times these, and the bias.
    """

    linking: Array
    starts: Numbers
    having: Numbers
    meanings: Array | None
    means: Array
    terms: Array


@dataclass(frozen=True)
class Reading:
    """A question as its words tell it.

    Attributes:
        query: the query embedding q.
        states: the states h_t of the words.
        alphas: for each table how much each word speaks of each field.
        said: the words' vectors.
        asking: A x_t of these.
        named: W [name; header; feature] of the fields of each table: what names and words that speak of them
            tell, before values do.
    """

    query: Array
    states: Array
    alphas: tuple[Array, ...]
    said: Words
    asking: Array
    named: tuple[Array, ...]

    @functools.cached_property
    def alpha(self) -> Array:
        """How much each word speaks of each field, over the fields of all tables, table by table."""
        return self.alphas[0] if len(self.alphas) == 1 else np.concatenate(self.alphas, axis=1)


@dataclass(frozen=True)
class Evidence:
    """What a question says of fields beside naming them.

    Attributes:
        mentions: the mean state of the words of each mention.
        quantities: the same for each quantity.
        mention_fields: whether a mention is one of a cell of the field.
        quantity_fields: how each quantity lies to each field.
    """

    mentions: Array
    quantities: Array
    mention_fields: Mask
    quantity_fields: npt.NDArray[np.uint8]


class Encoder:
    """The field linker, the question encoder and the field encoder."""

    def __init__(self, weights: Weights, words: WordTable) -> None:
        """Takes a model's weights and word vectors."""
        self._words = words
        self._close = float(weights["meanings.close"]) if words.has_meanings else 0.0
        self._of_word = weights["linker.of_word.weight"]
        self._of_header = weights["linker.of_header.weight"]
        level = weights["linker.level"]
        self._levels = level[0] + np.concatenate((np.zeros(1, np.float32), level[1:]))
        self._compose = weights.part("field_encoder.compose.weight")
        self._compose_bias = weights["field_encoder.compose.bias"]
        directions = [weights.part(f"question_encoder.{name}") for name in ("forwards", "backwards")]
        self._both_ways = BothWays(directions)
        self.header = functools.lru_cache(_HEADERS_KEPT)(self._header)

    def _header(self, names: tuple[tuple[int, ...], ...]) -> Header:
        """Looks at the codes of the words of each field's name."""
        sizes = [len(words) for words in names]
        codes = np.array([code for words in names for code in words], np.int64)
        vectors, is_known, meanings = self._words.look_up(codes)
        field = np.repeat(np.arange(len(names)), sizes)
        shares = np.zeros((len(names), len(codes)), np.float32)
        shares[field, np.arange(len(codes))] = [1 / size for size in sizes for _ in range(size)]
        means = shares.dot(vectors)
        first: dict[int, int] = {}
        for place, own in enumerate(field[is_known].tolist()):
            first.setdefault(own, place)
        return Header(
            linear(vectors[is_known], self._of_header),
            np.array(list(first.values()), np.int64),
            np.array(list(first), np.int64),
            None if meanings is None else meanings[is_known],
            means,
            linear(means, self._compose["header"], self._compose_bias),
        )

    def read(self, question: OpenQuestion) -> Reading:
        """Reads a question with all its tables: a word is linked as strongly as to any field of theirs."""
        words = np.array(question.words or (PADDING,), np.int64)
        said = self._words.look_up(words)
        headers = tuple(self.header(table.headers) for table in question.tables)
        asking = linear(said.vectors, self._of_word)
        asking[~said.known] = 0
        levels = [table.links.levels for table in question.tables]
        alphas = tuple(map(functools.partial(self._alpha, said, asking), headers, levels))
        flags = np.zeros(len(words), np.uint8)
        flags[: len(question.words)] = question.links.flags
        states, query = self._both_ways.states(self._inputs(said.vectors, flags, alphas))
        states = states if question.words else np.zeros_like(states)
        tables = zip(alphas, headers, question.tables, strict=True)
        named = tuple([self._named(states, *own) for own in tables])
        return Reading(query, states, alphas, said, asking, named)

    def _named(self, states: Array, alpha: Array, header: Header, table: LinkedTable) -> Array:
        """What the names of a table's fields, and the words that speak of them, add to f_n."""
        said = alpha.T.dot(states)
        said /= np.maximum(np.add.reduce(alpha, axis=0), ONE)[:, None]
        total = linear(said, self._compose["name"])
        total += header.terms
        told = (table.index.features, table.links.coverage[:, None], np.maximum.reduce(alpha)[:, None])
        total += linear(np.concatenate(told, axis=1), self._compose["feature"])
        return total

    def unsaid(self, reading: Reading, names: tuple[tuple[int, ...], ...]) -> tuple[Array, Array]:
        """The mean vectors of values that nobody says, and how much each word speaks of each.

        Args:
            reading: the question.
            names: the codes of the words of each value.
        """
        header = self.header(names)
        none = np.zeros((len(reading.asking), len(names)), np.uint8)
        return header.means, self._alpha(reading.said, reading.asking, header, none)

    def _alpha(self, said: Words, asking: Array, header: Header, levels: npt.NDArray[np.uint8]) -> Array:
        """α_tn = σ(b + level_tn + close_tn + max over the words u of header n of ⟨A x_t, B x_u⟩)."""
        if not len(levels):
            return np.zeros((len(asking), levels.shape[1]), np.float32)
        scores = self._levels[levels]
        if len(header.having):
            closest = np.maximum.reduceat(asking @ header.linking.T, header.starts, axis=1)
            scores[:, header.having] += closest
            if said.meanings is not None and header.meanings is not None:
                cosines = np.maximum.reduceat(said.meanings @ header.meanings.T, header.starts, axis=1)
                scores[:, header.having] += self._close * np.maximum(cosines, 0)
        return sigmoid(scores)

    def _inputs(self, said: Array, flags: npt.NDArray[np.uint8], alphas: Sequence[Array]) -> Array:
        bits = np.unpackbits(flags[:, None], axis=1, bitorder="little")
        strongest = functools.reduce(np.maximum, [alpha.max(axis=1) for alpha in alphas])
        total = functools.reduce(np.add, [alpha.sum(axis=1) for alpha in alphas])
        return np.concatenate((said, bits, strongest[:, None], total[:, None]), axis=1, dtype=np.float32)

    def names(self, reading: Reading, place: int | None, evidence: Evidence) -> Array:
        """f_n = tanh(W [name; mention; equal; inside; header; feature]), of a table or of all of them."""
        weight, lies = self._compose, evidence.quantity_fields
        total = np.concatenate(reading.named if place is None else reading.named[place : place + 1])
        if len(evidence.mentions):
            total += evidence.mention_fields.T.astype(np.float32) @ linear(
                evidence.mentions, weight["mention"]
            )
        if len(evidence.quantities):
            total += (lies == FOUND).T.astype(np.float32) @ linear(evidence.quantities, weight["equal"])
            total += (lies >= INSIDE).T.astype(np.float32) @ linear(evidence.quantities, weight["inside"])
        return tanh(total)


def span_means(states: Array, spans: Sequence[tuple[int, int]]) -> Array:
    """The mean state of the words of each span."""
    if not spans:
        return np.zeros((0, states.shape[1]), np.float32)
    sums = [np.add.reduce(states[start:end], axis=0) for start, end in spans]
    return np.asarray(np.array(sums) / np.array([[end - start] for start, end in spans], np.float32))
