"""What kind of answer a program gives, by the names that the command line's JSON has for it."""

from typing import Final, assert_never

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Arithmetic,
    Cells,
    Combination,
    Direction,
    Exists,
    Extreme,
    Groups,
    Holds,
    Measure,
    Operation,
    Program,
)
from neural_enquirer.programs.types import source_of

AS_THEY_ARE: Final = "none"
YES_NO: Final = "yes_no"
_COMMON: Final = {Direction.LARGEST: "most_common", Direction.SMALLEST: "least_common"}


def answer_kind(program: Program) -> str:
    """The kind of a program's answer: count, sum, yes_no, most_common, …; none for cells as they are."""
    match program:
        case Exists() | Holds():
            return YES_NO
        case Aggregate(aggregation):
            return aggregation.value
        case Combination(operation):
            return operation_name(operation)
        case Cells():
            return _of_cells(program)
    assert_never(program)


def operation_name(operation: Operation) -> str:
    """What an operation of two values is called; a distance is a difference to people."""
    return Operation.DIFFERENCE.value if operation is Operation.DISTANCE else operation.value


def _of_cells(cells: Cells) -> str:
    source = source_of(cells.rows)
    if isinstance(source, Groups):
        if Measure() in cells.terms:
            return source.aggregation.value
        match source.aggregation, cells.rows:
            case Aggregation.COUNT, Extreme(direction, Measure(), nth=1):
                return _COMMON[direction]
    first = cells.terms[0]
    return operation_name(first.operation) if isinstance(first, Arithmetic) else AS_THEY_ARE
