"""Reads an uploaded table in a process of its own, whose memory and time are bounded.

A small file can hold a huge table: a row of a thousand cells above a million short ones, a Parquet column
of one value repeated, an SQLite view that never ends. Such a file ends the process that reads it, and not the
server; and while a long table is read, the server's process is free to answer questions. Tables come back as
JSON.
"""

import contextlib
import datetime
import json
import re
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neural_enquirer.tables import Field, FieldType, Table, TableError, TableWarning, Value
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.wire import RequestError

_READ, _UNREADABLE, _TOO_LARGE = 0, 3, 4
_OUTCOME = "outcome.json"


@dataclass(frozen=True)
class ReadTable:
    """A table, and what was odd about it."""

    table: Table
    warnings: tuple[str, ...] = ()


def read_apart(path: Path, part: str | None, limits: Limits) -> ReadTable:
    """Reads a table file; its folder is for this file alone.

    Args:
        path: the file.
        part: which table of a database, or which sheet of a workbook.
        limits: how large the table may be, and how much reading it may take.

    Raises:
        RequestError: where it cannot be read, or is more than can be asked.
    """
    sizes = (limits.table_cells, limits.table_fields, limits.read_bytes)
    command = [sys.executable, "-P", "-m", __spec__.name, str(path), part or "", *map(str, sizes)]
    try:
        status = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=limits.read_seconds,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        raise RequestError(413, f"{path.name} takes too long to read; upload a smaller table.") from None
    outcome = path.parent / _OUTCOME
    if not outcome.is_file():
        raise RequestError(413, f"{path.name} takes too much memory to read; upload a smaller table.")
    content = json.loads(outcome.read_bytes())
    if status == _READ:
        return ReadTable(_from_json(content["table"]), tuple(content["warnings"]))
    raise RequestError(413 if status == _TOO_LARGE else 422, content["sentence"])


def check_size(table: Table, most_cells: int, most_fields: int) -> Table:
    """Returns the table if it can be asked.

    Raises:
        RequestError: where it has no rows, or is too large.
    """
    cells = table.row_count * len(table.fields)
    if not cells:
        raise RequestError(422, f"{table.name} has no rows; there is nothing to ask about.")
    if len(table.fields) > most_fields:
        raise RequestError(
            413, f"The table has {len(table.fields):,} fields; at most {most_fields:,} can be asked."
        )
    if cells > most_cells:
        raise RequestError(413, f"The table has {cells:,} cells; at most {most_cells:,} can be asked.")
    return table


def main(file: str, part: str, most_cells: str, most_fields: str, most_bytes: str) -> int:
    """Reads a file and leaves what came of it beside it: a table, or the sentence that says why not."""
    _bound_memory(int(most_bytes))
    path = Path(file)
    content: dict[str, Any]
    try:
        content, status = _read(path, part, int(most_cells), int(most_fields)), _READ
    except RequestError as error:
        content, status = {"sentence": error.sentence}, _TOO_LARGE if error.status == 413 else _UNREADABLE
    except (TableError, OSError) as error:
        sentence = str(error).replace(f"{path.parent}/", "").replace("\n", " ")
        content, status = {"sentence": f"{sentence}."}, _UNREADABLE
        if re.search(r"allocat|out of memory", sentence, re.IGNORECASE):
            return _TOO_LARGE  # without an outcome, as if memory had run out elsewhere
    temporary = path.parent / f".{_OUTCOME}"
    temporary.write_text(json.dumps(content), encoding="ascii")
    temporary.replace(path.parent / _OUTCOME)
    return status


def _read(path: Path, part: str, most_cells: int, most_fields: int) -> dict[str, Any]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TableWarning)
        table = Table.read(f"{path}::{part}" if part else path, totals=False)
    told = [str(warning.message) for warning in caught if issubclass(warning.category, TableWarning)]
    return {"table": _to_json(check_size(table, most_cells, most_fields)), "warnings": told}


def _bound_memory(most_bytes: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system has such bounds
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _to_json(table: Table) -> dict[str, Any]:
    columns = [
        [None if value is None else value.isoformat() for value in column]  # type: ignore[union-attr]
        if field.type is FieldType.DATE
        else column
        for field, column in zip(table.fields, table.columns, strict=True)
    ]
    fields = [(field.name, field.type.value) for field in table.fields]
    return {"name": table.name, "fields": fields, "columns": columns, "texts": table.texts}


def _from_json(content: dict[str, Any]) -> Table:
    fields = tuple(Field(name, FieldType(kind)) for name, kind in content["fields"])
    columns, texts = [], []
    for field, values, spelled in zip(fields, content["columns"], content["texts"], strict=True):
        known: dict[str, str] = {}  # equal texts are kept once
        texts.append(tuple(known.setdefault(text, text) for text in spelled))
        columns.append(tuple(_value(field.type, value, known) for value in values))
    return Table(fields, tuple(columns), content["name"], tuple(texts))


def _value(kind: FieldType, value: str | float | None, known: dict[str, str]) -> Value | None:
    if not isinstance(value, str):
        return value
    if kind is FieldType.TEXT:
        return known.setdefault(value, value)
    return datetime.datetime.fromisoformat(value) if "T" in value else datetime.date.fromisoformat(value)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
