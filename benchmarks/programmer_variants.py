"""What Neural Programmer owes to what was added to it: tests runs of its variants, soft and hard, as JSON.

    RUN="python -m neural_enquirer.reproduction.run experiments/neural-programmer-25k.toml"
    $RUN; $RUN --set model.nested=false --name np-original; $RUN --set training.exploration=0 --name np-plain
    python -m benchmarks.programmer_variants runs/neural-programmer-25k-0 runs/np-original-0 runs/np-plain-0

writes results/neural-programmer-variants.json. Each run is tested on the common test questions as it was
trained, with soft selections, and once more with its likeliest programs run as they are written.
"""

import argparse
import dataclasses
import json
from pathlib import Path
from typing import Any

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import write_text
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.accuracy import accuracy_of


def variant(experiment: dict[str, Any]) -> str:
    if not experiment["model"]["nested"]:
        return "with the original's operations only"
    return "without exploration" if not experiment["training"]["exploration"] else "as in the experiment"


def tested(directory: Path, questions: ExampleSet) -> list[dict[str, Any]]:
    found = []
    for hard in (False, True):
        trained = checkpoint.load(directory)
        trained.model.config = dataclasses.replace(trained.model.config, hard=hard)
        experiment = trained.about["experiment"]
        run = {
            "variant": variant(experiment),
            "hard": hard,
            "seed": trained.about["seed"],
            "epochs": experiment["training"]["epochs"],
        }
        found.append(run | dataclasses.asdict(accuracy_of(trained, questions, "cpu")))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path("results/neural-programmer-variants.json"))
    given = parser.parse_args()
    questions = generate("olympics-25k", "test")
    runs = [run for directory in given.runs for run in tested(directory, questions)]
    command = " ".join(
        ["python -m benchmarks.programmer_variants", *(f"runs/{path.name}" for path in given.runs)]
    )
    write_text(given.out, json.dumps({"command": command, "runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
