"""What a question asks, before it has words: fields, rows and values, with the one cell that answers.

Rows are kept as bits of a whole number: a filter is one, and two filters together are their ``&``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from neural_enquirer.programs.language import Cells, Compare, Comparison, Direction
from neural_enquirer.programs.paper import against, condition, select_where, superlative
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, attempted, known, require
from neural_enquirer.synthesis.open.row_filters import (
    Filter,
    any_filter,
    equal_filter,
    extreme_row,
    further_filter,
    lonely_filter,
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


def draw_plan(draw: Draw, table: DrawnTable, kind: str, natural: bool) -> Plan:
    """A question of one kind with exactly one answer."""
    match kind:
        case "select_where":
            plan = _select_where(draw, table, natural)
        case "superlative":
            plan = _superlative(draw, table, natural)
        case "where_superlative":
            plan = _where_superlative(draw, table, natural)
        case _:
            plan = _nest(draw, table, natural)
    return plan


# The four kinds.


def _select_where(draw: Draw, table: DrawnTable, natural: bool) -> Plan:
    row = draw.below(table.rows)
    kind = draw.random()
    target = _target(draw, table, natural, key=0.0 if kind < 0.55 else 0.55)
    if kind < 0.55:
        require(target is not table.key)
        found = [equal_filter(table.key, row)]
    elif kind < 0.67:
        found = [lonely_filter(draw, table, natural, target)]
    else:
        found = [any_filter(draw, table, row, natural, (target,))]
    rows = _all(table, found)
    more = 0.03 if found[0].column.key else 0.12
    while len(found) < 3 and (rows & (rows - 1) or draw.chance(more)):
        used = (target, *(each.column for each in found))
        found.append(any_filter(draw, table, row, natural, used))
        rows &= found[-1].rows
    answer = _answer(target, _only(rows))
    program = select_where(target.header, *_conditions(found))
    return Plan("select_where", target, answer, program, draw.shuffled(found))


def _superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan:
    by = ordered_column(draw, table, natural, ())
    most = draw.chance(0.55)
    target = by if draw.chance(0.1) else _target(draw, table, natural, 0.65, (by,))
    row = _answer(target, extreme_row(by, table.every, most))
    return Plan("superlative", target, row, extreme_program(target, by, most), by=by, most=most)


def _where_superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan:
    by = ordered_column(draw, table, natural, ())
    most = draw.chance(0.55)
    filters: list[Filter] = []
    row = draw.below(table.rows)
    for _ in range(1 if draw.chance(0.78) else 2):
        used = tuple(each.column for each in filters)
        found = opposing_filter(draw, by, row, most) if by not in used and draw.chance(0.07) else None
        filters.append(found or any_filter(draw, table, row, natural, (by, table.key, *used)))
    rows = _all(table, filters)
    require(bool(rows & (rows - 1)) or draw.chance(0.1))
    used = tuple(each.column for each in filters if each.form == "equal")
    target = by if draw.chance(0.08) else _target(draw, table, natural, 0.65, (by, *used))
    answer = _answer(target, extreme_row(by, rows, most))
    require(answer != extreme_row(by, table.every, most) or draw.chance(0.4))
    program = extreme_program(target, by, most, *_conditions(filters))
    return Plan("where_superlative", target, answer, program, draw.shuffled(filters), by, most)


def _nest(draw: Draw, table: DrawnTable, natural: bool) -> Plan:
    kind = draw.random()
    if kind < 0.12:
        return _same_without_superlative(draw, table, natural)
    if kind < 0.27:
        return _compared_without_superlative(draw, table, natural)
    row = draw.below(table.rows)
    named = name_row(draw, table, row)
    same = kind < 0.42
    used = (named.column, table.key)
    drawn = attempted(_compared_column, draw, table, natural, used, same)
    by = ordered_column(draw, table, natural, (drawn,) if draw.chance(0.85) or same else ())
    compared = known(drawn)
    require(compared.cells[row] is not None)
    most = draw.chance(0.5)
    comparison = Comparison.EQUAL if same else Comparison.MORE if draw.chance(0.5) else Comparison.LESS
    if compared is by and most == (comparison is Comparison.MORE):
        most = not most
    rows = _comparing(compared, comparison, row)
    filters = further_filter(draw, table, rows, (compared, by, table.key), natural)
    answer = known(extreme_row(by, rows & _all(table, filters), most))
    require(not same or answer != row)
    require(same or bool(rows & (rows - 1)) or draw.chance(0.3))
    target = _target(draw, table, natural, 0.7, (by, compared, *(each.column for each in filters)))
    _answer(target, answer)
    than = against(compared.header, comparison, named.conditions[0])
    program = extreme_program(target, by, most, than, *_conditions(filters))
    return Plan("nest", target, answer, program, filters, by, most, compared, comparison, named)


def _compared_column(
    draw: Draw, table: DrawnTable, natural: bool, used: tuple[Column, ...], same: bool
) -> Column:
    return _repeating_column(draw, table, used) if same else ordered_column(draw, table, natural, used)


def _compared_without_superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan:
    """The one row beyond another: that other must be the second in order, unless a filter leaves one row."""
    compared = ordered_column(draw, table, natural, ())
    more = draw.chance(0.5)
    present = [row for row, cell in enumerate(compared.cells) if cell is not None]
    require(len(present) > 1)
    present.sort(key=compared.cells.__getitem__, reverse=more)  # type: ignore[arg-type]
    row = present[1] if draw.chance(0.7) else draw.of(present[1:])
    named = name_row(draw, table, row)
    require(named.column is not compared)
    comparison = Comparison.MORE if more else Comparison.LESS
    rows = _comparing(compared, comparison, row)
    filters: list[Filter] = []
    if rows & (rows - 1):
        one = draw.of([place for place in present if rows >> place & 1])
        filters = [any_filter(draw, table, one, natural, (compared, table.key))]
        rows &= filters[0].rows
    return _selected(draw, table, natural, compared, comparison, named, filters, rows)


def _same_without_superlative(draw: Draw, table: DrawnTable, natural: bool) -> Plan:
    """The other row that shares a cell with a named one."""
    row = draw.below(table.rows)
    found = attempted(name_row, draw, table, row)
    compared = _repeating_column(draw, table, (table.key,))
    named = known(found)
    require(named.column is not compared and compared.cells[row] is not None)
    rows = _comparing(compared, Comparison.EQUAL, row) & ~(1 << row)
    return _selected(draw, table, natural, compared, Comparison.EQUAL, named, [], rows)


def _selected(
    draw: Draw,
    table: DrawnTable,
    natural: bool,
    compared: Column,
    comparison: Comparison,
    named: Filter,
    filters: list[Filter],
    rows: int,
) -> Plan:
    target = _target(draw, table, natural, 0.75, (compared, *(each.column for each in filters)))
    answer = _answer(target, _only(rows))
    conditions = [against(compared.header, comparison, named.conditions[0]), *_conditions(filters)]
    if comparison is Comparison.EQUAL:
        require(named.column.cells[answer] is not None)
        conditions.append(condition(named.column.header, Comparison.DIFFERS, named.value))
    program = select_where(target.header, *conditions)
    return Plan("nest", target, answer, program, filters, None, True, compared, comparison, named)


# Columns for the parts of a question.


def _target(
    draw: Draw, table: DrawnTable, natural: bool, key: float, used: tuple[Column, ...] = ()
) -> Column:
    if draw.chance(key) and table.key not in used:
        return table.key
    columns = [
        column for column in table.columns if not column.silent and not column.key and column not in used
    ]
    return preferred_column(draw, columns, natural)


def _repeating_column(draw: Draw, table: DrawnTable, used: tuple[Column, ...]) -> Column:
    columns = [
        column
        for column in table.columns
        if not column.silent and column not in used and len(set(column.cells)) < len(column.cells)
    ]
    require(bool(columns))
    return draw.of([column for column in columns if column.kind == "text"] or columns)


# Rows.


def _all(table: DrawnTable, filters: Sequence[Filter]) -> int:
    rows = table.every
    for each in filters:
        rows &= each.rows
    return rows


def _answer(target: Column, row: int | None) -> int:
    """The row that answers, whose cell must be there."""
    row = known(row)
    require(target.cells[row] is not None)
    return row


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
