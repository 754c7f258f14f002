"""The open encoding: no word of a table needs to be known beforehand.

Words of questions and headers that the vocabulary does not have get one of many fixed random vectors, chosen
by a hash of their text; what a word means for a table is said by its links.
"""

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from neural_enquirer.encoding.linking import Links, link
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.table_index import FIELD_FEATURES, TableIndex
from neural_enquirer.encoding.words import Vocabulary

BUCKETS = 4096
"""How many fixed vectors there are for words that the vocabulary does not have."""


@dataclass(frozen=True)
class OpenQuestion:
    """A question with its table and its links, not yet padded."""

    index: TableIndex
    links: Links
    words: tuple[int, ...]
    headers: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Sizes:
    """How large the padded tensors are."""

    tokens: int
    rows: int
    fields: int
    headers: int
    mentions: int
    quantities: int

    @classmethod
    def of(cls, questions: Sequence[OpenQuestion]) -> "Sizes":
        """Returns the least sizes that hold all questions."""
        return (
            cls(
                tokens=max(1, *(len(q.words) for q in questions)),
                rows=max(1, *(q.index.shape[0] for q in questions)),
                fields=max(q.index.shape[1] for q in questions),
                headers=max(1, *(len(words) for q in questions for words in q.headers)),
                mentions=max(1, *(len(q.links.mentions) for q in questions)),
                quantities=max(1, *(len(q.links.quantities) for q in questions)),
            )
            if questions
            else cls(1, 1, 1, 1, 1, 1)
        )

    def hold(self, question: OpenQuestion) -> bool:
        """Whether a question fits."""
        own = Sizes.of([question])
        return all(getattr(own, name) <= getattr(self, name) for name in self.__dataclass_fields__)


def word_code(word: str, vocabulary: Vocabulary) -> int:
    """Returns the code of a word: its own, or that of its bucket behind the vocabulary's."""
    code = vocabulary.codes.get(word)
    return len(vocabulary) + bucket(word) if code is None else code


@functools.lru_cache(maxsize=65536)
def bucket(word: str) -> int:
    """Returns the bucket of a word that the vocabulary does not have."""
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=4).digest()) % BUCKETS


def prepare(question: str, index: TableIndex, vocabulary: Vocabulary) -> OpenQuestion:
    """Links a question to its table and looks its words up."""
    links = link(question, index, vocabulary)
    headers = tuple([word_codes(name.words, vocabulary) for name in index.names])
    return OpenQuestion(index, links, word_codes(links.words, vocabulary), headers)


def word_codes(words: Sequence[str], vocabulary: Vocabulary) -> tuple[int, ...]:
    """Returns the codes of words."""
    codes = vocabulary.codes
    return tuple([codes[word] if word in codes else word_code(word, vocabulary) for word in words])


def collate(
    questions: Sequence[OpenQuestion],
    sizes: Sizes | None = None,
    answers: Sequence[tuple[int, int] | None] | None = None,
    types: Sequence[int] | None = None,
) -> OpenBatch:
    """Pads questions to one size and stacks them."""
    arrays = pad(questions, sizes or Sizes.of(questions))
    count = len(questions)
    cells = [(-1, -1) if cell is None else cell for cell in answers or [None] * count]
    arrays["answer_cell"] = np.array(cells, dtype=np.int32).reshape(count, 2)
    arrays["types"] = np.array(types if types is not None else [0] * count, dtype=np.int64)
    return batch_of(arrays)


def batch_of(arrays: dict[str, npt.NDArray[Any]], shared: Mapping[str, Tensor] | None = None) -> OpenBatch:
    """Makes a batch of padded arrays, and of tensors that it shares with another one."""
    tensors: dict[str, Tensor] = {name: torch.from_numpy(array) for name, array in arrays.items()}
    return OpenBatch(**tensors, **(shared or {}))


def pad(questions: Sequence[OpenQuestion], sizes: Sizes) -> dict[str, npt.NDArray[Any]]:
    """Returns the padded arrays of questions, by their names in `OpenBatch`."""
    b, t, m, n = len(questions), sizes.tokens, sizes.rows, sizes.fields
    k, j = sizes.mentions, sizes.quantities
    place = np.int16 if t < 2**15 else np.int32  # of a word, and the number of a mention
    arrays: dict[str, npt.NDArray[Any]] = {
        "words": np.zeros((b, t), np.int32),
        "word_flags": np.zeros((b, t), np.uint8),
        "levels": np.zeros((b, t, n), np.uint8),
        "headers": np.zeros((b, n, sizes.headers), np.int32),
        "features": np.zeros((b, n, FIELD_FEATURES), np.float32),
        "coverage": np.zeros((b, n), np.float32),
        "mentions": np.zeros((b, k, 2), place),
        "cell_mentions": np.zeros((b, m, n), place),
        "mention_fields": np.zeros((b, k, n), np.bool_),
        "quantities": np.zeros((b, j, 2), place),
        "relations": np.zeros((b, j, m, n), np.uint8),
        "quantity_fields": np.zeros((b, j, n), np.uint8),
        "ranks": np.zeros((b, m, n), np.float32),
        "cell_flags": np.zeros((b, m, n), np.uint8),
        "sizes": np.zeros((b, 2), np.int32),
    }
    for i, question in enumerate(questions):
        _fill({name: array[i] for name, array in arrays.items()}, question)
    return arrays


def _fill(row: dict[str, npt.NDArray[Any]], question: OpenQuestion) -> None:
    """Writes one question into its place of the padded arrays."""
    links, index = question.links, question.index
    tokens, (rows, fields) = len(question.words), index.shape
    row["words"][:tokens] = question.words
    row["word_flags"][:tokens] = links.flags
    row["levels"][:tokens, :fields] = links.levels
    for n, codes in enumerate(question.headers):
        row["headers"][n, : len(codes)] = codes
    row["features"][:fields] = index.features
    row["coverage"][:fields] = links.coverage
    if links.mentions:
        count = len(links.mentions)
        row["mentions"][:count] = links.mentions
        row["cell_mentions"][:rows, :fields] = links.cell_mentions
        for k, cells in enumerate(links.mentioned):
            row["mention_fields"][k, [n for n, _ in cells]] = True
    if links.quantities:
        count = len(links.quantities)
        row["quantities"][:count] = links.quantities
        row["relations"][:count, :rows, :fields] = links.relations
        row["quantity_fields"][:count, :fields] = links.quantity_fields
    row["ranks"][:rows, :fields] = index.ranks
    row["cell_flags"][:rows, :fields] = index.flags
    row["sizes"][:] = rows, fields
