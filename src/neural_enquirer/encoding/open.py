"""The open encoding: no word of a table needs to be known beforehand.

Words of questions and headers that the vocabulary does not have are known by their word vector; those without
one get one of many fixed random vectors, chosen by a hash of their text. What a word means for a table is
said by its links.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import Codes, TablesIndex
from neural_enquirer.encoding.word_vectors import count, row_of
from neural_enquirer.encoding.words import UNKNOWN, Vocabulary
from neural_enquirer.tables import Table

BUCKETS = 4096
"""How many fixed vectors there are for words that the vocabulary does not have."""
BUCKET_SCALE = 0.1
"""How long they are: their words have no meaning to learn, so they should not drown the rest."""


@dataclass(frozen=True)
class LinkedTable:
    """A table with what a question says of it; values are those of `TablesIndex`."""

    index: TableIndex
    links: Links
    headers: tuple[tuple[int, ...], ...]
    values: Codes | None = None


@dataclass(frozen=True)
class OpenQuestion:
    """A question with its tables and its links, not yet padded.

    Attributes:
        words: the codes of its words.
        tables: its tables; their links have the same words, mentions and quantities.
    """

    words: tuple[int, ...]
    tables: tuple[LinkedTable, ...]

    @property
    def links(self) -> Links:
        """The links to the first table, for what all of them share."""
        return self.tables[0].links


def word_code(word: str, vocabulary: Vocabulary) -> int:
    """Returns the code of a word: its own; that of its vector, behind all others; or that of its bucket."""
    code = vocabulary.codes.get(word)
    if code is not None:
        return code
    row = row_of(word) if vocabulary.vectors else 0
    return len(vocabulary) + (BUCKETS + row - 1 if row else bucket(word))


def vector_row(code: int, vocabulary: Vocabulary) -> int:
    """Returns the row of the word vector of a code; 0 where there is none."""
    if code < len(vocabulary):
        return row_of(vocabulary.words[code - 2]) if code > UNKNOWN else 0
    return max(0, code - len(vocabulary) - BUCKETS + 1)


def vector_rows(vocabulary: Vocabulary) -> npt.NDArray[np.int64]:
    """Returns the row of the word vector of each code."""
    codes = len(vocabulary) + BUCKETS + count() - 1
    return np.array([vector_row(code, vocabulary) for code in range(codes)], np.int64)


@functools.lru_cache(maxsize=65536)
def bucket(word: str) -> int:
    """Returns the bucket of a word that the vocabulary does not have."""
    import hashlib  # and OpenSSL, for the few words that nobody knows

    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4).digest()) % BUCKETS


def bucket_vectors(size: int) -> npt.NDArray[np.float32]:
    """Returns the fixed vectors of words outside of the vocabulary: the same in every model of a size."""
    vectors = np.random.default_rng(0).standard_normal((BUCKETS, size), dtype=np.float32)
    return np.float32(BUCKET_SCALE) * vectors


def prepare(question: str, index: TablesIndex, vocabulary: Vocabulary) -> OpenQuestion:
    """Links a question to its tables and looks its words up."""
    links = index.link(question, vocabulary)
    tables = zip(index.tables, links, index.values, strict=True)
    return OpenQuestion(
        word_codes(links[0].words, vocabulary),
        tuple(LinkedTable(own, said, _headers(own, vocabulary), values) for own, said, values in tables),
    )


def prepare_all(
    questions: Iterable[tuple[tuple[Table, ...], str]], vocabulary: Vocabulary
) -> list[OpenQuestion]:
    """Prepares questions, each about its tables; what they have in common is indexed once."""
    single: dict[int, TableIndex] = {}
    together: dict[tuple[int, ...], tuple[tuple[Table, ...], TablesIndex]] = {}  # keeps the tables alive
    prepared = []
    for tables, question in questions:
        key = tuple(map(id, tables))
        if key not in together:
            single |= {id(table): TableIndex.of(table) for table in tables if id(table) not in single}
            together[key] = tables, TablesIndex.of([single[one] for one in key], titles_of(tables))
        prepared.append(prepare(question, together[key][1], vocabulary))
    return prepared


def titles_of(tables: Iterable[Table]) -> list[str]:
    """What tables are called, without the suffix of a file."""
    return [PurePath(table.name).stem for table in tables]


def _headers(table: TableIndex, vocabulary: Vocabulary) -> tuple[tuple[int, ...], ...]:
    return tuple([word_codes(name.words, vocabulary) for name in table.names])


def word_codes(words: Sequence[str], vocabulary: Vocabulary) -> tuple[int, ...]:
    """Returns the codes of words."""
    codes = vocabulary.codes
    return tuple([codes[word] if word in codes else word_code(word, vocabulary) for word in words])
