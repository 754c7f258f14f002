"""What a question asks, before it has words: fields, rows and values, with the one cell that answers.

Rows are kept as bits of a whole number: a filter is one, and two filters together are their ``&``.
"""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from neural_enquirer.programs.language import Cells, Compare, Comparison, Direction
from neural_enquirer.programs.paper import against, condition, select_where, superlative
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.tables import Value

__all__ = [
    "Filter",
    "Plan",
    "any_filter",
    "draw_plan",
    "equal_filter",
    "extreme_program",
    "extreme_row",
    "ordered_column",
]

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


@dataclass(slots=True, eq=False)
class Plan:
    """A question without words."""

    type: str
    target: Column
    row: int
    program: Cells
    filters: list[Filter] = field(default_factory=list)
    by: Column | None = None
    """The field of the superlative."""
    most: bool = True
    compared: Column | None = None
    """The field in which rows are compared with the one that `named` names."""
    comparison: Comparison = Comparison.MORE
    named: Filter | None = None


def draw_plan(draw: Draw, table: DrawnTable, kind: str, natural: bool) -> Plan | None:
    """A question of one kind with exactly one answer; None where the draw has none."""
    match kind:
        case "select_where":
            return _select_where(draw, table, natural)
        case "superlative":
            return _superlative(draw, table, natural)
        case "where_superlative":
            return _where_superlative(draw, table, natural)
    return _nest(draw, table, natural)


# The four kinds.


def _select_where(draw: Draw, table: DrawnTable, natural: bool) -> Plan | None:
    row = draw.below(table.rows)
    kind = draw.random()
    target = _target(draw, table, natural, key=0.0 if kind < 0.55 else 0.55)
    if target is None:
        return None
    if kind < 0.55:
        filters = [equal_filter(table.key, row)] if target is not table.key else []
    elif kind < 0.67:
        filters = _lonely(draw, table, natural, target)
    else:
        filters = [any_filter(draw, table, row, natural, (target,))]
    found = [each for each in filters if each is not None]
    if not found:
        return None
    rows = _all(table, found)
    more = 0.03 if found[0].column.key else 0.12
    while len(found) < 3 and (rows & (rows - 1) or draw.chance(more)):
        used = (target, *(each.column for each in found))
        another = any_filter(draw, table, row, natural, used)
        if another is None:
            return None
        found.append(another)
        rows &= another.rows
    answer = _only(rows)
    if answer is None or target.cells[answer] is None:
        return None
    program = select_where(target.header, *_conditions(found))
    return Plan("select_where", target, answer, program, draw.shuffled(found))


def _superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan | None:
    by = ordered_column(draw, table, natural, ())
    if by is None:
        return None
    most = draw.chance(0.55)
    row = extreme_row(by, (1 << table.rows) - 1, most)
    target = by if draw.chance(0.1) else _target(draw, table, natural, 0.65, (by,))
    if row is None or target is None or target.cells[row] is None:
        return None
    return Plan("superlative", target, row, extreme_program(target, by, most), by=by, most=most)


def _where_superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan | None:
    by = ordered_column(draw, table, natural, ())
    if by is None:
        return None
    most = draw.chance(0.55)
    filters: list[Filter] = []
    row = draw.below(table.rows)
    for _ in range(1 if draw.chance(0.78) else 2):
        used = tuple(each.column for each in filters)
        found = _opposing(draw, by, row, most) if by not in used and draw.chance(0.07) else None
        found = found or any_filter(draw, table, row, natural, (by, table.key, *used))
        if found is None:
            return None
        filters.append(found)
    rows = _all(table, filters)
    if not rows & (rows - 1) and not draw.chance(0.1):
        return None
    answer = extreme_row(by, rows, most)
    used = tuple(each.column for each in filters if each.form == "equal")
    target = by if draw.chance(0.08) else _target(draw, table, natural, 0.65, (by, *used))
    if answer is None or target is None or target.cells[answer] is None:
        return None
    if answer == extreme_row(by, (1 << table.rows) - 1, most) and not draw.chance(0.4):
        return None
    program = extreme_program(target, by, most, *_conditions(filters))
    return Plan("where_superlative", target, answer, program, draw.shuffled(filters), by, most)


def _nest(draw: Draw, table: DrawnTable, natural: bool) -> Plan | None:
    kind = draw.random()
    if kind < 0.12:
        return _same_without_superlative(draw, table, natural)
    if kind < 0.27:
        return _compared_without_superlative(draw, table, natural)
    row = draw.below(table.rows)
    named = _name_row(draw, table, row)
    if named is None:
        return None
    same = kind < 0.42
    used = (named.column, table.key)
    compared = _repeating_column(draw, table, used) if same else ordered_column(draw, table, natural, used)
    by = ordered_column(draw, table, natural, (compared,) if draw.chance(0.85) or same else ())
    if compared is None or by is None or compared.cells[row] is None:
        return None
    most = draw.chance(0.5)
    comparison = Comparison.EQUAL if same else Comparison.MORE if draw.chance(0.5) else Comparison.LESS
    if compared is by and most == (comparison is Comparison.MORE):
        most = not most
    rows = _comparing(compared, comparison, row)
    filters = _further(draw, table, rows, (compared, by, table.key), natural)
    answer = extreme_row(by, rows & _all(table, filters), most)
    if answer is None or (same and answer == row):
        return None
    if not same and not rows & (rows - 1) and not draw.chance(0.3):
        return None
    target = _target(draw, table, natural, 0.7, (by, compared, *(each.column for each in filters)))
    if target is None or target.cells[answer] is None:
        return None
    than = against(compared.header, comparison, named.conditions[0])
    program = extreme_program(target, by, most, than, *_conditions(filters))
    return Plan("nest", target, answer, program, filters, by, most, compared, comparison, named)


def _compared_without_superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan | None:
    """The one row beyond another: that other must be the second in order, unless a filter leaves one row."""
    compared = ordered_column(draw, table, natural, ())
    if compared is None:
        return None
    more = draw.chance(0.5)
    present = [row for row, cell in enumerate(compared.cells) if cell is not None]
    if len(present) < 2:
        return None
    present.sort(key=compared.cells.__getitem__, reverse=more)  # type: ignore[arg-type]
    row = present[1] if draw.chance(0.7) else draw.of(present[1:])
    named = _name_row(draw, table, row)
    if named is None or named.column is compared:
        return None
    comparison = Comparison.MORE if more else Comparison.LESS
    rows = _comparing(compared, comparison, row)
    filters: list[Filter] = []
    if rows & (rows - 1):
        one = draw.of([place for place in present if rows >> place & 1])
        another = any_filter(draw, table, one, natural, (compared, table.key))
        if another is None:
            return None
        filters, rows = [another], rows & another.rows
    return _selected(draw, table, natural, compared, comparison, named, filters, rows, ())


def _same_without_superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan | None:
    """The other row that shares a cell with a named one."""
    row = draw.below(table.rows)
    named = _name_row(draw, table, row)
    compared = _repeating_column(draw, table, (table.key,))
    if named is None or compared is None or named.column is compared or compared.cells[row] is None:
        return None
    rows = _comparing(compared, Comparison.EQUAL, row) & ~(1 << row)
    not_itself = (condition(named.column.header, Comparison.DIFFERS, named.value),)
    return _selected(draw, table, natural, compared, Comparison.EQUAL, named, [], rows, not_itself)


def _selected(
    draw: Draw,
    table: DrawnTable,
    natural: bool,
    compared: Column,
    comparison: Comparison,
    named: Filter,
    filters: list[Filter],
    rows: int,
    also: tuple[Compare, ...],
) -> Plan | None:
    answer = _only(rows)
    target = _target(draw, table, natural, 0.75, (compared, *(each.column for each in filters)))
    if answer is None or target is None or target.cells[answer] is None:
        return None
    if also and named.column.cells[answer] is None:
        return None
    than = against(compared.header, comparison, named.conditions[0])
    program = select_where(target.header, than, *_conditions(filters), *also)
    return Plan("nest", target, answer, program, filters, None, True, compared, comparison, named)


# Columns for the parts of a question.


def _target(
    draw: Draw, table: DrawnTable, natural: bool, key: float, used: tuple[Column, ...] = ()
) -> Column | None:
    if draw.chance(key) and table.key not in used:
        return table.key
    columns = [
        column for column in table.columns if not column.silent and not column.key and column not in used
    ]
    return _preferred(draw, columns, natural)


def _preferred(draw: Draw, columns: Sequence[Column], natural: bool) -> Column | None:
    """One of the columns, in natural questions more often one that belongs to a family."""
    if not columns:
        return None
    column = draw.of(columns)
    if natural and column.family is None:
        column = draw.of(columns)
    return column


def ordered_column(
    draw: Draw, table: DrawnTable, natural: bool, used: tuple[Column | None, ...]
) -> Column | None:
    """A column not yet used whose cells can be more or less."""
    columns = [
        column for column in table.columns if column.ordered and not column.silent and column not in used
    ]
    column = _preferred(draw, columns, natural)
    return None if column is not None and column.key and draw.chance(0.8) else column


def _repeating_column(draw: Draw, table: DrawnTable, used: tuple[Column, ...]) -> Column | None:
    columns = [
        column
        for column in table.columns
        if not column.silent and column not in used and len(set(column.cells)) < len(column.cells)
    ]
    texts = [column for column in columns if column.kind == "text"]
    return draw.of(texts or columns) if columns else None


# Filters.


def equal_filter(column: Column, row: int) -> Filter | None:
    """The rows that have the same cell as this one."""
    value = column.cells[row]
    if value is None:
        return None
    rows = sum(1 << place for place, cell in enumerate(column.cells) if cell == value)
    return Filter(column, "equal", value, rows, (condition(column.header, Comparison.EQUAL, value),))


def _name_row(draw: Draw, table: DrawnTable, row: int) -> Filter | None:
    """A filter that names this row alone: by its key, sometimes by another text."""
    column = table.key
    if draw.chance(0.12):
        others = [each for each in table.columns if each.kind == "text" and not each.silent]
        column = draw.of(others or [column])
    found = equal_filter(column, row)
    return None if found is None or found.rows & (found.rows - 1) else found


def any_filter(
    draw: Draw, table: DrawnTable, row: int, natural: bool, used: tuple[Column, ...]
) -> Filter | None:
    """A filter that this row fulfils, on a column not yet used."""
    columns = [column for column in table.columns if not column.silent and column not in used]
    texts = [column for column in columns if column.kind == "text" and not column.key]
    column = (
        _preferred(draw, texts, natural) if texts and draw.chance(0.4) else _preferred(draw, columns, natural)
    )
    if column is None or column.cells[row] is None:
        return None
    if column.kind == "text":
        return equal_filter(column, row)
    if column.kind == "date":
        return _date_filter(draw, column, row)
    kind = draw.random()
    if kind < (0.6 if column.year else 0.25):
        return equal_filter(column, row)
    return _between(draw, column, row) if kind > 0.88 else _compared(draw, column, row)


def _lonely(draw: Draw, table: DrawnTable, natural: bool, target: Column) -> list[Filter | None]:
    """A comparison that one row alone fulfils."""
    column = ordered_column(draw, table, natural, (target,))
    if column is None:
        return []
    most = draw.chance(0.5)
    row = extreme_row(column, (1 << table.rows) - 1, most)
    if row is None:
        return []
    others: list[Any] = [cell for place, cell in enumerate(column.cells) if cell is not None and place != row]
    if not others:
        return []
    return [_beyond(draw, column, row, (max if most else min)(others))]


def _compared(draw: Draw, column: Column, row: int) -> Filter | None:
    """More or less than a bound between this row's cell and another's."""
    others = [cell for cell in column.cells if cell is not None and cell != column.cells[row]]
    return _beyond(draw, column, row, draw.of(others)) if others else None


def _opposing(draw: Draw, by: Column, row: int, most: bool) -> Filter | None:
    """The tallest below a bound: a filter on the superlative's own field, against its direction."""
    cell: Any = by.cells[row]
    if by.kind != "number" or cell is None:
        return None
    others: list[Any] = [
        other for other in by.cells if other is not None and (other > cell) == most and other != cell
    ]
    return _beyond(draw, by, row, draw.of(others)) if others else None


def _beyond(draw: Draw, column: Column, row: int, other: Value) -> Filter | None:
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
        comparison, rows = Comparison.MORE, _rows(column, lambda cell: cell > bound)
    else:
        comparison, rows = Comparison.LESS, _rows(column, lambda cell: cell < bound)
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


def _between(draw: Draw, column: Column, row: int) -> Filter | None:
    """Between two numbers that are no cells."""
    cell: Any = column.cells[row]
    numbers: list[Any] = sorted({other for other in column.cells if other is not None})
    place = numbers.index(cell)
    first, last = place - draw.below(2), place + draw.below(2)
    if first < 1 or last > len(numbers) - 2:
        return None
    low = _round_between(numbers[first - 1], numbers[first])
    high = _round_between(numbers[last], numbers[last + 1])
    if low is None or high is None:
        return None
    return _within(column, "between", low, high, low, high)


def _within(column: Column, form: str, low: Any, high: Any, said: Any, until: Any) -> Filter:
    rows = _rows(column, lambda cell: low < cell < high)
    header = column.header
    conditions = (condition(header, Comparison.MORE, low), condition(header, Comparison.LESS, high))
    return Filter(column, form, said, rows, conditions, until)


def _date_filter(draw: Draw, column: Column, row: int) -> Filter | None:
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


def _between_days(draw: Draw, column: Column, day: Any) -> Filter | None:
    """Between two days that are no cells."""
    low, high = (day + sign * _ONE_DAY * draw.between(20, 600) for sign in (-1, 1))
    if low in column.cells or high in column.cells:
        return None
    return _within(column, "between", low, high, low, high)


def _date_beyond(draw: Draw, column: Column, cell: Any, other: Any, more: bool) -> Filter | None:
    if cell.year != other.year and draw.chance(0.55):
        if more:
            year = draw.between(other.year, cell.year - 1)
            return _bounded(column, "after year", datetime.date(year, 12, 31), year)
        year = draw.between(cell.year + 1, other.year)
        return _bounded(column, "before year", datetime.date(year, 1, 1), year)
    gap = abs((cell - other).days)
    bound = other + (1 if more else -1) * _ONE_DAY * draw.below(gap)
    return _bounded(column, "more" if more else "less", bound, bound)


def _further(
    draw: Draw, table: DrawnTable, rows: int, used: tuple[Column, ...], natural: bool
) -> list[Filter]:
    """Sometimes one filter more, that some of the rows fulfil."""
    if not rows or not draw.chance(0.15):
        return []
    row = draw.of([place for place in range(table.rows) if rows >> place & 1])
    found = any_filter(draw, table, row, natural, used)
    return [] if found is None else [found]


# Rows.


def _rows(column: Column, holds: Any) -> int:
    rows = 0
    for place, cell in enumerate(column.cells):
        if cell is not None and holds(cell):
            rows |= 1 << place
    return rows


def _all(table: DrawnTable, filters: Sequence[Filter]) -> int:
    rows = (1 << table.rows) - 1
    for each in filters:
        rows &= each.rows
    return rows


def _only(rows: int) -> int | None:
    """The one row that is left; None where there are none or several."""
    return rows.bit_length() - 1 if rows and not rows & (rows - 1) else None


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


def _comparing(column: Column, comparison: Comparison, row: int) -> int:
    other: Any = column.cells[row]
    if other is None:
        return 0
    if comparison is Comparison.EQUAL:
        return _rows(column, lambda cell: cell == other)
    if comparison is Comparison.MORE:
        return _rows(column, lambda cell: cell > other)
    return _rows(column, lambda cell: cell < other)


def _conditions(filters: Sequence[Filter]) -> tuple[Compare, ...]:
    return tuple(own for each in filters for own in each.conditions)


def extreme_program(target: Column, by: Column, most: bool, *conditions: Compare) -> Cells:
    """The program for a field of the row with the greatest or least cell."""
    direction = Direction.LARGEST if most else Direction.SMALLEST
    return superlative(target.header, direction, by.header, *conditions)
