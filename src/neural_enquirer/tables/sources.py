"""Where tables come from: files of several formats, one or many, standard input, open files.

A file's first bytes say what it is where they are telling, then its name does.
"""

import glob
import gzip
import io
import itertools
import re
import shutil
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from neural_enquirer.installed import check_installed
from neural_enquirer.tables.csv_text import read_csv
from neural_enquirer.tables.databases import read_duckdb, read_parquet, read_sqlite
from neural_enquirer.tables.objects import read_json
from neural_enquirer.tables.raw_table import KNOWN_FORMATS, RawTable, TableError, reason
from neural_enquirer.tables.text_encoding import decoded
from neural_enquirer.tables.workbooks import read_workbook

_FORMAT_OF_SUFFIX = {
    ".csv": "CSV",
    ".tsv": "TSV",
    ".tab": "TSV",
    ".json": "JSON",
    ".jsonl": "JSON",
    ".ndjson": "JSON",
    ".parquet": "Parquet",
    ".db": "SQLite",
    ".sqlite": "SQLite",
    ".sqlite3": "SQLite",
    ".duckdb": "DuckDB",
    ".ddb": "DuckDB",
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), "workbook"),
}
_COMPRESSED = (".gz", ".zst")
TABLE_SUFFIXES = (*_FORMAT_OF_SUFFIX, *_COMPRESSED)
"""How the names of table files end."""

# Where in a file which bytes say what it is.
_MAGIC = (
    (0, b"PAR1", "Parquet"),
    (0, b"SQLite format 3\0", "SQLite"),
    (8, b"DUCK", "DuckDB"),
    (0, b"PK\x03\x04", "workbook"),
    (0, b"\xd0\xcf\x11\xe0", "workbook"),
)
_HOLD_SEVERAL = {"SQLite": read_sqlite, "DuckDB": read_duckdb, "workbook": read_workbook}
_LONGEST_TOLD = 60
_HEAD = 4096
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


def read_source(source: str) -> RawTable:
    """Reads a file, one table of it (`file.db::table`), all files of a pattern, or standard input (`-`)."""
    if source == "-":
        return _read_stream(sys.stdin.buffer, "standard input")
    path, table = Path(source), None
    try:
        if "::" in source and not path.exists():
            file, _, table = source.rpartition("::")
            path = Path(file)
        if glob.has_magic(str(path)) and not path.exists():
            return _read_pattern(str(path), table)
        return _read_path(path, table)
    except FileNotFoundError:
        raise TableError(f"{path} does not exist; check the name of the table file") from None
    except TableError:
        raise
    except (OSError, ValueError) as error:
        raise TableError(f"{path} cannot be opened: {reason(error)}") from None


def from_stream(stream: Any, name: str = "table") -> RawTable:
    """An open file, or a text in `io.StringIO`."""
    content = stream.read()
    if not isinstance(content, str | bytes):
        raise TableError(f"what is to be read must give text or bytes, not {type(content).__name__}")
    encoded = content.encode("utf-8", errors="replace") if isinstance(content, str) else content
    return replace(_read_stream(io.BytesIO(encoded), name), name=name)


def _read_pattern(pattern: str, table: str | None) -> RawTable:
    """All files that a pattern such as `data/*.csv` fits, one below the other."""
    paths = [Path(found) for found in sorted(glob.glob(pattern, recursive=True)) if Path(found).is_file()]
    if not paths:
        raise TableError(f"no file fits {pattern}; check the folder and the name")
    parts = [_read_path(path, table) for path in paths]
    for path, part in zip(paths, parts, strict=True):
        if _fields(part) != _fields(parts[0]):
            differing = [
                f"{file.name} has {', '.join(_fields(each))[:_LONGEST_TOLD]}"
                for file, each in ((paths[0], parts[0]), (path, part))
            ]
            raise TableError(f"the files of {pattern} do not have the same fields: {'; '.join(differing)}")
    columns = zip(*(part.columns for part in parts), strict=True)
    joined = [list(itertools.chain.from_iterable(pieces)) for pieces in columns]
    starts = itertools.accumulate((len(part.columns[0]) for part in parts), initial=0)
    totals = [start + row for start, part in zip(starts, parts, strict=False) for row in part.totals]
    told = "; ".join(part.told for part in parts if part.told) or None
    return RawTable(pattern_name(pattern), parts[0].headers, joined, totals, told)


def _fields(raw: RawTable) -> list[str]:
    return [" ".join(header.split()) for header in raw.headers]


def pattern_name(pattern: str) -> str:
    """What the names of all files have in common, or else the name of their folder."""
    path = Path(pattern)
    fixed = re.sub(r"\[.*?\]|[*?]", " ", path.stem).strip(" -_.")
    return fixed or ("table" if glob.has_magic(path.parent.name) else path.parent.name or "table")


def _read_path(path: Path, table: str | None) -> RawTable:
    if path.is_dir():
        raise TableError(f"{path} is a folder; name a table file ({KNOWN_FORMATS})")
    if path.is_fifo():
        with path.open("rb") as pipe:
            return _read_stream(pipe, path.name)
    return _read_file(path, path.name, table)


def _read_stream(stream: BinaryIO, name: str) -> RawTable:
    import tempfile  # which takes longer to load than most tables

    with tempfile.TemporaryDirectory() as folder:  # most readers want a file, or look at it more than once
        path = Path(folder) / "input"
        with path.open("wb") as file:
            shutil.copyfileobj(stream, file)
        return _read_file(path, name, None)


def _read_file(path: Path, name: str, table: str | None) -> RawTable:
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if not head:
        raise TableError(f"{name} is empty; a table needs a line of headers")
    form = _format(path, name, head)
    if form in _HOLD_SEVERAL:
        return _HOLD_SEVERAL[form](path, name, table)
    if table is not None:
        raise TableError(f"{name} is neither a database nor a workbook; leave out '::{table}'")
    return read_parquet(path, name) if form == "Parquet" else _read_text(path, name, form)


def file_format(path: Path) -> str | None:
    """What a file holds, by its first bytes and its name; None where neither tells."""
    with path.open("rb") as file:
        return _format(path, path.name, file.read(_HEAD))


def _format(path: Path, name: str, head: bytes) -> str | None:
    """What a file holds; None where that is text of a kind that its name does not tell."""
    for place, magic, form in _MAGIC:
        if head.startswith(magic, place):
            return form
    is_compressed = path.suffix.lower() in _COMPRESSED
    suffix = (Path(path.stem) if is_compressed else path).suffix.lower()
    named = _FORMAT_OF_SUFFIX.get(suffix)
    if suffix == ".numbers":
        raise TableError(f"{name} is a spreadsheet of Numbers; export it as .xlsx or CSV")
    if named in {form for _, _, form in _MAGIC}:
        what = named if named == "workbook" else f"{named} file"
        raise TableError(f"{name} is not a {what}, despite its name")
    return named


def _read_text(path: Path, name: str, form: str | None) -> RawTable:
    text = decoded(_unpacked(path.read_bytes(), name), name)
    if form is None:
        form = "JSON" if text.lstrip()[:1] in ("[", "{") else "CSV"
    stem = Path(path.stem).stem if path.suffix.lower() in _COMPRESSED else path.stem
    if form == "JSON":
        return read_json(text, name, stem)
    return read_csv(text, name, stem, separator="\t" if form == "TSV" else None)


def _unpacked(content: bytes, name: str) -> bytes:
    try:
        if content.startswith(_GZIP):
            return gzip.decompress(content)
        if content.startswith(_ZSTD):
            check_installed("pyarrow", "arrow", "a file that zstd has packed")
            import pyarrow as pa

            return bytes(pa.input_stream(io.BytesIO(content), compression="zstd").read())
    except (OSError, EOFError, zlib.error) as error:
        raise TableError(f"{name} cannot be unpacked: {reason(error)}") from None
    return content
