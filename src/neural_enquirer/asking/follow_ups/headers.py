"""Fields by the words of their names."""

import re
from collections.abc import Sequence
from typing import Final

from neural_enquirer.encoding.actions.asked import Place
from neural_enquirer.encoding.text import header_words, stem
from neural_enquirer.tables import Table

__all__ = ["called", "called_like", "is_called"]

_SHORTEST_STEM: Final = 5
_SHORTEST_PART: Final = 3
_PART: Final = re.compile(r"\d+|[^\d]+")


def called(tables: Sequence[Table], stems: frozenset[str]) -> list[Place]:
    """The fields whose names have one of some words, by the word that the name ends with first."""
    found = []
    for number, table in enumerate(tables):
        for column, name in enumerate(table.field_names):
            own = _stems(name)
            if any(_is_like(word, stems) for word in own):
                found.append((not _is_like(own[-1], stems), len(own), Place(number, column)))
    return [place for *_, place in sorted(found, key=lambda each: each[:2])]


def is_called(name: str, stems: frozenset[str]) -> bool:
    """Whether a field's name has one of some words."""
    return any(_is_like(word, stems) for word in _stems(name))


def called_like(name: str, names: Sequence[str], words: Sequence[str]) -> list[str]:
    """The fields called like another but for one word, which is one of some: votes of 2004."""
    own = _parts(name)
    return [each for each in names if _differs_by(_parts(each), own, frozenset(words))]


def _differs_by(parts: Sequence[str], own: Sequence[str], words: frozenset[str]) -> bool:
    """Whether parts of a name are those of another but for one, which is one of some words."""
    if len(parts) != len(own) or len(own) < 2:
        return False
    different = [new for new, old in zip(parts, own, strict=True) if new != old]
    return len(different) == 1 and any(_says(word, different[0]) for word in words)


def _says(word: str, part: str) -> bool:
    """Whether a word is a part of a name, which may be short for it: jan."""
    return stem(word) == part or (len(part) >= _SHORTEST_PART and word.startswith(part))


def _parts(name: str) -> list[str]:
    return [part for word in _stems(name) for part in _PART.findall(word)]


def _stems(name: str) -> list[str]:
    return [stem(word) for words in header_words(name) for word in words]


def _is_like(word: str, stems: frozenset[str]) -> bool:
    """Whether a word is one of some stems, or begins with one: foundingyear."""
    return word in stems or word.startswith(tuple(each for each in stems if len(each) >= _SHORTEST_STEM))
