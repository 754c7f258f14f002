"""Word vectors: what words mean, for words that no question of the training data has.

They are GloVe's, drawn together where WordNet relates two words, so that `hefty` lies close to `weight`. The
file is made by `enquirer words build`; see data/words/README.md. A word that it does not have is looked up by
its base form.
"""

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["SIZE", "are_same", "bases_of", "closest", "count", "is_word", "row_of", "vectors", "word_vector"]

SIZE: Final = 64
"""Of a vector."""
_SHORTEST_BASE: Final = 3
_ENDINGS: Final = (
    ("s", ("",)),
    ("es", ("",)),
    ("ies", ("y",)),
    ("est", ("", "e")),
    ("iest", ("y",)),
    ("er", ("", "e")),
    ("ier", ("y",)),
    ("ed", ("", "e")),
    ("ied", ("y",)),
    ("ing", ("", "e")),
    ("ly", ("",)),
    ("ness", ("",)),
    ("iness", ("y",)),
)
"""Endings of words, and what their base forms have in their place."""


@dataclass(frozen=True)
class _Stored:
    rows: dict[str, int]
    vectors: npt.NDArray[np.int8]


@functools.cache
def _stored() -> _Stored:
    folder = resources.files("neural_enquirer") / "data" / "words"
    words = (folder / "words.txt").read_text(encoding="utf-8").split()
    with (folder / "vectors.npy").open("rb") as file:
        stored = np.load(file)
    if stored.shape != (len(words), SIZE):
        raise ValueError("data/words: vectors.npy and words.txt do not belong together")
    return _Stored(dict(zip(words, itertools.count(1), strict=False)), stored)


def count() -> int:
    """How many rows there are: those of all words, and before them that of no word."""
    return 1 + len(_stored().vectors)


def vectors(rows: Sequence[int]) -> npt.NDArray[np.float32]:
    """The vectors of some rows, each of length one; that of no word is zero."""
    places = np.asarray(rows, np.int64)
    found = _stored().vectors[np.maximum(places, 1) - 1].astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", found, found))
    return np.asarray(found * ((places > 0) / lengths)[:, None], np.float32)


@functools.lru_cache(maxsize=65536)
def row_of(word: str) -> int:
    """The row of a folded word, or of its base form, among all vectors; 0 if there is none."""
    rows = _stored().rows
    if word in rows:
        return rows[word]
    return next((rows[base] for base in bases_of(word) if base in rows), 0)


def is_word(word: str) -> bool:
    """Whether a folded word, or what it is the plural of, is one that people use: it is not misspelled."""
    rows = _stored().rows
    return word in rows or word.removesuffix("s") in rows


def word_vector(word: str) -> npt.NDArray[np.float32]:
    """The vector of a folded word; zeros if there is none."""
    return np.asarray(vectors([row_of(word)])[0])


def are_same(word: str, other: str) -> bool:
    """Whether WordNet says that two folded words, or their base forms, mean nearly the same."""
    return not _rows_of(other).isdisjoint(_same_as(word))


@functools.lru_cache(maxsize=1024)
def _same_as(word: str) -> frozenset[int]:
    """The rows of a word's forms, and of all words that mean nearly the same."""
    own = _rows_of(word)
    ones, others = _same()
    places = zip(*(np.searchsorted(ones, sorted(own), side) for side in ("left", "right")), strict=True)
    return own.union(*(others[slice(*place)].tolist() for place in places))


@functools.cache
def _same() -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint16]]:
    """The rows of each two words that mean nearly the same, both ways, in the order of the first."""
    with (resources.files("neural_enquirer") / "data" / "words" / "same.npy").open("rb") as file:
        pairs = np.load(file)
    both = np.concatenate((pairs, pairs[:, ::-1]))
    ones, others = both[np.argsort(both[:, 0], kind="stable")].T
    return ones, others


@functools.lru_cache(maxsize=65536)
def _rows_of(word: str) -> frozenset[int]:
    """The rows of a folded word and of what it could be a form of."""
    rows = _stored().rows
    return frozenset(rows[one] for one in (word, *bases_of(word)) if one in rows)


def closest(cosines: npt.NDArray[np.float32], least: float, lead: float) -> int | None:
    """The place of the largest of some cosines; None if it is too small, or another comes too close to it."""
    best = int(cosines.argmax())
    others = np.delete(cosines, best).max(initial=0.0)
    return best if cosines[best] >= max(least, others + lead) else None


def bases_of(word: str) -> Iterator[str]:
    """What a word could be a form of, by its ending: heaviest of heavy, bigger of big."""
    for ending, replacements in _ENDINGS:
        start = word.removesuffix(ending)
        if start == word or len(start) < _SHORTEST_BASE:
            continue
        for replacement in replacements:
            yield start + replacement
        if start[-1] == start[-2] and ending[0] in "ei":
            yield start[:-1]
