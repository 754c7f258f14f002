"""Edits of places in an order: another end or place, more of them, the next one, the other way round."""

from collections.abc import Iterator
from typing import Any, Final

from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.last import About
from neural_enquirer.asking.follow_ups.trees import Leaf, changed, leaves, swapped
from neural_enquirer.asking.parts import parts
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Beside,
    Cells,
    Combination,
    Compare,
    Comparison,
    Constant,
    Direction,
    Extreme,
    Holds,
    Program,
    Rows,
    Step,
    Term,
    Where,
)

__all__ = ["extreme_in", "next_to", "placed", "turned"]

_OTHER: Final[dict[Any, Any]] = {
    Direction.LARGEST: Direction.SMALLEST,
    Direction.SMALLEST: Direction.LARGEST,
    Aggregation.MAXIMUM: Aggregation.MINIMUM,
    Aggregation.MINIMUM: Aggregation.MAXIMUM,
    Comparison.LESS: Comparison.MORE,
    Comparison.MORE: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.AT_LEAST,
}
_ENDS: Final = {Aggregation.MAXIMUM: Direction.LARGEST, Aggregation.MINIMUM: Direction.SMALLEST}


def extreme_in(program: Program) -> Extreme | None:
    """The outermost superlative of a program."""
    return next((part for part in parts(program) if isinstance(part, Extreme)), None)


def turned(program: Program) -> Program:
    """The same the other way round: the other end, the other comparison, or the two sides changed."""
    match program:
        case Aggregate(aggregation, term, rows) if aggregation in _ENDS:
            return Aggregate(_OTHER[aggregation], term, rows)
    extreme = extreme_in(program)
    if extreme is not None:
        return _with(program, extreme, direction=_OTHER[extreme.direction])
    match program:
        case Combination(operation, left, right):
            return Combination(operation, right, left)
        case Holds(left, comparison, right) if comparison in _OTHER:
            return Holds(left, _OTHER[comparison], right)
    compared = next(
        (part for part in parts(program) if isinstance(part, Compare) and part.comparison in _OTHER), None
    )
    if compared is None:
        return program
    new = Compare(compared.term, _OTHER[compared.comparison], compared.operand)
    return swapped(program, compared, new)


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


def _is_of(part: object, leaf: Leaf) -> bool:
    return isinstance(part, Where) and part.condition == leaf


def _beyond(rows: Where, leaf: Leaf, step: Step) -> Rows:
    """The rows with the next number: those of 2004 after those of 2000."""
    assert isinstance(leaf, Compare)
    comparison = Comparison.MORE if step is Step.NEXT else Comparison.LESS
    direction = Direction.SMALLEST if step is Step.NEXT else Direction.LARGEST
    return Extreme(direction, leaf.term, Where(rows.rows, Compare(leaf.term, comparison, leaf.operand)))


def placed(
    edit: Edit,
    about: About,
    direction: Direction | None,
    by: Term | None,
    nth: int = 1,
    count: int = 1,
) -> Iterator[Edit]:
    """Another end or place in the order of the last program, or in a new one."""
    program = edit.program
    extreme = extreme_in(program)
    if extreme is not None:
        changes: dict[str, Any] = {"nth": nth, "count": count}
        if direction is not None:
            changes["direction"] = direction
        if by is not None:
            changes["by"] = by
        yield edit.to(_with(program, extreme, **changes))
        return
    match program:
        case Aggregate(aggregation, term, rows) if aggregation in _ENDS:
            end = direction or _ENDS[aggregation]
            if nth == count == 1:
                new = next(each for each, own in _ENDS.items() if own is end)
                yield edit.to(Aggregate(new, by or term, rows))
            else:
                yield edit.to(Cells((by or term,), Extreme(end, by or term, rows, nth, count)))  # type: ignore[arg-type]
        case Cells(terms, rows):
            yield from _of_rows(edit, terms, rows, direction, by, nth, count)
        case Aggregate(_, None, rows) if about.label is not None:
            yield from _of_rows(edit, (about.label,), rows, direction, by, nth, count)
        case Aggregate(_, term, rows) if direction is not None and term is not None and nth == count == 1:
            new = Aggregation.MAXIMUM if direction is Direction.LARGEST else Aggregation.MINIMUM
            yield edit.to(Aggregate(new, by or term, rows))


def _of_rows(
    edit: Edit,
    terms: tuple[Term, ...],
    rows: Rows,
    direction: Direction | None,
    by: Term | None,
    nth: int,
    count: int,
) -> Iterator[Edit]:
    if direction is None:
        yield edit.to(Cells(terms, Extreme(Direction.SMALLEST, None, rows, nth, count)), 0.5)
    elif by is not None:
        yield edit.to(Cells(terms, Extreme(direction, by, rows, nth, count)), 0.5)


def _with(program: Program, extreme: Extreme, **changes: Any) -> Program:
    own = {name: getattr(extreme, name) for name in ("direction", "by", "rows", "nth", "count")}
    new = Extreme(**(own | changes))
    return swapped(program, extreme, new)
