"""Rows to read: of very long tables the cascade reads what matters for the question."""

import numpy as np
import pytest

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.prediction import rows_to_read as reading
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.prediction.rows_to_read import rows_to_read
from neural_enquirer.tables import Table
from watched_models import VOCABULARY, lands, long_table, open_model


def asked_of(table: Table, question: str) -> OpenQuestion:
    return prepare_all([((table,), question)], VOCABULARY)[0]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(reading, "MOST_READ", 200)
    monkeypatch.setattr(reading, "_AT_EACH_END", 2)
    return 200


def test_short_tables_and_several_are_read_whole(few: int) -> None:
    assert rows_to_read(asked_of(long_table(few), "which town")) is None
    several = prepare_all([((long_table(few + 1), lands()), "which town")], VOCABULARY)[0]
    assert rows_to_read(several) is None


def test_mentioned_rows_and_the_ends_of_each_field_are_read(few: int) -> None:
    table = long_table(3000)
    rows = rows_to_read(asked_of(table, "how many people are in town 1777"))
    assert rows is not None
    assert len(rows) == few
    assert rows.tolist() == sorted(set(rows.tolist()))
    people = np.array(table.columns[2], np.float64)
    assert {1777, int(people.argmin()), int(people.argmax()), 0, 2999} <= set(rows.tolist())


def test_the_ends_among_rows_that_fulfil_conditions_are_read(few: int) -> None:
    table = long_table(3000)
    people = np.array(table.columns[2], np.float64)
    limit = int(np.sort(people)[1500])
    rows = rows_to_read(asked_of(table, f"which town has the most people of less than {limit} in land 3"))
    assert rows is not None
    in_land = np.array([land == table.columns[1][3] for land in table.columns[1]])
    for condition in (in_land, people < limit, in_land & (people < limit)):
        assert int(np.where(condition, people, -np.inf).argmax()) in rows


def test_rows_that_were_not_read_have_no_part_in_the_answer(few: int) -> None:
    predictor = OpenPredictor(Checkpoint(open_model(), VOCABULARY, "natural").light(), "random")
    table, question = long_table(700), "the most people in land 2"
    (found,) = predictor.predict([((table,), question)])
    read = rows_to_read(asked_of(table, question))
    assert read is not None
    (own,) = found.tables
    assert own.probabilities.shape == (700, len(table.fields))
    assert own.row_marks.shape[1] == 700
    others = np.setdiff1d(np.arange(700), read)
    assert not own.probabilities[others].any()
    assert not own.row_marks[:, others].any()
    assert own.probabilities.sum() + found.none_probability == pytest.approx(1, abs=1e-5)
