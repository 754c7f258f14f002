"""Fields by the words of their names."""

import re
from collections.abc import Sequence
from typing import Final

from neural_enquirer.encoding.actions.asked import Place
from neural_enquirer.encoding.text import header_words, stem
from neural_enquirer.tables import Table

__all__ = ["called", "is_called", "numbered_like"]

_SHORTEST_STEM: Final = 5
_NUMBER: Final = re.compile(r"\d+")


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


def numbered_like(name: str, names: Sequence[str], words: Sequence[str]) -> list[str]:
    """The fields that are called like another but for a number, which is one of some words: POP1996."""
    if not _NUMBER.search(name):
        return []
    rest = _NUMBER.sub("", name)
    found = [each for each in names if each != name and set(_NUMBER.findall(each)) & set(words)]
    return [each for each in found if _NUMBER.sub("", each) == rest]


def _stems(name: str) -> list[str]:
    return [stem(word) for words in header_words(name) for word in words]


def _is_like(word: str, stems: frozenset[str]) -> bool:
    """Whether a word is one of some stems, or begins with one: foundingyear."""
    return word in stems or word.startswith(tuple(each for each in stems if len(each) >= _SHORTEST_STEM))
