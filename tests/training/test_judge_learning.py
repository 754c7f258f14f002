"""Learning to judge: the judge finds out what tells right answers, and says how sure that makes one."""

import numpy as np
import pytest

from neural_enquirer.judge.features import FEATURES
from neural_enquirer.training import judge_learning
from neural_enquirer.training.judge_learning import Case, learn


def cases(count: int, seed: int = 0) -> list[Case]:
    """Questions with two to four candidates, of which the one with the most votes is right."""
    draw, found = np.random.default_rng(seed), []
    for number in range(count):
        rows = np.zeros((draw.integers(2, 5), len(FEATURES)), np.float32)
        rows[:, :10] = draw.normal(size=(len(rows), 10))
        votes = rows[:, FEATURES["vote"]] = draw.permutation(len(rows)) / 2
        found.append(Case(rows, votes == votes.max(), f"table {number % 40}", "drawn"))
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
    yes = Case(rows, np.array([True, False]), "table", "drawn", weight=9.0)
    no = Case(rows, np.array([False, True]), "table", "drawn")
    sure, unsure = (learn(some * 30).probabilities(rows)[0] for some in ([yes, no], [yes, no, no, no]))
    assert sure > unsure > 0.5


def test_a_judge_goes_on_learning_from_where_another_one_was(monkeypatch: pytest.MonkeyPatch) -> None:
    known, others = learn(cases(400)), cases(100, seed=1)
    scaled = judge_learning.Network(cases(80, seed=2)).eval()
    scaled.begin_with(known)
    for case in others:
        assert scaled.judge().probabilities(case.rows) == pytest.approx(
            known.probabilities(case.rows), abs=1e-4
        )
    monkeypatch.setattr(judge_learning, "FURTHER_EPOCHS", 1)
    assert surprise(learn(cases(60, seed=3), start=known), others) < surprise(known, others) + 0.05


def test_a_judge_of_another_size_is_nothing_to_begin_with() -> None:
    small = judge_learning.Network(cases(20), hidden=(4,)).judge()
    with pytest.raises(ValueError, match="has the size"):
        learn(cases(20), start=small)
