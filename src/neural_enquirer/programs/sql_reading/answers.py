"""What a SELECT tells of its rows: values, aggregates and what is worked out of them, yes or no."""

from typing import Final

from sqlglot import exp

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Comparison, Operation
from neural_enquirer.programs.sql_dialects import AGGREGATIONS
from neural_enquirer.programs.sql_reading.conditions import (
    COMPARISONS,
    condition,
    inner_single,
    patterns,
    where,
)
from neural_enquirer.programs.sql_reading.rewriting import AGGREGATES
from neural_enquirer.programs.sql_reading.scope import Scope, has, refused
from neural_enquirer.programs.sql_reading.terms import arithmetic, constant, literal, term
from neural_enquirer.programs.types import check
from neural_enquirer.tables import FieldType, Value

_AGGREGATIONS: Final[dict[type[exp.Expr], Aggregation]] = {
    kind: aggregation for aggregation, kind in AGGREGATIONS.items()
}
_AT_LEAST_ONE: Final = ((Comparison.MORE, 0), (Comparison.AT_LEAST, 1), (Comparison.DIFFERS, 0))
_EXACT: Final = (Operation.DIFFERENCE, Operation.DISTANCE, Operation.TOTAL)
_ROUGH: Final = (Aggregation.AVERAGE, Aggregation.MEDIAN)


_QUESTIONS: Final = (exp.Predicate, exp.Connector, exp.Not, exp.LogicalAnd, exp.LogicalOr)
"""What is answered with yes or no."""


def told(node: exp.Expr, scope: Scope, rows: lang.Rows) -> lang.Program:
    """The program that tells what an expression gives for rows."""
    if isinstance(node, _QUESTIONS):
        return _yes_or_no(node, scope, rows)
    if isinstance(node, exp.Subquery):
        return scope.answer(node.this)
    program = single(node, scope, rows)
    if isinstance(program, lang.Constant):
        raise refused("a value alone", node)
    return program


def single(node: exp.Expr, scope: Scope, rows: lang.Rows) -> lang.Single:
    """What stands for one value: cells of the rows, an aggregate of them, or what is worked out of these."""

    def leaf(part: exp.Expr) -> lang.Single:
        if isinstance(part, AGGREGATES):
            return _aggregate(part, scope, rows)
        if isinstance(part, exp.Round | exp.Cast) and has(part, exp.Subquery, *AGGREGATES):
            return _without_rounding(part, scope, rows)
        if isinstance(part, exp.Subquery) or literal(part) is not None:
            return inner_single(part, scope)
        return lang.Cells((term(part, scope),), rows)

    if not has(node, exp.Subquery, *AGGREGATES) and has(node, exp.Column):
        return lang.Cells((term(node, scope),), rows)
    return arithmetic(node, leaf, _combination)


def _combination(operation: Operation, left: lang.Single, right: lang.Single) -> lang.Single:
    match operation, left, right:
        case (
            Operation.DIFFERENCE,
            lang.Aggregate(Aggregation.MAXIMUM, most, rows),
            lang.Aggregate(Aggregation.MINIMUM, least, others),
        ) if most == least and rows == others:
            return lang.Aggregate(Aggregation.RANGE, most, rows)
    return lang.Combination(operation, left, right)


def _aggregate(node: exp.Expr, scope: Scope, rows: lang.Rows) -> lang.Aggregate:
    if isinstance(node, exp.Filter):
        return _aggregate(node.this, scope, where(rows, condition(node.expression.this, scope)))
    inside = node.this
    if isinstance(node, exp.Count):
        if isinstance(inside, exp.Star | exp.Literal):
            return lang.Aggregate(Aggregation.COUNT, None, rows)
        if not isinstance(inside, exp.Distinct):
            return lang.Aggregate(
                Aggregation.COUNT, None, where(rows, lang.Not(lang.Missing(term(inside, scope))))
            )
        if len(inside.expressions) == 1:
            return lang.Aggregate(Aggregation.COUNT_DISTINCT, term(inside.expressions[0], scope), rows)
    aggregation = _AGGREGATIONS.get(type(node))
    if aggregation is None or isinstance(inside, exp.Distinct):
        raise refused("this aggregate", node)
    return lang.Aggregate(aggregation, term(inside, scope), rows)


def _without_rounding(node: exp.Expr, scope: Scope, rows: lang.Rows) -> lang.Single:
    """What is rounded or made into another type, where that takes nothing away."""
    inner = single(node.this, scope, rows)
    if isinstance(inner, lang.Constant):
        raise refused("a value alone", node)
    kind = check(inner, scope.tables)
    if isinstance(node, exp.Cast) and node.is_type(*exp.DataType.TEXT_TYPES):
        harmless = kind is FieldType.TEXT
    elif isinstance(node, exp.Cast) and node.is_type(*exp.DataType.FLOAT_TYPES):
        harmless = kind is FieldType.NUMBER
    else:
        harmless = kind is FieldType.NUMBER and _has_decimals(inner, int(node.text("decimals") or 0), scope)
    if not harmless:
        raise refused("rounding", node)
    return inner


def _has_decimals(part: lang.Single, most: int, scope: Scope) -> bool:
    """Whether a number has no more decimals than this: sums and differences have those of their parts."""
    match part:
        case lang.Combination(operation, left, right):
            parts = (left, right)
            return operation in _EXACT and all(_has_decimals(each, most, scope) for each in parts)
        case lang.Cells((lang.Field(name),)) | lang.Aggregate(aggregation=_, term=lang.Field(name)):
            if isinstance(part, lang.Aggregate) and part.aggregation in _ROUGH:
                return False
            cells = (table.column(name) for table in scope.tables if name in table.field_names)
            return all(_is_rounded(cell, most) for column in cells for cell in column)
        case lang.Aggregate(term=None):
            return True
        case lang.Constant(value):
            return _is_rounded(value, most)
    return False


def _is_rounded(cell: Value | None, decimals: int) -> bool:
    return not isinstance(cell, int | float) or round(cell, decimals) == cell


def _yes_or_no(node: exp.Expr, scope: Scope, rows: lang.Rows) -> lang.Exists | lang.Holds:
    if isinstance(node, exp.LogicalOr):
        return lang.Exists(where(rows, condition(node.this, scope)))
    if isinstance(node, exp.LogicalAnd):
        return _none(where(rows, condition(exp.Not(this=node.this), scope)))
    if type(node) in COMPARISONS:
        return _compared(node, scope, rows)
    if isinstance(node, exp.In) and node.args.get("query") is None:
        left, kind, cells = _left(node.this, scope, rows)
        values = tuple(constant(each, kind, cells) for each in node.expressions)
        return lang.Holds(left, Comparison.EQUAL, values[0] if len(values) == 1 else lang.OneOf(values))
    if isinstance(node, exp.Like | exp.ILike):
        left, _, cells = _left(node.this, scope, rows)
        tests = patterns(node, cells)
        if len(tests) == 1:
            return lang.Holds(left, *tests[0])
    computed = has(node, exp.Subquery, *AGGREGATES)
    if isinstance(node, exp.Not) and (computed or isinstance(node.this, exp.In)):
        return _opposite(_yes_or_no(node.this, scope, rows), node)
    if computed or not has(node, exp.Column):
        raise refused("this question", node)
    return lang.Exists(where(rows, condition(node, scope)))


def _opposite(answer: lang.Exists | lang.Holds, node: exp.Expr) -> lang.Holds:
    if isinstance(answer, lang.Exists):
        return _none(answer.rows)
    if answer.comparison.of_text:
        raise refused("this question", node)
    return lang.Holds(answer.left, answer.comparison.opposite, answer.right)


def _none(rows: lang.Rows) -> lang.Holds:
    return lang.Holds(lang.Aggregate(Aggregation.COUNT, None, rows), Comparison.EQUAL, lang.Constant(0))


def _compared(node: exp.Expr, scope: Scope, rows: lang.Rows) -> lang.Exists | lang.Holds:
    comparison = COMPARISONS[type(node)]
    left, kind, cells = _left(node.this, scope, rows)
    if literal(node.expression) is None:
        return lang.Holds(left, comparison, single(node.expression, scope, rows))
    right = constant(node.expression, kind, cells)
    match left:
        case lang.Aggregate(Aggregation.COUNT, None, counted) if (comparison, right.value) in _AT_LEAST_ONE:
            return lang.Exists(counted)
    return lang.Holds(left, comparison, right)


def _left(
    node: exp.Expr, scope: Scope, rows: lang.Rows
) -> tuple[lang.Single, FieldType, tuple[Value | None, ...]]:
    """What is asked about, what its values are, and the cells where it is a field."""
    left = single(node, scope, rows)
    if isinstance(left, lang.Constant):
        raise refused("a comparison of a value", node)
    kind = check(left, scope.tables)
    assert kind is not None
    asked = left.terms[0] if isinstance(left, lang.Cells) else None
    return left, kind, () if asked is None else scope.cells(asked)
