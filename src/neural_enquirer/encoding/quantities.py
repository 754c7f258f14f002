"""Numbers and dates in a question, as intervals that cells are compared with."""

import calendar
import datetime
import functools
import math
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from neural_enquirer.encoding.spelled_numbers import DECADES, ORDINALS, spelled_numbers

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
MONTHS["sept"] = 9
_MISSPELLED = {
    "janurary": 1, "januray": 1, "febuary": 2, "feburary": 2, "febraury": 2, "apirl": 4, "agust": 8,
    "augest": 8, "setember": 9, "septmber": 9, "ocotber": 10, "novemeber": 11, "decemeber": 12,
}  # fmt: skip
MONTHS |= _MISSPELLED
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:(?P<year>[12]\d{3})|['’](?P<short>\d\d))"

_DATES = (
    re.compile(r"\b(?P<year>[12]\d{3})[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12]\d|3[01])\b"),
    re.compile(rf"\b(?P<name>{_MONTH})\.?\s+(?P<day>{_DAY}),?\s+{_YEAR}\b"),
    re.compile(rf"\b(?P<day>{_DAY})\s+(?:of\s+)?(?P<name>{_MONTH})\.?,?\s+{_YEAR}\b"),
    re.compile(r"\b(?P<first>\d{1,2})(?P<sign>[/.-])(?P<second>\d{1,2})(?P=sign)(?P<year>[12]\d{3})\b"),
    re.compile(r"\b(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])\b(?!-)"),
    re.compile(rf"\b(?P<name>{_MONTH})\.?,?\s+(?:of\s+)?{_YEAR}\b"),
    re.compile(r"(?<![\d/])(?P<month>0?[1-9]|1[0-2])/(?P<year>[12]\d{3})\b(?!/)"),
    re.compile(rf"\b(?P<name>{_MONTH})\.?\s+(?P<short>3[2-9]|[4-9]\d)\b(?![.,:/%]\d)"),
)
_NAMED = re.compile(rf"\b(?:{_MONTH})\b")
_TO_ANOTHER = r"\s*(?:\b(?:or|and|to|until|till|through)\b|[-–&,])\s*(?:the\s+)?"
_DAYS_OF_A_YEAR = (
    re.compile(
        rf"(?<!\bin )\b(?P<name>{_MONTH})\.?\s+(?:the\s+)?(?P<day>{_DAY})\b(?![.,:/%]\d)"
        rf"(?:{_TO_ANOTHER}(?P<other>{_DAY})(?=\s*(?:$|[?!;)])))?"
    ),
    re.compile(
        rf"(?<!\btop )(?<!\bfirst )(?<!\blast )(?<!\bnext )"
        rf"\b(?:(?P<other>{_DAY}){_TO_ANOTHER})?(?P<day>{_DAY})\s+(?:of\s+)?(?P<name>{_MONTH})\b"
    ),
    re.compile(rf"\b(?P<day>{'|'.join(ORDINALS)})\s+(?:of\s+)(?P<name>{_MONTH})\b"),
    re.compile(rf"\b(?P<name>{_MONTH})\s+the\s+(?P<day>{'|'.join(ORDINALS)})\b"),
)

_NUMBER = re.compile(
    r"(?P<sign>(?<![\w.])[-−–])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|(?<![\d.,])\d{1,3}(?: \d{3})* 000(?!\d)"
    r"|\d+(?:\.\d+)?|(?<![\w.])\.\d+)"
    r"(?:\s?(?P<scale>k|m|mn|bn|b|grand|thousand|million|billion|trillion)\b)?"
)
_SCALES = {"k": 1e3, "grand": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6}
_SCALES |= {"b": 1e9, "bn": 1e9, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = frozenset("kmb")
_PERCENT = re.compile(r"\s?(?:%|percent\b|per cent\b|pct\b)")
_DECADE = re.compile(r"\b(?P<century>1\d|20)?(?P<tens>\d)0['’]?s\b")
_CENTURY = re.compile(
    r"\b(?:(?P<years>1\d)00['’]?s|(?P<th>1\d|2[01])(?:th|st) century"
    r"|(?P<name>nineteenth|twentieth|eighteenth) century"
    r"|(?P<now>this|last) century)\b"
)
_HALF = re.compile(
    r"(?:(?<=\bthan )|(?<=\bover )|(?<=\bunder )|(?<=\bleast ))(?:half|a quarter)\b"
    r"(?! (?:of )?(?:an? )?(?:hour|dozen|time|million|billion|thousand|mile|minute|litre|kilo|gram))"
)
_SPELLED_DECADE = re.compile(rf"\b(?:{'|'.join(DECADES)})\b")
_SHORT_YEAR = re.compile(
    r"(?:(?<=[^\w'’]['’])|(?<=^['’]))\d\d(?![\w'’\"])"
    r"|(?:(?<=\b(?:in|of|to) )[3-9]\d|(?<=\b(?:the|and) )[3-9]\d|(?<=\b(?:from|than) )[3-9]\d"
    r"|(?<=\b(?:since|after|until) )[3-9]\d|(?<=\bbefore )[3-9]\d|(?<=\bincluding )[3-9]\d)"
    r"(?=$|[?!;)]|[,.](?!\d)|\s(?:and|or|to|in|season|olympics|games|world|cup|tour|was|did|by|with|of|as)\b)"
    r"|(?<![\w.,:/-])0\d(?![\w:/%-]|[.,]\d)|^[3-9]\d(?= [a-z]{4,}(?<!s)\b)|(?<=[a-z] )[3-9]\d(?=\??$)"
)
_FIRST_SHORT_YEAR = 30
_DIGIT = re.compile(r"\d")
FIRST_YEAR, LAST_YEAR = 1000, 2999


@dataclass(frozen=True)
class Quantity:
    """A number or a date of the question.

    Attributes:
        start: where it begins in the folded question.
        end: where it ends.
        number: what cells of number fields are compared with; None for a date.
        days: the first and the last day (proleptic ordinals) that cells of date fields are compared with: one
            day, a month, or a year, since 2019 is also a number; None for other numbers.
        unscaled: what the number may be instead: in a field of millions, 8.4 million is 8.4; 40 % may be 0.4,
            87 the year 1987, and the first of the sixties 60.
        last: the last of several numbers in a row, the years of a decade.
        of_a_year: month and day, where the question does not say the year: that is the field's.
    """

    start: int
    end: int
    number: float | None
    days: tuple[float, float] | None
    unscaled: float | None = None
    last: float | None = None
    of_a_year: tuple[int, int] | None = None

    def days_among(self, known: Collection[int]) -> tuple[float, float] | None:
        """The days that a field's dates, given as ordinals, are compared with.

        A day of no year is one that is among them, or else the nearest to them; of several the last. May 24
        is a month where some date is in that month, and none on that day.
        """
        if self.of_a_year is None or not known:
            return self.days
        first, last = min(known), max(known)
        month, day = self.of_a_year
        whole = _span(_year_of(day), month, None)
        years = range(*(datetime.date.fromordinal(day).year + i for i, day in enumerate((first, last))))
        spans = [span for year in years if (span := _span(year, month, day)) is not None]
        is_there = any(span[0] in known for span in spans)
        if whole is not None and not is_there and any(whole[0] <= one <= whole[1] for one in known):
            return whole
        away = {span: max(first - span[0], span[0] - last, 0.0) for span in spans}
        return max(spans, key=lambda span: (span[0] in known, -away[span], span), default=None)

    def part_named(self, words: Collection[str]) -> int | None:
        """Of a day without a year, the month or the day, where the words of a header name that."""
        month, day = self.of_a_year or (None, None)
        return month if "month" in words else day if "day" in words else None

    def last_from(self, first: int | float) -> float:
        """The last of several numbers in a row, where a field counts the first of them so."""
        return first + (self.last or 0.0) - (self.number or 0.0)


@functools.lru_cache(maxsize=16)
def quantities_in(folded: str) -> tuple[Quantity, ...]:
    """Finds the numbers and dates of a folded question, from left to right.

    Linking, pointing and telling look for those of the same question one after the other.
    """
    found: list[Quantity] = []
    taken = [False] * len(folded)

    def take(quantity: Quantity | None) -> None:
        if quantity is not None and not any(taken[quantity.start : quantity.end]):
            taken[quantity.start : quantity.end] = [True] * (quantity.end - quantity.start)
            found.append(quantity)

    for match in _CENTURY.finditer(folded) if "centur" in folded or "00" in folded else ():
        take(_years(match, _first_of_century(match), 100))
    has_digits = _DIGIT.search(folded) is not None
    if has_digits:
        for pattern in _DATES:
            for match in pattern.finditer(folded):
                days = _days(match.groupdict())
                take(None if days is None else Quantity(*match.span(), None, days))
    if _NAMED.search(folded):
        for quantity in _days_of_a_year(folded):
            take(quantity)
    if has_digits:
        for match in _DECADE.finditer(folded):
            take(_years(match, _first_year(match["century"], match["tens"])))
        for match in _SHORT_YEAR.finditer(folded):
            take(_short_year(match))
        for match in _NUMBER.finditer(folded):
            take(_number(match, folded))
    for match in _HALF.finditer(folded) if "half" in folded or "quarter" in folded else ():
        percent = 50.0 if match[0] == "half" else 25.0
        take(Quantity(*match.span(), percent, None, percent / 100))
    for match in _SPELLED_DECADE.finditer(folded):
        take(_years(match, 1900 + DECADES[match[0]]))
    for spelled in spelled_numbers(folded):
        percent = _PERCENT.match(folded, spelled.end) is not None
        take(
            Quantity(
                spelled.start,
                spelled.end,
                spelled.number,
                _days_of_year(spelled.number) if spelled.unscaled is None else None,
                spelled.number / 100 if percent else spelled.unscaled,
            )
        )
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def _days_of_a_year(folded: str) -> Iterator[Quantity]:
    """The days that are said without their year; two may share the name of a month."""
    for pattern in _DAYS_OF_A_YEAR:
        for match in pattern.finditer(folded):
            month, groups = MONTHS[match["name"]], match.groupdict()
            start, end = match.span()
            if groups.get("other"):
                first, last = match.span("other")
                yield Quantity(first, last, None, None, of_a_year=(month, _day_of_month(match["other"])))
                start, end = (start, match.end("day")) if first > start else (match.start("day"), end)
            yield Quantity(start, end, None, None, of_a_year=(month, _day_of_month(match["day"])))


def _day_of_month(text: str) -> int:
    return ORDINALS.get(text) or int(re.sub(r"\D", "", text))


def _first_year(century: str | None, tens: str) -> int:
    return int(f"{century or (20 if tens < '2' else 19)}{tens}0")


def _first_of_century(match: re.Match[str]) -> int:
    if match["years"]:
        return int(match["years"]) * 100
    number = ORDINALS.get(match["name"]) or int(match["th"] or {"this": 21, "last": 20}[match["now"]])
    return (number - 1) * 100


def _years(match: re.Match[str], first: int, count: int = 10) -> Quantity:
    """The years of a decade or a century; those of a decade may be ages."""
    start, end = _span(first, None, None), _span(first + count - 1, None, None)
    days = None if start is None or end is None else (start[0], end[1])
    age = float(first % 100) if count == 10 else None
    return Quantity(*match.span(), float(first), days, age, first + count - 1.0)


def _short_year(match: re.Match[str]) -> Quantity:
    """A year of two digits, which may be a number all the same."""
    number = int(match[0])
    year = _year_of(number)
    return Quantity(*match.span(), float(number), _span(year, None, None), float(year))


def _year_of(digits: int) -> int:
    """The year that two digits stand for."""
    return digits + (1900 if digits >= _FIRST_SHORT_YEAR else 2000)


def day_number(value: datetime.date) -> float:
    """Returns a date or a moment as a number of days."""
    if isinstance(value, datetime.datetime):
        seconds = (value - datetime.datetime(value.year, value.month, value.day)).total_seconds()
        return value.toordinal() + seconds / 86400
    return float(value.toordinal())


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
    unscaled = float(match["digits"].replace(",", "").replace(" ", "")) * (-1 if match["sign"] else 1)
    value = unscaled * _scale(scale)
    if not math.isfinite(value):
        return None
    days = _days_of_year(value) if scale is None and "," not in match["digits"] else None
    percent = _PERCENT.match(folded, end) is not None
    return Quantity(start, end, value, days, value / 100 if percent else None if scale is None else unscaled)


def _days_of_year(number: float) -> tuple[float, float] | None:
    """The days of a year; None where a number is none."""
    is_year = number.is_integer() and FIRST_YEAR <= number <= LAST_YEAR
    return _span(int(number), None, None) if is_year else None


def _unit_follows(folded: str, place: int) -> bool:
    """Whether the letters right behind a number are a unit (30km, 5kg) rather than the rest of a code."""
    letters = re.match(r"[^\W\d_]+", folded[place:])
    return (
        letters is not None and len(letters[0]) <= 4 and not folded[place + len(letters[0]) :][:1].isdigit()
    )


def _scale(name: str | None) -> float:
    return 1.0 if name is None else _SCALES[name]


def _days(parts: dict[str, str | None]) -> tuple[float, float] | None:
    """The days that a written date covers; None where there is no such day."""
    year = int(parts.get("year") or 0) or _year_of(int(parts.get("short") or 0))
    name, month, day = parts.get("name"), parts.get("month"), parts.get("day")
    if parts.get("first"):
        first, second = int(parts["first"] or 0), int(parts["second"] or 0)
        months_first = first <= 12 and parts["sign"] != "."  # as in the columns of tables
        month, day = (str(first), str(second)) if months_first else (str(second), str(first))
    number = MONTHS[name] if name else int(month or 0)
    return _span(year, number, _day_of_month(day) if day else None)


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
