"""The figures of a score, from answers whose rightness is plain to see."""

from collections.abc import Sequence

import pytest

from neural_enquirer.evaluation import Answered, Response, Score
from neural_enquirer.evaluation.breakdown import Share, breakdown, header_naming
from neural_enquirer.evaluation.scoring import calibration_error
from neural_enquirer.real_questions import Condition, RealExample, SqlQuery
from neural_enquirer.real_questions.denotation import same_rows
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.tables import Table

TABLE = Table.of([{"city": "Oslo", "people (total)": 5}, {"city": "Rome", "people (total)": 7}])


def answered(
    given: str | None,
    right: str | None = "Rome",
    confidence: float = 0.5,
    kind: str = "lookup",
    others: Sequence[str] = (),
    real: RealExample | None = None,
) -> Answered:
    texts = [() if text in (None, "") else (text,) for text in (given, *others)]
    accepted = () if right is None else ((right,),)
    question = AskedQuestion("q", (TABLE,), "which city", kind, accepted, same_rows, real)
    return Answered(question, Response(texts[0], confidence, tuple(texts) if others else ()))


def example(
    question: str = "which city",
    *,
    cells: tuple[tuple[int, int], ...] | None = ((1, 0),),
    aggregation: str | None = "none",
    conditions: int = 1,
    table: Table = TABLE,
) -> RealExample:
    where = tuple(Condition(0, "=", "x") for _ in range(conditions))
    query = None if aggregation is None else SqlQuery(0, aggregation, where)
    return RealExample("q", table, question, ("Rome",), cells, cells is not None, query)


def test_right_answers_and_right_refusals_by_kind() -> None:
    found = Score.of(
        [
            answered("rome"),
            answered("Oslo"),
            answered(None),
            answered(None, None, kind="unanswerable"),
            answered("Rome", None, kind="unanswerable"),
        ]
    )
    assert (found.overall, found.examples, found.refused) == (pytest.approx(2 / 5), 5, pytest.approx(2 / 5))
    assert found.by_type == {"lookup": pytest.approx(1 / 3), "unanswerable": 0.5}
    assert found.examples_by_type == {"lookup": 3, "unanswerable": 2}


def test_how_far_confidence_can_be_trusted() -> None:
    found = Score.of(
        [
            answered("Rome", confidence=0.9),
            answered("Oslo", confidence=0.94),
            answered("Oslo", confidence=0.8),
            answered("Oslo", confidence=0.79),
            answered(None, confidence=1.0),  # nobody is misled by a refusal
        ]
    )
    assert (found.sure, found.right_when_sure) == (pytest.approx(2 / 5), 0.5)
    assert found.wrong_and_sure == pytest.approx(2 / 5)
    apart = abs(0.9 + 0.94 - 1) + 0.8 + 0.79  # the bins of 0.9, 0.8 and 0.7; the refusal is in none
    assert found.calibration_error == pytest.approx(apart / 4)


def test_the_right_answer_may_be_among_the_candidates() -> None:
    found = Score.of(
        [
            answered("Oslo", others=["Rome"]),
            answered("Oslo", others=[""]),
            answered("Rome", None, others=[""]),
        ]
    )
    assert found.in_candidates == pytest.approx(2 / 3)
    assert "in_candidates" not in Score.of([answered("Rome")]).to_json()


def test_questions_that_one_cell_answers() -> None:
    found = Score.of(
        [
            answered("Rome", real=example()),
            answered("Oslo", real=example()),
            answered("Rome", real=example(aggregation="max")),
            answered("Rome", real=example(cells=None)),
        ]
    )
    assert (found.one_cell, found.one_cell_no_aggregation) == (pytest.approx(2 / 3), 0.5)
    without = Score.of([answered("Rome", real=example(aggregation=None))]).to_json()
    assert without["one_cell"] == 1
    assert "one_cell_no_aggregation" not in without
    assert "one_cell" not in Score.of([answered("Rome")]).to_json()


def test_no_questions() -> None:
    found = Score.of([]).to_json()
    assert (found["overall"], found["examples"], found["refused"]) == (0, 0, 0)
    assert "right_when_sure" not in found


def test_calibration_is_by_bins() -> None:
    assert calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == pytest.approx(0)
    assert calibration_error([(0.70, True), (0.79, False)]) == pytest.approx(0.245)
    assert calibration_error([(1.0, True), (0.95, False)]) == pytest.approx(0.475)  # 1 has no bin of its own
    assert calibration_error([]) is None


class TestBreakdown:
    def test_shares_by_conditions_header_and_size(self) -> None:
        found = breakdown(
            [
                answered("Rome", real=example(conditions=0)),
                answered("Oslo", real=example("which town, city or not", conditions=5)),
                answered("Rome", real=example("which town", conditions=4)),
            ]
        )
        assert found["conditions"] == {"0": Share(1, 1), "4+": Share(0.5, 2)}
        assert found["header"] == {"named": Share(0.5, 2), "not named": Share(1, 1)}
        assert found["table"] == {"1-50 cells": Share(pytest.approx(2 / 3), 3)}

    def test_groups_stand_in_the_order_of_their_numbers(self) -> None:
        tables = [Table.of([{"city": "Rome"}] * count) for count in (500, 60, 10, 150)]
        found = breakdown([answered("Rome", real=example(table=table)) for table in tables])
        assert list(found["table"]) == ["1-50 cells", "51-100 cells", "101-200 cells", "401+ cells"]

    def test_the_answers_field_may_be_known_by_its_cells_alone(self) -> None:
        assert header_naming(example("the total", cells=((1, 1),), aggregation=None)) == "named"
        assert header_naming(example("the total", cells=None, aggregation=None)) is None
