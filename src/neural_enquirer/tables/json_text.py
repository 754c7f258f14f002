"""JSON: a list of objects, or one object after the other."""

import json
import re
from collections.abc import Iterator
from typing import Any

from neural_enquirer.tables.objects import from_records
from neural_enquirer.tables.raw_table import RawTable, TableError, reason

_SPACE = re.compile(r"[ \t\r\n]*")
_MOST_DIGITS = 300  # of an integer that Python agrees to read; longer ones stay text


def read_json(text: str, name: str, stem: str) -> RawTable:
    """The records of a text; values keep the types that JSON gives them.

    Raises:
        TableError: where it is not JSON, or not of objects.
    """
    try:
        values = list(_values(text))
    except (json.JSONDecodeError, RecursionError) as error:
        raise TableError(f"{name} cannot be read as JSON: {reason(error)}") from None
    records = [record for value in values for record in (value if isinstance(value, list) else [value])]
    raw = from_records(records, name)
    return RawTable(stem, raw.headers, raw.columns)


def _values(text: str) -> Iterator[Any]:
    """One value after the other, as JSON Lines has them, or all of a JSON text as the only one."""
    decoder = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) < _MOST_DIGITS else digits)
    place = 0
    while gap := _SPACE.match(text, place):
        if gap.end() == len(text):
            return
        value, place = decoder.raw_decode(text, gap.end())
        yield value
