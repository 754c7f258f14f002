"""Functions that SQLite lacks and the SQL of programs needs."""

import re
import sqlite3
import statistics
from typing import Any


class _Median:
    """The middle of all numbers."""

    def __init__(self) -> None:
        self._numbers: list[Any] = []

    def step(self, number: Any, /) -> None:
        """Takes one number; SQLite calls this."""
        if number is not None:
            self._numbers.append(number)

    def finalize(self) -> Any:
        """The median of what was taken."""
        return statistics.median(self._numbers) if self._numbers else None


def add_functions(connection: sqlite3.Connection) -> None:
    """Adds medians and the search for a pattern in a text to a connection."""
    connection.create_aggregate("MEDIAN", 1, _Median)
    connection.create_function("REGEXP_EXTRACT", 3, _found, deterministic=True)


def _found(text: str | None, pattern: str, group: int) -> str | None:
    match = None if text is None else re.search(pattern, text)
    return None if match is None else match[group]
