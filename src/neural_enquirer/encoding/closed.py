"""The paper's closed vocabulary: every word of a question and every cell is one word of the vocabulary."""

from collections.abc import Sequence

import numpy as np
import torch

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.words import PADDING, UNKNOWN, Vocabulary, build_vocabulary, split_words
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.tables import Table

FORMS = ("natural", "sql")
"""What a question is given as: natural language, or the SQL-like text of its logical form."""


class EncodingError(ValueError):
    """Examples that the model cannot take; the message is one line for people."""


def question_texts(examples: ExampleSet, form: str) -> list[str]:
    """Returns the questions in the wanted form."""
    return examples.questions if form == "natural" else examples.logical_forms


def vocabulary_of(examples: ExampleSet) -> Vocabulary:
    """Returns the vocabulary of a training set: its field names, values, and question words in both forms."""
    return build_vocabulary(
        [*examples.field_names, *examples.questions, *examples.logical_forms],
        examples.words,
        examples.entity_words,
    )


def encode(
    examples: ExampleSet, vocabulary: Vocabulary, form: str = "natural", *, by_value: bool = False
) -> Batch:
    """Encodes single-table examples.

    Args:
        examples: the examples; their tables all have the same size.
        vocabulary: the model's words.
        form: one of `FORMS`.
        by_value: whether every cell that holds the answer's value counts as the answer.

    Raises:
        EncodingError: if a question has more than one table.
    """
    if len(examples.tables) != 1:
        raise EncodingError(f"these questions have {len(examples.tables)} tables each; this model reads one")
    (table,) = examples.tables
    words = question_codes(question_texts(examples, form), vocabulary)
    values = np.array(vocabulary.encode(word.lower() for word in examples.words), dtype=np.int32)
    names = np.array(vocabulary.encode(name.lower() for name in examples.field_names), dtype=np.int32)
    cells = values[table.cells]
    _, row, column = examples.answers.T.astype(np.int64)
    answer_values = cells[np.arange(len(cells)), row, column]
    return Batch(
        words=torch.from_numpy(words),
        fields=torch.from_numpy(names[table.fields]),
        cells=torch.from_numpy(cells),
        mentions=torch.from_numpy(mentioned(cells, words, len(vocabulary))),
        answers=torch.from_numpy(row * cells.shape[2] + column),
        answer_cells=torch.from_numpy(cells == answer_values[:, None, None]) if by_value else None,
        steps=torch.from_numpy(executor_labels(examples)),
        types=torch.from_numpy(examples.types.astype(np.int64)),
        padded=False,
    )


def encode_tables(questions: Sequence[tuple[Table, str]], vocabulary: Vocabulary) -> Batch:
    """Encodes questions about tables of any size; words that the vocabulary does not have are unknown."""
    words = question_codes([question for _, question in questions], vocabulary)
    names, cells = table_codes([table for table, _ in questions], vocabulary)
    return Batch(
        words=torch.from_numpy(words),
        fields=torch.from_numpy(names),
        cells=torch.from_numpy(cells),
        mentions=torch.from_numpy(mentioned(cells, words, len(vocabulary))),
        answers=torch.zeros(len(questions), dtype=torch.int64),
        answer_cells=None,
        steps=torch.full((len(questions), 1), -1),
        types=torch.zeros(len(questions), dtype=torch.int64),
        padded=True,
    )


def table_codes(tables: Sequence[Table], vocabulary: Vocabulary) -> tuple[np.ndarray, np.ndarray]:
    """Returns the codes of the tables' fields and cells, padded at the end to the largest table."""
    rows = max(table.row_count for table in tables)
    fields = max(len(table.fields) for table in tables)
    names = np.full((len(tables), fields), PADDING, dtype=np.int32)
    cells = np.full((len(tables), rows, fields), PADDING, dtype=np.int32)
    for i, table in enumerate(tables):
        own = table.row_count, len(table.fields)
        names[i, : own[1]] = vocabulary.encode(name.lower() for name in table.field_names)
        for n in range(own[1]):
            cells[i, : own[0], n] = vocabulary.encode(table.text(m, n).lower() for m in range(own[0]))
    return names, cells


def executor_labels(examples: ExampleSet) -> np.ndarray:
    """Returns the column that each of five executors should read, -1 where it is free.

    The examples have their steps aligned at the end. A condition that names a row belongs to the first
    executor, as in NEST: so what it learns from SELECT_WHERE, the most direct of all questions, serves NEST.
    """
    labels = examples.steps.astype(np.int64)
    direct = examples.types == PROGRAM_TYPES.index("select_where")
    labels[direct, 0] = labels[direct, -2]
    labels[direct, -2] = -1
    return labels


def mentioned(cells: np.ndarray, words: np.ndarray, codes: int) -> np.ndarray:
    """Returns for each cell whether its word is among its question's words."""
    example = np.arange(len(words))
    said = np.zeros((len(words), codes), dtype=bool)
    said[example[:, None], words] = True
    said[:, [PADDING, UNKNOWN]] = False  # an unknown word may be any word
    mentions: np.ndarray = said[example[:, None, None], cells]
    return mentions


def question_codes(texts: list[str], vocabulary: Vocabulary) -> np.ndarray:
    """Returns the codes of the questions' words, padded at the beginning to the longest question."""
    coded = [vocabulary.encode(split_words(text)) for text in texts]
    length = max([1, *map(len, coded)])
    words = np.full((len(coded), length), PADDING, dtype=np.int32)
    for row, codes in zip(words, coded, strict=True):
        row[length - len(codes) :] = codes
    return words
