"""Scores runs of the open experiment on the development questions of real sets.

    python -m benchmarks.real_accuracy runs/open-0 runs/open-1 runs/open-2 --data WIKISQL --data WTQ

writes results/real-questions.json: every run, scored as `enquirer evaluate --data` does, and their medians.
"""

import argparse
import json
import statistics
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.evaluation import Answered, Answerer, Score, answer_all, load_answerer
from neural_enquirer.evaluation.breakdown import breakdown
from neural_enquirer.real_questions.sets import AskedQuestion, read_set
from neural_enquirer.reproduction.hardware import hardware


def name_of(questions: list[AskedQuestion]) -> str:
    """Returns which set these are of: WikiSQL's questions come with a query, everyday ones with neither."""
    examples = [question.real for question in questions if question.real is not None]
    if not examples:
        return "everyday"
    return "wikisql" if any(example.query is not None for example in examples) else "wiki_table_questions"


def scored(answer: Answerer, questions: list[AskedQuestion]) -> dict[str, Any]:
    """Returns the figures of one run."""
    answered = list(map(Answered, questions, answer_all(answer, questions)))
    aspects = {
        aspect: {name: asdict(share) for name, share in shares.items()}
        for aspect, shares in breakdown(answered).items()
    }
    return Score.of(answered).to_json() | {"breakdown": aspects}


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
        name_of(questions): questions for questions in (read_set(d, arguments.split) for d in arguments.data)
    }
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in sets}
    for run in arguments.runs:
        answer = load_answerer(run)
        for name, questions in sets.items():
            found[name].append({"run": Path(run).name, **scored(answer, questions)})
            print(name, {k: v for k, v in found[name][-1].items() if not isinstance(v, dict)}, flush=True)
    result = {
        "command": f"python -m benchmarks.real_accuracy RUNS --data DIRS --split {arguments.split}",
        "hardware": hardware(torch.device("cpu")),
        "sets": {name: {"medians": medians(runs), "runs": runs} for name, runs in found.items()},
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "real-questions.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
