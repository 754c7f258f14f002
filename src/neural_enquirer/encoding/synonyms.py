"""Synonyms: cells that a word stands for by what it means, such as Apparel for clothing.

Lists of other names have the common ones. For other words fixed word vectors tell, among the values of
fields that have few; they have to be nearly the same, and nearer than any other value.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.cell_index import CellIndex, Cells
from neural_enquirer.encoding.mentions import How, Mention, Said
from neural_enquirer.encoding.word_vectors import row_of, vectors

__all__ = ["synonyms"]

CLOSE: Final = 0.7
"""The least cosine of a word and a value."""
LEAD: Final = 0.1
"""How much closer than to other values."""


def synonyms(
    said: Said, mentions: Sequence[Mention], named: Sequence[Collection[int]], index: CellIndex
) -> Iterator[Mention]:
    """The cells that telling words mean which neither mention any nor name a field."""
    taken = {i for mention in mentions for i in range(*mention.span)}
    for i, word in enumerate(said.words):
        if said.telling[i] and not said.proper[i] and i not in taken and not named[i] and row_of(word):
            cells = _meant(word, index)
            if cells:
                yield Mention((i, i + 1), How.ALIAS, cells)


def _meant(word: str, index: CellIndex) -> Cells:
    values, meanings = index.meanings
    if not values:
        return {}
    cosines = meanings @ vectors([row_of(word)])[0]
    best = int(cosines.argmax())
    phrase = values[best][1]
    is_best = np.array([own == phrase for _, own in values])
    others = cosines[~is_best].max(initial=0.0)
    if cosines[best] < max(CLOSE, others + LEAD):
        return {}
    return {n: frozenset([phrase]) for n, own in values if own == phrase}
