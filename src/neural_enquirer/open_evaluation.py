"""How well an open model answers synthetic questions: the share of right cells, and of right refusals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from neural_enquirer.prediction import Prediction, Predictor
from neural_enquirer.several_prediction import SeveralPrediction
from neural_enquirer.several_predictor import SeveralPredictor
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.open.examples import OPEN_TYPES, WORDINGS, OpenExample
from neural_enquirer.synthesis.open.join_sampler import JOIN_TYPES, JoinExample
from neural_enquirer.synthesis.tasks import TaskError

QUESTIONS_AT_ONCE = 512


@dataclass(frozen=True)
class OpenAccuracy:
    """Accuracies between 0 and 1; types and wordings with no question are left out.

    Attributes:
        overall: over all questions.
        by_type: over those of each type, in either wording; where no cell answers, a refusal is right.
        by_wording: the same two for the questions of each wording; empty where they have but one.
        examples: how many questions there are.
    """

    overall: float
    by_type: dict[str, float]
    by_wording: dict[str, dict[str, Any]]
    examples: int

    @classmethod
    def of(cls, examples: Sequence[OpenExample | JoinExample], is_right: Sequence[bool]) -> "OpenAccuracy":
        """Counts the right answers."""
        pairs = list(zip(examples, is_right, strict=True))
        wordings = {
            wording: [pair for pair in pairs if pair[0].wording == wording]
            for wording in WORDINGS
            if any(example.wording == wording for example in examples)
        }
        by_wording = {
            wording: {"overall": _share(own), "by_type": _by_type(own), "examples": len(own)}
            for wording, own in wordings.items()
        }
        return cls(_share(pairs), _by_type(pairs), by_wording if len(wordings) > 1 else {}, len(pairs))

    def to_json(self) -> dict[str, Any]:
        """The keys of the command line's JSON."""
        content: dict[str, Any] = {"overall": self.overall, "by_type": self.by_type}
        return (
            content
            | ({"by_wording": self.by_wording} if self.by_wording else {})
            | {"examples": self.examples}
        )


def answer_open(
    predictor: Predictor, examples: Sequence[OpenExample], progress: Callable[[int], None] | None = None
) -> list[bool]:
    """Says of each question whether the model's most likely cell, or its refusal, is right."""
    found: list[bool] = []
    for start in range(0, len(examples), QUESTIONS_AT_ONCE):
        some = examples[start : start + QUESTIONS_AT_ONCE]
        predictions = predictor.predict([(example.table, example.question) for example in some])
        found += [_is_right(example, own) for example, own in zip(some, predictions, strict=True)]
        if progress is not None:
            progress(len(some))
    return found


def answer_several(
    predictor: SeveralPredictor,
    examples: Sequence[JoinExample],
    progress: Callable[[int], None] | None = None,
) -> list[bool]:
    """The same for questions that have several tables."""
    found: list[bool] = []
    for start in range(0, len(examples), QUESTIONS_AT_ONCE):
        some = examples[start : start + QUESTIONS_AT_ONCE]
        predictions = predictor.predict_several([(example.tables, example.question) for example in some])
        found += [_is_right_of_several(*pair) for pair in zip(some, predictions, strict=True)]
        if progress is not None:
            progress(len(some))
    return found


def as_open(questions: ExampleSet) -> list[OpenExample]:
    """The questions of an Olympic task, for a model that takes any table.

    Raises:
        TaskError: where each has more than one table.
    """
    if len(questions.tables) > 1:
        raise TaskError(f"these questions have {len(questions.tables)} tables each; this model reads one")
    examples = map(questions.example, range(len(questions)))
    return [
        OpenExample(each.tables[0], each.question, each.type, "natural", each.answer[1:], each.program)
        for each in examples
    ]


def _is_right(example: OpenExample, prediction: Prediction) -> bool:
    cells = prediction.probabilities
    if prediction.none_probability > float(cells.max()):
        return example.answer is None
    row, field = divmod(int(cells.argmax()), cells.shape[1])
    return example.answer == (row, field)


def _is_right_of_several(example: JoinExample, prediction: SeveralPrediction) -> bool:
    best = [float(own.probabilities.max()) for own in prediction.tables]
    if prediction.none_probability > max(best):
        return not example.cells
    table = best.index(max(best))
    cells = prediction.tables[table].probabilities
    row, field = divmod(int(cells.argmax()), cells.shape[1])
    return (table, row, field) in example.cells


def _share(pairs: Sequence[tuple[OpenExample | JoinExample, bool]]) -> float:
    return sum(is_right for _, is_right in pairs) / max(len(pairs), 1)


def _by_type(pairs: Sequence[tuple[OpenExample | JoinExample, bool]]) -> dict[str, float]:
    names = dict.fromkeys((*OPEN_TYPES, *JOIN_TYPES))
    by_type = {name: [pair for pair in pairs if pair[0].type == name] for name in names}
    return {name: _share(own) for name, own in by_type.items() if own}
