"""Rewording: the same question in other words, so that what is learned holds for these, too.

Words that tell something stay. Common ones may be left out, phrases may give way to others of the same sense,
which are written in `data/learning/rewording.toml`, and the end may come first.
"""

import itertools
import random
import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.actions import Asked, Derivation, Pool
from neural_enquirer.encoding.text import STOP_WORDS, fold, places_of
from neural_enquirer.programs.language import Compare, Constant
from neural_enquirer.synthesis.word_files import DATA, read_lists

__all__ = ["reworded", "with_other_values"]

_WORDS: Final = read_lists(DATA / "learning" / "rewording.toml")
_SAME: Final = tuple(words for name, words in _WORDS.items() if name.startswith("same."))

_DROPPED: Final = 0.35
"""How likely it is that a common word that points at nothing is left out."""
_SAYS_MUCH: Final = frozenset({"not", "no", "than", "or", "if", "who", "when", "where", "how"})
"""Common words without which a question would be another."""
_TURNED: Final = 0.25
"""How likely it is that the end of a question comes first."""
_SWAPPED: Final = 0.5
_PUT_AROUND: Final = 0.3


def reworded(asked: Asked, rng: random.Random) -> str:
    """The question in other words, which may be the same ones."""
    text = _with_other_words(asked, rng)
    for phrases in rng.sample(_SAME, len(_SAME)):
        if rng.random() < _SWAPPED:
            text = _with_other_phrase(text, phrases, rng)
    if rng.random() < _PUT_AROUND:
        text = f"{rng.choice(_WORDS['around.before'])} {text}"
    if rng.random() < _PUT_AROUND:
        text = f"{text} {rng.choice(_WORDS['around.behind'])}"
    return text


def _with_other_words(asked: Asked, rng: random.Random) -> str:
    folded = fold(asked.question)
    free, parts, end = _free(asked), [""], 0
    for place, (start, behind) in enumerate(places_of(folded)):
        word, gap = folded[start:behind], folded[end:start]
        end = behind
        if place in free and word in STOP_WORDS - _SAYS_MUCH and rng.random() < _DROPPED:
            parts.append(" ")
        elif place in free or place - 1 in free:
            parts.append(gap + word)
        else:  # what points at something stays together
            parts[-1] += gap + word
    if len(parts) > 2 and rng.random() < _TURNED:
        parts = _turned(parts, rng)
    return " ".join("".join([*parts, folded[end:]]).split()).rstrip("?. ") or folded


def _turned(parts: Sequence[str], rng: random.Random) -> list[str]:
    """The same words with the end put before the beginning: people name things in any order."""
    cut = rng.randrange(1, len(parts))
    return [*parts[cut:], " ", *parts[:cut]]


def _free(asked: Asked) -> frozenset[int]:
    """The places of the words that point at no field, value or number."""
    links = asked.links[0]
    bound = {
        place for one in (*links.mentions, *(said.words for said in asked.said)) for place in range(*one)
    }
    bound |= {place for own in asked.links for place in np.flatnonzero(own.levels.any(axis=1)).tolist()}
    return frozenset(range(len(links.words))) - bound


def _with_other_phrase(text: str, phrases: Sequence[str], rng: random.Random) -> str:
    """One phrase of the list, where it stands as whole words, becomes another."""
    known = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
    found = re.search(rf"(?<!\w)(?:{known})(?!\w)", text)
    if found is None:
        return text
    return text[: found.start()] + rng.choice(phrases) + text[found.end() :]


def with_other_values(asked: Asked, derivation: Derivation, rng: random.Random) -> str | None:
    """The question with another value of the same field for each in it that the derivation points at.

    None where it points at none.
    """
    spans: dict[int, str] = {}
    for mention, field in _pointed(derivation):
        if mention >= asked.spoken_count:  # a value that nobody says
            continue
        condition = asked.named.get((mention, field))
        if isinstance(condition, Compare) and isinstance(condition.operand, Constant):
            spans[mention] = _other(asked, field, str(condition.operand.value), rng)
    if not spans:
        return None
    return _replaced(asked, {asked.links[0].mentions[mention]: text for mention, text in spans.items()})


def _pointed(derivation: Derivation) -> list[tuple[int, int]]:
    """Each mention with the field that comes next: the one that has it."""
    pairs = itertools.pairwise(derivation)
    return [
        (one.number, other.number)
        for one, other in pairs
        if one.pool is Pool.MENTION and other.pool is Pool.FIELD
    ]


def _other(asked: Asked, field: int, value: str, rng: random.Random) -> str:
    place = asked.places[field]
    assert place is not None
    table = asked.tables[place.table]
    row = rng.randrange(table.row_count)
    return table.text(row, place.column) or value


def _replaced(asked: Asked, texts: Mapping[tuple[int, int], str]) -> str:
    folded = fold(asked.question)
    places = places_of(folded)
    for (first, behind), text in sorted(texts.items(), reverse=True):
        folded = folded[: places[first][0]] + text + folded[places[behind - 1][1] :]
    return folded
