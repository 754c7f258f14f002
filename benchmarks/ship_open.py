"""Puts the best of some runs of the open experiment, by validation accuracy, into the package as `open`.

    python -m benchmarks.ship_open runs/open-0 runs/open-1

The temperature of its probabilities is fitted on validation questions; the figures of the test questions,
which choose nothing, go into the checkpoint for people to read.
"""

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.calibration import fit_temperature
from benchmarks.open_accuracy import evaluate, examples, predict, probabilities, show, target
from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.prediction.predictors import OpenPredictor

ROOT = Path(__file__).parent.parent
LARGEST = 6_000_000
"""Bytes that the model may have."""

_LEAST = 1e-30


def best_run(directories: list[Path]) -> Checkpoint:
    """Returns the checkpoint with the best validation accuracy."""
    runs = [checkpoint.load(directory) for directory in directories]
    return max(runs, key=lambda run: float(run.about["validation"]["overall"]))


def temperature_of(trained: Checkpoint, seed: int, blocks: int) -> float:
    """Fits the temperature on validation questions, half of them of each wording."""
    predictor = OpenPredictor(replace(trained, temperature=1.0), "open")
    asked = examples("validation", seed, blocks, None)
    scores = [np.log(np.maximum(probabilities(found), _LEAST)) for _, found in predict(predictor, asked)]
    return fit_temperature(scores, [target(example) for example in asked])


def test_figures(report: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what the checkpoint says of its test: accuracy by type and wording, refusals, calibration."""
    wordings = [report["literal"], report["natural"]]
    questions = sum(own["questions"] for own in wordings)
    by_type = dict(report["literal"]["by_type"])
    by_type |= {f"{name}, natural": value for name, value in report["natural"]["by_type"].items()}
    by_type["absent"] = sum(own["absent refused"] * own["count"]["absent"] for own in wordings) / sum(
        own["count"]["absent"] for own in wordings
    )
    return {
        "overall": sum(own["overall"] * own["questions"] for own in wordings) / questions,
        "by_type": by_type,
        "examples": questions,
        "expected_calibration_error": report["calibration"]["expected calibration error"],
    }


def put(shipped: Checkpoint, directory: Path) -> None:
    """Writes a model into the package, unless it is too large."""
    with tempfile.TemporaryDirectory() as folder:
        shipped.save(Path(folder))
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    if size > LARGEST:
        raise SystemExit(f"the model has {size / 1e6:.1f} MB, more than {LARGEST / 1e6:.0f}")
    shipped.save(directory)
    print(f"{directory.name}: {size / 1e6:.1f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=1, help="of the validation questions; training uses 0")
    parser.add_argument("--blocks", type=int, default=16, help="of 500 questions, for each purpose")
    parser.add_argument("--out", type=Path, default=ROOT / "src" / "neural_enquirer" / "pretrained" / "open")
    arguments = parser.parse_args()
    trained = best_run(arguments.runs)
    temperature = temperature_of(trained, arguments.seed, arguments.blocks)
    print(f"seed {trained.about.get('seed')}, temperature {temperature:.4f}")
    calibrated = replace(trained, temperature=temperature)
    report, _ = evaluate(OpenPredictor(calibrated, "open"), "test", 0, arguments.blocks)
    show(report)
    shipped = replace(calibrated, about={**trained.about, "test": test_figures(report)})
    put(shipped, arguments.out)


if __name__ == "__main__":
    main()
