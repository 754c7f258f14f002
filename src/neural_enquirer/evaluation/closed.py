"""Tests on the closed tasks, where only the right cell is right, whatever else holds the same value."""

import operator
from pathlib import Path
from typing import Any

import torch

from neural_enquirer.checkpoint_files import kind_of, locate
from neural_enquirer.encoding.closed import types_of
from neural_enquirer.evaluation.answering import Response
from neural_enquirer.evaluation.scoring import Answered, Score
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.systems import SYSTEMS
from neural_enquirer.training.accuracy import CellAnswers


def score_on(name_or_directory: str | Path, examples: ExampleSet, device: torch.device | str) -> Score:
    """Tests a shipped model by its name, or a system from the directory where its run kept it.

    Raises:
        CheckpointError: where there is none, or its files are damaged.
        EncodingError: if the questions have another number of tables than the system reads.
    """
    directory = locate(name_or_directory)
    kind = kind_of(directory)
    return score_of(kind, SYSTEMS[kind].part("load")(directory), examples, device)


def score_of(kind: str, trained: Any, examples: ExampleSet, device: torch.device | str) -> Score:
    """Tests a trained system of a kind."""
    found: CellAnswers = SYSTEMS[kind].part("answers")(trained, examples, device)
    questions = zip(examples.questions, types_of(examples), examples.answer_places().tolist(), strict=True)
    answers = zip(found.places.tolist(), found.confidences.tolist(), strict=True)
    return Score.of(
        [
            Answered(_asked(*question), Response((str(place),), confidence))
            for question, (place, confidence) in zip(questions, answers, strict=True)
        ]
    )


def stored_score(score: Score) -> dict[str, Any]:
    """What is kept of the test of a run."""
    return {"overall": score.overall, "by_type": score.by_type, "examples": score.examples}


def _asked(question: str, kind: str, place: int) -> AskedQuestion:
    """A question that is answered by the place of a cell."""
    return AskedQuestion("", (), question, kind, ((str(place),),), operator.eq)
