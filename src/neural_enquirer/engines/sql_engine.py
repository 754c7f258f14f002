"""Engines that speak SQL: profile, find, run and rows, by SELECTs made of trees and by nothing else."""

import contextlib
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final

from sqlglot import exp

from neural_enquirer.engines.engine import LIMITS, Engine, EngineError, Limits, own_rows
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.relations import ROW_NUMBER, Relation
from neural_enquirer.engines.stamps import files_stamp
from neural_enquirer.engines.values import as_columns, as_values, folded
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Comparison, ProgramError
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.sql import sql_tree
from neural_enquirer.programs.sql_dialects import like
from neural_enquirer.programs.types import TableScope, scope_of
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.profile import TableProfile

_PLAIN: Final = {"ø": "o"}
_CHANGES: Final = (exp.DDL, exp.DML, exp.Command, exp.Into, exp.Drop, exp.Lock, exp.Set)
"""What a statement that only reads has nowhere in it."""
_ACCENTED: Final = "àáâãäåāăąçćčďèéêëēęěģìíîïīįķļĺľñńňòóôõöøōőřŕśšşťţùúûüūůűųýÿžźż"
_LETTERS: Final = (
    _ACCENTED,
    "".join(_PLAIN.get(letter, unicodedata.normalize("NFD", letter)[0]) for letter in _ACCENTED),
)
"""Letters with accents, and the same without."""
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

    def version(self, relation: Relation) -> str | None:
        """What changes when the rows of a table do; None where that cannot be told."""
        return files_stamp(relation.paths) if relation.paths else None

    def row_sum(self, cells: list[exp.Expr]) -> exp.Expr | None:
        """A whole number made of all cells of a row; None where the engine cannot say it."""
        return None

    def scattered(self, relation: Relation, share: float) -> exp.Expr | None:
        """What holds of about a share of all rows, always the same ones; None where that cannot be said."""
        cells = [exp.column(column.field.name, quoted=True) for column in relation.columns]
        total = self.row_sum([*cells])
        if total is None:
            return None
        rest = exp.Mod(this=total, expression=exp.Literal.number(max(1, round(1 / share))))
        return exp.EQ(this=rest, expression=exp.Literal.number(0))

    def is_beside(self, other: Engine) -> bool:
        """Whether tables of another engine are in the same place, so that they can be asked together."""
        return self is other

    def close(self) -> None:  # noqa: B027  # some hold nothing
        """Lets go of what it holds."""

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # such as one that could not be opened
            self.close()

    # What all engines can do.

    def profile(self, table: Table) -> TableProfile:
        """What is known of a table."""
        return _elsewhere(table).profile

    def find(self, table: Table, wanted: Sequence[lang.Condition], most: int) -> Table:
        """For each of several conditions, some rows that fulfil it: those that are found first."""
        there = _elsewhere(table)
        rows: list[Record] = []
        for condition in wanted:
            tree = self._all_of(there).where(self.test(condition, there)).limit(most)
            rows += self.select(tree, most)
        return there.with_rows(as_columns(there.fields, rows))

    def look_up(
        self,
        table: Table,
        fields: Sequence[lang.Field],
        words: Sequence[str],
        most: int,
        whole: Sequence[str] = (),
    ) -> Table:
        """Rows whose texts in some fields are one of some texts, then those that have one of some words."""
        there = _elsewhere(table)
        texts = [self.folded(exp.column(field.name, quoted=True)) for field in fields]
        named = [exp.Literal.string(folded(each)) for each in whole]
        equal = [exp.In(this=text.copy(), expressions=named) for text in texts] if named else []
        parts = [like(text.copy(), Comparison.CONTAINS, word, "") for text in texts for word in words]
        tree = self._all_of(there).where(exp.or_(*equal, *parts))
        if equal and parts:
            first = exp.Case().when(exp.or_(*equal), exp.Literal.number(0)).else_(exp.Literal.number(1))
            tree = tree.order_by(exp.Ordered(this=first))
        rows = self.select(tree.limit(most), most)
        return there.with_rows(as_columns(there.fields, rows))

    def folded(self, text: exp.Expr) -> exp.Expr:
        """A text in small letters without accents."""
        letters = [exp.Literal.string(some) for some in _LETTERS]
        return exp.Anonymous(this="TRANSLATE", expressions=[exp.Lower(this=text), *letters])

    def run(self, program: lang.Program, tables: Sequence[Table]) -> Result:
        """Runs a program; parts of it are run where somebody asks for their values."""
        there = [_elsewhere(table) for table in tables]
        found: dict[lang.Program, tuple[Value, ...]] = {}

        def values(part: lang.Program) -> tuple[Value, ...]:
            if part not in found:
                found[part] = self._values(part, there)
            return found[part]

        return Result(values(program), (), (), parts=values)

    def rows(self, program: lang.Program, tables: Sequence[Table], start: int, count: int) -> Table:
        """A page of the rows that a program's answer is made of."""
        there = [_elsewhere(table) for table in tables]
        rows = own_rows(program)
        scope = scope_of(rows, tables)
        assert isinstance(scope, TableScope)
        several = len(scope.members) > 1
        fields = [(there[number], field) for number in scope.members for field in there[number].fields]
        terms = tuple(lang.Field(field.name, table.name if several else None) for table, field in fields)
        tree = self._tree(lang.Cells(terms, rows), there).limit(count).offset(start)
        columns = as_columns([field for _, field in fields], self.select(tree, count))
        headers = [f"{table.name} {field.name}" if several else field.name for table, field in fields]
        return Table.of_columns(headers, columns, there[scope.members[0]].name)

    def rows_tree(self, rows: lang.Rows, tables: Sequence[Table], number: int) -> exp.Select:
        """A SELECT of the rows of one table that a step of a program keeps; below groups, what is grouped.

        Raises:
            ProgramError: if the step is about other tables, or cannot be said.
        """
        there = [_elsewhere(table) for table in tables]
        own = own_rows(lang.Exists(rows))
        scope = scope_of(own, tables)
        assert isinstance(scope, TableScope)
        table = there[number]
        if number not in scope.members:
            raise ProgramError(f"the step is not about {table.name}")
        source = table.name if len(scope.members) > 1 else None
        tree = self._tree(
            lang.Cells(tuple(lang.Field(name, source) for name in table.field_names), own), there
        )
        columns = zip(tree.expressions, table.field_names, strict=True)
        named = [exp.alias_(each.unalias(), name, quoted=True) for each, name in columns]
        return tree.select(*named, append=False)

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

    def _values(self, program: lang.Program, tables: Sequence[EngineTable]) -> tuple[Value, ...]:
        most = self.limits.rows
        rows = self.select(self._tree(program, tables).limit(most + 1), most + 1)
        if len(rows) > most:
            raise ProgramError(
                f"the answer has more than {most:,} values; ask for fewer, or how many there are"
            )
        return as_values(program, rows, tables)

    def _tree(self, program: lang.Program, tables: Sequence[EngineTable]) -> exp.Select:
        """A program's SELECT, with the tables where they are."""
        tree = sql_tree(program, [table.listed for table in tables], self.dialect, (ROW_NUMBER,))
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
        fields = [exp.column(name, quoted=True) for name in table.field_names]
        return exp.Select().select(*fields).from_(self._place(table))

    def test(self, condition: lang.Condition, table: EngineTable) -> exp.Expr:
        """A condition on the rows of a table in SQL."""
        tree = sql_tree(lang.Exists(lang.Where(lang.All(), condition)), [table.listed], self.dialect)
        test: exp.Expr = tree.args["where"].this
        return test


def _elsewhere(table: Table) -> EngineTable:
    if not isinstance(table, EngineTable):
        raise EngineError(
            f"{table.name} is not in the engine that is asked; ask tables of one engine together"
        )
    return table
