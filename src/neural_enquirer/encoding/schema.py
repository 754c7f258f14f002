"""Schema: a question with the fields of all its tables side by side, as tensors: all that the decoder sees.

Rows are not here. What counts is what the question's words say of fields, and which values they mention.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor

from neural_enquirer.encoding.actions import PRODUCTIONS, Asked, Pool
from neural_enquirer.encoding.actions.grammar import Derivation, symbols_of
from neural_enquirer.encoding.field_features import FIELD_FEATURES
from neural_enquirer.encoding.linking import FOUND
from neural_enquirer.encoding.open import word_codes
from neural_enquirer.encoding.table_index import TableIndex
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

    def hold(self, other: "SchemaSizes") -> bool:
        """Whether what has other sizes fits in."""
        return all(getattr(self, item.name) >= getattr(other, item.name) for item in fields(self))


@dataclass(frozen=True)
class Schema:
    """Questions with the fields of their tables; all is padded at the end, with zeros.

    Attributes:
        words: the codes of the question's words.
        word_flags: their flags (see `linking`).
        levels: how each word names each field.
        headers: the codes of the words of each field's name.
        features: numbers about each field (see `table_index`).
        coverage: the share of each field's name that the question has.
        mentions: the first word of each mention and the one behind its last.
        mention_hows: how each mention was recognised (see `mentions`), from 1; 0 for padding.
        mention_fields: whether a mention is one of a cell of the field.
        quantities: the first word of each quantity and the one behind its last.
        quantity_fields: how each quantity lies to each field.
        kinds: the sum of the kinds of each field; 0 for padding and the order of rows.
        owners: the table of each field, from 1; 0 for padding.
        table_mask: which tables are there.
    """

    words: Int[Tensor, "batch token"]
    word_flags: UInt8[Tensor, "batch token"]
    levels: UInt8[Tensor, "batch token field"]
    headers: Int[Tensor, "batch field header"]
    features: Float[Tensor, "batch field feature"]
    coverage: Float[Tensor, "batch field"]
    mentions: Int[Tensor, "batch mention 2"]
    mention_hows: UInt8[Tensor, "batch mention"]
    mention_fields: Bool[Tensor, "batch mention field"]
    quantities: Int[Tensor, "batch quantity 2"]
    quantity_fields: UInt8[Tensor, "batch quantity field"]
    kinds: UInt8[Tensor, "batch field"]
    owners: UInt8[Tensor, "batch field"]
    table_mask: Bool[Tensor, "batch table"]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def tables(self) -> tuple["Schema"]:
        """All tables as one, for encoders that read them one by one."""
        return (self,)

    @property
    def field_mask(self) -> Bool[Tensor, "batch field"]:
        """Which fields are there, the order of rows included."""
        return self.owners > 0

    def to(self, device: torch.device | str) -> "Schema":
        """Returns the batch with all tensors on a device."""
        return self._map(lambda tensor: tensor.to(device))

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "Schema":
        """Returns the chosen questions."""
        return self._map(lambda tensor: tensor[index])

    def _map(self, function: Callable[[Tensor], Tensor]) -> "Schema":
        return replace(self, **{item.name: function(getattr(self, item.name)) for item in fields(self)})


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
        row["kinds"][here] = _kinds(index)
        row["quantity_fields"][: len(links.quantities), here] = own.quantity_fields
        for n, name in enumerate(index.names, start=first):
            codes = word_codes(name.words, vocabulary)
            row["headers"][n, : len(codes)] = codes
        first = here.stop
    for mention, field in asked.named:
        row["mention_fields"][mention, field] = True
    for said, comparable in asked.comparable.items():
        if asked.said[said].is_month:
            row["quantity_fields"][said, list(comparable)] = FOUND


def _kinds(index: TableIndex) -> npt.NDArray[np.uint8]:
    """The kinds of the fields of a table; none for the order of rows."""
    ordered = np.isfinite(index.numbers).any(axis=0)
    kinds = ANY + ORDERED * ordered + NUMBER * (ordered & ~index.is_date) + DATE * index.is_date
    kinds[-1] = 0
    return kinds.astype(np.uint8)


def collate(questions: Sequence[tuple[Asked, Sequence[TableIndex]]], vocabulary: Vocabulary) -> Schema:
    """Pads questions to the largest and stacks them."""
    each = [sizes_of(asked, indexes) for asked, indexes in questions]
    sizes = SchemaSizes(
        **{item.name: max(getattr(one, item.name) for one in each) for item in fields(SchemaSizes)}
    )
    arrays = empty(len(questions), sizes)
    for i, (asked, indexes) in enumerate(questions):
        fill({name: array[i] for name, array in arrays.items()}, asked, indexes, vocabulary)
    return schema_of(arrays)


def schema_of(arrays: Arrays) -> Schema:
    """Makes a batch of padded arrays."""
    return Schema(**{item.name: torch.from_numpy(arrays[item.name]) for item in fields(Schema)})


@dataclass(frozen=True)
class Steps:
    """Derivations, step by step; padded with -1 in `choices`.

    Attributes:
        pools: what each step chooses from.
        choices: the number that is chosen there; -1 behind the last step.
        symbols: the symbol that is expanded.
        parents: the production that asks for it; behind all of them at the beginning.
        given: the mention or quantity chosen last, for fields that are looked for by it.
    """

    pools: UInt8[Tensor, "*shape step"]
    choices: Int[Tensor, "*shape step"]
    symbols: UInt8[Tensor, "*shape step"]
    parents: UInt8[Tensor, "*shape step"]
    given: UInt8[Tensor, "*shape step"]

    def to(self, device: torch.device | str) -> "Steps":
        """Returns them with all tensors on a device."""
        return Steps(**{item.name: getattr(self, item.name).to(device) for item in fields(self)})

    def select(self, index: Int[Tensor, "chosen"] | slice) -> "Steps":
        """Returns those of the chosen questions."""
        return Steps(**{item.name: getattr(self, item.name)[index] for item in fields(self)})


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


def steps_of(arrays: Arrays) -> Steps:
    """Makes tensors of padded arrays."""
    return Steps(**{item.name: torch.from_numpy(arrays[item.name]) for item in fields(Steps)})
