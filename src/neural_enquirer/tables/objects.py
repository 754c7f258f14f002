"""Tables of what a program has at hand: lists of dicts, dicts of columns, data frames, Arrow tables, JSON."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from neural_enquirer.installed import check_installed
from neural_enquirer.tables.raw_table import RawTable, TableError, reason

_SPACE = re.compile(r"[ \t\r\n]*")
_MOST_DIGITS = 300  # of an integer that Python agrees to read; longer ones stay text


def from_records(records: Sequence[Mapping[str, object]], name: str = "table") -> RawTable:
    """A list of dicts; fields in the order in which they first occur, missing where a dict lacks them."""
    if not all(isinstance(record, Mapping) for record in records):
        raise TableError(f"{name} is not a list of objects with named fields; give one object per row")
    headers = list(dict.fromkeys(key for record in records for key in record))
    columns = [[record.get(header) for record in records] for header in headers]
    return RawTable(name, [str(header) for header in headers], columns)


def from_columns(columns: Mapping[str, Any], name: str = "table") -> RawTable:
    """A dict that has a list, an array or a pandas column for every field, all of the same length."""
    cells = {
        header: column.tolist() if hasattr(column, "tolist") else column for header, column in columns.items()
    }
    for header, column in cells.items():
        if isinstance(column, str) or not isinstance(column, Sequence):
            what = type(columns[header]).__name__
            raise TableError(
                f"a dict must have a list of cells for each field; '{header}' has {article(what)} {what}"
            )
    lengths = {header: len(column) for header, column in cells.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"'{header}' has {length:,}" for header, length in list(lengths.items())[:3])
        raise TableError(f"the columns of {name} must have the same number of cells: {told}")
    return RawTable(name, [str(header) for header in cells], list(cells.values()))


def from_arrow(table: Any, name: str = "table") -> RawTable:
    """An Arrow table, or anything that speaks Arrow's stream protocol."""
    check_installed("pyarrow", "arrow", "an Arrow table")
    import pyarrow as pa

    arrow = table if isinstance(table, pa.Table) else pa.table(table)
    return RawTable(name, list(arrow.column_names), [_arrow_cells(column) for column in arrow.columns])


def _arrow_cells(column: Any) -> list[object]:
    import pyarrow as pa

    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        # Python's own moments end at microseconds, and Arrow would refuse those that do not.
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return list(column.to_pylist())


def from_pandas(frame: Any, name: str = "table") -> RawTable:
    """A pandas frame or series, column by column: unlike Arrow, its columns may mix types.

    An index that says something, by its name or by not being mere row numbers, makes the first columns.
    """
    if not hasattr(frame, "columns"):
        frame = frame.to_frame("value" if frame.name is None else frame.name)
    names = list(frame.index.names)
    if any(level is not None for level in names) or type(frame.index).__name__ != "RangeIndex":
        unnamed = ["index"] if len(names) == 1 else [f"index {number}" for number in range(1, len(names) + 1)]
        levels = [frame.index.get_level_values(level).tolist() for level in range(len(names))]
        headers = [other if given is None else given for given, other in zip(names, unnamed, strict=True)]
    else:
        headers, levels = [], []
    columns = [frame.iloc[:, i].tolist() for i in range(frame.shape[1])]
    return RawTable(name, [_header(header) for header in (*headers, *frame.columns)], [*levels, *columns])


def article(noun: str) -> str:
    """The article that goes with a word."""
    return "an" if noun[:1].lower() in "aeiou" else "a"


def _header(header: object) -> str:
    """The name of a column; of several levels, one after the other."""
    return " ".join(str(part) for part in header if str(part)) if isinstance(header, tuple) else str(header)


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
