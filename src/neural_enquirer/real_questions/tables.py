"""Tables of the data sets, typed as those of users are; read without DuckDB, so that numpy alone will do."""

import csv
import io
import warnings
from collections.abc import Iterable, Sequence

from neural_enquirer.real_questions.example import RealDataError
from neural_enquirer.tables import Table, TableError, TableWarning

_LONGEST_CELL = 2**24


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
