"""What the names of tables and columns in a SELECT stand for, and how its tables are joined."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlglot import exp

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.programs.types import Scope as TypeScope
from neural_enquirer.programs.types import kind_of, scope_of
from neural_enquirer.tables import FieldType, Table, Value

ROWID: Final = "rowid"
_LONGEST: Final = 100

_Kind = TypeVar("_Kind", bound=exp.Expr)


def refused(what: str, node: exp.Expr) -> ProgramError:
    """The error that says what part of SQL has no program."""
    sql = " ".join(node.sql("duckdb").split())
    shown = sql if len(sql) <= _LONGEST else sql[: _LONGEST - 1] + "…"
    return ProgramError(f"{what} cannot be said in a program: {shown}")


def own(node: exp.Expr, *kinds: type[_Kind]) -> Iterator[_Kind]:
    """The parts of these kinds that an expression has itself, not in a SELECT within it."""
    walk = node.walk(prune=lambda part: isinstance(part, exp.Query))
    return (part for part in walk if isinstance(part, kinds))


def has(node: exp.Expr, *kinds: type[exp.Expr]) -> bool:
    """Whether an expression has such a part itself."""
    return any(True for _ in own(node, *kinds))


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """What must hold together, taken apart."""
    if node is None:
        return []
    return list(node.flatten()) if isinstance(node, exp.And) else [node]


@dataclass(frozen=True)
class Column:
    """What a column's name stands for, with the table's and its own name without case."""

    table: str
    name: str
    term: lang.Term
    cells: tuple[Value | None, ...] = ()


@dataclass(frozen=True)
class Scope:
    """What an expression of a SELECT sees."""

    tables: Sequence[Table]
    rows: lang.Rows
    """The rows before any condition."""
    columns: tuple[Column, ...]
    answer: Callable[[exp.Expr], lang.Program]
    """The program of a SELECT within."""

    def column(self, node: exp.Column) -> Column:
        """What a column's name stands for."""
        found = self._find(node)
        if found is None:
            raise ProgramError(f"there is no column {node.sql('duckdb')}")
        return found

    def is_rowid(self, node: exp.Expr) -> bool:
        """Whether this is the number of the row, which tables have without a column for it."""
        if not isinstance(node, exp.Column) or self._find(node) is not None:
            return False
        return node.name.casefold() == ROWID

    def kind(self, term: lang.Term) -> FieldType:
        """What a term's values are."""
        return kind_of(term, self._types)

    def cells(self, term: lang.Term) -> tuple[Value | None, ...]:
        """The cells of a term that is a field."""
        return next((column.cells for column in self.columns if column.term == term), ())

    @functools.cached_property
    def _types(self) -> TypeScope:
        return scope_of(self.rows, self.tables)

    def _find(self, node: exp.Column) -> Column | None:
        """The first column of this name: where USING merges two, it is the left one."""
        table, name = node.table.casefold(), node.name.casefold()
        named = (column for column in self.columns if column.name == name)
        return next((column for column in named if table in ("", column.table)), None)


@dataclass(frozen=True)
class _Member:
    """A table under the name that a SELECT gives it."""

    alias: str
    table: Table

    def field(self, node: exp.Column) -> str | None:
        """The table's own spelling of a column, if it has it."""
        if node.table.casefold() not in ("", self.alias):
            return None
        return next(
            (name for name in self.table.field_names if name.casefold() == node.name.casefold()), None
        )


def table_scope(
    select: exp.Select, tables: Sequence[Table], answer: Callable[[exp.Expr], lang.Program]
) -> tuple[Scope, list[exp.Expr]]:
    """The scope of a SELECT from tables, and the conditions that remain for its rows.

    Equalities between two tables, in WHERE as in ON, become what the tables are joined by.
    """
    where = select.args.get("where")
    conditions = conjuncts(where and where.this)
    members = [_member(select.args["from_"].this, tables)]
    source: lang.Source = members[0].table.name if len(tables) > 1 else None
    for join in select.args.get("joins") or ():
        right = _member(join.this, tables)
        shared, conditions = _shared(join, members, right, conditions)
        source = lang.Join(source, right.table.name, shared)
        members.append(right)
    columns = tuple(
        Column(member.alias, name.casefold(), _field(name, member, members), cells)
        for member in members
        for name, cells in zip(member.table.field_names, member.table.columns, strict=True)
    )
    return Scope(tables, lang.All(source), columns, answer), conditions


def _member(node: exp.Expr, tables: Sequence[Table]) -> _Member:
    """The table that SQL names; a table alone may have any name."""
    plain = {name for name, value in node.args.items() if value} <= {"this", "alias"}
    if not plain or not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        raise refused("this source of rows", node)
    found = [table for table in tables if table.name.casefold() == node.name.casefold()]
    if not found and len(tables) == 1:
        found = list(tables)
    if len(found) != 1:
        known = ", ".join(table.name for table in tables)
        raise ProgramError(f"there is no table {node.name}; there are {known}")
    return _Member(node.alias_or_name.casefold(), found[0])


def _shared(
    join: exp.Join, members: Sequence[_Member], right: _Member, conditions: list[exp.Expr]
) -> tuple[tuple[tuple[lang.Field, lang.Field], ...], list[exp.Expr]]:
    """What a table is joined by, and the conditions of ON and WHERE that are left."""
    if join.side or join.method or join.kind not in ("", "INNER", "CROSS"):
        raise refused(f"a join of this kind ({' '.join(filter(None, (join.side, join.kind)))})", join)
    equals = [
        exp.column(key.name, member.alias, quoted=True).eq(exp.column(key.name, right.alias, quoted=True))
        for key in join.args.get("using") or ()
        for member in members
        if member.field(exp.column(key.name)) is not None
    ]
    pool: list[exp.Expr] = [*equals, *conjuncts(join.args.get("on")), *conditions]
    pairs = [_pair(node, members, right) for node in pool]
    shared = tuple(pair for pair in pairs if pair is not None)
    if not shared:
        raise refused("a join without equal fields", join)
    return shared, [node for node, pair in zip(pool, pairs, strict=True) if pair is None]


def _pair(node: exp.Expr, members: Sequence[_Member], right: _Member) -> tuple[lang.Field, lang.Field] | None:
    """The fields that an equality joins by, if it does."""
    if not isinstance(node, exp.EQ):
        return None
    for one, other in ((node.this, node.expression), (node.expression, node.this)):
        if not isinstance(one, exp.Column) or not isinstance(other, exp.Column):
            return None
        name = right.field(other)
        lefts = [(left, member) for member in members if (left := member.field(one)) is not None]
        if name is not None and lefts:
            return _field(*lefts[0], members), lang.Field(name)
    return None


def _field(name: str, member: _Member, members: Sequence[_Member]) -> lang.Field:
    """A field, with its table where another one has a field of this name."""
    alone = sum(name in each.table.field_names for each in members) == 1
    return lang.Field(name, None if alone else member.table.name)
