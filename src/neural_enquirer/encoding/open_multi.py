"""The open encoding of questions about several tables: each is linked to the question, and to the others."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.encoding.linking import link_several
from neural_enquirer.encoding.open import OpenQuestion, Sizes, batch_of, pad, word_codes
from neural_enquirer.encoding.open_multi_batch import OpenMultiBatch
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.word_index import JoinedIndex
from neural_enquirer.encoding.words import Vocabulary

Arrays = dict[str, npt.NDArray[Any]]
Cell = tuple[int, int, int]
"""Table, row and field."""

SHARED = ("words", "word_flags", "mentions", "quantities")
"""What all tables of a question have in common."""
VALUES, CELLS, TYPES = "values", "answer_cells", "types"


@dataclass(frozen=True)
class SeveralIndex:
    """Some tables that are asked together, ready to be asked.

    Attributes:
        joined: all their fields and cells.
        values: for each table the codes of its cells' values; equal codes are equal values, 0 is none.
    """

    joined: JoinedIndex
    values: tuple[npt.NDArray[np.int32], ...]

    @classmethod
    def of(cls, tables: Sequence[TableIndex], titles: Sequence[str]) -> "SeveralIndex":
        """Indexes tables together; the words of their titles hint at their fields."""
        codes: dict[object, int] = {}
        return cls(JoinedIndex(tables, titles), tuple(_values(table, codes) for table in tables))

    @property
    def tables(self) -> tuple[TableIndex, ...]:
        """The tables' own indexes."""
        return self.joined.tables


@dataclass(frozen=True)
class SeveralQuestion:
    """A question with its tables and its links, not yet padded.

    Attributes:
        tables: the question with each of them; all have the same words, mentions and quantities.
        values: the codes of the cells' values.
    """

    tables: tuple[OpenQuestion, ...]
    values: tuple[npt.NDArray[np.int32], ...]


def _values(table: TableIndex, codes: dict[object, int]) -> npt.NDArray[np.int32]:
    """Gives cells codes: the folded text of text, days of dates, numbers as they are written."""
    values = np.zeros(table.shape, dtype=np.int32)
    for n, phrases in enumerate(table.phrases[:-1]):  # the last field is the order of rows
        keys: Sequence[object]
        if phrases is not None:
            keys = phrases
        elif table.is_date[n]:
            keys = [None if math.isnan(day) else ("day", day) for day in table.numbers[:, n].tolist()]
        else:
            keys = [None if math.isnan(one) else _written(one) for one in table.numbers[:, n].tolist()]
        values[:, n] = [codes.setdefault(key, len(codes) + 1) if key else 0 for key in keys]
    return values


def _written(number: float) -> str:
    """A number as a phrase, so that 17 is also the text 17."""
    return f" {int(number)} " if number.is_integer() else f" {number!r} "


def prepare_several(question: str, index: SeveralIndex, vocabulary: Vocabulary) -> SeveralQuestion:
    """Links a question to its tables and looks its words up."""
    questions = []
    words: tuple[int, ...] | None = None
    for table, links in zip(index.tables, link_several(question, index.joined, vocabulary), strict=True):
        words = word_codes(links.words, vocabulary) if words is None else words
        headers = tuple([word_codes(name.words, vocabulary) for name in table.names])
        questions.append(OpenQuestion(table, links, words, headers))
    return SeveralQuestion(tuple(questions), index.values)


def holds(sizes: Sequence[Sizes], question: SeveralQuestion) -> bool:
    """Whether every table of a question fits into the sizes of its place."""
    return len(sizes) == len(question.tables) and all(
        own.hold(table) for own, table in zip(sizes, question.tables, strict=True)
    )


def sizes_of(questions: Sequence[SeveralQuestion]) -> list[Sizes]:
    """Returns the least sizes that hold all questions, for each place of a table."""
    return [Sizes.of(tables) for tables in zip(*(question.tables for question in questions), strict=True)]


def pad_several(
    questions: Sequence[SeveralQuestion],
    sizes: Sequence[Sizes],
    answers: Sequence[Sequence[Cell]],
    types: Sequence[int],
) -> list[Arrays]:
    """Returns the padded arrays of each table; those of the first hold the answers and types as well."""
    arrays = []
    for place, own in enumerate(sizes):
        table = pad([question.tables[place] for question in questions], own)
        values = np.zeros((len(questions), own.rows, own.fields), np.int32)
        for i, question in enumerate(questions):
            rows, fields = question.values[place].shape
            values[i, :rows, :fields] = question.values[place]
        arrays.append(table | {VALUES: values})
    arrays[0][CELLS] = _answer_cells(answers, sizes)
    arrays[0][TYPES] = np.array(types, dtype=np.int64)
    for table in arrays[1:]:
        for name in SHARED:
            del table[name]
    return arrays


def _answer_cells(answers: Sequence[Sequence[Cell]], sizes: Sequence[Sizes]) -> npt.NDArray[np.bool_]:
    first = np.cumsum([0, *(own.rows * own.fields for own in sizes)])
    right = np.zeros((len(answers), first[-1]), np.bool_)
    for i, cells in enumerate(answers):
        for table, row, field in cells:
            right[i, first[table] + row * sizes[table].fields + field] = True
    return right


def several_batch_of(arrays: Sequence[Arrays]) -> OpenMultiBatch:
    """Makes a batch of padded arrays."""
    values = [torch.from_numpy(table[VALUES]) for table in arrays]
    count = len(values[0])
    own = {"answer_cell": np.full((count, 2), -1, np.int32), TYPES: arrays[0][TYPES]}
    rest = [{name: table[name] for name in table if name not in (VALUES, CELLS, TYPES)} for table in arrays]
    first = batch_of(rest[0] | own)
    shared = {name: getattr(first, name) for name in (*SHARED, "answer_cell", TYPES)}
    others = (batch_of(table, shared) for table in rest[1:])
    right = torch.from_numpy(arrays[0][CELLS])
    return OpenMultiBatch((first, *others), tuple(values), right, first.types)


def collate_several(questions: Sequence[SeveralQuestion]) -> OpenMultiBatch:
    """Pads questions, all with as many tables, to the largest of each place, and stacks them."""
    count = len(questions)
    return several_batch_of(pad_several(questions, sizes_of(questions), [()] * count, [0] * count))
