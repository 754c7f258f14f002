"""TablesIndex: the tables of a question, ready to be asked, and which of their cells are equal."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.linking import Links, link, link_tables
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.word_index import JoinedIndex
from neural_enquirer.encoding.words import Vocabulary

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class TablesIndex:
    """One table or several that are asked together.

    Attributes:
        tables: their own indexes.
        joined: all their fields and cells; None where there is one table, which is all there is.
        values: for each table the codes of its cells' values; equal codes are equal values, 0 is none. None
            where there is nothing to compare with.
    """

    tables: tuple[TableIndex, ...]
    joined: JoinedIndex | None
    values: tuple[Codes | None, ...]

    @classmethod
    def of(cls, tables: Iterable[TableIndex], titles: Sequence[str] = ()) -> "TablesIndex":
        """Indexes tables together; the words of their titles tell them apart."""
        together = tuple(tables)
        if len(together) == 1:
            return cls(together, None, (None,))
        codes: dict[object, int] = {}
        return cls(together, JoinedIndex(together, titles), tuple(_values(own, codes) for own in together))

    def link(self, question: str, vocabulary: Vocabulary) -> list[Links]:
        """Links a question to each table: they share its words, mentions and quantities."""
        if self.joined is None:
            return [link(question, self.tables[0], vocabulary)]
        return link_tables(question, self.joined, vocabulary)


def _values(table: TableIndex, codes: dict[object, int]) -> Codes:
    """Gives cells codes: the folded text of text, days of dates, numbers as they are written."""
    values = np.zeros(table.shape, dtype=np.int32)
    for n, phrases in enumerate(table.phrases[:-1]):  # the last field is the order of rows
        if phrases is not None:
            own = [codes.setdefault(phrase, len(codes) + 1) if phrase else 0 for phrase in phrases.different]
            values[:, n] = np.array(own, np.int32)[phrases.codes]
            continue
        keys: Sequence[object]
        if table.is_date[n]:
            keys = [None if math.isnan(day) else ("day", day) for day in table.numbers[:, n].tolist()]
        else:
            keys = [None if math.isnan(one) else _written(one) for one in table.numbers[:, n].tolist()]
        values[:, n] = [codes.setdefault(key, len(codes) + 1) if key else 0 for key in keys]
    return values


def _written(number: float) -> str:
    """A number as a phrase, so that 17 is also the text 17."""
    return f" {int(number)} " if number.is_integer() else f" {number!r} "
