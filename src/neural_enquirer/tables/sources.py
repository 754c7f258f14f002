"""Where tables come from: files of several formats, standard input, data frames, lists of dicts.

Each source is brought to headers and columns of untyped cells. DuckDB reads CSV, TSV, JSON and Parquet;
Python's own sqlite3 reads SQLite, because DuckDB would have to fetch an extension for it.
"""

import contextlib
import dataclasses
import glob
import gzip
import io
import json
import re
import shutil
import sqlite3
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import quote

from neural_enquirer.tables.cell_types import TableWarning
from neural_enquirer.tables.title_lines import hides_columns, line_breaks, lines_above_header

if TYPE_CHECKING:
    import duckdb

KNOWN_FORMATS = "CSV, TSV, JSON, JSONL, Parquet, SQLite"

_FORMAT_OF_SUFFIX = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".db": "sqlite",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
}
_FORMAT_OF_MAGIC = {b"PAR1": "parquet", b"SQLite format 3\0": "sqlite"}
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF32_MARKS = (b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")
_BEGINNING = 1 << 16  # characters in which lines above the header are looked for
_LONGEST_TOLD = 60


class TableError(ValueError):
    """A table cannot be read; the message is one line that says what is wrong and what to do."""


@dataclass(frozen=True)
class RawTable:
    """Headers as they stand in the source, and one list of untyped cells per header."""

    name: str
    headers: Sequence[str]
    columns: Sequence[Sequence[object]]


def read_source(source: str) -> RawTable:
    """Reads a file, `file.db::table`, or standard input (`-`)."""
    if source == "-":
        return _read_stream(sys.stdin.buffer, "standard input")
    path, table = Path(source), None
    if "::" in source and not path.exists():
        file, _, table = source.rpartition("::")
        path = Path(file)
    try:
        if path.is_dir():
            raise TableError(f"{path} is a folder; name a table file ({KNOWN_FORMATS})")
        if path.is_fifo():
            with path.open("rb") as pipe:
                return _read_stream(pipe, path.name)
        return _read_file(path, path.name, table)
    except FileNotFoundError:
        raise TableError(f"{path} does not exist; check the name of the table file") from None
    except (OSError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"{path} cannot be opened: {_reason(error)}") from None


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


def from_stream(stream: Any, name: str = "table") -> RawTable:
    """An open file, or a text in `io.StringIO`."""
    content = stream.read()
    if not isinstance(content, str | bytes):
        raise TableError(f"what is to be read must give text or bytes, not {type(content).__name__}")
    encoded = content.encode("utf-8", errors="replace") if isinstance(content, str) else content
    return dataclasses.replace(_read_stream(io.BytesIO(encoded), name), name=name)


def article(noun: str) -> str:
    """The article that goes with a word."""
    return "an" if noun[:1].lower() in "aeiou" else "a"


def from_arrow(table: Any, name: str = "table") -> RawTable:
    """An Arrow table, or anything that speaks Arrow's stream protocol."""
    import pyarrow as pa

    arrow = table if isinstance(table, pa.Table) else pa.table(table)
    return RawTable(name, list(arrow.column_names), [column.to_pylist() for column in arrow.columns])


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


def _header(header: object) -> str:
    """The name of a column; of several levels, one after the other."""
    return " ".join(str(part) for part in header if str(part)) if isinstance(header, tuple) else str(header)


def _read_stream(stream: BinaryIO, name: str) -> RawTable:
    # DuckDB looks at a file more than once to find its dialect, which a pipe does not allow.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        with path.open("wb") as file:
            shutil.copyfileobj(stream, file)
        return _read_file(path, name, None)


def _read_file(path: Path, name: str, table: str | None) -> RawTable:
    with path.open("rb") as file:
        head = file.read(4096)
    if not head:
        raise TableError(f"{name} is empty; a table needs a line of headers")
    form = _format(path, name, head)
    if table is not None and form != "sqlite":
        raise TableError(f"{name} is not an SQLite file; leave out '::{table}'")
    if form == "sqlite":
        return _read_sqlite(path, name, table)
    if form == "parquet":
        return _read_parquet(path, name)
    if head[:2] in _UTF16_MARKS:
        return _read_utf16(path, name, form)
    if form == "json":
        return _read_json(path, name)
    return _read_csv(path, name, separator="\t" if form == "tsv" else None)


def _read_utf16(path: Path, name: str, form: str) -> RawTable:
    """Brings the text to UTF-8 first: DuckDB reads neither all of UTF-16 nor both of its byte orders."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"{path.stem}.{form}"
        try:
            with (
                path.open(encoding="utf-16", newline="") as file,
                copy.open("w", encoding="utf-8", newline="") as out,
            ):
                shutil.copyfileobj(file, out)
        except UnicodeError:
            raise TableError(f"{name} begins as UTF-16 text but is not; save it as UTF-8") from None
        return _read_file(copy, name, None)


def _format(path: Path, name: str, head: bytes) -> str:
    """What a file holds: its first bytes decide where they are telling, then its name, then a guess."""
    for magic, form in _FORMAT_OF_MAGIC.items():
        if head.startswith(magic):
            return form
    if head.startswith(_UTF32_MARKS):
        raise TableError(f"{name} is UTF-32 text; save it as UTF-8")
    if Path(name).suffix.lower() in _SPREADSHEETS:
        raise TableError(f"{name} is a spreadsheet; save it as CSV from your spreadsheet program")
    compressed = path.suffix.lower() in (".gz", ".zst")
    suffix = Path(path.stem).suffix if compressed else path.suffix
    named = _FORMAT_OF_SUFFIX.get(suffix.lower())
    if named in _FORMAT_OF_MAGIC.values():
        raise TableError(
            f"{name} is not a {'Parquet' if named == 'parquet' else 'SQLite'} file, despite its name"
        )
    if not compressed and b"\0" in head and head[:2] not in _UTF16_MARKS:
        raise TableError(f"{name} is not a text file; give a table as {KNOWN_FORMATS}")
    return named or ("json" if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{") else "csv")


@contextlib.contextmanager
def _duckdb(name: str, form: str) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A DuckDB that never reaches for the network, and whose complaints become one line."""
    import duckdb

    offline: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    try:
        with duckdb.connect(":memory:", config=offline) as connection:
            yield connection
    except duckdb.Error as error:
        raise TableError(f"{name} cannot be read as {form}: {_plain_complaint(str(error))}") from None


def _plain_complaint(complaint: str) -> str:
    """The part of a DuckDB message that helps a person."""
    if "not utf-8" in complaint.lower():
        return "it is not UTF-8 text; save it as UTF-8"
    line = re.search(r"CSV Error on Line: (\d+)", complaint)
    if line:
        uneven = "Expected Number of Columns" in complaint
        trouble = "does not have as many cells as the header" if uneven else "is too long or wrongly quoted"
        return f"line {line[1]} {trouble}"
    if "sniffing" in complaint:
        return "its lines do not line up as rows of one table; check separators and quotes"
    return complaint.splitlines()[0].partition("Error: ")[2].strip() or complaint.splitlines()[0]


def _escaped(path: Path) -> str:
    """The path as DuckDB must get it: it would otherwise take *, ? and [ in a name for a pattern."""
    return glob.escape(str(path.absolute()))


def _read_csv(path: Path, name: str, separator: str | None) -> RawTable:
    import duckdb

    above = _lines_above_header(path, separator)
    # skip and comment: never drop lines in silence. null_padding: short rows end in missing cells.
    # hive_partitioning: a folder called year=2020 is no column. Nothing of the user's enters this text.
    sniffed = f"null_padding=true, parallel=false, skip={len(above)}, comment='', hive_partitioning=false"
    sniffed += f", delim='{separator}'" if separator else ""
    standard = sniffed + """, quote='"', escape='"'"""
    with _duckdb(name, "CSV") as connection:
        rows = []
        with contextlib.suppress(duckdb.Error):
            rows = _csv_rows(connection, path, standard)
        dialect = standard
        if not rows or _collapsed(rows):
            rows, dialect = _csv_rows(connection, path, sniffed), sniffed
        if _collapsed(rows):
            raise TableError(f"{name} has rows with more cells than its header; check separators and quotes")
        query = f"SELECT HasHeader FROM sniff_csv($1, {dialect})"
        has_header = connection.execute(query, [_escaped(path)]).fetchall()[0][0]
    raw = _with_header(rows, name, path.stem, has_header or bool(above))
    _warn_of_titles(raw, name, above)
    return raw


def _lines_above_header(path: Path, separator: str | None) -> list[str]:
    """Titles and blank lines before the header, where it is safe to tell them from a table."""
    opened = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig") as file:
            text = file.read(_BEGINNING)
    except (OSError, EOFError, UnicodeError):
        return []
    if len(text) == _BEGINNING:
        text = text[: text.rfind("\n") + 1]
    return line_breaks.split(text)[: lines_above_header(text, separator)]


def _warn_of_titles(raw: RawTable, name: str, above: Sequence[str]) -> None:
    told = next((line.strip(" ,;|\t") for line in above), raw.headers[0])[:_LONGEST_TOLD]
    if above:
        filled = sum(any(character.isalnum() for character in line) for line in above)
        more = f"and {filled - 1} more above the header were" if filled > 1 else "above the header was"
        fields = ", ".join(raw.headers)[:_LONGEST_TOLD]
        message = f"the line '{told}' {more} left out; the fields are {fields}"
    elif len(raw.headers) == 1 and hides_columns(raw.columns[0][:100]):  # type: ignore[arg-type]
        message = f"the first line, '{told}', was taken as the header of the only field"
        message += "; if it is a title, delete what stands above the header"
    else:
        return
    warnings.warn(f"{name}: {message}", TableWarning, stacklevel=2)


def _csv_rows(
    connection: "duckdb.DuckDBPyConnection", path: Path, dialect: str
) -> list[tuple[str | None, ...]]:
    """All lines as text, the header included: DuckDB would rename headers that are blank or double."""
    query = f"SELECT * FROM read_csv($1, all_varchar=true, header=false, {dialect})"
    return connection.execute(query, [_escaped(path)]).fetchall()


def _collapsed(rows: Sequence[Sequence[str | None]]) -> bool:
    """Whether DuckDB gave up on separators: it then hands over whole lines as one column."""
    return bool(rows) and len(rows[0]) == 1 and re.search(r"[,;|\t]", rows[0][0] or "") is not None


def _with_header(rows: Sequence[Sequence[str | None]], name: str, stem: str, has_header: bool) -> RawTable:
    header = [cell or "" for cell in rows[0]] if rows else []
    if not any(cell.strip() for cell in header):
        raise TableError(f"{name} does not begin with a line of headers; add one")
    columns = list(zip(*rows[1:], strict=True)) or [()] * len(header)
    if not has_header and not _years_as_headers(header, columns):
        raise TableError(
            f"{name} has no headers: its first line looks like data; add a line that names the fields"
        )
    return RawTable(stem, header, columns)


def _years_as_headers(header: Sequence[str], columns: Sequence[Sequence[str | None]]) -> bool:
    """Whether a first line with numbers is a header after all: words and years, above no years."""
    year = re.compile(r"[12]\d{3}")
    numbers = [i for i, cell in enumerate(header) if re.fullmatch(r"[\d.,]+", cell.strip())]
    return (
        len(numbers) < len(header)
        and all(year.fullmatch(header[i].strip()) for i in numbers)
        and not any(year.fullmatch(cell.strip()) for i in numbers for cell in columns[i] if cell)
    )


def _read_json(path: Path, name: str) -> RawTable:
    """A list of objects, or one a line. Their own types are kept: DuckDB's guess would lose spellings."""
    query = "SELECT json::VARCHAR FROM read_json_objects($1, format='auto', hive_partitioning=false)"
    with _duckdb(name, "JSON") as connection:
        texts = [row[0] for row in connection.execute(query, [_escaped(path)]).fetchall()]
    try:
        values = [_json_value(text) for text in texts]
    except (json.JSONDecodeError, RecursionError) as error:
        raise TableError(f"{name} cannot be read as JSON: {_reason(error)}") from None
    # A byte-order mark keeps DuckDB from looking inside the list.
    records = [record for value in values for record in (value if isinstance(value, list) else [value])]
    raw = from_records(records, name)
    return RawTable(path.stem, raw.headers, raw.columns)


def _json_value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python agrees to read: it stays text
        return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 300 else digits)


def _read_parquet(path: Path, name: str) -> RawTable:
    with _duckdb(name, "Parquet") as connection:
        query = "SELECT * FROM read_parquet($1, hive_partitioning=false)"
        return from_arrow(connection.sql(query, params=[_escaped(path)]).to_arrow_table(), path.stem)


def _read_sqlite(path: Path, name: str, table: str | None) -> RawTable:
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as connection:
            tables = _sqlite_tables(connection)
            chosen = _chosen_table(name, table, tables)
            quoted = '"' + chosen.replace('"', '""') + '"'
            cursor = connection.execute(f"SELECT * FROM {quoted}")
            headers = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
    except sqlite3.Error as error:
        raise TableError(f"{name} cannot be read as SQLite: {_reason(error)}") from None
    return RawTable(chosen, headers, list(zip(*rows, strict=True)) or [()] * len(headers))


def _sqlite_tables(connection: sqlite3.Connection) -> list[str]:
    query = (
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_'"
    )
    return sorted(row[0] for row in connection.execute(query))


def _chosen_table(name: str, table: str | None, tables: Sequence[str]) -> str:
    if not tables:
        raise TableError(f"{name} holds no table")
    choices = ", ".join(f"{name}::{choice}" for choice in tables)
    if table is None:
        if len(tables) > 1:
            raise TableError(f"{name} holds {len(tables)} tables; choose one of {choices}")
        return tables[0]
    if table not in tables:
        raise TableError(f"{name} holds no table '{table}'; choose one of {choices}")
    return table


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).splitlines()[0]
