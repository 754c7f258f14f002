"""What names a table: files of some kind and size, the address of a database, a connection."""

import glob
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from neural_enquirer.engines.engine import Progress
from neural_enquirer.tables.sources import file_format, pattern_name

AUTO, MEMORY, DUCKDB, SPARK = ENGINES = ("auto", "memory", "duckdb", "spark")
"""What a table can be asked by."""
LARGE_BYTES: Final = 64_000_000
LARGE_CELLS: Final = 2_000_000
"""A table of so many cells is not read into memory unless somebody asks for that."""
_SMALL_PARQUET: Final = 1_000_000
"""Parquet files of so many bytes are not opened to see how many cells they have."""

Bar = Callable[[str, int], AbstractContextManager[Progress]]
"""Shows how far something with a name and a number of steps is."""
_ADDRESS: Final = re.compile(r"postgres(ql)?://", re.IGNORECASE)


@dataclass(frozen=True)
class Files:
    """Files that make one table: what they are called together, and the table within, if any is named."""

    paths: tuple[Path, ...]
    name: str
    table: str | None
    form: str | None

    @property
    def is_large(self) -> bool:
        """Whether there is too much in them to be read into memory."""
        if sum(path.stat().st_size for path in self.paths) > LARGE_BYTES:
            return True
        return self.form == "Parquet" and sum(map(_cells_of, self.paths)) > LARGE_CELLS


def is_address(source: str) -> bool:
    """Whether a source is the address of a database."""
    return _ADDRESS.match(source) is not None


def is_connection(source: Any) -> bool:
    """Whether something is a DB-API connection with the name of a table."""
    return isinstance(source, tuple) and len(source) == 2 and hasattr(source[0], "cursor")


def files_of(source: str) -> Files | None:
    """The files that a source names; None where there are none, which reading them says better."""
    path, table = Path(source), None
    try:
        if "::" in source and not path.exists():
            before, _, table = source.rpartition("::")
            path = Path(before)
        if path.is_file():
            form = file_format(path)
            return Files((path,), _name(path, form), table, form)
        found = sorted(glob.glob(str(path), recursive=True)) if glob.has_magic(str(path)) else []
        paths = tuple(each for each in map(Path, found) if each.is_file())
        forms = {file_format(each) for each in paths}
    except (OSError, ValueError):
        return None
    if not paths:
        return None
    return Files(paths, pattern_name(str(path)), table, forms.pop() if len(forms) == 1 else None)


def _name(path: Path, form: str | None) -> str:
    """What a table is called: the file, where it has several, or its name without what tells its form."""
    if form in ("SQLite", "DuckDB"):
        return path.name
    return Path(path.stem).stem if path.suffix.lower() in (".gz", ".zst") else path.stem


def _cells_of(path: Path) -> int:
    """How many cells a Parquet file has, by what it says of itself."""
    if path.stat().st_size < _SMALL_PARQUET:
        return 0
    import duckdb

    file = glob.escape(str(path.absolute()))
    rows = "SELECT sum(num_rows) FROM parquet_file_metadata($1)"
    columns = "SELECT count(*) FROM parquet_schema($1) WHERE num_children IS NULL"
    try:
        with duckdb.connect() as connection:
            counts = [connection.execute(query, [file]).fetchall()[0][0] for query in (rows, columns)]
    except duckdb.Error:
        return 0
    return int(counts[0] * counts[1])
