"""Predictions on several tables: how sure they are, and which rows are looked at again."""

import numpy as np
import numpy.typing as npt
import pytest
import torch

from neural_enquirer import prediction
from neural_enquirer.encoding.open_multi import SeveralIndex, prepare_several
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.model.enquirer import ModelConfig
from neural_enquirer.model.multi_enquirer import MultiEnquirer
from neural_enquirer.several_prediction import SeveralPrediction
from neural_enquirer.several_predictor import ClosedSeveralPredictor, OpenSeveralPredictor, _worth_a_look
from neural_enquirer.tables import Table
from watched_models import (
    QUESTION,
    VOCABULARY,
    balanced,
    chances,
    lands,
    long_table,
    open_multi_model,
    watched,
)


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
def test_a_closer_look_shares_out_the_chance_of_an_answer(rows: int, looks: int) -> None:
    """Scores are divided by the temperature once, however many looks there are."""
    model = open_multi_model()
    trained, outputs = watched(model)
    asked = [((long_table(rows), lands()), QUESTION)]
    predictor = OpenSeveralPredictor(trained, "random")
    (found,) = balanced(model, outputs, lambda: predictor.predict_several(asked), more=-0.01)
    assert len(outputs) == looks
    none = chances(outputs[0].candidates())[-1]
    assert found.none_probability == pytest.approx(float(none))
    assert found.tables[0].probabilities.any(axis=1).sum() == prediction.ROWS_AT_LAST
    scores = torch.cat([own.answer_scores.flatten() for own in outputs[-1].tables])
    np.testing.assert_allclose(cells(found), chances(scores) * (1 - none), rtol=1e-5)


def test_rows_that_are_linked_to_likely_ones_are_looked_at_again() -> None:
    one, other = (Table.of([{"key": f"k{i}", name: i} for i in range(60)]) for name in ("size", "age"))
    index = SeveralIndex.of([TableIndex.of(one), TableIndex.of(other)], ["one", "other"])
    likely = [np.zeros((60, 2), np.float32), np.zeros((60, 2), np.float32)]
    likely[0][50, 1] = 1
    chosen, linked = _worth_a_look(prepare_several("the age", index, VOCABULARY), likely)
    assert 50 in chosen
    assert 50 in linked
    assert len(chosen) == len(linked) == prediction.ROWS_AT_LAST


def test_scores_of_a_closed_vocabulary_are_divided_by_the_temperature() -> None:
    torch.manual_seed(0)
    config = ModelConfig(executors=3, embedding_size=4, state_size=4)
    vectors = torch.randn(len(VOCABULARY) - 1, 4)
    trained, outputs = watched(MultiEnquirer(config, vectors, torch.zeros(0, 4)).eval())
    asked = [((long_table(6), lands()), QUESTION)]
    (found,) = ClosedSeveralPredictor(trained, "random").predict_several(asked)
    np.testing.assert_allclose(cells(found), chances(outputs[0].candidates()), rtol=1e-5)
