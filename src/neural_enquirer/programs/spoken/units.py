"""How a column's cells are written, for numbers that no cell holds: sums, averages, gaps."""

import itertools
import math
import re
from dataclasses import dataclass, replace
from typing import Final

from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.measures import number
from neural_enquirer.tables.readings import Reading
from neural_enquirer.tables.units import Kind

_SAMPLE: Final = 20
_MEASURE: Final = re.compile(
    r"(?P<sign>[-−+]?)(?P<before>[^\w\s.,+−-]{0,3}|[A-Z]{2,3}\s?)(?P<digits>[\d.,]*\d)(?P<after>\s?[^\d\s]{1,8}(?:\s[^\d\s]{1,8})?)?"
)
_CENTS: Final = 2
_LARGEST_IN_CENTS: Final = 1e15
_COINED: Final = re.compile(r"[^.]*\.\d\d(?!\d).*")
_CLOCK: Final = re.compile(
    r"(?P<first>\d+):\d\d(?P<more>:\d\d)?(?P<rest>[.,]\d+)?(?P<half>\s?[ap]\.?m\.?)?", re.IGNORECASE
)


@dataclass(frozen=True)
class Clock:
    """How times are written: 0:37:31, 09:30, 2:15 pm.

    Attributes:
        has_hours: whether the first number is hours, not minutes.
        has_seconds: whether the last one is seconds.
        digits: how many the first number has at least.
        decimals: how many digits of a second are written.
        has_halves: whether am or pm follows.
    """

    has_hours: bool
    has_seconds: bool
    digits: int
    decimals: int = 0
    has_halves: bool = False

    def of(self, seconds: float) -> str:
        """A time, rounded to what is written."""
        smallest = 10.0**-self.decimals if self.has_seconds else 60.0
        whole = round(abs(seconds) / smallest) * smallest
        sign = "-" if seconds < 0 and whole else ""
        minutes, rest = divmod(round(whole, self.decimals), 60)
        hours, minutes = divmod(int(minutes), 60)
        half = f" {'ap'[hours % 24 >= 12]}m" if self.has_halves else ""
        if self.has_halves:
            hours = (hours - 1) % 12 + 1
        parts = [f"{hours:0{self.digits}}", f"{minutes:02}"]
        if not self.has_hours and not hours:
            parts = [f"{minutes:0{self.digits}}"]
        if self.has_seconds:
            parts.append(f"{rest:0{3 + self.decimals if self.decimals else 2}.{self.decimals}f}")
        return f"{sign}{':'.join(parts)}{half}"


@dataclass(frozen=True)
class Unit:
    """How the numbers of a column are written.

    Attributes:
        before: what stands before them: $.
        after: what stands behind them: km with its space.
        has_cents: whether they have two decimals.
        clock: how times are written; None where the numbers are none.
    """

    before: str = ""
    after: str = ""
    has_cents: bool = False
    clock: Clock | None = None

    def written(self, value: int | float, in_groups: bool = True) -> str:
        """A number that was worked out, as the column writes its own; rounded, which it then says."""
        if self.clock is not None:
            return self.clock.of(value)
        if not self.has_cents or not 1 <= abs(value) < _LARGEST_IN_CENTS:
            return self.of(spoken.amount(value, in_groups))
        rounded = round(value, _CENTS)
        about = "" if math.isclose(rounded, value, rel_tol=1e-9) else "about "
        return self.of(f"{about}{rounded:{',' * in_groups}.{_CENTS}f}")

    def of(self, written: str) -> str:
        """A written number with its unit; "about" and a sign stay in front."""
        about, digits = ("about ", written[6:]) if written.startswith("about ") else ("", written)
        sign, digits = ("-", digits[1:]) if digits.startswith("-") and self.before else ("", digits)
        return f"{about}{sign}{self.before}{digits}{self.after}"


NO_UNIT: Final = Unit()


def unit_of(table: Table, column: int) -> Unit:
    """The unit of a column of numbers, where its first cells are all written with the same one.

    A cell such as "3.5 million", whose number is not its value, has a unit of its own and none to share.
    """
    if table.fields[column].type is not FieldType.NUMBER:
        return NO_UNIT
    units: dict[int, Unit] = vars(table).setdefault("_units", {})
    if column not in units:
        units[column] = _shared_unit(table, column)
    return units[column]


def _shared_unit(table: Table, column: int) -> Unit:
    values = table.columns[column]
    present = (row for row, value in enumerate(values) if value is not None)
    rows = list(itertools.islice(present, _SAMPLE))
    units = {_unit(table.text(row, column), values[row]) for row in rows}
    unit = units.pop() if len(units) == 1 else NO_UNIT
    has_cents = all(_COINED.fullmatch(table.text(row, column)) for row in rows)
    return replace(unit, has_cents=has_cents and bool(rows))


def unit_read(table: Table, column: int) -> Unit:
    """The unit that a column of text is read in; dates have none."""
    reading = table.reading(column)
    if reading is None or reading.is_date or not reading.unit:
        return NO_UNIT
    if reading.kind in (Kind.DURATION, Kind.TIME) and (clock := _clock(table, column, reading)) is not None:
        return Unit(clock=clock)
    if reading.kind is Kind.MONEY and not reading.unit.isalpha():
        return Unit(before=reading.unit)
    return Unit(after=reading.unit if reading.unit == "%" else f" {reading.unit}")


def _clock(table: Table, column: int, reading: Reading) -> Clock | None:
    """How the first cells of a column write their times; None where they have no colons."""
    rows = itertools.islice(
        (row for row in range(table.row_count) if not math.isnan(reading.values[row])), _SAMPLE
    )
    found = [_CLOCK.fullmatch(table.text(row, column).strip()) for row in rows]
    times = [match for match in found if match is not None]
    if len(times) < len(found) or not times or reading.unit != "s":
        return None
    has_three = any(match["more"] for match in times)
    of_day = reading.kind is Kind.TIME
    return Clock(
        has_hours=all(match["more"] for match in times) or of_day,
        has_seconds=has_three or not of_day,
        digits=min(len(match["first"]) for match in times),
        decimals=max(len(match["rest"] or "_") - 1 for match in times),
        has_halves=any(match["half"] for match in times),
    )


def _unit(text: str, value: object) -> Unit:
    match = _MEASURE.fullmatch(text.strip())
    if match is None or number(match["digits"]) not in (
        value,
        -value if isinstance(value, int | float) else 0,
    ):
        return NO_UNIT
    return Unit(match["before"], match["after"] or "")
