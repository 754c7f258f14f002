"""Columns of text that people read as amounts: "1st", "2:04:11", "46,000 [2]", "12 km"."""

from typing import Any, Final

from neural_enquirer.synthesis.open.columns import Column, is_rank
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.makers import split_of_text
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.tables import Value, spelling

_ATTEMPTS: Final = 60
_TEENS: Final = (11, 12, 13)
_CLOCK_FORMS: Final = ("m:s", "h:m:s", "hm", "h min")
_HOURS: Final = frozenset({"hm", "h min"})
_CURRENCIES: Final = frozenset("$€£")


def ordinal(number: int) -> str:
    """A place as it is written: "3rd"."""
    last = 3 if number % 100 in _TEENS else (number - 1) % 10
    return f"{number}{SHAPES['day_endings'][last if 0 <= last < 3 else 3]}"


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
