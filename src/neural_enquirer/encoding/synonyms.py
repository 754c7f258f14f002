"""Synonyms: cells that a word stands for by what it means, such as Apparel for clothing.

Lists of other names have the common ones. Of other words WordNet says whether they mean nearly the same
as one of the values of fields that have few, and word vectors in which sense. What is merely alike, as
comedies are to drama and silver is to gold, is another value.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from neural_enquirer.encoding.cell_index import CellIndex
from neural_enquirer.encoding.mentions import How, Mention
from neural_enquirer.encoding.said import Said
from neural_enquirer.encoding.word_vectors import are_same, closest, row_of, vectors

__all__ = ["synonyms"]

CLOSE: Final = 0.5
"""The least cosine of a word and a value."""
LEAD: Final = 0.04
"""How much closer than to other values that mean nearly the same."""


def synonyms(
    said: Said, mentions: Sequence[Mention], named: Sequence[Collection[int]], index: CellIndex
) -> Iterator[Mention]:
    """The cells that telling words mean which neither mention any nor name a field."""
    taken = {i for mention in mentions for i in range(*mention.span)}
    for i, word in enumerate(said.words):
        if said.telling[i] and not said.proper[i] and i not in taken and not named[i] and row_of(word):
            same = [are_same(word, phrase.strip()) for phrase in index.known]
            if any(same):
                place = closest((index.meanings @ vectors([row_of(word)])[0]) * same, CLOSE, LEAD)
                if place is not None:
                    yield Mention((i, i + 1), How.ALIAS, index.meant(index.known[place]))
