"""The unit that a column's cells are written with, for numbers that no cell holds: sums, averages, gaps."""

import itertools
import re
from dataclasses import dataclass
from typing import Final

from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.measures import number
from neural_enquirer.tables.units import Kind

_SAMPLE: Final = 20
_MEASURE: Final = re.compile(
    r"(?P<sign>[-−+]?)(?P<before>[^\w\s.,+−-]{0,3}|[A-Z]{2,3}\s?)(?P<digits>[\d.,]*\d)(?P<after>\s?[^\d\s]{1,8}(?:\s[^\d\s]{1,8})?)?"
)


@dataclass(frozen=True)
class Unit:
    """What stands before and behind a number: $, or km with its space."""

    before: str = ""
    after: str = ""

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
    rows = itertools.islice((row for row, value in enumerate(values) if value is not None), _SAMPLE)
    units = {_unit(table.text(row, column), values[row]) for row in rows}
    return units.pop() if len(units) == 1 else NO_UNIT


def unit_read(table: Table, column: int) -> Unit:
    """The unit that a column of text is read in; dates have none."""
    reading = table.reading(column)
    if reading is None or reading.is_date or not reading.unit:
        return NO_UNIT
    if reading.kind is Kind.MONEY and not reading.unit.isalpha():
        return Unit(before=reading.unit)
    return Unit(after=reading.unit if reading.unit == "%" else f" {reading.unit}")


def _unit(text: str, value: object) -> Unit:
    match = _MEASURE.fullmatch(text.strip())
    if match is None or number(match["digits"]) not in (
        value,
        -value if isinstance(value, int | float) else 0,
    ):
        return NO_UNIT
    return Unit(match["before"], match["after"] or "")
