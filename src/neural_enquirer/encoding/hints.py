"""Hints: which field a word speaks of by what it means, where nobody taught the model the word.

What a model has learned of its vocabulary, it knows better than any word vector. Of other words, such as
`abode` beside a field of addresses, vectors alone tell; a hint says it as loud as the beginning of a header.
"""

import functools
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.text import STOP_WORDS
from neural_enquirer.encoding.word_index import WordIndex
from neural_enquirer.encoding.word_vectors import row_of, vectors

__all__ = ["hinted_fields"]

CLOSE: Final = 0.3
"""The least cosine of a word and one of a header's."""
LEAD: Final = 0.04
"""How much closer than to the headers of other fields."""


def hinted_fields(words: Sequence[str], index: WordIndex) -> list[int | None]:
    """The field that each word hints at by its meaning; None where it is close to none, or to several."""
    rows = tuple(row_of(word) for name in index.names for word in _telling(name.words))
    fields = [n for n, name in enumerate(index.names) for _ in _telling(name.words)]
    said = vectors([row_of(word) for word in words])
    cosines = np.full((len(words), len(index.names)), -1.0, np.float32)
    if rows:
        np.maximum.at(cosines.T, fields, _meanings(rows) @ said.T)
    return [_closest(own) for own in cosines]


@functools.lru_cache(maxsize=512)
def _meanings(rows: tuple[int, ...]) -> npt.NDArray[np.float32]:
    return vectors(rows)


def _telling(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS]


def _closest(cosines: npt.NDArray[np.float32]) -> int | None:
    """The place of the largest of some cosines, where it is close and has a lead."""
    best = int(cosines.argmax())
    others = np.delete(cosines, best).max(initial=0.0)
    return best if cosines[best] >= max(CLOSE, others + LEAD) else None
