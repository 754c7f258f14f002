"""Reading: what the words of a question say of its tables, before any row is looked at."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.linking import FOUND, INSIDE
from neural_enquirer.encoding.open import OpenQuestion
from neural_enquirer.encoding.words import PADDING
from neural_enquirer.runtime.layers import Array, Mask, Numbers, Weights, linear, sigmoid, tanh
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
        headers: the field names of each table.
        said: the words' vectors.
        asking: A x_t of these.
    """

    query: Array
    states: Array
    alphas: tuple[Array, ...]
    headers: tuple[Header, ...]
    said: Words
    asking: Array

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
        features: numbers about each field, and the share of its name that the question has.
    """

    mentions: Array
    quantities: Array
    mention_fields: Mask
    quantity_fields: npt.NDArray[np.uint8]
    features: Array


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
        self._incoming = [own["weight_ih_l0"] for own in directions]
        self._incoming_bias = [own["bias_ih_l0"] for own in directions]
        self._recurrent = np.stack([own["weight_hh_l0"].T for own in directions])
        self._recurrent_bias = np.stack([own["bias_hh_l0"] for own in directions])[:, None]
        self.header = functools.lru_cache(_HEADERS_KEPT)(self._header)

    def _header(self, names: tuple[tuple[int, ...], ...]) -> Header:
        """Looks at the codes of the words of each field's name."""
        sizes = [len(words) for words in names]
        codes = np.array([code for words in names for code in words], np.int64)
        vectors, is_known, meanings = self._words.look_up(codes)
        field = np.repeat(np.arange(len(names)), sizes)
        sums = np.zeros((len(names), vectors.shape[1]), np.float32)
        np.add.at(sums, field, vectors)
        means = sums / np.maximum(sizes, 1).astype(np.float32)[:, None]
        having, starts = np.unique(field[is_known], return_index=True)
        return Header(
            linear(vectors[is_known], self._of_header),
            starts,
            having,
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
        states, query = self._recur(self._inputs(said.vectors, flags, alphas))
        states = states if question.words else np.zeros_like(states)
        return Reading(query, states, alphas, headers, said, asking)

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

    def _recur(self, inputs: Array) -> tuple[Array, Array]:
        """The GRUs of both directions: h_t for every word, and q, the last states."""
        tokens, size = len(inputs), self._recurrent.shape[1]
        onward, backward = map(linear, (inputs, inputs[::-1]), self._incoming, self._incoming_bias)
        terms = np.stack((onward, backward), axis=1)[:, :, None]
        state = np.zeros((2, 1, size), np.float32)
        states = np.empty((tokens, 2, size), np.float32)
        for place, term in enumerate(terms):
            recurrent = state @ self._recurrent
            recurrent += self._recurrent_bias
            gates = sigmoid(term[..., : 2 * size] + recurrent[..., : 2 * size])
            recurrent[..., 2 * size :] *= gates[..., :size]  # r
            new = tanh(term[..., 2 * size :] + recurrent[..., 2 * size :])
            state = new + gates[..., size:] * (state - new)  # z
            states[place] = state[:, 0]
        states[:, 1] = states[::-1, 1].copy()
        return states.reshape(tokens, -1), state.reshape(-1)

    def names(self, reading: Reading, place: int | None, evidence: Evidence) -> Array:
        """f_n = tanh(W [name; mention; equal; inside; header; feature]), of a table or of all of them."""
        alpha = reading.alpha if place is None else reading.alphas[place]
        headers = reading.headers if place is None else reading.headers[place : place + 1]
        weight, lies = self._compose, evidence.quantity_fields
        said = (alpha.T @ reading.states) / np.maximum(alpha.sum(axis=0), 1)[:, None]
        total = linear(said, weight["name"])
        total += np.concatenate([header.terms for header in headers])
        total += linear(
            np.concatenate((evidence.features, alpha.max(axis=0)[:, None]), axis=1), weight["feature"]
        )
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
    return np.stack([states[start:end].mean(axis=0) for start, end in spans])
