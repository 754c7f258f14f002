"""What engines hand over, as the values of tables."""

import datetime
import math
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from neural_enquirer.programs.language import Cells, Exists, Holds, Program, ProgramError
from neural_enquirer.programs.types import check, kind_of, scope_of
from neural_enquirer.tables import Field, FieldType, Table, Value
from neural_enquirer.tables.cell_types import plain_cell

_EXACT_DIGITS: Final = 13
_FEW_DIGITS: Final = 11
_EXACT_FLOAT: Final = 2.0**53


def as_columns(fields: Sequence[Field], rows: Sequence[Sequence[Any]]) -> list[tuple[Value | None, ...]]:
    """Rows of cells, column by column."""
    return [tuple(as_cell(row[place], field.type) for row in rows) for place, field in enumerate(fields)]


def as_cell(cell: Any, kind: FieldType) -> Value | None:
    """A cell as the tables in memory have it; SQLite keeps dates as texts, and others numbers as such."""
    value = plain_cell(cell)
    if value is None:
        return None
    if kind is FieldType.DATE and isinstance(value, str):
        moment = datetime.datetime.fromisoformat(value)
        return moment if ":" in value else moment.date()
    if kind is FieldType.TEXT and not isinstance(value, str):
        return str(cell)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOAT:
        return int(value)
    return value


def folded(text: str) -> str:
    """A text in small letters without accents."""
    letters = unicodedata.normalize("NFD", text.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def folded_all(texts: Sequence[str]) -> list[str]:
    """Many texts in small letters without accents; faster than one by one."""
    plain = [text.lower() for text in texts]
    accented = [place for place, text in enumerate(plain) if not text.isascii()]
    lines = unicodedata.normalize("NFD", "\n".join([plain[place].replace("\n", " ") for place in accented]))
    for letter in filter(unicodedata.combining, set(lines)):
        lines = lines.replace(letter, "")
    for place, line in zip(accented, lines.split("\n"), strict=bool(accented)):
        plain[place] = line
    return plain


def as_values(program: Program, rows: Sequence[Sequence[Any]], tables: Sequence[Table]) -> tuple[Value, ...]:
    """The values of an answer; a row with a missing one is left out.

    Raises:
        ProgramError: if one value is needed and several rows have one.
    """
    there = [row for row in rows if None not in row]
    if isinstance(program, Exists | Holds):
        if len(there) > 1:
            raise ProgramError(f"one value is needed, but {len(there)} rows have one")
        return tuple("yes" if row[0] else "no" for row in there)
    if isinstance(program, Cells):
        scope = scope_of(program.rows, tables)
        kinds = [kind_of(term, scope) for term in program.terms]
    else:
        kinds = [check(program, tables) or FieldType.TEXT]
    found = (as_cell(cell, kind) for row in there for cell, kind in zip(row, kinds, strict=True))
    return tuple(_settled(value) for value in found if value is not None)


def _settled(value: Value) -> Value:
    """A number without what adding up floats leaves behind: 0.3 for 0.30000000000000004."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = f"{value:.{_EXACT_DIGITS}g}"
    return float(short) if len(short.strip("-").replace(".", "")) <= _FEW_DIGITS else value
