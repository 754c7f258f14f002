"""Words that say what to do with a table, or say little: lists under `data`, loaded once."""

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DATA: Final = Path(__file__).parents[1] / "data" / "answers"
_SHORTEST_SUPERLATIVE: Final = 6


@dataclass(frozen=True)
class OperationWords:
    """The words that ask for one operation.

    Attributes:
        name: what it is called.
        phrases: matches them in words with one space between.
        telling: whether they ask for nothing else.
        starts: the first words of the phrases, without which none of these is there.
    """

    name: str
    phrases: re.Pattern[str]
    telling: bool
    starts: tuple[str, ...]

    def found_in(self, words: Sequence[str]) -> frozenset[int]:
        """The places of the words that ask for it."""
        text = " ".join(words)
        if not any(start in text for start in self.starts):
            return frozenset()
        return frozenset(
            place
            for match in self.phrases.finditer(text)
            for place in range(text.count(" ", 0, match.start()), text.count(" ", 0, match.end()) + 1)
        )


@functools.cache
def operation_words() -> tuple[OperationWords, ...]:
    """What words ask for which operation."""
    content = tomllib.loads((_DATA / "operations.toml").read_text("utf-8"))
    return tuple(
        OperationWords(name, phrases_pattern(keys["phrases"]), keys["telling"], _starts(keys["phrases"]))
        for name, keys in content.items()
    )


def _starts(phrases: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(phrase.split()[0].removesuffix("*") for phrase in phrases))


@functools.lru_cache(maxsize=16)
def asked_for(words: tuple[str, ...]) -> Mapping[str, frozenset[int]]:
    """The places of the words that ask for each operation; a judge looks for them again and again."""
    return {each.name: each.found_in(words) for each in operation_words()}


def plain_words() -> frozenset[str]:
    """Words that people put into questions about any table, without asking for anything by them."""
    return _words_in("plain_words.txt")


def is_superlative(word: str) -> bool:
    """Whether a word is a superlative of its own: oldest; not most, and not harvest."""
    is_long = len(word) >= _SHORTEST_SUPERLATIVE
    return is_long and word.endswith("est") and word not in _words_in("no_superlatives.txt")


@functools.cache
def _words_in(file: str) -> frozenset[str]:
    lines = (_DATA / file).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def phrases_pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """Matches any of some phrases, the longest first; a * stands for any ending of a word."""
    longest_first = sorted(map(re.escape, phrases), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b".replace(r"\*", r"\w*"))
