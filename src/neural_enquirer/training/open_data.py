"""The open task as tensors: blocks of examples are drawn, linked and padded by all cores at once."""

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.open import OpenQuestion, Sizes, batch_of, pad, prepare
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.examples import QUERY_TYPES
from neural_enquirer.synthesis.open.examples import OpenExample
from neural_enquirer.synthesis.open.sampler import BLOCK, draw_block
from neural_enquirer.synthesis.open.vocabulary import phrase_words
from neural_enquirer.training.all_cores import map_on_all_cores

OPEN_TYPES = (*QUERY_TYPES, *(f"{name}, natural" for name in QUERY_TYPES), "absent", "unsupported")
"""What accuracies are reported for: the four types in literal and in natural wording; refusals."""

SIZES = Sizes(tokens=40, rows=24, fields=13, headers=6, mentions=8, quantities=4)
"""Of the padded training examples; the few that do not fit are left out."""

Arrays = dict[str, npt.NDArray[Any]]


def open_vocabulary() -> Vocabulary:
    """Returns the words whose vectors are learned: those of phrases and known headers, never of values."""
    return Vocabulary(tuple(sorted(phrase_words())), frozenset())


def type_of(example: OpenExample) -> int:
    """Returns the place of an example in `OPEN_TYPES`."""
    if example.type in QUERY_TYPES and example.wording == "natural":
        return OPEN_TYPES.index(f"{example.type}, natural")
    return OPEN_TYPES.index(example.type)


def encode_examples(
    examples: Sequence[OpenExample], vocabulary: Vocabulary, sizes: Sizes | None = None
) -> OpenBatch:
    """Encodes examples; of given sizes only those that fit."""
    return batch_of(_arrays(examples, vocabulary, sizes))


def draw_encoded(split: str, seed: int, count: int, vocabulary: Vocabulary) -> OpenBatch:
    """Draws and encodes the first examples of a split; fewer by those that do not fit the sizes."""
    blocks = range(-(-count // BLOCK))
    parts = map_on_all_cores(partial(_draw_arrays, split, seed, vocabulary), blocks, chunksize=4)
    first = next(parts)
    whole = {
        name: np.empty((len(blocks) * BLOCK, *array.shape[1:]), array.dtype) for name, array in first.items()
    }
    filled = 0
    for part in itertools.chain((first,), parts):
        filled = _append(whole, part, filled)
    return batch_of({name: array[: min(filled, count)] for name, array in whole.items()})


def _append(whole: Arrays, part: Arrays, filled: int) -> int:
    count = len(part["words"])
    for name, array in part.items():
        whole[name][filled : filled + count] = array
    return filled + count


def _draw_arrays(split: str, seed: int, vocabulary: Vocabulary, block: int) -> Arrays:
    return _arrays(draw_block(split, seed, block), vocabulary, SIZES)


def _arrays(examples: Sequence[OpenExample], vocabulary: Vocabulary, sizes: Sizes | None) -> Arrays:
    questions: list[OpenQuestion] = []
    kept: list[OpenExample] = []
    indexes: dict[int, TableIndex] = {}  # several questions may share a table; `examples` keeps it alive
    for example in examples:
        if id(example.table) not in indexes:
            indexes[id(example.table)] = TableIndex.of(example.table)
        question = prepare(example.question, indexes[id(example.table)], vocabulary)
        if sizes is None or sizes.hold(question):
            questions.append(question)
            kept.append(example)
    arrays = pad(questions, sizes or Sizes.of(questions))
    cells = [(-1, -1) if example.answer is None else example.answer for example in kept]
    arrays["answer_cell"] = np.array(cells, dtype=np.int32).reshape(len(kept), 2)
    arrays["types"] = np.array([type_of(example) for example in kept], dtype=np.int64)
    return arrays
