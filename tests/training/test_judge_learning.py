"""Learning to judge: the judge finds out what tells right answers, and says how sure that makes one."""

import numpy as np
import pytest

from asked_games import GAMES, VOCABULARY
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.judge.features import FEATURES
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.training import judge_learning
from neural_enquirer.training.judge_learning import Case, cases_of, learn
from writing_models import writing_model


def cases(count: int, seed: int = 0) -> list[Case]:
    """Questions with two to four candidates, of which the one with the most votes is right."""
    draw, found = np.random.default_rng(seed), []
    for number in range(count):
        rows = np.zeros((draw.integers(2, 5), len(FEATURES)), np.float32)
        rows[:, :10] = draw.normal(size=(len(rows), 10))
        votes = rows[:, FEATURES["vote"]] = draw.permutation(len(rows)) / 2
        found.append(Case(rows, votes == votes.max(), f"table {number % 40}"))
    return found


def surprise(judge: judge_learning.Judge, some: list[Case]) -> float:
    return float(np.mean([-np.log(judge.probabilities(case.rows)[case.right].sum()) for case in some]))


def test_what_tells_right_answers_is_found_out() -> None:
    judge, others = learn(cases(400)), cases(100, seed=1)
    hits = [case.right[judge.probabilities(case.rows).argmax()] for case in others]
    assert np.mean(hits) > 0.95
    guessing = np.mean([np.log(len(case.rows)) for case in others])
    assert surprise(judge, others) < guessing / 2


def test_the_same_cases_and_seed_give_the_same_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_learning, "EPOCHS", 2)
    one, same, other = (learn(cases(60), seed) for seed in (3, 3, 4))
    assert all((a == b).all() for a, b in zip(one.weights, same.weights, strict=True))
    assert not (one.weights[0] == other.weights[0]).all()


def test_a_heavier_case_counts_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_learning, "BATCH", 4)
    rows = np.eye(2, len(FEATURES), dtype=np.float32)
    yes = Case(rows, np.array([True, False]), "table", weight=9.0)
    no = Case(rows, np.array([False, True]), "table")
    sure, unsure = (learn(some * 30).probabilities(rows)[0] for some in ([yes, no], [yes, no, no, no]))
    assert sure > unsure > 0.5


def test_cases_say_what_was_right() -> None:
    predictor = OpenPredictor(Checkpoint(writing_model(scale=0.2), VOCABULARY, "natural"), "random")
    questions = [
        AskedQuestion(str(i), (GAMES,), text, "lookup", accepted, lambda one, other: set(one) == set(other))
        for i, (text, accepted) in enumerate(
            [
                ("how many games", (("6",),)),
                ("which city in athens", ()),
                ("days in 1900", (("20",), ("17",))),
            ]
        )
    ]
    found = list(cases_of(predictor, questions, weight=2.0))
    evidence = predictor.evidence([(one.tables, one.question) for one in questions])
    for case, question, own in zip(found, questions, evidence, strict=True):
        assert len(case.rows) == len(case.right) >= 2
        assert case.right[-2] == (not question.accepted)
        assert case.right[-1] == (not case.right[:-1].any())
        assert (case.table, case.weight) == ("games", 2.0)
        assert len(case.rows) - 2 <= len(own.ways)
