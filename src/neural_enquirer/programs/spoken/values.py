"""How a sentence writes names, texts, numbers and dates, and lists of them."""

import datetime
import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from neural_enquirer.tables.wording import cut, listed, nth, one_line

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five"),
    *("six", "seven", "eight", "nine", "ten"),
)
_LONGEST: Final = 60
_MOST_LISTED: Final = 5
_DECIMALS: Final = 2
_LARGEST_PLAIN: Final = 1e15
_SMALLEST_PLAIN: Final = 1e-4
_DIGITS = re.compile(r"(?P<sign>-?)(?P<whole>\d+)(?P<rest>(?:\.\d+)?)", re.ASCII)
_T = TypeVar("_T")

# Words that sentences are made of: a name or text with one of these could not be told from what is around it.
_CONNECTIVE = re.compile(
    r"(?<!\S)(among|and|are|between|both|but|by|does|either|from|has|have|is|minus|missing|neither|nor|not|or|plus"
    r"|rows?|than|that|times|to|was|were|where|which|whose|with)(?!\S)"
)
# These do harm as the first word only: "the University of York" is clear, "of York" is not.
_OPENER = re.compile(r"(a|all|an|any|at|each|every|in|it|its|no|none|of|on|one|only|same|the)(?!\S)")
_BRACKETS: Final = r"(?: [(\[][^()\[\]“”\"]+[)\]])?"
_PLAIN_NAME = re.compile(rf"[^\W\d_](?:[\w&'’/\-% ]*[\w%])?{_BRACKETS}")
_PLAIN_TEXT = re.compile(rf"[\w$€£¥](?:[\w&'’/\-%°+.:# ]*[\w%°+²³])?{_BRACKETS}")


def name(name: str) -> str:
    """The name of a field or table, in quotes where it is more than plain words."""
    return _clear(name, _PLAIN_NAME)


def text(text: str) -> str:
    """A text of a table or question, in quotes where it could not be told from the words around it."""
    return _clear(text, _PLAIN_TEXT)


def quoted(text: str) -> str:
    """A text in quotes, in one line; a very long one is cut."""
    return f"“{cut(text, _LONGEST)}”"


def number(value: int | float, in_groups: bool = True) -> str:
    """A number with all of its digits, in groups of three unless it is a year or the like."""
    if isinstance(value, float):
        if value and not _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN:
            mantissa, _, exponent = f"{value:.15e}".partition("e")
            return f"{mantissa.rstrip('0').rstrip('.')} × 10^{int(exponent)}"
        value = int(value) if value.is_integer() else value
    return grouped(repr(value)) if in_groups else repr(value)


def grouped(digits: str) -> str:
    """A number with its thousands set apart, if it is written with digits alone."""
    match = _DIGITS.fullmatch(digits)
    return f"{match['sign']}{int(match['whole']):,}{match['rest']}" if match else digits


def amount(value: int | float, in_groups: bool = True) -> str:
    """A number that was worked out, rounded where it has many digits, which it then says."""
    if not isinstance(value, float) or value.is_integer():
        return number(value, in_groups)
    decimals = _DECIMALS
    while abs(value) * 10**decimals < 1000 and decimals < 20:  # four digits that count
        decimals += 1
    rounded = round(value, decimals)
    about = "" if abs(rounded - value) <= 1e-9 * abs(value) else "about "
    return f"{about}{number(rounded, in_groups)}"


def date(value: datetime.date) -> str:
    """A date as people write it: 13 August 2004, or 13 August 2004 at 14:30."""
    day = f"{value.day} {MONTHS[value.month - 1]} {value.year}"
    if not isinstance(value, datetime.datetime) or value.time() == datetime.time():
        return day
    return f"{day} at {value.time().isoformat().removesuffix(':00')}"


def ordinal(place: int) -> str:
    """First, second, …, tenth, 11th."""
    if place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    return nth(place)


def few(values: Sequence[_T], write: Callable[[_T], str] = str, last: str = "and") -> str:
    """Values as a sentence lists them, the first few of many: A, B and 12 more."""
    if len(values) <= _MOST_LISTED + 1:
        return listed([write(value) for value in values], last)
    return listed([*map(write, values[:_MOST_LISTED]), f"{len(values) - _MOST_LISTED:,} more"], last)


def in_words(count: int) -> str:
    """Small numbers as words: two, three, …, ten, 11."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _clear(text: str, plain: re.Pattern[str]) -> str:
    clear = (
        len(text) <= _LONGEST
        and plain.fullmatch(text)
        and one_line(text) == text
        and not _CONNECTIVE.search(text)
        and not _OPENER.match(text)
    )
    return text if clear else quoted(text)
