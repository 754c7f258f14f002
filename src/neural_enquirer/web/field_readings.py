"""How the cells of a field are read, in a few words: dates as day month year, lengths in km."""

import datetime
import math
import re
from typing import Final

from neural_enquirer.tables import Table
from neural_enquirer.tables.units import Kind, words

_ROWS_SEEN: Final = 50
_WRITTEN: Final = re.compile(r"[0-9]+|[^\W\d_]{3,}")


def reading_told(table: Table, field: int) -> str:
    """How a field is read: text, numbers, years, lengths in km, dates as day month year."""
    reading = table.listed.reading(field)
    if reading is None:
        return "text"
    told = str(words()["plurals"][reading.kind.value])
    if reading.is_date:
        rows = range(min(table.row_count, _ROWS_SEEN))
        order = next(filter(None, (_order(table, field, row) for row in rows)), None)
        return f"{told} as {order}" if order else told
    return f"{told} in {reading.unit}" if reading.unit and reading.kind is not Kind.PERCENT else told


def _order(table: Table, field: int, row: int) -> str | None:
    """In which order a cell writes its day, where that is the only order it can be."""
    value, text = table.columns[field][row], table.text(row, field)
    if not isinstance(value, datetime.date):
        reading = table.reading(field)
        days = math.nan if reading is None else float(reading.values[row])
        if not 1 <= days <= datetime.date.max.toordinal():
            return None
        value = datetime.date.fromordinal(int(days))
    parts = {"day": {value.day}, "month": {value.month}, "year": {value.year, value.year % 100}}
    written = _WRITTEN.findall(text)[: len(parts)]
    found = [
        [name for name, own in parts.items() if (int(part) in own if part.isdecimal() else name == "month")]
        for part in written
    ]
    is_clear = len(found) == len(parts) and all(len(names) == 1 for names in found)
    order = [names[0] for names in found] if is_clear else []
    return " ".join(order) if len(set(order)) == len(parts) else None
