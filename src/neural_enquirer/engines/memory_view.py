"""The rows of a table in memory as people look at them: searched, filtered, put in order."""

import functools
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np

from neural_enquirer.engines.values import folded, folded_all
from neural_enquirer.engines.wanted import Filter, Kept, Page, Wanted
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import All, Comparison, Exists, Where
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.arrays import Index, Mask

_SEARCHES_KEPT: Final = 8


class MemoryView:
    """A view of one table; what searching and ordering need to know is found out once."""

    def __init__(self, table: Table) -> None:
        """Takes the table, which never changes."""
        self._table = table
        self._folded: dict[int, list[str]] = {}
        self._ranks: dict[int, Index] = {}
        self._found: OrderedDict[Wanted, Index] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Finds out now what searching and ordering need to know, so that nobody waits for it later."""
        self.numbers(Wanted(search="?"))
        for field in range(len(self._table.fields)):
            self.numbers(Wanted(sort=field))

    def count(self, wanted: Wanted) -> int:
        """How many rows are wanted."""
        return len(self.numbers(wanted))

    def page(self, wanted: Wanted, start: int, count: int) -> Page:
        """Some of the rows that are wanted."""
        rows = self.numbers(wanted)[start : start + count].tolist()
        fields = range(len(self._table.fields))
        cells = tuple(tuple(self._table.text(row, field) for field in fields) for row in rows)
        return Page(tuple(rows), cells)

    def numbers(self, wanted: Wanted) -> Index:
        """The rows that are wanted, in their order."""
        with self._lock:
            found = self._found.pop(wanted, None)
            if found is None:
                found = self._found_rows(wanted)
            self._found[wanted] = found  # as the last one
            if len(self._found) > _SEARCHES_KEPT:
                self._found.popitem(last=False)
            return found

    # Which rows.

    def _found_rows(self, wanted: Wanted) -> Index:
        order = self._ordered(wanted)
        found = order if wanted.is_everything else order[self._fits(wanted)[order]]
        if wanted.kept is None or not wanted.others:
            return found
        return found[np.argsort(~self._keeps(wanted.kept)[found], kind="stable")]

    def _fits(self, wanted: Wanted) -> Mask:
        fits = np.ones(self._table.row_count, np.bool_)
        for word in wanted.words:
            fits &= np.fromiter((word in row for row in self._rows), np.bool_, len(fits))
        for each in wanted.filters:
            fits &= self._passes(each)
        if wanted.kept is not None and not wanted.others:
            fits &= self._keeps(wanted.kept)
        return fits

    def _keeps(self, kept: Kept) -> Mask:
        rows = run(Exists(kept.step), kept.tables).steps[-1].of_table(kept.number)
        return self._marked(rows)

    def _passes(self, wanted: Filter) -> Mask:
        condition = wanted.condition(self._table)
        if condition is not None:
            found = run(Exists(Where(All(), condition)), [self._table]).steps[-1]
            return self._marked(found.of_table(0))
        text, cells = folded(wanted.text), self._texts(wanted.field)
        least = "" if wanted.test is Comparison.AT_MOST else None  # what is missing is no less
        tests = (cell != least and wanted.test.test(cell, text) for cell in cells)
        return np.fromiter(tests, np.bool_, len(cells))

    def _marked(self, rows: tuple[int, ...]) -> Mask:
        marked = np.zeros(self._table.row_count, np.bool_)
        marked[list(rows)] = True
        return marked

    def _texts(self, field: int) -> list[str]:
        if field not in self._folded:
            rows = range(self._table.row_count)
            self._folded[field] = folded_all([self._table.text(row, field) for row in rows])
        return self._folded[field]

    @functools.cached_property
    def _rows(self) -> list[str]:
        """For each row all its cells in one text."""
        fields = range(len(self._table.fields))
        columns = self._table.texts or [
            [self._table.text(row, field) for row in range(self._table.row_count)] for field in fields
        ]
        return folded_all(["\t".join(row) for row in zip(*columns, strict=True)])

    # In which order.

    def _ordered(self, wanted: Wanted) -> Index:
        if wanted.sort is None:
            return np.arange(self._table.row_count)
        ranks = self._ranks_of(wanted.sort)
        is_there = ranks >= 0
        keys = np.where(is_there, -ranks if wanted.descending else ranks, np.iinfo(ranks.dtype).max)
        return np.argsort(keys, kind="stable")

    def _ranks_of(self, field: int) -> Index:
        """For each row where its cell comes; -1 where it is missing."""
        if field not in self._ranks:
            column = self._table.amounts(field)
            if column is None and self._table.fields[field].type is FieldType.TEXT:
                self._ranks[field] = _places_of(self._texts(field), self._table.columns[field])
            else:
                column = column or self._table.array(field)
                self._ranks[field] = np.where(column.present, column.codes, -1).astype(np.intp)
        return self._ranks[field]


def _places_of(texts: Sequence[str], cells: Sequence[Value | None]) -> Index:
    """Where each text comes among all; -1 where a cell is missing."""
    place_of = {text: place for place, text in enumerate(sorted(set(texts)))}
    return np.array([-1 if cell is None else place_of[text] for text, cell in zip(texts, cells, strict=True)])
