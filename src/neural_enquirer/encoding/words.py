"""Words: how a question is cut into them, and which of them the model has a vector for."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

PADDING = 0
"""The code of no word: it stands before short questions and in the cells of padded rows and fields."""

UNKNOWN = 1
"""The code of every word that is neither in the vocabulary nor an entity."""

# A field name such as `#_medals`, a word, a number with its separators, or one sign of the SQL-like text.
_WORD = re.compile(r"#?_?\w+(?:[.,]\d+)*|[<>=(),]")


def split_words(text: str) -> list[str]:
    """Cuts natural language or SQL-like text into lower-case words; `3,500` and `#_medals` stay whole."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class Vocabulary:
    """The words that have a row in the embedding matrix L; `words[i]` has code `i + 2`.

    Attributes:
        words: all known words, in a fixed order, entities behind the others.
        entities: those that only index (cities, countries): their vectors need no training, so that a word
            never seen before can stand in their place.
        vectors: whether other words are known by their fixed vectors (see `word_vectors`).
        unsaid: whether values are known that nobody says (see `unsaid`).
    """

    words: tuple[str, ...]
    entities: frozenset[str]
    vectors: bool = False
    unsaid: bool = False
    codes: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", {word: code for code, word in enumerate(self.words, start=2)})

    def __len__(self) -> int:
        return len(self.words) + 2

    def encode(self, words: Iterable[str]) -> list[int]:
        """Returns the code of each word."""
        codes = self.codes
        return [codes.get(word, UNKNOWN) for word in words]

    def extended(self, entities: Iterable[str]) -> "Vocabulary":
        """Returns this vocabulary with further entities behind its own words, whose codes do not change."""
        new = tuple(sorted({word.lower() for word in entities} - self.codes.keys()))
        return replace(self, words=self.words + new, entities=self.entities | frozenset(new))

    def save(self, path: Path) -> None:
        """Writes the vocabulary as JSON."""
        stored: dict[str, object] = {"words": self.words, "entities": sorted(self.entities)}
        stored |= {name: True for name in ("vectors", "unsaid") if getattr(self, name)}
        path.write_text(json.dumps(stored, indent=0) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Vocabulary":
        """Reads what `save` wrote."""
        stored = json.loads(path.read_text())
        knows = (bool(stored.get(name, False)) for name in ("vectors", "unsaid"))
        return cls(tuple(stored["words"]), frozenset(stored["entities"]), *knows)


def build_vocabulary(texts: Iterable[str], values: Iterable[str], entities: Iterable[str]) -> Vocabulary:
    """Collects the words of questions and of cells, entities last; sorted, so that the set alone counts."""
    words: set[str] = {value.lower() for value in values}
    for text in texts:
        words.update(split_words(text))
    indices = frozenset(word.lower() for word in entities) & words
    return Vocabulary((*sorted(words - indices), *sorted(indices)), indices)


def entity_vectors(words: Sequence[str], size: int) -> np.ndarray:
    """Returns a fixed random vector for each word, drawn from N(0, 1) with a seed made of its text.

    The same word has the same vector in every model and on every machine, whether it was seen in training or
    not: this is what lets an unseen entity be looked up in a table (section "Out-Of-Vocabulary Words").
    """
    vectors = np.empty((len(words), size), dtype=np.float32)
    for row, word in enumerate(words):
        seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        vectors[row] = np.random.default_rng(seed).standard_normal(size, dtype=np.float32)
    return vectors
