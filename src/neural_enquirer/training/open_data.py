"""The open task as tensors: blocks of examples are drawn, linked and padded by all cores at once."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from neural_enquirer.encoding.open import prepare_all
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.padding import Padded, Sizes, collate
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, Example
from neural_enquirer.synthesis.open import blocks
from neural_enquirer.synthesis.open.blocks import OpenTask
from neural_enquirer.synthesis.open.join_sampler import JOIN_TYPES, TWO_TABLES
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.synthesis.open.vocabulary import join_words, phrase_words
from neural_enquirer.synthesis.programs import phrase_words as program_words
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.shelves import MIDDLE, PAIR, SMALL, join_shelves, put_on_shelves

ONE_TABLE_TYPES = (
    *PROGRAM_TYPES,
    *(f"{name}, natural" for name in PROGRAM_TYPES),
    "either",
    "order",
    "absent",
    "unsupported",
)
"""The four types in literal and in natural wording; choices between two named things; places in the table;
refusals."""

TWO_TABLE_TYPES = tuple(
    f"{name}{wording} (two tables)" for wording in ("", ", natural") for name in JOIN_TYPES
)
"""The same on two tables, in either wording."""

OPEN_TYPES = (*ONE_TABLE_TYPES, *TWO_TABLE_TYPES)
"""What accuracies are reported for."""

SHELVES = (SMALL, MIDDLE)
"""The sizes of padded questions on one table; the few that fit none are left out."""


def open_vocabulary() -> Vocabulary:
    """Returns the words whose vectors are learned.

    They are those of phrases and known headers, and those that lead from table to table; never of values.
    """
    return Vocabulary(tuple(sorted({*phrase_words(), *program_words(), *join_words()})), frozenset())


def type_of(example: Example) -> int:
    """Returns the place of an example in `OPEN_TYPES`."""
    natural = ", natural" if example.wording == "natural" else ""
    if len(example.tables) == 2:
        return OPEN_TYPES.index(f"{example.type}{natural} (two tables)")
    return OPEN_TYPES.index(f"{example.type}{natural}" if example.type in PROGRAM_TYPES else example.type)


def encode_examples(examples: Sequence[Example], vocabulary: Vocabulary) -> OpenBatch:
    """Encodes examples, all with as many tables, padded to the largest of them."""
    questions = prepare_all([(example.tables, example.question) for example in examples], vocabulary)
    cells, types = [example.cells for example in examples], [type_of(example) for example in examples]
    return collate(questions, None, cells, types)


def draw_encoded(
    split: str, seed: int, count: int, vocabulary: Vocabulary, shelves: Sequence[Sizes] = SHELVES
) -> list[OpenBatch]:
    """Draws so many questions of a split on one table, and encodes those that a shelf holds."""
    return _draw(ONE_TABLE, split, seed, count, vocabulary, shelves)


def draw_encoded_pairs(split: str, seed: int, count: int, vocabulary: Vocabulary) -> list[OpenBatch]:
    """The same with questions on two tables."""
    return _draw(TWO_TABLES, split, seed, count, vocabulary, (PAIR,))


def _draw(
    task: OpenTask[Any],
    split: str,
    seed: int,
    count: int,
    vocabulary: Vocabulary,
    shelves: Sequence[Sizes],
) -> list[OpenBatch]:
    drawn = partial(_draw_block, task, split, seed, vocabulary, tuple(shelves))
    starts = enumerate(range(0, count, blocks.BLOCK))
    wanted = [(block, min(blocks.BLOCK, count - start)) for block, start in starts]
    return join_shelves(list(map_on_all_cores(drawn, wanted, chunksize=4)))


def _draw_block(
    task: OpenTask[Any],
    split: str,
    seed: int,
    vocabulary: Vocabulary,
    shelves: Sequence[Sizes],
    block: tuple[int, int],
) -> list[Padded]:
    """Encodes the first so many questions of a block, given its number."""
    number, count = block
    examples = task.block(split, seed, number)[:count]
    questions = prepare_all([(example.tables, example.question) for example in examples], vocabulary)
    return put_on_shelves(examples, questions, shelves, lambda example: example.cells, type_of)
