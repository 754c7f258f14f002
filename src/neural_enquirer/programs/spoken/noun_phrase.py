"""Names what a program asks for, without what it answers: the number of rows where continent is Europe."""

from collections.abc import Sequence

from neural_enquirer.programs.language import (
    Cells,
    Combination,
    Constant,
    Exists,
    Holds,
    OneOf,
    Operation,
    Program,
    Single,
)
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.programs.spoken.rows import Phrases
from neural_enquirer.tables import Table

__all__ = ["noun_phrase"]


def noun_phrase(program: Program, result: Result, tables: Sequence[Table]) -> str:
    """What a program asks for.

    Args:
        program: The program.
        result: What running it over the tables gave.
        tables: The tables.
    """
    say = Phrases.of(program, result, tables)
    match program:
        case Exists(rows):
            return f"whether there is a {say.plural(rows, 1)}"
        case Holds(left, _, right):
            return f"how {_side(left, right, say)} compares with {_side(right, left, say)}"
        case Combination(Operation.PERCENTAGE, left, right):
            return f"what percentage {_side(left, right, say)} is of {_side(right, left, say)}"
        case Cells(terms, rows) if len(terms) > 1:
            return f"{spoken.few(terms, say.terms(rows).noun)} in {say.rows(rows)}"
    return say.named(program)


def _side(one: Single | OneOf, other: Single | OneOf, say: Phrases) -> str:
    """One of two values that are compared."""
    beside = None if isinstance(other, OneOf) else other
    if isinstance(one, OneOf):
        return spoken.few(one.values, lambda value: say.constant(value, beside), "or")
    return say.constant(one, beside) if isinstance(one, Constant) else say.named(one)
