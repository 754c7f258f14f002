"""ProgramBatch: questions with the derivations that answer them, as tensors."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.schema import Arrays, SchemaSizes, empty, fill, sizes_of
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tensors import Tensors
from neural_enquirer.encoding.words import Vocabulary


@dataclass(frozen=True)
class Schema(Tensors):
    """Questions with the fields of their tables; all is padded at the end, with zeros.

    Attributes:
        words: the codes of the question's words.
        word_flags: their flags (see `linking`).
        levels: how each word names each field.
        headers: the codes of the words of each field's name.
        features: numbers about each field (see `field_features`).
        coverage: the share of each field's name that the question has.
        mentions: the first word of each mention and the one behind its last.
        mention_hows: how each mention was recognised (see `mentions`), from 1; 0 for padding.
        mention_fields: whether a mention is one of a cell of the field.
        unsaid: the codes of the words of mentions that no word of the question stands for.
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
    unsaid: Int[Tensor, "batch mention value_word"]
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


@dataclass(frozen=True)
class Steps(Tensors):
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


@dataclass(frozen=True)
class ProgramBatch(Tensors):
    """Questions with the derivations that answer them."""

    schema: Schema
    steps: Steps

    def __len__(self) -> int:
        return len(self.schema)


def collate(questions: Sequence[tuple[Asked, Sequence[TableIndex]]], vocabulary: Vocabulary) -> Schema:
    """Pads questions to the largest and stacks them."""
    sizes = SchemaSizes.holding([sizes_of(asked, indexes) for asked, indexes in questions])
    arrays = empty(len(questions), sizes)
    for i, (asked, indexes) in enumerate(questions):
        fill({name: array[i] for name, array in arrays.items()}, asked, indexes, vocabulary)
    return schema_of(arrays)


def schema_of(arrays: Arrays) -> Schema:
    """Makes a batch of padded arrays."""
    return Schema(**{item.name: torch.from_numpy(arrays[item.name]) for item in fields(Schema)})


def steps_of(arrays: Arrays) -> Steps:
    """Makes tensors of padded arrays."""
    return Steps(**{item.name: torch.from_numpy(arrays[item.name]) for item in fields(Steps)})
