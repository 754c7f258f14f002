"""Predictions: how sure they are, and long tables, looked at in chunks and again, alone or beside others."""

import gc
import weakref

import numpy as np
import pytest
import torch

from neural_enquirer import prediction
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open import OpenQuestion, prepare
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.model.cascade import Output
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer
from neural_enquirer.model.executor import Memory
from neural_enquirer.prediction import (
    ClosedPredictor,
    OpenPredictor,
    Prediction,
    likeliest_rows,
    only_rows,
    row_marks,
)
from neural_enquirer.tables import Table
from watched_models import QUESTION, VOCABULARY, balanced, chances, long_table, open_model, watched


@pytest.fixture(scope="module")
def predictor() -> OpenPredictor:
    return OpenPredictor(Checkpoint(open_model(), VOCABULARY, "natural"), "random")


def assert_same(found: Prediction, expected: Prediction) -> None:
    assert found.probabilities.argmax() == expected.probabilities.argmax()
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-6)
    np.testing.assert_allclose(found.row_marks, expected.row_marks, atol=1e-4)


def test_tables_of_all_lengths_are_answered_together_as_alone(predictor: OpenPredictor) -> None:
    asked = [(long_table(rows), QUESTION) for rows in (3, 24, 25, 90, 700)]
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


def test_scores_are_divided_by_the_temperature() -> None:
    trained, outputs = watched(open_model())
    (found,) = OpenPredictor(trained, "random").predict([(long_table(5), QUESTION)])
    expected = chances(outputs[0].candidates())
    np.testing.assert_allclose([*found.probabilities.ravel(), found.none_probability], expected, rtol=1e-5)


def test_a_closer_look_shares_out_the_chance_of_an_answer() -> None:
    model = open_model()
    trained, outputs = watched(model)
    predictor, asked = OpenPredictor(trained, "random"), [(long_table(90), QUESTION)]
    (found,) = balanced(model, outputs, lambda: predictor.predict(asked), more=-0.01)
    first, last = outputs
    none = chances(first.candidates())[-1]
    kept = found.probabilities.any(axis=1)
    assert kept.sum() == prediction.ROWS_AT_LAST
    assert found.none_probability == pytest.approx(float(none))
    expected = chances(last.answer_scores) * (1 - none)
    np.testing.assert_allclose(found.probabilities[kept].ravel(), expected, rtol=1e-5)


def test_scores_of_a_closed_vocabulary_are_divided_by_the_temperature() -> None:
    torch.manual_seed(0)
    config = ModelConfig(executors=3, embedding_size=4, state_size=4)
    vectors = torch.randn(len(VOCABULARY) - 1, 4)
    trained, outputs = watched(NeuralEnquirer(config, vectors, torch.zeros(0, 4)).eval())
    (found,) = ClosedPredictor(trained, "random").predict([(long_table(5), QUESTION)])
    assert found.none_probability == 0
    np.testing.assert_allclose(found.probabilities.ravel(), chances(outputs[0].candidates()), rtol=1e-5)


def asked_of(table: Table, question: str) -> OpenQuestion:
    return prepare(question, TableIndex.of(table), VOCABULARY)


def test_a_closer_look_keeps_the_likeliest_rows_and_those_mentioned() -> None:
    likely = np.linspace(1, 0, 90, dtype=np.float32)
    likely[60] = 2
    one = likeliest_rows(asked_of(long_table(90), "how many people are in town 77"), likely, 12).tolist()
    assert one == [*range(10), 60, 77]
    many = likeliest_rows(asked_of(long_table(90), "the most people in land 6"), likely, 12).tolist()
    assert many == [0, 1, 2, 3, 4, 6, 13, 20, 27, 34, 41, 60]  # of twelve in land 6, the six likeliest


def test_a_closer_look_asks_the_same_question_of_fewer_rows() -> None:
    """What is left is what the question would be on a table of these rows alone."""
    table, rows = long_table(40), np.array([2, 3, 17, 31])
    few = Table(table.fields, tuple(tuple(column[i] for i in rows) for column in table.columns))
    question = f"which town has more than {table.columns[2][17]} people in land 3"
    found, expected = only_rows(asked_of(table, question), rows), asked_of(few, question)
    assert found.links.cell_mentions.any()
    assert found.links.relations.any()
    np.testing.assert_array_equal(found.links.cell_mentions, expected.links.cell_mentions)
    np.testing.assert_array_equal(found.links.relations, expected.links.relations)
    np.testing.assert_array_equal(found.index.ranks[:, :3], expected.index.ranks[:, :3])


def test_rows_are_marked_for_being_annotated_like_those_looked_for() -> None:
    """The first executor reads a field without a mentioned cell, the second one where the last row's is."""
    notes = Memory(torch.tensor([[[0.0], [1.0], [4.0]]]), torch.tensor([[4.0]]))
    answer = torch.tensor([[[9.0, 0.0], [0.0, 0.0], [0.0, 0.0]]])
    fields = (torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]]))
    mentioned = torch.tensor([[[False, False], [False, False], [False, True]]])
    marks = row_marks(Output(answer, fields, (notes, notes)), mentioned)
    assert marks.tolist() == [[pytest.approx([1, 0.75, 0]), pytest.approx([0, 0.25, 1])]]
