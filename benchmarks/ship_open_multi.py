"""Puts the best of some runs of the open experiment over several tables into the package as `open-multi`.

    python -m benchmarks.ship_open_multi runs/open-multi-0 runs/open-multi-1 runs/open-multi-2

The best is chosen by validation accuracy, and the temperature of its probabilities fitted on validation
questions; the figures of the test questions, which choose nothing, are those of results/open-multi.json.
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from benchmarks.calibration import fit_temperature
from benchmarks.open_multi_accuracy import pairs_of
from benchmarks.ship_open import best_run, put
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.any_batch import AnyBatch
from neural_enquirer.encoding.open_multi_batch import OpenMultiBatch
from neural_enquirer.synthesis.open.examples import WORDINGS

ROOT = Path(__file__).parent.parent
AT_ONCE = 250


@torch.no_grad()
def scores_of(
    trained: Checkpoint, batches: Iterable[AnyBatch]
) -> tuple[list[npt.NDArray[np.float64]], list[int]]:
    """Returns the scores of the candidates of each question, and which of them is right.

    Where a cell of either table is right, they count as one.
    """
    scores: list[npt.NDArray[np.float64]] = []
    targets: list[int] = []
    for batch in batches:
        assert isinstance(batch, OpenMultiBatch)
        for start in range(0, len(batch), AT_ONCE):
            some = batch.select(slice(start, start + AT_ONCE))
            found = trained.model(some).candidates().double()
            for own, right, target in zip(found, some.answer_cells, some.answers.tolist(), strict=True):
                if right.any():
                    cells = torch.nn.functional.pad(right, (0, 1))
                    own[target], others = own[cells].logsumexp(dim=0), cells.clone()
                    others[target] = False
                    own[others] = -torch.inf
                present = own.isfinite()
                scores.append(own[present].numpy())
                targets.append(int(present[:target].sum()))
    return scores, targets


def test_figures(path: Path, seed: int) -> dict[str, Any]:
    """Returns what the checkpoint says of its test: shares of right answers of its own run."""
    runs = json.loads(path.read_text())["runs"]
    run = next(run for run in runs if run["seed"] == seed)
    questions = sum(run[wording]["questions"] for wording in WORDINGS)
    by_type: dict[str, float] = {}
    for wording in WORDINGS:
        shares = {**run[wording]["by_type"], **run[wording]["refused"]}
        by_type |= {name if wording == "literal" else f"{name}, natural": x for name, x in shares.items()}
    overall = sum(run[wording]["overall"] * run[wording]["questions"] for wording in WORDINGS) / questions
    return {
        "overall": overall,
        "join": {wording: run[wording]["join"] for wording in WORDINGS},
        "by_type": by_type,
        "examples": questions,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=1, help="of the validation questions; training uses 0")
    parser.add_argument("--blocks", type=int, default=4, help="of 500 questions, of each wording")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "open-multi.json")
    parser.add_argument(
        "--out", type=Path, default=ROOT / "src" / "neural_enquirer" / "pretrained" / "open-multi"
    )
    arguments = parser.parse_args()
    trained = best_run(arguments.runs)
    batches = (
        batch
        for wording in WORDINGS
        for batch in pairs_of(trained.vocabulary, "validation", arguments.seed, arguments.blocks, wording)
    )
    temperature = fit_temperature(*scores_of(trained, batches))
    seed = int(trained.about["seed"])
    print(f"seed {seed}, temperature {temperature:.4f}")
    about = {**trained.about}
    if arguments.results.exists():
        about["test"] = test_figures(arguments.results, seed)
    put(replace(trained, about=about, temperature=temperature), arguments.out)


if __name__ == "__main__":
    main()
