"""What it brings that values and fields go by other names: the shipped model learns on with that and without.

    python -m benchmarks.naming datasets/everyday --out results/naming.json

Without it, a value is mentioned by its own words alone, whole or in part: no other forms, names, codes or
initials, no synonyms, no corrected misspellings, no hints at fields by the meaning of a word, and no values
that nobody says. The model then learns from the same training questions in the same order, so that it gets
used to what its links say; it begins with weights that have learned with all of it. Word vectors are there
both times. Asked are the development questions and some about tables that the model never learned from.
"""

import argparse
import contextlib
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest import mock

import torch

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.checkpoint_files import locate, tenth_held_out
from neural_enquirer.encoding import linking
from neural_enquirer.encoding.mentions import How, Mention, all_mentions
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.said import Said
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.evaluation.answering import DECODER, JUDGE, WAYS, answer_all, load_answerer
from neural_enquirer.judge.storage import FILE as JUDGE_FILE
from neural_enquirer.real_questions.sets import DEVELOPMENT, HELD_OUT, AskedQuestion, read_set
from neural_enquirer.reproduction.hardware import hardware
from neural_enquirer.training.cell_data import draw_encoded
from neural_enquirer.training.data import TrainingData
from neural_enquirer.training.experiment import Experiment
from neural_enquirer.training.lessons import Lesson, by_tables, everyday_lessons
from neural_enquirer.training.loop import Trainer
from neural_enquirer.training.program_data import BLOCK, KNOWN, _encode_block, _joined

MODEL: Final = "open"
EXPERIMENT: Final = Path(__file__).parent.parent / "experiments" / "open.toml"
BY: Final = tuple(way for way in WAYS if way in (JUDGE, DECODER))
OVERRIDES: Final = ("training.epochs=1", "training.learning_rate=0.0005", "training.batch_size=100")
CELLS: Final = 500
"""Questions of templates with a cell, which keep the cascade where it is."""


def _own_words(said: Said, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Of mentions those whose words stand in the cells as they were said."""
    for mention in mentions:
        if mention.how in (How.WHOLE, How.PART):
            text = f" {' '.join(said.words[slice(*mention.span)])} "
            cells = {n: frozenset(one for one in own if text in one) for n, own in mention.cells.items()}
            if any(cells.values()):
                yield replace(mention, cells={n: own for n, own in cells.items() if own})


@contextlib.contextmanager
def without_other_names() -> Iterator[None]:
    """Links by a table's own words alone for as long as the block runs, in this process."""

    def plain(said: Said, *rest: Any) -> list[Mention]:
        return list(_own_words(said, all_mentions(said, *rest)))

    def as_typed(said: list[str], i: int, *_: Any) -> str:
        return said[i]

    with mock.patch.multiple(
        linking,
        all_mentions=plain,
        synonyms=lambda *_: [],
        _hint=lambda *_: None,
        _corrected=as_typed,
    ):
        yield


Arm = Callable[[], contextlib.AbstractContextManager[None]]
ARMS: Final[dict[str, Arm]] = {"with other names": contextlib.nullcontext, "without": without_other_names}


def _encoded(lessons: Sequence[Lesson], vocabulary: Vocabulary) -> list[ProgramBatch]:
    """Encodes lessons in this process, where linking may be another; those of large tables are left out."""
    blocks = by_tables(sorted(lessons, key=lambda one: one.tables[0].name), BLOCK)
    return _joined([_encode_block(vocabulary, KNOWN[:1], block) for block in blocks])


def _share(name: str, by: str, questions: Sequence[AskedQuestion]) -> float:
    responses = answer_all(load_answerer(name, by), questions)
    return statistics.mean(one.is_right(own.texts) for one, own in zip(questions, responses, strict=True))


def _learned(start: Checkpoint, data: TrainingData, seed: int, folder: Path) -> None:
    """Trains on with a seed; what comes of it is asked with the shipped judge."""
    trainer = Trainer(Experiment.load(EXPERIMENT, OVERRIDES), data, seed=seed, start=start)
    for _ in trainer.run():
        replace(trainer.checkpoint(), temperature=start.temperature).save(folder)
    shutil.copy(locate(MODEL) / JUDGE_FILE, folder)


def _outcomes(
    start: Checkpoint, lessons: Sequence[Lesson], asked: dict[str, list[AskedQuestion]], arm: str, seeds: int
) -> Iterator[dict[str, Any]]:
    vocabulary = replace(start.vocabulary, unsaid=arm == "with other names")
    with ARMS[arm]():
        cells, *further = draw_encoded("train", 0, CELLS, vocabulary)
        data = TrainingData(
            vocabulary,
            cells,
            cells,
            further_train=tuple(further),
            programs=tuple(_encoded(lessons, vocabulary)),
        )
        for seed in range(seeds):
            began = time.perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                _learned(start, data, seed, Path(folder))
                shares = {
                    f"{part}, by {by}": _share(folder, by, some) for part, some in asked.items() for by in BY
                }
            own = {"arm": arm, "seed": seed, "lessons": sum(map(len, data.programs))}
            yield {**own, **shares, "seconds": time.perf_counter() - began}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("everyday", type=Path, help="with tables and programs")
    parser.add_argument("--questions", type=int, default=12_000, help="to learn from")
    parser.add_argument("--held-out", type=int, default=1_000, help="to ask of those about held-out tables")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    tenth = tenth_held_out(locate(MODEL))
    lessons = [one for one in everyday_lessons(given.everyday / "train") if tenth not in one.tenths]
    apart = read_set(given.everyday, HELD_OUT, tenth)
    asked = {
        "development": read_set(given.everyday, DEVELOPMENT),
        "held-out tables": random.Random(0).sample(apart, min(given.held_out, len(apart))),
    }
    chosen = random.Random(0).sample(lessons, min(given.questions, len(lessons)))
    start = checkpoint.load(MODEL)
    runs = []
    for arm in ARMS:
        for outcome in _outcomes(start, chosen, asked, arm, given.seeds):
            print(json.dumps(outcome), flush=True)
            runs.append(outcome)
    options = f"--questions {given.questions} --seeds {given.seeds}"
    report = {
        "command": f"python -m benchmarks.naming EVERYDAY {options}",
        "hardware": hardware(torch.device("cpu")),
        "asked": {part: len(some) for part, some in asked.items()},
        "runs": runs,
    }
    given.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
