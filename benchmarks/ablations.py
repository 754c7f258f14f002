"""What each part of the open encoding brings on real questions: it is taken away, and the model trained anew.

    python -m benchmarks.ablations --data DIR [--data DIR] --out results

trains on the training questions of the folders alone, once with everything and once without each part, with
three seeds each, and writes results/ablations.json: the share of development questions whose answer stands in
a cell for which the most likely cell holds it. --workers runs share a GPU. --mixed names folders of runs of
experiments/open.toml, which learned from the same questions with synthetic ones mixed in: their figures join.
"""

import argparse
import json
import multiprocessing
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from neural_enquirer.checkpoint import read_config
from neural_enquirer.encoding.linking import ALONE, HINTED, MENTION, NAMED, PART, QUANTITY, UNKNOWN_WORD
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.table_index import LEAST, MOST, RANKED
from neural_enquirer.encoding.words import UNKNOWN, Vocabulary
from neural_enquirer.real_questions import read_real
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.training.cell_data import REAL_TYPES, encode_real
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.loop import Trainer, choose_device
from neural_enquirer.training.open_words import joined_vocabulary, open_vocabulary, real_words

Ablation = Callable[[OpenBatch, int], OpenBatch]


def _changed(batch: OpenBatch, forgotten: int, **tensors: Tensor) -> OpenBatch:
    """Returns questions on one table with other tensors of the table, and without flags of words."""
    (table,) = batch.tables
    return replace(
        batch, word_flags=batch.word_flags & (255 - forgotten), tables=(replace(table, **tensors),)
    )


def without_cell_mentions(batch: OpenBatch, known: int) -> OpenBatch:
    """Forgets which cells the question mentions."""
    (table,) = batch.tables
    nowhere, cells = torch.zeros_like(table.mention_fields), torch.zeros_like(table.cell_mentions)
    return _changed(batch, MENTION + PART + ALONE, mention_fields=nowhere, cell_mentions=cells)


def without_field_mentions(batch: OpenBatch, known: int) -> OpenBatch:
    """Forgets which words are those of headers; what vectors say of words and headers stays."""
    (table,) = batch.tables
    levels, coverage = torch.zeros_like(table.levels), torch.zeros_like(table.coverage)
    return _changed(batch, NAMED + HINTED + ALONE, levels=levels, coverage=coverage)


def without_relations(batch: OpenBatch, known: int) -> OpenBatch:
    """Forgets how cells compare with the numbers and dates of the question."""
    (table,) = batch.tables
    lies, relations = torch.zeros_like(table.quantity_fields), torch.zeros_like(table.relations)
    return _changed(batch, QUANTITY, quantity_fields=lies, relations=relations)


def without_ranks(batch: OpenBatch, known: int) -> OpenBatch:
    """Forgets how cells compare with each other, and the order of rows."""
    (table,) = batch.tables
    kept = table.cell_flags & (255 - RANKED - LEAST - MOST)
    return _changed(batch, 0, ranks=torch.zeros_like(table.ranks), cell_flags=kept)


def without_hashes(batch: OpenBatch, known: int) -> OpenBatch:
    """Gives all words outside of the vocabulary one vector."""
    (table,) = batch.tables
    words, headers = (
        torch.where(codes >= known, UNKNOWN, codes).to(codes.dtype) for codes in (batch.words, table.headers)
    )
    return replace(_changed(batch, UNKNOWN_WORD, headers=headers), words=words)


def unchanged(batch: OpenBatch, known: int) -> OpenBatch:
    """Keeps everything."""
    return batch


VARIANTS: dict[str, tuple[Ablation, tuple[str, ...]]] = {
    "everything": (unchanged, ()),
    "without mentions of cells": (without_cell_mentions, ()),
    "without mentions of fields": (without_field_mentions, ()),
    "without number relations": (without_relations, ()),
    "without ranks": (without_ranks, ()),
    "without hashed words": (without_hashes, ()),
    "2 executors": (unchanged, ("model.executors=2",)),
    "3 executors": (unchanged, ("model.executors=3",)),
    "4 executors": (unchanged, ("model.executors=4",)),
}

MIXED = "everything, and synthetic questions mixed in"

_data: TrainingData


def real_data(folders: list[Path]) -> TrainingData:
    """Returns the training and development questions of the folders, and nothing else."""
    train = [example for folder in folders for example in read_real(folder, "train")]
    development = [example for folder in folders for example in read_real(folder, "dev")]
    asked = (((example.table,), example.question) for example in train)
    vocabulary = joined_vocabulary(open_vocabulary(), real_words(asked))
    first, *further = encode_real(train, vocabulary)
    validation, *others = encode_real(development, vocabulary)
    return TrainingData(vocabulary, first, validation, REAL_TYPES, tuple(further), (), tuple(others))


def changed(data: TrainingData, ablation: Ablation) -> TrainingData:
    """Returns the data without what an ablation takes away."""

    def of(batch: Any) -> Any:
        return ablation(batch, len(data.vocabulary))

    return replace(
        data,
        train=of(data.train),
        validation=of(data.validation),
        further_train=tuple(map(of, data.further_train)),
        further_validation=tuple(map(of, data.further_validation)),
    )


def remember(words: tuple[str, ...], batches: dict[str, Any]) -> None:
    """Takes the data over in a worker."""
    global _data
    _data = TrainingData(Vocabulary(words, frozenset()), type_names=REAL_TYPES, **batches)


def train(job: tuple[str, int, str, list[str], str]) -> dict[str, Any]:
    """Trains one variant with one seed; returns its accuracies on the development questions."""
    name, seed, experiment, overrides, device = job
    ablation, own = VARIANTS[name]
    chosen = Experiment.load(Path(experiment), [*overrides, *own])
    trainer = Trainer(chosen, changed(_data, ablation), seed=seed, device=device)
    best = max(trainer.run(), key=lambda report: report.overall)
    return {"variant": name, "seed": seed, "epoch": best.epoch, "seconds": best.seconds, **best.by_type}


def mixed(folder: Path) -> dict[str, Any]:
    """Returns what a run of the open experiment reached on the same development questions."""
    about = read_config(folder)["about"]
    found = {kind: about["validation"]["by_type"][kind] for kind in REAL_TYPES}
    return {"variant": MIXED, "seed": about["seed"], "epoch": about["epoch"], **found}


def medians(runs: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Returns the median of each variant on each set."""
    return {
        name: {
            kind: statistics.median(run[kind] for run in runs if run["variant"] == name)
            for kind in REAL_TYPES
            if kind in runs[0]
        }
        for name in dict.fromkeys(run["variant"] for run in runs)
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--experiment", default="experiments/real.toml")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--mixed", type=Path, action="append", default=[])
    parser.add_argument("--out", type=Path, default=Path("results"))
    arguments = parser.parse_args()
    device = str(choose_device(arguments.device))
    start = time.perf_counter()
    data = real_data(arguments.data)
    batches = {
        "train": data.train,
        "validation": data.validation,
        "further_train": data.further_train,
        "further_validation": data.further_validation,
    }
    jobs = [
        (name, seed, arguments.experiment, arguments.set, device)
        for seed in range(arguments.seeds)
        for name in VARIANTS
    ]
    context = multiprocessing.get_context("spawn")
    words = data.vocabulary.words
    with context.Pool(arguments.workers, initializer=remember, initargs=(words, batches)) as pool:
        runs = []
        for run in pool.imap_unordered(train, jobs):
            runs.append(run)
            print(json.dumps(run), flush=True)
    runs = sorted(runs, key=lambda run: (list(VARIANTS).index(run["variant"]), run["seed"]))
    runs += map(mixed, arguments.mixed)
    arguments.out.mkdir(parents=True, exist_ok=True)
    result = {
        "command": "python -m benchmarks.ablations --data WIKISQL --data WTQ --mixed RUNS",
        "hardware": hardware(torch.device(device)),
        "seconds": time.perf_counter() - start,
        "median": medians(runs),
        "runs": runs,
    }
    (arguments.out / "ablations.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result["median"]))


if __name__ == "__main__":
    main()
