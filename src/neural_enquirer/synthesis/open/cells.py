"""Draws the cells of columns: numbers, dates, texts, and texts that people read as amounts."""

import datetime
import math
from typing import Any, Final

from neural_enquirer.synthesis.open.columns import Column, is_rank
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.grammar import ordinal
from neural_enquirer.synthesis.open.makers import pool, share, split_of_text
from neural_enquirer.synthesis.open.shapes import KINDS
from neural_enquirer.tables import Value, spelling

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


_ATTEMPTS: Final = 60
_CLOCK_FORMS: Final = ("m:s", "h:m:s", "hm", "h min")
_HOURS: Final = frozenset({"hm", "h min"})
_CURRENCIES: Final = frozenset("$€£")


def is_clock(column: Column) -> bool:
    """Whether the numbers of a column may be written as times."""
    return column.family is not None and column.family.key in KINDS["clock_families"]


def places(draw: Draw, rows: int) -> list[Value | None]:
    """The places of all rows in a ranking, mostly in their order."""
    first = 1 if draw.chance(0.85) else draw.between(2, 9)
    ranks = list(range(first, first + rows))
    return list(ranks if draw.chance(0.4) else draw.shuffled(ranks))


def with_a_zero(draw: Draw, cells: list[Value | None]) -> list[Value | None]:
    """The counts with exactly one zero among them."""
    row = draw.below(len(cells))
    return [0 if place == row else cell or draw.between(1, 9) for place, cell in enumerate(cells)]


def spell_loosely(draw: Draw, column: Column, split: str, units: tuple[str, ...]) -> None:
    """Turns a column of numbers into one of texts that say the same, if texts of this split can."""
    numbers: list[Any] = column.cells
    if column.year or None in numbers or len(numbers) < 2 or "(" in column.header or "[" in column.header:
        return
    spelled, texts = "", None
    if is_rank(column):
        # Only training says "1st": a ranking is of no use with places left out.
        whole = split == "train" and all(isinstance(number, int) and number > 0 for number in numbers)
        spelled, texts = "place", [ordinal(number) for number in numbers] if whole else None
    elif is_clock(column):
        spelled = "clock"
        form = draw.of(_CLOCK_FORMS)
        if form in _HOURS:
            # Who reads the first number of each only must still find them in their order.
            hours = draw.some(range(max(12, len(numbers) + 1)), len(numbers))
            numbers = [60 * hour + draw.below(60) for hour in hours]
        numbers = [round(number, 2) if form == "m:s" else int(60 * number) for number in numbers]
        texts = _in_split(draw, numbers, split, lambda number: _clock(number, form), form in _HOURS)
    elif min(numbers) >= 0:
        spelled, write = _form(draw, numbers, units)
        texts = _in_split(draw, numbers, split, write)
    if texts is not None:
        column.amounts, column.spelled = list(numbers), spelled
        column.kind, column.cells, column.maker = "text", list(texts), "words"


def _clock(seconds: float, form: str) -> str:
    if form == "m:s":
        return f"{int(seconds) // 60}:{seconds % 60:05.2f}"
    hours, minutes = int(seconds) // 3600, int(seconds) // 60 % 60
    if form == "h:m:s":
        return f"{hours}:{minutes:02d}:{int(seconds) % 60:02d}"
    return f"{hours}h {minutes:02d}m" if form == "hm" else f"{hours} h {minutes} min"


def _form(draw: Draw, numbers: list[Any], units: tuple[str, ...]) -> tuple[str, Any]:
    if units and draw.chance(0.65):
        unit = draw.of(units)
        if unit in _CURRENCIES:
            return "unit", lambda number: f"{unit}{_separated(number)}"
        return "unit", lambda number: f"{_separated(number)}{'' if unit == '%' else ' '}{unit}"
    if draw.chance(0.5):
        return "note", lambda number: f"{_separated(number)} [{draw.between(1, 9)}]"
    return "note", lambda number: f"{_separated(number)}{draw.of(('', '', '*', ' (est.)', '[a]'))}"


def _separated(number: Any) -> str:
    return f"{number:,}" if isinstance(number, int) and number >= 1000 else spelling(number)


def _in_split(
    draw: Draw, numbers: list[Any], split: str, write: Any, hours: bool = False
) -> list[str] | None:
    """The numbers in words that belong to a split; each number may change a little for that."""
    texts: dict[Any, str] = {}
    for row, number in enumerate(numbers):
        if number in texts:
            continue
        near = number
        for _ in range(_ATTEMPTS):
            text = write(near)
            if split_of_text(text) == split and near not in texts and not text.isdigit():
                break
            near = number - number % 3600 + 60 * draw.below(60) if hours else _near(draw, number)
        else:
            return None
        texts[near] = text
        for place in range(row, len(numbers)):
            if numbers[place] == number:
                numbers[place] = near
    return [texts[number] for number in numbers]


def _near(draw: Draw, number: Any) -> Any:
    if isinstance(number, int):
        return max(0, number + draw.between(-30, 30))
    return round(number * (0.8 + 0.4 * draw.random()), 2)
