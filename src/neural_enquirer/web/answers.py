"""Answers and tables as the page gets them."""

from typing import Any

import numpy as np

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.cascade import Cascade
from neural_enquirer.tables import Table
from neural_enquirer.web.tables import KnownTable

_MOST_MARKED = 100
_MARKED = 0.5
# A row marked less need not be told.
_FAINT = 0.05


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


def table_json(known: KnownTable) -> dict[str, Any]:
    """What a table is called and made of."""
    fields = [{"name": field.name, "type": field.type.value} for field in known.table.fields]
    table = known.table
    counts = {"rows": table.row_count, "rows_there": table.rows_there}
    return {"id": known.id, "name": known.name, **counts, "fields": fields}


def cells_json(table: Table, start: int, count: int, most_letters: int) -> list[list[str]]:
    """Some rows of a table as texts; very long cells are cut."""
    rows = range(start, min(start + count, table.row_count))
    return [
        [_cut(table.text(row, column), most_letters) for column in range(len(table.fields))] for row in rows
    ]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
