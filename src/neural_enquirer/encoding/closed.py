"""The paper's closed vocabulary: every word of a question and every cell is one word of the vocabulary."""

from collections.abc import Sequence

import numpy as np
import torch

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.encoding.words import PADDING, UNKNOWN, Vocabulary, build_vocabulary, split_words
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.tables import Table

FORMS = ("natural", "sql")
"""What a question is given as: natural language, or the SQL-like text of its logical form."""
JOIN_TYPES = ("non_join", "join")
"""The types of questions on several tables: those that one table answers, and those that need two."""


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
    """Encodes examples, all with as many tables.

    Args:
        examples: the examples; their first tables all have the same size, and so have any further ones.
        vocabulary: the model's words.
        form: one of `FORMS`.
        by_value: whether every cell that holds the answer's value counts as the answer.
    """
    words = question_codes(question_texts(examples, form), vocabulary)
    values = np.array(vocabulary.encode(word.lower() for word in examples.words), dtype=np.int32)
    names = np.array(vocabulary.encode(name.lower() for name in examples.field_names), dtype=np.int32)
    blocks = [(names[block.fields], values[block.cells]) for block in examples.tables]
    answers = _answer_cells(examples, [cells for _, cells in blocks])
    whole = np.concatenate(
        [cells.reshape(len(cells), np.prod(cells.shape[1:])) for _, cells in blocks], axis=1
    )
    held = whole == np.take_along_axis(whole, answers[:, None], axis=1)
    return Batch(
        words=torch.from_numpy(words),
        tables=tuple(_table(fields, cells, words, vocabulary) for fields, cells in blocks),
        answers=torch.from_numpy(answers),
        answer_cells=torch.from_numpy(held) if by_value else None,
        steps=torch.from_numpy(executor_labels(examples)),
        types=torch.from_numpy(_types(examples)),
    )


def encode_tables(questions: Sequence[tuple[Sequence[Table], str]], vocabulary: Vocabulary) -> Batch:
    """Encodes questions about tables of any size, as many tables for each question.

    Words that the vocabulary does not have are unknown.
    """
    words = question_codes([question for _, question in questions], vocabulary)
    places = zip(*(tables for tables, _ in questions), strict=True)
    blocks = [table_codes(tables, vocabulary) for tables in places]
    return Batch(
        words=torch.from_numpy(words),
        tables=tuple(_table(fields, cells, words, vocabulary, padded=True) for fields, cells in blocks),
        answers=torch.zeros(len(questions), dtype=torch.int64),
        answer_cells=None,
        steps=torch.full((len(questions), 1), -1),
        types=torch.zeros(len(questions), dtype=torch.int64),
    )


def type_names(examples: ExampleSet) -> tuple[str, ...]:
    """Returns what accuracies are reported for: forms on one table, and whether a question needs several."""
    return PROGRAM_TYPES if len(examples.tables) == 1 else JOIN_TYPES


def _types(examples: ExampleSet) -> np.ndarray:
    """Returns the place of each question among its `type_names`."""
    # Who asks about tables of their own needs none of the words of the task with two.
    from neural_enquirer.synthesis.two_tables import joined

    types = examples.types if len(examples.tables) == 1 else joined(examples)
    return types.astype(np.int64)


def _answer_cells(examples: ExampleSet, cells: Sequence[np.ndarray]) -> np.ndarray:
    """Returns the place of each answer among the cells of all tables."""
    table, row, column = examples.answers.T.astype(np.int64)
    widths = np.array([block.shape[2] for block in cells])
    sizes = np.array([block.shape[1] * block.shape[2] for block in cells])
    before = np.cumsum(sizes) - sizes
    place: np.ndarray = before[table] + row * widths[table] + column
    return place


def _table(
    fields: np.ndarray, cells: np.ndarray, words: np.ndarray, vocabulary: Vocabulary, *, padded: bool = False
) -> TableCodes:
    mentions = mentioned(cells, words, len(vocabulary))
    return TableCodes(torch.from_numpy(fields), torch.from_numpy(cells), torch.from_numpy(mentions), padded)


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

    Among several tables all are free. The examples have their steps aligned at the end. A condition that
    names a row belongs to the first executor, as in NEST: so what it learns from SELECT_WHERE, the most
    direct of all questions, serves NEST.
    """
    labels = examples.steps.astype(np.int64)
    if len(examples.tables) > 1:
        return np.full_like(labels, -1)
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
