"""WordIndex: which words name fields and mention cells, of one table or of several."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.cell_index import CellIndex
from neural_enquirer.encoding.text import STOP_WORDS, header_words, root, stem
from neural_enquirer.encoding.word_vectors import row_of, vectors

if TYPE_CHECKING:
    from neural_enquirer.encoding.table_index import TableIndex

_SHORTEST_ROOT: Final = 4


@dataclass(frozen=True)
class FieldName:
    """A field's name as questions may say it.

    Attributes:
        words: all its words, those in brackets last.
        stems: the stems of the words outside of brackets that can point at it.
        asides: the stems of the words in brackets: units and remarks.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    asides: tuple[str, ...]

    @classmethod
    def of(cls, header: str) -> "FieldName":
        """Takes a header apart."""
        return _field_name(header)


@functools.lru_cache(maxsize=16384)
def _field_name(header: str) -> FieldName:
    main, asides = header_words(header)
    telling = [word for word in main if word not in STOP_WORDS] or list(main)
    return FieldName(main + asides, tuple(map(stem, telling)), tuple(map(stem, asides)))


class WordIndex:
    """What linking needs to know of words, whatever the tables are."""

    names: tuple[FieldName, ...]
    """Of all fields."""

    @functools.cached_property
    def cells(self) -> CellIndex:
        """The cells of all fields."""
        raise NotImplementedError

    @functools.cached_property
    def fields_by_stem(self) -> dict[str, list[int]]:
        """Maps the stem of each telling header word to its fields."""
        fields: dict[str, list[int]] = {}
        for n, name in enumerate(self.names):
            for one in name.stems + name.asides:
                _add(fields, one, n)
        return fields

    @functools.cached_property
    def flags_by_root(self) -> dict[str, list[int]]:
        """Maps the roots of the words of one-word headers to their fields, if these say yes or no."""
        fields: dict[str, list[int]] = {}
        for n in self.cells.flags:
            if len(self.names[n].stems) == 1 and len(base := root(self.names[n].stems[0])) >= _SHORTEST_ROOT:
                _add(fields, base, n)
        return fields

    @functools.cached_property
    def stems_by_start(self) -> dict[str, list[str]]:
        """Maps three letters to the stems of header words that begin with them."""
        stems: dict[str, list[str]] = {}
        for one in self.fields_by_stem:
            stems.setdefault(one[:3], []).append(one)
        return stems

    @functools.cached_property
    def fields_by_joined(self) -> dict[str, list[int]]:
        """Maps whole headers, written as one word, to their fields: `boxoffice` is the box office."""
        fields: dict[str, list[int]] = {}
        for n, name in enumerate(self.names):
            joined = "".join(name.words[: len(name.stems)] or name.words)
            if len(joined) > 3:
                _add(fields, joined, n)
        return fields

    @functools.cached_property
    def meanings(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]:
        """The field of each telling word of a header, and the word's fixed vector."""
        words = [(n, one) for n, name in enumerate(self.names) for one in name.words if one not in STOP_WORDS]
        return np.array([n for n, _ in words], np.intp), vectors([row_of(one) for _, one in words])

    @functools.cached_property
    def header_words(self) -> frozenset[str]:
        """All words of all headers."""
        return frozenset(word for name in self.names for word in name.words)


class JoinedIndex(WordIndex):
    """The fields of several tables behind each other: a word names or mentions what it fits best of them."""

    def __init__(self, tables: Sequence["TableIndex"], titles: Sequence[str]) -> None:
        """Joins the indexes of tables, which are called by their titles."""
        self.tables = tuple(tables)
        self.names = tuple(name for table in tables for name in table.names)
        self.titles = tuple(frozenset(FieldName.of(title).stems) for title in titles)
        """The stems of the words of each table's title."""

    @functools.cached_property
    def cells(self) -> CellIndex:
        """The cells of all fields of all tables."""
        fields: list[frozenset[str]] = []
        flags: list[int] = []
        for table in self.tables:
            flags += [len(fields) + n for n in table.cells.numeric_flags]
            fields += table.cells.fields
        return CellIndex(fields, flags)


def _add(fields: dict[str, list[int]], text: str, n: int) -> None:
    known = fields.get(text)
    if known is None:
        fields[text] = [n]
    elif n not in known:
        known.append(n)
