"""Questions as people ask them of tables of their own: loose nouns, few words, "who", places, no field named.

Every one is a plan of the usual kinds; only its words are freer.
"""

import dataclasses
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.language import Cells
from neural_enquirer.programs.paper import select_where
from neural_enquirer.synthesis.open.columns import Column
from neural_enquirer.synthesis.open.draw import Draw
from neural_enquirer.synthesis.open.everyday_makers import (
    Found,
    Maker,
    amount,
    brief,
    clock,
    filler,
    loose_noun,
    placing,
    used_columns,
    value_noun,
    who,
    zero,
)
from neural_enquirer.synthesis.open.plans import Plan
from neural_enquirer.synthesis.open.row_filters import Filter, equal_filter
from neural_enquirer.synthesis.open.tables import DrawnTable
from neural_enquirer.synthesis.open.wording import Wording


@dataclass(slots=True, eq=False)
class Everyday:
    """A question in words, and the cell that answers it."""

    question: str
    target: Column
    row: int
    program: Cells


def with_amounts(table: DrawnTable) -> DrawnTable:
    """The table with numbers in place of the texts that people read as amounts."""
    if all(column.amounts is None for column in table.columns):
        return table
    columns = [_numbers(column) for column in table.columns]
    key = columns[table.columns.index(table.key)]
    return DrawnTable(table.table, columns, key, table.topic, table.split, table.homes)


def _numbers(column: Column) -> Column:
    if column.amounts is None:
        return column
    # Only its text says what unit a number has.
    return dataclasses.replace(column, kind="number", cells=column.amounts, unit="")


def draw_everyday(
    draw: Draw, table: DrawnTable, kind: str, natural: bool, rare: bool = False
) -> Everyday | None:
    """An everyday question of one kind, perhaps only one that few tables allow; None where there is none."""
    numbered = with_amounts(table)
    few, common = _MAKERS[kind]
    makers = [each for each in draw.shuffled(few) if rare or draw.chance(0.85)]
    if not rare:
        makers += draw.some(common, 2)
    for maker in makers:
        found = _made(draw, table, numbered, maker, kind, natural)
        if found is not None:
            return found
    return None


def _made(
    draw: Draw, table: DrawnTable, numbered: DrawnTable, maker: "Maker", kind: str, natural: bool
) -> Everyday | None:
    words = Wording(draw, numbered, natural)
    found = maker(draw, numbered, words, kind)
    if found is None or words.unclear or words.used_family != natural:
        return None
    plan, text = found
    if plan.target.cells[plan.row] is None:
        return None
    program: Cells | None = plan.program
    if any(column.amounts is not None for column in used_columns(plan)):
        if any(_says_amount(each) for each in plan.filters):
            return None
        program = _naming(numbered, plan)
    if program is None:
        return None
    target = table.columns[numbered.columns.index(plan.target)]
    return Everyday(text, target, plan.row, program)


def _says_amount(each: Filter) -> bool:
    """Whether a filter would have to write a number as its column does."""
    if each.column.amounts is None:
        return False
    return each.column.spelled == "clock" or (each.form == "equal" and each.column.spelled != "place")


def _naming(table: DrawnTable, plan: Plan) -> Cells | None:
    """The program for the same cell by the name of its row: texts cannot be compared as numbers in SQL."""
    named = equal_filter(table.key, plan.row)
    if named is None or named.rows != 1 << plan.row:
        return None
    return select_where(plan.target.header, named.conditions[0])


def _none(draw: Draw, table: DrawnTable, words: Wording, kind: str) -> Found:
    return None


_MAKERS: Final[dict[str, tuple[tuple[Maker, ...], tuple[Maker, ...]]]] = {
    "select_where": (
        (placing, zero, who, amount),
        (value_noun, value_noun, value_noun, loose_noun, filler),
    ),
    "superlative": (
        (placing, who, amount, clock, brief),
        (brief, brief, brief, brief, loose_noun, filler),
    ),
    "where_superlative": (
        (who, amount, value_noun),
        (value_noun, value_noun, value_noun, value_noun, loose_noun, filler),
    ),
    "nest": ((amount,), (loose_noun, filler, _none, _none, _none, _none)),
}
"""For each kind, what few tables allow, and what nearly all do."""
