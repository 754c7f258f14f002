"""Programs in SQL, as sqlglot's tree: DuckDB, SQLite, PostgreSQL, Spark, and what else sqlglot speaks.

The SQL says what the program says, ties and missing cells included. A cell that is missing in an answer comes
out as NULL and is to be dropped. SQLite needs the functions of :mod:`neural_enquirer.programs.sqlite` for
medians and for numbers in texts.
"""

import dataclasses
import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from neural_enquirer.programs import language as lang
from neural_enquirer.programs import sql_dialects
from neural_enquirer.programs.language import Aggregation, Comparison, Direction, Part, ProgramError, Step
from neural_enquirer.programs.sql_dialects import Term
from neural_enquirer.programs.sql_shapes import (
    is_plain,
    looks_in_cells,
    measure_name,
    opposite,
    plain_groups,
    unlike,
)
from neural_enquirer.programs.types import GroupScope, Scope, TableScope, check, scope_of, value_kind
from neural_enquirer.tables import FieldType, Table

_ROW_ORDER: Final = {"duckdb": ("rowid",), "sqlite": ("rowid", "_rowid_", "oid")}
"""What the column is called that counts a table's rows, where the dialect has one."""


def to_sql(
    program: lang.Program, tables: Sequence[Table], dialect: str = "duckdb", pretty: bool = False
) -> str:
    """The program as one SQL statement.

    Raises:
        ProgramError: if the program does not fit the tables, or the dialect cannot say it.
    """
    return sql_tree(program, tables, dialect).sql(dialect=dialect, pretty=pretty, copy=False)


def sql_tree(
    program: lang.Program,
    tables: Sequence[Table],
    dialect: str = "duckdb",
    order: Sequence[str] | None = None,
) -> exp.Select:
    """The program as sqlglot's tree, ready for one dialect; `order` names a column that counts the rows."""
    check(program, tables)
    check_dialect(dialect)
    orders = _ROW_ORDER.get(dialect, ()) if order is None else order
    return _Writer(tables, dialect, orders).statement(program)


def check_dialect(dialect: str) -> None:
    """Raises ProgramError where there is no dialect of this name."""
    if not is_dialect(dialect):
        some = "duckdb, sqlite, postgres, mysql, spark, bigquery, snowflake and tsql"
        raise ProgramError(f"unknown SQL dialect '{dialect}'; there are {some}, and others")


def is_dialect(name: str) -> bool:
    """Whether there is a dialect of this name."""
    try:
        Dialect.get_or_raise(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _Relation:
    """Rows on their way to a SELECT."""

    source: lang.Source
    scope: Scope
    conditions: tuple[exp.Expr, ...] = ()
    order: tuple[exp.Ordered, ...] = ()

    def where(self, *conditions: exp.Expr) -> "_Relation":
        return dataclasses.replace(self, conditions=(*self.conditions, *conditions))


class _Writer:
    """Writes one statement; tables of groups that are needed more than once stand before it, under a name."""

    def __init__(self, tables: Sequence[Table], dialect: str, orders: Sequence[str]) -> None:
        self._tables, self._dialect, self._orders = tables, dialect, orders
        self._named: dict[lang.Groups, _Named] = {}

    def statement(self, program: lang.Program) -> exp.Select:
        select = self._statement(program)
        for named in self._named.values():
            select = select.with_(exp.to_identifier(named.name), as_=named.select)
        return select

    def _statement(self, program: lang.Program) -> exp.Select:
        match program:
            case lang.Exists(rows):
                count = exp.Count(this=exp.Star())
                return self._select(self._rows(rows), exp.GT(this=count, expression=exp.Literal.number(0)))
            case lang.Holds(
                lang.Cells(distinct=False) | lang.Aggregate() as left,
                comparison,
                lang.Constant() | lang.OneOf() as right,
            ):
                relation, value = self._told(left)
                return self._select(relation, self._compared(value, comparison, right))
            case lang.Holds(left, comparison, lang.Cells() | lang.Aggregate() | lang.Combination() as right):
                return exp.Select().select(self._pair(self._single(left), comparison, self._single(right)))
            case lang.Holds(left, comparison, right):
                return exp.Select().select(self._compared(self._single(left), comparison, right))
            case lang.Cells(terms, rows, distinct):
                return self._cells(terms, rows, distinct)
            case lang.Aggregate():
                relation, value = self._told(program)
                return self._select(relation, value.tree)
            case lang.Combination():
                return self._combination(program)
        assert_never(program)

    def _cells(self, terms: Sequence[lang.Term], rows: lang.Rows, distinct: bool) -> exp.Select:
        grouped = plain_groups(rows)
        if grouped is not None:
            select = self._grouped(terms, *grouped)
            return select.distinct() if distinct else select
        relation = self._rows(rows)
        select = self._select(relation, *(self._term(term, relation).tree for term in terms))
        if distinct:
            return select.distinct()
        return select.order_by(*relation.order) if relation.order else select

    def _combination(self, program: lang.Combination) -> exp.Select:
        """Two values; two of the same rows, one of them under a further condition, take one SELECT."""
        left, right = program.left, program.right
        match left, right:
            case lang.Aggregate(one, term, lang.Where(narrow, condition)), lang.Aggregate(
                other, second, wide
            ) if narrow == wide and one is not Aggregation.RANGE and is_plain(condition):
                relation = self._rows(wide)
                value = self._aggregated(one, term, relation)
                kept = exp.Where(this=self._condition(condition, relation))
                first = dataclasses.replace(value, tree=exp.Filter(this=value.tree, expression=kept))
                both = first, self._aggregated(other, second, relation)
            case lang.Aggregate(one, term, rows), lang.Aggregate(other, second, same) if rows == same:
                relation = self._rows(rows)
                both = self._aggregated(one, term, relation), self._aggregated(other, second, relation)
            case _:
                tree = self._single(program).tree
                return exp.Select().select(tree)
        return self._select(relation, sql_dialects.combined(program.operation, *both).tree)

    # Single values.

    def _single(self, single: lang.Single) -> Term:
        match single:
            case lang.Constant(constant):
                timed = isinstance(constant, datetime.datetime)
                tree = sql_dialects.literal(constant, self._dialect, timed)
                return Term(tree, value_kind(constant), timed, gaps=False)
            case lang.Cells() | lang.Aggregate():
                relation, value = self._told(single)
                if isinstance(single, lang.Cells) and value.gaps:
                    relation = relation.where(sql_dialects.is_present(value.tree.copy()))
                select = self._select(relation, value.tree)
                distinct = isinstance(single, lang.Cells) and single.distinct
                tree = (select.distinct() if distinct else select).subquery(copy=False)
                return Term(tree, value.type, value.timed)
            case lang.Combination(operation, left, right):
                return sql_dialects.combined(operation, self._single(left), self._single(right))
        assert_never(single)

    def _told(self, part: lang.Cells | lang.Aggregate) -> tuple[_Relation, Term]:
        """The rows that a part is about, and what it tells of them."""
        relation = self._rows(part.rows)
        if isinstance(part, lang.Aggregate):
            return relation, self._aggregated(part.aggregation, part.term, relation)
        return relation, self._term(part.terms[0], relation)

    def _aggregated(self, aggregation: Aggregation, term: lang.Term | None, relation: _Relation) -> Term:
        inner = None if term is None else self._term(term, relation)
        tree = sql_dialects.aggregation(aggregation, inner, self._dialect)
        if inner is not None and aggregation in lang.END_OF:
            return Term(tree, inner.type, inner.timed)
        return Term(tree, FieldType.NUMBER)

    # Rows.

    def _rows(self, rows: lang.Rows) -> _Relation:
        match rows:
            case lang.All(source):
                return _Relation(source, scope_of(rows, self._tables))
            case lang.Where(inner, condition):
                relation = self._rows(inner)
                parts = condition.parts if isinstance(condition, lang.And) else (condition,)
                return relation.where(*(self._condition(part, relation) for part in parts))
            case lang.Extreme(_, _, inner):
                return self._extreme(rows, self._rows(inner))
            case lang.Beside(step, inner):
                return self._beside(step, self._rows(inner))
        assert_never(rows)

    def _extreme(self, extreme: lang.Extreme, relation: _Relation) -> _Relation:
        ordinal = extreme.by is None
        by = self._order() if extreme.by is None else self._term(extreme.by, relation)
        last = extreme.direction is Direction.LARGEST
        if extreme.nth == extreme.count == 1:
            best = self._select(relation, (exp.Max if last else exp.Min)(this=by.tree.copy()))
            return relation.where(exp.EQ(this=by.tree, expression=best.subquery(copy=False)))
        present = relation.where(sql_dialects.is_present(by.tree.copy())) if by.gaps else relation
        ordered = self._select(present, by.tree.copy()).order_by(_ordered(by.tree, last))
        if extreme.nth > 1:
            nth = ordered.limit(1).offset(extreme.nth - 1).subquery(copy=False)
            return relation.where(exp.EQ(this=by.tree, expression=nth))
        if ordinal:
            found = ordered.limit(extreme.count).subquery(copy=False)
            return relation.where(exp.In(this=by.tree, query=found))
        top = exp.alias_(ordered.expressions[0], "value")
        listed = ordered.select(top, append=False).limit(extreme.count).subquery("best")
        bound = (exp.Min if last else exp.Max)(this=exp.column("value"))
        least = exp.Select().select(bound).from_(listed).subquery(copy=False)
        kept = relation.where((exp.GTE if last else exp.LTE)(this=by.tree, expression=least))
        return dataclasses.replace(kept, order=(_ordered(by.tree, last),))

    def _beside(self, step: Step, relation: _Relation) -> _Relation:
        order, everything = self._order().tree, _Relation(relation.source, relation.scope)
        if step in (Step.NEXT, Step.PREVIOUS):
            beside = exp.Add if step is Step.NEXT else exp.Sub
            numbers = beside(this=order.copy(), expression=exp.Literal.number(1))
            found = self._select(relation, numbers).subquery(copy=False)
            return everything.where(exp.In(this=order, query=found))
        end, beyond = (exp.Max, exp.GT) if step is Step.AFTER else (exp.Min, exp.LT)
        edge = self._select(relation, end(this=order.copy())).subquery(copy=False)
        return everything.where(beyond(this=order, expression=edge))

    def _order(self) -> Term:
        """The column that counts a table's rows."""
        names = {name.lower() for table in self._tables for name in table.field_names}
        order = next((name for name in self._orders if name not in names), None)
        if order is None:
            raise ProgramError(f"rows have no order in {self._dialect}, so that none is first, last or next")
        return Term(exp.column(order), FieldType.NUMBER, gaps=False)

    # SELECTs.

    def _select(self, relation: _Relation, *expressions: exp.Expr) -> exp.Select:
        select = exp.Select().select(*expressions, copy=False)
        select = self._from(select, relation.source)
        conditions = [condition.copy() for condition in relation.conditions]
        return select.where(*conditions, copy=False) if conditions else select

    def _from(self, select: exp.Select, source: lang.Source) -> exp.Select:
        match source:
            case lang.Groups():
                return select.from_(exp.Table(this=exp.to_identifier(self._groups(source).name)), copy=False)
            case lang.Join(left, right, on):
                pairs = [self._shared(left, one, right, two) for one, two in on]
                return self._from(select, left).join(self._table(right), on=exp.and_(*pairs), copy=False)
            case _:
                return select.from_(self._table(source), copy=False)

    def _shared(self, left: lang.Source, one: lang.Field, right: str, other: lang.Field) -> exp.Expr:
        """That two joined rows agree in a field."""
        scopes = scope_of(lang.All(left), self._tables), scope_of(lang.All(right), self._tables)
        first, second = (
            self._field(field, scope, qualified=True)
            for field, scope in zip((one, other), scopes, strict=True)
        )
        return self._pair(first, Comparison.EQUAL, second)

    def _table(self, name: str | None) -> exp.Table:
        name = self._tables[0].name if name is None else name
        return exp.Table(this=sql_dialects.identifier(name, self._dialect))

    def _groups(self, groups: lang.Groups) -> "_Named":
        """A table of groups that stands before the statement."""
        if groups not in self._named:
            select = self._grouped((groups.by, lang.Measure()), groups, ())
            taken = {table.name.lower() for table in self._tables}
            taken |= {named.name for named in self._named.values()}
            by = groups.by.name if isinstance(groups.by, lang.Field) else "value"
            measure = unlike(measure_name(groups), {by.lower()})
            columns = [
                exp.alias_(tree, sql_dialects.identifier(name, self._dialect))
                for tree, name in zip(select.expressions, (by, measure), strict=True)
            ]
            if isinstance(groups.by, lang.Field) and groups.by.table is None:
                columns[0] = select.expressions[0]
            relation = self._rows(groups.rows)
            of_by = self._term(groups.by, relation)
            of_measure = self._aggregated(groups.aggregation, groups.term, relation)
            self._named[groups] = _Named(
                groups,
                dataclasses.replace(of_by, tree=self._column(by), gaps=False),
                dataclasses.replace(of_measure, tree=self._column(measure)),
                unlike("groups", taken),
                select.select(*columns, append=False),
            )
        return self._named[groups]

    def _grouped(
        self, terms: Sequence[lang.Term], groups: lang.Groups, conditions: Sequence[lang.Condition]
    ) -> exp.Select:
        """The SELECT of a table of groups, with conditions on their measure or value."""
        relation = self._rows(groups.rows)
        by = self._term(groups.by, relation)
        if by.gaps:
            relation = relation.where(sql_dialects.is_present(by.tree.copy()))
        measure = self._aggregated(groups.aggregation, groups.term, relation)
        inside = _Groups(groups, by, measure)
        select = self._select(relation, *(self._term(term, inside).tree for term in terms))
        having = [self._condition(condition, inside) for condition in conditions]
        select = select.group_by(by.tree.copy())
        return select.having(*having) if having else select

    # Conditions.

    def _condition(self, condition: lang.Condition, relation: "_Relation | _Groups") -> exp.Expr:
        match condition:
            case lang.Compare(term, comparison, operand):
                if isinstance(operand, lang.Field | lang.Measure | lang.PartOf | lang.Arithmetic):
                    return self._pair(self._term(term, relation), comparison, self._term(operand, relation))
                return self._compared(self._term(term, relation), comparison, operand)
            case lang.Between(term, low, high):
                inner = self._term(term, relation)
                bounds = [
                    sql_dialects.literal(each.value, self._dialect, inner.timed) for each in (low, high)
                ]
                return exp.Between(this=inner.tree, low=bounds[0], high=bounds[1])
            case lang.Missing(term):
                return exp.Is(this=self._term(term, relation).tree, expression=exp.Null())
            case lang.Not(lang.Missing(term)):
                return sql_dialects.is_present(self._term(term, relation).tree)
            case lang.Not(part) if looks_in_cells(part):
                return self._condition(opposite(part), relation)
            case lang.Not(part):
                return exp.not_(self._condition(part, relation), copy=False)
            case lang.And(parts):
                return exp.and_(*(self._condition(part, relation) for part in parts), copy=False)
            case lang.Or(parts):
                return exp.or_(*(self._condition(part, relation) for part in parts), copy=False)
        assert_never(condition)

    def _compared(self, left: Term, comparison: Comparison, right: lang.Single | lang.OneOf) -> exp.Expr:
        match right:
            case lang.Constant(str(part)) if comparison.of_text:
                return sql_dialects.like(left.tree, comparison, part, self._dialect)
            case lang.Constant(value):
                return sql_dialects.compare(
                    left.tree, comparison, sql_dialects.literal(value, self._dialect, left.timed)
                )
            case lang.OneOf(values):
                literals = [sql_dialects.literal(each.value, self._dialect, left.timed) for each in values]
                found = exp.In(this=left.tree, expressions=literals)
                return exp.not_(found) if comparison is Comparison.DIFFERS else found
            case lang.Cells((term,), rows):
                return self._compared_with_cells(left, comparison, term, rows)
        return self._pair(left, comparison, self._single(right))

    def _pair(self, left: Term, comparison: Comparison, right: Term) -> exp.Expr:
        one, other = sql_dialects.alike(left, right, self._dialect)
        return sql_dialects.compare(one, comparison, other)

    def _compared_with_cells(
        self, left: Term, comparison: Comparison, term: lang.Term, rows: lang.Rows
    ) -> exp.Expr:
        """Equal to one of the cells, different from all, more or less than every one."""
        relation = self._rows(rows)
        inner = self._term(term, relation)
        own, other = sql_dialects.alike(left, inner, self._dialect)
        if comparison is Comparison.EQUAL:
            return exp.In(this=own, query=self._select(relation, other).subquery(copy=False))
        if comparison is Comparison.DIFFERS:
            if inner.gaps:
                relation = relation.where(sql_dialects.is_present(inner.tree.copy()))
            found = exp.In(this=own, query=self._select(relation, other).subquery(copy=False))
            differs = exp.not_(found)
            return exp.and_(sql_dialects.is_present(left.tree.copy()), differs) if left.gaps else differs
        least = comparison in (Comparison.LESS, Comparison.AT_MOST)
        bound = (exp.Min if least else exp.Max)(this=other)
        return sql_dialects.compare(own, comparison, self._select(relation, bound).subquery(copy=False))

    # Terms.

    def _term(self, term: lang.Term, relation: "_Relation | _Groups") -> Term:
        inside = relation
        if isinstance(relation, _Relation) and isinstance(relation.scope, GroupScope):
            inside = self._groups(relation.scope.groups)
        known = inside.known(term) if isinstance(inside, _Groups) else None
        if known is not None:
            return known
        match term:
            case lang.Constant():
                return self._single(term)
            case lang.PartOf(Part.AMOUNT, lang.Field() as field) if isinstance(relation, _Relation):
                text = self._term(field, relation)
                return sql_dialects.amount(text, field, relation.scope, self._dialect)
            case lang.PartOf(part, inner):
                return sql_dialects.part(part, self._term(inner, relation), self._dialect)
            case lang.Arithmetic(operation, left, right):
                both = self._term(left, relation), self._term(right, relation)
                return sql_dialects.combined(operation, *both)
            case lang.Field() if isinstance(relation, _Relation) and isinstance(relation.scope, TableScope):
                return self._field(term, relation.scope, qualified=len(relation.scope.members) > 1)
        raise ProgramError("only a table of groups has a measure")

    def _column(self, name: str) -> exp.Column:
        return exp.Column(this=sql_dialects.identifier(name, self._dialect))

    def _field(self, field: lang.Field, scope: Scope, qualified: bool) -> Term:
        assert isinstance(scope, TableScope)
        home = scope.home(field)
        table, array = self._tables[home.table], self._tables[home.table].array(home.column)
        tree = self._column(field.name)
        if qualified:
            tree.set("table", sql_dialects.identifier(table.name, self._dialect))
        return Term(tree, array.type, array.timed, gaps=not array.present.all())


@dataclass(frozen=True)
class _Groups:
    """What can be said of groups: within the SELECT that makes them, or of the columns of a named one."""

    groups: lang.Groups
    by: Term
    measure: Term

    def known(self, term: lang.Term) -> Term | None:
        """What they are made by, or what was measured of them; None for anything else."""
        if term != self.groups.by and term != lang.Measure():
            return None
        own = self.by if term == self.groups.by else self.measure
        return dataclasses.replace(own, tree=own.tree.copy())


@dataclass(frozen=True)
class _Named(_Groups):
    """A table of groups that stands before the statement."""

    name: str
    select: exp.Select


def _ordered(tree: exp.Expr, descending: bool) -> exp.Ordered:
    return exp.Ordered(this=tree.copy(), desc=descending, nulls_first=False)
