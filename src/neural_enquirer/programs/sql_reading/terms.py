"""Expressions of a row as terms, and literals as values of the type that they are compared with."""

import contextlib
import datetime
import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from sqlglot import exp

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.frames import number_in
from neural_enquirer.programs.language import Operation, Part, ProgramError
from neural_enquirer.programs.sql_reading.rewriting import AGGREGATES
from neural_enquirer.programs.sql_reading.scope import Scope, own, refused
from neural_enquirer.programs.sql_reading.texts import TEXT_FUNCTIONS, CastError, cell_value
from neural_enquirer.tables import FieldType, Value

_PARTS: Final[dict[type[exp.Expr], Part]] = {exp.Year: Part.YEAR, exp.Month: Part.MONTH, exp.Day: Part.DAY}
_OPERATIONS: Final[dict[type[exp.Expr], Operation]] = {
    exp.Add: Operation.TOTAL,
    exp.Sub: Operation.DIFFERENCE,
    exp.Mul: Operation.PRODUCT,
    exp.Div: Operation.RATIO,
}
_CONSTRUCTS: Final = (
    (exp.Window, "a window function"),
    (exp.Subquery, "a SELECT within a row"),
    (AGGREGATES, "a second measure of groups"),
    (exp.Case, "CASE"),
    (exp.DPipe, "texts put together"),
    (exp.Tuple, "several fields compared together"),
)
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})([T ].+)?", re.ASCII)
_CLOSE = 1e-9

_T = TypeVar("_T")


def term(node: exp.Expr, scope: Scope) -> lang.Term:
    """What an expression gives for each row."""
    return arithmetic(node, lambda leaf: _leaf(leaf, scope), lang.Arithmetic)


def arithmetic(
    node: exp.Expr, leaf: Callable[[exp.Expr], _T], build: Callable[[Operation, _T, _T], _T]
) -> _T:
    """What an expression of sums and products stands for, given what its parts do."""

    def combined(operation: Operation, left: exp.Expr, right: exp.Expr) -> _T:
        return build(operation, arithmetic(left, leaf, build), arithmetic(right, leaf, build))

    share = _share(node)
    if share is not None:
        return combined(Operation.PERCENTAGE, *share)
    zero = exp.Literal.number(0)
    if isinstance(node, exp.Abs):
        inside = node.this
        pair = (inside.this, inside.expression) if isinstance(inside, exp.Sub) else (inside, zero)
        return combined(Operation.DISTANCE, *pair)
    if isinstance(node, exp.Neg) and not isinstance(node.this, exp.Literal):
        return combined(Operation.DIFFERENCE, zero, node.this)
    operation = _OPERATIONS.get(type(node))
    return leaf(node) if operation is None else combined(operation, node.this, node.expression)


def _share(node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    """What is divided by what where a hundred times the ratio is meant."""
    if isinstance(node, exp.Div) and isinstance(node.this, exp.Mul):
        above = _hundredth(node.this)
        return None if above is None else (above, node.expression)
    ratio = _hundredth(node) if isinstance(node, exp.Mul) else None
    return (ratio.this, ratio.expression) if isinstance(ratio, exp.Div) else None


def _hundredth(product: exp.Mul) -> exp.Expr | None:
    """What a hundred times is taken of, if it is."""
    sides: tuple[exp.Expr, exp.Expr] = (product.this, product.expression)
    for one, other in (sides, sides[::-1]):
        if isinstance(one, exp.Literal) and not one.is_string and float(one.this) == 100:
            return other
    return None


def _leaf(node: exp.Expr, scope: Scope) -> lang.Term:
    if isinstance(node, exp.Column):
        if scope.is_rowid(node):
            raise refused("the number of a row as a value", node)
        return scope.column(node).term
    part = _PARTS.get(type(node))
    if part is not None:
        return lang.PartOf(part, term(node.this, scope))
    value = literal(node)
    if value is not None:
        return lang.Constant(value)
    if isinstance(node, TEXT_FUNCTIONS):
        return _taken_out(node, scope)
    raise refused(construct(node), node)


def construct(node: exp.Expr) -> str:
    """What a part of SQL is called."""
    for kinds, name in _CONSTRUCTS:
        if isinstance(node, kinds):
            return name
    if isinstance(node, exp.Func):
        return f"the function {node.sql('duckdb').partition('(')[0].lower()}"
    return "a condition as a value" if isinstance(node, exp.Predicate) else node.key.upper()


def _taken_out(node: exp.Expr, scope: Scope) -> lang.Term:
    """What functions make of a cell: the cell itself or the first number in it, where it is that."""
    columns = {scope.column(part) for part in own(node, exp.Column)}
    if len(columns) != 1:
        raise refused("a text made of several fields", node)
    column = columns.pop()
    kind, is_cast = scope.kind(column.term), isinstance(node, exp.Cast)
    to_day = is_cast and isinstance(node.this, exp.Column) and node.is_type("date")
    if kind is FieldType.DATE and to_day and not _timed(column.cells):
        return column.term
    cells, taken = [], []
    for cell in column.cells:
        with contextlib.suppress(CastError):  # rows where SQL would fail must be left out by a condition
            taken.append(cell_value(node, cell))
            cells.append(cell)
    if all(map(_same, taken, cells)):
        return column.term
    numbers = [number_in(cell) if isinstance(cell, str) else None for cell in cells]
    if kind is FieldType.TEXT and all(map(_same, taken, numbers)):
        return lang.PartOf(Part.NUMBER, column.term)
    numeric = is_cast and node.is_type(*exp.DataType.NUMERIC_TYPES)
    raise refused("another number than the first in a text" if numeric else "a part of a text", node)


def _same(one: object, other: object) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= _CLOSE * max(abs(one), abs(other))
    return one == other


def literal(node: exp.Expr) -> Value | None:
    """The value that SQL writes out; None where it is something else."""
    if isinstance(node, exp.Neg):
        value = literal(node.this)
        return -value if isinstance(value, int | float) else None
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else _numeric(node.this)
    is_cast = isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal)
    if is_cast and node.is_type("date", "timestamp"):
        return _date(node.this.name, timed=node.is_type("timestamp"))
    return None


def constant(node: exp.Expr, kind: FieldType, cells: Sequence[Value | None] = ()) -> lang.Constant:
    """A literal as SQL reads it where it is compared with values of a kind."""
    value = literal(node)
    if value is None:
        raise refused(construct(node), node)
    if isinstance(value, str) and kind is FieldType.NUMBER:
        value = _numeric(value)
    if kind is FieldType.DATE and not isinstance(value, int | float):
        value = _date(str(value), _timed(cells))
    return lang.Constant(value)


def _numeric(text: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        raise ProgramError(f"'{text}' is compared with numbers and is none") from None
    if text.isdigit():
        return int(text)
    return int(value) if value.is_integer() else value


def _timed(cells: Sequence[Value | None]) -> bool:
    return any(isinstance(cell, datetime.datetime) for cell in cells)


def _date(text: str, timed: bool) -> datetime.date:
    match = _DATE.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError
        day = f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}"
        moment = datetime.datetime.fromisoformat(day + (match[4] or ""))
    except ValueError:
        raise ProgramError(f"'{text}' is compared with dates and is none") from None
    return moment if timed else moment.date()
