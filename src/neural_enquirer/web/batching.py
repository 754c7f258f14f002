"""Questions that arrive together are answered together: one thread asks the model, batch after batch.

While it works on a batch, the next questions gather; nobody waits for a batch to fill.
"""

import dataclasses
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.tables import Table
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import busy

# Seconds that the end of the server waits for an answer.
_PATIENCE = 3


def cells_of(tables: tuple[Table, ...]) -> int:
    """How many cells tables have together."""
    return sum(table.rows_there * len(table.fields) for table in tables)


@dataclass(frozen=True)
class _Asked:
    """A question that waits, and where its answer goes."""

    tables: tuple[Table, ...]
    question: str
    top: int
    answer: "Future[Answer]" = field(default_factory=Future)

    @property
    def cells(self) -> int:
        """How much of the model's work it is, roughly."""
        return cells_of(self.tables)


class Batcher:
    """Asks an Enquirer from one thread; any thread may hand in questions."""

    def __init__(self, enquirer: Enquirer, limits: Limits) -> None:
        """Starts the thread; `close` ends it."""
        self._enquirer = enquirer
        self._limits = limits
        self._waiting: deque[_Asked] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name="answers questions", daemon=True)
        self._thread.start()

    def submit(self, tables: tuple[Table, ...], question: str, top: int = 5) -> "Future[Answer]":
        """Hands in a question.

        Raises:
            RequestError: where too many wait already, or the server is about to end.
        """
        asked = _Asked(tables, question, top)
        with self._changed:
            if self._closed or len(self._waiting) >= self._limits.waiting_questions:
                raise busy("questions")
            self._waiting.append(asked)
            self._changed.notify()
        return asked.answer

    def close(self) -> None:
        """Ends the thread after the batch at hand, unless that takes long; waiting questions are dropped."""
        with self._changed:
            self._closed = True
            for asked in self._waiting:
                asked.answer.cancel()
            self._waiting.clear()
            self._changed.notify()
        self._thread.join(_PATIENCE)

    def _work(self) -> None:
        while batch := self._next_batch():
            self._answer([asked for asked in batch if asked.answer.set_running_or_notify_cancel()])

    def _next_batch(self) -> list[_Asked]:
        """The questions that wait, as many as go together; none when it is time to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            batch: list[_Asked] = []
            cells = 0
            while self._waiting and len(batch) < self._limits.batch_questions:
                cells += self._waiting[0].cells
                if batch and cells > self._limits.batch_cells:
                    break
                batch.append(self._waiting.popleft())
            return batch

    def _answer(self, batch: Sequence[_Asked]) -> None:
        if not batch:
            return
        try:
            pairs = [(asked.tables, asked.question) for asked in batch]
            answers = self._enquirer.ask_many(pairs, top=max(asked.top for asked in batch))
        except Exception as error:
            if len(batch) == 1:
                batch[0].answer.set_exception(error)
                return
            for asked in batch:  # one of them is at fault; the others get their answers
                self._answer([asked])
            return
        for asked, answer in zip(batch, answers, strict=True):
            asked.answer.set_result(dataclasses.replace(answer, ranked=answer.ranked[: asked.top]))
