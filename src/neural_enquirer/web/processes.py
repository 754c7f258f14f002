"""Processes that answer questions, so that more than one core does.

A table goes to a process once, and is forgotten there when it is gone here. Answers come back without their
tables: in their place stands a number by which both sides know the table.
"""

import io
import itertools
import multiprocessing
import pickle
import signal
import weakref
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, Protocol

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.tables import Table

__all__ = ["AnsweringProcess", "Asker"]

_Pairs = Sequence[tuple[tuple[Table, ...], str]]
_PATIENCE = 1.0
"""Seconds in which a process ends by itself."""


class Asker(Protocol):
    """Who answers questions: an Enquirer, or one in a process of its own."""

    def ask_many(self, table: _Pairs, *, top: int = 5) -> list[Answer]:
        """Answers questions, each about its tables."""


class AnsweringProcess:
    """An Enquirer in a process of its own; only one thread may ask it."""

    def __init__(self, model: str) -> None:
        """Starts the process, which loads a model by its name or folder; `close` ends it."""
        self._model = model
        self._numbers = itertools.count()
        self._begin()

    def ask_many(self, table: _Pairs, *, top: int = 5) -> list[Answer]:
        """Answers questions, each about its tables.

        Raises:
            RuntimeError: if the process ended before it had an answer, and again when it was started anew.
        """
        try:
            return self._ask(table, top)
        except (EOFError, OSError):
            self.close()
            self._begin()
        try:
            return self._ask(table, top)
        except (EOFError, OSError) as error:
            self.close()
            self._begin()
            raise RuntimeError("the process that answers questions has ended") from error

    def close(self) -> None:
        """Ends the process."""
        self._connection.close()
        self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._known: dict[int, tuple[weakref.ref[Table], int]] = {}
        self._gone: list[int] = []
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_answer_all, args=(theirs, self._model), daemon=True)
        self._process.start()
        theirs.close()

    def _ask(self, pairs: _Pairs, top: int) -> list[Answer]:
        tables = {id(table): table for own, _ in pairs for table in own}
        new = [table for table in tables.values() if id(table) not in self._known]
        for table in new:
            self._know(table)
        by_number = {self._known[place][1]: table for place, table in tables.items()}
        numbered = [(tuple(self._known[id(table)][1] for table in own), asked) for own, asked in pairs]
        fresh = {self._known[id(table)][1]: table for table in new}
        gone = [self._gone.pop() for _ in range(len(self._gone))]
        self._connection.send((fresh, gone, numbered, top))
        told = _Unpickler(self._connection.recv_bytes(), by_number).load()
        if isinstance(told, Exception):
            raise told
        answers: list[Answer] = told
        return answers

    def _know(self, table: Table) -> None:
        place, number, known, gone = id(table), next(self._numbers), self._known, self._gone

        def forget(_: object) -> None:
            known.pop(place, None)
            gone.append(number)

        known[place] = weakref.ref(table, forget), number


class _Pickler(pickle.Pickler):
    """Writes numbers in place of tables that the other side knows."""

    def __init__(self, file: io.BytesIO, numbers: dict[int, int]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._numbers = numbers

    def persistent_id(self, part: Any) -> int | None:
        return self._numbers.get(id(part)) if isinstance(part, Table) else None


class _Unpickler(pickle.Unpickler):
    """Reads tables where there are numbers."""

    def __init__(self, content: bytes, tables: dict[int, Table]) -> None:
        super().__init__(io.BytesIO(content))
        self._tables = tables

    def persistent_load(self, number: int) -> Table:
        return self._tables[number]


def _answer_all(connection: Connection, model: str) -> None:
    """Answers questions until nobody asks any more: what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts the server ends the connection
    enquirer = Enquirer.from_pretrained(model)
    tables: dict[int, Table] = {}
    while True:
        try:
            fresh, gone, pairs, top = connection.recv()
        except EOFError:
            return
        tables |= fresh
        for number in gone:
            tables.pop(number, None)
        told: list[Answer] | Exception
        try:
            asked = [(tuple(tables[number] for number in own), question) for own, question in pairs]
            told = enquirer.ask_many(asked, top=top)
            for answer in told:
                answer.to_json(steps=False)  # sentences and SQL are made here, and travel with the answer
        except Exception as error:
            told = error
        connection.send_bytes(_pickled(told, {id(table): number for number, table in tables.items()}))


def _pickled(told: list[Answer] | Exception, numbers: dict[int, int]) -> bytes:
    file = io.BytesIO()
    _Pickler(file, numbers).dump(told)
    return file.getvalue()
