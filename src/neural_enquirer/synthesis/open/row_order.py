"""Questions about the order in which a table lists its rows: the first, the last, the one after another."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw, require
from neural_enquirer.synthesis.open.grammar import fill
from neural_enquirer.synthesis.open.row_filters import Filter, equal_filter
from neural_enquirer.synthesis.open.sentences import Nouns
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.open.surface import finished
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording


@dataclass(slots=True, eq=False)
class Order:
    """A row that a question tells by its place."""

    target: Column
    row: int
    form: str
    """"first", "last"; "after", "before" a named row."""
    named: Filter | None = None
    """Names the row beside the one that is meant."""
    among: Filter | None = None
    """The first or last of these rows only."""


def draw_order(draw: Draw, table: DrawnTable) -> Order:
    """A row by its place."""
    kind = draw.random()
    require(table.rows > 1)
    if kind < 0.32:
        first = draw.chance(0.5)
        target = _target(draw, table, ())
        return _found(Order(target, 0 if first else table.rows - 1, "first" if first else "last"))
    return _beside(draw, table) if kind < 0.75 else _end_among(draw, table)


def _found(plan: Order) -> Order:
    require(plan.target.cells[plan.row] is not None)
    return plan


def _target(draw: Draw, table: DrawnTable, used: tuple[Column, ...]) -> Column:
    columns = [
        each for each in table.columns if not each.silent and each not in used and each is not table.key
    ]
    if table.key not in used and (not columns or draw.chance(0.6)):
        return table.key
    return draw.of(columns or [table.key])


def _beside(draw: Draw, table: DrawnTable) -> Order:
    after = draw.chance(0.6)
    row = draw.below(table.rows - 1) + (0 if after else 1)
    column = table.key
    if draw.chance(0.15):
        column = draw.of(
            [each for each in table.columns if each.kind == "text" and not each.silent] or [column]
        )
    named = equal_filter(column, row)
    require(named.rows == 1 << row)
    require(column.kind != "text" or table.homes.get(str(named.value).casefold(), 0) <= 1)
    target = column if draw.chance(0.75) else _target(draw, table, (column,))
    return _found(Order(target, row + (1 if after else -1), "after" if after else "before", named))


def _end_among(draw: Draw, table: DrawnTable) -> Order:
    """The first or last of several rows that share a cell."""
    columns = [
        column
        for column in table.columns
        if not column.silent and not column.key and column.kind != "date" and _repeats(column)
    ]
    texts = [column for column in columns if column.kind == "text"]
    require(bool(columns))
    column = draw.of(texts if texts and draw.chance(0.8) else columns)
    among = equal_filter(column, draw.below(table.rows))
    require(bool(among.rows & (among.rows - 1)))
    first = draw.chance(0.4)
    lowest = (among.rows & -among.rows).bit_length() - 1
    row = lowest if first else among.rows.bit_length() - 1
    target = _target(draw, table, (column,))
    return _found(Order(target, row, "first" if first else "last", among=among))


def _repeats(column: Column) -> bool:
    return len(set(column.cells)) < len(column.cells)


def order_is_plain(table: DrawnTable) -> bool:
    """Whether "the last city" can mean nothing but the last row.

    It can mean another where a column of dates, years, ranks or the like puts the rows in another order.
    """
    return all(_ascends(column) for column in table.columns if _orders(column))


def _orders(column: Column) -> bool:
    if column.kind == "date" or column.year:
        return True
    if column.kind != "number" and column.amounts is None:
        return False
    family = column.family
    said = set() if family is None else set(" ".join((*family.most, *family.least)).split())
    return bool(KINDS["orders"] & column.words or KINDS["ends_of_orders"] & said)


def _ascends(column: Column) -> bool:
    cells: list[Any] = column.cells if column.amounts is None else column.amounts
    return None not in cells and all(one < other for one, other in pairwise(cells))


def write_order(draw: Draw, table: DrawnTable, plan: Order, words: Wording) -> str:
    """The question in words."""
    nouns = Nouns(draw, table)
    thing = nouns.row
    asked = thing if plan.target is table.key else words.name(plan.target)
    shape, brief = _shape(draw, table, plan, nouns)
    name = "" if plan.named is None else words.value(plan.named.column, plan.named.value)
    among = "" if plan.among is None else words.condition(plan.among)
    early = plan.form in ("first", "before")
    slots = {
        "o": plan.form, "w": plan.form, "t": asked, "n": thing, "m": among, "e": name,
        "r": draw.of(SHAPES["order_right"]),
        "k": draw.of(SHAPES["order_top" if early else "order_bottom"]),
        "z": draw.of(SHAPES["order_previous" if early else "order_next"]),
        "i": draw.of(SHAPES["order_just_before" if early else "order_next_after"]),
        "b": draw.of(SHAPES["order_above" if early else "order_below"]),
        "f": draw.of(SHAPES["order_precedes" if early else "order_follows"]),
        "l": draw.of(SHAPES["order_in_table"]),
    }  # fmt: skip
    return finished(draw, fill(shape, **slots), plain=brief)


def _shape(draw: Draw, table: DrawnTable, plan: Order, nouns: Nouns) -> tuple[str, bool]:
    """The shape of the sentence, and whether it is key words only."""
    itself = plan.target is (table.key if plan.named is None else plan.named.column)
    person = nouns.person and plan.target is table.key
    loose = order_is_plain(table) and draw.chance(0.35)
    amount = plan.target.ordered and not plan.target.key  # "the last year listed" might be the latest
    if plan.named is not None:
        if not itself:
            key = plan.target is table.key
            return draw.of(SHAPES["order_beside_row" if key else "order_beside_field"]), False
        if person and draw.chance(0.5):
            return draw.of(SHAPES["order_beside_person_loose" if loose else "order_beside_person"]), False
        return draw.of(SHAPES["order_beside_loose" if loose else "order_beside"]), False
    if not amount and draw.chance(0.1):
        group = SHAPES["order_end_brief" if plan.among is None else "order_among_brief"]
        return draw.of(group), True
    if plan.among is not None:
        if not itself and (amount or draw.chance(0.4)):
            return draw.of(SHAPES["order_among_field"]), False
        return draw.of(SHAPES["order_among_loose" if loose else "order_among"]), False
    if person and draw.chance(0.5):
        return draw.of(SHAPES["order_end_person"]), False
    if not itself and (amount or draw.chance(0.3)):
        return draw.of(SHAPES["order_end_field"]), False
    return draw.of(SHAPES["order_end_loose" if loose else "order_end"]), False
