"""GROUP BY as a table of groups with one measure, and what is asked of the groups."""

from dataclasses import dataclass, field
from typing import Final

from sqlglot import exp

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Comparison, Direction
from neural_enquirer.programs.sql_reading.answers import single
from neural_enquirer.programs.sql_reading.conditions import condition, where
from neural_enquirer.programs.sql_reading.rewriting import AGGREGATES
from neural_enquirer.programs.sql_reading.scope import Column, Scope, conjuncts, has, own, refused
from neural_enquirer.programs.sql_reading.terms import term

_GROUP: Final = "the group"
_MEASURE: Final = "measure "


def direction(key: exp.Expr) -> Direction:
    """Which end of its values a key of ORDER BY puts first; missing ones win in no program."""
    if key.args.get("nulls_first"):
        raise refused("NULLS FIRST", key)
    return Direction.LARGEST if key.args.get("desc") else Direction.SMALLEST


def grouped(select: exp.Select, scope: Scope, rows: lang.Rows) -> tuple[exp.Select, Scope, lang.Rows]:
    """A SELECT with GROUP BY as one without it, from a table of groups."""
    keys = _keys(select)
    having, order = select.args.pop("having", None), select.args.pop("order", None)
    asked, ordered = conjuncts(having and having.this), order.expressions if order is not None else []
    if not any(has(node, *AGGREGATES) for node in (*asked, *ordered, *select.expressions)):
        select.set("order", order)
        return select.distinct(), scope, where(rows, *(condition(node, scope) for node in asked))
    if len(keys) != 1:
        raise refused("groups by several fields", exp.Tuple(expressions=keys))
    grouping = _Grouping(keys[0], term(keys[0], scope), scope, rows)
    asked, ordered = ([grouping.marked(node) for node in nodes] for nodes in (asked, ordered))
    select.set("expressions", [_named(grouping.marked(node), node) for node in select.expressions])
    for number in range(len(grouping.measures) - 1):
        rows, asked, ordered = grouping.narrowed(number, rows, asked, ordered, select)
    inner = grouping.groups(len(grouping.measures) - 1, rows, ordered, select)
    if ordered:
        select.set("order", exp.Order(expressions=ordered))
    elif order is not None:  # there is one place, which another measure decided
        select.set("limit", None)
    return select, inner, where(inner.rows, *(condition(node, inner) for node in asked))


def _keys(select: exp.Select) -> list[exp.Expr]:
    group = select.args.pop("group")
    if group.args.get("all"):
        return [node.unalias() for node in select.expressions if not has(node, *AGGREGATES)]
    return list(group.expressions)


def _named(node: exp.Expr, before: exp.Expr) -> exp.Expr:
    """An expression under the name that it had before."""
    name = before.alias_or_name
    return exp.alias_(node.unalias(), name, quoted=True) if name and name != "*" else node


@dataclass(frozen=True)
class _Grouping:
    """What rows are grouped by, and all that is measured of the groups.

    A table of groups has one measure: where a SELECT has several, all but the last one are used to find out
    which groups are left.
    """

    key: exp.Expr
    by: lang.Term
    scope: Scope
    rows: lang.Rows
    measures: list[lang.Aggregate] = field(default_factory=list)

    def marked(self, node: exp.Expr) -> exp.Expr:
        """The expression with names for the group and its measures in their places."""
        holder = exp.Paren(this=node.copy())
        for part in list(own(holder, type(self.key), exp.Sub, *AGGREGATES)):
            if part.root() is not holder:  # it went with what it was a part of
                continue
            if has(part, *AGGREGATES):
                self._mark(part)
            elif type(part) is type(self.key) and term(part, self.scope) == self.by:
                part.replace(exp.column(_GROUP, quoted=True))
        return holder.this  # type: ignore[no-any-return]

    def _mark(self, part: exp.Expr) -> None:
        measure = single(part, self.scope, self.rows)
        if not isinstance(measure, lang.Aggregate):  # a difference of two measures
            return
        if measure not in self.measures:
            self.measures.append(measure)
        part.replace(_measure(self.measures.index(measure)))

    def groups(self, number: int, rows: lang.Rows, ordered: list[exp.Expr], select: exp.Select) -> Scope:
        """What is seen of the table of groups with one of the measures."""
        measure = self.measures[number]
        if measure.rows != self.rows:
            if rows != self.rows or not _wins(number, measure, ordered, select):
                raise refused("a measure of some rows of each group", select)
            rows = measure.rows
        columns = (
            Column("", _GROUP, self.by, self.scope.cells(self.by)),
            Column("", _measure(number).name, lang.Measure()),
        )
        groups = lang.Groups(self.by, measure.aggregation, measure.term, rows)
        return Scope(self.scope.tables, lang.All(groups), columns, self.scope.answer)

    def narrowed(
        self, number: int, rows: lang.Rows, asked: list[exp.Expr], ordered: list[exp.Expr], select: exp.Select
    ) -> tuple[lang.Rows, list[exp.Expr], list[exp.Expr]]:
        """The rows of the groups that one measure leaves, and what is left for others to ask."""
        inner = self.groups(number, rows, ordered, select)
        name = _measure(number)
        mine = [node for node in asked if list(own(node, exp.Column)) == [name]]
        picked = where(inner.rows, *(condition(node, inner) for node in mine))
        if ordered and ordered[0].this == name and _asks_for_one(select):
            picked, ordered = lang.Extreme(direction(ordered[0]), lang.Measure(), picked), ordered[1:]
        elif not mine:
            raise refused("a second measure of groups", select)
        rows = where(rows, lang.Compare(self.by, Comparison.EQUAL, lang.Cells((self.by,), picked)))
        return rows, [node for node in asked if node not in mine], ordered


def _measure(number: int) -> exp.Column:
    return exp.column(f"{_MEASURE}{number}", quoted=True)


def _wins(number: int, measure: lang.Aggregate, ordered: list[exp.Expr], select: exp.Select) -> bool:
    """Whether only groups can win of which some rows are measured, so that others need not be there."""
    if not ordered or ordered[0].this != _measure(number) or select.args.get("limit") is None:
        return False
    return measure.aggregation is not Aggregation.COUNT or direction(ordered[0]) is Direction.LARGEST


def _asks_for_one(select: exp.Select) -> bool:
    limit = select.args.get("limit")
    return limit is not None and limit.expression.name == "1" and select.args.get("offset") is None
