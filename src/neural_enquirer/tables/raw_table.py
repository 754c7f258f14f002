"""What every source of tables is brought to, the one error that it raises, and the one kind of warning."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

KNOWN_FORMATS = "CSV, TSV, JSON, JSONL, Parquet, Excel (.xlsx, .xls), OpenDocument (.ods), SQLite, DuckDB"


class TableError(ValueError):
    """A table cannot be read; the message is one line that says what is wrong and what to do."""


class TableWarning(UserWarning):
    """A table was repaired, or read in one of several possible ways; the message says what was done."""


def warn(message: str) -> None:
    """Tells people what was done with their table."""
    warnings.warn(message, TableWarning, stacklevel=2)


@dataclass(frozen=True)
class RawTable:
    """Headers as they stand in the source, and one list of untyped cells per header.

    Attributes:
        name: what the table is called.
        headers: the names of its columns.
        columns: their cells.
        totals: the rows that sum up others.
        told: what to tell people if these are left out, or of a row that might be one; None for nothing.
    """

    name: str
    headers: Sequence[str]
    columns: Sequence[Sequence[object]]
    totals: Sequence[int] = ()
    told: str | None = None

    @classmethod
    def of_rows(cls, name: str, headers: Sequence[str], rows: Sequence[Sequence[object]]) -> "RawTable":
        """The table of rows that all have as many cells as there are headers."""
        return cls(name, headers, list(zip(*rows, strict=True)) or [()] * len(headers))

    def without_totals(self) -> "RawTable":
        """The table without the rows that sum up others."""
        if not self.totals:
            return self
        left_out = frozenset(self.totals)
        columns = [[cell for row, cell in enumerate(own) if row not in left_out] for own in self.columns]
        return RawTable(self.name, self.headers, columns)


def reason(error: BaseException) -> str:
    """What an error of another library says, in one line."""
    lines = (getattr(error, "strerror", None) or str(error)).splitlines()
    return lines[0] if lines else type(error).__name__
