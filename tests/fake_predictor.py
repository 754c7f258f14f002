"""A model that needs no training: it answers with the last row of the field that the question names."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.linking import Links, link, link_tables
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.word_index import JoinedIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.judge.ranked import REFUSALS, Ranked
from neural_enquirer.prediction import FieldLink, Prediction, TablePrediction, Tables, Verdict
from neural_enquirer.programs import parse, run
from neural_enquirer.tables import Table

EXECUTORS = 3
VOCABULARY: Final = Vocabulary(
    (*("the", "of", "in", "is", "who", "how", "many"), *("what", "phone", "number", "work", "highest")),
    frozenset(),
)


class FakePredictor:
    """Sure of its answers (0.9), unless the question says "perhaps" (0.4); no field: not in the table.

    It looks at the first table only. What it has a program or a refusal for is answered by that (0.8).
    """

    name = "fake"

    def __init__(self, programs: Mapping[str, str] | None = None) -> None:
        self.batches: list[int] = []
        self.programs = programs or {}

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        self.batches.append(len(questions))
        return [_prediction(tables, question) for tables, question in questions]

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        predictions = self.predict(questions)
        return [
            self._verdict(*asked, prediction)
            for asked, prediction in zip(questions, predictions, strict=True)
        ]

    def _verdict(self, tables: Tables, question: str, prediction: Prediction) -> Verdict:
        if question not in self.programs:
            return Verdict(prediction)
        text = self.programs[question]
        if text in REFUSALS:
            ranked = Ranked(None, text, None, 0.8)
        else:
            program = parse(text)
            ranked = Ranked(program, None, run(program, tables), 0.8)
        return Verdict(prediction, (ranked,), tuple(links_of(question, tables)))


def links_of(question: str, tables: Sequence[Table]) -> Sequence[Links]:
    """What the words of a question point at."""
    indexes = [TableIndex.of(table) for table in tables]
    if len(tables) == 1:
        return [link(question, indexes[0], VOCABULARY)]
    return link_tables(question, JoinedIndex(indexes, [table.name for table in tables]), VOCABULARY)


def _prediction(tables: Tables, question: str) -> Prediction:
    table, *others = tables
    named = [i for i, name in enumerate(table.field_names) if name.casefold() in question.casefold()]
    column = named[0] if named else 0
    present = np.array([[cell is not None for cell in column] for column in table.columns]).T
    rows = np.flatnonzero(present[:, column])
    sure = 0.0 if not named or not len(rows) else 0.4 if "perhaps" in question else 0.9
    probabilities = present / max(present.sum(), 1) * 0.05
    row = int(rows[-1]) if len(rows) else 0
    probabilities[row, column] += sure
    none = 1 - float(probabilities.sum()) if sure else 0.95
    if sure == 0.4:
        none = 0.1
    weights = np.full((EXECUTORS, len(table.fields)), 0.1 / len(table.fields), np.float32)
    weights[:, column] += 0.9
    marks = np.zeros((EXECUTORS, table.row_count), np.float32)
    marks[1:, row] = 0.97
    first = TablePrediction(probabilities.astype(np.float32), weights, marks)
    return Prediction((first, *map(_nothing, others)), none, _links(tables), ({},) * EXECUTORS)


def _links(tables: Tables) -> tuple[FieldLink, ...]:
    """Links the first two tables by the first fields that share a text."""
    one, other = (tables * 2)[:2]
    shared = (
        FieldLink((0, 1), (i, j), 1.0)
        for i, left in enumerate(one.columns)
        for j, right in enumerate(other.columns)
        if any(isinstance(cell, str) and cell in right for cell in left)
    )
    return tuple(shared)[:1] if len(tables) > 1 else ()


def _nothing(table: Table) -> TablePrediction:
    """What it says of a table that it does not look at."""
    rows, fields = table.row_count, len(table.fields)
    weights = np.full((EXECUTORS, fields), 1 / fields, np.float32)
    return TablePrediction(
        np.zeros((rows, fields), np.float32), weights, np.zeros((EXECUTORS, rows), np.float32)
    )
