"""Learning: from a model and corrections to a model that has learned them."""

import json
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint, read_config, write_tensors, write_text
from neural_enquirer.checkpoint_files import kind_of, locate
from neural_enquirer.encoding.actions import build
from neural_enquirer.engines.memory import some_rows
from neural_enquirer.judge.storage import load_judge, save_judge
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.learning.corrections import Correction, CorrectionError, TableRef
from neural_enquirer.learning.practice import likeliest, practised
from neural_enquirer.learning.teaching import Ground, Tables, Taught, derivations_for, is_right, tables_of
from neural_enquirer.learning.tuning import Tuning, rehearsed, tuned
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.prediction.learned import JUDGE_FILE, KEY, WEIGHTS_FILE, fields_of
from neural_enquirer.prediction.predictors import Evidence, OpenPredictor
from neural_enquirer.programs.execution import run
from neural_enquirer.real_questions.denotation import same_rows
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.shipping.collecting import cases_of
from neural_enquirer.synthesis.programs import draw_questions
from neural_enquirer.systems import OPEN
from neural_enquirer.tables import Table
from neural_enquirer.training.judge_learning import Case, adjusted
from neural_enquirer.training.program_data import Example
from neural_enquirer.whole_folder import whole_folder

__all__ = ["Effort", "Learned", "LearningError", "learn"]

Told = Callable[[str, int, int], None]
"""Hears what is going on, how much of it is done, and of how much."""
_OWN: Final = ("config.json", "vocabulary.json", "model.safetensors", "judge.safetensors")
_AT_ONCE: Final = 20
_MOST_ROWS: Final = 1000
_CORRECTIONS: Final = "corrections"


class LearningError(ValueError):
    """Corrections that nothing can be learned from; the message is one line that says why."""


@dataclass(frozen=True)
class Effort:
    """How much is done for corrections.

    Attributes:
        wordings: in which a correction is practised, at most.
        judged: those of them that the judge learns from.
        rehearsed: questions over the same tables that should be answered as before.
        decided: those of them that the judge should decide as before.
        tuning: how the decoder learns.
    """

    wordings: int = 40
    judged: int = 4
    rehearsed: int = 160
    decided: int = 60
    tuning: Tuning = field(default_factory=Tuning)


@dataclass(frozen=True)
class Learned:
    """What came of it.

    Attributes:
        corrections: how many there were to learn from.
        right: how many of them the model answers rightly now.
        left_out: those that were not learned from, each with the reason.
    """

    corrections: int
    right: int
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Subject:
    """Tables, and the corrections about them."""

    ground: Ground
    taught: list[Taught]


def learn(
    model: str,
    tables: Sequence[Table],
    corrections: Sequence[Correction],
    out: Path,
    told: Told,
    effort: Effort | None = None,
    seed: int = 0,
) -> Learned:
    """Writes a model that has learned corrections; the folder appears whole or not at all.

    Args:
        model: the name or folder of the open model to begin with.
        tables: those that corrections are about.
        corrections: what is right.
        out: the folder to write, which is new.
        told: hears how far it has come.
        effort: how much is done; what is usual, if None.
        seed: the same seed gives the same model.

    Raises:
        LearningError: if there is nothing to learn from, or the model cannot learn.
        CheckpointError: if there is no such model.
        FolderError: if the folder is taken.
    """
    directory = locate(model)
    if kind_of(directory) != OPEN:
        raise LearningError(f"{model} does not write programs, and learns no corrections; leave --model out")
    meant = _meant(tables, corrections)
    with whole_folder(out) as fresh:
        learner = _Learner(checkpoint.load(directory), load_judge(directory), effort or Effort(), seed, told)
        found = learner.learn(meant)
        _write(fresh, directory, found)
    return found.summary


@dataclass(frozen=True)
class _Meant:
    """Corrections with the tables that they are about, and those whose tables are not there, with why."""

    corrections: list[tuple[Tables, Correction]]
    left_out: list[tuple[str, str]]


def _meant(tables: Sequence[Table], corrections: Sequence[Correction]) -> _Meant:
    known = [(TableRef.of(table), table) for table in tables]
    found = _Meant([], [])
    for correction in corrections:
        own = tables_of(correction, known)
        if own is not None:
            found.corrections.append((own, correction))
        else:
            names = " and ".join(one.name for one in correction.tables)
            found.left_out.append((correction.question, f"it is about {names}, as it was then"))
    _check(found.corrections, found.left_out)
    return found


def _check(found: Sequence[object], left_out: Sequence[tuple[str, str]]) -> None:
    """Raises a LearningError where nothing is left to learn from."""
    if not found:
        reason = f": “{left_out[0][0]}” is left out, since {left_out[0][1]}" if left_out else ""
        raise LearningError(f"there is no correction to learn from{reason}")


@dataclass(frozen=True)
class _Outcome:
    trained: Checkpoint
    judge: Judge | None
    subjects: Sequence[Tables]
    questions: Sequence[str]
    summary: Learned


class _Learner:
    def __init__(
        self, trained: Checkpoint, judge: Judge | None, effort: Effort, seed: int, told: Told
    ) -> None:
        assert isinstance(trained.model, OpenEnquirer)
        self._trained, self._model, self._judge = trained, trained.model, judge
        self._effort, self._told = effort, told
        self._predictor = OpenPredictor(trained.light(), "open", judge)
        self._seed, self._rng = seed, random.Random(seed)

    def learn(self, meant: _Meant) -> _Outcome:
        subjects, left_out = self._subjects(meant)
        practice = [
            practised(subject.ground, one, self._effort.wordings, self._rng)
            for subject in subjects
            for one in subject.taught
        ]
        rehearsal = self._rehearsal(subjects)
        trained = self._tuned(practice, rehearsal)
        judge = self._adjusted(trained, practice, rehearsal)
        predictor = OpenPredictor(trained.light(), "open", judge)
        taught = [one for subject in subjects for one in subject.taught]
        right = sum(_is_answered(predictor, one) for one in taught)
        summary = Learned(len(taught), right, tuple(left_out))
        questions = [one.correction.question for one in taught]
        return _Outcome(trained, judge, [subject.ground.tables for subject in subjects], questions, summary)

    def _subjects(self, meant: _Meant) -> tuple[list[_Subject], list[tuple[str, str]]]:
        """What can be learned from, by the tables that it is about, and what cannot, and why."""
        subjects: dict[tuple[int, ...], _Subject] = {}
        left_out = list(meant.left_out)
        for done, (own, correction) in enumerate(meant.corrections, start=1):
            key = tuple(map(id, own))
            if key not in subjects:
                subjects[key] = _Subject(Ground(own, self._trained.vocabulary), [])
            try:
                subjects[key].taught.append(self._taught(subjects[key].ground, correction))
            except CorrectionError as error:
                left_out.append((correction.question, str(error)))
            self._told("finding programs", done, len(meant.corrections))
        found = [subject for subject in subjects.values() if subject.taught]
        _check(found, left_out)
        return found, left_out

    def _taught(self, ground: Ground, correction: Correction) -> Taught:
        asked = ground.asked(correction.question)
        (evidence,) = self._predictor.evidence([(ground.tables, correction.question)])
        found = derivations_for(correction, asked, (way.derivation for way in evidence.ways))
        if not found:
            raise CorrectionError("no program was found that answers it so")
        return Taught(
            correction, asked, likeliest(self._model, self._trained.vocabulary, ground, asked, found)
        )

    def _rehearsal(self, subjects: Sequence[_Subject]) -> list[tuple[Ground, Evidence]]:
        """Questions over the same tables, and what the model makes of them now."""
        each = max(1, self._effort.rehearsed // len(subjects))
        found: list[tuple[Ground, Evidence]] = []
        for place, subject in enumerate(subjects):
            ground = self._shortened(subject.ground)
            drawn = draw_questions(ground.tables, each, self._seed + place)
            pairs = [(ground.tables, one.question) for one in drawn]
            for start in range(0, len(pairs), _AT_ONCE):
                evidence = self._predictor.evidence(pairs[start : start + _AT_ONCE])
                found += [(ground, one) for one in evidence if one.ways]
                done = place * each + min(start + _AT_ONCE, each)
                self._told("asking questions to rehearse", done, each * len(subjects))
        return found

    def _shortened(self, ground: Ground) -> Ground:
        """The same without most rows of long tables, which would take long to ask."""
        if all(table.row_count <= _MOST_ROWS for table in ground.tables):
            return ground
        tables = [some_rows(table, range(min(_MOST_ROWS, table.row_count))) for table in ground.tables]
        return Ground(tuple(tables), self._trained.vocabulary)

    def _tuned(
        self, practice: Sequence[Sequence[Example]], rehearsal: Sequence[tuple[Ground, Evidence]]
    ) -> Checkpoint:
        model, vocabulary, tuning = self._model, self._trained.vocabulary, self._effort.tuning
        examples = [ground.example(one.asked, (one.ways[0].derivation,)) for ground, one in rehearsal]
        held = rehearsed(model, vocabulary, examples, tuning.rehearsed_at_once)

        def told(done: int) -> None:
            self._told("learning", done, tuning.steps_for(len(practice)))

        return replace(
            self._trained, model=tuned(model, vocabulary, practice, held, tuning, self._seed, told)
        )

    def _adjusted(
        self,
        trained: Checkpoint,
        practice: Sequence[Sequence[Example]],
        rehearsal: Sequence[tuple[Ground, Evidence]],
    ) -> Judge | None:
        """The judge, who lets what was learned win."""
        if self._judge is None:
            return None
        predictor = OpenPredictor(trained.light(), "open")
        asked = [_as_asked(one) for wordings in practice for one in wordings[: self._effort.judged]]
        others = [
            AskedQuestion("", ground.tables, one.asked.question, _CORRECTIONS, (), same_rows)
            for ground, one in rehearsal[:: max(1, len(rehearsal) // self._effort.decided)]
        ]
        cases: list[Case] = []
        for start in range(0, len(asked) + len(others), _AT_ONCE):
            some = [*asked, *others][start : start + _AT_ONCE]
            cases += cases_of(predictor, some, _CORRECTIONS)
            self._told("asking for the judge", len(cases), len(asked) + len(others))
        return adjusted(self._judge, cases[: len(asked)], cases[len(asked) :])


def _as_asked(example: Example) -> AskedQuestion:
    """A wording of a correction, with the answers that are right."""
    asked, accepted = example.asked, []
    if len(example.derivations[0]) > 1:
        programs = [build(one, asked) for one in example.derivations]
        accepted = [run(program, asked.tables).texts(asked.tables) for program in programs]
    return AskedQuestion("", asked.tables, asked.question, _CORRECTIONS, tuple(accepted), same_rows)


def _is_answered(predictor: OpenPredictor, taught: Taught) -> bool:
    (verdict,) = predictor.judge([(taught.asked.tables, taught.asked.question)])
    return is_right(taught.correction, taught.asked)(verdict.ranked[0].result)


def _write(fresh: Path, directory: Path, found: _Outcome) -> None:
    """Writes the model as it was, beside it what was learned, and on its card what that came from."""
    for name in _OWN:
        if (directory / name).is_file():
            shutil.copyfile(directory / name, fresh / name)
    config: dict[str, Any] = read_config(directory)
    fields = {fields_of(table): table.name for tables in found.subjects for table in tables}
    config[KEY] = [sorted(own) for own in fields]
    config["about"] |= {
        "learned_from": {
            "tables": sorted(set(fields.values())),
            "corrections": found.summary.corrections,
            "right": found.summary.right,
            "questions": list(found.questions),
        }
    }
    write_text(fresh / "config.json", json.dumps(config, indent=2) + "\n")
    decoder = found.trained.model.state_dict()
    write_tensors(
        fresh / WEIGHTS_FILE,
        {name: one.half() for name, one in decoder.items() if name.startswith("decoder.")},
    )
    if found.judge is not None:
        save_judge(fresh, found.judge, JUDGE_FILE)
