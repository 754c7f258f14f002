"""The ways in which a column of texts can be read; `readings.py` takes the one that reads most cells."""

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from neural_enquirer.tables.amounts import Amount, amounts, cleaned, style_of
from neural_enquirer.tables.moments import Clock, clock, moment
from neural_enquirer.tables.units import Kind, Unit, words

_LEAST_SHARE: Final = 0.75
"""The share of a column's cells that must be read in the same way."""
SAMPLE: Final = 1000
"""So many distinct cells tell in which way a column is to be read."""
_LEAST_MARKED: Final = 0.2
"""The share of a column's amounts that must say their unit; the others are mere numbers."""
_SCORE: Final = re.compile(
    r"(?P<result>[WLDT](?:\s|,|\b)\s*)?(?P<first>\d{1,3})\s?[-–—:]\s?(?P<second>\d{1,3})"
    r"(?:\s?[-–—]\s?\d{1,3})?(?!\d|\s?[-–—:.,=]\s?\d|\s?[^\W\d]*\d)"
    r"|(?:\d+[-–—])+\d+\s?=\s?(?P<total>\d+)"
)
_LEVEL: Final = re.compile(r"(?P<place>\d\d?)(?:[.):]\s?|_|\s[-–]\s)[<>=]*\s?[^\W\d_]")
_ROMAN: Final = re.compile(r"(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_VERSION: Final = re.compile(r"v?(\d{1,2})\.(\d{1,3})\.(\d{1,3})")
_NOON: Final = Clock(43200.0, is_half_day=True)
_NAN: Final = float("nan")
_KINDS: Final = list(Kind)

_Read = TypeVar("_Read")
_Key = tuple[Kind, str]
"""What amounts must share to be compared: money its currency, all else its kind."""
_COUNT: Final[_Key] = (Kind.NUMBER, "")


@dataclass(frozen=True)
class Cells:
    """A column that is to be read: its distinct cells, and how often each is there; the name of its field."""

    counts: Mapping[str, int]
    name: str

    @property
    def sample(self) -> "Cells":
        """The first of many cells."""
        if len(self.counts) <= SAMPLE:
            return self
        return Cells(dict(itertools.islice(self.counts.items(), SAMPLE)), self.name)

    def read(self, read: Callable[[str], _Read]) -> list[_Read] | None:
        """What each distinct cell reads as; what is false, but for a zero, is no reading.

        None where too few cells can be read, whether each counts once or as often as it is there.
        """
        distinct_left, left = (
            (1 - _LEAST_SHARE) * total for total in (len(self.counts), sum(self.counts.values()))
        )
        found = []
        for text, count in self.counts.items():
            value = read(text)
            if not value and value != 0.0:
                distinct_left -= 1
                left -= count
                if distinct_left < 0 and left < 0:  # most columns part here, after a few cells
                    return None
            found.append(value)
        return found


@dataclass(frozen=True)
class Found:
    """A column as read in one way: a number for each distinct cell, NaN where it cannot be read so."""

    kind: Kind
    unit: str
    values: Sequence[float]

    @property
    def read(self) -> int:
        """How many cells could be read."""
        return sum(value == value for value in self.values)

    @property
    def tells_apart(self) -> bool:
        """Whether two cells differ."""
        return len({value for value in self.values if value == value}) > 1


Way = Callable[[Cells], Found | None]


def _dates(cells: Cells) -> Found | None:
    """Days, or years where nothing else is known; whether the day comes first, the column tells."""
    moments = cells.read(moment)
    if moments is None or None in moments:
        day_first = cells.read(lambda text: moment(text, day_first=True))
        if day_first is not None and (moments is None or day_first.count(None) < moments.count(None)):
            moments = day_first
    if moments is None:
        return None
    known = [each for each in moments if each is not None]
    if all(each.may_be_year for each in known) and any(each.is_year for each in known):
        return Found(Kind.YEAR, "", [_NAN if each is None else each.year for each in moments])
    return Found(Kind.DATE, "day", [_NAN if each is None else each.day for each in moments])


def _clocks(cells: Cells) -> Found | None:
    """Times with colons: of the day, or lengths of time, beside which mere numbers are seconds."""
    times = cells.read(_time)
    known = [] if times is None else [time for time in times if time is not None]
    if times is None or all(time.is_bare for time in known):
        return None
    seconds = [_NAN if time is None else time.seconds for time in times]
    if any(time.is_half_day for time in known):
        return Found(Kind.TIME, "s", seconds)
    if all(time.may_be_of_day for time in known):
        return Found(Kind.TIME, "s", [60 * value for value in seconds])
    return Found(Kind.DURATION, "s", _from_the_start(cells, seconds))


def _time(text: str) -> Clock | None:
    if text.casefold() in ("noon", "midday"):
        return _NOON
    if (found := clock(text)) is not None:
        return found
    number = next((each.base for each in amounts(text) if each.is_bare), None)
    return None if number is None else Clock(number, is_bare=True)


def _from_the_start(cells: Cells, seconds: Sequence[float]) -> Sequence[float]:
    """Times of a race, where all but the first may say how far they came behind: 34:11.2, +2.1, +1:10.8."""
    behind = [text.startswith("+") for text in cells.counts]
    pairs = list(zip(seconds, behind, strict=True))
    first = min((value for value, is_behind in pairs if not is_behind and value == value), default=0.0)
    return [rounded(value + first) if is_behind else value for value, is_behind in pairs]


def _scores(cells: Cells) -> Found | None:
    """Scores, by what the first side has, or by their sum where it is written (70-66-66-71=273).

    Where every first number is the smaller one they are ranges, unless the name of the field says otherwise,
    or all have the same sum: 18–23 and 12–29 are games won and lost.
    """
    matches = cells.read(lambda text: _SCORE.match(cleaned(text)))
    if matches is None:
        return None
    known = [match for match in matches if match is not None]
    says_so = any(word in cells.name.casefold() for word in words()["names"]["score"])
    sums = {int(match["first"]) + int(match["second"]) for match in known if not match["total"]}
    ascend = all(
        not match["total"] and not match["result"] and int(match["first"]) < int(match["second"])
        for match in known
    )
    if not says_so and ascend and len(sums) > 1:
        return None
    values = [_NAN if match is None else float(match["total"] or match["first"]) for match in matches]
    return Found(Kind.SCORE, "", values)


def _measures(cells: Cells) -> Found | None:
    """Amounts of the kind that most cells can be amounts of."""
    style = style_of(list(cells.counts))
    possible = cells.read(lambda text: amounts(text, style))
    if possible is None:
        return None
    key = _usual_key(possible[:SAMPLE])
    chosen = {
        text: next((each for each in own if each.is_bare or _key(each) == key), None)
        for text, own in zip(cells.counts, possible, strict=True)
    }
    found = cells.read(chosen.__getitem__)
    if found is None:
        return None
    if key == _COUNT:
        return _counted(found)
    measured = _measured(key, found)
    if key[0] is Kind.DURATION:
        return Found(key[0], measured.unit, _from_the_start(cells, measured.values))
    return measured


def _key(amount: Amount) -> _Key:
    return amount.unit.kind, amount.unit.name if amount.unit.kind is Kind.MONEY else ""


def _usual_key(cells: Sequence[Sequence[Amount]]) -> _Key:
    """What most cells can be amounts of; mere numbers can be anything that enough cells say."""
    united = [cell for cell in cells if not any(each.is_bare for each in cell)]
    bare = len(cells) - len(united)
    marked = Counter(key for cell in united for key in {_key(each) for each in cell})
    enough = [key for key, count in marked.items() if count >= _LEAST_MARKED * (count + bare)]
    return max({_COUNT, *enough}, key=lambda key: (marked[key] + bare, -_KINDS.index(key[0]), key[1]))


def _counted(cells: Sequence[Amount | None]) -> Found | None:
    """Numbers of the same things; 5 apples and 3 pears cannot be compared."""
    known = [cell for cell in cells if cell is not None]
    name, count = Counter(cell.unit.name for cell in known).most_common(1)[0]
    if count < _LEAST_SHARE * len(known):
        return None
    kind = Kind.RANGE if 2 * sum(cell.is_range for cell in known) >= len(known) else Kind.NUMBER
    return Found(kind, name, [_NAN if cell is None else cell.base for cell in cells])


def _measured(key: _Key, cells: Sequence[Amount | None]) -> Found:
    """Amounts in the smallest unit that some cell has; mere numbers are in the one that most have."""
    units = Counter(cell.unit for cell in cells if cell is not None and not cell.is_bare)
    usual = units.most_common(1)[0][0]
    own = usual if len(units) == 1 else min(units, key=lambda unit: (unit.offset != 0, unit.factor))
    if key[0] is Kind.MONEY:
        own = Unit(*key)
    bases = (
        _NAN if cell is None else usual.based(cell.base) if cell.is_bare else cell.base for cell in cells
    )
    return Found(key[0], own.name, [rounded(own.given(base)) for base in bases])


def rounded(value: float) -> float:
    """A value without what conversion adds far behind the point."""
    return value if value != value or value.is_integer() else float(f"{value:.12g}")


def _levels(cells: Cells) -> Found | None:
    """Names with their place in front: 1. mild, 2_moderate."""
    return _matching(cells, _LEVEL.match, Kind.RANK, lambda match: float(match["place"]))


def _versions(cells: Cells) -> Found | None:
    """Versions of a program: 1.10.2 comes after 1.9.8."""
    return _matching(
        cells,
        _VERSION.fullmatch,
        Kind.RANK,
        lambda match: 1e6 * int(match[1]) + 1e3 * int(match[2]) + int(match[3]),
    )


def _romans(cells: Cells) -> Found | None:
    """Roman numerals; some cell must have an I, for M, L and XL are sizes."""
    if not any("I" in text for text in cells.counts):
        return None
    return _matching(cells, _ROMAN.fullmatch, Kind.NUMBER, _roman)


def _roman(match: re.Match[str]) -> float:
    digits = [_ROMAN_DIGITS[letter] for letter in match[0]]
    return float(
        sum(-one if one < after else one for one, after in zip(digits, [*digits[1:], 0], strict=True))
    )


def _matching(
    cells: Cells,
    find: Callable[[str], re.Match[str] | None],
    kind: Kind,
    value: Callable[[re.Match[str]], float],
) -> Found | None:
    """Cells of one form, by the number that each stands for."""
    matches = cells.read(find)
    if matches is None:
        return None
    return Found(kind, "", [_NAN if match is None else value(match) for match in matches])


def _ranks(cells: Cells) -> Found | None:
    """Words that have an order, such as months, days of the week and sizes."""
    names = [text.strip().casefold() for text in cells.counts]
    if names[0] not in _ordered():
        return None
    different = set(names)
    for places in _orders():
        if places.keys() >= different:
            return Found(Kind.RANK, "", [float(places[name]) for name in names])
    return None


@functools.cache
def _ordered() -> frozenset[str]:
    """All words that have an order."""
    return frozenset(name for places in _orders() for name in places)


@functools.cache
def _orders() -> tuple[Mapping[str, int], ...]:
    """The place of each word in its order."""
    return tuple(
        {name.casefold(): place for place, entry in enumerate(order, 1) for name in entry.split("|")}
        for order in words()["orders"].values()
    )


OF_NUMBERS: Final[tuple[Way, ...]] = (_dates, _clocks, _scores, _levels, _measures, _versions)
OF_WORDS: Final[tuple[Way, ...]] = (_ranks, _romans)
"""From the most telling to the plainest."""
