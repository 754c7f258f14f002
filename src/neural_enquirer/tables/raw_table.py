"""What every source of tables is brought to, and the one error that it raises."""

from collections.abc import Sequence
from dataclasses import dataclass

KNOWN_FORMATS = "CSV, TSV, JSON, JSONL, Parquet, Excel (.xlsx, .xls), OpenDocument (.ods), SQLite, DuckDB"


class TableError(ValueError):
    """A table cannot be read; the message is one line that says what is wrong and what to do."""


@dataclass(frozen=True)
class RawTable:
    """Headers as they stand in the source, and one list of untyped cells per header."""

    name: str
    headers: Sequence[str]
    columns: Sequence[Sequence[object]]


def reason(error: BaseException) -> str:
    """What an error of another library says, in one line."""
    lines = (getattr(error, "strerror", None) or str(error)).splitlines()
    return lines[0] if lines else type(error).__name__
