"""How long one seed of all neural cells of the paper's Table 2 takes on one GPU.

    nvidia-cuda-mps-control -d
    python -m benchmarks.table2_time --device cuda --results table2-results --runs table2-runs

trains and tests every experiment of the table but the semantic parser, all at once, and writes
results/table2-time.json: after how many seconds each of them was done, from drawing the data to the test, and
what it came to, to be held against the stored run of the same seed.
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch

from neural_enquirer.checkpoint import write_text
from neural_enquirer.reproduction.experiments import find_experiment
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.reproduction.paper_tables import TABLE2
from neural_enquirer.reproduction.run import Run
from neural_enquirer.reproduction.schedule import Observer, execute_all

COMMAND = "python -m benchmarks.table2_time"
SYMBOLIC = "semantic-parser-25k"


@dataclass
class Clock(Observer):
    """Notes when runs end."""

    start: float = field(default_factory=time.perf_counter)
    done: dict[str, float] = field(default_factory=dict)

    def finished(self, run: Run) -> None:
        """Notes the time."""
        self.done[run.title] = round(time.perf_counter() - self.start, 1)
        print(f"{self.done[run.title]:.0f} s: {run.title}", flush=True)


def main() -> None:
    """Measures, and writes what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, required=True, help="a folder without results of these runs")
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--note", default="", help="what readers should know, such as what else was running")
    parser.add_argument("--out", type=Path, default=Path("results/table2-time.json"))
    parser.add_argument("--set", dest="settings", action="append", default=[], help="section.key=value")
    given = parser.parse_args()
    runs = [
        Run(
            find_experiment(name),
            seed=given.seed,
            settings=tuple(given.settings),
            device=given.device,
            out=given.results,
            runs=given.runs,
            note=given.note,
        )
        for name in TABLE2.experiments()
        if name != SYMBOLIC
    ]
    if found := [str(run.result) for run in runs if run.result.exists()]:
        parser.error(f"{found[0]} is there already; name a folder without results")
    clock = Clock()
    execute_all(runs, len(runs), clock)
    content = {
        "command": f"{COMMAND} --device {given.device} --seed {given.seed} --results DIR --runs DIR",
        "hardware": hardware(torch.device(given.device)),
        "note": given.note,
        "seconds": max(clock.done.values()),
        "done after": clock.done,
        "overall": {run.title: json.loads(run.result.read_text())["test"]["overall"] for run in runs},
    }
    write_text(given.out, json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
