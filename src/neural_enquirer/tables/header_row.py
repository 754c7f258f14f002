"""Rows of cells, as text files and sheets have them, to headers and columns, and what to doubt about it."""

import re
import warnings
from collections.abc import Sequence

from neural_enquirer.tables.cell_types import FieldType, type_column
from neural_enquirer.tables.raw_table import RawTable, TableError, TableWarning, warn
from neural_enquirer.tables.title_lines import hides_columns
from neural_enquirer.tables.total_rows import rows_of_data, told_of

_LONGEST_TOLD = 60
_ROWS_LOOKED_AT = 100
_YEAR = re.compile(r"[12]\d{3}")


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
