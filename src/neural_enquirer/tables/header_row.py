"""Rows of cells, as text files and sheets have them, to headers and columns, and what to doubt about it.

Above the header there may be a title, a date, blank lines, as reports have them.
"""

import re
import warnings
from collections.abc import Sequence

from neural_enquirer.tables import measures
from neural_enquirer.tables.cell_types import FieldType, type_column
from neural_enquirer.tables.raw_table import RawTable, TableError, TableWarning, warn
from neural_enquirer.tables.total_rows import rows_of_data, told_of

LINES_READ = 200
"""How many lines are enough to tell titles from a table."""

_MOST_LINES = 10
_YEAR = re.compile(r"[12]\d{3}")
_LONGEST_TOLD = 60
_ROWS_LOOKED_AT = 100


def lines_above_header(rows: Sequence[Sequence[str]]) -> int:
    """How many lines to leave out before the header; 0 unless it is safe to say.

    It is where the first lines have fewer cells than all others, which have the same number, and where a
    blank line sets them apart, or numbers below the words of the next line show that it is the header.

    Args:
        rows: The cells of the first lines, without spaces around them; a blank line has none.
    """
    if len(rows) < 3 or not any(rows[0]):
        return 0
    place = _header_place(rows)
    is_safe = 0 < place <= _MOST_LINES and _is_safe(rows[:place], rows[place], rows[place + 1 :])
    return place if is_safe else 0


def hides_columns(cells: Sequence[str | None]) -> bool:
    """Whether the one column of a table looks like several that were not taken apart."""
    texts = [cell for cell in cells if cell]
    for separator in (";", "\t", "|", ","):
        # After a comma, a space makes it a sentence or a place: "Athens, Greece".
        found = [len(re.findall(rf"{re.escape(separator)}(?!\s)", text)) for text in texts]
        if len(found) > 1 and min(found[-2:]) > 0 and found.count(found[-1]) * 3 > len(found) * 2:
            return True
    return False


def _header_place(rows: Sequence[Sequence[str]]) -> int:
    """The first line from which on all that are not blank have as many cells as the last."""
    filled = [place for place, row in enumerate(rows) if any(row)]
    if not filled or len(rows[filled[-1]]) < 2:
        return 0
    width = len(rows[filled[-1]])
    place = filled[-1]
    for candidate in reversed(filled):
        if len(rows[candidate]) != width:
            break
        place = candidate
        # Spreadsheets fill a title up with empty cells; a row of data may have gaps, but a header has none.
    return next((other for other in filled if other >= place and all(rows[other])), 0)


def _is_safe(above: Sequence[Sequence[str]], header: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    rows = [row for row in below if any(row)]
    is_header = len(set(header)) == len(header) and not any(
        measures.number(cell) is not None and not _YEAR.fullmatch(cell) for cell in header
    )
    counts = [sum(map(bool, row)) for row in above]
    if not rows or not is_header or max(counts) * 2 > len(header):
        return False
    if 0 in counts:
        return True
    columns = zip(*rows, strict=True)
    numbers = [all(measures.number(cell) is not None for cell in column) for column in columns]
    return max(counts) == 1 and any(numbers) and all(measures.number(cell) is None for cell in header)


def with_header(rows: Sequence[Sequence[object]], place: int, name: str, stem: str) -> RawTable:
    """A table of rows, of which none has more cells than the header; short ones end in missing cells.

    Titles above the header are no part of it; totals below the rows are marked.

    Args:
        rows: One per line; a blank line has no cells.
        place: Where the header stands; what is above are titles and blank lines.
        name: What a warning calls the file.
        stem: What to call the table.

    Raises:
        TableError: where nothing names the fields.
    """
    header = [str(cell) for cell in rows[place]] if rows else []
    if not any(map(str.strip, header)):
        raise TableError(f"{name} does not begin with a line of headers; add one")
    width = len(header)
    body = [
        row if len(row) == width else [*row, *[None] * (width - len(row))] for row in rows[place + 1 :] if row
    ]
    kept = rows_of_data(header, body)
    told = told_of(body, kept)
    columns = list(zip(*body, strict=True)) or [()] * width
    raw = RawTable(stem, header, columns, range(kept, len(body)), told and f"{name}: {told}")
    above = (" ".join(str(cell) for cell in row if cell) for row in rows[:place])
    if titles := [line for line in above if line.strip()]:
        more = f"and {len(titles) - 1} more above the header were" if titles[1:] else "above the header was"
        warn(f"{name}: the line '{_told(titles[:1])}' {more} left out; the fields are {_told(header)}")
    elif width == 1 and hides_columns(
        [cell for cell in raw.columns[0][:_ROWS_LOOKED_AT] if isinstance(cell, str)]
    ):
        message = f"the first line, '{_told(header)}', was taken as the header of the only field"
        warn(f"{name}: {message}; if it is a title, delete what stands above the header")
    elif _looks_like_data(raw):
        message = f"the first line, '{_told(header)}', was taken as the names of the fields"
        warn(f"{name}: {message}, but looks like data; if it is, add a line above that names them")
    return raw


def _told(cells: Sequence[str]) -> str:
    return " ".join(", ".join(cells).split())[:_LONGEST_TOLD]


def _looks_like_data(raw: RawTable) -> bool:
    """Whether no field of numbers or dates has a name that is something else: then the first line has none.

    Years may be names of fields, above numbers that are no years.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        telling = [
            _is_one_of(header.strip(), column[:_ROWS_LOOKED_AT])
            for header, column in zip(raw.headers, raw.columns, strict=True)
        ]
    return True in telling and False not in telling


def _is_one_of(header: str, cells: Sequence[object]) -> bool | None:
    """Whether a header could be a cell of its column; None where that says nothing."""
    kind = type_column(header, cells or [header]).type
    if kind is FieldType.TEXT:
        return None
    if _YEAR.fullmatch(header):
        years = sum(_YEAR.fullmatch(str(cell).strip()) is not None for cell in cells)
        return not cells or years * 2 > len(cells)
    return any(map(str.isdigit, header)) and type_column(header, [header, *cells]).type is kind
