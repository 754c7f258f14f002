"""Which questions the benchmark of corrections corrects, and which it asks afterwards."""

from collections.abc import Sequence

from benchmarks.learning import CORRECTED, lesson_of
from neural_enquirer.real_questions.sets import AskedQuestion
from neural_enquirer.tables import Table

TABLE = Table.of([{"city": "Oslo"}])


def same(wanted: Sequence[str], given: Sequence[str]) -> bool:
    return list(wanted) == list(given)


def asked(number: int, wording: int, *, answerable: bool = True) -> AskedQuestion:
    accepted = (("Oslo",),) if answerable else ()
    return AskedQuestion(f"q-{number}-{wording}", (TABLE,), "city?", "lookup", accepted, same)


QUESTIONS = [asked(number, wording) for number in range(CORRECTED + 1) for wording in range(3)]


def test_one_wording_of_each_is_corrected() -> None:
    wrong = {f"q-{number}-1" for number in range(CORRECTED)}
    lesson = lesson_of(QUESTIONS, wrong)
    assert lesson is not None
    assert {one.id for one in lesson.corrected} == wrong
    assert len(lesson.reworded) == 2 * CORRECTED
    assert [one.id for one in lesson.others] == [f"q-{CORRECTED}-{wording}" for wording in range(3)]


def test_a_table_that_is_asked_too_well_is_left_out() -> None:
    assert lesson_of(QUESTIONS, {"q-0-1", "q-0-2", "q-1-0"}) is None


def test_what_nothing_answers_is_not_corrected() -> None:
    refused = [asked(number, 0, answerable=False) for number in range(CORRECTED)]
    assert lesson_of(refused, {one.id for one in refused}) is None
