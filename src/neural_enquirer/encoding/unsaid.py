"""Unsaid values: those of fields with few different ones, which people mean without saying them.

Whether somebody survived, won or got in stands in a field of two or three values, and people say it in words
that no cell has. A row of totals is left out without a word. What they mean is for the model to find out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.text import phrase_of
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.total_rows import CALLED_TOTAL

__all__ = ["LONGEST", "MOST", "Unsaid", "unsaid_values"]

MOST: Final = 16
"""Values of one table; those of fields with the fewest come first."""
LONGEST: Final = 6
"""Words of a value; longer ones are descriptions."""
_FEW: Final = 8
"""Different values of a field."""
_TOTAL: Final = re.compile(rf"{CALLED_TOTAL}|overall|all|combined", re.IGNORECASE)
"""What a row of totals is called, where one was not left out when the table was read."""
_LAST: Final = frozenset("dlms")
"""What such a name can end with: a look at the last letter spares most values the pattern."""


@dataclass(frozen=True)
class Unsaid:
    """A value of a field.

    Attributes:
        field: the number of the field in its table.
        value: as the cells have it.
        words: its folded words.
    """

    field: int
    value: str
    words: tuple[str, ...]


def unsaid_values(table: Table) -> tuple[Unsaid, ...]:
    """The values of a table that may be meant though nobody says them."""
    fields = sorted(_fields(table), key=lambda own: len(own[1]))
    found = [Unsaid(n, value, words) for n, values in fields for value in values if (words := _words(value))]
    return tuple(found[:MOST])


def _fields(table: Table) -> Iterator[tuple[int, list[str]]]:
    """The fields that have such values; where there are many, only those of a row of totals."""
    for n, field in enumerate(table.fields):
        if field.type is not FieldType.TEXT:
            continue
        values = [value for value in dict.fromkeys(table.different(n)) if isinstance(value, str)]
        if 1 < len(values) <= min(_FEW, table.rows_there // 2):
            yield n, values
        elif totals := [value for value in values if _is_total(value.strip())]:
            yield n, totals[:1]


def _is_total(name: str) -> bool:
    return name[-1:].casefold() in _LAST and _TOTAL.fullmatch(name) is not None


def _words(value: str) -> tuple[str, ...]:
    words = tuple(phrase_of(value).split())
    return words if len(words) <= LONGEST else ()
