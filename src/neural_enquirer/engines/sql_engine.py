"""Engines that speak SQL: profile, find, run and rows, by SELECTs that are made of trees and by nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlglot import exp

from neural_enquirer.engines.engine import LIMITS, EngineError, Limits
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.relations import ROW_NUMBER, Relation
from neural_enquirer.engines.values import as_columns, as_values
from neural_enquirer.programs.language import (
    Aggregate,
    All,
    Cells,
    Combination,
    Condition,
    Constant,
    Exists,
    Field,
    Groups,
    Holds,
    OneOf,
    Program,
    ProgramError,
    Rows,
    Single,
    Where,
)
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.sql import sql_tree
from neural_enquirer.programs.types import TableScope, scope_of, source_of
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.profile import TableProfile

__all__ = ["SqlEngine"]

_CHANGES: Final = (exp.DDL, exp.DML, exp.Command, exp.Into, exp.Drop, exp.Lock, exp.Set)
"""What a statement that only reads has nowhere in it."""
Record = Sequence[Any]


class SqlEngine(ABC):
    """An engine that answers SELECTs.

    Attributes:
        dialect: sqlglot's name for its SQL.
        limits: what a question may take.
    """

    dialect: str

    def __init__(self, limits: Limits = LIMITS) -> None:
        """Keeps the limits."""
        self.limits = limits

    @abstractmethod
    def fetch(self, sql: str, most: int | None, seconds: float | None) -> list[Record]:
        """Runs one SELECT; hands over the first rows, or all."""

    @abstractmethod
    def version(self, relation: Relation) -> str | None:
        """What changes when the rows of a table do; None where that cannot be told."""

    def scattered(self, relation: Relation, share: float) -> exp.Expr | None:
        """What holds of about a share of all rows, wherever they are; None for those that come first."""
        return None

    def close(self) -> None:
        """Lets go of what it holds."""

    # What all engines can do.

    def profile(self, table: Table) -> TableProfile:
        """What is known of a table."""
        return _elsewhere(table).profile

    def find(self, table: Table, wanted: Sequence[Condition], most: int) -> Table:
        """The rows that fulfil some of several conditions, those that fulfil most of them first."""
        there = _elsewhere(table)
        tests = [self._test(condition, there) for condition in wanted]
        select = self._all_of(there).where(exp.or_(*(test.copy() for test in tests)))
        if len(tests) > 1:
            marks = [
                exp.Case().when(test, exp.Literal.number(1)).else_(exp.Literal.number(0)) for test in tests
            ]
            total: exp.Expr = marks[0]
            for mark in marks[1:]:
                total = exp.Add(this=total, expression=mark)
            select = select.order_by(exp.Ordered(this=total, desc=True))
        rows = self.select(select.limit(most), most)
        return there.with_rows(as_columns(there.fields, rows))

    def run(self, program: Program, tables: Sequence[Table]) -> Result:
        """Runs a program; parts of it are run where somebody asks for their values."""
        there = [_elsewhere(table) for table in tables]
        found: dict[Program, tuple[Value, ...]] = {}

        def values(part: Program) -> tuple[Value, ...]:
            if part not in found:
                found[part] = self._values(part, there)
            return found[part]

        return Result(values(program), (), (), parts=values)

    def rows(self, program: Program, tables: Sequence[Table], start: int, count: int) -> Table:
        """A page of the rows that a program's answer is made of."""
        there = [_elsewhere(table) for table in tables]
        rows = _own_rows(program)
        scope = scope_of(rows, tables)
        assert isinstance(scope, TableScope)
        several = len(scope.members) > 1
        fields = [(there[number], field) for number in scope.members for field in there[number].fields]
        terms = tuple(Field(field.name, table.name if several else None) for table, field in fields)
        tree = self._tree(Cells(terms, rows), there).limit(count).offset(start)
        columns = as_columns([field for _, field in fields], self.select(tree, count))
        headers = [f"{table.name} {field.name}" if several else field.name for table, field in fields]
        return Table.of_columns(headers, columns, there[scope.members[0]].name)

    def select(self, tree: exp.Query, most: int | None = None, seconds: float | None = None) -> list[Record]:
        """Runs a SELECT that was made here.

        Raises:
            EngineError: if it is anything else.
        """
        if not isinstance(tree, exp.Query) or tree.find(*_CHANGES):
            raise EngineError("only what reads is run, and this would do something else")
        limit = seconds if seconds is not None else self.limits.seconds
        return self.fetch(tree.sql(dialect=self.dialect), most, limit)

    # Statements.

    def _values(self, program: Program, tables: Sequence[EngineTable]) -> tuple[Value, ...]:
        most = self.limits.rows
        rows = self.select(self._tree(program, tables).limit(most + 1), most + 1)
        if len(rows) > most:
            raise ProgramError(f"the answer has more than {most:,} values; ask for fewer, or how many there are")
        return as_values(program, rows, tables)

    def _tree(self, program: Program, tables: Sequence[EngineTable]) -> exp.Select:
        """A program's SELECT, with the tables where they are."""
        tree = sql_tree(program, [table.whole or table for table in tables], self.dialect, (ROW_NUMBER,))
        numbered = any(column.name == ROW_NUMBER for column in tree.find_all(exp.Column))
        if numbered and any(table.relation.order is None for table in tables):
            raise ProgramError(
                "the rows have no order where they are kept, so that none is first, last or next; "
                "a key or a date that no two rows share would give them one"
            )
        places: dict[str, Callable[[], exp.Expr]] = {
            table.name: lambda table=table: self._place(table, numbered)  # type: ignore[misc]
            for table in tables
        }
        for node in list(tree.find_all(exp.Table)):
            if node.name in places:
                node.replace(places[node.name]())
        return tree

    def _place(self, table: EngineTable, numbered: bool = False) -> exp.Expr:
        return table.relation.tree(table.name, self.dialect, numbered)

    def _all_of(self, table: EngineTable) -> exp.Select:
        fields = [exp.column(exp.to_identifier(name, quoted=True)) for name in table.field_names]
        return exp.Select().select(*fields).from_(self._place(table))

    def _test(self, condition: Condition, table: EngineTable) -> exp.Expr:
        tree = sql_tree(Exists(Where(All(), condition)), [table.whole or table], self.dialect)
        test: exp.Expr = tree.args["where"].this
        return exp.Paren(this=test)


def _elsewhere(table: Table) -> EngineTable:
    if not isinstance(table, EngineTable):
        raise EngineError(f"{table.name} is not in the engine that is asked; ask tables of one engine together")
    return table


def _own_rows(program: Program) -> Rows:
    """The rows that an answer is made of; below groups, those that were grouped."""
    rows = _rows_of(program)
    if rows is None:
        raise ProgramError("the answer is made of no rows")
    source = source_of(rows)
    return _own_rows(Exists(source.rows)) if isinstance(source, Groups) else rows


def _rows_of(program: Program | Single | OneOf) -> Rows | None:
    match program:
        case Cells() | Aggregate() | Exists():
            return program.rows
        case Combination(_, left, right) | Holds(left, _, right):
            return _rows_of(left) or _rows_of(right)
        case Constant() | OneOf():
            return None
