"""Collecting cases for the judge: what a model answered, and which of it was right."""

from asked_games import GAMES, VOCABULARY
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.shipping.collecting import cases_of
from writing_models import writing_model


def test_cases_say_what_was_right() -> None:
    predictor = OpenPredictor(Checkpoint(writing_model(scale=0.2), VOCABULARY, "natural").light(), "random")
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
    found = cases_of(predictor, questions, "everyday")
    evidence = predictor.evidence([(one.tables, one.question) for one in questions])
    for case, question, own in zip(found, questions, evidence, strict=True):
        assert len(case.rows) == len(case.right) >= 2
        assert case.right[-2] == (not question.accepted)
        assert case.right[-1] == (not case.right[:-1].any())
        assert (case.table, case.source) == ("games", "everyday")
        assert len(case.rows) - 2 <= len(own.ways)
