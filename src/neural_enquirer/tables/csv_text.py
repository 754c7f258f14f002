"""Separated text: what stands between its cells, how they are quoted, and the table that they make.

Python's csv module reads what keeps to RFC 4180, and spaces before quotes. For the rest there is a looser
grammar, in which a quote is a letter like others unless it encloses a whole cell.
"""

import contextlib
import csv
import enum
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from neural_enquirer.tables.header_row import LINES_READ, lines_above_header, with_header
from neural_enquirer.tables.raw_table import RawTable, TableError

_SEPARATORS = (",", ";", "\t", "|")
_LONGEST_CELL = 2_000_000  # letters; where one is longer, a quote is missing
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++")  # Python's splitlines would end lines at more


class _Quotes(enum.Enum):
    r"""How a quoted cell writes a quote: "" or \"; or loosely, where some quotes enclose no cell."""

    DOUBLED = enum.auto()
    ESCAPED = enum.auto()
    LOOSE = enum.auto()


@dataclass(frozen=True)
class _Dialect:
    separator: str
    quotes: _Quotes

    def rows(self, text: str) -> Iterator[list[str]]:
        """The cells of each line; a blank line has none.

        Raises:
            csv.Error: where the text is not written this way.
        """
        if self.quotes is _Quotes.LOOSE:
            return _loose_rows(text, self.separator)
        is_escaped = self.quotes is _Quotes.ESCAPED
        return csv.reader(
            (line[0] for line in _LINE.finditer(text)),
            delimiter=self.separator,
            doublequote=not is_escaped,
            escapechar="\\" if is_escaped else None,
            skipinitialspace=True,
            strict=True,
        )


@dataclass(frozen=True, order=True)
class _Fit:
    """How well a dialect suits the beginning of a text; the best is the largest.

    Attributes:
        level: 2 where all lines have as many cells as the header, 1 where some have fewer, 0 where some have
            more, or the dialect does not suit at all.
        width: The cells of the header.
    """

    level: int
    width: int


class _MisfitError(Exception):
    """Lines that do not make a table."""


def read_csv(text: str, name: str, stem: str, separator: str | None = None) -> RawTable:
    """The table that a text holds.

    Args:
        text: All of it.
        name: What messages call it.
        stem: What to call the table.
        separator: What stands between cells, where that is known.

    Raises:
        TableError: where its lines do not make a table.
    """
    with _long_cells():
        fits = {dialect: _fit(dialect, text) for dialect in _dialects(text)}
        widest = max(fit.width for fit in fits.values())
        ranked = [
            dialect
            for dialect in sorted(fits, key=fits.__getitem__, reverse=True)
            if separator in (None, dialect.separator) and (widest < 2 or fits[dialect].width > 1)
        ]
        problems = []
        for dialect in ranked:
            with contextlib.suppress(csv.Error):  # the loose grammar, which comes later, takes everything
                try:
                    return _table(list(dialect.rows(text)), name, stem)
                except _MisfitError as error:
                    problems.append(str(error))
    problem = problems[0] if problems else "its cells are not separated as its name says"
    raise TableError(f"{name} cannot be read as CSV: {problem}; check separators and quotes")


@contextlib.contextmanager
def _long_cells() -> Iterator[None]:
    """The csv module has one limit for all of a program; it gets its own back."""
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _dialects(text: str) -> Iterator[_Dialect]:
    """All ways in which a text may be written; of two that suit it alike, the first is meant."""
    for separator, quotes in itertools.product(_SEPARATORS, _Quotes):
        if quotes is not _Quotes.ESCAPED or '\\"' in text:
            yield _Dialect(separator, quotes)


def _fit(dialect: _Dialect, text: str) -> _Fit:
    try:
        rows = list(itertools.islice(dialect.rows(text), LINES_READ))
    except (csv.Error, _MisfitError):
        return _Fit(0, 0)
    place = _header_place(rows)
    width = len(rows[place]) if rows else 0
    lengths = [_length(row, width) for row in rows[place + 1 :] if not _is_blank(row, width)]
    if dialect.separator != "," and max(lengths, default=width) < 2 <= width:
        return _Fit(0, 1)  # it stands in the header alone, as a letter of one name
    if any(length > width for length in lengths):
        return _Fit(0, width)
    return _Fit(1 if any(length < width for length in lengths) else 2, width)


def _table(rows: list[list[str]], name: str, stem: str) -> RawTable:
    place = _header_place(rows)
    width = len(rows[place]) if rows else 0
    for number in range(place + 1, len(rows)):
        if len(rows[number]) != width:
            rows[number] = _suited(rows, number, width)
    return with_header(rows, place, name, stem)


def _suited(rows: Sequence[list[str]], number: int, width: int) -> list[str]:
    """A line with no more cells than the header; without any, if it is blank."""
    row = rows[number]
    if _length(row, width) > width:
        line = 1 + sum(1 + sum(map(_line_breaks, above)) for above in rows[:number])
        raise _MisfitError(f"line {line} has {len(row)} cells, its header {width}")
    return [] if _is_blank(row, width) else row[:width]


def _header_place(rows: Sequence[Sequence[str]]) -> int:
    """Where the header stands: below titles, if there are any, and blank lines."""
    above = lines_above_header([[cell.strip() for cell in row] for row in rows[:LINES_READ]])
    return next((place for place, row in enumerate(rows) if place >= above and row), 0)


def _length(row: Sequence[str], width: int) -> int:
    """How many cells a line has; empty ones that go beyond the header do not count."""
    return len(row) if any(map(str.strip, row[width:])) else min(len(row), width)


def _is_blank(row: Sequence[str], width: int) -> bool:
    return not row or (width > 1 and len(row) == 1 and not row[0].strip())


def _line_breaks(cell: str) -> int:
    return len(re.findall(r"\r\n|\r|\n", cell))


def _loose_rows(text: str, separator: str) -> Iterator[list[str]]:
    end = re.escape(separator) + r"|\r\n|\r|\n|\Z"
    quoted = rf' *"((?:[^"]++|"")*+)" *(?={end})'
    row: list[str] = []
    lines = 1
    for cell in re.finditer(rf"(?:{quoted}|([^{re.escape(separator)}\r\n]*+))({end})", text):
        row.append(cell[2] if cell[1] is None else cell[1].replace('""', '"'))
        if len(row[-1]) > _LONGEST_CELL:
            raise _MisfitError(f"line {lines} is too long or wrongly quoted")
        lines += _line_breaks(cell[0])
        if cell[3] != separator:
            yield [] if row == [""] and cell[1] is None else row
            row = []
