"""WordNet's files: which words mean the same, and which are made of each other.

The format is that of wndb(5WN): lines of `data.*` are synsets with their words and pointers, lines of
`index.*` say which synsets a word belongs to, its commonest sense first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

PARTS: Final = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""The parts of speech, as the files call them."""

ATTRIBUTE, DERIVED, PERTAINS, SIMILAR, OPPOSITE, KIND_OF, VERB_GROUP = "=", "+", "\\", "&", "!", "@", "$"
"""Pointers: heavy → weight; write → writer; Swiss → Switzerland; scorching → hot; heavy → light; car →
vehicle; of verbs that mean nearly the same."""


class SynsetName(NamedTuple):
    """A synset, by its part of speech and its place in the file."""

    part: str
    offset: str


class Pointer(NamedTuple):
    """What a synset, or one of its words, points at; words are numbered from 1, and 0 stands for all."""

    kind: str
    target: SynsetName
    source_word: int
    target_word: int


@dataclass(frozen=True)
class Synset:
    """Words that mean the same, and what they point at."""

    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]


@dataclass(frozen=True)
class WordNet:
    """All synsets by name, and the senses of each word, the commonest of each part of speech first."""

    synsets: Mapping[SynsetName, Synset]
    senses: Mapping[str, tuple[SynsetName, ...]]

    @classmethod
    def read(cls, files: Mapping[str, str]) -> "WordNet":
        """Reads the texts of `data.noun`, `index.noun` and so on, by their names."""
        synsets: dict[SynsetName, Synset] = {}
        senses: dict[str, tuple[SynsetName, ...]] = {}
        for part, name in PARTS.items():
            synsets.update(_synsets(part, files[f"data.{name}"]))
            for word, own in _senses(part, files[f"index.{name}"]):
                senses[word] = (*senses.get(word, ()), *own)
        return cls(synsets, senses)

    def targets(
        self, name: SynsetName, kind: str, word: str | None = None
    ) -> Iterator[tuple[str, SynsetName]]:
        """What a synset points at in some way, word by word; only what a word of it does, if one is named."""
        own = self.synsets[name]
        for pointer in own.pointers:
            if pointer.kind != kind:
                continue
            if word is not None and pointer.source_word and own.words[pointer.source_word - 1] != word:
                continue
            words = self.synsets[pointer.target].words
            for other in words if not pointer.target_word else words[pointer.target_word - 1 :][:1]:
                yield other, pointer.target


def _synsets(part: str, text: str) -> Iterator[tuple[SynsetName, Synset]]:
    for line in text.splitlines():
        if line.startswith(" "):  # the licence
            continue
        items = line.partition("|")[0].split()
        count = int(items[3], 16)
        words = tuple(_word(item) for item in items[4 : 4 + 2 * count : 2])
        pointers = items[5 + 2 * count :][: 4 * int(items[4 + 2 * count])]
        yield (
            SynsetName(part, items[0]),
            Synset(words, tuple(_pointer(*pointers[i : i + 4]) for i in range(0, len(pointers), 4))),
        )


def _pointer(kind: str, offset: str, part: str, places: str) -> Pointer:
    source, target = int(places[:2], 16), int(places[2:], 16)
    return Pointer(kind, SynsetName("a" if part == "s" else part, offset), source, target)


def _word(item: str) -> str:
    """A word without the mark of adjectives that stand before or behind nouns only."""
    return item.partition("(")[0].lower()


def _senses(part: str, text: str) -> Iterator[tuple[str, tuple[SynsetName, ...]]]:
    for line in text.splitlines():
        if line.startswith(" "):
            continue
        items = line.split()
        count = int(items[2])
        yield items[0], tuple(SynsetName(part, offset) for offset in items[-count:])


def read_folder(folder: Path) -> WordNet:
    """Reads WordNet from the folder that its files are in."""
    names = [f"{kind}.{part}" for kind in ("data", "index") for part in PARTS.values()]
    return WordNet.read({name: (folder / name).read_text(encoding="utf-8") for name in names})
