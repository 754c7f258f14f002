"""Puts the best run of an experiment, by validation accuracy, into the package.

python -m benchmarks.ship olympics-100k-grounded olympics-grounded
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from neural_enquirer import checkpoint

ROOT = Path(__file__).parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment")
    parser.add_argument("name", help="of the model in the package")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    arguments = parser.parse_args()
    results = [
        json.loads(path.read_text()) for path in (ROOT / "results").glob(f"{arguments.experiment}-[0-9].json")
    ]
    best = max(results, key=lambda result: max(epoch["overall"] for epoch in result["epochs"]))
    trained = checkpoint.load(arguments.runs / f"{arguments.experiment}-{best['seed']}")
    folder = ROOT / "src" / "neural_enquirer" / "pretrained" / arguments.name
    about = {**trained.about, "experiment": best["experiment"], "test": best["test"]}
    replace(trained, about=about).save(folder)
    print(f"{folder.relative_to(ROOT)}: seed {best['seed']}, test accuracy {best['test']['overall']:.4f}")


if __name__ == "__main__":
    main()
