"""The tables that can be asked: those the server was started with, and uploads while there is room."""

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from neural_enquirer.tables import Table
from neural_enquirer.web.limits import Limits
from neural_enquirer.web.problems import RequestError

# What a cell takes on the whole: its value, its spelling, two references to them.
_BYTES_OF_A_CELL = 130


@dataclass(frozen=True)
class KnownTable:
    """A table and the name under which it is asked."""

    id: str
    name: str
    table: Table

    @property
    def bytes(self) -> int:
        """Roughly the memory it takes."""
        texts = self.table.texts or ()
        letters = sum(len(text) for column in texts for text in column)
        return self.table.row_count * len(self.table.fields) * _BYTES_OF_A_CELL + 2 * letters


class TableStore:
    """Finds tables by their ids. Uploads have ids that nobody can guess; only the others are listed."""

    def __init__(self, limits: Limits, preloaded: Iterable[tuple[str, Table]] = ()) -> None:
        """Takes the tables that are there for everybody, each with its name."""
        self._limits = limits
        self._preloaded: dict[str, KnownTable] = {}
        for name, table in preloaded:
            known = KnownTable(_readable_id(name, self._preloaded), name, table)
            self._preloaded[known.id] = known
        self._uploads: OrderedDict[str, tuple[KnownTable, int]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def preloaded(self) -> list[KnownTable]:
        """The tables that everybody may see."""
        return list(self._preloaded.values())

    def add(self, name: str, table: Table) -> KnownTable:
        """Keeps an upload; others are forgotten if need be, those not used for the longest time first."""
        known = KnownTable(secrets.token_urlsafe(16), name, table)
        size = known.bytes
        with self._lock:
            self._uploads[known.id] = (known, size)
            held = sum(own for _, own in self._uploads.values())
            while len(self._uploads) > 1 and (
                len(self._uploads) > self._limits.kept_tables or held > self._limits.kept_bytes
            ):
                _, (_, forgotten) = self._uploads.popitem(last=False)
                held -= forgotten
        return known

    def get(self, id_: str) -> KnownTable:
        """Finds a table.

        Raises:
            RequestError: where there is none, or no longer.
        """
        if id_ in self._preloaded:
            return self._preloaded[id_]
        with self._lock:
            if id_ in self._uploads:
                self._uploads.move_to_end(id_)
                return self._uploads[id_][0]
        raise RequestError(404, "There is no such table, or it is no longer kept; upload it again.")


def _readable_id(name: str, taken: Iterable[str]) -> str:
    """An id that is the same whenever the server is started so, for links: olympics for olympics.csv."""
    stem = re.sub(r"\.[A-Za-z0-9]+$", "", name)
    plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:60] or "table"
    chosen, number = plain, 2
    while chosen in taken:
        chosen, number = f"{plain}-{number}", number + 1
    return chosen
