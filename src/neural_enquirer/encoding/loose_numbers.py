"""What cells of text can be ordered by, where they are not clean enough to be numbers or dates.

"1st", "46,000 [2]", "4:13.07", "May 31" beside "DNF" are text, and yet people ask for the first, the largest,
the fastest and the earliest of them. Where most cells of a field begin in one such way, the field can be
compared and ranked like one of numbers; its texts are still what questions mention and what answers are.
"""

import datetime
import re
from collections import Counter
from collections.abc import Callable, Sequence

LEAST_SHARE = 0.75
"""The share of a field's cells that must be read in the same way."""

_LONGEST = 40
"""Longer cells are descriptions, whatever they begin with."""

_DIGIT = re.compile(r"\d")
_AMOUNT = re.compile(
    r"[^\w.−–-]*(?:(?:us|a|aus?|nz|can?|hk|rs?|no|approx|about|circa)\b[^\w−–-]*)?"
    r"(?P<sign>[−–-]\s?)?[^\w.]*(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\W{0,2}(?P<first>\d{1,3}):(?P<second>\d\d)(?::(?P<third>\d\d))?(?P<rest>\.\d+)?\s*(?P<half>[ap]\.?m)?",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"(?:(?P<hours>\d+(?:\.\d+)?)\s*h(?:(?:ou)?rs?)?\b\.?,?\s*)?"
    r"(?:(?P<minutes>\d+(?:\.\d+)?)\s*(?:(?P<short>m)|min(?:ute)?s?)\b\.?,?\s*)?"
    r"(?:(?P<seconds>\d+(?:\.\d+)?)\s*s(?:ec(?:ond)?s?)?\b\.?)?",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[^\d]*[\d.,]+(?:st|nd|rd|th)?\b\s*(?P<unit>[^\W\d_]*)", re.IGNORECASE)
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"\b(?P<month>{'|'.join(_NAMES)})[a-z]*", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)(?P<day>0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d:])", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1\d{3}|20\d\d)(?!\d)")
_NO_YEAR = 4  # a leap year before all others


def ordered(texts: Sequence[str]) -> tuple[list[float], bool] | None:
    """Reads a field's cells as numbers to compare: NaN where one cannot be read, None where too few can.

    Returns:
        The numbers, and whether they are days.
    """
    there = [text for text in texts if text]
    if len(there) < 2 or not any(_DIGIT.search(text, 0, 12) for text in there[:4]):
        return None
    readings = ((_day, True), (_seconds, False), (_duration, False), (_amount, False))
    for read, is_date in readings:
        values = _read(texts, len(there), read)
        if values is not None and (read is not _amount or _one_unit(there)):
            return values, is_date
    return None


def _one_unit(texts: Sequence[str]) -> bool:
    """Whether nearly all amounts have the same word behind them: 5 km and 800 m cannot be compared."""
    units = Counter(match["unit"].lower() if (match := _UNIT.match(text)) else "" for text in texts)
    return units.most_common(1)[0][1] >= LEAST_SHARE * len(texts)


def _read(texts: Sequence[str], there: int, read: Callable[[str], float | None]) -> list[float] | None:
    """Reads all cells in one way; gives up as soon as too many cannot be read."""
    failures_left = (1 - LEAST_SHARE) * there
    values: list[float] = []
    for text in texts:
        value = read(text) if text and len(text) <= _LONGEST else None
        if value is None:
            failures_left -= bool(text)
            if failures_left < 0:
                return None
        values.append(float("nan") if value is None else value)
    return values if len({value for value in values if value == value}) > 1 else None


def _amount(text: str) -> float | None:
    match = _AMOUNT.match(text)
    if match is None:
        return None
    value = float(match["digits"].replace(",", ""))
    return -value if match["sign"] else value


def _duration(text: str) -> float | None:
    """The length of a time with its units, in minutes: 1h 20m, 45 min, 2 hours."""
    match = _DURATION.fullmatch(text.strip())
    if match is None or not (match["hours"] or match["minutes"] or match["seconds"]):
        return None
    if match["minutes"] and match["short"] and not match["hours"]:
        return None  # "5 m" alone may be metres
    hours, minutes, seconds = (float(match[name] or 0) for name in ("hours", "minutes", "seconds"))
    return 60 * hours + minutes + seconds / 60


def _seconds(text: str) -> float | None:
    """The length of a time, or the time of the day where it says am or pm."""
    match = _CLOCK.match(text)
    if match is None:
        return None
    first, second, third = (int(match[name] or 0) for name in ("first", "second", "third"))
    if match["half"]:
        return 3600.0 * (first % 12 + 12 * (match["half"][0] in "pP")) + 60 * second
    whole = 3600.0 * first + 60 * second + third if match["third"] else 60.0 * first + second
    return whole + float(match["rest"] or 0)


def _day(text: str) -> float | None:
    """The day that a text begins with; one without a year lies before all others, in the order of months."""
    month, year = _MONTH.search(text), _YEAR.search(text)
    if month is None:
        return float(datetime.date(int(text), 1, 1).toordinal()) if year and len(text) == 4 else None
    days = min(_DAY.finditer(text), key=lambda match: abs(match.start() - month.start()), default=None)
    if year is None and days is None:
        return None
    number = 1 + _NAMES.index(month["month"].lower())
    try:
        day = datetime.date(int(year[0]) if year else _NO_YEAR, number, int(days["day"]) if days else 1)
    except ValueError:
        return None
    return float(day.toordinal())
