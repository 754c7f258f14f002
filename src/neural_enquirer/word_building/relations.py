"""What WordNet says of pairs of words, as one graph: the closer two words are, the more their link weighs."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Final, NamedTuple

from neural_enquirer.word_building.wordnet import (
    ATTRIBUTE,
    DERIVED,
    KIND_OF,
    PERTAINS,
    SIMILAR,
    SynsetName,
    WordNet,
)

SYNONYM: Final = "synonym"
_KINDS: Final = {
    SIMILAR: "similar",
    ATTRIBUTE: "attribute",
    DERIVED: "derived",
    PERTAINS: "pertains",
    KIND_OF: "kind",
}
NEARLY_THE_SAME: Final = (SYNONYM, *(_KINDS[sign] for sign in (SIMILAR, DERIVED, PERTAINS)))
"""Relations of words of which one may stand for the other; what is a kind of something may not."""
_NAMED: Final = (DERIVED, PERTAINS)
"""Pointers between words; the others are between all words of two synsets."""


class Relation(NamedTuple):
    """Two words, how they are related, and in how rare senses: 1 where both are the commonest."""

    one: str
    other: str
    kind: str
    rarity: int


def relations(wordnet: WordNet) -> Iterator[Relation]:
    """All pairs of single words that WordNet relates; some come twice."""
    numbers = _sense_numbers(wordnet)
    for name, synset in wordnet.synsets.items():
        own = [(word, name) for word in _single(synset.words)]
        yield from _related(combinations(own, 2), SYNONYM, numbers)
        for sign, kind in _KINDS.items():
            if sign in _NAMED:
                for word in _single(synset.words):
                    others = _targets(wordnet, name, sign, word)
                    yield from _related(product([(word, name)], others), kind, numbers)
            else:
                yield from _related(product(own, _targets(wordnet, name, sign)), kind, numbers)
        yield from _related(product(own, _attributes_of_similar(wordnet, name)), _KINDS[ATTRIBUTE], numbers)


Sense = tuple[str, SynsetName]


def _attributes_of_similar(wordnet: WordNet, name: SynsetName) -> list[Sense]:
    """What the adjectives are about that a synset is like: gigantic is like large, which is of size."""
    like = {target for _, target in wordnet.targets(name, SIMILAR)}
    return [found for target in sorted(like) for found in _targets(wordnet, target, ATTRIBUTE)]


def _targets(wordnet: WordNet, name: SynsetName, sign: str, word: str | None = None) -> list[Sense]:
    return [(other, target) for other, target in wordnet.targets(name, sign, word) if other.isalpha()]


def _related(
    pairs: Iterable[tuple[Sense, Sense]], kind: str, numbers: dict[Sense, int]
) -> Iterator[Relation]:
    for one, other in pairs:
        if one[0] != other[0]:
            yield Relation(one[0], other[0], kind, numbers[one] * numbers[other])


def _single(words: Iterable[str]) -> list[str]:
    return [word for word in words if word.isalpha()]


def _sense_numbers(wordnet: WordNet) -> dict[Sense, int]:
    """Which sense of a word a synset is, from 1 for each part of speech."""
    numbers = {}
    for word, names in wordnet.senses.items():
        counts: dict[str, int] = {}
        for name in names:
            counts[name.part] = counts.get(name.part, 0) + 1
            numbers[word, name] = counts[name.part]
    return numbers
