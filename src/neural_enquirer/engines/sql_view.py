"""The rows of a table that an engine has, as people look at them: searched and ordered where they are."""

from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from neural_enquirer.engines.known import EngineTable
from neural_enquirer.engines.relations import ROW_NUMBER
from neural_enquirer.engines.sql_engine import Record, SqlEngine
from neural_enquirer.engines.values import as_columns, folded
from neural_enquirer.engines.wanted import Filter, Page, Wanted
from neural_enquirer.programs.language import Comparison
from neural_enquirer.programs.sql_dialects import compare, like
from neural_enquirer.tables import Field, FieldType, spelling

_ROWS: Final = "wanted"


class SqlView:
    """A view of one table; only the rows of a page ever leave the engine."""

    def __init__(self, table: EngineTable) -> None:
        """Takes the table."""
        assert isinstance(table.engine, SqlEngine)
        self._table, self._engine = table, table.engine

    def count(self, wanted: Wanted) -> int:
        """How many rows are wanted."""
        if wanted.is_everything:
            return self._table.rows_there
        ((count,),) = self._engine.select(
            self._fitting(exp.Select().select(exp.Count(this=exp.Star())), wanted)
        )
        return int(count)

    def page(self, wanted: Wanted, start: int, count: int) -> Page:
        """Some of the rows that are wanted."""
        numbered = self._is_numbered(wanted)
        columns = [exp.column(field.name, quoted=True) for field in self._table.fields]
        tree = self._fitting(exp.Select().select(*columns), wanted, numbered)
        if numbered:
            tree = tree.select(exp.column(ROW_NUMBER, quoted=True))
        if order := list(self._order(wanted, numbered)):
            tree = tree.order_by(*order)
        rows = self._engine.select(tree.limit(count).offset(start), count)
        cells = as_columns(self._table.fields, rows)
        texts = tuple(tuple(map(spelling, row)) for row in zip(*cells, strict=True))
        return Page(tuple(self._numbers(wanted, numbered, rows, start)), texts)

    def _is_numbered(self, wanted: Wanted) -> bool:
        """Whether rows are counted; in the order in which they are stored that need not be asked for."""
        order = self._table.relation.order
        if order is None or wanted.kept is not None:
            return False
        return bool(order) or not wanted.is_everything or wanted.sort is not None

    def _numbers(
        self, wanted: Wanted, numbered: bool, rows: list[Record], start: int
    ) -> Iterator[int | None]:
        is_whole = self._table.relation.order is not None and wanted.is_everything and wanted.sort is None
        for place, row in enumerate(rows):
            yield int(row[-1]) - 1 if numbered else start + place if is_whole else None

    def _fitting(self, tree: exp.Select, wanted: Wanted, numbered: bool = False) -> exp.Select:
        if wanted.kept is not None:
            kept = wanted.kept
            source = self._engine.rows_tree(kept.step, kept.tables, kept.number).subquery(_ROWS)
        else:
            source = self._table.relation.tree(self._table.name, self._engine.dialect, numbered)
        return tree.from_(source).where(*self._tests(wanted))

    def _tests(self, wanted: Wanted) -> Iterator[exp.Expr]:
        for word in wanted.words:
            yield exp.or_(*(self._like(self._text(field), word) for field in self._table.fields))
        for each in wanted.filters:
            condition = each.condition(self._table)
            yield self._passes(each) if condition is None else self._engine.test(condition, self._table)

    def _passes(self, wanted: Filter) -> exp.Expr:
        own, text = self._text(self._table.fields[wanted.field]), exp.Literal.string(folded(wanted.text))
        if wanted.test is Comparison.CONTAINS:
            return self._like(own, folded(wanted.text))
        return compare(own, wanted.test, text)

    def _text(self, field: Field) -> exp.Expr:
        own: exp.Expr = exp.column(field.name, quoted=True)
        return self._engine.folded(own if field.type is FieldType.TEXT else exp.cast(own, "text"))

    def _like(self, text: exp.Expr, part: str) -> exp.Expr:
        return like(text, Comparison.CONTAINS, part, self._engine.dialect)

    def _order(self, wanted: Wanted, numbered: bool) -> Iterator[exp.Expr]:
        if wanted.sort is not None:
            field = self._table.fields[wanted.sort]
            own = self._text(field) if field.type is FieldType.TEXT else exp.column(field.name, quoted=True)
            yield exp.Ordered(this=own, desc=wanted.descending, nulls_first=False)
        if numbered:
            yield exp.Ordered(this=exp.column(ROW_NUMBER, quoted=True))
