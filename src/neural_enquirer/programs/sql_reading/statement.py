"""Programs from SQL: what a SELECT over tables asks, in the language of programs.

SQL is read as DuckDB runs it; what cannot be said is refused everywhere here, with a ProgramError of one line
that names it. Two things differ on purpose: of rows that tie, SQL takes any and a program takes all; and rows
without a value are a group in SQL and none in a program.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import sqlglot
from sqlglot import exp

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Comparison, Direction, ProgramError, Step
from neural_enquirer.programs.sql_reading.answers import told
from neural_enquirer.programs.sql_reading.conditions import condition, parts, where
from neural_enquirer.programs.sql_reading.groups import direction, grouped
from neural_enquirer.programs.sql_reading.rewriting import AGGREGATES, plain
from neural_enquirer.programs.sql_reading.scope import (
    ROWID,
    Column,
    Scope,
    conjuncts,
    has,
    own,
    refused,
    table_scope,
)
from neural_enquirer.programs.sql_reading.terms import literal, term
from neural_enquirer.programs.types import check
from neural_enquirer.tables import Table

_CLAUSES: Final = frozenset(
    (
        *("expressions", "from_", "joins", "where", "group", "having"),
        *("order", "limit", "offset", "distinct", "kind"),
    )
)


def from_sql(sql: str, tables: Sequence[Table], dialect: str = "duckdb") -> lang.Program:
    """The program that asks what a SELECT asks, which may call a table that is alone by any name.

    Raises:
        ProgramError: with one line that names what cannot be said, or what is wrong with the SQL.
    """
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except sqlglot.errors.SqlglotError as error:
        raise ProgramError(f"this is no SQL: {str(error).splitlines()[0]}") from None
    program = _answer(plain(tree), tables)
    check(program, tables)
    return program


@dataclass(frozen=True)
class _Relation:
    """The rows of a SELECT and what it tells of them."""

    scope: Scope
    rows: lang.Rows
    expressions: tuple[exp.Expr, ...]
    distinct: bool


def _answer(query: exp.Expr, tables: Sequence[Table]) -> lang.Program:
    relation = _relation(query, tables)
    scope, rows, nodes = relation.scope, relation.rows, relation.expressions
    if len(nodes) == 1:
        program = told(nodes[0].unalias(), scope, rows)
        if relation.distinct and isinstance(program, lang.Cells):
            return replace(program, distinct=True)
        return program
    return lang.Cells(tuple(term(node.unalias(), scope) for node in nodes), rows, relation.distinct)


def _relation(query: exp.Expr, tables: Sequence[Table]) -> _Relation:
    select = _spelled_out(_checked(query))
    scope, conditions = _source(select, tables)
    rows = _narrowed(scope, conditions)
    if select.args.get("group"):
        select, scope, rows = grouped(select, scope, rows)
    distinct = select.args.get("distinct") is not None
    if not any(has(node, *AGGREGATES) for node in select.expressions):
        rows = _ordered(rows, select, scope, distinct)
    told = select.expressions
    if told == [exp.Star()]:
        told = [exp.column(column.name, column.table or None, quoted=True) for column in scope.columns]
    return _Relation(scope, rows, tuple(told), distinct)


def _checked(query: exp.Expr) -> exp.Select:
    """A SELECT that has no clause which would go unread."""
    if not isinstance(query, exp.Select):
        raise refused(query.key.upper(), query)
    for clause, value in query.args.items():
        if value and clause not in _CLAUSES:
            raise refused(clause.strip("_").upper(), query)
    distinct, limit = query.args.get("distinct"), query.args.get("limit")
    if distinct is not None and distinct.args.get("on"):
        raise refused("DISTINCT ON", query)
    if query.args.get("having") and not query.args.get("group"):
        raise refused("HAVING without groups", query)
    if query.args.get("offset") and limit is None:
        raise refused("OFFSET without LIMIT", query)
    if limit is not None and (not isinstance(limit, exp.Limit) or limit.args.get("limit_options")):
        raise refused("a LIMIT of this kind", limit)
    return query


def _spelled_out(query: exp.Select) -> exp.Select:
    """A SELECT whose later clauses repeat what it tells, instead of pointing at it by number or alias."""
    select = query.copy()
    nodes = [node.unalias() for node in select.expressions]
    aliases = {node.alias.casefold(): node.this for node in select.expressions if isinstance(node, exp.Alias)}
    for clause in filter(None, (select.args.get(name) for name in ("group", "having", "order"))):
        for part in list(own(clause, exp.Column)):
            if not part.text("table") and part.name.casefold() in aliases:
                part.replace(aliases[part.name.casefold()].copy())
    for clause in filter(None, (select.args.get(name) for name in ("group", "order"))):
        for key in clause.expressions:
            place = key.this if isinstance(key, exp.Ordered) else key
            if isinstance(place, exp.Literal) and place.is_int and int(place.this) <= len(nodes):
                place.replace(nodes[int(place.this) - 1].copy())
    return select


# Where rows come from.


def _source(select: exp.Select, tables: Sequence[Table]) -> tuple[Scope, list[exp.Expr]]:
    answer = functools.partial(_answer, tables=tables)
    source = select.args.get("from_")
    if source is None:
        return Scope(tables, lang.All(tables[0].name if len(tables) > 1 else None), (), answer), []
    if not isinstance(source.this, exp.Subquery):
        return table_scope(select, tables, answer)
    if select.args.get("joins"):
        raise refused("a join with a SELECT", select)
    scope = _inner_scope(source.this, tables)
    clause = select.args.get("where")
    return scope, conjuncts(clause and clause.this)


def _inner_scope(subquery: exp.Subquery, tables: Sequence[Table]) -> Scope:
    """What is seen of a SELECT in FROM."""
    inner = _relation(subquery.this, tables)
    alias = subquery.alias.casefold()
    terms = [term(node.unalias(), inner.scope) for node in inner.expressions]
    columns = tuple(
        Column(alias, node.alias_or_name.casefold(), each, inner.scope.cells(each))
        for node, each in zip(inner.expressions, terms, strict=True)
    )
    rows = inner.rows
    if inner.distinct:
        if len(terms) != 1:
            raise refused("different rows of several fields", subquery)
        rows = lang.All(lang.Groups(terms[0], Aggregation.COUNT, None, rows))
    return Scope(tables, rows, columns, inner.scope.answer)


# Which rows.


def _narrowed(scope: Scope, nodes: Sequence[exp.Expr]) -> lang.Rows:
    """The rows that fulfil conditions, be it a place in the order of rows or a superlative."""
    places = [node for node in nodes if any(scope.is_rowid(part) for part in own(node, exp.Column))]
    if len(places) > 1:
        raise refused("two places in the order of rows", exp.and_(*places))
    rows = _place(places[0], scope) if places else scope.rows
    conditions = [condition(node, scope) for node in nodes if node not in places]
    for number, each in enumerate(conditions):
        others = where(rows, *conditions[:number], *conditions[number + 1 :])
        match each:
            case lang.Compare(by, Comparison.EQUAL, lang.Aggregate(aggregation, measured, among)):
                if aggregation in lang.END_OF and by == measured and _alike(others, among):
                    return lang.Extreme(lang.END_OF[aggregation], by, others)
    return where(rows, *conditions)


def _alike(rows: lang.Rows, others: lang.Rows) -> bool:
    """Whether rows are the same, in whatever order their conditions stand."""
    if isinstance(rows, lang.Where) and isinstance(others, lang.Where):
        return rows.rows == others.rows and set(parts(rows.condition)) == set(parts(others.condition))
    return rows == others


def _place(node: exp.Expr, scope: Scope) -> lang.Rows:
    """The rows whose number compares so: with that of other rows, or with a number."""
    if not scope.is_rowid(node.this):
        raise refused("the number of a row in this way", node)
    if isinstance(node, exp.In) and node.args.get("query"):
        return _numbered(node.args["query"], scope)
    number = literal(node.expression) if isinstance(node, exp.Binary) else None
    if isinstance(number, int):
        return _counted(node, number, scope.rows)
    if isinstance(node, exp.EQ):
        return _numbered(node.expression, scope)
    if isinstance(node, exp.GT | exp.LT) and isinstance(node.expression, exp.Subquery):
        step = Step.AFTER if isinstance(node, exp.GT) else Step.BEFORE
        return lang.Beside(step, _numbered(node.expression, scope))
    raise refused("the number of a row in this way", node)


def _counted(node: exp.Expr, number: int, rows: lang.Rows) -> lang.Rows:
    if isinstance(node, exp.EQ):
        return lang.Extreme(Direction.SMALLEST, None, rows, nth=number + 1)
    if not isinstance(node, exp.LT | exp.LTE | exp.GT | exp.GTE):
        raise refused("the number of a row in this way", node)
    count = number + isinstance(node, exp.LTE | exp.GT)
    first = lang.Extreme(Direction.SMALLEST, None, rows, count=count)
    return first if isinstance(node, exp.LT | exp.LTE) else lang.Beside(Step.AFTER, first)


def _numbered(node: exp.Expr, scope: Scope) -> lang.Rows:
    """The rows whose numbers an expression gives."""
    if isinstance(node, exp.Add | exp.Sub):
        steps = literal(node.expression)
        if not isinstance(steps, int):
            raise refused("the number of a row in this way", node)
        forward = (steps > 0) == isinstance(node, exp.Add)
        rows = _numbered(node.this, scope)
        for _ in range(abs(steps)):
            rows = lang.Beside(Step.NEXT if forward else Step.PREVIOUS, rows)
        return rows
    if not isinstance(node, exp.Subquery):
        raise refused("the number of a row in this way", node)
    inner = _relation(node.this, scope.tables)
    told = inner.expressions[0].unalias()
    if isinstance(told, exp.Min | exp.Max) and inner.scope.is_rowid(told.this):
        end = Direction.SMALLEST if isinstance(told, exp.Min) else Direction.LARGEST
        return lang.Extreme(end, None, inner.rows)
    if not inner.scope.is_rowid(told):
        raise refused("the number of a row in this way", node)
    return inner.rows


# In what order, and how many.


def _ordered(rows: lang.Rows, select: exp.Select, scope: Scope, distinct: bool) -> lang.Rows:
    """The rows that ORDER BY puts first, as many as LIMIT asks for."""
    order, limit = select.args.get("order"), select.args.get("limit")
    keys = order.expressions if order is not None else [exp.Ordered(this=exp.column(ROWID))]
    if limit is None:
        if order is not None:
            raise refused("the order of the whole answer", order)
        return rows
    offset = select.args.get("offset")
    count, skipped = _whole(limit), _whole(offset) if offset else 0
    several, hard = count > 1 or skipped > 0, distinct or len(keys) > 1
    if (several and hard) or (count > 1 and skipped > 0):
        raise refused("this part of an order", limit)
    *first, last = keys
    for key in first:
        rows = _extreme(key, rows, scope)
    return _extreme(last, rows, scope, skipped + 1, count)


def _whole(clause: exp.Expr) -> int:
    value = literal(clause.expression)
    if not isinstance(value, int):
        raise refused("a LIMIT that is no number", clause)
    return value


def _extreme(key: exp.Expr, rows: lang.Rows, scope: Scope, nth: int = 1, count: int = 1) -> lang.Extreme:
    by = None if scope.is_rowid(key.this) else term(key.this, scope)
    return lang.Extreme(direction(key), by, rows, nth, count)
