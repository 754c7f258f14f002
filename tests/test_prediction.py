"""Long tables: looked at in chunks and again, alone or beside others, with the same answers."""

import gc
import weakref

import numpy as np
import pytest
import torch

from neural_enquirer import prediction
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.prediction import OpenPredictor, Prediction
from neural_enquirer.tables import Table

VOCABULARY = Vocabulary(("which", "city", "has", "the", "most", "people", "in", "of"), frozenset())


@pytest.fixture(scope="module")
def predictor() -> OpenPredictor:
    torch.manual_seed(0)
    model = OpenEnquirer(OpenConfig(executors=3), torch.randn(len(VOCABULARY) - 1, 64))
    torch.nn.init.constant_(model.none_score.bias, -20)  # always answers
    return OpenPredictor(Checkpoint(model.eval(), VOCABULARY, "natural"), "random")


def long_table(rows: int) -> Table:
    draw = np.random.default_rng(rows)
    people = draw.permutation(10 * rows)[:rows].tolist()
    return Table.of(
        [{"city": f"town {i}", "land": f"land {i % 7}", "people": many} for i, many in enumerate(people)]
    )


def assert_same(found: Prediction, expected: Prediction) -> None:
    assert found.probabilities.argmax() == expected.probabilities.argmax()
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)
    np.testing.assert_allclose(found.row_marks, expected.row_marks, atol=1e-4)


def test_tables_of_all_lengths_are_answered_together_as_alone(predictor: OpenPredictor) -> None:
    asked = [(long_table(rows), "which city has the most people in land 3") for rows in (3, 24, 25, 90, 700)]
    for (table, question), found in zip(asked, predictor.predict(asked), strict=True):
        assert found.probabilities.sum() + found.none_probability == pytest.approx(1, abs=1e-5)
        assert_same(found, predictor.predict([(table, question)])[0])


def test_chunks_change_nothing(predictor: OpenPredictor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [(long_table(600), "the most people in land 2")]
    whole = predictor.predict(asked)[0]
    monkeypatch.setattr(prediction, "CELLS_AT_ONCE", 100)
    assert_same(predictor.predict(asked)[0], whole)


def test_keeps_no_table_that_nobody_else_keeps(predictor: OpenPredictor) -> None:
    kept, dropped = long_table(5), long_table(6)
    predictor.predict([(kept, "which city"), (dropped, "which city")])
    gone = weakref.ref(dropped)
    del dropped
    gc.collect()
    assert gone() is None
    assert id(kept) in predictor._indexes
    for rows in range(3, 60):
        predictor.predict([(long_table(rows), "which city")])
    gc.collect()
    assert len(predictor._indexes) <= 1
