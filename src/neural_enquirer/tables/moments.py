"""Days, years and times of day as people write them, with all that a column of them leaves out.

12 Mar 19, March 2019, Q3 2020, Fall 2018, 3/12/19, 1990s, c. 1850, 300 BC, 2005–present; 9:30 pm, 1:02:03.
"""

import datetime
import re
from typing import Final, NamedTuple

from neural_enquirer.tables.amounts import LONGEST, cleaned
from neural_enquirer.tables.written_dates import MONTH_NUMBERS

_MONTH: Final = re.compile(
    r"(?<![a-z])(?:(?:january|february|march|april|june|july|august|september|october|november|december)"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?)(?![a-z])",
)
_TIME: Final = re.compile(
    r"[ t,]\s*(?P<first>\d\d?):(?P<second>\d\d)(?::(?P<third>\d\d)(?:\.\d+)?)?\s*(?P<half>[ap]m)?z?"
)
_YEAR_FIRST: Final = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)")
_RUN: Final = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)")
_YEAR_LAST: Final = re.compile(
    r"(?P<first>\d\d?)(?P<sign>[-/.])(?P<second>\d\d?)(?P=sign)(?P<year>\d{4}|\d\d)(?!\d)"
)
_YEAR_AND_MONTH: Final = re.compile(r"(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])")
_MONTH_AND_YEAR: Final = re.compile(r"(?P<month>0?[1-9]|1[0-2])[/.](?P<year>(?:19|20)\d\d)")
_QUARTER: Final = re.compile(
    r"q(?P<quarter>[1-4])[\s/'-]*(?P<year>\d{4}|\d\d)|(?P<before>\d{4})[\s/-]*q(?P<of>[1-4])"
    r"|(?P<half>h[12]|[12]h)[\s/-]*(?P<whole>\d{4})"
)
_SEASON_OF_GAMES: Final = re.compile(
    r"20(?:00-01|01-02|02-03|03-04|04-05|05-06|06-07|07-08|08-09|09-10|10-11|11-12)"
)
"""Two years, or a month of the first."""
_SEASON: Final = re.compile(r"(?P<season>spring|summer|autumn|fall|winter)[\s,]+(?P<year>[12]\d{3})")
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_ABOUT: Final = (
    r"(?:(?:c|ca|circa|about|around|approx|before|after|by|from|since|until|early|late|mid|fy|ad|ce)\b\.?[\s-]*"
    r"|~|fy)*"
)
_YEAR: Final = re.compile(
    rf"{_ABOUT}(?P<year>\d{{1,4}})(?P<decade>'?s)?\s*(?P<era>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)?"
    r"(?:\s*[-–—/,;&]\s*(?:\d{4}|\d\d|present|now|today|date|current|\?|$))*"
)
_CENTURY: Final = re.compile(
    rf"{_ABOUT}(?P<number>\d\d?)(?:st|nd|rd|th)?\s+c(?:entury|\.)\s*(?P<era>b\.?c)?.*"
)
_NUMBERS: Final = re.compile(
    r"(?P<dash>(?<=\d)\s?[-–—]\s?)?(?P<mark>['’]?)(?P<number>\d+)(?:st|nd|rd|th)?(?![a-z\d:])"
)
_DASH: Final = re.compile(r"\s*(?:[-–—/&]|\bto\b|\band\b)\s*")
_FOUR_DIGITS: Final = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_CLOCK: Final = re.compile(
    r"[^\w−–-]{0,2}(?P<first>\d{1,3}):(?P<second>\d\d)(?::(?P<third>\d\d))?(?P<rest>[.,]\d+)?(?![\d:,])"
    r"\s*(?P<half>[ap]\.?m)?",
    re.IGNORECASE,
)
_HOUR: Final = re.compile(
    r"(?P<first>1[0-2]|0?[1-9])(?:\.(?P<second>\d\d))?\s*(?P<half>[ap])\.?m\b", re.IGNORECASE
)
_NO_YEAR: Final = 4
"""Days without a year lie before all others; this one has a 29th of February."""
_LAST_OF_2000S: Final = 29
"""Two digits up to this one are years from 2000 on, as spreadsheets read them."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_DAYS_A_YEAR: Final = 365.2425


class Moment(NamedTuple):
    """A point in time.

    Attributes:
        day: days since the year 1, with a part of a day for the time.
        year: its year; negative before Christ.
        is_year: whether nothing but the year is known.
        may_be_year: whether that is possible: 2001-02 is a month or a season.
    """

    day: float
    year: float
    is_year: bool = False
    may_be_year: bool = False


class Clock(NamedTuple):
    """A time with colons.

    Attributes:
        seconds: the length of time, of minutes and seconds where there are two parts; since midnight where it
            says am or pm.
        is_half_day: whether it does.
        is_exact: whether there are hours, minutes and seconds, or parts of a second.
        may_be_of_day: whether it can be a time of the day, without am or pm.
        is_bare: whether it is a mere number instead.
    """

    seconds: float
    is_half_day: bool = False
    is_exact: bool = False
    may_be_of_day: bool = False
    is_bare: bool = False


def moment(text: str, day_first: bool = False) -> Moment | None:
    """The day or year that a text names.

    Args:
        text: The text.
        day_first: Whether 3/12/19 is a day of December, which only the whole column can tell.
    """
    text = cleaned(text).lower()
    if not 2 < len(text) <= LONGEST:
        return None
    time = _TIME.search(text) if ":" in text else None
    if time is not None:
        text = text[: time.start()] + text[time.end() :]
    day = _numeric(text, day_first) or _named(text) or _part_of_year(text)
    if day is None:
        return None if time else _year(text)
    share = 0.0
    if time is not None and time["half"]:
        share = _since_midnight(time) / 86400
    elif time is not None:
        share = (3600 * int(time["first"]) + 60 * int(time["second"]) + int(time["third"] or 0)) / 86400
    return Moment(day.toordinal() + share, day.year, may_be_year=_SEASON_OF_GAMES.fullmatch(text) is not None)


def _numeric(text: str, day_first: bool) -> datetime.date | None:
    if not text[:1].isdigit():
        return None
    if match := _YEAR_FIRST.match(text) or _RUN.fullmatch(text):
        return _day(int(match["year"]), int(match["month"]), int(match["day"]))
    if match := _YEAR_LAST.match(text):
        first, second = int(match["first"]), int(match["second"])
        if day_first or match["sign"] == ".":
            first, second = second, first
        return _day(_full_year(match["year"]), first, second)
    match = _YEAR_AND_MONTH.fullmatch(text) or _MONTH_AND_YEAR.fullmatch(text)
    return _day(int(match["year"]), int(match["month"]), 1) if match else None


def _named(text: str) -> datetime.date | None:
    """A day with the name of its month; without a year it lies before all others."""
    month = _MONTH.search(text)
    if month is None:
        return None
    text, year = _first_of_two(month, text)
    day, has_year = None, _FOUR_DIGITS.search(text) is not None
    for match in _NUMBERS.finditer(text):
        digits = match["number"]
        is_last = match.start() > month.end() and day is not None and not has_year and not match["dash"]
        is_year = len(digits) == 4 or match["mark"] or int(digits) > 31
        if year is None and (is_year or (len(digits) == 2 and is_last)):
            year = _full_year(digits) if len(digits) in (2, 4) else None
        elif day is None:
            day = int(digits)
    if year is None and day is not None and text[month.end() :] == f"-{day:02}":  # Mar-19
        year, day = _full_year(f"{day:02}"), None
    if year is None and day is None:
        return None
    number = MONTH_NUMBERS[month[0][:3]]
    return _day(_NO_YEAR if year is None else year, number, 1 if day is None else day)


def _first_of_two(month: re.Match[str], text: str) -> tuple[str, int | None]:
    """Of two days such as Jan 29 – Feb 25, 2019 the first, with the year that stands behind the second."""
    second = _MONTH.search(text, month.end())
    dash = None if second is None else _DASH.search(text, month.end(), second.start())
    if dash is None:
        return text, None
    first, years = text[: dash.start()], _FOUR_DIGITS.findall(text)
    return first, int(years[-1]) if years and not _FOUR_DIGITS.search(first) else None


def _part_of_year(text: str) -> datetime.date | None:
    if match := _QUARTER.fullmatch(text):
        if match["half"]:
            return _day(int(match["whole"]), 1 if "1" in match["half"] else 7, 1)
        year, quarter = match["year"] or match["before"], match["quarter"] or match["of"]
        return _day(_full_year(year), 3 * int(quarter) - 2, 1)
    match = _SEASON.fullmatch(text)
    return _day(int(match["year"]), _SEASONS[match["season"]], 1) if match else None


def _year(text: str) -> Moment | None:
    """A year, a decade, a century, or the years from one on; what has few digits must say that it is one."""
    if match := _CENTURY.fullmatch(text):
        number = int(match["number"])
        year = -100 * number if match["era"] else 100 * number - 99
        return Moment(_DAYS_A_YEAR * year, year, True, True)
    match = _YEAR.fullmatch(text)
    if match is None:
        return None
    year = int(match["year"])
    says_so = match["era"] or text.startswith("ad")
    if not (says_so or (len(match["year"]) == 4 and _FIRST_YEAR <= year <= _LAST_YEAR)):
        return None
    if match["era"] and match["era"].startswith("b"):
        return Moment(-_DAYS_A_YEAR * year, -year, True, True)
    day = _day(year, 1, 1)
    return None if day is None else Moment(day.toordinal(), year, True, True)


def _full_year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) > 2 else year + (2000 if year <= _LAST_OF_2000S else 1900)


def _day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def clock(text: str) -> Clock | None:
    """The time that a text begins with."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if (match := _HOUR.match(text)) is not None:
        return Clock(_since_midnight(match), is_half_day=True)
    if (match := _CLOCK.match(text)) is None:
        return None
    first, second, third = (int(match[name] or 0) for name in ("first", "second", "third"))
    if match["half"]:
        return Clock(_since_midnight(match) + third, is_half_day=True)
    rest = float((match["rest"] or "0").replace(",", "."))
    if match["third"] is not None:
        return Clock(3600.0 * first + 60 * second + third + rest, is_exact=True)
    is_written_so = second % 5 == 0 or len(match["first"]) == 2  # 9:30, 09:32; 3:59 is a length of time
    return Clock(
        60.0 * first + second + rest,
        is_exact=match["rest"] is not None,
        may_be_of_day=is_written_so and first < 24 and match["rest"] is None,
    )


def _since_midnight(match: re.Match[str]) -> float:
    """The seconds until an hour and minute with am or pm."""
    hour = int(match["first"]) % 12 + 12 * (match["half"][0] in "pP")
    return 3600.0 * hour + 60 * int(match["second"] or 0)
