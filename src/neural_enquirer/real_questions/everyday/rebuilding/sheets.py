"""Sheets: tables as text, as they are cut and written, before anything says what their cells mean."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Cells = tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """Named columns of text, all of the same length; an empty text is a missing cell.

    No method changes a sheet: each returns a new one.
    """

    columns: Mapping[str, Cells]

    @classmethod
    def of_csv(cls, content: bytes) -> "Sheet":
        """Reads UTF-8 text with commas, quotes doubled inside quotes."""
        header, *rows = csv.reader(io.StringIO(content.decode("utf-8"), newline=""))
        return cls.of_rows(header, rows)

    @classmethod
    def of_rows(cls, header: Iterable[str], rows: Iterable[Iterable[str]]) -> "Sheet":
        """A sheet of rows; there must be one at least."""
        return cls(dict(zip(header, zip(*rows, strict=True), strict=True)))

    def to_csv(self) -> bytes:
        """The sheet as it is written: quotes only where they are needed, a line feed after each row."""
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows([tuple(self.columns), *self.rows])
        return out.getvalue().encode("utf-8")

    @property
    def rows(self) -> list[Cells]:
        """The cells row by row, without the header."""
        return list(zip(*self.columns.values(), strict=True))

    def select(self, *names: str) -> "Sheet":
        """Only these columns, in this order."""
        return Sheet({name: self.columns[name] for name in names})

    def without(self, *names: str) -> "Sheet":
        """All columns but these."""
        return Sheet({name: cells for name, cells in self.columns.items() if name not in names})

    def renamed(self, names: Mapping[str, str]) -> "Sheet":
        """The same columns under new names."""
        return Sheet({names.get(name, name): cells for name, cells in self.columns.items()})

    def changed(self, name: str, change: Callable[[str], str]) -> "Sheet":
        """A column whose cells are changed; missing ones stay missing."""
        return self.put(name, (change(cell) if cell else "" for cell in self.columns[name]))

    def replaced(self, name: str, values: Mapping[str, str]) -> "Sheet":
        """A column in which some values are replaced by others."""
        return self.changed(name, lambda cell: values.get(cell, cell))

    def put(self, name: str, cells: Iterable[str]) -> "Sheet":
        """A column in the place of the one of this name, or at the end."""
        return Sheet({**self.columns, name: tuple(cells)})

    def where(self, name: str, holds: Callable[[str], bool]) -> "Sheet":
        """The rows whose cell in a column is such and such."""
        return self.taken(place for place, cell in enumerate(self.columns[name]) if holds(cell))

    def among(self, name: str, values: Iterable[str]) -> "Sheet":
        """The rows whose cell in a column is one of these values."""
        return self.where(name, set(values).__contains__)

    def head(self, count: int) -> "Sheet":
        """The first rows."""
        return Sheet({name: cells[:count] for name, cells in self.columns.items()})

    def distinct(self, *names: str) -> "Sheet":
        """Of rows that are the same in the named columns, or in all, only the first."""
        first: dict[Cells, int] = {}
        for place, key in enumerate(self.select(*(names or self.columns)).rows):
            first.setdefault(key, place)
        return self.taken(first.values())

    def sorted_by(self, *names: str) -> "Sheet":
        """The rows in the order of their cells in the named columns."""
        keys = self.select(*names).rows
        return self.taken(sorted(range(len(keys)), key=keys.__getitem__))

    def taken(self, places: Iterable[int]) -> "Sheet":
        """The rows at these places, in the order of the places."""
        order = list(places)
        return Sheet({name: tuple(cells[place] for place in order) for name, cells in self.columns.items()})

    def pivoted(self, keys: tuple[str, ...], name: str, value: str) -> "Sheet":
        """A row for every key, a column for every value of `name`, in order; the cells are of `value`."""
        headings = sorted(set(self.columns[name]))
        cells = {(*key, heading): cell for *key, heading, cell in self.select(*keys, name, value).rows}
        rows = [
            (*key, *(cells.get((*key, heading), "") for heading in headings))
            for key in sorted(set(self.select(*keys).rows))
        ]
        return Sheet.of_rows((*keys, *headings), rows)
