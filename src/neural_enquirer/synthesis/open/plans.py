"""What a question asks, before it has words: fields, rows and values, with the one cell that answers.

Rows are kept as bits of a whole number: a filter is one, and two filters together are their ``&``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from neural_enquirer.programs.language import Cells, Compare, Comparison, Direction
from neural_enquirer.programs.paper import against, condition, select_where, superlative
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.row_filters import (
    Filter,
    any_filter,
    equal_filter,
    extreme_row,
    further_filter,
    lonely_filters,
    name_row,
    opposing_filter,
    ordered_column,
    preferred_column,
    rows_where,
)
from neural_enquirer.synthesis.open.tables import DrawnTable


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
        filters = lonely_filters(draw, table, natural, target)
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
        found = opposing_filter(draw, by, row, most) if by not in used and draw.chance(0.07) else None
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
    named = name_row(draw, table, row)
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
    filters = further_filter(draw, table, rows, (compared, by, table.key), natural)
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
    named = name_row(draw, table, row)
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
    named = name_row(draw, table, row)
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
    return preferred_column(draw, columns, natural)


def _repeating_column(draw: Draw, table: DrawnTable, used: tuple[Column, ...]) -> Column | None:
    columns = [
        column
        for column in table.columns
        if not column.silent and column not in used and len(set(column.cells)) < len(column.cells)
    ]
    texts = [column for column in columns if column.kind == "text"]
    return draw.of(texts or columns) if columns else None


# Rows.


def _all(table: DrawnTable, filters: Sequence[Filter]) -> int:
    rows = (1 << table.rows) - 1
    for each in filters:
        rows &= each.rows
    return rows


def _only(rows: int) -> int | None:
    """The one row that is left; None where there are none or several."""
    return rows.bit_length() - 1 if rows and not rows & (rows - 1) else None


def _comparing(column: Column, comparison: Comparison, row: int) -> int:
    other: Any = column.cells[row]
    if other is None:
        return 0
    if comparison is Comparison.EQUAL:
        return rows_where(column, lambda cell: cell == other)
    if comparison is Comparison.MORE:
        return rows_where(column, lambda cell: cell > other)
    return rows_where(column, lambda cell: cell < other)


def _conditions(filters: Sequence[Filter]) -> tuple[Compare, ...]:
    return tuple(own for each in filters for own in each.conditions)


def extreme_program(target: Column, by: Column, most: bool, *conditions: Compare) -> Cells:
    """The program for a field of the row with the greatest or least cell."""
    direction = Direction.LARGEST if most else Direction.SMALLEST
    return superlative(target.header, direction, by.header, *conditions)
