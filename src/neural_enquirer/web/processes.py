"""Processes that answer questions, so that more than one core does.

A table goes to a process once, and is forgotten there when it is gone here. Answers come back without their
tables: in their place stands a number by which both sides know the table. Where only what an answer tells is
wanted, that comes back, and not the answer.
"""

import gc
import itertools
import multiprocessing
import signal
import weakref
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, Protocol

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.enquirer import Enquirer
from neural_enquirer.tables import Table

_Pairs = Sequence[tuple[tuple[Table, ...], str]]
_PATIENCE = 1.0
"""Seconds in which a process ends by itself."""
_GARBAGE = 100_000
"""How many objects are made before Python looks for cycles: a question makes some thousands, few in any."""
_NUMBERS = itertools.count()
_TABLES: "weakref.WeakValueDictionary[int, Table]" = weakref.WeakValueDictionary()
"""The tables of this process that others know, by their numbers."""


class Asker(Protocol):
    """Who answers questions: an Enquirer, or one in a process of its own."""

    def ask_many(self, table: _Pairs, *, top: int = 5) -> list[Answer]:
        """Answers questions, each about its tables."""


Tell = Callable[[Answer, Asker], Any]
"""What is wanted of an answer, by whom more can be asked; processes get it by its name: it must have one."""


def told_by(asker: Asker, pairs: _Pairs, tells: Sequence[Tell], top: int) -> list[Any]:
    """Has questions answered, and returns what is wanted of each answer, where it is at hand."""
    if isinstance(asker, AnsweringProcess):
        return asker.tell_many(pairs, tells, top)
    return [tell(answer, asker) for tell, answer in zip(tells, asker.ask_many(pairs, top=top), strict=True)]


class AnsweringProcess:
    """An Enquirer in a process of its own; only one thread may ask it."""

    def __init__(self, model: str) -> None:
        """Starts the process, which loads a model by its name or folder; `close` ends it."""
        self._model = model
        self._begin()

    def ask_many(self, table: _Pairs, *, top: int = 5) -> list[Answer]:
        """Answers questions, each about its tables; errors are those of `tell_many`."""
        return self.tell_many(table, [completed] * len(table), top)

    def tell_many(self, pairs: _Pairs, tells: Sequence[Tell], top: int) -> list[Any]:
        """Answers questions, each about its tables, and returns what is wanted of each answer.

        Raises:
            RuntimeError: if the process ended before it had an answer, and again when it was started anew.
        """
        for is_last in (False, True):
            try:
                return self._ask(pairs, tells, top)
            except (EOFError, OSError) as error:
                self.close()
                self._begin()
                if is_last:
                    raise RuntimeError("the process that answers questions has ended") from error
        raise AssertionError

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

    def _ask(self, pairs: _Pairs, tells: Sequence[Tell], top: int) -> list[Any]:
        tables = {id(table): table for own, _ in pairs for table in own}
        new = [table for table in tables.values() if id(table) not in self._known]
        for table in new:
            self._know(table)
        numbered = [(tuple(self._known[id(table)][1] for table in own), asked) for own, asked in pairs]
        fresh = {self._known[id(table)][1]: table for table in new}
        gone = [self._gone.pop() for _ in range(len(self._gone))]
        self._connection.send((fresh, gone, numbered, tells, top))
        told: list[Any] | Exception = self._connection.recv()
        if isinstance(told, Exception):
            raise told
        return told

    def _know(self, table: Table) -> None:
        place, number, known, gone = id(table), next(_NUMBERS), self._known, self._gone
        _TABLES[number] = table

        def forget(_: object) -> None:
            known.pop(place, None)
            gone.append(number)

        known[place] = weakref.ref(table, forget), number


def completed(answer: Answer, _: Asker) -> Answer:
    """An answer whose sentences and SQL are made, so that they travel with it."""
    answer.to_json(steps=False)
    return answer


def _table(number: int) -> Table:
    return _TABLES[number]


def _answer_all(connection: Connection, model: str) -> None:
    """Answers questions until nobody asks any more: what the process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts the server ends the connection
    enquirer = Enquirer.from_pretrained(model)
    gc.freeze()  # what is loaded stays
    gc.set_threshold(_GARBAGE)
    tables: dict[int, Table] = {}

    def as_number(table: Table) -> Any:
        number = next((number for number, known in tables.items() if known is table), None)
        return table.__reduce_ex__(2) if number is None else (_table, (number,))

    ForkingPickler.register(Table, as_number)
    while True:
        try:
            fresh, gone, pairs, tells, top = connection.recv()
        except EOFError:
            return
        tables |= fresh
        for number in gone:
            tables.pop(number, None)
        told: list[Any] | Exception
        try:
            asked = [(tuple(tables[number] for number in own), question) for own, question in pairs]
            told = told_by(enquirer, asked, tells, top)
        except Exception as error:
            told = error
        connection.send(told)
