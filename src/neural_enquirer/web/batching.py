"""Questions that arrive together are answered together, batch after batch, by one asker or by several.

While they work on batches, the next questions gather; nobody waits for a batch to fill.
"""

import dataclasses
import math
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from neural_enquirer.asking.answer import Answer
from neural_enquirer.tables import Table
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.processes import Asker, Tell, completed, told_by
from neural_enquirer.web.wire import busy

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
    tell: Tell
    answer: "Future[Any]" = field(default_factory=Future)

    @property
    def cells(self) -> int:
        """How much of the model's work it is, roughly."""
        return cells_of(self.tables)


class Batcher:
    """Asks each of its askers from one thread; any thread may hand in questions."""

    def __init__(self, askers: Sequence[Asker], limits: Limits) -> None:
        """Starts the threads; `close` ends them."""
        self._limits = limits
        self._waiting: deque[_Asked] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, args=(asker,), name="answers questions", daemon=True)
            for asker in askers
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, tables: tuple[Table, ...], question: str, top: int = 5, tell: Tell = completed
    ) -> "Future[Any]":
        """Hands in a question.

        Args:
            tables: what it is about.
            question: in plain words.
            top: how many candidates are listed.
            tell: makes of the answer what is wanted of it.

        Raises:
            RequestError: where too many wait already, or the server is about to end.
        """
        asked = _Asked(tables, question, top, tell)
        with self._changed:
            if self._closed or len(self._waiting) >= self._limits.waiting_questions:
                raise busy("questions")
            self._waiting.append(asked)
            self._changed.notify()
        return asked.answer

    def close(self) -> None:
        """Ends the threads after their batches, unless these take long; waiting questions are dropped."""
        with self._changed:
            self._closed = True
            for asked in self._waiting:
                asked.answer.cancel()
            self._waiting.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(_PATIENCE)

    def _work(self, asker: Asker) -> None:
        while batch := self._next_batch():
            self._answer([asked for asked in batch if asked.answer.set_running_or_notify_cancel()], asker)

    def _next_batch(self) -> list[_Asked]:
        """The questions that wait, as many as go together; none when it is time to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            batch: list[_Asked] = []
            cells = 0
            share = math.ceil(len(self._waiting) / len(self._threads))
            while self._waiting and len(batch) < min(share, self._limits.batch_questions):
                cells += self._waiting[0].cells
                if batch and cells > self._limits.batch_cells:
                    break
                batch.append(self._waiting.popleft())
            return batch

    def _answer(self, batch: Sequence[_Asked], asker: Asker) -> None:
        if not batch:
            return
        try:
            pairs = [(asked.tables, asked.question) for asked in batch]
            tells = [partial(_cut, top=asked.top, tell=asked.tell) for asked in batch]
            told = told_by(asker, pairs, tells, max(asked.top for asked in batch))
        except Exception as error:
            if len(batch) == 1:
                batch[0].answer.set_exception(error)
                return
            for asked in batch:  # one of them is at fault; the others get their answers
                self._answer([asked], asker)
            return
        for asked, own in zip(batch, told, strict=True):
            asked.answer.set_result(own)


def _cut(answer: Answer, asker: Asker, top: int, tell: Tell) -> Any:
    """What an answer with so many candidates tells."""
    is_long = len(answer.ranked) > top
    return tell(dataclasses.replace(answer, ranked=answer.ranked[:top]) if is_long else answer, asker)
