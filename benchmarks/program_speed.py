"""Times programs over 100,000 × 10 rows in memory and in DuckDB, on the same Arrow data, in one run.

    python -m benchmarks.program_speed [--rows 100000] [--repeats 15]

DuckDB runs the program's own SQL over the Arrow table, and again over a table of its own. Medians, in ms; the
exit status is 1 if memory takes more than three times as long as DuckDB over Arrow.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import duckdb
import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table as Shown

from neural_enquirer.programs import parse, run
from neural_enquirer.programs.sql import to_sql
from neural_enquirer.tables import Table

_MOST = 3.0
_PROGRAMS = {
    "look-up": "cells(city, rows(id = 77777))",
    "look-up by text": "cells(amount, rows(name = name_4242))",
    "superlative": "cells(name, largest(amount))",
    "superlative with a condition": "cells(name, smallest(price, rows(kind = kind_3 and year > 1990)))",
    "three largest": "cells(name, largest(3, price))",
    "count": "count(rows())",
    "count with a condition": "count(rows(kind = kind_3))",
    "count with three conditions": "count(rows(kind = kind_3 and year > 1990 and price < 500))",
    "sum": "sum(price)",
    "average with a condition": "average(price, rows(city = city_12))",
    "median": "median(amount)",
    "distinct values": "count_distinct(city)",
    "most common": "cells(city, largest(measure, groups(city, count)))",
    "group with the highest sum": "cells(kind, largest(measure, groups(kind, sum(price))))",
    "group with the highest average": "cells(year, largest(measure, groups(year, average(amount))))",
    "table of groups": "cells(kind, measure, groups(kind, average(price)))",
    "more than the average": "count(rows(amount > average(amount)))",
    "percentage": "percentage(count(rows(flag = yes)), count(rows()))",
}


def main() -> int:
    """Prints a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=15)
    arguments = parser.parse_args()
    arrow = _rows(arguments.rows)
    table = Table.of(arrow, name="t")
    database = duckdb.connect()
    database.register("t", arrow)
    own = duckdb.connect()
    own.register("arrow", arrow)
    own.execute("CREATE TABLE t AS SELECT * FROM arrow")
    shown = Shown(
        "program",
        "memory",
        "DuckDB, Arrow",
        "DuckDB, own",
        "memory / Arrow",
        title=f"{arguments.rows:,} rows",
    )
    worst = 0.0
    for name, text in _PROGRAMS.items():
        program = parse(text)
        sql = to_sql(program, [table])
        memory = _median(lambda: run(program, [table]), arguments.repeats)  # noqa: B023
        ours = _median(lambda: database.execute(sql).fetchall(), arguments.repeats)  # noqa: B023
        stored = _median(lambda: own.execute(sql).fetchall(), arguments.repeats)  # noqa: B023
        worst = max(worst, memory / ours)
        shown.add_row(name, f"{memory:.2f}", f"{ours:.2f}", f"{stored:.2f}", f"{memory / ours:.2f}")
    Console().print(shown)
    return int(worst > _MOST)


def _rows(count: int) -> pa.Table:
    rng = np.random.default_rng(0)
    columns = {
        "id": np.arange(count),
        "name": np.char.add("name_", np.arange(count).astype(str)),
        "city": np.char.add("city_", rng.integers(0, 500, count).astype(str)),
        "kind": np.char.add("kind_", rng.integers(0, 8, count).astype(str)),
        "year": rng.integers(1950, 2026, count),
        "amount": rng.integers(0, 10**9, count),
        "price": rng.integers(0, 100_000, count) / 100,
        "score": rng.integers(0, 100, count),
        "flag": np.where(rng.random(count) < 0.3, "yes", "no"),
        "weight": rng.integers(0, 10_000, count) / 10,
    }
    return pa.table(columns)


def _median(work: Callable[[], object], repeats: int) -> float:
    work()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


if __name__ == "__main__":
    sys.exit(main())
