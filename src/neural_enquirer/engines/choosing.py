"""Which engine a table is asked by: its kind and its size decide, unless somebody says so.

Most tables are small files, for which nothing of the engines is loaded.
"""

import os
from collections.abc import Sequence
from typing import Any

from neural_enquirer.engines import addresses
from neural_enquirer.engines.addresses import (
    AUTO,
    DUCKDB,
    ENGINES,
    MEMORY,
    Bar,
    files_of,
    is_address,
    is_connection,
)
from neural_enquirer.engines.engine import Engine, EngineError
from neural_enquirer.engines.memory import MemoryEngine
from neural_enquirer.tables import Table, TableError


def open_sources(sources: Sequence[str], engine: str = AUTO, bar: Bar | None = None) -> list[Table]:
    """Opens tables by their files and addresses, where they are asked.

    Args:
        sources: as `Table.read` takes them, rows of totals left out; or addresses such as
            postgresql://user@host/name::table.
        engine: one of `ENGINES`.
        bar: shows how far the profile of a large table is.

    Raises:
        TableError: with one line that says what is wrong.
    """
    if engine not in ENGINES:
        raise EngineError(f"unknown engine '{engine}'; there are {', '.join(ENGINES)}")
    if engine in (AUTO, MEMORY) and not any(is_address(each) or _is_large(each, engine) for each in sources):
        return [_with_rows(Table.read(each, totals=False), _called(each)) for each in sources]
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
    table = Table.of(source, name, totals=False)
    return _with_rows(table, table.name)


def _is_asked_there(source: Any) -> bool:
    if is_connection(source) or type(source).__name__ == "DuckDBPyRelation":
        return True
    if hasattr(source, "createOrReplaceTempView"):
        return True
    is_arrow = hasattr(source, "__arrow_c_stream__") and not type(source).__module__.startswith("pandas")
    rows, columns = getattr(source, "shape", (0, 0)) if is_arrow else (0, 0)
    return bool(rows * columns > addresses.LARGE_CELLS)


def engine_of(table: Table) -> Engine:
    """What runs programs over a table."""
    engine: Engine = getattr(table, "engine", None) or MemoryEngine()
    return engine


def _is_large(source: str, engine: str) -> bool:
    files = None if engine == MEMORY or source == "-" else files_of(source)
    return files is not None and files.is_large


def _called(source: str) -> str:
    return "standard input" if source == "-" else os.path.basename(source)


def _with_rows(table: Table, called: str) -> Table:
    if table.row_count == 0:
        raise TableError(f"{called} has no rows; there is nothing to ask about")
    return table
