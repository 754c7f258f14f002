"""Lines above the header of a file: a title, a date, blank lines, as reports have them."""

import re
from collections.abc import Sequence

from neural_enquirer.tables import measures

LINES_READ = 200
"""How many lines are enough to tell titles from a table."""

_MOST_LINES = 10
_YEAR = re.compile(r"[12]\d{3}")


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
