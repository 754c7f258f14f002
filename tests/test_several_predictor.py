"""Predictions on several tables: how sure they are, at the first look and at every closer one."""

import numpy as np
import numpy.typing as npt
import pytest
import torch

from neural_enquirer import prediction
from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.model.multi_enquirer import MultiEnquirer
from neural_enquirer.several_prediction import SeveralPrediction
from neural_enquirer.several_predictor import ClosedSeveralPredictor, OpenSeveralPredictor
from watched_models import QUESTION, VOCABULARY, chances, lands, long_table, open_multi_model, watched


def cells(found: SeveralPrediction) -> npt.NDArray[np.float32]:
    """The probabilities of all cells of rows that were kept to the end."""
    return np.concatenate([own.probabilities[own.probabilities.any(axis=1)].ravel() for own in found.tables])


def test_scores_are_divided_by_the_temperature() -> None:
    trained, outputs = watched(open_multi_model())
    asked = [((long_table(6), lands()), QUESTION)]
    (found,) = OpenSeveralPredictor(trained, "random").predict_several(asked)
    expected = chances(outputs[0].candidates())
    np.testing.assert_allclose([*cells(found), found.none_probability], expected, rtol=1e-5)


@pytest.mark.parametrize(("rows", "looks"), [(40, 2), (150, 3)])
def test_scores_are_divided_by_the_temperature_once_when_looking_closer(rows: int, looks: int) -> None:
    trained, outputs = watched(open_multi_model())
    asked = [((long_table(rows), lands()), QUESTION)]
    (found,) = OpenSeveralPredictor(trained, "random").predict_several(asked)
    assert len(outputs) == looks
    none = chances(outputs[0].candidates())[-1]
    assert found.none_probability == pytest.approx(float(none))
    assert found.tables[0].probabilities.any(axis=1).sum() == prediction.ROWS_AT_LAST
    scores = torch.cat([own.answer_scores.flatten() for own in outputs[-1].tables])
    np.testing.assert_allclose(cells(found), chances(scores) * (1 - none), rtol=1e-5)


def test_scores_of_a_closed_vocabulary_are_divided_by_the_temperature() -> None:
    torch.manual_seed(0)
    config = ModelConfig(executors=3, embedding_size=4, state_size=4)
    vectors = torch.randn(len(VOCABULARY) - 1, 4)
    trained, outputs = watched(MultiEnquirer(config, vectors, torch.zeros(0, 4)).eval())
    asked = [((long_table(6), lands()), QUESTION)]
    (found,) = ClosedSeveralPredictor(trained, "random").predict_several(asked)
    np.testing.assert_allclose(cells(found), chances(outputs[0].candidates()), rtol=1e-5)
