"""What a question costs as its table grows: a profile, then questions, beside DuckDB's own time for the SQL.

    python -m benchmarks.engine_scale --rows 100000 1000000 10000000 100000000 --out results/engine-scale.json
    python -m benchmarks.engine_scale --out results/engine-scale.json --figure docs/engine-scale.svg
    python -m neural_enquirer.reproduction.report

The tables are made here, as Parquet of ten fields. Each question is asked a few times, and so is the SQL that
answers it, by a DuckDB that does nothing else; the best of them is reported, in seconds on the clock and in
seconds of the processor, since others may use the machine. A question shall take at most three times as long
as the SQL, and 0.3 s; the profile at most 2 GB of memory. What is known of a table is found out anew: set
XDG_CACHE_HOME to an empty folder. OMP_NUM_THREADS=1 keeps the network to one thread, which suits its size.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from neural_enquirer import Enquirer
from neural_enquirer.engines.addresses import DUCKDB
from neural_enquirer.engines.opening import Opener

__all__ = ["QUESTIONS", "draw", "make", "measure"]

_ROUNDS = 5
_SLACK = 0.3
_TIMES = 3.0
_CELLS = """
range AS order_id,
['Berlin', 'Paris', 'London', 'Rome', 'Madrid', 'Vienna', 'Oslo', 'Bern'][1 + (hash(range) % 8)::INT] AS city,
['Sales', 'Support', 'Research', 'Finance'][1 + (hash(range + 1) % 4)::INT] AS department,
['credit card', 'cash', 'invoice'][1 + (hash(range + 2) % 3)::INT] AS payment,
'Customer ' || (hash(range + 3) % 1000000)::VARCHAR AS customer,
['Lamp', 'Chair', 'Desk', 'Sofa', 'Shelf', 'Mirror'][1 + (hash(range + 4) % 6)::INT] AS product,
(1 + hash(range + 5) % 20)::INT AS quantity,
round((hash(range + 6) % 100000) / 100.0, 2) AS price,
DATE '2015-01-01' + (hash(range + 7) % 3650)::INT AS order_date,
(hash(range + 8) % 101)::INT AS discount
"""
QUESTIONS = {
    "How many orders are from Berlin?": "SELECT COUNT(*) FROM t WHERE city = 'Berlin'",
    "What is the average price of lamps?": "SELECT AVG(price) FROM t WHERE product = 'Lamp'",
    "What is the total quantity of chairs sold in Rome?": (
        "SELECT SUM(quantity) FROM t WHERE product = 'Chair' AND city = 'Rome'"
    ),
    "How many orders in Paris were paid in cash?": (
        "SELECT COUNT(*) FROM t WHERE city = 'Paris' AND payment = 'cash'"
    ),
    "What is the highest price paid in Vienna?": "SELECT MAX(price) FROM t WHERE city = 'Vienna'",
    "Which customer made order 77?": "SELECT customer FROM t WHERE order_id = 77",
    "How many orders did Customer 4711 place?": "SELECT COUNT(*) FROM t WHERE customer = 'Customer 4711'",
    "How many different customers are there in Oslo?": (
        "SELECT COUNT(DISTINCT customer) FROM t WHERE city = 'Oslo'"
    ),
    "Which product has the most orders?": (
        "SELECT product FROM t GROUP BY product ORDER BY COUNT(*) DESC LIMIT 1"
    ),
}


def make(rows: int, path: Path) -> None:
    """Writes a table of so many rows."""
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = true")
        connection.execute(f"COPY (SELECT {_CELLS} FROM range({rows})) TO '{path}' (FORMAT parquet)")


def measure(path: Path) -> dict[str, Any]:
    """What the profile and the questions take in this process."""
    before = time.perf_counter(), time.process_time()
    table = Opener(DUCKDB).opened(str(path))
    profile = time.perf_counter() - before[0], time.process_time() - before[1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    enquirer = Enquirer.from_pretrained()
    found = []
    for question, sql in QUESTIONS.items():
        answer = enquirer.ask(table, question)
        with duckdb.connect() as connection:
            connection.execute(f"CREATE VIEW t AS SELECT * FROM read_parquet('{path}')")
            run = partial(_rows, connection, sql)
            gold, wanted = _best(run), [str(row[0]) for row in run()]
        asked = _best(partial(enquirer.ask, table, question))
        found.append(
            {
                "question": question,
                "program": answer.program,
                "answer": answer.text,
                "wanted": wanted[:3],
                "seconds": asked,
                "sql_seconds": gold,
                "holds": [one <= _TIMES * other + _SLACK for one, other in zip(asked, gold, strict=True)],
            }
        )
    return {
        "rows": table.rows_there,
        "profile_seconds": round(profile[0], 2),
        "profile_processor_seconds": round(profile[1], 2),
        "gigabytes": round(memory, 2),
        "asked": found,
    }


def draw(sizes: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draws the growth: seconds of the processor over rows, both in powers of ten."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.subplots()
    rows = [size["rows"] for size in sizes]
    for name, style, key in (("a question", "o-", "seconds"), ("its SQL alone", "s--", "sql_seconds")):
        middle = [statistics.median(one[key][1] for one in size["asked"]) for size in sizes]
        axes.loglog(rows, middle, style, label=name)
    axes.loglog(rows, [size["profile_processor_seconds"] for size in sizes], "^:", label="the profile, once")
    axes.set(xlabel="rows of ten fields", ylabel="seconds of the processor")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)


def _rows(connection: duckdb.DuckDBPyConnection, sql: str) -> list[Any]:
    return connection.execute(sql).fetchall()


def _best(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor."""
    taken = []
    for _ in range(_ROUNDS):
        before = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - before[0], time.process_time() - before[1]))
    return round(min(clock for clock, _ in taken), 3), round(min(cores for _, cores in taken), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--file", type=Path, help="measure this one, in this process")
    parser.add_argument("--folder", type=Path, help="where the tables are made, and kept")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--figure", type=Path, help="draw what --out has")
    arguments = parser.parse_args()
    if arguments.figure:
        draw(json.loads(arguments.out.read_text())["sizes"], arguments.figure)
        return
    if arguments.file:
        print(json.dumps(measure(arguments.file)))
        return
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.folder or Path(name)
        for rows in arguments.rows:
            path = folder / f"orders-{rows}.parquet"
            if not path.exists():
                make(rows, path)
            command = [sys.executable, "-m", "benchmarks.engine_scale", "--file", str(path)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found.append(json.loads(done.stdout))
            print(json.dumps(found[-1]), flush=True)
    if arguments.out:
        hardware = f"{platform.machine()} CPU, {os.cpu_count()} cores"
        content = {"hardware": hardware, "sizes": found}
        arguments.out.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
