"""Edits of places in an order: another end or place, more of them, the next one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.last import About
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Beside,
    Cells,
    Compare,
    Comparison,
    Constant,
    Direction,
    Extreme,
    Groups,
    Measure,
    Program,
    Rows,
    Step,
    Term,
    Where,
)
from neural_enquirer.programs.trees import Leaf, changed, leaves, parts, swapped
from neural_enquirer.programs.types import source_of

__all__ = ["End", "extreme_in", "next_to", "placed", "put_in_order", "reordered"]

_ENDS: Final = {Aggregation.MAXIMUM: Direction.LARGEST, Aggregation.MINIMUM: Direction.SMALLEST}

_LOWEST_RANK: Final = 30
_UNSAID: Final = 0.5
"""The cost of an order that the last program did not have."""


@dataclass(frozen=True)
class End:
    """What is asked for of an order.

    Attributes:
        direction: its end; None for that of the last program.
        by: the term that makes the order; None for that of the last program.
        nth: the place from that end.
        count: how many from that end.
    """

    direction: Direction | None
    by: Term | None
    nth: int = 1
    count: int = 1


def extreme_in(program: Program) -> Extreme | None:
    """The outermost superlative of a program."""
    return next((part for part in parts(program) if isinstance(part, Extreme)), None)


def next_to(program: Program, step: Step) -> Program:
    """About the next one in the order that was asked for, or in that of rows."""
    extreme = extreme_in(program)
    if extreme is not None and extreme.count == 1:
        nth = extreme.nth + (1 if step is Step.NEXT else -1)
        return _with(program, extreme, nth=max(1, nth))
    leaf = next((each for each in leaves(program) if _is_number(each)), None)
    if leaf is not None:
        return changed(program, lambda part: _beyond(part, leaf, step) if _is_of(part, leaf) else part)
    match program:
        case Cells(terms, rows, distinct):
            return Cells(terms, Beside(step, rows), distinct)
        case Aggregate(aggregation, term, rows) if aggregation in _ENDS and term is not None:
            return Cells((term,), Extreme(_ENDS[aggregation], term, rows, nth=2))
    return program


def _is_number(leaf: Leaf) -> bool:
    match leaf:
        case Compare(_, Comparison.EQUAL, Constant(value)):
            return not isinstance(value, str)
    return False


def _is_rank(leaf: Leaf) -> bool:
    """Whether a condition says a place in an order, as of a rank: position = 2."""
    match leaf:
        case Compare(_, Comparison.EQUAL, Constant(value)):
            return isinstance(value, int) and 0 < value <= _LOWEST_RANK
    return False


def _is_of(part: object, leaf: Leaf) -> bool:
    return isinstance(part, Where) and part.condition == leaf


def _beyond(rows: Where, leaf: Leaf, step: Step) -> Rows:
    """The rows with the next number: those of 2004 after those of 2000."""
    assert isinstance(leaf, Compare)
    comparison = Comparison.MORE if step is Step.NEXT else Comparison.LESS
    direction = Direction.SMALLEST if step is Step.NEXT else Direction.LARGEST
    return Extreme(direction, leaf.term, Where(rows.rows, Compare(leaf.term, comparison, leaf.operand)))


def placed(edit: Edit, about: About, end: End) -> Iterator[Edit]:
    """Another end or place in the order of the last program, or in a new one."""
    extreme = extreme_in(edit.program)
    if extreme is not None:
        in_order = extreme.by is None and end.by is None and end.nth > 1  # the second most, of rows in order
        changes = {"direction": None if in_order else end.direction, "by": end.by}
        said = {name: value for name, value in changes.items() if value is not None}
        yield edit.to(_with(edit.program, extreme, nth=end.nth, count=end.count, **said))
        return
    match edit.program:
        case Aggregate(aggregation, term, rows) if term is not None:
            yield from _of_values(edit, aggregation, end.by or term, rows, end)
        case Cells(_, All(Groups(by=group)) as rows) if end.direction is not None:
            yield edit.to(Cells((group,), Extreme(end.direction, Measure(), rows, end.nth, end.count)))
        case Cells(terms, rows):
            yield from _of_rows(edit, terms, rows, end)
        case Aggregate(_, None, rows) if about.label is not None:
            yield from _of_rows(edit, (about.label,), rows, end)


def reordered(edit: Edit, terms: Sequence[Term]) -> Iterator[Edit]:
    """The first in the order of another field: most gold, and silver?"""
    match edit.program:
        case Cells(shown, Extreme(_, by) as extreme) if by is not None and by not in shown:
            if not isinstance(source_of(extreme), Groups):
                yield from (edit.to(_with(edit.program, extreme, by=term), -_UNSAID) for term in terms)


def put_in_order(edit: Edit, about: About, by: Term, falling: bool) -> Iterator[Edit]:
    """All the rows behind the last answer, in the order of a field."""
    rows = about.behind(edit.program)
    if rows is None or isinstance(source_of(rows), Groups):
        return
    direction = Direction.LARGEST if falling else Direction.SMALLEST
    ordered = Extreme(direction, by, rows, count=about.count(rows))
    listed = about.terms if isinstance(edit.program, Cells) else (about.label,)
    yield edit.to(Cells(tuple(filter(None, listed)), ordered), -_UNSAID)


def _of_values(edit: Edit, aggregation: Aggregation, by: Term, rows: Rows, end: End) -> Iterator[Edit]:
    """The largest value, or a place among them."""
    direction = end.direction or _ENDS.get(aggregation)
    if direction is None:
        return
    if end.nth == end.count == 1:
        new = Aggregation.MAXIMUM if direction is Direction.LARGEST else Aggregation.MINIMUM
        yield edit.to(Aggregate(new, by, rows))
    else:
        yield edit.to(Cells((by,), Extreme(direction, by, rows, end.nth, end.count)))


def _of_rows(edit: Edit, terms: tuple[Term, ...], rows: Rows, end: End) -> Iterator[Edit]:
    """The rows at an end, or at a place in the order that they stand in, or that their numbers say."""
    ranks = [leaf for leaf in leaves(edit.program) if _is_rank(leaf)] if end.direction is None else []
    for leaf in ranks:
        new = Compare(leaf.term, Comparison.EQUAL, Constant(end.nth))
        yield edit.to(swapped(edit.program, leaf, new), 0.0, new)
    if end.direction is None:
        first = Extreme(Direction.SMALLEST, None, rows, end.nth, end.count)
        yield edit.to(Cells(terms, first), _UNSAID)
    elif end.by is not None:
        yield edit.to(Cells(terms, Extreme(end.direction, end.by, rows, end.nth, end.count)), _UNSAID)


def _with(program: Program, extreme: Extreme, **changes: Any) -> Program:
    return swapped(program, extreme, replace(extreme, **changes))
