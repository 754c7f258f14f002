"""Learning to tell apart: is a question one that was corrected, or another about the same table?

`python -m neural_enquirer.learning.telling_apart EVERYDAY` learns it from everyday questions about tables
that the model has learned nothing from. Those that it answers wrongly stand for corrected ones, ten at a
time; all others about the table are asked. What `benchmarks/learning.py` measures with is left out.
"""

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from neural_enquirer.checkpoint_files import locate, tenth_held_out
from neural_enquirer.encoding.actions import Asked
from neural_enquirer.judge.storage import save_judge
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.prediction.learned import Remembered, fields_of, known_of, recall
from neural_enquirer.prediction.likeness import FEATURES, FOLDER, LIKENESS, Question, features
from neural_enquirer.prediction.loading import load_open
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.real_questions.everyday.programs import read_programs
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
_DRAWS: Final = 2
_HIDDEN: Final = 64
_DROPOUT: Final = 0.4
_LOST: Final = 1.4
"""How much more it counts where no correction is meant: what was right should stay so."""
_EPOCHS: Final = 20
_BATCH: Final = 128
_RATE: Final = 3e-3
_DECAY: Final = 0.3


def by_table(data: Path, tenth: int) -> dict[str, list[AskedQuestion]]:
    """Everyday questions about tables that nothing was learned from, by the names of these."""
    found: dict[str, list[AskedQuestion]] = defaultdict(list)
    for one in read_set(data, HELD_OUT, tenth):
        found[" ".join(table.name for table in one.tables)].append(one)
    return dict(sorted(found.items()))


def names_of_wrong(questions: Sequence[AskedQuestion], right: set[str]) -> dict[str, list[AskedQuestion]]:
    """The wordings that are answered wrongly, by the names of their questions, which have an answer."""
    found: dict[str, list[AskedQuestion]] = defaultdict(list)
    for one in questions:
        if one.answerable and one.id not in right:
            found[one.id.rpartition("-")[0]].append(one)
    return found


def heard(predictor: OpenPredictor, questions: Sequence[AskedQuestion]) -> dict[str, Question]:
    """What the model makes of questions about the same tables, by their ids."""
    verdicts = predictor.judge([(one.tables, one.question) for one in questions])
    return {
        one.id: Question(Asked(one.question, one.tables, verdict.links), verdict.ranked)
        for one, verdict in zip(questions, verdicts, strict=True)
    }


def cases_about(
    predictor: OpenPredictor,
    questions: Sequence[AskedQuestion],
    asked: Mapping[str, Question],
    memory: Sequence[tuple[AskedQuestion, str]],
) -> Iterator[Case]:
    """Cases about one table, of which some questions are corrected, by the programs that go with them."""
    tables, corrected = questions[0].tables, {one.id for one, _ in memory}
    fields = tuple(map(fields_of, tables))
    known = known_of(
        predictor, tables, [Remembered(one.question, fields, program) for one, program in memory]
    )
    for one in questions:
        own = asked[one.id]
        recalled = [] if one.id in corrected else recall(predictor, own, known)
        if recalled:
            right = [one.is_right(each.answer or ()) for each in recalled]
            none = one.is_right(own.answers[0] or ()) or not any(right)
            weight = _LOST if none else 1.0
            yield Case(features(own, recalled), np.array([*right, none]), "", "", weight)


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
    parser.add_argument("data", type=Path, help="everyday questions whose tables and programs have been made")
    parser.add_argument("--out", type=Path, default=FOLDER)
    options = parser.parse_args(arguments)
    directory, rng = locate(MODEL), random.Random(0)
    predictor = load_open(directory, MODEL)
    assert isinstance(predictor, OpenPredictor)
    programs, measured = read_programs(options.data / TRAIN), 0
    cases: list[Case] = []
    for name, questions in by_table(options.data, tenth_held_out(directory)).items():
        asked = heard(predictor, questions)
        right = {one.id for one in questions if one.is_right(asked[one.id].answers[0] or ())}
        wrong = names_of_wrong(questions, right)
        measured += len(wrong) >= CORRECTED
        if len(wrong) < _FEWEST or (measured <= _LEFT_OUT and len(wrong) >= CORRECTED):
            continue
        for _ in range(_DRAWS):
            names = rng.sample(list(wrong), min(CORRECTED, len(wrong)))
            drawn = [rng.choice(wrong[each]) for each in names]
            memory = [(one, programs[one.id]) for one in drawn if one.id in programs]
            cases += cases_about(predictor, questions, asked, memory)
        print(name, len(cases), flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    save_judge(options.out, learned(cases), LIKENESS, FEATURES)


if __name__ == "__main__":
    main()
