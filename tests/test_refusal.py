"""When a question is not answered: where that is more probable than any one cell, however improbable."""

from dataclasses import dataclass

import numpy as np
import pytest

from neural_enquirer import Enquirer, Table
from neural_enquirer.open_evaluation import answer_open, answer_several
from neural_enquirer.prediction import ROWS_SEEN, OpenPredictor, Prediction
from neural_enquirer.real_evaluation import answer_real
from neural_enquirer.real_questions import RealExample
from neural_enquirer.several_prediction import SeveralPrediction
from neural_enquirer.several_predictor import OpenSeveralPredictor
from neural_enquirer.synthesis.open.examples import OpenExample
from neural_enquirer.synthesis.open.join_sampler import JoinExample
from watched_models import QUESTION, balanced, lands, long_table, open_model, open_multi_model, watched

TABLE, OTHER = Table.of([{"city": "Oslo", "people": 5}]), Table.of([{"land": "Norway", "size": 9}])
BEST = 0.3
BOUNDARY = pytest.mark.parametrize(("none", "refuses"), [(0.29, False), (0.31, True)])


@dataclass(frozen=True)
class Sure:
    """A model that gives Oslo `BEST`, and no answer what it is told to."""

    none: float
    name = "sure"

    def predict(self, questions: list[tuple[Table, str]]) -> list[Prediction]:
        return [self._one(BEST) for _ in questions]

    def predict_several(self, questions: list[tuple[tuple[Table, ...], str]]) -> list[SeveralPrediction]:
        both = (self._one(0.1), self._one(BEST))
        return [SeveralPrediction(both, self.none, (), ({}, {})) for _ in questions]

    def _one(self, best: float) -> Prediction:
        return Prediction(
            np.array([[best, 0.05]], np.float32),
            self.none,
            np.full((2, 2), 0.5, np.float32),
            np.ones((2, 1), np.float32),
        )


@BOUNDARY
def test_an_answer(none: float, refuses: bool) -> None:
    answer = Enquirer(Sure(none)).ask(TABLE, "which city")
    assert answer.text == (None if refuses else "Oslo")
    assert answer.confidence == pytest.approx(max(none, BEST))


@BOUNDARY
def test_an_answer_from_several_tables(none: float, refuses: bool) -> None:
    answer = Enquirer(Sure(none)).ask([OTHER, TABLE], "which city")
    assert answer.text == (None if refuses else "Oslo")
    assert answer.confidence == pytest.approx(max(none, BEST))


@BOUNDARY
def test_synthetic_questions_are_counted_alike(none: float, refuses: bool) -> None:
    cell, nothing = (
        OpenExample(TABLE, "which city", "select_where", "natural", answer, None) for answer in ((0, 0), None)
    )
    assert answer_open(Sure(none), [cell, nothing]) == [not refuses, refuses]


@BOUNDARY
def test_synthetic_questions_on_several_tables_are_counted_alike(none: float, refuses: bool) -> None:
    cell, nothing = (
        JoinExample((OTHER, TABLE), "which city", "absent", "natural", cells, None, None)
        for cells in (((1, 0, 0),), ())
    )
    assert answer_several(Sure(none), [cell, nothing]) == [not refuses, refuses]


@BOUNDARY
def test_real_questions_are_counted_alike(none: float, refuses: bool) -> None:
    (found,) = answer_real(Sure(none), [RealExample("q", TABLE, "which city", ("Oslo",), ((0, 0),), True)])
    assert found.cell == (None if refuses else (0, 0))
    assert found.probability == pytest.approx(max(none, BEST))


@pytest.mark.parametrize(("more", "refuses"), [(-0.01, False), (0.01, True)])
@pytest.mark.parametrize("several", [False, True])
def test_a_long_table_that_has_no_answer_is_not_looked_at_again(
    several: bool, more: float, refuses: bool
) -> None:
    """Among the few rows of a closer look, a cell would become more probable than that there is no answer."""
    model = open_multi_model() if several else open_model()
    tables = (long_table(2 * ROWS_SEEN), lands())
    trained, outputs = watched(model)

    def ask() -> Prediction | SeveralPrediction:
        if several:
            return OpenSeveralPredictor(trained, "random").predict_several([(tables, QUESTION)])[0]
        return OpenPredictor(trained, "random").predict([(tables[0], QUESTION)])[0]

    found = balanced(model, outputs, ask, more)
    best = max(own.probabilities.max() for own in (found.tables if several else [found]))
    assert len(outputs) == (1 if refuses else 2)
    assert (found.none_probability > best) == refuses
    assert found.none_probability < 0.5
