"""Learning to tell apart: is a question one that was corrected, or another about the same table?

`python -m neural_enquirer.learning.telling_apart EVERYDAY` learns it from everyday questions: which words
make them the same from the tables that the model has learned from, all else from those that it has not. What
it answers wrongly about these stands for corrected questions, ten at a time; all others about the table are
asked. What `benchmarks/learning.py` measures with is left out.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.checkpoint_files import locate, tenth_held_out
from neural_enquirer.encoding.actions import Asked
from neural_enquirer.judge.storage import save_judge
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.learning import wordings
from neural_enquirer.learning.corrections import Correction, CorrectionError, references
from neural_enquirer.learning.teaching import right_program
from neural_enquirer.prediction.learned import Remembered, fields_of, known_of, recall
from neural_enquirer.prediction.likeness import FEATURES, LIKENESS, Question, features
from neural_enquirer.prediction.loading import load_open
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.prediction.wordings import FOLDER
from neural_enquirer.programs.text import to_text
from neural_enquirer.real_questions.sets import HELD_OUT, TRAIN, AskedQuestion, read_set
from neural_enquirer.training.judge_learning import Case, Network

MODEL: Final = "open"
MEASURED: Final = 12
"""The first tables by name of which enough questions are answered wrongly are measured with."""
_LEFT_OUT: Final = 20
"""So many of them are not learned from: which come first changes with what the model answers."""
CORRECTED: Final = 10
_FEWEST: Final = 6
"""Questions that are corrected at least."""
_DRAWS: Final = 4
_READ: Final = 6
"""Readings that a person looks at."""
_HIDDEN: Final = 64
_DROPOUT: Final = 0.4
_LOST: Final = 2.8
"""How much more it counts where no correction is meant: what was right should stay so."""
_EPOCHS: Final = 20
_BATCH: Final = 128
_RATE: Final = 3e-3
_DECAY: Final = 0.3


def by_table(data: Path, tenth: int, split: str = HELD_OUT) -> dict[str, list[AskedQuestion]]:
    """Everyday questions, by the names of their tables: of those that nothing was learned from."""
    found: dict[str, list[AskedQuestion]] = defaultdict(list)
    for one in read_set(data, split, tenth):
        found[" ".join(table.name for table in one.tables)].append(one)
    return dict(sorted(found.items()))


def name_of(question: AskedQuestion) -> str:
    """What all wordings of a question have in common."""
    return question.id.rpartition("-")[0]


def names_of_wrong(questions: Sequence[AskedQuestion], right: set[str]) -> dict[str, list[AskedQuestion]]:
    """The wordings that are answered wrongly, by the names of their questions, which have an answer."""
    found: dict[str, list[AskedQuestion]] = defaultdict(list)
    for one in questions:
        if one.answerable and one.id not in right:
            found[name_of(one)].append(one)
    return found


def heard(predictor: OpenPredictor, questions: Sequence[AskedQuestion]) -> dict[str, Question]:
    """What the model makes of questions about the same tables, by their ids."""
    verdicts = predictor.judge([(one.tables, one.question) for one in questions])
    return {
        one.id: Question(Asked(one.question, one.tables, verdict.links), verdict.ranked)
        for one, verdict in zip(questions, verdicts, strict=True)
    }


def told(predictor: OpenPredictor, one: AskedQuestion, own: Question) -> Remembered | None:
    """What is remembered where a person says which reading is right, or else the answer; None if nothing."""
    written = [each.program for each in own.outcomes if each.program is not None]
    right = [
        each.program
        for each, answer in zip(own.outcomes[:_READ], own.answers, strict=False)
        if each.program is not None and one.is_right(answer or ())
    ]
    correction = Correction(one.question, references(one.tables), answers=one.accepted[0])
    try:
        program = right[0] if right else right_program(correction, own.asked, written, predictor)
    except CorrectionError:
        return None
    return Remembered(
        one.question, tuple(map(fields_of, one.tables)), None if program is None else to_text(program)
    )


@dataclass(frozen=True)
class Beside:
    """A question beside corrections: features and whether their answer is right, by the corrected questions.

    Attributes:
        rows: of each correction by which the question has an answer.
        none: of no correction.
        kept: whether the model's own answer is right.
    """

    rows: Mapping[str, tuple[npt.NDArray[np.float32], bool]]
    none: npt.NDArray[np.float32]
    kept: bool

    def case(self, corrected: Sequence[str]) -> Case | None:
        """The case where some questions were corrected; None where none of these matters."""
        some = [self.rows[one] for one in corrected if one in self.rows]
        right = [is_right for _, is_right in some]
        none = self.kept or not any(right)
        rows = np.stack([*(row for row, _ in some), self.none])
        weight = _LOST if none else 1.0
        return Case(rows, np.array([*right, none]), "", "", weight) if some else None


def compared(
    predictor: OpenPredictor,
    questions: Sequence[AskedQuestion],
    asked: Mapping[str, Question],
    memory: Mapping[str, Remembered],
) -> dict[str, Beside]:
    """Questions about a table beside all that may be corrected there."""
    known = known_of(predictor, questions[0].tables, list(memory.values()))
    names = {own.question: name for own, name in zip(known, memory, strict=True)}
    found = {}
    for one in questions:
        recalled = recall(predictor, asked[one.id], known)
        rows = features(asked[one.id], recalled)
        right = [one.is_right(each.answer or ()) for each in recalled]
        pairs = zip(recalled, zip(rows, right, strict=False), strict=True)
        of = {names[each.corrected]: pair for each, pair in pairs}
        found[one.id] = Beside(of, rows[-1], one.is_right(asked[one.id].answers[0] or ()))
    return found


def cases_about(
    predictor: OpenPredictor,
    questions: Sequence[AskedQuestion],
    asked: Mapping[str, Question],
    wrong: Mapping[str, Sequence[AskedQuestion]],
    rng: random.Random,
) -> Iterator[Case]:
    """Cases about one table, of which some questions that are answered wrongly are corrected."""
    own = ((one.id, told(predictor, one, asked[one.id])) for some in wrong.values() for one in some)
    memory = {name: one for name, one in own if one is not None}
    beside = compared(predictor, questions, asked, memory)
    for _ in range(_DRAWS):
        names = rng.sample(list(wrong), min(CORRECTED, len(wrong)))
        corrected = [rng.choice(wrong[each]).id for each in names]
        others = (one.case(corrected) for name, one in beside.items() if name not in corrected)
        yield from (case for case in others if case is not None)


def learned(cases: Sequence[Case], seed: int = 0) -> Judge:
    """What features amount to; the same cases and seed give the same."""
    torch.manual_seed(seed)
    network = Network(cases, (_HIDDEN,), _DROPOUT)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
    steps = _EPOCHS * (1 + len(cases) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    for _ in range(_EPOCHS):
        for places in torch.randperm(len(cases)).split(_BATCH):
            some = [cases[place] for place in places.tolist()]
            optimizer.zero_grad()
            network.loss(some).backward()
            optimizer.step()
            schedule.step()
    return network.judge()


def main(arguments: Sequence[str] | None = None) -> None:
    """Learns from all tables but those that are measured with, and writes what it has learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="everyday questions whose tables have been made")
    options = parser.parse_args(arguments)
    directory, rng = locate(MODEL), random.Random(0)
    tenth = tenth_held_out(directory)
    subjects = by_table(options.data, tenth, TRAIN).values()
    words = [[(name_of(one), one.question) for one in own] for own in subjects]
    wordings.learned(words).save(FOLDER)
    predictor = load_open(directory, MODEL)
    assert isinstance(predictor, OpenPredictor)
    cases: list[Case] = []
    measured = 0
    for name, questions in by_table(options.data, tenth).items():
        asked = heard(predictor, questions)
        right = {one.id for one in questions if one.is_right(asked[one.id].answers[0] or ())}
        wrong = names_of_wrong(questions, right)
        measured += len(wrong) >= CORRECTED
        if len(wrong) >= _FEWEST and (measured > _LEFT_OUT or len(wrong) < CORRECTED):
            cases += cases_about(predictor, questions, asked, wrong, rng)
            print(name, len(cases), flush=True)
    save_judge(FOLDER, learned(cases), LIKENESS, FEATURES)


if __name__ == "__main__":
    main()
