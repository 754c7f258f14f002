"""Files of the data sets: questions as JSON lines, tables as CSV, typed as those of users are.

They are read without DuckDB, so that numpy alone will do.
"""

import csv
import io
import json
import lzma
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from neural_enquirer.real_questions.example import RealDataError
from neural_enquirer.tables import Table, TableError, TableWarning

_LONGEST_CELL = 2**24


def json_lines(path: Path, needed: Collection[str]) -> Iterator[dict[str, Any]]:
    """Reads objects, a line each, from a file that may be packed by xz.

    Raises:
        RealDataError: if it is damaged, or an object lacks what is needed.
    """
    with (lzma.open if path.suffix == ".xz" else open)(path, "rb") as file:
        try:
            for number, record in enumerate(map(json.loads, file), start=1):
                if not isinstance(record, dict) or not record.keys() >= set(needed):
                    raise RealDataError(f"{path}: line {number} lacks one of {', '.join(sorted(needed))}")
                yield record
        except RealDataError:
            raise
        except (ValueError, lzma.LZMAError, EOFError) as error:
            raise RealDataError(f"{path} is damaged or has a line that is not JSON") from error


def read_table(path: Path, name: str, *, escape: str | None = None, hint: str = "") -> Table:
    """Reads a table from a CSV file; the hint says where one that is missing should come from."""
    if not path.is_file():
        raise RealDataError(f"{path} is missing{hint}")
    return read_csv(path.read_bytes(), name, escape=escape)


def read_csv(content: bytes, name: str, *, escape: str | None = None) -> Table:
    r"""Reads UTF-8 text with commas and quotes, which a cell has doubled, or as `\"` if so wanted."""
    csv.field_size_limit(_LONGEST_CELL)
    try:
        text = io.StringIO(content.decode("utf-8-sig"), newline="")
        header, *rows = csv.reader(text, doublequote=escape is None, escapechar=escape)
    except (csv.Error, UnicodeDecodeError, ValueError) as error:
        raise RealDataError(f"the table {name} is empty or no CSV in UTF-8") from error
    return table_of(header, rows, name)


def table_of(header: Sequence[str], rows: Iterable[Sequence[object]], name: str) -> Table:
    """Types a table; short rows are filled up with missing cells, long ones cut.

    Blank and double headers are common here and get their usual names, without a warning for each.
    """
    width = len(header)
    filled = [(*row[:width], *[None] * (width - len(row))) for row in rows]
    columns = list(zip(*filled, strict=True)) or [()] * width
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        try:
            return Table.of_columns(header, columns, name)
        except TableError as error:
            raise RealDataError(f"the table {name} cannot be used: {error}") from error
