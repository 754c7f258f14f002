"""Draws the cells of columns."""

import datetime
import math
from typing import Any, Final

from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.makers import pool, share
from neural_enquirer.tables import Value

_SHORTEST_YEAR: Final = 365


def draw_numbers(
    draw: Draw, rows: int, low: float, high: float, decimals: int, log: bool, year: bool = False
) -> list[Value | None]:
    """Numbers within a part of a range; some columns are round, some have ties."""
    low, high = _window(draw, low, high, log)
    if draw.chance(0.12 if rows > 2 else 0.0):
        stock = _numbers(draw, max(2, rows * 2 // 3), low, high, decimals, log)
        return [draw.of(stock) for _ in range(rows)]
    numbers = _numbers(draw, rows, low, high, decimals, log)
    if high >= 1000 and not year and draw.chance(0.35):
        digits = draw.between(1, 2)
        numbers = [_rounded(number, digits) for number in numbers]
    return numbers


def _rounded(number: Any, digits: int) -> int:
    """A number of which only the first digits are not zero."""
    size = int(math.log10(abs(number))) if abs(number) >= 1 else 0
    return int(round(number, digits - size))


def _window(draw: Draw, low: float, high: float, log: bool) -> tuple[float, float]:
    """A part of a range, so that one kind of number has many sizes."""
    if draw.chance(0.4):
        return low, high
    if log and low > 0:
        start, end = math.log(low), math.log(high)
        first = start + (end - start) * 0.7 * draw.random()
        return math.exp(first), math.exp(first + (end - first) * (0.4 + 0.6 * draw.random()))
    first = low + (high - low) * 0.6 * draw.random()
    return first, first + (high - first) * (0.4 + 0.6 * draw.random())


def _numbers(draw: Draw, count: int, low: float, high: float, decimals: int, log: bool) -> list[Value | None]:
    rand = draw.random
    if log and low > 0:
        start, span = math.log(low), math.log(high) - math.log(low)
        raw = [math.exp(start + span * rand()) for _ in range(count)]
    else:
        raw = [low + (high - low) * rand() for _ in range(count)]
    if decimals == 0:
        return [int(number + 0.5) for number in raw]
    return [round(number, decimals) for number in raw]


def draw_dates(draw: Draw, rows: int, first: int, last: int) -> list[Value | None]:
    """Days within a part of the years from `first` to `last`."""
    start = datetime.date(max(1, first), 1, 1).toordinal()
    end = datetime.date(min(last, 9998) + 1, 1, 1).toordinal()
    if draw.chance(0.5):
        length = max(_SHORTEST_YEAR, int((end - start) * draw.random()))
        start += draw.below(max(1, end - start - length))
        end = min(end, start + length)
    rand, of_ordinal = draw.random, datetime.date.fromordinal
    return [of_ordinal(start + int(rand() * (end - start))) for _ in range(rows)]


def draw_text(
    draw: Draw, rows: int, maker: str | tuple[str, ...], split: str, distinct: bool
) -> list[Value | None]:
    """Text cells: all different, or few values over and over."""
    values = pool(maker, split) if isinstance(maker, str) else share(maker, split)
    if distinct and len(values) >= rows:
        return list(draw.some(values, rows))
    few = draw.some(values, draw.between(2, max(2, min(8, 1 + rows * 2 // 3))))
    return [draw.of(few) for _ in range(rows)]


def with_gaps(draw: Draw, cells: list[Value | None]) -> list[Value | None]:
    """The cells with some of them missing."""
    share_missing = 0.1 + 0.3 * draw.random()
    rand = draw.random
    return [None if rand() < share_missing else cell for cell in cells]
