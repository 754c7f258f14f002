"""Padding: questions of one size, stacked, as the open model is trained on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.encoding.field_features import FIELD_FEATURES
from neural_enquirer.encoding.open import LinkedTable, OpenQuestion
from neural_enquirer.encoding.open_batch import OpenBatch, OpenTable

Arrays = dict[str, npt.NDArray[Any]]
Cell = tuple[int, int, int]
"""Table, row and field."""


@dataclass(frozen=True)
class TableSizes:
    """How large the padded tensors of a table are."""

    rows: int
    fields: int
    headers: int

    @classmethod
    def of(cls, tables: Sequence[LinkedTable]) -> "TableSizes":
        """Returns the least sizes that hold all tables."""
        return cls(
            rows=max(1, *(table.index.shape[0] for table in tables)),
            fields=max(table.index.shape[1] for table in tables),
            headers=max(1, *(len(words) for table in tables for words in table.headers)),
        )


@dataclass(frozen=True)
class Sizes:
    """How large the padded tensors of questions are."""

    tokens: int
    mentions: int
    quantities: int
    tables: tuple[TableSizes, ...]

    @classmethod
    def of(cls, questions: Sequence[OpenQuestion]) -> "Sizes":
        """Returns the least sizes that hold all questions, which have as many tables."""
        if not questions:
            return cls(1, 1, 1, (TableSizes(1, 1, 1),))
        places = zip(*(question.tables for question in questions), strict=True)
        return cls(
            tokens=max(1, *(len(question.words) for question in questions)),
            mentions=max(1, *(len(question.links.mentions) for question in questions)),
            quantities=max(1, *(len(question.links.quantities) for question in questions)),
            tables=tuple(TableSizes.of(tables) for tables in places),
        )

    def hold(self, question: OpenQuestion) -> bool:
        """Whether a question fits."""
        return len(self.tables) == len(question.tables) and self.joined(Sizes.of([question])) == self

    def joined(self, other: "Sizes") -> "Sizes":
        """Returns the least sizes that hold what either holds."""
        tables = tuple(
            TableSizes(max(one.rows, two.rows), max(one.fields, two.fields), max(one.headers, two.headers))
            for one, two in zip(self.tables, other.tables, strict=True)
        )
        return Sizes(
            max(self.tokens, other.tokens),
            max(self.mentions, other.mentions),
            max(self.quantities, other.quantities),
            tables,
        )


@dataclass(frozen=True)
class Padded:
    """Padded questions as arrays, by their names in `OpenBatch` and, for each table, in `OpenTable`."""

    questions: Arrays
    tables: tuple[Arrays, ...]

    @classmethod
    def joined(cls, parts: Sequence["Padded"]) -> "Padded":
        """Puts questions of the same sizes behind each other."""
        tables = zip(*(part.tables for part in parts), strict=True)
        return cls(_joined([part.questions for part in parts]), tuple(map(_joined, tables)))

    def batch(self) -> OpenBatch:
        """Returns the questions as tensors."""
        tables = tuple(OpenTable(**_tensors(table)) for table in self.tables)
        return OpenBatch(**_tensors(self.questions), tables=tables)


def collate(
    questions: Sequence[OpenQuestion],
    sizes: Sizes | None = None,
    answers: Sequence[Sequence[Cell]] | None = None,
    types: Sequence[int] | None = None,
) -> OpenBatch:
    """Pads questions, all with as many tables, to one size and stacks them."""
    return pad(questions, sizes or Sizes.of(questions), answers, types).batch()


def pad(
    questions: Sequence[OpenQuestion],
    sizes: Sizes,
    answers: Sequence[Sequence[Cell]] | None = None,
    types: Sequence[int] | None = None,
) -> Padded:
    """Pads questions to given sizes.

    Args:
        questions: those that the sizes hold.
        sizes: of the arrays.
        answers: the cells that answer each question; none where they are not known.
        types: the type of each question; all 0 where they are not known.
    """
    count, place = len(questions), _place(sizes)
    shared: Arrays = {
        "words": np.zeros((count, sizes.tokens), np.int32),
        "word_flags": np.zeros((count, sizes.tokens), np.uint8),
        "mentions": np.zeros((count, sizes.mentions, 2), place),
        "quantities": np.zeros((count, sizes.quantities, 2), place),
    }
    for i, question in enumerate(questions):
        links, tokens = question.links, len(question.words)
        shared["words"][i, :tokens] = question.words
        shared["word_flags"][i, :tokens] = links.flags
        if links.mentions:
            shared["mentions"][i, : len(links.mentions)] = links.mentions
        if links.quantities:
            shared["quantities"][i, : len(links.quantities)] = links.quantities
    shared["answer_cells"] = _answer_cells(answers or [()] * count, sizes.tables)
    shared["types"] = np.array(types if types is not None else [0] * count, dtype=np.int64)
    places = range(len(sizes.tables))
    return Padded(shared, tuple(_pad_tables([q.tables[k] for q in questions], sizes, k) for k in places))


def _pad_tables(tables: Sequence[LinkedTable], sizes: Sizes, place: int) -> Arrays:
    own = sizes.tables[place]
    b, t, m, n = len(tables), sizes.tokens, own.rows, own.fields
    k, j = sizes.mentions, sizes.quantities
    arrays: Arrays = {
        "levels": np.zeros((b, t, n), np.uint8),
        "headers": np.zeros((b, n, own.headers), np.int32),
        "features": np.zeros((b, n, FIELD_FEATURES), np.float32),
        "coverage": np.zeros((b, n), np.float32),
        "mention_fields": np.zeros((b, k, n), np.bool_),
        "quantity_fields": np.zeros((b, j, n), np.uint8),
        "cell_mentions": np.zeros((b, m, n), _place(sizes)),
        "relations": np.zeros((b, j, m, n), np.uint8),
        "ranks": np.zeros((b, m, n), np.float32),
        "cell_flags": np.zeros((b, m, n), np.uint8),
        "sizes": np.zeros((b, 2), np.int32),
    }
    if len(sizes.tables) > 1:
        arrays["values"] = np.zeros((b, m, n), np.int32)
    for i, table in enumerate(tables):
        _fill({name: array[i] for name, array in arrays.items()}, table)
    return arrays


def _fill(row: Arrays, table: LinkedTable) -> None:
    """Writes one table into its place of the padded arrays."""
    links, index = table.links, table.index
    tokens, (rows, fields) = len(links.words), index.shape
    row["levels"][:tokens, :fields] = links.levels
    for n, codes in enumerate(table.headers):
        row["headers"][n, : len(codes)] = codes
    row["features"][:fields] = index.features
    row["coverage"][:fields] = links.coverage
    if links.mentions:
        count = len(links.mentions)
        row["cell_mentions"][:rows, :fields] = links.cell_mentions
        for k, cells in enumerate(links.mentioned):
            row["mention_fields"][k, [n for n, _ in cells]] = True
    if links.quantities:
        count = len(links.quantities)
        row["relations"][:count, :rows, :fields] = links.relations
        row["quantity_fields"][:count, :fields] = links.quantity_fields
    row["ranks"][:rows, :fields] = index.ranks
    row["cell_flags"][:rows, :fields] = index.flags
    row["sizes"][:] = rows, fields
    if table.values is not None:
        row["values"][:rows, :fields] = table.values


def _place(sizes: Sizes) -> type[np.signedinteger[Any]]:
    """The type of the place of a word, and of the number of a mention."""
    return np.int16 if sizes.tokens < 2**15 else np.int32


def _answer_cells(answers: Sequence[Sequence[Cell]], sizes: Sequence[TableSizes]) -> npt.NDArray[np.bool_]:
    first = np.cumsum([0, *(own.rows * own.fields for own in sizes)])
    right = np.zeros((len(answers), first[-1]), np.bool_)
    for i, cells in enumerate(answers):
        for table, row, field in cells:
            right[i, first[table] + row * sizes[table].fields + field] = True
    return right


def _joined(parts: Sequence[Arrays]) -> Arrays:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _tensors(arrays: Arrays) -> dict[str, Any]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}
