"""Word table: the vectors of words by their codes, those that were learned and those that are fixed."""

import functools
from typing import Final, NamedTuple

import numpy as np

from neural_enquirer.encoding.open import BUCKETS, bucket_vectors, vector_row
from neural_enquirer.encoding.word_vectors import vectors
from neural_enquirer.encoding.words import PADDING, Vocabulary
from neural_enquirer.runtime.layers import Array, Mask, Numbers, Weights, linear

_ROWS_KEPT: Final = 65536
"""Of so many codes it is kept where their fixed vectors stand."""


class Words(NamedTuple):
    """Words of a question or of headers.

    Attributes:
        vectors: their vectors x.
        known: whether these mean something: those of words that nobody knows do not.
        meanings: their fixed word vectors; None in models without such.
    """

    vectors: Array
    known: Mask
    meanings: Array | None


class WordTable:
    """x = own + W v, where v is the fixed vector of a word, in models that have such."""

    def __init__(self, weights: Weights, vocabulary: Vocabulary) -> None:
        """Takes a model's weights and the words that its codes stand for."""
        self._own = weights["embedding"]
        self._vector_row = functools.lru_cache(_ROWS_KEPT)(
            functools.partial(vector_row, vocabulary=vocabulary)
        )
        self._project = weights["meanings.project.weight"] if vocabulary.vectors else None

    @property
    def has_meanings(self) -> bool:
        """Whether words are also known by their fixed vectors."""
        return self._project is not None

    @property
    def learned(self) -> int:
        """How many codes have a vector of their own: the size of the vocabulary."""
        return 1 + len(self._own)

    @functools.cached_property
    def _buckets(self) -> Array:
        return bucket_vectors(self._own.shape[1])

    def look_up(self, codes: Numbers) -> Words:
        """The vectors of words, by their codes; padding's are zero."""
        found = self._own[np.minimum(np.maximum(codes, 1), self.learned - 1) - 1]
        found[codes == PADDING] = 0
        known, places = codes < self.learned, codes - self.learned
        strange = ~known & (places < BUCKETS)
        if strange.any():
            found[strange] = self._buckets[places[strange]]
        if self._project is None:
            return Words(found, known, None)
        found[~known & ~strange] = 0
        meanings = vectors([self._vector_row(code) for code in codes.tolist()])
        return Words(found + linear(meanings, self._project), ~strange, meanings)
