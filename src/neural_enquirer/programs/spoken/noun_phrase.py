"""Names what a program asks for, without what it answers: the number of rows where continent is Europe."""

from collections.abc import Sequence

from neural_enquirer.programs.language import Cells, Constant, Exists, Holds, OneOf, Program
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
        case Holds():
            return _comparison(program, say)
        case Cells(terms, rows) if len(terms) > 1:
            return f"{spoken.few(terms, say.terms(rows).noun)} in {say.rows(rows)}"
    return say.named(program)


def _comparison(program: Holds, say: Phrases) -> str:
    left, right = program.left, program.right
    one = say.constant(left, None) if isinstance(left, Constant) else say.named(left)
    if isinstance(right, OneOf):
        other = spoken.few(right.values, lambda value: say.constant(value, left), "or")
    elif isinstance(right, Constant):
        other = say.constant(right, left)
    else:
        other = say.named(right)
    return f"how {one} compares with {other}"
