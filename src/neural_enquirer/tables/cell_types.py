"""What the cells of a column are: numbers, dates or text, with the spelling of their source.

Every source of tables (files, data frames, lists of dicts) ends here, so that "3,500" means the same number
wherever it comes from.
"""

import contextlib
import datetime
import decimal
import enum
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from neural_enquirer.tables import measures, written_dates
from neural_enquirer.tables.raw_table import warn

Value = str | int | float | datetime.date | datetime.datetime


class FieldType(enum.Enum):
    """What all cells of a field are, missing ones aside."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"


@dataclass(frozen=True)
class TypedColumn:
    """A column after typing: its values, and how each cell is spelled in its source ("" where missing)."""

    type: FieldType
    values: tuple[Value | None, ...]
    texts: tuple[str, ...]


# In a column of numbers or dates these stand for a missing cell; in a column of text some may be words of
# their own ("NA" is Namibia), so there only the unmistakable ones count.
_MISSING_AMONG_TYPED = frozenset({"", "na", "n/a", "null", "none", "nan", "-", "–", "—", "?"})
MISSING_AMONG_TEXT = frozenset({"", "n/a", "null"})

_LONGEST_MISSING = max(map(len, _MISSING_AMONG_TYPED))

_FOUR_DIGIT_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)", re.ASCII)
_LONGEST_DATE = 40


def type_column(name: str, cells: Sequence[object]) -> TypedColumn:
    """Types one column: numbers if every cell is one, else dates if every cell is one, else text."""
    if set(map(type, cells)) <= {str, type(None)}:  # as files have them
        distinct = dict.fromkeys(cells)
        if len(distinct) * 2 < len(cells):  # cells recur, and each is costly to read
            typed = _typed(name, list(distinct))
            value_of = dict(zip(distinct, typed.values, strict=True))
            text_of = dict(zip(distinct, typed.texts, strict=True))
            return TypedColumn(
                typed.type, tuple(map(value_of.__getitem__, cells)), tuple(map(text_of.__getitem__, cells))
            )
    return _typed(name, cells)


def _typed(name: str, cells: Sequence[object]) -> TypedColumn:
    plain = _plain_cells(cells)
    numbers = _numbers(plain) or _measures(plain) or _decimal_commas(name, plain)
    if numbers is not None:
        return TypedColumn(FieldType.NUMBER, tuple(numbers), _spellings(numbers, plain))
    dates = _dates(name, plain)
    if dates is not None:
        # Only written dates have a spelling to keep; a Timestamp at midnight is shown as the day it is.
        sources = [cell if isinstance(cell, str) else date for cell, date in zip(plain, dates, strict=True)]
        return TypedColumn(FieldType.DATE, tuple(dates), _spellings(dates, sources))
    words = [_text(cell) for cell in plain]
    return TypedColumn(FieldType.TEXT, tuple(words), tuple(word or "" for word in words))


def _spellings(values: Sequence[Value | None], sources: Sequence[Value | None]) -> tuple[str, ...]:
    return tuple(
        "" if value is None else source if type(source) is str else spelling(source)
        for value, source in zip(values, sources, strict=True)
    )


def spelling(value: Value | None) -> str:
    """A value as a person would write it; used where the source has no spelling of its own."""
    if value is None:
        return ""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _plain_cells(cells: Sequence[object]) -> list[Value | None]:
    if set(map(type, cells)) <= {str, type(None)}:  # as files have them: worth a shorter way
        return [cell.strip() if isinstance(cell, str) else None for cell in cells]
    return list(map(plain_cell, cells))


def plain_cell(cell: object) -> Value | None:
    """Brings what the sources hand over (numpy scalars, Decimals, Timestamps, nested lists) to few types."""
    if hasattr(cell, "item") and getattr(cell, "shape", None) == ():
        cell = cell.item()
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, decimal.Decimal):
        cell = int(cell) if cell.is_finite() and cell == cell.to_integral_value() else float(cell)
    if isinstance(cell, int | float):
        return _finite(cell)
    if isinstance(cell, datetime.datetime):
        return _naive(cell)
    if isinstance(cell, datetime.date):
        return cell
    if isinstance(cell, bytes):
        return cell.decode("utf-8", errors="replace").strip()
    return _described(cell).strip()


def _described(cell: object) -> str:
    """Whatever else may stand in a cell, as text; nested data as JSON where that is possible."""
    try:
        is_nested = isinstance(cell, dict | list | tuple)
        return json.dumps(cell, ensure_ascii=False, default=str) if is_nested else str(cell)
    except (TypeError, ValueError):  # keys that are no text, lists that hold themselves, numbers too long
        return f"a {type(cell).__name__}"
    except RecursionError:
        return f"a deep {type(cell).__name__}"


def _finite(number: int | float) -> int | float | str | None:
    """A number that arithmetic can be done with; what is no number is missing, what is too large is text."""
    try:
        return number if math.isfinite(number) else None
    except OverflowError:
        return str(decimal.Decimal(number))


def _naive(moment: datetime.datetime) -> datetime.datetime:
    """The moment in UTC without its zone, and a plain datetime even where pandas has its own subclass."""
    if moment.tzinfo is not None:
        with contextlib.suppress(OverflowError):  # within hours of the first or the last year there is
            moment = moment.astimezone(datetime.UTC)
    return datetime.datetime(
        moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond
    )


def _is_missing(cell: Value | None) -> bool:
    if isinstance(cell, str):
        return len(cell) <= _LONGEST_MISSING and cell.casefold() in _MISSING_AMONG_TYPED
    return cell is None


def _text(cell: Value | None) -> str | None:
    if isinstance(cell, str):
        is_missing = len(cell) <= _LONGEST_MISSING and cell.casefold() in MISSING_AMONG_TEXT
        return None if is_missing else cell
    return None if cell is None else spelling(cell)


def _numbers(cells: Sequence[Value | None]) -> list[Value | None] | None:
    """The column as numbers, or None where some cell is not one (or none is there at all)."""
    values: list[Value | None] = []
    for cell in cells:
        value = measures.number(cell) if isinstance(cell, str) else cell
        if not isinstance(value, int | float) and not _is_missing(cell):
            return None
        values.append(value)
    return values if any(value is not None for value in values) else None


def _measures(cells: Sequence[Value | None]) -> list[Value | None] | None:
    """The column as numbers where all of its cells are texts that give them with one unit."""
    texts = (cell if isinstance(cell, str) else "" for cell in cells if not _is_missing(cell))
    known = measures.measured(texts)  # which stops at the first cell that is none
    if known is None:
        return None
    values = iter(known)
    return [None if _is_missing(cell) else next(values) for cell in cells]


def _decimal_commas(name: str, cells: Sequence[Value | None]) -> list[Value | None] | None:
    """The column as numbers where all are written like 1.250,00, with a warning that says so."""
    if not isinstance(next((cell for cell in cells if not _is_missing(cell)), None), str):
        return None
    texts = [cell if isinstance(cell, str) else "" for cell in cells if not _is_missing(cell)]
    known = measures.with_decimal_commas(texts)
    if known is None:
        return None
    sample = next(place for place, text in enumerate(texts) if "," in text and measures.measure(text) is None)
    example = f"{texts[sample]} as {spelling(known[sample])}"
    warn(f"field '{name}': the comma is read as the decimal mark, {example}")
    values = iter(known)
    return [None if _is_missing(cell) else next(values) for cell in cells]


def _dates(name: str, cells: Sequence[Value | None]) -> list[Value | None] | None:
    """The column as dates, or as points in time where some cell has a time of day; None where it is not."""
    if not _may_be_date(next((cell for cell in cells if not _is_missing(cell)), None)):
        return None  # most columns of text part here, without their cells being looked at one by one
    present = [cell for cell in cells if not _is_missing(cell)]
    texts = [cell for cell in present if isinstance(cell, str)]
    if not all(map(_may_be_date, present)):
        return None
    moments = _moments(name, texts)
    if moments is None:
        return None
    known = iter(moments)
    values = [
        None if _is_missing(cell) else next(known) if isinstance(cell, str) else _midnight(cell)
        for cell in cells
    ]
    if all(value is None or value.time() == datetime.time() for value in values):
        return [None if value is None else value.date() for value in values]
    return list(values)


def _may_be_date(cell: Value | None) -> bool:
    if isinstance(cell, str):
        return len(cell) <= _LONGEST_DATE and cell.isascii() and _FOUR_DIGIT_YEAR.search(cell) is not None
    return isinstance(cell, datetime.date)


def _midnight(day: Value | None) -> datetime.datetime:
    assert isinstance(day, datetime.date)
    return day if isinstance(day, datetime.datetime) else datetime.datetime(day.year, day.month, day.day)


def _moments(name: str, texts: Sequence[str]) -> list[datetime.datetime] | None:
    """Points in time for texts: ISO first, then forms in common use, one reading for the whole column."""
    if not texts:
        return []
    with contextlib.suppress(ValueError):
        return [_naive(datetime.datetime.fromisoformat(text)) for text in texts]
    moments = written_dates.parsed(texts, written_dates.CLEAR)
    if moments is not None:
        return moments
    month_first = written_dates.parsed(texts, written_dates.MONTH_FIRST)
    day_first = written_dates.parsed(texts, written_dates.DAY_FIRST)
    if month_first is not None and day_first is not None and month_first != day_first:
        message = f"field '{name}': dates such as {texts[0]} are read as month/day/year"
        warn(f"{message}; write them as 2004-08-13 to be sure")
    return month_first if month_first is not None else day_first
