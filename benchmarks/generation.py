"""How long MIXTURED-100K with its validation and test sets takes to generate and write, in how much memory.

Run it from the root of the repository: `.venv/bin/python -m benchmarks.generation`. Bars: under 20 s and
under 1 GB on two cores. Memory is the largest sum over the process and its children, sampled while they run.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS_BAR = 20.0
MEMORY_BAR = 1000.0  # MB
_SAMPLING_SECONDS = 0.05


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--task", default="olympics-100k")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "data"
        seconds, megabytes = _measured(
            [sys.executable, "-m", "neural_enquirer.cli", "generate", arguments.task, f"--out={out}"],
            processes=arguments.processes,
        )
        written = sum(path.stat().st_size for path in out.iterdir()) / 1e6
    within = seconds < SECONDS_BAR and megabytes < MEMORY_BAR
    print(f"{arguments.task}: {arguments.processes} processes on {os.cpu_count()} cores")
    print(f"  time         {seconds:7.1f} s   (bar {SECONDS_BAR:.0f} s)")
    print(f"  peak memory  {megabytes:7.0f} MB  (bar {MEMORY_BAR:.0f} MB)")
    print(f"  written      {written:7.1f} MB")
    print("within both bars" if within else "OVER A BAR")
    return 0 if within else 1


def _measured(command: list[str], processes: int) -> tuple[float, float]:
    """Seconds and the largest memory in MB that a command and its children take together."""
    start, peak = time.perf_counter(), 0.0
    process = subprocess.Popen([*command, f"--processes={processes}"])
    while process.poll() is None:
        peak = max(peak, sum(map(_resident_megabytes, _family(process.pid))))
        time.sleep(_SAMPLING_SECONDS)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"the command failed: {' '.join(command)}")
    return seconds, peak


def _family(root: int) -> list[int]:
    """A process and all that descend from it, read from /proc (so this benchmark needs Linux)."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The command's name stands in parentheses and may hold anything; the parent is second after it.
            parents[int(status.parent.name)] = int(status.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    family = [root]
    for member in family:
        family.extend(child for child, parent in parents.items() if parent == member)
    return family


def _resident_megabytes(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    sys.exit(main())
