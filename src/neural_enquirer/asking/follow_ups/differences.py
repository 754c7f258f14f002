"""Edits that take one number from another: how much more, and by how much."""

import dataclasses
from collections.abc import Iterator

from neural_enquirer.asking.follow_ups.conditions import retold
from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.fragment import Told
from neural_enquirer.programs.language import (
    Aggregate,
    Cells,
    Combination,
    Comparison,
    Extreme,
    Groups,
    Holds,
    Operation,
    Program,
    Single,
)
from neural_enquirer.programs.types import source_of

__all__ = ["apart", "between"]


def apart(program: Program) -> Iterator[Edit]:
    """How far the two are apart that a program compares, or the first and the second of an order."""
    match program:
        case Holds(left, comparison, (Cells() | Aggregate() | Combination()) as right):
            less = comparison in (Comparison.LESS, Comparison.AT_MOST)
            yield Edit(_difference(*((right, left) if less else (left, right))))
        case Cells(_, Extreme(_, by, _, 1, 1) as rows) if by is not None:
            first, second = (Cells((by,), each) for each in (rows, dataclasses.replace(rows, nth=2)))
            yield Edit(Combination(Operation.DISTANCE, first, second))


def between(program: Program, told: Told, fewer: bool) -> Iterator[Edit]:
    """How much more another has than the last answer; or less, or the last answer than the other."""
    last = _amount(program)
    if last is None:
        return
    turns = fewer is not (told.against is not None)
    plain = dataclasses.replace(told, against=None)
    for edit in retold(Edit(last), plain):
        if isinstance(edit.program, Cells | Aggregate) and edit.program != last:
            sides = (last, edit.program) if turns else (edit.program, last)
            yield edit.to(_difference(*sides), -1.0)


def _amount(program: Program) -> Cells | Aggregate | None:
    """The number that a program answers, or what its answer has most of."""
    match program:
        case Cells(terms, Extreme(_, by, rows) as end) if by is not None and by not in terms:
            return None if isinstance(source_of(rows), Groups) else Cells((by,), end)
        case Cells((_,)) | Aggregate():
            return program
    return None


def _difference(left: Single, right: Single) -> Combination:
    return Combination(Operation.DIFFERENCE, left, right)
