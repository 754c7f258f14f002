"""Memory: tables that are small enough to be held, and exact about everything."""

import itertools
from collections.abc import Iterable, Sequence

from neural_enquirer.engines.engine import Engine, own_rows
from neural_enquirer.engines.values import folded
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.types import TableScope, scope_of
from neural_enquirer.tables import Table
from neural_enquirer.tables.profile import TableProfile, profile


class MemoryEngine:
    """Runs programs over tables in memory."""

    def profile(self, table: Table) -> TableProfile:
        """What is known of a table."""
        return profile(table)

    def find(self, table: Table, wanted: Sequence[lang.Condition], most: int) -> Table:
        """For each of several conditions, some rows that fulfil it: the first."""
        found: dict[int, None] = {}
        for condition in wanted:
            rows = run(lang.Exists(lang.Where(lang.All(), condition)), [table]).steps[-1].of_table(0)
            found |= dict.fromkeys(rows[:most])
        return some_rows(table, found)

    def look_up(
        self,
        table: Table,
        fields: Sequence[lang.Field],
        words: Sequence[str],
        most: int,
        whole: Sequence[str] = (),
    ) -> Table:
        """Rows whose texts in some fields are one of some texts, then those that have one of some words."""
        columns = [table.column(field.name) for field in fields]
        rows = [[folded(str(cell)) for cell in row if cell is not None] for row in zip(*columns, strict=True)]
        named = set(map(folded, whole))
        equal = (row for row, texts in enumerate(rows) if named.intersection(texts))
        parts = (
            row for row, texts in enumerate(rows) if any(word in text for text in texts for word in words)
        )
        return some_rows(table, itertools.islice(dict.fromkeys(itertools.chain(equal, parts)), most))

    def is_beside(self, other: Engine) -> bool:
        """Memory is one place."""
        return isinstance(other, MemoryEngine)

    def run(self, program: lang.Program, tables: Sequence[Table]) -> Result:
        """Runs a program."""
        return run(program, tables)

    def rows(self, program: lang.Program, tables: Sequence[Table], start: int, count: int) -> Table:
        """A page of the rows that a program's answer is made of; of joined tables, those of the first."""
        rows = own_rows(program)
        scope = scope_of(rows, tables)
        assert isinstance(scope, TableScope)
        first = scope.members[0]
        found = run(lang.Exists(rows), tables).steps[-1].of_table(first)
        return some_rows(tables[first], found[start : start + count])


def some_rows(table: Table, rows: Iterable[int]) -> Table:
    """A table with some of the rows of another, in the order in which they are given."""
    chosen = list(rows)
    columns = tuple(tuple(column[row] for row in chosen) for column in table.columns)
    texts = None if table.texts is None else tuple(tuple(own[row] for row in chosen) for own in table.texts)
    return Table(table.fields, columns, table.name, texts)
