"""Encoded examples back as the tables and words they stand for."""

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.examples import word_value
from neural_enquirer.tables import Field, FieldType, Table


def texts(vocabulary: Vocabulary, codes: list[int]) -> list[str]:
    return [vocabulary.words[code - 2] for code in codes if code]


def table_of(vocabulary: Vocabulary, batch: Batch, index: int) -> Table:
    coded = batch.table.cells[index].T.tolist()
    columns = tuple(tuple(map(word_value, texts(vocabulary, column))) for column in coded)
    types = [FieldType.TEXT if isinstance(column[0], str) else FieldType.NUMBER for column in columns]
    names = texts(vocabulary, batch.table.fields[index].tolist())
    return Table(tuple(Field(name, kind) for name, kind in zip(names, types, strict=True)), columns)
