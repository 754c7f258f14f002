"""Numbers in words: "thirty-seven thousand five hundred", "nineteen eighty", "half a million"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

__all__ = ["COUNTED_ON", "DECADES", "ORDINALS", "SpelledNumber", "spelled_numbers"]

_UNITS: Final = "one two three four five six seven eight nine"
_UNITS_FROM_TEN: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_MULTIPLES: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_PLACES: Final = (
    "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ONES: Final = {word: number for number, word in enumerate(_UNITS.split(), start=1)}
_TEENS: Final = {word: number for number, word in enumerate(_UNITS_FROM_TEN.split(), start=10)}
_TENS: Final = {word: 10 * number for number, word in enumerate(_MULTIPLES.split(), start=2)}
_ORDINALS: Final = {word: number for number, word in enumerate(_PLACES.split(), start=2)}
ORDINALS: Final = {"first": 1} | _ORDINALS
"""Places in words."""
_TENS_OF_YEARS: Final = "twenties thirties forties fifties sixties seventies eighties nineties"
DECADES: Final = {word: 10 * number for number, word in enumerate(_TENS_OF_YEARS.split(), start=2)}
"""Tens of years in words."""
_SCALES: Final = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "grand": 1e3,
}
_NOTHING: Final = (
    "zero no never without none nothing nobody nil lacking neither nor positive negative subzero equator"
)
"""A positive number is compared with nothing, too; so is the latitude of what lies south of the equator."""
_LACKING: Final = (
    r"(?!nonethe|neverthe|regard|wire|home|price|doubt|un|b)[a-z]{3,}less"
    r"|free(?! (?:agent|kick|throw|transfer|practice|style|skat|state|market|trade))"
)
"""Words that say of what there is nothing: goalless, fat-free."""
_OTHERS: Final = dict.fromkeys(_NOTHING.split(), 0) | {"once": 1, "twice": 2, "dozen": 12}
COUNTED_ON: Final = (
    "division", "day", "week", "game", "round", "stage", "episode", "season", "part", "group", "class",
    "level", "grade", "team", "set", "period", "type", "heat", "section", "block", "parcel", "point",
    "quarter", "leg", "series", "volume", "race", "zone", "phase", "lap", "question", "test", "trial",
)  # fmt: skip
"""What is numbered."""
_SHARES: Final = {"half": 0.5, "quarter": 0.25}
_SIMPLE: Final = _ONES | _TEENS | _TENS

_FOREMOST: Final = dict.fromkeys(("single", "pole", "number one"), 1)
_DIGITS: Final = {"single": 1, "double": 2, "two": 2, "triple": 3, "three": 3, "four": 4, "five": 5, "six": 6}
_OF_DIGITS: Final = (
    r"(?P<digits>(?:single|double|triple)(?=[ -](?:digit|figure)s?\b)"
    r"|(?:two|three|four|five|six)(?=(?: |-)(?:digit|figure)\b))[ -](?:digit|figure)s?"
)
"""Numbers of so many digits are compared with the first of them; those of one digit with the first of two."""
_UNITS_OF_ONE: Final = "day|week|month|year|minute|hour|dollar|euro|pound|mile|kilo|metre|meter"
_MEASURED: Final = r"(?:(?<=than)|(?<=over)|(?<=under)|(?<=least)|(?<=within))"
_ANY_COUNTED: Final = "|".join(COUNTED_ON)
_MORE: Final = "|".join([*_SIMPLE, *_SCALES])
_WORD: Final = _MORE.removesuffix("|grand")
_A_GRAND: Final = r"an? grand(?! (?:prix|slam|final|total|tour|master|old|piano|duke|hotel|national)\b)"
_NUMBER: Final = re.compile(
    rf"(?<!per )\b(?:(?P<share>half|quarter)(?: of)?(?: an?)? (?P<of>thousand|million|billion)"
    rf"|{_OF_DIGITS}"
    rf"|(?P<words>(?:{_A_GRAND}|(?:an? (?=hundred|thousand|million|billion))?(?:{_WORD}))"
    rf"(?:(?:[\s-]| and )(?:{_MORE}))*"
    rf"(?:[\s-](?:first|{'|'.join(_ORDINALS)}))?)"
    rf"|(?P<a>{_MEASURED} an?(?= (?:{_UNITS_OF_ONE})\b))"
    rf"|(?P<other>{'|'.join([*_ORDINALS, *_OTHERS])}|(?<=\ba )single|(?<=in )first|(?<=came )first"
    r"|number one|pole(?=[ -](?:position|sitter)s?\b)|(?<=on )pole"
    rf"|first(?=[ -](?:place|{_ANY_COUNTED})\b)|single(?=-)|{_LACKING}))\b"
)
_PRONOUN: Final = re.compile(
    r"(?:\b(?:which|what|the|this|that|any|every|each|another|no|some|only|\w+est|\w+er|last|first|next) one"
    r"|\bone(?=s\b| of\b| from\b| that\b| who\b| with\b| in\b| is\b| was\b| has\b| had\b| or\b| and\b| did\b"
    r"| do\b| does\b| by\b| on\b| for\b| to\b| got\b| came\b| went\b))\b"
)
_COUNTED: Final = re.compile(r"one(?:-|\s[^\W\d_]{2,})")
_NUMBERED: Final = re.compile(
    r"(?:at least|at most|more than|less than|fewer than|exactly|just|over|under|above|below|than|number|only"
    rf"|{_ANY_COUNTED}) $"
)


@dataclass(frozen=True)
class SpelledNumber:
    """A number in words: where it stands, what it is, and what it is without its last word of scale."""

    start: int
    end: int
    number: float
    unscaled: float | None = None


def spelled_numbers(folded: str) -> Iterator[SpelledNumber]:
    """Finds the numbers in words of a folded question, from left to right."""
    for match in _NUMBER.finditer(folded):
        if match["share"]:
            number = _SHARES[match["share"]]
            yield SpelledNumber(*match.span(), number * _SCALES[match["of"]], number)
        elif match["digits"]:
            yield SpelledNumber(*match.span(), 10.0 ** max(_DIGITS[match["digits"]] - 1, 1))
        elif match["a"]:
            yield SpelledNumber(match.start() + 1, match.end(), 1.0)
        elif match["other"]:
            known = (ORDINALS | _OTHERS | _FOREMOST).get(match["other"], 0)
            yield SpelledNumber(*match.span(), float(known))
        elif match["words"] != "one" or _is_number(folded, match.start()):
            yield from _read(match["words"], match.start())


def _is_number(folded: str, start: int) -> bool:
    """Whether "one" counts something: "one goal", "episode one", not "which one" or "the one from Rome"."""
    if _NUMBERED.search(folded, 0, start):
        return True
    before = folded.rfind(" ", 0, max(start - 1, 0)) + 1
    return _COUNTED.match(folded, start) is not None and not _PRONOUN.match(folded, before if start else 0)


def _read(text: str, start: int) -> Iterator[SpelledNumber]:
    """Reads words of numbers, which may be several numbers in a row."""
    words = [match for match in re.finditer(r"[a-z]+", text) if match[0] not in ("a", "an", "and")]
    first = 0
    while first < len(words):
        last = first + 1
        while last < len(words) and _goes_on([word[0] for word in words[first:last]], words[last][0]):
            last += 1
        names = [word[0] for word in words[first:last]]
        number, unscaled = _value(names)
        begin = 0 if first == 0 else words[first].start()
        yield SpelledNumber(start + begin, start + words[last - 1].end(), number, unscaled)
        first = last


def _goes_on(words: list[str], word: str) -> bool:
    """Whether a word belongs to the number before it: fifty three, two thousand, nineteen eighty."""
    last = words[-1]
    if word in _SCALES or last in _SCALES:
        return True
    if last in _TENS:
        return (
            word in _ONES
            or _ORDINALS.get(word, 10) < 10
            or word == "first"
            or (last == "twenty" and word in _TEENS)
        )
    return last in _TEENS and (word in _TENS or word in _TEENS)


def _value(words: list[str]) -> tuple[float, float | None]:
    total, part = 0.0, 0.0
    for i, word in enumerate(words):
        if word == "hundred":
            part = max(part, 1) * 100
        elif word in _SCALES:
            total, part = total + max(part, 1) * _SCALES[word], 0.0
        else:
            own = 1 if word == "first" else (_SIMPLE | _ORDINALS)[word]
            is_year = i > 0 and words[i - 1] in _TEENS | _TENS and own >= 10
            part = part * 100 + own if is_year else part + own
    scaled = words[-1] in _SCALES and len(words) > 1 and all(word not in _SCALES for word in words[:-1])
    return total + part, (total + part) / _SCALES[words[-1]] if scaled else None
