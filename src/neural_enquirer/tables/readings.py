"""How a column is read: its cells decide together whether they are lengths, durations, dates or scores.

"58m" is minutes beside "2h 15m" and metres beside "5km"; 3/12/19 is a day of March or of December. A column
of text that can be read so keeps its texts and its type, and has a *reading* beside them: what its cells are
amounts of, in which unit, and a number for each cell, by which cells are put in order and compared.
"""

import datetime
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from neural_enquirer.tables.amounts import LONGEST, Amount, amounts, cleaned, style_of
from neural_enquirer.tables.cell_types import FieldType, Value
from neural_enquirer.tables.moments import Clock, clock, moment
from neural_enquirer.tables.units import BARE, Kind, Unit, words

__all__ = ["LEAST_SHARE", "Reading", "read_cells", "read_field", "read_quantity"]

LEAST_SHARE: Final = 0.75
"""The share of a column's cells that must be read in the same way."""
_LEAST_MARKED: Final = 0.2
"""The share of a column's amounts that must say their unit; the others are mere numbers."""
_MISSING: Final = frozenset({"", "-", "–", "—", "--", "?", ".", "…", "n/a", "na", "none", "null", "nan", "n.a.", "tba", "tbd"})
_CLEARLY: Final = 1.1
"""How many times as many cells a plainer way must read; 1995 is a number, and rather a year."""
_LOOKED_AT: Final = 8
"""Where none of the first cells has a digit, the column has no numbers."""
_DIGIT: Final = re.compile(r"[\d½¼¾]")
_SCORE: Final = re.compile(
    r"(?P<result>[WLDT](?:\s|,|\b)\s*)?(?P<first>\d{1,3})\s?[-–—:]\s?(?P<second>\d{1,3})(?:\s?[-–—]\s?\d{1,3})?"
    r"(?!\d|\s?[-–—:.,=]\s?\d|\s?[^\W\d]*\d)|(?:\d+[-–—])+\d+\s?=\s?(?P<total>\d+)"
)
_LEVEL: Final = re.compile(r"(?P<place>\d\d?)(?:[.):]\s?|_|\s[-–]\s)[<>=]*\s?[^\W\d_]")
_ROMAN: Final = re.compile(r"(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_VERSION: Final = re.compile(r"v?(\d{1,2})\.(\d{1,3})\.(\d{1,3})")
_SECONDS: Final = Unit(Kind.DURATION, "s")
_NAN: Final = float("nan")

_Read = TypeVar("_Read")
Key = tuple[Kind, str]
Cells = Mapping[str, int]
"""Distinct cells, and how often each is there."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What the cells of a column are amounts of.

    Attributes:
        kind: length, money, date and so on.
        unit: what `values` are counted in: the smallest unit that some cell is given in; "" where there is
            none to tell, "day" for dates (days since the year 1, as `date.toordinal` counts them).
        values: a number for each cell, by which cells compare; NaN where it has none.
    """

    kind: Kind
    unit: str
    values: npt.NDArray[np.float64]

    @property
    def is_date(self) -> bool:
        """Whether the values are days."""
        return self.kind is Kind.DATE


@dataclass(frozen=True)
class _Found:
    """A way to read distinct cells; numbers are NaN where a cell cannot be read so."""

    kind: Kind
    unit: str
    values: Sequence[float]

    @property
    def read(self) -> int:
        return sum(value == value for value in self.values)


def read_cells(cells: Sequence[str], name: str = "") -> Reading | None:
    """Reads a column in the way in which most of its cells can be read; None where too few can.

    Args:
        cells: The cells; "" where one is missing.
        name: The name of the field, which tells scores from ranges.
    """
    texts = Counter(cells)
    for cell in [cell for cell in texts if cell.strip().casefold() in _MISSING]:
        del texts[cell]
    best = _best(texts, name) if len(texts) > 1 else None
    if best is None:
        return None
    value_of = dict(zip(texts, best.values, strict=True))
    values = np.fromiter((value_of.get(cell, _NAN) for cell in cells), np.float64, len(cells))
    return Reading(best.kind, best.unit, values)


def read_field(name: str, kind: FieldType, values: Sequence[Value | None], texts: Sequence[str]) -> Reading | None:
    """Reads a typed field: text as its cells can be read; numbers keep their values and gain a unit."""
    if kind is FieldType.TEXT:
        return read_cells(texts, name)
    if kind is FieldType.DATE:
        return Reading(Kind.DATE, "day", np.array([_day_number(value) for value in values]))
    numbers = np.array([_NAN if value is None else _nearest(value) for value in values])
    found = read_cells(texts, name)
    if found is None or not np.array_equal(found.values, numbers, equal_nan=True):
        return Reading(Kind.NUMBER, "", numbers)
    return found


def _day_number(value: Value | None) -> float:
    if not isinstance(value, datetime.date):
        return _NAN
    if not isinstance(value, datetime.datetime):
        return float(value.toordinal())
    since = value - datetime.datetime(value.year, value.month, value.day)
    return value.toordinal() + since / datetime.timedelta(days=1)


def _nearest(value: Value) -> float:
    """The nearest float; the largest where an integer has more than 300 digits."""
    try:
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return math.copysign(math.inf, 1 if value > 0 else -1)  # type: ignore[operator]


def read_quantity(text: str, reading: Reading) -> float | None:
    """What cells of a column are compared with for an amount in a question: "5 km" in a column of metres is 5000.

    A mere number is taken to be in the column's own unit; None for an amount of another kind.
    """
    if reading.is_date or reading.kind is Kind.YEAR:
        found = moment(text)
        return None if found is None else found.day if reading.is_date else float(found.year)
    if reading.kind in (Kind.DURATION, Kind.TIME) and (time := clock(text)) is not None:
        own = _unit_called(reading)
        return own.given(time.seconds) if own else time.seconds
    for amount in amounts(text):
        if amount.is_bare:
            return amount.base
        if amount.unit.kind is reading.kind and reading.kind is Kind.MONEY:
            return amount.base if amount.unit.name == reading.unit else None
        if amount.unit.kind is reading.kind:
            own = _unit_called(reading)
            return _rounded(own.given(amount.base)) if own else amount.base
    return None


def _unit_called(reading: Reading) -> Unit | None:
    return next((each.unit for each in amounts(f"1 {reading.unit}") if each.unit.kind is reading.kind), None)


def _best(texts: Cells, name: str) -> _Found | None:
    """The way that reads clearly most cells; the first of those that read about as many."""
    ways: tuple[Callable[[Cells], _Found | None], ...] = (_ranks, _romans)
    if any(_DIGIT.search(text) for text in itertools.islice(texts, _LOOKED_AT)):
        ways = (_dates, _clocks, lambda texts: _scores(texts, name), _levels, _amounts, _versions)
    best: _Found | None = None
    for way in ways:
        found = way(texts)
        if found is not None and (best is None or found.read > _CLEARLY * best.read):
            best = found
            if best.read == len(texts):
                break
    return best if best is not None and len({value for value in best.values if value == value}) > 1 else None


def _read(texts: Cells, read: Callable[[str], _Read]) -> list[_Read] | None:
    """Reads all cells in one way; gives up as soon as too many cannot be read, whether or not each counts once."""
    distinct_left, left = (1 - LEAST_SHARE) * len(texts), (1 - LEAST_SHARE) * sum(texts.values())
    found = []
    for text, count in texts.items():
        value = read(text)
        if not value and value != 0.0:
            distinct_left -= 1
            left -= count
            if distinct_left < 0 and left < 0:
                return None
        found.append(value)
    return found


def _dates(texts: Cells) -> _Found | None:
    month_first = _read(texts, moment)
    if month_first is None or None in month_first:
        day_first = _read(texts, lambda text: moment(text, day_first=True))
        if month_first is None or (day_first is not None and day_first.count(None) < month_first.count(None)):
            month_first = day_first
    if month_first is None:
        return None
    known = [each for each in month_first if each is not None]
    if all(each.may_be_year for each in known) and any(each.is_year for each in known):
        return _Found(Kind.YEAR, "", [_NAN if each is None else each.year for each in month_first])
    return _Found(Kind.DATE, "day", [_NAN if each is None else each.day for each in month_first])


def _clocks(texts: Cells) -> _Found | None:
    times = _read(texts, _time)
    if times is None:
        return None
    clocks = [time for time in times if isinstance(time, Clock)]
    if not clocks:
        return None
    seconds = [_NAN if time is None else time.seconds if isinstance(time, Clock) else time for time in times]
    seconds = _from_the_start(texts, seconds)
    if any(time.is_half_day for time in clocks):
        return _Found(Kind.TIME, "s", seconds)
    if all(time.is_round and time.hours < 24 and not time.is_exact for time in clocks) and len(clocks) == len(times) - times.count(None):
        return _Found(Kind.TIME, "s", [60 * value for value in seconds])
    return _Found(Kind.DURATION, "s", seconds)


def _from_the_start(texts: Cells, seconds: Sequence[float]) -> Sequence[float]:
    """Times of a race, in which all but the first may say how far they came behind it: 34:11.2, +2.1, +1:10.8."""
    behind = [text.startswith("+") for text in texts]
    leading = [value for value, is_behind in zip(seconds, behind, strict=True) if not is_behind and value == value]
    if not any(behind) or not leading:
        return seconds
    return [value + min(leading) * is_behind for value, is_behind in zip(seconds, behind, strict=True)]


def _time(text: str) -> Clock | float | None:
    """A time with colons; beside them a mere number is seconds."""
    found = clock(text)
    if found is not None:
        return found
    if text.casefold() in ("noon", "midday"):
        return 43200.0
    amount = next(iter(amounts(text)), None)
    return amount.base if amount is not None and amount.is_bare else None


def _scores(texts: Cells, name: str = "") -> _Found | None:
    """Scores, by what the first side has, or by their sum where it is written (70-66-66-71=273).

    Where every first number is the smaller one they are ranges, unless the name of the field says otherwise,
    or all have the same sum: 18–23 and 12–29 are games won and lost.
    """
    matches = _read(texts, lambda text: _SCORE.match(cleaned(text)))
    if matches is None:
        return None
    known = [match for match in matches if match is not None]
    is_named = any(word in name.casefold() for word in words()["names"]["score"])
    if not is_named and all(_ascends(match) for match in known) and len({_sum(match) for match in known}) > 1:
        return None
    values = [_NAN if match is None else float(match["total"] or match["first"]) for match in matches]
    return _Found(Kind.SCORE, "", values)


def _ascends(match: re.Match[str]) -> bool:
    return not match["total"] and not match["result"] and int(match["first"]) < int(match["second"])


def _sum(match: re.Match[str]) -> int:
    return int(match["first"]) + int(match["second"])


def _amounts(texts: Cells) -> _Found | None:
    style = style_of(list(texts))
    cells = _read(texts, lambda text: amounts(text, style))
    if cells is None:
        return None
    united = [cell for cell in cells if not any(each.is_bare for each in cell)]
    bare = len(cells) - len(united)
    marked = Counter(key for cell in united for key in {_key(each) for each in cell})
    marked[(Kind.NUMBER, "")] += 0
    order = list(Kind)
    candidates = [key for key, count in marked.items() if key[0] is Kind.NUMBER or count >= _LEAST_MARKED * (count + bare)]
    key = max(candidates, key=lambda key: (marked[key] + bare, -order.index(key[0])))
    amount_of = {text: _chosen(cell, key) for text, cell in zip(texts, cells, strict=True)}
    chosen = _read(texts, amount_of.__getitem__)
    found = None if chosen is None else _measured(key, chosen)
    if found is not None and found.kind is Kind.DURATION:
        return _Found(found.kind, found.unit, _from_the_start(texts, found.values))
    return found


def _key(amount: Amount) -> Key:
    """What amounts must share to be compared: money its currency, all else its kind."""
    return amount.unit.kind, amount.unit.name if amount.unit.kind is Kind.MONEY else ""


def _chosen(cell: Iterable[Amount], key: Key) -> Amount | None:
    """What a cell is an amount of where the column is known."""
    return next((each for each in cell if each.is_bare or _key(each) == key), None)


def _measured(key: Key, cells: Sequence[Amount | None]) -> _Found | None:
    known = [cell for cell in cells if cell is not None]
    units = Counter(cell.unit for cell in known if not cell.is_bare)
    if key[0] is Kind.NUMBER:
        names = Counter(cell.unit.name for cell in known)
        name, count = names.most_common(1)[0]
        if count < LEAST_SHARE * len(known):  # 5 apples and 3 pears cannot be compared
            return None
        kind = Kind.RANGE if 2 * sum(cell.is_range for cell in known) >= len(known) else Kind.NUMBER
        return _Found(kind, name, [_NAN if cell is None else cell.base for cell in cells])
    usual = units.most_common(1)[0][0]
    own = usual if len(units) == 1 else min(units, key=lambda unit: (unit.offset != 0, unit.factor))
    if key[0] is Kind.MONEY:
        own = Unit(Kind.MONEY, key[1])
    bases = [_NAN if cell is None else usual.based(cell.base) if cell.is_bare else cell.base for cell in cells]
    return _Found(key[0], own.name, [_rounded(own.given(base)) for base in bases])


def _rounded(value: float) -> float:
    """A value without what conversion adds far behind the point."""
    return value if value != value or value.is_integer() else float(f"{value:.12g}")


def _levels(texts: Cells) -> _Found | None:
    """Names with their place in front: 1. mild, 2_moderate."""
    matches = _read(texts, _LEVEL.match)
    if matches is None:
        return None
    return _Found(Kind.RANK, "", [_NAN if match is None else float(match["place"]) for match in matches])


def _versions(texts: Cells) -> _Found | None:
    matches = _read(texts, _VERSION.fullmatch)
    if matches is None:
        return None
    parts = [None if match is None else [int(part) for part in match.groups()] for match in matches]
    values = [_NAN if part is None else 1e6 * part[0] + 1e3 * part[1] + part[2] for part in parts]
    return _Found(Kind.NUMBER, "", values)


def _romans(texts: Cells) -> _Found | None:
    """Roman numerals; some cell must have an I, for M, L and XL are sizes."""
    matches = _read(texts, _ROMAN.fullmatch)
    if matches is None or not any("I" in text for text in texts):
        return None
    return _Found(Kind.NUMBER, "", [_NAN if match is None else float(_roman(match[0])) for match in matches])


def _roman(text: str) -> int:
    digits = [_ROMAN_DIGITS[letter] for letter in text]
    return sum(-one if one < following else one for one, following in zip(digits, [*digits[1:], 0], strict=True))


def _ranks(texts: Cells) -> _Found | None:
    """Words that have an order, such as months, days of the week and sizes."""
    names = [text.strip().casefold() for text in texts]
    for order in words()["orders"].values():
        places = {name.casefold(): place for place, entry in enumerate(order, 1) for name in entry.split("|")}
        if all(name in places for name in names):
            return _Found(Kind.RANK, "", [float(places[name]) for name in names])
    return None
