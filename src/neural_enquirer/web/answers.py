"""Answers and tables as the page gets them, with how each field is read: dates as day month year."""

import datetime
import math
import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.cascade import Cascade
from neural_enquirer.asking.follow_ups import Last, follow_up
from neural_enquirer.engines.wanted import Page
from neural_enquirer.tables import Table
from neural_enquirer.tables.units import Kind, words
from neural_enquirer.web.processes import Asker
from neural_enquirer.web.tables import KnownTable
from neural_enquirer.web.wire import json_bytes

_MOST_MARKED = 100
_MARKED = 0.5
# A row marked less need not be told.
_FAINT = 0.05
_LONGEST_EXAMPLE = 60
_ROWS_SEEN: Final = 50
_WRITTEN: Final = re.compile(r"[0-9]+|[^\W\d_]{3,}")


def answer_body(answer: Answer, asker: Asker, last: Last | None, steps: bool | None, rows_told: int) -> bytes:
    """What is sent for an answer, which may lean on the last question; for the rest see `answer_json`."""

    def ask(questions: Sequence[str]) -> list[Answer]:
        return asker.ask_many([(answer.tables, question) for question in questions])

    told = answer if last is None else follow_up(answer, last, ask)
    return json_bytes(answer_json(told, steps, rows_told))


def answer_json(answer: Answer, steps: bool | None, rows_told: int) -> dict[str, Any]:
    """The answer as `enquirer ask --json` prints it.

    Args:
        answer: to what was asked.
        steps: True tells the steps with every row's marks, False tells no steps. None tells them, but of
            tables with more than `rows_told` rows only the rows marked most: a step then has no `rows`, but
            `marked`, a list of `{"row", "mark"}`, most marked first, and `marked_count`, how many rows are
            marked in all (0.5 or more).
        rows_told: see there.
    """
    longest = max(table.row_count for table in answer.tables)
    if steps is not None or longest <= rows_told or answer.cascade is None:
        return answer.to_json(steps=steps is not False)
    content = answer.to_json(steps=False)
    model = content.pop("model")
    ours = {(place.table, place.row) for each in answer.ranked if (place := each.cell)}
    told = [
        _short_step(answer.cascade, executor, k, {row for name, row in ours if name == table.name})
        for executor in answer.cascade.executors
        for k, table in enumerate(answer.tables)
    ]
    return content | {"steps": told, "model": model}


def _short_step(cascade: Cascade, executor: int, table: int, always: set[int]) -> dict[str, Any]:
    marks = cascade.traces[table].row_marks[executor - 1]
    strongest = np.argsort(-marks, kind="stable")[:_MOST_MARKED]
    rows = [row for row in strongest.tolist() if marks[row] >= _FAINT]
    rows += sorted(always - set(rows))
    return cascade.step_json(executor, table, rows=False) | {
        "marked": [{"row": row, "mark": round(float(marks[row]), 4)} for row in rows],
        "marked_count": int((marks >= _MARKED).sum()),
    }


def table_json(known: KnownTable, forgotten_in: float | None) -> dict[str, Any]:
    """What a table is called and made of; `forgotten_in` says after how many seconds it is forgotten."""
    table = known.table
    fields = [
        {
            "name": field.name,
            "type": field.type,
            "unit": field.unit or None,
            "kind": kind_of(table, place),
            "reading": reading_told(table, place),
            "missing": field.missing,
            "distinct": field.distinct,
            "examples": [_cut(example, _LONGEST_EXAMPLE) for example in field.examples],
        }
        for place, field in enumerate(known.profile.fields)
    ]
    return {
        "id": known.id,
        "name": known.name,
        "rows": table.rows_there,
        "rows_there": table.rows_there,
        "fields": fields,
        "uploaded": known.is_uploaded,
        "example": known.is_example,
        "forgotten_in": None if forgotten_in is None else round(forgotten_in),
    }


def page_json(page: Page, most_letters: int) -> dict[str, Any]:
    """Some rows of a table with their numbers; very long cells are cut."""
    cells = [[_cut(cell, most_letters) for cell in row] for row in page.cells]
    return {"cells": cells, "numbers": list(page.numbers)}


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def kind_of(table: Table, field: int) -> str:
    """What a field's cells are more or less of: number, duration, date; text where they are not."""
    reading = table.listed.reading(field)
    return table.fields[field].type.value if reading is None else reading.kind.value


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
