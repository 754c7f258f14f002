"""When a question is not answered: where that is more probable than any one cell, however improbable."""

from dataclasses import dataclass

import numpy as np
import pytest

from neural_enquirer import Enquirer, Table
from neural_enquirer.prediction import CellPredictor, Prediction, TablePrediction, Tables
from neural_enquirer.prediction.closer_look import ROWS_SEEN
from watched_models import balanced, lands, long_table

TABLE, OTHER = Table.of([{"city": "Oslo", "people": 5}]), Table.of([{"land": "Norway", "size": 9}])
BEST = 0.3
BOUNDARY = pytest.mark.parametrize(("none", "refuses"), [(0.29, False), (0.31, True)])


@dataclass(frozen=True)
class Sure(CellPredictor):
    """A model that gives Oslo `BEST`, and no answer what it is told to."""

    none: float
    name = "sure"

    def predict(self, questions: list[tuple[Tables, str]]) -> list[Prediction]:
        """The last table is the one with Oslo."""
        best = [[0.1] * (len(tables) - 1) + [BEST] for tables, _ in questions]
        return [Prediction(tuple(map(self._table, own)), self.none, (), ({}, {})) for own in best]

    def _table(self, best: float) -> TablePrediction:
        return TablePrediction(
            np.array([[best, 0.05]], np.float32),
            np.full((2, 2), 0.5, np.float32),
            np.ones((2, 1), np.float32),
        )


@BOUNDARY
@pytest.mark.parametrize("tables", [[TABLE], [OTHER, TABLE]])
def test_an_answer(tables: list[Table], none: float, refuses: bool) -> None:
    answer = Enquirer(Sure(none)).ask(tables, "which city")
    assert answer.text == (None if refuses else "Oslo")
    assert answer.confidence == pytest.approx(max(none, BEST))


def test_what_has_no_chance_is_no_candidate() -> None:
    assert [one.text for one in Enquirer(Sure(0.1)).ask(TABLE, "which city").ranked] == ["Oslo", None, "5"]
    assert [one.text for one in Enquirer(Sure(0.0)).ask(TABLE, "which city").ranked] == ["Oslo", "5"]


@BOUNDARY
@pytest.mark.parametrize("tables", [(TABLE,), (OTHER, TABLE)])
def test_a_prediction(tables: Tables, none: float, refuses: bool) -> None:
    (found,) = Sure(none).predict([(tables, "which city")])
    assert found.is_refusal == refuses
    assert found.best == (len(tables) - 1, 0, 0)
    assert found.best_probability == pytest.approx(BEST)


@pytest.mark.parametrize(("more", "refuses"), [(-0.01, False), (0.01, True)])
@pytest.mark.parametrize("tables", [(long_table(2 * ROWS_SEEN),), (long_table(2 * ROWS_SEEN), lands())])
def test_a_long_table_that_has_no_answer_is_not_looked_at_again(
    tables: Tables, more: float, refuses: bool
) -> None:
    """Among the few rows of a closer look, a cell would become more probable than that there is no answer."""
    found, outputs = balanced(tables, more)
    assert len(outputs) == (1 if refuses else 2)
    assert found.is_refusal == refuses
    assert found.none_probability < 0.5
