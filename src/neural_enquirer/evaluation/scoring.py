"""The figures: how many answers are right, of what kind, and how far confidence can be trusted."""

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from neural_enquirer.evaluation.answering import Response
from neural_enquirer.real_questions.sets import AskedQuestion

SURE: Final = 0.9
"""An answer with at least this confidence is taken for granted."""
MISLEADING: Final = 0.8
"""A wrong answer with at least this confidence misleads."""
_BINS: Final = 10


@dataclass(frozen=True)
class Answered:
    """A question and what was answered to it."""

    question: AskedQuestion
    response: Response

    @functools.cached_property
    def is_right(self) -> bool:
        """Whether it is the right answer, or a refusal where nothing answers."""
        return self.question.is_right(self.response.texts)

    @property
    def is_refused(self) -> bool:
        """Whether there is no answer."""
        return not self.response.texts

    @functools.cached_property
    def is_considered(self) -> bool:
        """Whether the right answer is among the outcomes that were chosen from."""
        return any(map(self.question.is_right, self.response.considered))


@dataclass(frozen=True)
class Score:
    """Shares between 0 and 1; None where there is nothing to take a share of.

    Attributes:
        overall: of right answers among all questions; a refusal is right where nothing answers.
        by_type: the same by the kind of question.
        examples: how many questions there are.
        examples_by_type: how many of each kind.
        one_cell: of right answers where the set says that one cell answers.
        one_cell_no_aggregation: the same where the set's query takes that cell as it is.
        refused: of questions that are not answered.
        calibration_error: how far confidence and accuracy are apart over the answers given, in ten bins.
        right_when_sure: of right ones among the answers with a confidence of `SURE` or more.
        sure: of such answers among all questions.
        wrong_and_sure: of wrong answers with a confidence of `MISLEADING` or more among all questions.
        in_candidates: of questions whose right answer is among the outcomes that were chosen from.
    """

    overall: float
    by_type: dict[str, float]
    examples: int
    examples_by_type: dict[str, int]
    one_cell: float | None
    one_cell_no_aggregation: float | None
    refused: float
    calibration_error: float | None
    right_when_sure: float | None
    sure: float
    wrong_and_sure: float
    in_candidates: float | None

    @classmethod
    def of(cls, answered: Sequence[Answered]) -> "Score":
        """Counts."""
        kinds = grouped(answered, lambda one: one.question.kind)
        given = [one for one in answered if not one.is_refused]
        sure = [one for one in given if one.response.confidence >= SURE]
        misleading = [one for one in given if one.response.confidence >= MISLEADING and not one.is_right]
        considered = [one for one in answered if one.is_considered]
        total = max(len(answered), 1)
        return cls(
            overall=right(answered) or 0.0,
            by_type={kind: right(own) or 0.0 for kind, own in kinds.items()},
            examples=len(answered),
            examples_by_type={kind: len(own) for kind, own in kinds.items()},
            one_cell=right(_of_one_cell(answered)),
            one_cell_no_aggregation=right(_of_one_cell(answered, "none")),
            refused=1 - len(given) / total if answered else 0.0,
            calibration_error=calibration_error([(one.response.confidence, one.is_right) for one in given]),
            right_when_sure=right(sure),
            sure=len(sure) / total,
            wrong_and_sure=len(misleading) / total,
            in_candidates=len(considered) / total
            if any(one.response.considered for one in answered)
            else None,
        )

    def to_json(self) -> dict[str, Any]:
        """The figures as the command line's JSON; what there is nothing to say of is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def calibration_error(answers: Sequence[tuple[float, bool]]) -> float | None:
    """The mean distance between confidence and accuracy, over bins of equal width; None of no answers."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in answers:
        bins.setdefault(min(int(confidence * _BINS), _BINS - 1), []).append((confidence, right))
    apart = [abs(sum(confidence - right for confidence, right in some)) for some in bins.values()]
    return sum(apart) / len(answers) if answers else None


def right(answered: Sequence[Answered]) -> float | None:
    """The share of right answers; None of no questions."""
    return sum(one.is_right for one in answered) / len(answered) if answered else None


def grouped(
    answered: Iterable[Answered], name: Callable[[Answered], str | None]
) -> dict[str, list[Answered]]:
    """Puts questions of one name together, in the order of names; those without a name are left out."""
    groups: dict[str, list[Answered]] = {}
    for one in answered:
        group = name(one)
        if group is not None:
            groups.setdefault(group, []).append(one)
    return dict(sorted(groups.items()))


def _of_one_cell(answered: Iterable[Answered], aggregation: str | None = None) -> list[Answered]:
    """Those that one cell answers by the set's own count, and for which its query does such a thing."""
    pairs = ((one, one.question.real) for one in answered)
    return [
        one
        for one, real in pairs
        if real is not None and real.one_cell and aggregation in (None, real.aggregation)
    ]
