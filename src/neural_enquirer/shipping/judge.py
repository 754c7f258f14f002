"""The judge that is shipped with a model, and how good it is on questions that it did not learn from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from neural_enquirer.evaluation.scoring import SURE, calibration_error
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.training.judge_learning import Case, is_apart, learn

_ALL: Final = "all"


@dataclass(frozen=True)
class LearnedJudge:
    """A judge and, for people, what it comes from.

    Attributes:
        judge: the judge.
        about: how many questions of which sets it learned from, and its figures on those kept apart.
    """

    judge: Judge
    about: dict[str, Any]


@dataclass(frozen=True)
class _Ruling:
    """What a judge makes of a case: whether it is right, how sure it is, and whether it refuses."""

    right: bool
    confidence: float
    refused: bool


def learned(cases: Sequence[Case], seed: int = 0, start: Judge | None = None) -> LearnedJudge:
    """Learns a judge from cases, anew or from another one's weights; the same cases and seed give the same.

    Raises:
        ShippingError: where there are too few.
    """
    taught = [case for case in cases if not is_apart(case)]
    apart = [case for case in cases if is_apart(case)]
    if not taught:
        raise ShippingError("a judge learns from questions about several tables; give more of them: --data")
    judge = learn(cases, seed, start)
    sources = list(dict.fromkeys(case.source for case in cases))
    figures = {_ALL: _figures(judge, apart)} if apart else {}
    for source in sources:
        if own := [case for case in apart if case.source == source]:
            figures[source] = _figures(judge, own)
    counts = {source: sum(case.source == source for case in taught) for source in sources}
    return LearnedJudge(judge, {"learned_from": counts, "seed": seed, "apart": figures})


def _figures(judge: Judge, cases: Sequence[Case]) -> dict[str, float | int | None]:
    """The figures by which real questions are scored, of cases: confidence is that of answers only."""
    rulings = [_ruling(judge, case) for case in cases]
    given = [one for one in rulings if not one.refused]
    sure = [one for one in given if one.confidence >= SURE]
    return {
        "questions": len(rulings),
        "overall": _share(rulings, len(rulings)),
        "refused": 1 - len(given) / len(rulings),
        "calibration_error": calibration_error([(one.confidence, one.right) for one in given]),
        "sure": len(sure) / len(rulings),
        "right_when_sure": _share(sure, len(sure)),
    }


def _share(rulings: Sequence[_Ruling], total: int) -> float | None:
    return sum(one.right for one in rulings) / total if total else None


def _ruling(judge: Judge, case: Case) -> _Ruling:
    outcomes = judge.probabilities(case.rows)[:-1]  # the last stands for an answer that nobody found
    chosen = int(np.argmax(outcomes))
    return _Ruling(bool(case.right[chosen]), float(outcomes[chosen]), chosen == len(outcomes) - 1)
