"""Edits of which rows are meant: conditions swapped, added, dropped or turned into their opposite."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.told import Told
from neural_enquirer.programs.language import (
    Between,
    Cells,
    Compare,
    Comparison,
    Condition,
    Constant,
    Extreme,
    Field,
    Groups,
    Holds,
    Missing,
    Not,
    OneOf,
    Program,
    Rows,
    Where,
)
from neural_enquirer.programs.trees import Leaf, field_of, leaves, narrowed, parts, swapped, without
from neural_enquirer.programs.types import source_of, value_kind
from neural_enquirer.tables import FieldType

__all__ = ["added", "among", "compared", "left_out", "retold", "whole"]

_MOST_FIELDS: Final = 4
_SAME_FIELD: Final = -1.0
_SAME_KIND: Final = 0.8
_OTHER_KIND: Final = 2.5
_BESIDES: Final = 0.7
_BESIDES_ITS_KIND: Final = 1.5
_OPPOSITES: Final = {
    Comparison.EQUAL: Comparison.DIFFERS,
    Comparison.DIFFERS: Comparison.EQUAL,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.LESS,
    Comparison.MORE: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.MORE,
}


def among(rows: Rows, told: Sequence[Told]) -> Iterator[tuple[Rows, float, tuple[Condition, ...]]]:
    """Those of some rows that have all that is told of them, with the cost and conditions of each reading."""
    found: list[tuple[Rows, float, tuple[Condition, ...]]] = [(rows, 0.0, ())]
    for each in told:
        options = [(_signed(one, each), cost) for one, cost in each.options][:_MOST_FIELDS]
        found = [
            (Where(inner, condition), before + cost, (*conditions, condition))
            for inner, before, conditions in found
            for condition, cost in options
        ]
    yield from found


def retold(edit: Edit, told: Told) -> Iterator[Edit]:
    """A program about another value: in the place of one that it was about, or besides."""
    for condition, cost in itertools.islice(told.options, _MOST_FIELDS):
        yield from _swaps(edit, condition, told, cost)
        yield from _additions(edit, condition, told, cost)
        yield from _measured(edit, condition, cost)


def added(edit: Edit, told: Told) -> Iterator[Edit]:
    """A program about those of its rows that have another value too."""
    for condition, cost in itertools.islice(told.options, _MOST_FIELDS):
        new = _signed(condition, told)
        yield edit.to(narrowed(edit.program, new), cost, new)


def whole(program: Program) -> Program:
    """A program over all rows."""
    return without(program, lambda _: True)


def compared(program: Program, comparison: Comparison) -> Program:
    """A program that compares otherwise with the number that it compares with."""
    for leaf in leaves(program):
        if isinstance(leaf, Compare) and leaf.comparison in _OPPOSITES and _kind(leaf) is not FieldType.TEXT:
            new = Compare(leaf.term, comparison, leaf.operand)
            return swapped(program, leaf, new)
    return program


def left_out(program: Program) -> Program:
    """A program about the rows that its outermost condition leaves out."""
    outer = next((part for part in parts(program) if isinstance(part, Where)), None)
    if outer is None:
        return program
    others = Where(outer.rows, _opposite(outer.condition))
    return swapped(program, outer, others)


def _swaps(edit: Edit, condition: Condition, told: Told, rank: float) -> Iterator[Edit]:
    own = _field(condition)
    for number, leaf in enumerate(leaves(edit.program)):
        if leaf in edit.fresh:
            continue
        if field_of(leaf.term) == own:
            cost = _SAME_FIELD
        elif told.left_out:
            continue
        else:
            cost = _SAME_KIND if _kind(leaf) is _kind(condition) else _OTHER_KIND
        new = _signed(_in_the_place_of(leaf, condition, told), told)
        if new == leaf:
            continue
        yield edit.to(swapped(edit.program, leaf, new), rank + cost + 0.01 * number, new)
    match edit.program:
        case Holds(Cells((term,)) as left, comparison, Constant() | OneOf()):
            if field_of(term) == own and isinstance(condition, Compare):
                assert isinstance(condition.operand, Constant | OneOf)
                yield edit.to(Holds(left, comparison, condition.operand), rank + _SAME_FIELD, condition)


def _additions(edit: Edit, condition: Condition, told: Told, rank: float) -> Iterator[Edit]:
    old = [leaf for leaf in leaves(edit.program) if leaf not in edit.fresh]
    if any(field_of(leaf.term) == _field(condition) for leaf in old):
        cost = _OTHER_KIND if not told.left_out else 0.0
    elif any(_kind(leaf) is _kind(condition) for leaf in old) and not told.left_out:
        cost = _BESIDES_ITS_KIND
    else:
        cost = _BESIDES
    new = _signed(condition, told)
    yield edit.to(narrowed(edit.program, new), rank + cost, new)


def _measured(edit: Edit, condition: Condition, rank: float) -> Iterator[Edit]:
    """How much another one has of what the last answer has most of: which has most gold, and Chile?"""
    match edit.program:
        case Cells((Field() as asked,), Extreme(_, by, rows)) if by is not None and by != asked:
            if _field(condition) == asked and not isinstance(source_of(rows), Groups):
                yield edit.to(Cells((by,), Where(rows, condition)), rank + _SAME_FIELD, condition)


def _in_the_place_of(leaf: Leaf, condition: Condition, told: Told) -> Condition:
    """A condition that compares like the one that it replaces, unless words say otherwise."""
    match leaf, condition:
        case Compare(term, comparison), Compare(other, Comparison.EQUAL, Constant() as operand):
            if not told.compared and not comparison.of_text and term == other:
                return Compare(other, comparison, operand)
    return condition


def _signed(condition: Condition, told: Told) -> Condition:
    return _opposite(condition) if told.left_out else condition


def _opposite(condition: Condition) -> Condition:
    """The opposite of a condition, as simply as it can be said."""
    match condition:
        case Not(part):
            return part
        case Compare(term, comparison, operand) if comparison in _OPPOSITES:
            return Compare(term, _OPPOSITES[comparison], operand)
    return Not(condition)


def _field(condition: Condition) -> Field | None:
    """The field that a simple condition is about."""
    match condition:
        case Compare(term) | Between(term) | Missing(term):
            return field_of(term)
        case Not(part):
            return _field(part)
    return None


def _kind(condition: Condition) -> FieldType | None:
    """What a condition compares with."""
    match condition:
        case Compare(_, _, Constant(value)) | Between(_, Constant(value)):
            return value_kind(value)
        case Compare(_, _, OneOf((Constant(value), *_))):
            return value_kind(value)
        case Not(part):
            return _kind(part)
    return None
