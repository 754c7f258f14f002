"""Scores open models on pairs of tables of held-out schemas: joins, refusals, the rest; and on single ones.

    python -m benchmarks.open_two_tables runs/open-0 runs/open-1 runs/open-2

No field name, no value and no attribute noun of the test tables occurs in training. Questions are asked in
literal and in natural wording, `--blocks` × 500 of each on two tables, and half as many on one. With the
figures of every run go the median, the least and the most over them. Writes results/open-two-tables.json.
"""

import argparse
import json
import statistics
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.synthesis.examples import WORDINGS
from neural_enquirer.synthesis.open.join_sampler import JOIN_TYPES, TWO_TABLES
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.training.accuracy import predict
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.cell_data import OPEN_TYPES, encode_examples
from neural_enquirer.training.loop import choose_device

ROOT = Path(__file__).parent.parent
BLOCKS = 20
REFUSED = ("absent", "partnerless", "unsupported")
"""The kinds of questions that no cell answers."""
JOINS = tuple(name for name in JOIN_TYPES if name.startswith("join"))
BARS = {"join": 0.95}

Counted = dict[str, tuple[int, int]]
"""By kind of question, how many were answered right, or refused where no cell answers, of how many."""


def pairs_of(vocabulary: Vocabulary, split: str, seed: int, blocks: int, wording: str) -> Iterator[OpenBatch]:
    """Draws and encodes blocks of questions on two tables, on all cores."""
    yield from map_on_all_cores(partial(_pair_block, vocabulary, split, seed, wording), range(blocks))


def _pair_block(vocabulary: Vocabulary, split: str, seed: int, wording: str, block: int) -> OpenBatch:
    return encode_examples(TWO_TABLES.block(split, seed, block, wording), vocabulary)


def _single_block(vocabulary: Vocabulary, split: str, seed: int, wording: str, block: int) -> OpenBatch:
    return encode_examples(ONE_TABLE.block(split, seed, block, wording), vocabulary)


def count(trained: Checkpoint, batches: Iterable[OpenBatch]) -> tuple[Counted, int]:
    """Counts right answers by kind; and how many questions that have an answer were refused."""
    counts: dict[str, list[int]] = {}
    refused = 0
    device = next(trained.model.parameters()).device
    for batch in batches:
        on_device = batch.to(device)
        chosen, none = predict(trained.model, on_device), on_device.answer_cells.shape[1]
        cells = torch.nn.functional.pad(on_device.answer_cells, (0, 1))
        cells[:, none] = ~cells.any(dim=1)
        right = cells.gather(1, chosen[:, None])[:, 0]
        refused += int(((chosen == none) & ~right).sum())
        for kind, holds in zip(on_device.types.tolist(), right.tolist(), strict=True):
            name = OPEN_TYPES[kind].removesuffix(" (two tables)").removesuffix(", natural")
            own = counts.setdefault(name, [0, 0])
            own[0] += holds
            own[1] += 1
    return {name: (right, total) for name, (right, total) in counts.items()}, refused


def _share(counted: Counted, names: Iterable[str]) -> float:
    own = [counted[name] for name in names if name in counted]
    return sum(right for right, _ in own) / max(sum(total for _, total in own), 1)


def figures(counted: Counted, refused: int) -> dict[str, Any]:
    """Returns the shares of one wording."""
    answered = [name for name in counted if name not in REFUSED]
    others = [name for name in answered if name not in JOINS]
    shares = {"join": _share(counted, JOINS)} if any(name in counted for name in JOINS) else {}
    return {
        "questions": sum(total for _, total in counted.values()),
        "overall": _share(counted, counted),
        **shares,
        "one table": _share(counted, others),
        "by_type": {name: _share(counted, [name]) for name in answered},
        "refused": {name: _share(counted, [name]) for name in REFUSED if name in counted},
        "answerable refused": refused / sum(counted[name][1] for name in answered),
        "count": {name: total for name, (_, total) in counted.items()},
    }


def score(trained: Checkpoint, split: str, seed: int, blocks: int) -> dict[str, Any]:
    """Scores a model in both wordings, on two tables and on one."""
    report: dict[str, Any] = {}
    for wording in WORDINGS:
        batches = pairs_of(trained.vocabulary, split, seed, blocks, wording)
        report[wording] = figures(*count(trained, batches))
        single = map_on_all_cores(
            partial(_single_block, trained.vocabulary, split, seed, wording), range(-(-blocks // 2))
        )
        report[f"{wording}, a single table"] = figures(*count(trained, single))
    return report


def trained_for(folder: Path) -> dict[str, Any]:
    """Returns the epochs and the seconds of a run's training, where its folder tells them."""
    path = folder / "progress.json"
    if not path.is_file():
        return {}
    epochs = json.loads(path.read_text())["epochs"]
    return {"epochs": len(epochs), "training seconds": round(epochs[-1]["seconds"])}


def spread(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Returns median, least and most of the main shares over runs."""
    return {
        wording: {
            name: {
                "median": statistics.median(values := [run[wording][name] for run in runs]),
                "least": min(values),
                "most": max(values),
            }
            for name in ("overall", "join", "one table", "answerable refused")
            if name in runs[0][wording]
        }
        for wording in runs[0]
        if wording.startswith(WORDINGS)
    }


def show(report: dict[str, Any]) -> None:
    """Prints the main figures."""
    for wording, own in report.items():
        print(f"{wording}: {own['questions']:,} questions, {own['overall']:.2%} right")
        for name in ("join", "one table", "answerable refused"):
            if name in own:
                missed = " (MISSED)" if own[name] < BARS.get(name, 0) else ""
                print(f"  {name:20}{own[name]:.2%}{missed}")
        shares = {**own["by_type"], **own["refused"]}
        print("  " + ", ".join(f"{name} {value:.2%}" for name, value in shares.items()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="*", default=["open"], help="shipped, or folders")
    parser.add_argument("--split", default="test", choices=("validation", "test"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="of 500 questions, of each wording")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--note", default="", help="what else is to be said of the runs")
    parser.add_argument("--out", type=Path, default=ROOT / "results")
    arguments = parser.parse_args()
    device, start, runs = choose_device(arguments.device), time.perf_counter(), []
    for name in arguments.models:
        trained = checkpoint.load(name)
        trained.model.to(device)
        report = score(trained, arguments.split, arguments.seed, arguments.blocks)
        print(name)
        show(report)
        about_run = {"model": Path(name).name, "seed": trained.about.get("seed"), **trained_for(Path(name))}
        runs.append({**about_run, **report})
    about = {
        **({"note": arguments.note} if arguments.note else {}),
        "split": arguments.split,
        "experiment": trained.about.get("experiment"),
        "hardware": hardware(device),
        "torch": torch.__version__,
        "seconds": round(time.perf_counter() - start, 1),
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    stored = json.dumps({**about, "spread": spread(runs), "runs": runs}, indent=2, ensure_ascii=False)
    (arguments.out / "open-two-tables.json").write_text(stored + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
