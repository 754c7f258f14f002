"""How well an open model answers synthetic questions: the share of right cells, and of right refusals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from neural_enquirer.prediction import Prediction
from neural_enquirer.predictor import Predictor
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.synthesis.open.examples import OPEN_TYPES, WORDINGS, OpenExample
from neural_enquirer.synthesis.open.join_sampler import JOIN_TYPES, JoinExample

QUESTIONS_AT_ONCE = 512

Example = OpenExample | JoinExample


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
    def of(cls, examples: Sequence[Example], is_right: Sequence[bool]) -> "OpenAccuracy":
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
    predictor: Predictor, examples: Sequence[Example], progress: Callable[[int], None] | None = None
) -> list[bool]:
    """Says of each question whether the model's most likely cell, or its refusal, is right."""
    found: list[bool] = []
    for start in range(0, len(examples), QUESTIONS_AT_ONCE):
        some = examples[start : start + QUESTIONS_AT_ONCE]
        predictions = predictor.predict([(example.tables, example.question) for example in some])
        found += [_is_right(example, own) for example, own in zip(some, predictions, strict=True)]
        if progress is not None:
            progress(len(some))
    return found


def as_open(questions: ExampleSet) -> list[Example]:
    """The questions of an Olympic task, for a model that takes any tables."""
    return [_as_open(questions, i) for i in range(len(questions))]


def _as_open(questions: ExampleSet, i: int) -> Example:
    each = questions.example(i)
    if len(each.tables) == 1:
        table, answer = each.tables[0], each.answer[1:]
        return OpenExample(table, each.question, each.type, "natural", answer, each.program)
    one, other = each.tables
    return JoinExample((one, other), each.question, each.type, "natural", (each.answer,), None, None)


def _is_right(example: Example, prediction: Prediction) -> bool:
    if prediction.is_refusal:
        return not example.cells
    return prediction.best in example.cells


def _share(pairs: Sequence[tuple[Example, bool]]) -> float:
    return sum(is_right for _, is_right in pairs) / max(len(pairs), 1)


def _by_type(pairs: Sequence[tuple[Example, bool]]) -> dict[str, float]:
    names = dict.fromkeys((*OPEN_TYPES, *JOIN_TYPES))
    by_type = {name: [pair for pair in pairs if pair[0].type == name] for name in names}
    return {name: _share(own) for name, own in by_type.items() if own}
