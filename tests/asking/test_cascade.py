import numpy as np
import pytest

from neural_enquirer.asking.cascade import Step, Trace, answer_fields, left_out, most_marked, steps_of

FIELDS = ("year", "city", "cost")


def trace(weights: list[list[float]], marks: list[list[float]]) -> Trace:
    return Trace(FIELDS, np.array(weights, np.float32), np.array(marks, np.float32))


def first(weights: list[float], marks: list[float]) -> Step:
    return steps_of(trace([weights], [marks]))[0]


class TestRead:
    def test_one_field(self) -> None:
        assert [field for field, _ in first([0.05, 0.9, 0.05], [0, 1]).read] == [1]

    def test_two_fields_most_first(self) -> None:
        assert [field for field, _ in first([0.3, 0.1, 0.6], [0, 1]).read] == [2, 0]

    def test_spread_over_many_names_the_first(self) -> None:
        wide = Trace(tuple("abcdefgh"), np.full((1, 8), 0.125, np.float32), np.zeros((1, 2), np.float32))
        assert [field for field, _ in steps_of(wide)[0].read] == [0]


class TestRows:
    def test_marked(self) -> None:
        step = first([1, 0, 0], [0.9, 0.1, 0.6])
        assert (step.marked, step.leaning) == ((0, 2), ())

    def test_leaning(self) -> None:
        step = first([1, 0, 0], [0.1, 0.4, 0.0, 0.2])
        assert (step.marked, step.leaning) == ((), (1, 3, 0))

    def test_all_alike(self) -> None:
        step = first([1, 0, 0], [0.2, 0.25, 0.2])
        assert (step.marked, step.leaning) == ((), ())

    def test_most_marked_come_in_the_order_of_the_table(self) -> None:
        told = trace([[1, 0, 0]], [[0.6, 0.9, 0.1, 0.8, 0.7]])
        assert most_marked(told, steps_of(told)[0], 2) == [1, 3]
        assert most_marked(told, steps_of(told)[0], 9) == [0, 1, 3, 4]

    def test_left_out(self) -> None:
        told = trace([[1, 0, 0]], [[1, 1, 0.2, 1, 1]])
        assert left_out(told, steps_of(told)[0], 3) == [2]
        assert left_out(told, steps_of(told)[0], 4) == []
        everything = trace([[1, 0, 0]], [[1, 1, 1, 1]])
        assert left_out(everything, steps_of(everything)[0], 3) == []


class TestAnswerFields:
    @pytest.mark.parametrize(
        ("weights", "expected"), [([0.05, 0.9, 0.05], [1]), ([0.3, 0.1, 0.6], [2, 0]), ([0.0, 0.0, 1.0], [2])]
    )
    def test_the_second_only_if_it_came_close(self, weights: list[float], expected: list[int]) -> None:
        told = Trace(
            FIELDS, np.ones((1, 3), np.float32), np.ones((1, 2), np.float32), np.array(weights, np.float32)
        )
        assert [field for field, _ in answer_fields(told)] == expected

    def test_unknown(self) -> None:
        assert answer_fields(trace([[1, 0, 0]], [[0, 1]])) == ()


class TestRepeats:
    def test_same_fields_and_rows(self) -> None:
        told = trace([[1, 0, 0], [0.95, 0.05, 0], [0, 1, 0]], [[0, 1], [0.05, 1], [0.05, 1]])
        assert [step.repeats for step in steps_of(told)] == [False, True, False]

    def test_other_rows(self) -> None:
        told = trace([[1, 0, 0], [1, 0, 0]], [[0, 1], [1, 1]])
        assert [step.repeats for step in steps_of(told)] == [False, False]
