"""Questions that a table cannot answer: about what it does not hold, or about more than one cell."""

import dataclasses
import re
from typing import Any, Final

from neural_enquirer.synthesis.open.columns import Column, family_words, is_rank, phrases_of
from neural_enquirer.synthesis.open.draw import Draw, attempted, require
from neural_enquirer.synthesis.open.grammar import finished, of_many
from neural_enquirer.synthesis.open.makers import pool, share
from neural_enquirer.synthesis.open.plans import Plan, draw_plan
from neural_enquirer.synthesis.open.row_filters import Filter
from neural_enquirer.synthesis.open.sentences import Nouns, Sentence
from neural_enquirer.synthesis.open.shapes import KINDS, SHAPES
from neural_enquirer.synthesis.open.tables import DrawnTable, another_column
from neural_enquirer.synthesis.open.without_program import draw_either, draw_order, write_either, write_order
from neural_enquirer.synthesis.open.wording import Wording
from neural_enquirer.tables import Value

_DIGITS: Final = re.compile(r"\d+")
_KINDS: Final = (
    "select_where",
    "superlative",
    "where_superlative",
    "nest",
    "select_where",
    "where_superlative",
)
_GROUPS: Final = (
    "counts", "counts", "averages", "sums", "lists", "lists", "shares", "ranks", "yes_no", "differences",
)  # fmt: skip


def absent_question(draw: Draw, table: DrawnTable, natural: bool) -> str:
    """A question about a field or a value that is not there.

    It is an answerable question about a larger table: one with another column, or with another row.
    """
    if draw.chance(0.06):
        return _absent_without_form(draw, table, natural)
    if draw.chance(0.55):
        return _absent_field(draw, table, natural)
    return _absent_value(draw, table, natural)


def _absent_field(draw: Draw, table: DrawnTable, natural: bool) -> str:
    ghost = another_column(draw, table, natural)
    require(_unlike(ghost, table))
    larger = dataclasses.replace(table, columns=[*table.columns, ghost])
    plan = draw_plan(draw, larger, draw.of(_KINDS), natural)
    require(_uses(plan, ghost))
    # "Which alcove is the tallest" may be asked of any rows: a strange noun alone asks for no other field.
    return _written(draw, larger, plan, natural, heads=plan.target is not ghost)


def _unlike(ghost: Column, table: DrawnTable) -> bool:
    """Whether no column of the table could be meant by the words for another."""
    said = ghost.words if ghost.family is None else ghost.words | family_words(ghost.family)
    for column in table.columns:
        if said & column.words:
            return False
        if ghost.family is not None and column.family is not None:
            if phrases_of(ghost.family) & phrases_of(column.family):
                return False
            if ghost.words & family_words(column.family):
                return False
    topic = table.topic
    return topic is None or not ghost.words & frozenset(topic.noun.split())


def _uses(plan: Plan, column: Column) -> bool:
    return (
        plan.target is column
        or plan.by is column
        or plan.compared is column
        or any(each.column is column for each in plan.filters)
    )


def _absent_value(draw: Draw, table: DrawnTable, natural: bool) -> str:
    larger = _with_another_row(draw, table)
    row = larger.rows - 1
    plan = draw_plan(draw, larger, draw.of(_KINDS), natural)
    require(any(_names_only(each, row, table) for each in (*plan.filters, plan.named)))
    return _written(draw, larger, plan, natural)


def _names_only(each: Filter | None, row: int, table: DrawnTable) -> bool:
    """Whether a filter names a value that only the added row has, or a bound that only it fulfils."""
    if each is None or each.rows != 1 << row:
        return False
    return each.column.kind != "text" or str(each.value).casefold() not in table.homes


def _with_another_row(draw: Draw, table: DrawnTable) -> DrawnTable:
    columns = [_longer(draw, column, table.split) for column in table.columns]
    key = columns[table.columns.index(table.key)]
    homes = dict(table.homes)
    for column in columns:
        if column.kind == "text" and column.cells[-1] is not None:
            homes.setdefault(str(column.cells[-1]).casefold(), 1)
    return dataclasses.replace(table, columns=columns, key=key, homes=homes)


def _longer(draw: Draw, column: Column, split: str) -> Column:
    cell: Value | None
    if column.amounts is not None:
        cell = None
    elif column.kind == "text":
        maker = column.maker or "words"
        cell = draw.of(pool(maker, split) if isinstance(maker, str) else share(maker, split))
        if draw.chance(0.35):
            cell = _like(draw, cell, draw.of(column.cells))
    else:
        present: list[Any] = [cell for cell in column.cells if cell is not None]
        cell = _new_amount(draw, present)
    return dataclasses.replace(column, cells=[*column.cells, cell], amounts=None, spelled="")


def _like(draw: Draw, text: str, other: Value | None) -> str:
    """A text that could be taken for another: with the same surname, or another number."""
    if not isinstance(other, str) or " " not in other:
        return text
    if _DIGITS.search(other):
        return _DIGITS.sub(lambda _: str(draw.between(2, 99)), other)
    return f"{text.split()[0]} {other.split()[-1]}"


def _new_amount(draw: Draw, present: list[Any]) -> Any:
    """A number or date near those that are there."""
    if not present:
        return None
    one = draw.of(present)
    if isinstance(one, float):
        return round(one * (0.5 + draw.random()), 2)
    if isinstance(one, int):
        return (
            max(one + draw.between(-9, 9), min(present))
            if abs(one) < 3000
            else int(one * (0.5 + draw.random()))
        )
    return type(one).fromordinal(one.toordinal() + draw.between(-400, 400))


def _absent_without_form(draw: Draw, table: DrawnTable, natural: bool) -> str:
    """A choice of which one is not there, or what comes after something that is not there."""
    larger, words = _with_another_row(draw, table), Wording(draw, table, natural, parts=False)
    row = larger.rows - 1
    if draw.chance(0.5):
        choice = draw_either(draw, larger, natural)
        require(row in choice.rows and not _is_there(choice.named, row, table))
        text = write_either(draw, larger, choice, words)
        require(words.used_family == natural and not words.unclear)
        return text
    place = draw_order(draw, larger)
    require(place.named is not None and _names_only(place.named, row, table))
    return write_order(draw, larger, place, words)


def _is_there(column: Column, row: int, table: DrawnTable) -> bool:
    """Whether a name that was added is one that the table has."""
    if column.kind == "text":
        return str(column.cells[row]).casefold() in table.homes
    return column.cells[row] in column.cells[:row]


def _written(draw: Draw, table: DrawnTable, plan: Plan, natural: bool, heads: bool = True) -> str:
    words = Wording(draw, table, natural, parts=False)
    sentence = Sentence(table, plan, words)
    sentence.heads = heads
    text = sentence.write()
    require(words.used_family == natural and not words.unclear)
    return text


def unsupported_question(draw: Draw, table: DrawnTable, natural: bool) -> str:
    """A question that is about the table but needs more than one cell to be answered."""
    words, nouns = Wording(draw, table, natural), Nouns(draw, table)
    numbers = [column for column in table.columns if column.kind == "number" and not column.silent]
    shape = draw.of(SHAPES[draw.of(_GROUPS)])
    names = list(dict.fromkeys(str(cell) for cell in table.key.cells if cell is not None))
    require(len(names) > 1)
    one, other = draw.some(names, 2)
    require(bool(numbers) and not _counts_a_field(shape, nouns, table))
    column = draw.of(numbers)
    field, asked = words.name(column), words.name(draw.of(table.columns))
    require(not _says_sum(field))
    require(not is_rank(column) or shape not in SHAPES["ranks"])  # a cell may say who came second
    modifier = _some_condition(draw, table, words, natural) if "{m}" in shape else ""
    modifier = of_many(modifier) if "{p}" in shape else modifier
    require(bool(modifier) or ("are {m}" not in shape and "is {m}" not in shape))
    value = words.value(column, column.cells[draw.below(table.rows)] or 0)
    filled = (
        shape.replace("{c}", words.comparative(column, draw.chance(0.5)))
        .replace("{f}", field).replace("{t}", asked).replace("{v}", value).replace("{n}", nouns.one)
        .replace("{p}", nouns.many).replace("{m}", modifier).replace("{e}", one).replace("{e2}", other)
    )  # fmt: skip
    require(natural == words.used_family)
    return finished(draw, filled)


def _counts_a_field(shape: str, nouns: Nouns, table: DrawnTable) -> bool:
    """Whether "how many ..." would ask for a number that the table has."""
    return "{p}" in shape and any(column.name == nouns.many for column in table.columns)


def _says_sum(field: str) -> bool:
    """Whether a field's own name says "total" or "average", so that a cell may be what is meant."""
    return not KINDS["sums"].isdisjoint(field.split())


def _some_condition(draw: Draw, table: DrawnTable, words: Wording, natural: bool) -> str:
    """A condition that several rows may fulfil; often none."""
    if draw.chance(0.35):
        return ""
    plan = attempted(draw_plan, draw, table, "where_superlative", natural)
    return words.condition(plan.filters[0]) if plan is not None and plan.filters else ""
