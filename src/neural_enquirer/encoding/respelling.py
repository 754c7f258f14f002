"""Respellings: what a question says in words, or cut short, as cells may have it.

People say the third World Cup, one all, George the Second, less than forty, in her twenties and Jan 87; cells
have 3rd World Cup, 1-1, George II, <40, 20-29 and January 1987.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.aliases import key
from neural_enquirer.encoding.quantities import MONTHS
from neural_enquirer.encoding.said import Said, Span
from neural_enquirer.encoding.spelled_numbers import DECADES, ORDINALS

__all__ = ["Respelling", "respellings"]

_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}
"""Behind places in digits; others have "th"."""
_SIGNS: Final = dict.fromkeys(("less", "fewer", "younger", "lower", "smaller"), "<")
_SIGNS.update(dict.fromkeys(("more", "older", "greater", "higher", "larger"), ">"))
_FIRST_SHORT_YEAR: Final = 30


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
    for i, word in enumerate(said.words):
        following = said.words[i + 1] if i + 1 < len(said.words) else ""
        if word in ORDINALS:
            yield from _places(i, ORDINALS[word], said.words[i - 1] if i else "")
        elif following == "all" and key(word).isdigit():
            yield Respelling((i, i + 2), (key(word), key(word)), may_be_all=True)
        elif following == "than" and word in _SIGNS:
            yield Respelling((i, i + 2), (_SIGNS[word],))
        elif word in DECADES:
            tens = DECADES[word]
            for words in ((str(tens), str(tens + 9)), (str(tens), "s"), (f"19{tens}", "s")):
                yield Respelling((i, i + 1), words, may_be_all=True)
        elif word.isdigit():
            yield from _years(i, word, said.words[i - 1] if i else "")


def _places(i: int, number: int, before: str) -> Iterator[Respelling]:
    yield Respelling((i, i + 1), (str(number), _ENDINGS.get(number, "th")))
    reign = ("i" if number == 1 else str(number),)
    yield Respelling((i - (before == "the"), i + 1), reign)


def _years(i: int, digits: str, before: str) -> Iterator[Respelling]:
    if len(digits) == 2 and (digits[0] == "0" or int(digits) >= _FIRST_SHORT_YEAR):
        for century in ("19", "20"):
            yield Respelling((i, i + 1), (century + digits,), may_be_all=digits[0] == "0")
    elif len(digits) == 4 and before in MONTHS:
        yield Respelling((i, i + 1), (digits[2:],))
