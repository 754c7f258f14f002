"""Synonyms: cells that a word stands for by what it means, such as Apparel for clothing.

Lists of other names have the common ones. For other words fixed word vectors tell, among the values of
fields that have few; they have to be nearly the same, and nearer than any other value.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from neural_enquirer.encoding.cell_index import CellIndex
from neural_enquirer.encoding.mentions import How, Mention, Said
from neural_enquirer.encoding.word_vectors import closest, row_of, vectors

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
    phrases, meanings = index.meanings
    for i, word in enumerate(said.words if phrases else ()):
        if said.telling[i] and not said.proper[i] and i not in taken and not named[i] and row_of(word):
            place = closest(meanings @ vectors([row_of(word)])[0], CLOSE, LEAD)
            if place is not None:
                yield Mention((i, i + 1), How.ALIAS, index.meant(phrases[place]))
