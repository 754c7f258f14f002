"""Finding out what is known of a table that is elsewhere: a few SELECTs for each field, once."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Final

from sqlglot import exp

from neural_enquirer.engines.engine import EngineError, Progress
from neural_enquirer.engines.known import (
    MOST_LETTERS,
    MOST_LETTERS_TOGETHER,
    MOST_LISTED,
    WHOLE_ROWS,
    Known,
    KnownField,
)
from neural_enquirer.engines.relations import ROW_NUMBER, Column, Relation
from neural_enquirer.engines.sql_engine import Record, SqlEngine
from neural_enquirer.engines.values import as_cell, as_columns
from neural_enquirer.tables import FieldType, Value

_FIRST_ROWS: Final = 50
_SAMPLE_ROWS: Final = 250
_ROWS_AT_AN_END: Final = 3
_NEARLY: Final = 1.2
"""How far counts of different values may be off where they are estimated."""
_EXACT_COUNTS: Final = ("postgres", "sqlite")
"""Dialects that count different values, and do not estimate them."""
_FEW_ROWS: Final = 1_000_000
_NAME: Final = "table"
_UNLIMITED: Final = float("inf")


def know(engine: SqlEngine, relation: Relation, progress: Progress | None = None) -> Known:
    """Looks at every field of a table; `progress` hears of each, and of the sample at the end."""
    profiler = _Profiler(engine, relation)
    if profiler.rows <= WHOLE_ROWS:
        return _known_of(profiler.relation, profiler.all_rows())
    fields: list[KnownField] = []
    letters = 0
    for column in profiler.relation.columns:
        field = profiler.field(column)
        letters += sum(map(len, field.listed or ()))
        fields.append(field if letters <= MOST_LETTERS_TOGETHER else dataclasses.replace(field, listed=None))
        if progress is not None:
            progress(1)
    order = relation.order if relation.order is not None else _order(profiler.rows, fields)
    sample = profiler.sample(fields, order)
    if progress is not None:
        progress(1)
    return Known(profiler.rows, tuple(fields), sample, order)


def _known_of(relation: Relation, rows: Sequence[Record]) -> Known:
    """What is known of a table by all of its rows."""
    columns = as_columns([column.field for column in relation.columns], rows)
    fields = [_field_of(column, cells) for column, cells in zip(relation.columns, columns, strict=True)]
    order = relation.order
    if order is None and (order := _order(len(rows), fields)) is not None:
        (place,) = (n for n, column in enumerate(relation.columns) if column.source == order[0])
        columns = list(zip(*sorted(zip(*columns, strict=True), key=lambda row: row[place]), strict=True))
    return Known(len(rows), tuple(fields), tuple(columns), order)


def _field_of(column: Column, cells: Sequence[Value | None]) -> KnownField:
    present = [cell for cell in cells if cell is not None]
    different = sorted(set(present))
    is_text = column.field.type is FieldType.TEXT
    return KnownField(
        column=column,
        distinct=len(different),
        missing=len(cells) - len(present),
        smallest=different[0] if different else None,
        largest=different[-1] if different else None,
        listed=_few(map(str, different)) if is_text else None,
    )


def _few(texts: Iterable[str]) -> tuple[str, ...] | None:
    """Texts in order; None where they are too many."""
    found = sorted(texts)
    return tuple(found) if len(found) <= MOST_LISTED and sum(map(len, found)) <= MOST_LETTERS else None


def _order(rows: int, fields: Sequence[KnownField]) -> tuple[str, ...] | None:
    """The order that the only date gives, if no two rows share it."""
    dates = [field for field in fields if field.column.field.type is FieldType.DATE]
    if len(dates) != 1 or dates[0].distinct != rows:
        return None
    return (dates[0].column.source,)


class _Profiler:
    """Looks at one table."""

    def __init__(self, engine: SqlEngine, relation: Relation) -> None:
        self._engine = engine
        self.relation = dataclasses.replace(relation, columns=self._decided(relation))
        ((self.rows,),) = self._select(exp.Count(this=exp.Star()))
        if not self.rows:
            raise EngineError("the table has no rows; there is nothing to ask about")

    def _decided(self, relation: Relation) -> tuple[Column, ...]:
        """The columns as their cells have them."""
        doubts = [column.doubtful() for column in relation.columns]
        one, zero = exp.Literal.number(1), exp.Literal.number(0)
        tests = [
            exp.Max(this=exp.Case().when(doubt, one).else_(zero)) for doubt in doubts if doubt is not None
        ]
        if not tests:
            return relation.columns
        tree = exp.Select().select(*tests).from_(relation.source.copy())
        (found,) = self._engine.select(tree, seconds=_UNLIMITED)
        answers = iter(found)
        return tuple(
            column if doubt is None else column.decided(bool(next(answers)))
            for column, doubt in zip(relation.columns, doubts, strict=True)
        )

    def field(self, column: Column) -> KnownField:
        """Looks at one field."""
        own = exp.column(column.field.name, quoted=True)
        ends = [kind(this=own.copy()) for kind in (exp.Min, exp.Max)]
        ((present, distinct, *found),) = self._select(exp.Count(this=own.copy()), self._different(own), *ends)
        smallest, largest = (as_cell(end, column.field.type) for end in found)
        is_few = column.field.type is FieldType.TEXT and distinct <= _NEARLY * MOST_LISTED
        listed = self._listed(own) if is_few else None
        return KnownField(
            column=column,
            distinct=len(listed) if listed is not None else self._counted(own, column, distinct),
            missing=self.rows - present,
            smallest=smallest,
            largest=largest,
            listed=listed,
        )

    def _different(self, own: exp.Expr) -> exp.Expr:
        """How many different values there are, nearly so where the engine can tell that faster."""
        if self._engine.dialect in _EXACT_COUNTS or self.rows <= _FEW_ROWS:
            return exp.Count(this=exp.Distinct(expressions=[own.copy()]))
        return exp.ApproxDistinct(this=own.copy())

    def _counted(self, own: exp.Expr, column: Column, distinct: int) -> int:
        """The exact count where it matters: of dates, which may give the rows an order."""
        is_near = self.rows / _NEARLY < distinct < self.rows * _NEARLY
        if column.field.type is not FieldType.DATE or not is_near:
            return int(min(distinct, self.rows))
        ((exact,),) = self._select(exp.Count(this=exp.Distinct(expressions=[own.copy()])))
        return int(exact)

    def _listed(self, own: exp.Expr) -> tuple[str, ...] | None:
        """All different texts; None where they are too many."""
        present = exp.Is(this=own.copy(), expression=exp.Not(this=exp.Null()))
        tree = self._from(exp.Select().select(own.copy()).distinct()).where(present).limit(MOST_LISTED + 1)
        return _few(str(row[0]) for row in self._engine.select(tree, MOST_LISTED + 1, _UNLIMITED))

    def all_rows(self) -> list[Record]:
        """The rows of a small table, in their order where they have one."""
        return self._rows(None, WHOLE_ROWS, self.relation.order)

    def sample(
        self, fields: Sequence[KnownField], order: tuple[str, ...] | None
    ) -> tuple[tuple[Value | None, ...], ...]:
        """Rows of a large table: the first, some from everywhere, and those at the ends."""
        share = 2 * _SAMPLE_ROWS / self.rows
        rows = [*self._rows(None, _FIRST_ROWS, order)]
        if (scattered := self._engine.scattered(self.relation, share)) is not None:
            rows += self._rows(scattered, _SAMPLE_ROWS)
        for field in fields:
            rows += self._at_ends(field)
        rows = list(dict.fromkeys(map(tuple, rows)))
        return tuple(as_columns([field.column.field for field in fields], rows))

    def _at_ends(self, field: KnownField) -> list[Record]:
        """Rows with the least and the greatest value of a field that is put in order."""
        if field.column.field.type is FieldType.TEXT:
            return []
        own = exp.column(field.column.field.name, quoted=True)
        ends = [self._from(exp.Select().select(end(this=own.copy()))) for end in (exp.Min, exp.Max)]
        tests = [exp.EQ(this=own.copy(), expression=end.subquery()) for end in ends]
        return [row for test in tests for row in self._rows(test, _ROWS_AT_AN_END)]

    def _rows(self, test: exp.Expr | None, most: int, order: tuple[str, ...] | None = None) -> list[Record]:
        names = [exp.column(column.field.name, quoted=True) for column in self.relation.columns]
        relation = dataclasses.replace(self.relation, order=order)
        table = relation.tree(_NAME, self._engine.dialect, order is not None)
        select = exp.Select().select(*names).from_(table)
        if test is not None:
            select = select.where(test)
        if order is not None:
            select = select.order_by(exp.column(ROW_NUMBER, quoted=True))
        return self._engine.select(select.limit(most), most, _UNLIMITED)

    def _select(self, *expressions: exp.Expr) -> list[Record]:
        return self._engine.select(self._from(exp.Select().select(*expressions)), seconds=_UNLIMITED)

    def _from(self, select: exp.Select) -> exp.Select:
        return select.from_(self.relation.tree(_NAME, self._engine.dialect))
