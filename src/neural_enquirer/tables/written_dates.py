"""Dates as people write them: the formats in common use, read the same way on every machine."""

import datetime
import functools
import re
from collections.abc import Sequence

_TIMES = ("", " %H:%M", " %H:%M:%S")
CLEAR = (
    *(f"{day}{time}" for day in ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y") for time in _TIMES),
    *("%d %B %Y", "%d %b %Y", "%d-%b-%Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y", "%b %d %Y"),
)
"""Formats that tell by themselves which number is the day and which the month."""

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MONTH_NUMBERS = {name[:end]: number for number, name in enumerate(_MONTHS, start=1) for end in (3, None)}
"""The number of each month, by its name as a whole and by three letters of it."""
_DATE_PARTS = {
    "%Y": r"(?P<year>\d{1,4})",
    "%m": r"(?P<month>\d\d?)",
    "%d": r"(?P<day>\d\d?)",
    "%B": f"(?P<name>{'|'.join(_MONTHS)})",
    "%b": f"(?P<name>{'|'.join(name[:3] for name in _MONTHS)})",
    "%H": r"(?P<hour>\d\d?)",
    "%M": r"(?P<minute>\d\d?)",
    "%S": r"(?P<second>\d\d?)",
}

MONTH_FIRST = tuple(f"{day}{time}" for day in ("%m/%d/%Y", "%m-%d-%Y") for time in _TIMES)
DAY_FIRST = tuple(f"{day}{time}" for day in ("%d/%m/%Y", "%d-%m-%Y") for time in _TIMES)
"""Which of these two it is can only be told from the whole column."""


def parsed(texts: Sequence[str], formats: Sequence[str]) -> list[datetime.datetime] | None:
    """The texts, each in the first of the formats that fits; None where one has none.

    No text fits two formats of one list with two meanings, so that the one that fitted last is tried first.
    """
    patterns = [_pattern(form) for form in formats]
    moments = []
    for text in texts:
        for place, pattern in enumerate(patterns):
            moment = _moment(pattern.fullmatch(text))
            if moment is not None:
                patterns.insert(0, patterns.pop(place))
                moments.append(moment)
                break
        else:
            return None
    return moments


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    """What a format of strptime looks like: numbers may go without leading zeros, spaces may be many."""
    parts = (
        _DATE_PARTS.get(part) or (r"\s+" if part == " " else re.escape(part))
        for part in re.findall("%.|.", form)
    )
    return re.compile("".join(parts), re.IGNORECASE | re.ASCII)


def _moment(match: re.Match[str] | None) -> datetime.datetime | None:
    """The point in time that a text names; None where there is no such day or hour."""
    if match is None:
        return None
    parts = match.groupdict()
    month = MONTH_NUMBERS[parts["name"].lower()] if "name" in parts else int(parts["month"])
    hour, minute, second = (int(parts.get(name, 0)) for name in ("hour", "minute", "second"))
    try:
        return datetime.datetime(int(parts["year"]), month, int(parts["day"]), hour, minute, second)
    except ValueError:
        return None
