"""What WHERE, HAVING and FILTER ask of a row, as conditions."""

import operator
import re
from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from neural_enquirer.programs import language as lang
from neural_enquirer.programs import sql_dialects
from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.sql_reading.scope import Scope, has, refused
from neural_enquirer.programs.sql_reading.terms import arithmetic, constant, construct, literal, term
from neural_enquirer.programs.sql_reading.texts import like
from neural_enquirer.tables import FieldType, Value

COMPARISONS: Final[dict[type[exp.Expr], Comparison]] = {
    kind: comparison for comparison, kind in sql_dialects.COMPARISONS.items()
}
_TEXT_TESTS: Final = {exp.StartsWith: Comparison.STARTS, exp.Contains: Comparison.CONTAINS}


def where(rows: lang.Rows, *conditions: lang.Condition) -> lang.Rows:
    """The rows that fulfil further conditions."""
    if not conditions:
        return rows
    if isinstance(rows, lang.Where):
        return lang.Where(rows.rows, all_of([*parts(rows.condition), *conditions]))
    return lang.Where(rows, all_of(conditions))


def all_of(conditions: Sequence[lang.Condition]) -> lang.Condition:
    """One condition that asks for all of them."""
    return conditions[0] if len(conditions) == 1 else lang.And(tuple(conditions))


def parts(condition: lang.Condition) -> tuple[lang.Condition, ...]:
    """The conditions that must hold together."""
    return condition.parts if isinstance(condition, lang.And) else (condition,)


def condition(node: exp.Expr, scope: Scope) -> lang.Condition:
    """What an expression asks of a row."""
    match node:
        case exp.And():
            return lang.And(tuple(condition(part, scope) for part in node.flatten()))
        case exp.Or():
            return lang.Or(tuple(condition(part, scope) for part in node.flatten()))
        case exp.Not():
            return _negated(condition(node.this, scope))
        case exp.Is() if isinstance(node.expression, exp.Null):
            return lang.Missing(term(node.this, scope))
        case exp.Between():
            return _between(node, scope)
        case exp.In():
            return _one_of(node, scope)
        case exp.Like() | exp.ILike():
            return _like(node, scope)
        case exp.StartsWith() | exp.Contains():
            text = constant(node.expression, FieldType.TEXT)
            return lang.Compare(term(node.this, scope), _TEXT_TESTS[type(node)], text)
        case exp.NullSafeNEQ():
            left = term(node.this, scope)
            differs = _compare(exp.NEQ(this=node.this, expression=node.expression), scope)
            return lang.Or((differs, lang.Missing(left)))
    if type(node) in COMPARISONS:
        return _compare(node, scope)
    raise refused(construct(node), node)


def _negated(condition: lang.Condition) -> lang.Condition:
    """The opposite, in the plainest words."""
    match condition:
        case lang.Compare(term, (Comparison.EQUAL | Comparison.DIFFERS) as comparison, operand):
            return lang.Compare(term, comparison.opposite, operand)
        case lang.Not(part):
            return part
    return lang.Not(condition)


def _compare(node: exp.Expr, scope: Scope) -> lang.Condition:
    left, right, comparison = node.this, node.expression, COMPARISONS[type(node)]
    one = term(left, scope)
    if has(right, exp.Subquery):
        return lang.Compare(one, comparison, _several(right, scope))
    if has(right, exp.Column):
        return lang.Compare(one, comparison, term(right, scope))
    one, values = _compared(left, one, [right], scope)
    return lang.Compare(one, comparison, values[0])


def _compared(
    node: exp.Expr, one: lang.Term, values: Sequence[exp.Expr], scope: Scope
) -> tuple[lang.Term, list[lang.Constant]]:
    """A term and the literals that it is compared with; SQL reads text as numbers beside numbers."""
    if scope.kind(one) is FieldType.TEXT and any(isinstance(literal(value), int | float) for value in values):
        whole = all(isinstance(literal(value), int) for value in values)
        one = term(exp.cast(node.copy(), "INT" if whole else "DOUBLE"), scope)
    kind, cells = scope.kind(one), scope.cells(one)
    return one, [constant(value, kind, cells) for value in values]


def _several(node: exp.Expr, scope: Scope) -> lang.Operand:
    """What a SELECT gives, or what is worked out of it."""
    single = inner_single(node, scope)
    assert not isinstance(single, lang.Constant)
    return single


def inner_single(node: exp.Expr, scope: Scope) -> lang.Single:
    """What is worked out of the SELECTs within an expression, which has no column of its own."""

    def leaf(part: exp.Expr) -> lang.Single:
        if isinstance(part, exp.Subquery):
            answer = scope.answer(part.this)
            if isinstance(answer, lang.Cells | lang.Aggregate | lang.Combination):
                return answer
            raise refused("yes or no as a value", part)
        return constant(part, FieldType.NUMBER)

    return arithmetic(node, leaf, lang.Combination)


def _between(node: exp.Between, scope: Scope) -> lang.Condition:
    low, high = node.args["low"], node.args["high"]
    one = term(node.this, scope)
    if any(has(bound, exp.Column, exp.Subquery) for bound in (low, high)):
        from_low = _compare(exp.GTE(this=node.this, expression=low), scope)
        to_high = _compare(exp.LTE(this=node.this, expression=high), scope)
        return lang.And((from_low, to_high))
    one, bounds = _compared(node.this, one, [low, high], scope)
    return lang.Between(one, *bounds)


def _one_of(node: exp.In, scope: Scope) -> lang.Condition:
    one = term(node.this, scope)
    query = node.args.get("query")
    if query is not None:
        return lang.Compare(one, Comparison.EQUAL, _several(query, scope))
    one, values = _compared(node.this, one, node.expressions, scope)
    return lang.Compare(one, Comparison.EQUAL, values[0] if len(values) == 1 else lang.OneOf(tuple(values)))


def _like(node: exp.Like | exp.ILike, scope: Scope) -> lang.Condition:
    one = term(node.this, scope)
    if scope.kind(one) is not FieldType.TEXT:
        raise refused("LIKE of a number or date", node)
    tests = [lang.Compare(one, *test) for test in patterns(node, scope.cells(one))]
    return all_of(tests) if tests else lang.Not(lang.Missing(one))


def patterns(
    node: exp.Like | exp.ILike, cells: Sequence[Value | None]
) -> list[tuple[Comparison, lang.Constant]]:
    """What a pattern asks of a text, if that is the same for all of the cells."""
    pattern = node.expression.name
    if not isinstance(node.expression, exp.Literal) or "_" in pattern:
        raise refused("a pattern with _" if "_" in pattern else "a pattern that is no text", node)
    texts = [cell for cell in cells if isinstance(cell, str)]
    ignore_case = isinstance(node, exp.ILike)
    for spelled in _spellings(pattern, texts) if ignore_case else [pattern]:
        tests = _tests(spelled)
        passes = (all(comparison.test(text, part) for comparison, part in tests) for text in texts)
        if all(map(operator.eq, passes, (like(text, pattern, ignore_case) for text in texts))):
            return [(comparison, lang.Constant(part)) for comparison, part in tests]
    raise refused("a pattern that overlooks case" if ignore_case else "a pattern of several parts", node)


def _spellings(pattern: str, texts: Sequence[str]) -> list[str]:
    """The pattern as cells spell it."""
    core = pattern.strip("%")
    found = (match[0] for text in texts for match in re.finditer(re.escape(core), text, re.IGNORECASE))
    start, end = pattern.startswith("%"), pattern.endswith("%")
    return [f"{'%' * start}{text}{'%' * end}" for text in dict.fromkeys(found)]


def _tests(pattern: str) -> list[tuple[Comparison, str]]:
    first, *middle = pattern.split("%")
    if not middle:
        return [(Comparison.EQUAL, pattern)]
    *middle, last = middle
    tests = [
        (Comparison.STARTS, first),
        *((Comparison.CONTAINS, part) for part in middle),
        (Comparison.ENDS, last),
    ]
    return [(comparison, part) for comparison, part in tests if part]
