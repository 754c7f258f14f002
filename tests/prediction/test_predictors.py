"""Predictors: how sure they are, and long tables, looked at in chunks and again, alone or beside others."""

import gc
import weakref

import numpy as np
import numpy.typing as npt
import pytest
import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer
from neural_enquirer.prediction import Prediction, Tables, predictors
from neural_enquirer.prediction.closed import ClosedPredictor
from neural_enquirer.prediction.closer_look import ROWS_AT_LAST, likeliest_rows, only_rows, worth_a_look
from neural_enquirer.prediction.outputs import row_marks
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.runtime import cells as cells_of_tables
from neural_enquirer.runtime.cascade import TableOutput
from neural_enquirer.tables import Table, TableError
from watched_models import (
    QUESTION,
    TEMPERATURE,
    VOCABULARY,
    balanced,
    candidates,
    chances,
    lands,
    long_table,
    open_model,
    watched,
)


@pytest.fixture(scope="module")
def predictor() -> OpenPredictor:
    return OpenPredictor(Checkpoint(open_model(), VOCABULARY, "natural").light(), "random")


def assert_same(found: Prediction, expected: Prediction) -> None:
    assert found.best == expected.best
    assert [link.fields for link in found.links] == [link.fields for link in expected.links]
    for one, other in zip(found.tables, expected.tables, strict=True):
        np.testing.assert_allclose(one.probabilities, other.probabilities, atol=1e-6)
        np.testing.assert_allclose(one.row_marks, other.row_marks, atol=1e-4)


def cells(found: Prediction) -> npt.NDArray[np.float32]:
    """The probabilities of all cells of rows that were kept to the end."""
    return np.concatenate([own.probabilities[own.probabilities.any(axis=1)].ravel() for own in found.tables])


def test_tables_of_all_lengths_and_numbers_are_answered_together_as_alone(predictor: OpenPredictor) -> None:
    asked: list[tuple[Tables, str]] = [((long_table(rows),), QUESTION) for rows in (3, 24, 25, 90, 700)]
    asked += [((long_table(rows), lands(few)), QUESTION) for rows, few in ((5, 7), (9, 3), (60, 7))]
    asked = [asked[i] for i in (5, 0, 6, 1, 2, 7, 3, 4)]
    for question, found in zip(asked, predictor.predict(asked), strict=True):
        total = sum(own.probabilities.sum() for own in found.tables) + found.none_probability
        assert total == pytest.approx(1, abs=1e-5)
        assert_same(found, predictor.predict([question])[0])


def test_chunks_change_nothing(predictor: OpenPredictor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [((long_table(600),), "the most people in land 2")]
    whole = predictor.predict(asked)[0]
    monkeypatch.setattr(cells_of_tables, "CELLS_AT_ONCE", 100)
    assert_same(predictor.predict(asked)[0], whole)


def test_keeps_no_table_that_nobody_else_keeps(predictor: OpenPredictor) -> None:
    kept, dropped = long_table(5), long_table(6)
    predictor.predict([((kept,), "which city"), ((dropped,), "which city"), ((kept, dropped), "which city")])
    gone = weakref.ref(dropped)
    del dropped
    gc.collect()
    assert gone() is None
    assert list(predictor._indexes.kept) == [(id(kept),)]
    for rows in range(3, 60):
        predictor.predict([((long_table(rows),), "which city")])
    gc.collect()
    assert len(predictor._indexes.kept) <= 1


TABLES = pytest.mark.parametrize("further", [(), (lands(),)], ids=["one table", "two tables"])


@TABLES
def test_scores_are_divided_by_the_temperature(further: Tables) -> None:
    trained, outputs = watched(open_model())
    (found,) = OpenPredictor(trained, "random").predict([((long_table(6), *further), QUESTION)])
    expected = chances(candidates(outputs[0]))
    np.testing.assert_allclose([*cells(found), found.none_probability], expected, rtol=1e-5)


@TABLES
@pytest.mark.parametrize(("rows", "looks"), [(40, 2), (150, 3)])
def test_a_closer_look_shares_out_the_chance_of_an_answer(further: Tables, rows: int, looks: int) -> None:
    """Scores are divided by the temperature once, however many looks there are."""
    found, outputs = balanced((long_table(rows), *further), more=-0.01)
    assert len(outputs) == looks
    none = chances(candidates(outputs[0]))[-1]
    assert found.none_probability == pytest.approx(float(none))
    assert found.tables[0].probabilities.any(axis=1).sum() == ROWS_AT_LAST
    scores = np.concatenate([own.answer_scores.ravel() for own in outputs[-1].tables])
    np.testing.assert_allclose(cells(found), chances(scores) * (1 - none), rtol=1e-5)


@TABLES
def test_scores_of_a_closed_vocabulary_are_divided_by_the_temperature(
    further: Tables,
) -> None:
    torch.manual_seed(0)
    config = ModelConfig(executors=3, embedding_size=4, state_size=4, tables=1 + len(further))
    vectors = torch.randn(len(VOCABULARY) - 1, 4)
    model, outputs = NeuralEnquirer(config, vectors, torch.zeros(0, 4)).eval(), []
    model.register_forward_hook(lambda _model, _inputs, output: outputs.append(output))
    trained = Checkpoint(model, VOCABULARY, "natural", temperature=TEMPERATURE)
    (found,) = ClosedPredictor(trained, "random").predict([((long_table(5), *further), QUESTION)])
    assert found.none_probability == 0
    np.testing.assert_allclose(cells(found), chances(outputs[0].candidates().numpy()), rtol=1e-5)


def test_rows_that_are_linked_to_likely_ones_are_looked_at_again() -> None:
    one, other = (Table.of([{"key": f"k{i}", name: i} for i in range(60)]) for name in ("size", "age"))
    (question,) = prepare_all([((one, other), "the age")], VOCABULARY)
    likely = [np.zeros((60, 2), np.float32), np.zeros((60, 2), np.float32)]
    likely[0][50, 1] = 1
    chosen, linked = worth_a_look(question, likely)
    assert 50 in chosen
    assert 50 in linked
    assert len(chosen) == len(linked) == ROWS_AT_LAST


def asked_of(table: Table, question: str) -> OpenQuestion:
    return prepare_all([((table,), question)], VOCABULARY)[0]


def test_a_closer_look_keeps_the_likeliest_rows_and_those_mentioned() -> None:
    likely = np.linspace(1, 0, 90, dtype=np.float32)
    likely[60] = 2
    (town,) = asked_of(long_table(90), "how many people are in town 77").tables
    assert likeliest_rows(town, likely, 12).tolist() == [*range(10), 60, 77]
    (land,) = asked_of(long_table(90), "the most people in land 6").tables
    many = likeliest_rows(land, likely, 12).tolist()
    assert many == [0, 1, 2, 3, 4, 6, 13, 20, 27, 34, 41, 60]  # of twelve in land 6, the six likeliest


def test_a_closer_look_asks_the_same_question_of_fewer_rows() -> None:
    """What is left is what the question would be on a table of these rows alone."""
    table, rows = long_table(40), np.array([2, 3, 17, 31])
    few = Table(table.fields, tuple(tuple(column[i] for i in rows) for column in table.columns))
    question = f"which town has more than {table.columns[2][17]} people in land 3"
    (found,), (expected,) = (
        only_rows(asked_of(table, question), [rows]).tables,
        asked_of(few, question).tables,
    )
    assert found.links.cell_mentions.any()
    assert found.links.relations.any()
    np.testing.assert_array_equal(found.links.cell_mentions, expected.links.cell_mentions)
    np.testing.assert_array_equal(found.links.relations, expected.links.relations)
    np.testing.assert_array_equal(found.index.ranks[:, :3], expected.index.ranks[:, :3])


def test_rows_are_marked_for_being_annotated_like_those_looked_for() -> None:
    """The first executor reads a field without a mentioned cell, the second one where the last row's is."""
    notes = np.array([[0.0], [1.0], [4.0]], np.float32)
    answer = np.array([[9.0, 0.0], [0.0, 0.0], [0.0, 0.0]], np.float32)
    fields = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    mentioned = np.array([[False, False], [False, False], [False, True]])
    marks = row_marks(TableOutput(answer, fields, (notes, notes)), mentioned, np.array([1.0, 0.0, 0.0]))
    assert marks.tolist() == [pytest.approx([1, 0.75, 0]), pytest.approx([0, 0.25, 1])]


def test_too_many_pairs_of_rows_are_not_compared(
    predictor: OpenPredictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = (long_table(10), lands())
    rows = [table.row_count for table in tables]
    monkeypatch.setattr(predictors, "MOST_PAIRS", rows[0] * rows[1])
    assert predictor.judge([(tables, QUESTION)])
    monkeypatch.setattr(predictors, "MOST_PAIRS", rows[0] * rows[1] - 1)
    with pytest.raises(TableError, match=rf"{max(rows)} rows of .* are too many to compare"):
        predictor.judge([(tables, QUESTION)])


def test_indexes_are_kept_up_to_a_number_of_tables_and_of_cells(
    predictor: OpenPredictor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictors, "_INDEXES_KEPT", 3)
    monkeypatch.setattr(predictors, "_CELLS_KEPT", 300)
    tables = [long_table(rows) for rows in (5, 6, 7, 8, 50, 9)]  # of three fields, and the order of rows
    kept = []
    for table in tables:
        predictor.predict([((table,), "which city")])
        kept.append([key for key in predictor._indexes.kept if key in {(id(one),) for one in tables}])
    assert kept[3] == [(id(table),) for table in tables[1:4]]
    assert kept[4] == [(id(table),) for table in tables[2:5]]
    predictor.predict([((long_table(60),), "which city")])
    assert (id(tables[4]),) not in predictor._indexes.kept
