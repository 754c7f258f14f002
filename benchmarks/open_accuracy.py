"""Scores the open model on tables of held-out schemas: accuracy, refusals and calibration.

    python -m benchmarks.open_accuracy --model open

No field name, no value and no attribute noun of the test tables occurs in training. Questions are asked in
literal wording (fields are called by words of their headers) and in natural wording (adjectives, verbs and
question words), `--blocks` × 500 of each. Writes results/open-accuracy.json and results/open-reliability.png.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from benchmarks.calibration import Bin, draw_reliability, expected_calibration_error, reliability
from neural_enquirer.prediction import Prediction, Predictor
from neural_enquirer.prediction.loading import load_predictor
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.shipping.temperature import probabilities, target
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, WORDINGS, Example
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.training.all_cores import map_on_all_cores

ROOT = Path(__file__).parent.parent
BLOCKS = 20
SIZES = ((1, 5), (6, 10), (11, 15), (16, 24), (25, 10**9))
"""Rows of the tables that accuracies are reported for."""
ANSWERABLE = (*PROGRAM_TYPES, "either", "order")
BARS = {"literal": 0.99, "natural": 0.97, "refused": 0.95, "wrongly refused": 0.01}

_AT_ONCE = 2000


@dataclass(frozen=True)
class Scored:
    """One question and what became of it.

    Attributes:
        type: of the question.
        wording: literal or natural.
        rows: of the table.
        right: whether the most likely candidate is the answer's cell, or none where there is none.
        same_value: whether it is at least spelled as the answer is.
        refused: whether the model says that the table has no answer.
        confidence: the probability of the most likely candidate.
    """

    type: str
    wording: str
    rows: int
    right: bool
    same_value: bool
    refused: bool
    confidence: float


def examples(split: str, seed: int, blocks: int, wording: str | None) -> list[Example]:
    """Draws examples on all cores."""
    draw = partial(_block, split, seed, wording)
    return [example for block in map_on_all_cores(draw, range(blocks)) for example in block]


def _block(split: str, seed: int, wording: str | None, block: int) -> list[Example]:
    return ONE_TABLE.block(split, seed, block, wording)


def predict(predictor: Predictor, asked: Sequence[Example]) -> Iterable[tuple[Example, Prediction]]:
    """Asks some thousand questions at a time."""
    for start in range(0, len(asked), _AT_ONCE):
        some = asked[start : start + _AT_ONCE]
        predictions = predictor.predict([(example.tables, example.question) for example in some])
        yield from zip(some, predictions, strict=True)


def score(example: Example, prediction: Prediction) -> Scored:
    """Compares the most likely candidate with the answer."""
    (table,) = example.tables
    chances = probabilities(prediction)
    chosen = int(chances.argmax())
    refused = chosen == len(chances) - 1
    same = refused != bool(example.cells)
    if same and not refused:
        row, field = divmod(chosen, len(table.fields))
        same = table.text(row, field) == table.text(*example.cells[0][1:])
    return Scored(
        example.type,
        example.wording,
        table.row_count,
        chosen == target(example),
        same,
        refused,
        float(chances[chosen]),
    )


def share(scored: Iterable[Scored], holds: Callable[[Scored], bool]) -> float:
    """Returns how many of some answers hold."""
    found = [holds(one) for one in scored]
    return sum(found) / max(len(found), 1)


def figures(scored: Sequence[Scored]) -> dict[str, Any]:
    """Returns the accuracies and refusals of questions of one wording."""
    answerable = [one for one in scored if one.type in ANSWERABLE]
    by_type = {name: [one for one in scored if one.type == name] for name in ANSWERABLE}
    sizes = {f"{low}–{high}" if high < 10**9 else f"{low} and more": (low, high) for low, high in SIZES}
    by_rows = {
        name: [one for one in answerable if low <= one.rows <= high] for name, (low, high) in sizes.items()
    }
    return {
        "questions": len(scored),
        "overall": share(scored, lambda one: one.right),
        "by_type": {name: share(own, lambda one: one.right) for name, own in by_type.items()},
        "by_type, same value": {
            name: share(own, lambda one: one.same_value) for name, own in by_type.items()
        },
        "absent refused": share((one for one in scored if one.type == "absent"), lambda one: one.refused),
        "unsupported refused": share(
            (one for one in scored if one.type == "unsupported"), lambda one: one.refused
        ),
        "answerable refused": share(answerable, lambda one: one.refused),
        "by_rows": {name: share(own, lambda one: one.right) for name, own in by_rows.items() if own},
        "count": {
            **{name: len(own) for name, own in by_type.items()},
            "absent": sum(one.type == "absent" for one in scored),
            "unsupported": sum(one.type == "unsupported" for one in scored),
            **{f"{name} rows": len(own) for name, own in by_rows.items() if own},
        },
    }


def evaluate(predictor: Predictor, split: str, seed: int, blocks: int) -> tuple[dict[str, Any], list[Bin]]:
    """Scores a model in both wordings; returns the figures and the bins of the reliability figure."""
    report: dict[str, Any] = {}
    everything: list[Scored] = []
    for wording in WORDINGS:
        asked = examples(split, seed, blocks, wording)
        scored = [score(example, prediction) for example, prediction in predict(predictor, asked)]
        report[wording] = figures(scored)
        everything += scored
    bins = reliability([one.confidence for one in everything], [one.right for one in everything])
    report["calibration"] = {
        "expected calibration error": expected_calibration_error(bins),
        "bins": [asdict(one) for one in bins],
    }
    return report, bins


def show(report: dict[str, Any]) -> None:
    """Prints the figures beside their bars."""
    for wording in WORDINGS:
        own, bar = report[wording], BARS[wording]
        print(f"{wording} wording, {own['questions']:,} questions, {_percent(own['overall'])} right")
        for name, value in own["by_type"].items():
            holds = value >= bar or name not in PROGRAM_TYPES
            print(
                _line(name, value, f"at least {_percent(bar)}" if name in PROGRAM_TYPES else "no bar", holds)
            )
        value, bar = own["absent refused"], BARS["refused"]
        print(_line("absent, refused", value, f"at least {_percent(bar)}", value >= bar))
        value, bar = own["answerable refused"], BARS["wrongly refused"]
        print(_line("answerable, refused", value, f"at most {_percent(bar)}", value <= bar))
        print(f"  {'unsupported, refused':22}{_percent(own['unsupported refused']):>9}")
        print("  by rows: " + ", ".join(f"{name}: {_percent(x)}" for name, x in own["by_rows"].items()))
    print(f"expected calibration error {report['calibration']['expected calibration error']:.4f}")


def _percent(value: float) -> str:
    return f"{100 * value:.2f} %"


def _line(name: str, value: float, bar: str, holds: bool) -> str:
    return f"  {name:22}{_percent(value):>9}  ({bar}{'' if holds else ': MISSED'})"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="open", help="a shipped model, or a folder with one")
    parser.add_argument("--split", default="test", choices=("validation", "test"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="of 500 questions, of each wording")
    parser.add_argument("--out", type=Path, default=ROOT / "results")
    arguments = parser.parse_args()
    predictor = load_predictor(arguments.model)
    start = time.perf_counter()
    report, bins = evaluate(predictor, arguments.split, arguments.seed, arguments.blocks)
    show(report)
    about = {
        "model": Path(arguments.model).name,
        "split": arguments.split,
        "command": f"python -m benchmarks.open_accuracy --model {Path(arguments.model).name} "
        f"--split {arguments.split} --seed {arguments.seed} --blocks {arguments.blocks}",
        "hardware": hardware(torch.device("cpu")),
        "torch": torch.__version__,
        "seconds": round(time.perf_counter() - start, 1),
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    stored = json.dumps({**about, **report}, indent=2, ensure_ascii=False)
    (arguments.out / "open-accuracy.json").write_text(stored + "\n", encoding="utf-8")
    count = sum(one.count for one in bins)
    draw_reliability(
        arguments.out / "open-reliability.png", bins, f"{count:,} questions on tables of held-out schemas"
    )


if __name__ == "__main__":
    main()
