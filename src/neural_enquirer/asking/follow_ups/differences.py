"""Edits that take one number from another: how much more, and by how much."""

import dataclasses
from collections.abc import Iterator
from typing import Final

from neural_enquirer.asking.follow_ups.conditions import retold
from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.told import Told
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

__all__ = ["apart", "between", "exceeds"]

_Amount = Cells | Aggregate
_LIKELY: Final = -1.0
"""Words that compare ask for hardly anything else."""


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
    turns = fewer is not (told.against is not None)
    for last, other, edit in _beside(program, told):
        yield edit.to(_difference(*((last, other) if turns else (other, last))), _LIKELY)


def exceeds(program: Program, told: Told) -> Iterator[Edit]:
    """Whether the last answer is more than what another has."""
    assert told.against is not None
    for last, other, edit in _beside(program, told):
        yield edit.to(Holds(last, told.against, other), _LIKELY)


def _beside(program: Program, told: Told) -> Iterator[tuple[_Amount, _Amount, Edit]]:
    """The number that the last answer is, and the same of another."""
    last = _amount(program)
    plain = dataclasses.replace(told, against=None)
    for edit in () if last is None else retold(Edit(last), plain):
        if last is not None and isinstance(edit.program, Cells | Aggregate) and edit.program != last:
            yield last, edit.program, edit


def _amount(program: Program) -> _Amount | None:
    """The number that a program answers, or what its answer has most of."""
    match program:
        case Cells(terms, Extreme(_, by, rows) as end) if by is not None and by not in terms:
            return None if isinstance(source_of(rows), Groups) else Cells((by,), end)
        case Cells((_,)) | Aggregate():
            return program
    return None


def _difference(left: Single, right: Single) -> Combination:
    return Combination(Operation.DIFFERENCE, left, right)
