"""Questions that arrive together are answered together."""

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest
from web_server import GAMES, client_of, fake_app

from fake_predictor import FakePredictor
from neural_enquirer import Answer, Enquirer, Table
from neural_enquirer.prediction import Prediction, Tables
from neural_enquirer.web.batching import Batcher
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.wire import RequestError

TABLE = Table.of(GAMES, name="games")


class HeldPredictor(FakePredictor):
    """Begins each batch only when told to, so that questions gather."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Semaphore(0)

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        self.begun.release()
        assert self.go_on.acquire(timeout=20)
        if any("faulty" in question for _, question in questions):
            raise RuntimeError("faulty")
        return super().predict(questions)


def batcher_of(predictor: Any, limits: Limits | None = None) -> Batcher:
    return Batcher([Enquirer(predictor)], limits or Limits())


def gathered(
    predictor: HeldPredictor, batcher: Batcher, questions: Sequence[tuple[Table, str]]
) -> list["Future[Answer]"]:
    """Hands in a first question, and the others while the model is busy with it."""
    first = batcher.submit((TABLE,), "year")
    assert predictor.begun.acquire(timeout=20)
    others = [batcher.submit((table,), question) for table, question in questions]
    for _ in range(100):
        predictor.go_on.release()
    return [first, *others]


def test_those_that_wait_are_one_batch() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor, Limits(batch_questions=20))
    answers = gathered(predictor, batcher, [(TABLE, "which city")] * 20)
    assert [answer.result(20).text for answer in answers] == ["2008"] + ["Athens"] * 20
    assert predictor.batches == [1, 20]
    batcher.close()


def test_batches_are_bounded() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor, Limits(batch_questions=8, batch_cells=10 * 9))
    long = Table.of([{"city": str(i)} for i in range(85)])
    answers = gathered(predictor, batcher, [(TABLE, "city")] * 10 + [(long, "city")] + [(TABLE, "city")] * 2)
    assert [answer.result(20).text for answer in answers][-3:] == ["84", "Athens", "Athens"]
    assert predictor.batches == [1, 8, 2, 1, 2]
    batcher.close()


def test_a_fault_is_the_trouble_of_one_question() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor)
    _, *answers = gathered(predictor, batcher, [(TABLE, "city"), (TABLE, "faulty"), (TABLE, "cost")])
    assert [answers[0].result(20).text, answers[2].result(20).text] == ["Athens", "6800"]
    with pytest.raises(RuntimeError, match="faulty"):
        answers[1].result(20)
    assert batcher.submit((TABLE,), "city").result(20).text == "Athens"
    batcher.close()


def test_each_gets_as_many_candidates_as_it_wants() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor)
    first = batcher.submit((TABLE,), "year", top=3)
    assert predictor.begun.acquire(timeout=20)
    others = [batcher.submit((TABLE,), "which city", top=top) for top in (1, 2, 7)]
    for _ in range(2):
        predictor.go_on.release()
    alone = [Enquirer(FakePredictor()).ask(TABLE, "which city", top=top) for top in (1, 2, 7)]
    assert [answer.result(20).to_json() for answer in others] == [answer.to_json() for answer in alone]
    assert len(first.result(20).ranked) == 3
    batcher.close()


def test_too_many_are_told_to_come_again() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor, Limits(waiting_questions=2))
    answers = gathered(predictor, batcher, [])
    assert answers[0].result(20)
    predictor = HeldPredictor()
    batcher = batcher_of(predictor, Limits(waiting_questions=2))
    batcher.submit((TABLE,), "year")
    assert predictor.begun.acquire(timeout=20)
    waiting = [batcher.submit((TABLE,), "city") for _ in range(2)]
    with pytest.raises(RequestError, match="too many questions at once; try again in a moment") as refused:
        batcher.submit((TABLE,), "city")
    assert refused.value.status == 503
    predictor.go_on.release(2)
    assert [answer.result(20).text for answer in waiting] == ["Athens", "Athens"]
    batcher.close()


def test_those_who_left_are_not_answered() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor)
    batcher.submit((TABLE,), "year")
    assert predictor.begun.acquire(timeout=20)
    gone, there = batcher.submit((TABLE,), "city"), batcher.submit((TABLE,), "city")
    assert gone.cancel()
    predictor.go_on.release(2)
    assert there.result(20)
    assert predictor.batches == [1, 1]
    batcher.close()


def test_the_end_drops_what_waits() -> None:
    predictor = HeldPredictor()
    batcher = batcher_of(predictor)
    begun = batcher.submit((TABLE,), "year")
    assert predictor.begun.acquire(timeout=20)
    waiting = batcher.submit((TABLE,), "city")
    predictor.go_on.release(2)
    batcher.close()
    assert begun.done()
    assert waiting.done()
    with pytest.raises(RequestError):
        batcher.submit((TABLE,), "city")


def test_fewer_batches_than_requests() -> None:
    """Over HTTP: sixteen clients at once, whose questions meet while the first one is being answered."""
    predictor = HeldPredictor()
    with client_of(fake_app(predictor=predictor)) as client:
        answers: list[Any] = []

        def ask() -> None:
            answers.append(client.post("/api/ask", json={"question": "city", "table": "games"}).json())

        threads = [threading.Thread(target=ask) for _ in range(16)]
        threads[0].start()
        assert predictor.begun.acquire(timeout=20)
        for thread in threads[1:]:
            thread.start()
        waiting = client.app.state.service._short._waiting  # type: ignore[attr-defined]
        while len(waiting) < 15:
            assert threads[-1].is_alive()
        predictor.go_on.release(5)
        for thread in threads:
            thread.join()
        assert [answer["answer"] for answer in answers] == ["Athens"] * 16
        assert predictor.batches == [1, 4, 4, 4, 3]


def test_long_tables_hold_nobody_up() -> None:
    class Slow(FakePredictor):
        def __init__(self) -> None:
            super().__init__()
            self.begun, self.go_on = threading.Event(), threading.Event()

        def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
            if questions[0][0][0].row_count > 50:
                self.begun.set()
                assert self.go_on.wait(20)
            return super().predict(questions)

    predictor = Slow()
    with client_of(fake_app(Limits(batch_cells=50), predictor)) as client:
        long = {"question": "city", "records": [{"city": str(i)} for i in range(60)]}
        answers: list[Any] = []
        thread = threading.Thread(target=lambda: answers.append(client.post("/api/ask", json=long).json()))
        thread.start()
        assert predictor.begun.wait(20)
        short = client.post("/api/ask", json={"question": "city", "table": "games"}).json()
        assert (short["answer"], answers) == ("Athens", [])
        predictor.go_on.set()
        thread.join()
        assert answers[0]["answer"] == "59"
