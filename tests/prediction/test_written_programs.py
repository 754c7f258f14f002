"""Predictors that write programs: questions together are answered as alone, whatever stands beside them."""

import math

import numpy as np
import pytest

from asked_games import GAMES, LANDS, VOCABULARY
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.prediction import Tables, Verdict, predictors
from neural_enquirer.prediction.predictors import OpenPredictor
from writing_models import writing_model

QUESTIONS: list[tuple[Tables, str]] = [
    ((GAMES,), "which city had more than 9 days in 1900"),
    ((LANDS,), "how many"),
    ((GAMES, LANDS), "days in greece or paris in asia with 60 people or 17 days after february"),
    ((GAMES,), "how many in athens or oslo"),
]


@pytest.fixture(scope="module")
def predictor() -> OpenPredictor:
    return OpenPredictor(Checkpoint(writing_model(scale=0.2), VOCABULARY, "natural").light(), "random")


def assert_same(found: Verdict, expected: Verdict) -> None:
    assert [one.program for one in found.ranked] == [one.program for one in expected.ranked]
    chances = [[one.probability for one in verdict.ranked] for verdict in (found, expected)]
    assert chances[0] == pytest.approx(chances[1], abs=1e-5)


def test_questions_together_are_judged_as_alone(predictor: OpenPredictor) -> None:
    together = predictor.judge(QUESTIONS)
    assert len(together) == len(QUESTIONS)
    for question, found in zip(QUESTIONS, together, strict=True):
        assert_same(found, predictor.judge([question])[0])
        assert any(one.refusal for one in found.ranked)


def test_evidence_is_what_the_cascade_and_the_decoder_say(predictor: OpenPredictor) -> None:
    for (tables, text), found in zip(QUESTIONS, predictor.evidence(QUESTIONS), strict=True):
        assert found.asked.question == text
        assert sum(math.exp(way.score) for way in found.ways) <= 1 + 1e-5
        assert found.says.shape[0] == max(1, len(found.asked.links[0].words))
        assert sum(found.votes.texts.values()) + found.votes.none == pytest.approx(1, abs=0.02)
        for text in found.votes.texts:
            assert any(
                table.text(row, n) == text
                for table in tables
                for row in range(table.row_count)
                for n in range(len(table.fields))
            )


def test_programs_far_behind_the_best_are_not_run(
    predictor: OpenPredictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    (many,) = predictor.evidence(QUESTIONS[:1])
    monkeypatch.setattr(predictors, "BEHIND", 0.5)
    (few,) = predictor.evidence(QUESTIONS[:1])
    assert many.ways[-1].score < many.ways[0].score - 0.5
    assert few.ways == tuple(way for way in many.ways if way.score >= many.ways[0].score - 0.5)


def test_cells_with_one_text_vote_together(predictor: OpenPredictor) -> None:
    (found,) = predictor.evidence([((GAMES,), "which city")])
    (own,) = found.prediction.tables
    assert found.votes.texts["Athens"] == pytest.approx(float(own.probabilities[[0, 3], 0].sum()))
    assert found.votes.of(["Athens", "Athens", "Mars"])[0] == pytest.approx(found.votes.texts["Athens"])
    most = max(found.votes.texts, key=found.votes.texts.__getitem__)
    assert found.votes.of([most, "Mars"])[1] == 1
    assert found.votes.of(["Mars"]) == (0, 0)
    assert np.isclose(found.votes.most, found.votes.texts[most])
