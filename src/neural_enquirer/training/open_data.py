"""The open task as tensors: blocks of examples are drawn, linked and padded by all cores at once."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from neural_enquirer.encoding.open import OpenQuestion, Sizes, batch_of, pad, prepare
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.examples import PROGRAM_TYPES
from neural_enquirer.synthesis.open.examples import OpenExample
from neural_enquirer.synthesis.open.sampler import BLOCK, draw_block
from neural_enquirer.synthesis.open.vocabulary import phrase_words
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.shelves import MIDDLE, SMALL, Arrays, join_shelves, shelf_of

OPEN_TYPES = (
    *PROGRAM_TYPES,
    *(f"{name}, natural" for name in PROGRAM_TYPES),
    "either",
    "order",
    "absent",
    "unsupported",
)
"""What accuracies are reported for: the four types in literal and in natural wording; choices between two
named things; places in the table; refusals."""

SHELVES = (SMALL, MIDDLE)
"""The sizes of padded training examples; the few that fit none are left out."""


def open_vocabulary() -> Vocabulary:
    """Returns the words whose vectors are learned: those of phrases and known headers, never of values."""
    return Vocabulary(tuple(sorted(phrase_words())), frozenset())


def type_of(example: OpenExample) -> int:
    """Returns the place of an example in `OPEN_TYPES`."""
    if example.type in PROGRAM_TYPES and example.wording == "natural":
        return OPEN_TYPES.index(f"{example.type}, natural")
    return OPEN_TYPES.index(example.type)


def encode_examples(examples: Sequence[OpenExample], vocabulary: Vocabulary) -> OpenBatch:
    """Encodes examples, padded to the largest of them."""
    questions = _prepared(examples, vocabulary)
    return batch_of(_arrays(examples, questions, Sizes.of(questions)))


def draw_encoded(
    split: str, seed: int, count: int, vocabulary: Vocabulary, shelves: Sequence[Sizes] = SHELVES
) -> list[OpenBatch]:
    """Draws the examples of a split, whole blocks of them, and encodes those that a shelf holds."""
    blocks = range(-(-count // BLOCK))
    draw = partial(_draw_arrays, split, seed, vocabulary, tuple(shelves))
    return join_shelves(list(map_on_all_cores(draw, blocks, chunksize=4)))


def _draw_arrays(
    split: str, seed: int, vocabulary: Vocabulary, shelves: Sequence[Sizes], block: int
) -> list[Arrays]:
    examples = draw_block(split, seed, block)
    questions = _prepared(examples, vocabulary)
    places = [shelf_of(question, shelves) for question in questions]
    return [
        _arrays(
            [example for example, place in zip(examples, places, strict=True) if place == shelf],
            [question for question, place in zip(questions, places, strict=True) if place == shelf],
            sizes,
        )
        for shelf, sizes in enumerate(shelves)
    ]


def _prepared(examples: Sequence[OpenExample], vocabulary: Vocabulary) -> list[OpenQuestion]:
    indexes: dict[int, TableIndex] = {}  # several questions may share a table; `examples` keeps it alive
    for example in examples:
        if id(example.table) not in indexes:
            indexes[id(example.table)] = TableIndex.of(example.table)
    return [prepare(example.question, indexes[id(example.table)], vocabulary) for example in examples]


def _arrays(examples: Sequence[OpenExample], questions: Sequence[OpenQuestion], sizes: Sizes) -> Arrays:
    arrays = pad(questions, sizes)
    cells = [(-1, -1) if example.answer is None else example.answer for example in examples]
    arrays["answer_cell"] = np.array(cells, dtype=np.int32).reshape(len(examples), 2)
    arrays["types"] = np.array([type_of(example) for example in examples], dtype=np.int64)
    return arrays
