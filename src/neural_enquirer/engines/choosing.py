"""Which engine a table is asked by: its kind and its size decide, unless somebody says so.

Most tables are small files, for which nothing of the engines is loaded.
"""

import glob
import os
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from neural_enquirer.engines.engine import Engine, EngineError, Progress
from neural_enquirer.engines.memory import MemoryEngine
from neural_enquirer.tables import Table, TableError
from neural_enquirer.tables.sources import file_format, pattern_name

__all__ = [
    "AUTO",
    "DUCKDB",
    "ENGINES",
    "MEMORY",
    "SPARK",
    "Bar",
    "Files",
    "engine_of",
    "files_of",
    "is_address",
    "is_connection",
    "open_object",
    "open_sources",
]

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


def open_sources(sources: Sequence[str], engine: str = AUTO, bar: Bar | None = None) -> list[Table]:
    """Opens tables by their files and addresses, where they are asked.

    Args:
        sources: as `Table.read` takes them, or addresses such as postgresql://user@host/name::table.
        engine: one of `ENGINES`.
        bar: shows how far the profile of a large table is.

    Raises:
        TableError: with one line that says what is wrong.
    """
    if engine not in ENGINES:
        raise EngineError(f"unknown engine '{engine}'; there are {', '.join(ENGINES)}")
    if engine in (AUTO, MEMORY) and not any(is_address(each) or _is_large(each, engine) for each in sources):
        return [_with_rows(Table.read(source)) for source in sources]
    from neural_enquirer.engines.opening import Opener

    opener = Opener(DUCKDB if engine == AUTO and len(sources) > 1 else engine, bar)
    return [opener.opened(source) for source in sources]


def open_object(source: Any, name: str = "table") -> Table:
    """The table of what a program has at hand.

    Args:
        source: what `Table.of` takes, or what is asked where it is: a DuckDB relation, a Spark data frame, a
            large Polars or Arrow table, a pair of a DB-API connection and a table's name.
        name: what to call it where it has no name.
    """
    if isinstance(source, str | os.PathLike) and "\n" not in os.fspath(source):
        return open_sources([os.fspath(source)])[0]
    if _is_asked_there(source):
        from neural_enquirer.engines import opening

        return opening.open_object(source, name)
    return _with_rows(Table.of(source, name))


def _is_asked_there(source: Any) -> bool:
    if is_connection(source) or type(source).__name__ == "DuckDBPyRelation":
        return True
    if hasattr(source, "createOrReplaceTempView"):
        return True
    is_arrow = hasattr(source, "__arrow_c_stream__") and not type(source).__module__.startswith("pandas")
    rows, columns = getattr(source, "shape", (0, 0)) if is_arrow else (0, 0)
    return bool(rows * columns > LARGE_CELLS)


def engine_of(table: Table) -> Engine:
    """What runs programs over a table."""
    engine: Engine = getattr(table, "engine", None) or MemoryEngine()
    return engine


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


def _is_large(source: str, engine: str) -> bool:
    files = None if engine == MEMORY or source == "-" else files_of(source)
    return files is not None and files.is_large


def _name(path: Path, form: str | None) -> str:
    """What a table is called: the file, where it has several, or its name without what tells its form."""
    if form in ("SQLite", "DuckDB"):
        return path.name
    return Path(path.stem).stem if path.suffix.lower() in (".gz", ".zst") else path.stem


def _cells_of(path: Path) -> int:
    """How many cells a Parquet file has, by what it says of itself."""
    if path.stat().st_size < _SMALL_PARQUET:
        return 0
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        about = pq.read_metadata(path)
    except (pa.ArrowException, OSError):
        return 0
    return int(about.num_rows * about.num_columns)


def _with_rows(table: Table) -> Table:
    if table.row_count == 0:
        raise TableError(f"{table.name} has no rows; there is nothing to ask about")
    return table
