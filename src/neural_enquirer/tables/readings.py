"""How a column is read: its cells decide together whether they are lengths, durations, dates or scores.

"58m" is minutes beside "2h 15m" and metres beside "5km"; 3/12/19 is a day of March or of December. A column
of text that can be read so keeps its texts and its type, and has a *reading* beside them: what its cells are
amounts of, in which unit, and a number for each cell, by which cells are put in order and compared.
"""

import datetime
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.tables.amounts import amounts
from neural_enquirer.tables.cell_types import FieldType, Value
from neural_enquirer.tables.measures import nearest
from neural_enquirer.tables.moments import clock, moment
from neural_enquirer.tables.units import BARE, Kind, Unit, meanings
from neural_enquirer.tables.ways_of_reading import OF_NUMBERS, OF_WORDS, Cells, Found, Way, rounded

_MISSING: Final = frozenset(
    {"", "-", "–", "—", "--", "?", ".", "…", "n/a", "na", "none", "null", "nan", "n.a.", "tba", "tbd"}
)
_CLEARLY: Final = 1.1
"""How many times as many cells a plainer way must read; 1995 is a number, and rather a year."""
_LOOKED_AT: Final = 8
"""Where none of the first cells has a digit, the column has no numbers."""
_DIGIT: Final = re.compile(r"[\d½¼¾]")
_NAN: Final = float("nan")
_UNIT_IN_NAME: Final = re.compile(r"[(\[]\s*([^()\[\]]+?)\s*[)\]]\s*$|[^_]_([^\W\d_]{1,4})$")
"""What stands in brackets at the end of a name, or a short word behind its last low line."""
_MERE: Final = (Kind.RANGE, Kind.SCORE, Kind.RANK)
"""Kinds whose values are mere numbers."""


@dataclass(frozen=True, eq=False)
class Reading:
    """What the cells of a column are amounts of.

    Attributes:
        kind: length, money, date and so on.
        unit: what `values` are counted in: the smallest unit that some cell is given in, "day" for dates
            (days since the year 1, as `date.toordinal` counts them), "" where there is none to tell.
        values: a number for each cell, by which cells compare; NaN where it has none.
    """

    kind: Kind
    unit: str
    values: npt.NDArray[np.float64]

    @property
    def is_date(self) -> bool:
        """Whether the values are days."""
        return self.kind is Kind.DATE


def read_cells(cells: Sequence[str], name: str = "") -> Reading | None:
    """Reads a column in the way in which most of its cells can be read; None where too few can.

    Args:
        cells: The cells; "" where one is missing.
        name: The name of the field, which may tell scores from ranges.
    """
    counts = Counter(cells)
    for cell in [cell for cell in counts if cell.strip().casefold() in _MISSING]:
        del counts[cell]
    best = _best(Cells(counts, name)) if len(counts) > 1 else None
    if best is None:
        return None
    value_of = dict(zip(counts, best.values, strict=True))
    values = np.fromiter((value_of.get(cell, _NAN) for cell in cells), np.float64, len(cells))
    return Reading(best.kind, best.unit, values)


def _best(cells: Cells) -> Found | None:
    """The column in the way that reads clearly most cells; the first of those that read about as many."""
    has_digits = _DIGIT.search("\n".join(itertools.islice(cells.counts, _LOOKED_AT)))
    sample = cells.sample
    best: Found | None = None
    best_way: Way | None = None
    for way in OF_NUMBERS if has_digits else OF_WORDS:
        found = way(sample)
        if found is not None and (best is None or found.read > _CLEARLY * best.read):
            best, best_way = found, way
            if best.read == len(sample.counts):
                break
    if best_way is not None and sample is not cells:
        best = best_way(cells)
    return best if best is not None and best.tells_apart else None


def read_field(
    name: str, kind: FieldType, values: Sequence[Value | None], texts: Sequence[str]
) -> Reading | None:
    """Reads a typed field: text as its cells can be read; numbers keep their values and may gain a unit.

    The unit of numbers stands in their cells or in the field's name.
    """
    if kind is FieldType.TEXT:
        return read_cells(texts, name)
    if kind is FieldType.DATE:
        return Reading(Kind.DATE, "day", np.array([_day_number(value) for value in values]))
    numbers = np.array([_NAN if value is None else nearest(value) for value in values])  # type: ignore[arg-type]
    found = read_cells(texts, name)
    if found is not None and found.unit and np.array_equal(found.values, numbers, equal_nan=True):
        return found
    unit = unit_in_name(name) or BARE
    return Reading(unit.kind, unit.name, numbers)


def unit_in_name(name: str) -> Unit | None:
    """The unit of measure in the name of a field: Weight (kg), climb_m; None where there is none."""
    found = _UNIT_IN_NAME.search(name)
    units = () if found is None else (each.unit for each in meanings(found[1] or found[2]) if each.times == 1)
    return next((unit for unit in units if unit.kind not in (Kind.NUMBER, Kind.MONEY)), None)


def _day_number(value: Value | None) -> float:
    if not isinstance(value, datetime.date):
        return _NAN
    if not isinstance(value, datetime.datetime):
        return float(value.toordinal())
    since = value - datetime.datetime(value.year, value.month, value.day)
    return value.toordinal() + since / datetime.timedelta(days=1)


def read_quantity(text: str, reading: Reading) -> float | None:
    """What a column's values are compared with for an amount in a question: in metres, "5 km" are 5000.

    A mere number is in the column's own unit; an amount of another kind has no value here.
    """
    if reading.is_date or reading.kind is Kind.YEAR:
        found = moment(text)
        return None if found is None else found.day if reading.is_date else float(found.year)
    if (own := _unit_of(reading)) is None:
        return _time_of_day(text)
    if reading.kind is Kind.DURATION and (time := clock(text)) is not None:
        return rounded(own.given(time.seconds))
    for amount in amounts(text):
        if amount.is_bare:
            return amount.base
        if amount.unit.kind is own.kind and (own.kind is not Kind.MONEY or amount.unit.name == own.name):
            return rounded(own.given(amount.base))
    return None


def _unit_of(reading: Reading) -> Unit | None:
    """The unit that values are in; None for times of the day, which have none."""
    kind = Kind.NUMBER if reading.kind in _MERE else reading.kind
    if kind in (Kind.NUMBER, Kind.MONEY):
        return Unit(kind, reading.unit)
    return next((each.unit for each in amounts(f"1 {reading.unit}") if each.unit.kind is kind), None)


def _time_of_day(text: str) -> float | None:
    """Seconds since midnight."""
    time = clock(text)
    if time is None:
        return None
    return time.seconds if time.is_half_day or time.is_exact else 60 * time.seconds
