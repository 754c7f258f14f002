"""Hints: which field a word speaks of by what it means, where nobody taught the model the word.

What a model has learned of its vocabulary, it knows better than any word vector. Of other words, such as
`abode` beside a field of addresses, vectors alone tell; a hint says it as loud as the beginning of a header.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.word_index import WordIndex
from neural_enquirer.encoding.word_vectors import closest, row_of, vectors

__all__ = ["hinted_fields"]

CLOSE: Final = 0.3
"""The least cosine of a word and one of a header's."""
LEAD: Final = 0.04
"""How much closer than to the headers of other fields."""


def hinted_fields(words: Sequence[str], index: WordIndex) -> list[int | None]:
    """The field that each word hints at by its meaning; None where it is close to none, or to several."""
    fields, meanings = index.meanings
    cosines = np.full((len(index.names), len(words)), -1.0, np.float32)
    np.maximum.at(cosines, fields, meanings @ vectors([row_of(word) for word in words]).T)
    return [closest(own, CLOSE, LEAD) for own in cosines.T]
