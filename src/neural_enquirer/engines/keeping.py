"""What was found out about large tables, kept in the user's cache until they change."""

import datetime
import gzip
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from neural_enquirer.engines.known import WHOLE_ROWS, Known, KnownField
from neural_enquirer.engines.relations import Cast, Column
from neural_enquirer.engines.stamps import cache_folder, digest
from neural_enquirer.engines.values import as_cell
from neural_enquirer.tables import Field, FieldType, Value

_FORM: Final = 1
"""Another number for every change of what is kept."""
_MOST_KEPT: Final = 100


def keep(version: str, known: Known) -> None:
    """Keeps what is known of a version of a large table, where anything can be kept."""
    if known.rows <= WHOLE_ROWS:
        return
    place = _place(version)
    content = json.dumps(_written(known), ensure_ascii=False).encode("utf-8", errors="replace")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as folder:  # which Ctrl-C removes as well
            file = Path(folder) / place.name
            file.write_bytes(gzip.compress(content))
            file.replace(place)  # it appears whole or not at all
        kept = sorted(place.parent.glob("*.json.gz"), key=lambda path: path.stat().st_mtime, reverse=True)
        for old in kept[_MOST_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def recall(version: str) -> Known | None:
    """What was kept of a version of a table; None where nothing is, or it cannot be read."""
    try:
        content = json.loads(gzip.decompress(_place(version).read_bytes()))
        return _read(content)
    except (OSError, ValueError, EOFError, KeyError, TypeError):
        return None


def _place(version: str) -> Path:
    return cache_folder() / "profiles" / f"{digest(f'{_FORM} {version}')}.json.gz"


def _written(known: Known) -> dict[str, Any]:
    return {
        "rows": known.rows,
        "order": known.order,
        "sample": [list(map(_plain, column)) for column in known.sample],
        "fields": [
            {
                "source": field.column.source,
                "name": field.column.field.name,
                "type": field.column.field.type.value,
                "cast": field.column.cast.value,
                "distinct": field.distinct,
                "missing": field.missing,
                "ends": [_plain(field.smallest), _plain(field.largest)],
                "listed": field.listed,
            }
            for field in known.fields
        ],
    }


def _read(content: dict[str, Any]) -> Known:
    fields = tuple(map(_field, content["fields"]))
    sample = [
        _values(column, field.column.field.type)
        for column, field in zip(content["sample"], fields, strict=True)
    ]
    order = content["order"]
    return Known(int(content["rows"]), fields, tuple(sample), None if order is None else tuple(order))


def _field(content: dict[str, Any]) -> KnownField:
    kind = FieldType(content["type"])
    smallest, largest = _values(content["ends"], kind)
    listed = content["listed"]
    return KnownField(
        Column(content["source"], Field(content["name"], kind), Cast(content["cast"])),
        int(content["distinct"]),
        int(content["missing"]),
        smallest,
        largest,
        None if listed is None else tuple(listed),
    )


def _plain(value: Value | None) -> str | int | float | None:
    return str(value) if isinstance(value, datetime.date) else value


def _values(cells: Sequence[Any], kind: FieldType) -> tuple[Value | None, ...]:
    return tuple(as_cell(cell, kind) for cell in cells)
