"""Scores runs of the open experiment on the development questions of real sets.

    python -m benchmarks.real_accuracy runs/open-0 runs/open-1 runs/open-2 --data WIKISQL --data WTQ

writes results/real-questions.json: every run, scored as `enquirer evaluate --data` does, and their medians.
"""

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.predictor import load_predictor
from neural_enquirer.real_evaluation import RealAccuracy, answer_real
from neural_enquirer.real_questions import RealExample, read_real
from neural_enquirer.reproduction.hardware import hardware


def name_of(examples: list[RealExample]) -> str:
    """Returns which of the two sets these are: WikiSQL's questions come with a query."""
    return "wikisql" if any(example.query is not None for example in examples) else "wiki_table_questions"


def medians(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the median, the least and the most of every share over the runs."""
    shares = [key for key, value in runs[0].items() if isinstance(value, float)]
    return {
        key: {
            "median": statistics.median(run[key] for run in runs),
            "least": min(run[key] for run in runs),
            "most": max(run[key] for run in runs),
        }
        for key in shares
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", help="folders of runs, or names of shipped models")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    sets = {
        name_of(examples): examples for examples in (read_real(d, arguments.split) for d in arguments.data)
    }
    scored: dict[str, list[dict[str, Any]]] = {name: [] for name in sets}
    for run in arguments.runs:
        predictor = load_predictor(run)
        for name, examples in sets.items():
            found = RealAccuracy.of(answer_real(predictor, examples)).to_json()
            scored[name].append({"run": Path(run).name, **found})
            print(name, Path(run).name, {k: v for k, v in found.items() if k != "breakdown"}, flush=True)
    result = {
        "command": f"python -m benchmarks.real_accuracy RUNS --data DIRS --split {arguments.split}",
        "hardware": hardware(torch.device("cpu")),
        "sets": {name: {"medians": medians(runs), "runs": runs} for name, runs in scored.items()},
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "real-questions.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
