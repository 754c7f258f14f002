"""Filters: rows that a question names by one field.

Rows are kept as bits of a whole number: a filter is one, and two filters together are their ``&``.
"""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.programs.language import Compare, Comparison
from neural_enquirer.programs.paper import condition
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, NoQuestionError, attempted, known, require
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.tables import Value

_ONE_DAY: Final = datetime.timedelta(days=1)
_LAST_MONTH: Final = 12


@dataclass(slots=True, eq=False)
class Filter:
    """Rows that a question names by one field."""

    column: Column
    form: str
    """"equal", "more", "less", "between"; for dates also "month", "year", "after year", "before year"."""
    value: Any
    """What is said; a day for a month, a whole number for a year."""
    rows: int
    conditions: tuple[Compare, ...]
    until: Any = None
    """The second value of "between"."""
    met: bool = False
    """Whether a cell equals the bound, so that "from 10 on" would mean other rows than "over 10"."""


def preferred_column(draw: Draw, columns: Sequence[Column], natural: bool) -> Column:
    """One of the columns, in natural questions more often one that belongs to a family."""
    require(bool(columns))
    column = draw.of(columns)
    if natural and column.family is None:
        column = draw.of(columns)
    return column


def ordered_column(draw: Draw, table: DrawnTable, natural: bool, used: tuple[Column | None, ...]) -> Column:
    """A column not yet used whose cells can be more or less."""
    columns = [
        column for column in table.columns if column.ordered and not column.silent and column not in used
    ]
    column = preferred_column(draw, columns, natural)
    require(not column.key or not draw.chance(0.8))
    return column


def extreme_row(column: Column, rows: int, most: bool) -> int | None:
    """The one row with the greatest or least cell; None where there are several."""
    best: Any = None
    found: int | None = None
    for place, cell in enumerate(column.cells):
        if cell is None or not rows >> place & 1:
            continue
        if best is None or (cell > best if most else cell < best):
            best, found = cell, place
        elif cell == best:
            found = None
    return found


def rows_where(column: Column, holds: Any) -> int:
    """The rows whose cell is there and fits."""
    rows = 0
    for place, cell in enumerate(column.cells):
        if cell is not None and holds(cell):
            rows |= 1 << place
    return rows


def equal_filter(column: Column, row: int) -> Filter:
    """The rows that have the same cell as this one."""
    value = column.cells[row]
    if value is None:
        raise NoQuestionError
    rows = sum(1 << place for place, cell in enumerate(column.cells) if cell == value)
    return Filter(column, "equal", value, rows, (condition(column.header, Comparison.EQUAL, value),))


def name_row(draw: Draw, table: DrawnTable, row: int) -> Filter:
    """A filter that names this row alone: by its key, sometimes by another text."""
    column = table.key
    if draw.chance(0.12):
        others = [each for each in table.columns if each.kind == "text" and not each.silent]
        column = draw.of(others or [column])
    found = equal_filter(column, row)
    require(not found.rows & (found.rows - 1))
    return found


def any_filter(draw: Draw, table: DrawnTable, row: int, natural: bool, used: tuple[Column, ...]) -> Filter:
    """A filter that this row fulfils, on a column not yet used."""
    columns = [column for column in table.columns if not column.silent and column not in used]
    texts = [column for column in columns if column.kind == "text" and not column.key]
    among = texts if texts and draw.chance(0.4) else columns
    column = preferred_column(draw, among, natural)
    require(column.cells[row] is not None)
    if column.kind == "text":
        return equal_filter(column, row)
    if column.kind == "date":
        return _date_filter(draw, column, row)
    kind = draw.random()
    if kind < (0.6 if column.year else 0.25):
        return equal_filter(column, row)
    return _between(draw, column, row) if kind > 0.88 else _compared(draw, column, row)


def lonely_filter(draw: Draw, table: DrawnTable, natural: bool, target: Column) -> Filter:
    """A comparison that one row alone fulfils."""
    column = ordered_column(draw, table, natural, (target,))
    most = draw.chance(0.5)
    row = known(extreme_row(column, table.every, most))
    others: list[Any] = [cell for place, cell in enumerate(column.cells) if cell is not None and place != row]
    require(bool(others))
    return _beyond(draw, column, row, (max if most else min)(others))


def _compared(draw: Draw, column: Column, row: int) -> Filter:
    """More or less than a bound between this row's cell and another's."""
    others = [cell for cell in column.cells if cell is not None and cell != column.cells[row]]
    require(bool(others))
    return _beyond(draw, column, row, draw.of(others))


def opposing_filter(draw: Draw, by: Column, row: int, most: bool) -> Filter | None:
    """The tallest below a bound: a filter on the superlative's own field, against its direction."""
    cell: Any = by.cells[row]
    if by.kind != "number" or cell is None:
        return None
    others: list[Any] = [
        other for other in by.cells if other is not None and (other > cell) == most and other != cell
    ]
    return _beyond(draw, by, row, draw.of(others)) if others else None


def _beyond(draw: Draw, column: Column, row: int, other: Value) -> Filter:
    """The filter whose bound lies between a row's cell, which fulfils it, and another, which does not."""
    cell: Any = column.cells[row]
    more = cell > other
    if column.kind == "date":
        return _date_beyond(draw, column, cell, other, more)
    bound: Any = other
    if draw.chance(0.7):
        bound = _round_between(other, cell) if more else _round_between(cell, other)
        bound = other if bound is None else bound
    return _bounded(column, "more" if more else "less", bound, bound)


def _bounded(column: Column, form: str, bound: Any, said: Any) -> Filter:
    if form.startswith(("more", "after")):
        comparison, rows = Comparison.MORE, rows_where(column, lambda cell: cell > bound)
    else:
        comparison, rows = Comparison.LESS, rows_where(column, lambda cell: cell < bound)
    beyond = condition(column.header, comparison, bound)
    return Filter(column, form, said, rows, (beyond,), met=bound in column.cells)


def _round_between(low: Any, high: Any) -> Any:
    """The roundest number between two, or None if there is none that is not one of them."""
    step = 10.0 ** math.floor(math.log10(high - low))
    whole = isinstance(low, int) and isinstance(high, int)
    for size in (step, step / 2, step / 10):
        bound = round((math.floor(low / size) + 1) * size, 6)
        if low < bound < high and (bound.is_integer() or not whole):
            return int(bound) if bound.is_integer() else bound
    return None


def _between(draw: Draw, column: Column, row: int) -> Filter:
    """Between two numbers that are no cells."""
    cell: Any = column.cells[row]
    numbers: list[Any] = sorted({other for other in column.cells if other is not None})
    place = numbers.index(cell)
    first, last = place - draw.below(2), place + draw.below(2)
    require(first >= 1 and last <= len(numbers) - 2)
    low = _round_between(numbers[first - 1], numbers[first])
    high = _round_between(numbers[last], numbers[last + 1])
    require(low is not None and high is not None)
    return _within(column, "between", low, high, low, high)


def _within(column: Column, form: str, low: Any, high: Any, said: Any, until: Any) -> Filter:
    rows = rows_where(column, lambda cell: low < cell < high)
    header = column.header
    conditions = (condition(header, Comparison.MORE, low), condition(header, Comparison.LESS, high))
    return Filter(column, form, said, rows, conditions, until)


def _date_filter(draw: Draw, column: Column, row: int) -> Filter:
    day: Any = column.cells[row]
    kind = draw.random()
    if kind < 0.25:
        return equal_filter(column, row)
    if kind < 0.4:
        first = day.replace(day=1)
        end = (
            first.replace(year=day.year + 1, month=1)
            if day.month == _LAST_MONTH
            else first.replace(month=day.month + 1)
        )
        return _within(column, "month", first - _ONE_DAY, end, first, None)
    if kind < 0.5:
        return _between_days(draw, column, day)
    if kind < 0.65:
        before, after = datetime.date(day.year - 1, 12, 31), datetime.date(day.year + 1, 1, 1)
        return _within(column, "year", before, after, day.year, None)
    return _compared(draw, column, row)


def _between_days(draw: Draw, column: Column, day: Any) -> Filter:
    """Between two days that are no cells."""
    low, high = (day + sign * _ONE_DAY * draw.between(20, 600) for sign in (-1, 1))
    require(low not in column.cells and high not in column.cells)
    return _within(column, "between", low, high, low, high)


def _date_beyond(draw: Draw, column: Column, cell: Any, other: Any, more: bool) -> Filter:
    if cell.year != other.year and draw.chance(0.55):
        if more:
            year = draw.between(other.year, cell.year - 1)
            return _bounded(column, "after year", datetime.date(year, 12, 31), year)
        year = draw.between(cell.year + 1, other.year)
        return _bounded(column, "before year", datetime.date(year, 1, 1), year)
    gap = abs((cell - other).days)
    bound = other + (1 if more else -1) * _ONE_DAY * draw.below(gap)
    return _bounded(column, "more" if more else "less", bound, bound)


def further_filter(
    draw: Draw, table: DrawnTable, rows: int, used: tuple[Column, ...], natural: bool
) -> list[Filter]:
    """Sometimes one filter more, that some of the rows fulfil."""
    if not rows or not draw.chance(0.15):
        return []
    row = draw.of([place for place in range(table.rows) if rows >> place & 1])
    found = attempted(any_filter, draw, table, row, natural, used)
    return [] if found is None else [found]
