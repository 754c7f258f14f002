"""Numbers and dates in a question, as intervals that cells are compared with."""

import calendar
import datetime
import math
import re
from dataclasses import dataclass

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_MONTHS["sept"] = 9
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"[12]\d{3}"

_DATES = (
    re.compile(rf"\b(?P<year>{_YEAR})[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12]\d|3[01])\b"),
    re.compile(rf"\b(?P<name>{_MONTH})\.?\s+(?P<day>{_DAY}),?\s+(?P<year>{_YEAR})\b"),
    re.compile(rf"\b(?P<day>{_DAY})\s+(?:of\s+)?(?P<name>{_MONTH})\.?,?\s+(?P<year>{_YEAR})\b"),
    re.compile(rf"\b(?P<first>\d{{1,2}})(?P<sign>[/.-])(?P<second>\d{{1,2}})(?P=sign)(?P<year>{_YEAR})\b"),
    re.compile(rf"\b(?P<year>{_YEAR})-(?P<month>0[1-9]|1[0-2])\b(?!-)"),
    re.compile(rf"\b(?P<name>{_MONTH})\.?,?\s+(?:of\s+)?(?P<year>{_YEAR})\b"),
)

_NUMBER = re.compile(
    r"(?P<sign>(?<![\w.])[-−–])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.])\.\d+)"
    r"(?:\s?(?P<scale>k|m|mn|bn|b|thousand|million|billion|trillion)\b)?"
)
_SCALES = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6}
_SCALES |= {"b": 1e9, "bn": 1e9, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = frozenset("kmb")
_CARDINALS = "two three four five six seven eight nine ten eleven twelve"
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety hundred"
_SPELLED_VALUES = {
    "no": 0,
    "zero": 0,
    **{word: value for value, word in enumerate(_CARDINALS.split(), start=2)},
    **{word: value for value, word in enumerate(_ORDINALS.split(), start=2)},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), start=2)},
}
_SPELLED = re.compile(
    rf"(?<!per )\b(?P<number>{'|'.join(_SPELLED_VALUES)})\b"
    r"(?:\s(?P<scale>hundred|thousand|million|billion)\b)?"
)
_DIGIT = re.compile(r"\d")
_FIRST_YEAR, _LAST_YEAR = 1000, 2999


@dataclass(frozen=True)
class Quantity:
    """A number or a date of the question.

    Attributes:
        start: where it begins in the folded question.
        end: where it ends.
        number: what cells of number fields are compared with; None for a date.
        days: the first and the last day (proleptic ordinals) that cells of date fields are compared with: one
            day, a month, or a year, since 2019 is also a number; None for other numbers.
        unscaled: the number without its word of scale: in a field of millions, 8.4 million is 8.4.
    """

    start: int
    end: int
    number: float | None
    days: tuple[float, float] | None
    unscaled: float | None = None


def quantities_in(folded: str) -> list[Quantity]:
    """Finds the numbers and dates of a folded question, from left to right."""
    found: list[Quantity] = []
    if _DIGIT.search(folded):
        taken: list[tuple[int, int]] = []
        for pattern in _DATES:
            for match in pattern.finditer(folded):
                days = _days(match.groupdict())
                if days is not None and not _overlaps(match.span(), taken):
                    taken.append(match.span())
                    found.append(Quantity(*match.span(), None, days))
        for match in _NUMBER.finditer(folded):
            quantity = _number(match, folded)
            if quantity is not None and not _overlaps(match.span(), taken):
                found.append(quantity)
    for match in _SPELLED.finditer(folded):
        if not _overlaps(match.span(), [(q.start, q.end) for q in found]):
            number = _SPELLED_VALUES[match["number"]]
            unscaled = float(number) if match["scale"] else None
            found.append(Quantity(*match.span(), number * _scale(match["scale"]), None, unscaled))
    return sorted(found, key=lambda quantity: quantity.start)


def day_number(value: datetime.date) -> float:
    """Returns a date or a moment as a number of days."""
    if isinstance(value, datetime.datetime):
        seconds = (value - datetime.datetime(value.year, value.month, value.day)).total_seconds()
        return value.toordinal() + seconds / 86400
    return float(value.toordinal())


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)


def _number(match: re.Match[str], folded: str) -> Quantity | None:
    start, end = match.span()
    before = folded[start - 1] if start else " "
    after = folded[match.end("digits")] if match.end("digits") < len(folded) else " "
    scale = match["scale"]
    if before.isalpha() or before == "_":  # a part of a code such as b747
        return None
    if scale is None and (after.isalpha() or after == "_") and not _unit_follows(folded, match.end("digits")):
        return None
    if scale in _SHORT_SCALES and after == " ":  # "5 m" is five metres, "5m" five million
        scale, end = None, match.end("digits")
    unscaled = float(match["digits"].replace(",", "")) * (-1 if match["sign"] else 1)
    value = unscaled * _scale(scale)
    if not math.isfinite(value):
        return None
    year = int(value) if scale is None and value.is_integer() and "," not in match["digits"] else 0
    days = _span(year, None, None) if _FIRST_YEAR <= year <= _LAST_YEAR else None
    return Quantity(start, end, value, days, None if scale is None else unscaled)


def _unit_follows(folded: str, place: int) -> bool:
    """Whether the letters right behind a number are a unit (30km, 5kg) rather than the rest of a code."""
    letters = re.match(r"[^\W\d_]+", folded[place:])
    return (
        letters is not None and len(letters[0]) <= 4 and not folded[place + len(letters[0]) :][:1].isdigit()
    )


def _scale(name: str | None) -> float:
    return 100.0 if name == "hundred" else 1.0 if name is None else _SCALES[name]


def _days(parts: dict[str, str | None]) -> tuple[float, float] | None:
    """The days that a written date covers; None where there is no such day."""
    year = int(parts["year"] or 0)
    name, month, day = parts.get("name"), parts.get("month"), parts.get("day")
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        months_first = first <= 12 and parts["sign"] != "."  # as in the columns of tables
        month, day = (str(first), str(second)) if months_first else (str(second), str(first))
    number = _MONTHS[name] if name else int(month or 0)
    return _span(year, number, int(re.sub(r"\D", "", day)) if day else None)


def _span(year: int, month: int | None, day: int | None) -> tuple[float, float] | None:
    try:
        first = datetime.date(year, month or 1, day or 1)
    except ValueError:
        return None
    if month is None:
        last = datetime.date(year, 12, 31)
    elif day is None:
        last = datetime.date(year, month, calendar.monthrange(year, month)[1])
    else:
        last = first
    # Until the last moment of the last day: cells may have a time.
    return float(first.toordinal()), last.toordinal() + 1 - 1e-6
