"""Respellings: what a question says in words, or cut short, as cells may have it.

People say the third World Cup, one all, George the Second, less than forty, in her twenties and Jan 87; cells
have 3rd World Cup, 1-1, George II, <40, 20-29 and January 1987. They say round two, season 9, six foot six,
11:30 in the morning and in Boston, where cells have 2nd Round, S09, 6'6, 11:30 AM and @ Boston.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.aliases import key
from neural_enquirer.encoding.quantities import MONTHS
from neural_enquirer.encoding.said import Said, Span
from neural_enquirer.encoding.spelled_numbers import COUNTED_ON, DECADES, ORDINALS
from neural_enquirer.encoding.text import STOP_WORDS

__all__ = ["Respelling", "respellings"]

_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
"""Behind places in digits; others have "th"."""
_SIGNS: Final = dict.fromkeys(("less", "fewer", "younger", "lower", "smaller"), "<")
_SIGNS.update(dict.fromkeys(("more", "older", "greater", "higher", "larger"), ">"))
_FIRST_SHORT_YEAR: Final = 30
_HALVES: Final = {"early": (0, 4), "late": (5, 9)}
"""The years of a decade."""
_HALVES_OF_DAY: Final = {"the morning": "am", "the afternoon": "pm", "the evening": "pm"}
_FEET: Final = ("foot", "feet", "ft")


@dataclass(frozen=True)
class Respelling:
    """Words of a question and what cells may have instead.

    Attributes:
        span: the words of the question.
        words: what cells may have.
        may_be_all: whether that may be all of a cell; if not, more words must stand there.
    """

    span: Span
    words: tuple[str, ...]
    may_be_all: bool = False


def respellings(said: Said) -> Iterator[Respelling]:
    """What some words of a question may be in cells."""
    words = said.words
    for i, word in enumerate(words):
        before, following = words[i - 1] if i else "", words[i + 1] if i + 1 < len(words) else ""
        if word in ORDINALS:
            yield from _places(i, ORDINALS[word], before)
            yield from _short_code((i, i + 2), following, ORDINALS[word])
        elif following == "all" and key(word).isdigit():
            yield Respelling((i, i + 2), (key(word), key(word)), may_be_all=True)
        elif following == "than" and word in _SIGNS:
            yield Respelling((i, i + 2), (_SIGNS[word],))
        elif word in DECADES:
            yield from _tens(i, DECADES[word], before)
        elif word == "in":
            yield from _times_and_grounds(i, words)
        elif key(word).isdigit():
            yield from _numbered(i, int(key(word)), before)
            if following in _FEET and i + 2 < len(words) and key(words[i + 2]).isdigit():
                yield Respelling((i, i + 3), (key(word), key(words[i + 2])), may_be_all=True)
            if word.isdigit():
                yield from _years(i, word, before)


def _places(i: int, number: int, before: str) -> Iterator[Respelling]:
    yield Respelling((i, i + 1), _ordinal(number))
    reign = ("i" if number == 1 else str(number),)
    yield Respelling((i - (before == "the"), i + 1), reign)


def _ordinal(number: int) -> tuple[str, str]:
    return str(number), _ENDINGS.get(number, "th")


def _numbered(i: int, number: int, before: str) -> Iterator[Respelling]:
    """Round two, which may be the 2nd round."""
    if before in COUNTED_ON:
        yield Respelling((i - 1, i + 1), (*_ordinal(number), before), may_be_all=True)
        yield from _short_code((i - 1, i + 1), before, number)


def _short_code(span: Span, noun: str, number: int) -> Iterator[Respelling]:
    """Season 9 and the ninth season, which may be S9, S09 or 9S."""
    if noun in COUNTED_ON:
        for words in ((noun[0], str(number)), (noun[0], f"{number:02}"), (str(number), noun[0])):
            yield Respelling(span, words, may_be_all=True)


def _tens(i: int, tens: int, before: str) -> Iterator[Respelling]:
    """The twenties: years of age, or of the century."""
    if before in _HALVES:
        first, last = (tens + years for years in _HALVES[before])
        yield Respelling((i - 1, i + 1), (str(first), str(last)), may_be_all=True)
        yield Respelling((i - 1, i + 1), (str(first), "to", str(last)), may_be_all=True)
    for words in ((str(tens), str(tens + 9)), (str(tens), "s"), (f"19{tens}", "s")):
        yield Respelling((i, i + 1), words, may_be_all=True)


def _times_and_grounds(i: int, words: Sequence[str]) -> Iterator[Respelling]:
    """In the morning, which is a.m.; and games in a town, which are at the team there."""
    following = " ".join(words[i + 1 : i + 3])
    if following in _HALVES_OF_DAY and i and words[i - 1].isdigit():
        yield Respelling((i, i + 3), (_HALVES_OF_DAY[following],))
    if i + 1 < len(words) and words[i + 1] not in STOP_WORDS:
        yield Respelling((i, i + 2), ("at", words[i + 1]), may_be_all=True)


def _years(i: int, digits: str, before: str) -> Iterator[Respelling]:
    if len(digits) == 2 and (digits[0] == "0" or int(digits) >= _FIRST_SHORT_YEAR):
        for century in ("19", "20"):
            yield Respelling((i, i + 1), (century + digits,), may_be_all=digits[0] == "0")
    elif len(digits) == 4 and before in MONTHS:
        yield Respelling((i, i + 1), (digits[2:],))
