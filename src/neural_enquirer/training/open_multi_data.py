"""The open task on two tables as tensors, with questions on one table mixed in."""

import dataclasses
from collections.abc import Sequence
from functools import partial

import numpy as np

from neural_enquirer.encoding.open import Sizes
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.open_multi import (
    Arrays,
    SeveralIndex,
    SeveralQuestion,
    holds,
    pad_several,
    prepare_several,
    several_batch_of,
    sizes_of,
)
from neural_enquirer.encoding.open_multi_batch import OpenMultiBatch
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.open.join_sampler import BLOCK, JOIN_TYPES, JoinExample, draw_join_block
from neural_enquirer.synthesis.open.join_vocabulary import join_words
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.open_data import open_vocabulary
from neural_enquirer.training.real_data import joined_vocabulary

OPEN_MULTI_TYPES = (*JOIN_TYPES, *(f"{name}, natural" for name in JOIN_TYPES))
"""What accuracies are reported for: the kinds of questions on two tables, in literal and natural wording."""

TABLE = Sizes(tokens=36, rows=12, fields=9, headers=5, mentions=6, quantities=3)
SHELF = (TABLE, TABLE)
"""The sizes of padded training examples; the few that do not fit are left out."""


def open_multi_vocabulary(known: Sequence[str] = ()) -> Vocabulary:
    """Returns the words whose vectors are learned.

    They are the open task's, those that lead from table to table, and those that a model to begin with knows.
    """
    return joined_vocabulary(open_vocabulary(), {*join_words(), *known})


def type_of(example: JoinExample) -> int:
    """Returns the place of an example in `OPEN_MULTI_TYPES`."""
    natural = example.wording == "natural"
    return OPEN_MULTI_TYPES.index(f"{example.type}, natural" if natural else example.type)


def encode_join_examples(examples: Sequence[JoinExample], vocabulary: Vocabulary) -> OpenMultiBatch:
    """Encodes examples, padded to the largest of them."""
    questions = _prepared(examples, vocabulary)
    return several_batch_of(_arrays(examples, questions, sizes_of(questions)))


def draw_encoded_joins(split: str, seed: int, count: int, vocabulary: Vocabulary) -> OpenMultiBatch:
    """Draws the examples of a split, whole blocks of them, and encodes those that fit."""
    draw = partial(_draw_arrays, split, seed, vocabulary)
    parts = list(map_on_all_cores(draw, range(-(-count // BLOCK)), chunksize=4))
    joined = [
        {name: np.concatenate([block[place][name] for block in parts]) for name in first}
        for place, first in enumerate(parts[0])
    ]
    return several_batch_of(joined)


def with_later_types(batch: OpenBatch, first: int) -> OpenBatch:
    """Returns a batch whose types count from `first` on."""
    return dataclasses.replace(batch, types=batch.types + first)


def _draw_arrays(split: str, seed: int, vocabulary: Vocabulary, block: int) -> list[Arrays]:
    examples = draw_join_block(split, seed, block)
    questions = _prepared(examples, vocabulary)
    fitting = [i for i, question in enumerate(questions) if holds(SHELF, question)]
    return _arrays([examples[i] for i in fitting], [questions[i] for i in fitting], SHELF)


def _prepared(examples: Sequence[JoinExample], vocabulary: Vocabulary) -> list[SeveralQuestion]:
    indexes: dict[int, TableIndex] = {}  # several questions may share a table; `examples` keeps it alive
    pairs: dict[tuple[int, ...], SeveralIndex] = {}
    questions = []
    for example in examples:
        key = tuple(map(id, example.tables))
        if key not in pairs:
            for table in example.tables:
                if id(table) not in indexes:
                    indexes[id(table)] = TableIndex.of(table)
            titles = [table.name for table in example.tables]
            pairs[key] = SeveralIndex.of([indexes[one] for one in key], titles)
        questions.append(prepare_several(example.question, pairs[key], vocabulary))
    return questions


def _arrays(
    examples: Sequence[JoinExample], questions: Sequence[SeveralQuestion], sizes: Sequence[Sizes]
) -> list[Arrays]:
    answers = [example.cells for example in examples]
    return pad_several(questions, sizes, answers, [type_of(example) for example in examples])
