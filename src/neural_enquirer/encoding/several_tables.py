"""Questions on several tables, with the paper's closed vocabulary."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.encoding.closed import (
    EncodingError,
    mentioned,
    question_codes,
    question_texts,
    table_codes,
)
from neural_enquirer.encoding.multi_batch import MultiBatch, TableCodes
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.examples import ExampleSet
from neural_enquirer.tables import Table

JOIN_TYPES: Final = ("non_join", "join")
"""What accuracies are reported for: questions that one table answers, and those that need two."""


def encode_several(
    examples: ExampleSet, vocabulary: Vocabulary, form: str = "natural", *, by_value: bool = False
) -> MultiBatch:
    """Encodes examples with as many tables each; the arguments are those of `closed.encode`.

    Raises:
        EncodingError: if a question has only one table.
    """
    # Who asks about tables of their own needs none of the words of that task.
    from neural_enquirer.synthesis.two_tables import joined

    if len(examples.tables) == 1:
        raise EncodingError("these questions have one table each; this model reads several")
    words = question_codes(question_texts(examples, form), vocabulary)
    values = np.array(vocabulary.encode(word.lower() for word in examples.words), dtype=np.int32)
    names = np.array(vocabulary.encode(name.lower() for name in examples.field_names), dtype=np.int32)
    blocks = [(names[block.fields], values[block.cells]) for block in examples.tables]
    answers = _answer_cells(examples, [cells for _, cells in blocks])
    whole = np.concatenate([cells.reshape(len(examples), -1) for _, cells in blocks], axis=1)
    held = whole == np.take_along_axis(whole, answers[:, None], axis=1)
    return MultiBatch(
        words=torch.from_numpy(words),
        tables=tuple(_table(fields, cells, words, vocabulary) for fields, cells in blocks),
        answers=torch.from_numpy(answers),
        answer_cells=torch.from_numpy(held) if by_value else None,
        types=torch.from_numpy(joined(examples).astype(np.int64)),
    )


def encode_table_lists(
    questions: Sequence[tuple[Sequence[Table], str]], vocabulary: Vocabulary
) -> MultiBatch:
    """Encodes questions about tables of any size, as many tables for each question."""
    words = question_codes([question for _, question in questions], vocabulary)
    places = zip(*(tables for tables, _ in questions), strict=True)
    blocks = [table_codes(tables, vocabulary) for tables in places]
    return MultiBatch(
        words=torch.from_numpy(words),
        tables=tuple(_table(fields, cells, words, vocabulary, padded=True) for fields, cells in blocks),
        answers=torch.zeros(len(questions), dtype=torch.int64),
        answer_cells=None,
        types=torch.zeros(len(questions), dtype=torch.int64),
    )


def _answer_cells(examples: ExampleSet, cells: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int64]:
    """Returns the place of each answer among the cells of all tables."""
    table, row, column = examples.answers.T.astype(np.int64)
    widths = np.array([block.shape[2] for block in cells])
    sizes = np.array([block.shape[1] * block.shape[2] for block in cells])
    before = np.cumsum(sizes) - sizes
    place: npt.NDArray[np.int64] = before[table] + row * widths[table] + column
    return place


def _table(
    fields: npt.NDArray[np.int32],
    cells: npt.NDArray[np.int32],
    words: npt.NDArray[np.int32],
    vocabulary: Vocabulary,
    *,
    padded: bool = False,
) -> TableCodes:
    mentions = mentioned(cells, words, len(vocabulary))
    return TableCodes(torch.from_numpy(fields), torch.from_numpy(cells), torch.from_numpy(mentions), padded)
