"""Schema: a question with the fields of all its tables side by side: all that the decoder sees.

Rows are not here. What counts is what the question's words say of fields, and which values they mention.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, Pool
from neural_enquirer.encoding.actions.grammar import Derivation, symbols_of
from neural_enquirer.encoding.field_features import FIELD_FEATURES
from neural_enquirer.encoding.linking import FOUND
from neural_enquirer.encoding.open import word_codes
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.unsaid import LONGEST as UNSAID_WORDS
from neural_enquirer.encoding.words import Vocabulary

ANY, NUMBER, ORDERED, DATE = 1, 2, 4, 8
"""The kinds of a field: any but the order of rows; of numbers; of what has a largest value; of dates."""

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class SchemaSizes:
    """How large the padded tensors are."""

    tokens: int
    fields: int
    headers: int
    mentions: int
    quantities: int
    tables: int

    @classmethod
    def holding(cls, others: Sequence["SchemaSizes"]) -> "SchemaSizes":
        """The least sizes that hold all of several."""
        return cls(**{item.name: max(getattr(one, item.name) for one in others) for item in fields(cls)})

    def hold(self, other: "SchemaSizes") -> bool:
        """Whether what has other sizes fits in."""
        return all(getattr(self, item.name) >= getattr(other, item.name) for item in fields(self))


@dataclass(frozen=True)
class Pointed:
    """What mentions and quantities of a question point at, over the fields of all its tables side by side.

    Attributes:
        mention_fields: whether a mention is one of a cell of the field.
        quantity_fields: how each quantity lies to each field.
        kinds: the sum of the kinds of each field; 0 for the order of rows.
    """

    mention_fields: npt.NDArray[np.bool_]
    quantity_fields: npt.NDArray[np.uint8]
    kinds: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, asked: Asked, indexes: Sequence[TableIndex]) -> "Pointed":
        """Looks at a question and its tables."""
        count = len(asked.places)
        named = np.zeros((asked.mention_count, count), np.bool_)
        for mention, field in asked.named:
            named[mention, field] = True
        lies = np.zeros((len(asked.said), count), np.uint8)
        found = np.concatenate([links.quantity_fields for links in asked.links], axis=1)
        lies[: len(found)] = found
        for said, comparable in asked.comparable.items():
            if asked.said[said].is_month:
                lies[said, list(comparable)] = FOUND
        return cls(named, lies, np.concatenate([_kinds(index) for index in indexes]))


def sizes_of(asked: Asked, indexes: Sequence[TableIndex]) -> SchemaSizes:
    """The least sizes that hold a question."""
    return SchemaSizes(
        tokens=max(1, len(asked.links[0].words)),
        fields=len(asked.places),
        headers=max(1, *(len(name.words) for index in indexes for name in index.names)),
        mentions=max(1, asked.mention_count),
        quantities=max(1, len(asked.said)),
        tables=len(asked.tables),
    )


def empty(count: int, sizes: SchemaSizes) -> Arrays:
    """Zeros for so many questions."""
    tokens, columns = sizes.tokens, sizes.fields
    return {
        "words": np.zeros((count, tokens), np.int32),
        "word_flags": np.zeros((count, tokens), np.uint8),
        "levels": np.zeros((count, tokens, columns), np.uint8),
        "headers": np.zeros((count, columns, sizes.headers), np.int32),
        "features": np.zeros((count, columns, FIELD_FEATURES), np.float32),
        "coverage": np.zeros((count, columns), np.float32),
        "mentions": np.zeros((count, sizes.mentions, 2), np.int16),
        "mention_hows": np.zeros((count, sizes.mentions), np.uint8),
        "mention_fields": np.zeros((count, sizes.mentions, columns), np.bool_),
        "unsaid": np.zeros((count, sizes.mentions, UNSAID_WORDS), np.int32),
        "quantities": np.zeros((count, sizes.quantities, 2), np.int16),
        "quantity_fields": np.zeros((count, sizes.quantities, columns), np.uint8),
        "kinds": np.zeros((count, columns), np.uint8),
        "owners": np.zeros((count, columns), np.uint8),
        "table_mask": np.zeros((count, sizes.tables), np.bool_),
    }


def fill(
    row: Mapping[str, npt.NDArray[Any]], asked: Asked, indexes: Sequence[TableIndex], vocabulary: Vocabulary
) -> None:
    """Writes one question into its place of padded arrays."""
    links = asked.links[0]
    tokens = len(links.words)
    row["words"][:tokens] = word_codes(links.words, vocabulary)
    row["word_flags"][:tokens] = links.flags
    row["mentions"][: len(links.mentions)] = np.array(links.mentions).reshape(-1, 2)
    row["mention_hows"][: len(links.mentions)] = [how + 1 for how in links.hows]
    row["quantities"][: len(asked.said)] = np.array([said.words for said in asked.said]).reshape(-1, 2)
    row["table_mask"][: len(indexes)] = True
    first = 0
    for number, (index, own) in enumerate(zip(indexes, asked.links, strict=True), start=1):
        here = slice(first, first + len(index.names))
        row["levels"][:tokens, here] = own.levels
        row["features"][here] = index.features
        row["coverage"][here] = own.coverage
        row["owners"][here] = number
        for n, name in enumerate(index.names, start=first):
            codes = word_codes(name.words, vocabulary)
            row["headers"][n, : len(codes)] = codes
        first = here.stop
    for number, (_, one) in enumerate(asked.unsaid, start=asked.spoken_count):
        row["unsaid"][number, : len(one.words)] = word_codes(one.words, vocabulary)
    pointed = Pointed.of(asked, indexes)
    mentions, fields = pointed.mention_fields.shape
    row["mention_fields"][:mentions, :fields] = pointed.mention_fields
    row["quantity_fields"][: len(asked.said), :fields] = pointed.quantity_fields
    row["kinds"][:fields] = pointed.kinds


def _kinds(index: TableIndex) -> npt.NDArray[np.uint8]:
    """The kinds of the fields of a table; none for the order of rows."""
    ordered = index.is_ordered
    kinds = ANY + ORDERED * ordered + NUMBER * (ordered & ~index.is_date) + DATE * index.is_date
    kinds[-1] = 0
    return np.asarray(kinds, np.uint8)


def empty_steps(count: int, programs: int, length: int) -> Arrays:
    """Padding for so many questions, with so many derivations each."""
    shape = (count, programs, length)
    names = ("pools", "symbols", "parents", "given")
    return {"choices": np.full(shape, -1, np.int16)} | {name: np.zeros(shape, np.uint8) for name in names}


def fill_steps(row: Mapping[str, npt.NDArray[Any]], derivation: Derivation, tables: int) -> None:
    """Writes one derivation into its place."""
    given = 0
    for step, (action, turn) in enumerate(zip(derivation, symbols_of(derivation, tables), strict=True)):
        row["pools"][step], row["choices"][step] = action.pool, action.number
        row["symbols"][step] = turn.symbol
        row["parents"][step] = turn.parent % (len(PRODUCTIONS) + 1)
        row["given"][step] = given
        if action.pool in (Pool.MENTION, Pool.QUANTITY):
            given = action.number
