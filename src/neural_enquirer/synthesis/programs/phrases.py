"""The grammar that questions are put together by: lists of phrases, whose slots are filled or are lists too.

They are written in `data/vocabulary/programs`. A phrase can be used where all of its slots are known; so one
list serves fields with and without an adjective, rows with and without conditions.
"""

import functools
import re
from collections.abc import Mapping
from typing import Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import is_plural, with_article
from neural_enquirer.synthesis.open.vocabulary import words_of
from neural_enquirer.synthesis.word_files import DATA, read_lists, slots_in

CARRIERS: Final = frozenset({"one", "many", "m", "where", "brief", "does", "do", "among"})
"""The slots that hold the conditions of a question: where there are some, one of these must be filled."""

_FILES: Final = ("conditions", "cells", "order", "amounts", "groups", "comparisons", "yes_no", "others")
_ASK_NOTHING: Final = frozenset({"off_topic", "nonsense", "nonsense_words"})
_SLOT: Final = re.compile(r"\{(\w+)\}")
_OF_SEVERAL: Final = (
    (r"\b(?:what is|what's|whats) the \{SLOT\}", "what are the {SLOT}"),
    (r"\bwhat was the \{SLOT\}", "what were the {SLOT}"),
    (r"\ban? \{SLOT\}", "{SLOT}"),
    (r"\{SLOT\} is\b", "{SLOT} are"),
    (r"\{SLOT\} was\b", "{SLOT} were"),
)


_FOLDER: Final = DATA / "vocabulary" / "programs"

PHRASES: Final = read_lists(*(_FOLDER / f"{file}.toml" for file in _FILES))
"""The lists by name."""
_OPENINGS: Final = read_lists(_FOLDER / "openings.toml")
"""The lists that other lists have as slots."""


@functools.cache
def phrase_words() -> frozenset[str]:
    """The words of all phrases that ask something: what a model may learn by heart."""
    lists = [*(PHRASES[name] for name in PHRASES if name not in _ASK_NOTHING), *_OPENINGS.values()]
    return frozenset(word for phrases in lists for phrase in phrases for word in words_of(phrase))


def said(draw: Draw, name: str, slots: Mapping[str, str], conditions: bool = False) -> str | None:
    """A phrase of a list, filled in; None where there is none that can be filled.

    Args:
        draw: the random choices.
        name: of the list.
        slots: what is known; what is empty is not.
        conditions: whether the phrase must have a slot that holds the conditions.
    """
    known = frozenset(slot for slot, text in slots.items() if text)
    usable = _usable(name, known, conditions)
    if not usable:
        return None
    phrase = _opened(draw, draw.of(usable))
    for slot in ("f", "b"):
        if is_plural(slots.get(slot, "")):
            phrase = _agreeing(phrase, slot)
    return with_article(_SLOT.sub(lambda slot: slots[slot[1]], phrase))


@functools.cache
def _usable(name: str, known: frozenset[str], conditions: bool) -> tuple[str, ...]:
    phrases = []
    for phrase in PHRASES[name]:
        slots = set(slots_in(phrase))
        if slots <= known | _OPENINGS.keys() and not (conditions and slots.isdisjoint(CARRIERS)):
            phrases.append(phrase)
    return tuple(phrases)


def _opened(draw: Draw, phrase: str) -> str:
    """The phrase with its openings filled in."""
    return _SLOT.sub(lambda slot: draw.of(_OPENINGS[slot[1]]) if slot[1] in _OPENINGS else slot[0], phrase)


def _agreeing(phrase: str, slot: str) -> str:
    """The phrase with verbs for several: "what are the goals"."""
    for pattern, instead in _OF_SEVERAL:
        phrase = re.sub(pattern.replace("SLOT", slot), instead.replace("SLOT", slot), phrase)
    return phrase
