"""Cells and numbers as questions spell them: seldom all of a long name, seldom with all separators."""

import datetime
import math
import re
from collections.abc import Sequence
from typing import Final

from neural_enquirer.synthesis.open.amounts import written_date, written_digits
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.programs.subject import Asked
from neural_enquirer.tables import spelling

_QUOTES: Final = "\"“”'"
_ASIDE: Final = re.compile(r"\s*[(\[][^()\[\]]*[)\]]\s*$")
_FOOTNOTE: Final = re.compile(r"[\s*†‡§]+$|\[\w+\]$")
_SHORTEST_PART: Final = 4
_MOST_COMPARED: Final = 500
_MOST_DECIMALS: Final = 2


def spelled(draw: Draw, field: Asked, row: int) -> str:
    """A cell as a question writes it."""
    value, text = field.cells[row], field.text(row)
    if isinstance(value, str):
        return _text(draw, field, text)
    if isinstance(value, datetime.date):
        return text if draw.chance(0.4) else written_date(draw, value)
    assert value is not None
    if draw.chance(0.5) and len(text) < 16:
        return text
    return spelling(value) if field.year or field.rank else spelled_number(draw, value)


def _text(draw: Draw, field: Asked, text: str) -> str:
    bare = _FOOTNOTE.sub("", text.strip(_QUOTES)) if draw.chance(0.8) else text
    if draw.chance(0.4):
        bare = _ASIDE.sub("", bare)
    if field.person and " " in bare and draw.chance(0.12):
        bare = bare.split()[-1]
    if bare == text or not bare:
        return text
    return bare if len(bare) >= _SHORTEST_PART and _means_one(field, bare) else text


def _means_one(field: Asked, part: str) -> bool:
    """Whether a part of a text is in no other cell."""
    if len(field.counts) > _MOST_COMPARED:
        return False
    low = part.casefold()
    return sum(low in str(value).casefold() for value in field.counts) == 1


def spelled_number(draw: Draw, number: int | float) -> str:
    """A number, mostly in plain digits."""
    return spelling(number) if draw.chance(0.5) else written_digits(draw, number)


def round_bound(draw: Draw, values: Sequence[int | float]) -> int | float:
    """A number to compare with, near one of some values, and often a round one."""
    value = draw.of(values)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    written = spelling(value)
    short = len(written.partition(".")[2]) <= _MOST_DECIMALS
    if value == 0 or (short and draw.chance(0.25)) or (isinstance(value, int) and abs(value) < 10):
        return value
    digits = 1 if draw.chance(0.6) else 2
    size = digits - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, size)
    return int(rounded) if isinstance(value, int) or float(rounded).is_integer() else rounded
