import json
from pathlib import Path

import pytest

from neural_enquirer.real_questions import RealDataError
from neural_enquirer.real_questions.everyday import (
    EverydayQuestion,
    Given,
    Share,
    is_right,
    read_given,
    same,
    score,
)
from neural_enquirer.real_questions.everyday.scoring import calibration_error


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rome", " ROME. "),
        ("Rome", '"rome"'),
        ("“Rome”", "Rome"),
        ("New  York", "new york"),
        ("straße", "STRASSE"),
        ("yes", "True"),
        ("N", "false"),
        ("1234", "1,234"),
        ("1,234.0", "1234"),
        ("$5", "5 $"),
        ("5", "5 %"),
        ("5", "5 km"),
        ("-5", "-$5"),
        ("- 5", "-5"),
        ("-0.5", "-.5"),
        ("1e3", "1000"),
        ("3.1416", "3.1415"),
        ("12000", "12011"),
        ("0", "0.0"),
        ("1999-01-05", "January 5, 1999"),
        ("1999-01-05", "5 jan 1999"),
        ("1999-01-05", "01/05/1999"),
        ("1999-01-05", "1/5/99"),
        ("1999-01-05", "5.1.1999"),
        ("1999-01-05", "1999-01-05T00:00:00"),
        ("1999-01-05 10:30:00", "1999/01/05"),
        ("2:05:03", "02:05:03"),
        ("2:05:03.00", "2:05:03"),
    ],
)
def test_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rome", "Roma"),
        ("José", "Jose"),
        ("yes", "no"),
        ("yes", "1"),
        ("2005", "2006"),  # a year one off
        ("9999", "9998"),
        ("12000", "12013"),
        ("3.14", "3.15"),
        ("5", "-5"),
        ("5", "5 very long unit names"),
        ("5", "five"),
        ("5", "1e400"),
        ("1999-01-05", "1999-05-01"),
        ("2:05:03", "2:05:04"),
        ("2:05", "2:05:00"),
        ("", "0"),
    ],
)
def test_not_the_same(one: str, other: str) -> None:
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    ("given", "accepted", "right"),
    [
        (("Rome",), (("Rome",),), True),
        (("Roma",), (("Rome",), ("Roma",)), True),
        (("Oslo",), (("Rome",), ("Roma",)), False),
        ((), (("Rome",),), False),
        (("b", "A"), (("a", "b"),), True),
        (("a", "a"), (("a", "b"),), False),
        (("a", "b", "b"), (("a", "b"),), False),
        (("a",), (("a", "a"),), False),
        ((), (), True),
        (("Rome",), (), False),
    ],
)
def test_right_answers(given: tuple[str, ...], accepted: tuple[tuple[str, ...], ...], right: bool) -> None:
    assert is_right(given, accepted) is right


def question(number: int, kind: str, *answers: str) -> EverydayQuestion:
    accepted = tuple((answer,) for answer in answers)
    return EverydayQuestion(f"q{number}", "?", kind, None, (f"{kind}.csv",), accepted, None)


QUESTIONS = [
    question(0, "lookup", "Rome"),
    question(1, "lookup", "Oslo", "Christiania"),
    question(2, "count", "3"),
    question(3, "count", "4"),
    question(4, "unanswerable"),
    question(5, "unanswerable"),
]
GIVEN = {
    "q0": Given(("rome",), 0.9),
    "q1": Given(("Bergen",), 0.8),
    "q2": Given((), 0.95),
    "q4": Given((), 0.1),
    "q5": Given(("Rome",), 0.3),
}


def test_score() -> None:
    found = score(QUESTIONS, GIVEN)
    assert found.overall == Share(questions=6, right=2, refused=3, wrong=2)
    assert found.overall.accuracy == 2 / 6
    assert found.answerable == Share(questions=4, right=1, refused=2, wrong=1)
    assert found.unanswerable == Share(questions=2, right=1, refused=1, wrong=1)
    assert (found.missing, found.wrong_and_sure) == (1, 1)
    assert found.by_kind["lookup"] == found.by_table["lookup.csv"] == Share(2, 1, 0, 1)
    assert found.by_kind["count"] == Share(2, 0, 2, 0)
    # Three answers in bins of their own: 0.9 and right, 0.8 and wrong, 0.3 and wrong.
    assert found.calibration_error == pytest.approx((0.1 + 0.8 + 0.3) / 3)


def test_calibration_is_by_bins() -> None:
    assert calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == pytest.approx(0)
    assert calibration_error([(0.70, True), (0.79, False)]) == pytest.approx(0.245)
    assert calibration_error([(1.0, True), (0.95, False)]) == pytest.approx(0.475)  # 1 has no bin of its own
    assert calibration_error([]) is None


@pytest.mark.parametrize("as_list", [False, True])
def test_results_of_a_file(tmp_path: Path, as_list: bool) -> None:
    records = [
        {"id": "a", "answers": ["x", 2], "confidence": 0.5},
        {"id": "b", "answers": [], "confidence": None},
        {"id": "c", "answers": "x"},
    ]
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(records) if as_list else "\n".join(map(json.dumps, records)) + "\n")
    assert read_given(path) == {"a": Given(("x", "2"), 0.5), "b": Given(), "c": Given(("x",))}


@pytest.mark.parametrize("content", ["{", '{"answers": []}', "3", '{"id": "a", "confidence": "high"}'])
def test_damaged_results(tmp_path: Path, content: str) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(content)
    with pytest.raises(RealDataError, match="no JSON with an id"):
        read_given(path)
