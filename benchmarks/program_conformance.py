"""Draws programs over drawn tables and compares memory, DuckDB and SQLite; their text must parse back.

    python -m benchmarks.program_conformance --programs 100000

The tables of the second half may hold integers too large for SQLite; those are compared with DuckDB alone.
"""

import argparse
import sys
import time
from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings
from rich.progress import Progress

from neural_enquirer.programs import Program, parse, to_text
from neural_enquirer.tables import Table
from tests.programs.sql_engines import SqlEngines
from tests.programs.strategies import table_and_programs

_PER_TABLE = 12


def main() -> int:
    """Runs the comparison; the exit status says whether all agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started, counts, kinds = time.perf_counter(), Counter[str](), Counter[str]()
    with Progress() as progress:
        task = progress.add_task("programs", total=arguments.programs)
        for huge in (False, True):

            @seed(arguments.seed)
            @settings(
                max_examples=-(-arguments.programs // (2 * _PER_TABLE)),
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(table_and_programs(count=_PER_TABLE, huge=huge))
            def compare(drawn: tuple[list[Table], list[Program]]) -> None:
                tables, programs = drawn
                with SqlEngines(tables) as engines:
                    for program in programs:
                        assert parse(to_text(program)) == program, to_text(program)
                        counts["compared" if engines.check(program) else "not one value"] += 1
                        kinds[type(program).__name__] += 1
                        progress.advance(task)
                        if counts.total() % 5000 == 0 and not progress.console.is_terminal:
                            print(f"{counts.total():,} programs", flush=True)

            compare()
    seconds = time.perf_counter() - started
    print(f"{counts.total():,} programs in {seconds:.0f} s: {dict(counts)}, {dict(kinds)}; all agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
