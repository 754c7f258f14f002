"""Questions with their tables as arrays, many at a time: all that the chart and the features read.

The fields of every table are put in one order, those with an order (numbers, dates) first. Cells become
keys: equal cells of a field have equal keys, and the keys of ordered fields compare as the cells do.
"""

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.questions import (
    Anchor,
    Question,
    name_words,
    normal,
    read_question,
)
from neural_enquirer.encoding.closed import EncodingError
from neural_enquirer.synthesis.examples import ExampleSet, word_value
from neural_enquirer.tables import FieldType, Table, Value

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Problems:
    """Columns of questions on tables of one shape; entry i of every column belongs to question i."""

    field_names: tuple[str, ...]
    """What the numbers in `fields` stand for."""
    fields: Ints
    """``[question, field]``: which name each field has."""
    columns: Ints
    """``[question, field]``: where the field stands in its table."""
    ordered: Mask
    """``[question, field]``: whether the field's cells have an order."""
    keys: Floats
    """``[question, row, field]``: the cells; NaN where one is missing."""
    values: Floats
    """``[question, anchor, field]``: the question's values as keys of each field; NaN where one is not of the
    field's type, or there is no such anchor."""
    matches: npt.NDArray[np.float32]
    """``[question, field]``: the share of the words of the field's name that the question holds."""
    questions: tuple[Question, ...]
    answers: Ints
    """``[question, 2]``: row and field of the answer's cell, or -1."""
    types: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.questions)

    @property
    def ordered_count(self) -> int:
        """How many fields have an order, in the table that has most of them; at least one is looked at."""
        return int(self.ordered.sum(axis=1).max(initial=1))

    def select(self, chosen: npt.NDArray[np.integer[Any]]) -> "Problems":
        """The problems at some positions."""
        return dataclasses.replace(
            self,
            fields=self.fields[chosen],
            columns=self.columns[chosen],
            ordered=self.ordered[chosen],
            keys=self.keys[chosen],
            values=self.values[chosen],
            matches=self.matches[chosen],
            questions=tuple(self.questions[index] for index in chosen),
            answers=self.answers[chosen],
            types=self.types[chosen],
        )


def of_examples(examples: ExampleSet) -> Problems:
    """The problems of a data set.

    Raises:
        EncodingError: if a question has more than one table.
    """
    if len(examples.tables) != 1:
        raise EncodingError(f"these questions have {len(examples.tables)} tables each; the parser reads one")
    block = examples.tables[0]
    is_text = np.array([isinstance(word_value(word), str) for word in examples.words])
    texts = {normal(word): float(code) for code, word in enumerate(examples.words) if is_text[code]}
    of_word = [
        texts[normal(word)] if is_text[i] else word_value(word) for i, word in enumerate(examples.words)
    ]
    ordered = ~is_text[block.cells[:, 0, :]]
    columns = np.lexsort((block.fields, ~ordered), axis=1)
    ordered = np.take_along_axis(ordered, columns, axis=1)
    fields = np.take_along_axis(block.fields, columns, axis=1).astype(np.int64)
    questions = tuple(read_question(text, texts, _longest(texts)) for text in examples.questions)
    numbers, spelled = _anchors(questions, texts)
    return Problems(
        field_names=examples.field_names,
        fields=fields,
        columns=columns,
        ordered=ordered,
        keys=np.take_along_axis(np.array(of_word, np.float64)[block.cells], columns[:, None, :], axis=2),
        values=np.where(ordered[:, None, :], numbers[:, :, None], spelled[:, :, None]),
        matches=_matches(examples.field_names, fields, questions),
        questions=questions,
        answers=np.stack(
            (examples.answers[:, 1], (columns == examples.answers[:, 2:]).argmax(axis=1)), axis=1
        ).astype(np.int64),
        types=examples.types,
    )


def of_table(table: Table, question: str) -> Problems:
    """One question on any table."""
    cells = [
        [normal(table.text(row, at)) for row in range(table.row_count)] for at in range(len(table.fields))
    ]
    codes = {text: float(code) for code, text in enumerate(dict.fromkeys(text for c in cells for text in c))}
    codes.pop("", None)
    types = [field.type for field in table.fields]
    keys = [_keys(*column, codes) for column in zip(types, table.columns, cells, strict=True)]
    read = read_question(question, codes, _longest(codes))
    values = [
        [_value(anchor, *column, codes) for column in zip(types, keys, cells, strict=True)]
        for anchor in read.anchors
    ]
    ordered = np.array([kind is not FieldType.TEXT for kind in types])
    columns = np.argsort(~ordered, kind="stable")
    shape = max(len(read.anchors), 1), len(types)
    return Problems(
        field_names=table.field_names,
        fields=columns[None],
        columns=columns[None],
        ordered=ordered[columns][None],
        keys=np.array(keys, np.float64).T[:, columns][None],
        values=np.array(values or np.full(shape, np.nan), np.float64)[:, columns][None],
        matches=_matches(table.field_names, columns[None], (read,)),
        questions=(read,),
        answers=np.full((1, 2), -1),
        types=np.zeros(1, dtype=np.uint8),
    )


def _longest(texts: Mapping[str, float]) -> int:
    return max((text.count(" ") + 1 for text in texts), default=0)


def _keys(
    kind: FieldType, column: Sequence[Value | None], texts: Sequence[str], codes: Mapping[str, float]
) -> list[float]:
    """The cells of a field as keys; text that is all blanks and marks counts as missing."""
    if kind is FieldType.TEXT:
        return [
            np.nan if cell is None else codes.get(text, np.nan)
            for cell, text in zip(column, texts, strict=True)
        ]
    return [np.nan if cell is None else _order(cell) for cell in column]


def _order(value: Value) -> float:
    """A number that compares as the value does."""
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=datetime.UTC).timestamp()
    if isinstance(value, datetime.date):
        return float(value.toordinal())
    return float(value)


def _value(
    anchor: Anchor, kind: FieldType, keys: Sequence[float], texts: Sequence[str], codes: Mapping[str, float]
) -> float:
    """A value of the question as a key of one field; a date must be spelled as one of the cells is."""
    if kind is FieldType.NUMBER:
        return np.nan if anchor.number is None else anchor.number
    if kind is FieldType.TEXT:
        return codes.get(anchor.text, np.nan)
    return keys[texts.index(anchor.text)] if anchor.text in texts else np.nan


def _anchors(questions: Sequence[Question], codes: Mapping[str, float]) -> Floats:
    """``[2, question, anchor]``: each value as a number and as a text."""
    most = max((len(question.anchors) for question in questions), default=0)
    anchors = np.full((2, len(questions), max(most, 1)), np.nan)
    for index, question in enumerate(questions):
        for place, anchor in enumerate(question.anchors):
            number = np.nan if anchor.number is None else anchor.number
            anchors[:, index, place] = number, codes.get(anchor.text, np.nan)
    return anchors


def _matches(names: Sequence[str], fields: Ints, questions: Sequence[Question]) -> npt.NDArray[np.float32]:
    """``[question, field]``: the share of the words of each field's name that the question holds."""
    of_name = [name_words(name) for name in names]
    shares = np.zeros((len(questions), len(names)), dtype=np.float32)
    for index, question in enumerate(questions):
        words = set(question.words)
        shares[index] = [len(name & words) / max(len(name), 1) for name in of_name]
    return np.take_along_axis(shares, fields, axis=1)
