"""Runs a logical form on a table: the exact counterpart of the neural executors, and their teacher."""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from neural_enquirer.query import (
    Comparison,
    Condition,
    Direction,
    Nest,
    Query,
    SelectNest,
    SelectWhere,
    Superlative,
    WhereSuperlative,
)
from neural_enquirer.tables import Table, TableError, Value

__all__ = ["AmbiguousAnswer", "Cell", "Execution", "ExecutionError", "NoAnswer", "SymbolicExecutor"]


class ExecutionError(ValueError):
    """A query that has no single answer on a table; the message is one line for people."""


class NoAnswer(ExecutionError):  # noqa: N818 - it says what happened better than with "Error" at its end.
    """No row is left, or the answering cell is missing."""


class AmbiguousAnswer(ExecutionError):  # noqa: N818
    """Several rows answer, or several rows are named where one is meant."""


@dataclass(frozen=True)
class Cell:
    """Where a cell stands; all numbers count from 0."""

    table: int
    row: int
    column: int


@dataclass(frozen=True)
class Execution:
    """An answer, and how it was found."""

    cell: Cell
    value: Value
    steps: tuple[str, ...]
    """The field that each step reads, the answer's last."""


_OPERATORS: Final[dict[Comparison, Callable[[Any, Any], bool]]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.LESS: operator.lt,
    Comparison.MORE: operator.gt,
    Comparison.OTHER: operator.ne,
}


class SymbolicExecutor:
    """Runs queries by their definition, row by row; missing cells never match and are never extreme."""

    def run(self, query: Query, tables: Table | Sequence[Table]) -> Execution:
        """Finds the answering cell.

        Args:
            query: What to find.
            tables: One table, or two that share one field for a query that selects by a condition.

        Raises:
            NoAnswer: if no row answers.
            AmbiguousAnswer: if several do.
            ExecutionError: if the query and the tables do not go together.
        """
        tables = (tables,) if isinstance(tables, Table) else tuple(tables)
        try:
            table, rows = self._answering_rows(query, tables)
            column = tables[table].field_index(query.fields()[-1])
        except (TableError, TypeError) as error:
            raise ExecutionError(f"cannot run {query.to_text()}: {error}") from error
        row = _the_one(rows, query)
        value = tables[table].columns[column][row]
        if value is None:
            raise NoAnswer(f"the answering cell is missing for {query.to_text()}")
        return Execution(Cell(table, row, column), value, query.fields())

    def _answering_rows(self, query: Query, tables: tuple[Table, ...]) -> tuple[int, list[int]]:
        """The table that holds the answer, and its rows that answer."""
        if len(tables) > 1:
            if not isinstance(query, SelectWhere):
                raise ExecutionError(f"only a select runs on several tables, not {query.to_text()}")
            return _select_across(query, tables)
        table = tables[0]
        match query:
            case SelectWhere(_, condition, also):
                rows = _rows_where((condition, *also), table)
            case Superlative():
                rows = _extreme(query, table, range(table.row_count))
            case WhereSuperlative(condition, superlative, also):
                rows = _extreme(superlative, table, _rows_where((condition, *also), table))
            case Nest(superlative=superlative):
                rows = _extreme(superlative, table, _comparing_rows(query, table))
            case SelectNest():
                rows = _comparing_rows(query, table)
        return 0, rows


def _rows_where(conditions: Sequence[Condition], table: Table) -> list[int]:
    rows: Iterable[int] = range(table.row_count)
    for condition in conditions:
        rows = _fulfilling(rows, table, condition.field, condition.comparison, condition.value)
    return list(rows)


def _comparing_rows(query: Nest | SelectNest, table: Table) -> list[int]:
    """The rows that compare with the named one as the query wants, and fulfil its further conditions."""
    named = table.column(query.compared)[_the_one(_rows_where((query.condition,), table), query)]
    if named is None:
        raise NoAnswer(f"the cell to compare with is missing for {query.to_text()}")
    return _fulfilling(_rows_where(query.also, table), table, query.compared, query.comparison, named)


def _fulfilling(
    rows: Iterable[int], table: Table, field: str, comparison: Comparison, value: Value
) -> list[int]:
    holds, cells = _OPERATORS[comparison], table.column(field)
    return [row for row in rows if (cell := cells[row]) is not None and holds(cell, value)]


def _extreme(superlative: Superlative, table: Table, rows: Iterable[int]) -> list[int]:
    cells: tuple[Any, ...] = table.column(superlative.by)
    present = [row for row in rows if cells[row] is not None]
    if not present:
        return []
    best = (max if superlative.direction is Direction.ARGMAX else min)(cells[row] for row in present)
    return [row for row in present if cells[row] == best]


def _the_one(rows: list[int], query: Query) -> int:
    if not rows:
        raise NoAnswer(f"no row answers {query.to_text()}")
    if len(rows) > 1:
        raise AmbiguousAnswer(f"{len(rows)} rows answer {query.to_text()}")
    return rows[0]


def _select_across(query: SelectWhere, tables: tuple[Table, ...]) -> tuple[int, list[int]]:
    """A select over two tables: a row answers once for each fulfilling row that it joins with."""
    if len(tables) != 2:
        raise ExecutionError(f"a query runs on one table or two, not on {len(tables)}")
    shared = [name for name in tables[0].field_names if name in tables[1].field_names]
    if len(shared) != 1:
        raise ExecutionError(f"two tables are joined by the one field they share; these share {len(shared)}")
    if query.also:
        raise ExecutionError(f"only one condition runs on several tables, not {query.to_text()}")
    answering, conditional = _tables_of(query, tables)
    fulfilling = _rows_where((query.condition,), tables[conditional])
    if answering == conditional:
        return answering, fulfilling
    keys, others = tables[answering].column(shared[0]), tables[conditional].column(shared[0])
    return answering, [
        row
        for other in fulfilling
        for row, key in enumerate(keys)
        if key is not None and key == others[other]
    ]


def _tables_of(query: SelectWhere, tables: tuple[Table, ...]) -> tuple[int, int]:
    """The tables of the selected field and of the condition's field.

    The field that both tables have is taken from where the other one stands: that needs no join.
    """

    def homes(name: str) -> list[int]:
        found = [index for index, table in enumerate(tables) if name in table.field_names]
        if not found:
            raise ExecutionError(f"no table has the field '{name}'")
        return found

    selected, conditional = homes(query.select), homes(query.condition.field)
    common = [index for index in selected if index in conditional]
    return (common[0], common[0]) if common else (selected[0], conditional[0])
