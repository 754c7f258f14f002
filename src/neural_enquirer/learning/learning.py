"""Learning: from a model and corrections to a model that remembers them."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from neural_enquirer.checkpoint_files import kind_of, locate, read_config, write_text
from neural_enquirer.encoding.actions import Asked
from neural_enquirer.judge.storage import FILE as JUDGE_FILE
from neural_enquirer.judge.storage import load_judge
from neural_enquirer.learning.corrections import Correction, CorrectionError, TableRef
from neural_enquirer.learning.teaching import Tables, is_right, right_program, tables_of
from neural_enquirer.prediction.learned import (
    LearnedPredictor,
    Remembered,
    fields_of,
    read_memory,
    write_memory,
)
from neural_enquirer.prediction.likeness import load_likeness
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.programs.text import to_text
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.systems import OPEN
from neural_enquirer.tables import Table
from neural_enquirer.whole_folder import whole_folder

Told = Callable[[str, int, int], None]
"""Hears what is going on, how much of it is done, and of how much."""
_OWN: Final = ("config.json", "vocabulary.json", "model.safetensors", JUDGE_FILE)


class LearningError(ValueError):
    """Corrections that nothing can be learned from; the message is one line that says why."""


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


def learn(
    model: str, tables: Sequence[Table], corrections: Sequence[Correction], out: Path, told: Told
) -> Learned:
    """Writes a model that has learned corrections; the folder appears whole or not at all.

    Args:
        model: the name or folder of the open model to begin with; what that has learned is kept.
        tables: those that corrections are about.
        corrections: what is right.
        out: the folder to write, which is new.
        told: hears how far it has come.

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
        predictor = OpenPredictor(Loaded.read(directory), model, load_judge(directory))
        taught = _taught(predictor, meant, told)
        memory = [*read_memory(directory), *(one.remembered for one in taught)]
        learner = LearnedPredictor(predictor, memory, load_likeness())
        right = sum(_is_answered(learner, one) for one in taught)
        _write(fresh, directory, taught, memory, right)
    return Learned(len(taught), right, tuple(meant.left_out))


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
class _Taught:
    """A correction, the question with its tables, and what is remembered of it."""

    correction: Correction
    asked: Asked
    remembered: Remembered


def _taught(predictor: OpenPredictor, meant: _Meant, told: Told) -> list[_Taught]:
    """What can be learned; what cannot joins what is left out, with why."""
    found = []
    for done, (tables, correction) in enumerate(meant.corrections, start=1):
        (verdict,) = predictor.judge([(tables, correction.question)])
        asked = Asked(correction.question, tables, verdict.links)
        written = [one.program for one in verdict.ranked if one.program is not None]
        try:
            program = right_program(correction, asked, written, predictor)
            text = None if program is None else to_text(program)
            remembered = Remembered(correction.question, tuple(map(fields_of, tables)), text)
            found.append(_Taught(correction, asked, remembered))
        except CorrectionError as error:
            meant.left_out.append((correction.question, str(error)))
        told("finding programs", done, len(meant.corrections))
    _check(found, meant.left_out)
    return found


def _is_answered(predictor: LearnedPredictor, taught: _Taught) -> bool:
    (verdict,) = predictor.judge([(taught.asked.tables, taught.asked.question)])
    return is_right(taught.correction, taught.asked)(verdict.ranked[0].result)


def _write(
    fresh: Path, directory: Path, taught: Sequence[_Taught], memory: Sequence[Remembered], right: int
) -> None:
    """Writes the model as it was, beside it what it remembers, and on its card what that came from."""
    for name in _OWN:
        if (directory / name).is_file():
            shutil.copyfile(directory / name, fresh / name)
    write_memory(fresh, memory)
    config: dict[str, Any] = read_config(directory)
    config["about"] |= {
        "learned_from": {
            "tables": sorted({table.name for one in taught for table in one.asked.tables}),
            "corrections": len(taught),
            "right": right,
            "questions": [one.correction.question for one in taught],
        }
    }
    write_text(fresh / "config.json", json.dumps(config, indent=2) + "\n")
