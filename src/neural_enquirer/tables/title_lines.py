"""Lines above the header of a text file: a title, a date, blank lines, as reports have them."""

import csv
import re
from collections.abc import Sequence

from neural_enquirer.tables import measures

_SEPARATORS = (",", ";", "\t", "|")
_MOST_LINES = 10
_LINES_READ = 200
_YEAR = re.compile(r"[12]\d{3}")

line_breaks = re.compile(r"\r\n|\n|\r")
"""What ends a line of a file; Python's own `splitlines` knows more, which are letters here."""


def lines_above_header(text: str, separator: str | None = None) -> int:
    """How many lines to leave out before the header; 0 unless it is safe to say.

    It is where the first lines have fewer cells than all others, which have the same number, and where a
    blank line sets them apart, or numbers below the words of the next line show that it is the header.

    Args:
        text: The beginning of the file, in whole lines.
        separator: What stands between cells, where that is known.
    """
    lines = line_breaks.split(text, _LINES_READ)[:_LINES_READ]
    if len(lines) < 3 or not lines[0].strip():
        return 0
    for known in [separator] if separator else _SEPARATORS:
        rows = [_cells(line, known) for line in lines]
        place = _header_place(rows)
        is_whole = not any(line.count('"') % 2 for line in lines[:place])  # no line breaks within cells
        if 0 < place <= _MOST_LINES and is_whole and _is_safe(rows[:place], rows[place], rows[place + 1 :]):
            return place
    return 0


def hides_columns(cells: Sequence[str | None]) -> bool:
    """Whether the one column of a table looks like several that were not taken apart."""
    texts = [cell for cell in cells if cell]
    for separator in (";", "\t", "|", ","):
        # After a comma, a space makes it a sentence or a place: "Athens, Greece".
        found = [len(re.findall(rf"{re.escape(separator)}(?!\s)", text)) for text in texts]
        if len(found) > 1 and min(found[-2:]) > 0 and found.count(found[-1]) * 3 > len(found) * 2:
            return True
    return False


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for row in csv.reader([line], delimiter=separator) for cell in row]
    except csv.Error:
        return [line]


def _header_place(rows: Sequence[list[str]]) -> int:
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


def _is_safe(above: Sequence[list[str]], header: list[str], below: Sequence[list[str]]) -> bool:
    rows = [row for row in below if any(row)]
    is_header = len(set(header)) == len(header) and not any(
        measures.number(cell) is not None and not _YEAR.fullmatch(cell) for cell in header
    )
    counts = [sum(map(bool, row)) for row in above]
    if not rows or not is_header or max(counts) >= len(header):
        return False
    if 0 in counts:
        return True
    columns = zip(*rows, strict=True)
    numbers = [all(measures.number(cell) is not None for cell in column) for column in columns]
    return max(counts) == 1 and any(numbers) and all(measures.number(cell) is None for cell in header)
