"""How long MIXTURED-100K with its validation and test sets takes to generate and write, in how much memory.

Run it from the root of the repository: `.venv/bin/python -m benchmarks.generation`. Bars: under 20 s and
under 1 GB on two cores.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS_BAR = 20.0
MEMORY_BAR = 1000.0  # MB


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--task", default="olympics-100k")
    task = parser.parse_args().task
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "data"
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "neural_enquirer.cli", "generate", task, f"--out={out}"], check=True
        )
        seconds = time.perf_counter() - start
        written = sum(path.stat().st_size for path in out.iterdir()) / 1e6
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3  # Linux counts in kB
    within = seconds < SECONDS_BAR and megabytes < MEMORY_BAR
    print(f"{task}: one process on {os.cpu_count()} cores")
    print(f"  time         {seconds:7.1f} s   (bar {SECONDS_BAR:.0f} s)")
    print(f"  peak memory  {megabytes:7.0f} MB  (bar {MEMORY_BAR:.0f} MB)")
    print(f"  written      {written:7.1f} MB")
    print("within both bars" if within else "OVER A BAR")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
