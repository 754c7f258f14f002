"""The tables that can be asked: those the server was started with, and uploads while there is room."""

import functools
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from neural_enquirer.engines.choosing import engine_of
from neural_enquirer.engines.memory_view import MemoryView
from neural_enquirer.engines.wanted import View
from neural_enquirer.tables import Table
from neural_enquirer.tables.profile import TableProfile
from neural_enquirer.web.example_questions import Example, examples
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.wire import RequestError

# What a cell takes on the whole: its value, its spelling, two references to them, and what is looked for.
_BYTES_OF_A_CELL = 170
_MANY_CELLS = 50_000


@dataclass(frozen=True, eq=False)
class KnownTable:
    """A table and the name under which it is asked.

    What people are told of it is found out when it is first asked for.
    """

    id: str
    name: str
    table: Table
    is_uploaded: bool = False
    is_example: bool = False

    @property
    def bytes(self) -> int:
        """Roughly the memory it takes."""
        texts = self.table.texts or ()
        letters = sum(len(text) for column in texts for text in column)
        return self.table.row_count * len(self.table.fields) * _BYTES_OF_A_CELL + 3 * letters

    @property
    def file_name(self) -> str:
        """What a file of it is called, without a suffix, in letters that every system knows."""
        stem = re.sub(r"\.[A-Za-z0-9]+$", "", self.name)
        return re.sub(r"[^A-Za-z0-9_-]+", "_", stem).strip("_") or "table"

    @functools.cached_property
    def profile(self) -> TableProfile:
        """What is known of its fields."""
        return engine_of(self.table).profile(self.table)

    @functools.cached_property
    def examples(self) -> list[Example]:
        """Questions to try."""
        return examples(self.table)

    def prepare(self) -> None:
        """Finds out now what takes time, where the table is long enough for that to be noticed."""
        if self.table.row_count * len(self.table.fields) >= _MANY_CELLS:
            assert self.profile
            assert self.examples is not None
            if isinstance(self.view, MemoryView):
                self.view.prepare()

    @functools.cached_property
    def view(self) -> View:
        """Its rows, to be searched and put in order."""
        if not self.table.is_elsewhere:
            return MemoryView(self.table)
        from neural_enquirer.engines.known import EngineTable
        from neural_enquirer.engines.sql_view import SqlView

        assert isinstance(self.table, EngineTable)
        return SqlView(self.table)


@dataclass
class _Upload:
    """A table that somebody sent."""

    known: KnownTable
    session: str
    bytes: int
    used: float


class TableStore:
    """Finds tables by their ids. An upload is there for the session that sent it, and for nobody else."""

    def __init__(
        self,
        limits: Limits,
        preloaded: Iterable[tuple[str, Table]] = (),
        clock: Callable[[], float] = time.monotonic,
        examples: Iterable[tuple[str, Table]] = (),
    ) -> None:
        """Takes the tables that are there for everybody, each with its name, and what tells the seconds."""
        self._limits, self._clock = limits, clock
        self._preloaded: dict[str, KnownTable] = {}
        for is_example, tables in ((False, preloaded), (True, examples)):
            for name, table in tables:
                known = KnownTable(_readable_id(name, self._preloaded), name, table, is_example=is_example)
                self._preloaded[known.id] = known
        self._uploads: OrderedDict[str, _Upload] = OrderedDict()  # the one used last comes last
        self._lock = threading.Lock()

    @property
    def preloaded(self) -> list[KnownTable]:
        """The tables that everybody may see."""
        return list(self._preloaded.values())

    def add(self, name: str, table: Table, session: str) -> KnownTable:
        """Keeps an upload; others are forgotten if need be, those not used for the longest time first."""
        known = KnownTable(secrets.token_urlsafe(16), name, table, is_uploaded=True)
        upload = _Upload(known, session, known.bytes, self._clock())
        with self._lock:
            self._forget_old()
            self._uploads[known.id] = upload
            self._make_room(session)
        return known

    def get(self, id_: str, session: str) -> KnownTable:
        """Finds a table.

        Raises:
            RequestError: where there is none, or no longer.
        """
        if id_ in self._preloaded:
            return self._preloaded[id_]
        with self._lock:
            upload = self._own(id_, session)
            upload.used = self._clock()
            self._uploads.move_to_end(id_)
            return upload.known

    def uploads(self, session: str) -> list[KnownTable]:
        """The uploads of a session, in the order in which they were used."""
        with self._lock:
            self._forget_old()
            return [each.known for each in self._uploads.values() if each.session == session]

    def forgotten_in(self, known: KnownTable) -> float | None:
        """The seconds after which a table is forgotten unless it is used; None for those that stay."""
        upload = self._uploads.get(known.id)
        return None if upload is None else max(0.0, upload.used + self._limits.kept_seconds - self._clock())

    def forget(self, id_: str, session: str) -> None:
        """Forgets an upload.

        Raises:
            RequestError: where there is none, or it is a table of the server.
        """
        if id_ in self._preloaded:
            raise RequestError(403, "This table came with the server; only uploads can be forgotten.")
        with self._lock:
            self._own(id_, session)
            del self._uploads[id_]

    def forget_all(self, session: str) -> None:
        """Forgets all uploads of a session."""
        with self._lock:
            for id_ in [id_ for id_, each in self._uploads.items() if each.session == session]:
                del self._uploads[id_]

    def _own(self, id_: str, session: str) -> _Upload:
        self._forget_old()
        upload = self._uploads.get(id_)
        if upload is None or not secrets.compare_digest(upload.session, session):
            raise RequestError(404, "There is no such table, or it is no longer kept; upload it again.")
        return upload

    def _forget_old(self) -> None:
        oldest = self._clock() - self._limits.kept_seconds
        while self._uploads and next(iter(self._uploads.values())).used < oldest:
            self._uploads.popitem(last=False)

    def _make_room(self, session: str) -> None:
        own = [id_ for id_, each in self._uploads.items() if each.session == session]
        for id_ in own[: -self._limits.session_tables]:
            del self._uploads[id_]
        held = sum(each.bytes for each in self._uploads.values())
        while len(self._uploads) > 1 and (
            len(self._uploads) > self._limits.kept_tables or held > self._limits.kept_bytes
        ):
            _, forgotten = self._uploads.popitem(last=False)
            held -= forgotten.bytes


def _readable_id(name: str, taken: Iterable[str]) -> str:
    """An id that is the same whenever the server is started so, for links: olympics for olympics.csv."""
    stem = re.sub(r"\.[A-Za-z0-9]+$", "", name)
    plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:60] or "table"
    chosen, number = plain, 2
    while chosen in taken:
        chosen, number = f"{plain}-{number}", number + 1
    return chosen
