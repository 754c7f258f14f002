"""Numbers and dates as people write them in questions."""

import datetime
from typing import Final

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import ordinal
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.tables import spelling

_CURRENCIES: Final = frozenset("$€£")
_SCALES: Final = ((1e9, SHAPES["billions"]), (1e6, SHAPES["millions"]), (1e3, SHAPES["thousands"]))
SMALL_NUMBERS: Final = ("", "", *SHAPES["small_numbers"])
"""In words, from two on."""


def written_number(draw: Draw, number: float, column: Column, units: bool = True) -> str:
    """A number, perhaps with separators, with a word for its size, or with the column's unit."""
    if column.year:
        return str(number)
    unit = column.unit if units and column.unit and draw.chance(0.45) else ""
    digits = written_digits(draw, number)
    if not unit:
        return digits
    if unit in _CURRENCIES:
        return unit + digits if number >= 0 else digits
    if unit == "%":
        return digits + unit
    glued = unit in KINDS["glued_units"] and digits[-1].isdigit() and draw.chance(0.3)
    return f"{digits}{unit}" if glued else f"{digits} {unit}"


def written_digits(draw: Draw, number: float) -> str:
    """A number, perhaps with separators or with a word for its size."""
    if number == int(number):
        whole = int(number)
        if 2 <= whole < len(SMALL_NUMBERS) and draw.chance(0.08):
            return SMALL_NUMBERS[whole]
        if abs(whole) >= 1000:
            return _large(draw, whole)
    return spelling(number)


def _large(draw: Draw, number: int) -> str:
    kind = draw.random()
    if kind < 0.4:
        return str(number)
    if kind < 0.7:
        return f"{number:,}"
    for size, names in _SCALES:
        if abs(number) >= size:
            scaled = number / size
            if round(scaled, 2) == scaled and round(scaled * size) == number:
                name = draw.of(names)
                return f"{scaled:g}{name}" if len(name) <= 2 else f"{scaled:g} {name}"
            break
    return f"{number:,}"


def written_date(draw: Draw, day: datetime.date) -> str:
    """A day in one of the usual ways."""
    kind, month = draw.random(), _month(draw, day)
    if kind < 0.3:
        return day.isoformat()
    if kind < 0.5:
        return f"{month} {day.day}, {day.year}"
    if kind < 0.65:
        return f"{month} {day.day} {day.year}"
    if kind < 0.92:
        return f"{day.day} {month} {day.year}"
    return (
        f"{ordinal(day.day)} of {month} {day.year}"
        if kind < 0.96
        else f"{month} {ordinal(day.day)}, {day.year}"
    )


def written_month(draw: Draw, day: datetime.date) -> str:
    """The month of a day."""
    return f"{_month(draw, day)} {day.year}" if draw.chance(0.9) else day.isoformat()[:7]


def _month(draw: Draw, day: datetime.date) -> str:
    name = SHAPES["months"][day.month - 1]
    return name if draw.chance(0.75) else name[:3]
