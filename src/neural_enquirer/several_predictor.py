"""Predictors on several tables: trained models, ready for questions about tables that are asked together."""

import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.open_multi import (
    SeveralIndex,
    SeveralQuestion,
    collate_several,
    prepare_several,
)
from neural_enquirer.encoding.several_tables import encode_table_lists
from neural_enquirer.model.multi_enquirer import MultiEnquirer
from neural_enquirer.model.multi_table import MultiOutput
from neural_enquirer.prediction import (
    NARROWING,
    ROWS_AT_LAST,
    ROWS_SEEN,
    ClosedPredictor,
    OpenPredictor,
    Prediction,
    likeliest_rows,
    only_rows,
)
from neural_enquirer.several_prediction import SeveralPrediction, Tables, predictions_of
from neural_enquirer.tables import Table, TableError

MOST_PAIRS = 10_000_000
"""Every row of a table is compared with every row of another: so many pairs take some seconds."""
PAIRS_AT_ONCE = 200_000
"""Pairs of rows in work at a time, over all questions of a batch: the bound on memory."""

_SETS_KEPT = 16


@runtime_checkable
class SeveralPredictor(Protocol):
    """Anything that predicts on several tables."""

    @property
    def name(self) -> str:
        """Of the model, or the directory it came from."""
        ...

    def predict_several(self, questions: Sequence[tuple[Tables, str]]) -> list[SeveralPrediction]:
        """Answers questions, each about its tables, which have at least one row each."""
        ...


class ClosedSeveralPredictor(ClosedPredictor):
    """Predicts with a model of the paper's closed vocabulary over several tables."""

    def predict(self, questions: Sequence[tuple[Table, str]]) -> list[Prediction]:
        """Answers questions about one table each."""
        return [found.tables[0] for found in self.predict_several([((t,), text) for t, text in questions])]

    @torch.no_grad()
    def predict_several(self, questions: Sequence[tuple[Tables, str]]) -> list[SeveralPrediction]:
        """Answers questions one by one."""
        predictions = []
        for tables, question in questions:
            check_sizes(tables)
            self._check_number(tables)
            batch = encode_table_lists([(tables, question)], self._trained.vocabulary)
            output: MultiOutput = self._trained.model(batch)
            mentioned = [table.mentions for table in batch.tables]
            predictions += predictions_of(output, mentioned, self._trained.temperature, [tables])
        return predictions

    def _check_number(self, tables: Tables) -> None:
        """Sees to it that a model whose tables have executors of their own gets as many as it has."""
        model = self._trained.model
        assert isinstance(model, MultiEnquirer)
        sets = model.config.executor_sets
        if sets > 1 and len(tables) != sets:
            raise TableError(
                f"{self.name} has executors of its own for each of {sets} tables: give {sets} tables, in the "
                f"order in which it learned them, not {len(tables)}"
            )


class OpenSeveralPredictor(OpenPredictor):
    """Predicts with an open model over several tables, or over one."""

    def __init__(self, trained: Checkpoint, name: str) -> None:
        """Wraps a checkpoint."""
        super().__init__(trained, name)
        self._sets: OrderedDict[tuple[int, ...], tuple[tuple[weakref.ref[Table], ...], SeveralIndex]] = (
            OrderedDict()
        )

    def predict_several(self, questions: Sequence[tuple[Tables, str]]) -> list[SeveralPrediction]:
        """Answers questions; those about the same tables together."""
        found: dict[int, SeveralPrediction] = {}
        for group in _groups(questions):
            tables = questions[group[0]][0]
            check_sizes(tables)
            index = self._several_index(tables)
            prepared = [prepare_several(questions[i][1], index, self._vocabulary) for i in group]
            found |= zip(group, self._answer_several(prepared, tables), strict=True)
        return [found[i] for i in range(len(questions))]

    def _several_index(self, tables: Tables) -> SeveralIndex:
        """Returns the index of some tables; those used last are kept as long as others keep the tables."""
        key, sets = tuple(map(id, tables)), self._sets
        known = sets.pop(key, None)
        if known is None or any(one() is None for one in known[0]):
            titles = [PurePath(table.name).stem for table in tables]
            index = SeveralIndex.of([self._index(table) for table in tables], titles)
            known = tuple(weakref.ref(table) for table in tables), index
        sets[key] = known
        if len(sets) > _SETS_KEPT:
            sets.popitem(last=False)
        return known[1]

    @torch.inference_mode()
    def _answer_several(
        self, questions: Sequence[SeveralQuestion], tables: Tables
    ) -> list[SeveralPrediction]:
        batch = collate_several(questions)
        output: MultiOutput = self._model(batch)
        mentioned = [table.cell_mentions > 0 for table in batch.tables]
        predictions = predictions_of(output, mentioned, self._temperature, [tables] * len(questions))
        return [
            self._look_at_less(question, found)
            if any(own.index.shape[0] > ROWS_SEEN for own in question.tables)
            and found.none_probability <= max(float(own.probabilities.max()) for own in found.tables)
            else found
            for question, found in zip(questions, predictions, strict=True)
        ]

    def _look_at_less(self, question: SeveralQuestion, first: SeveralPrediction) -> SeveralPrediction:
        """Looks again, in long tables, at the rows that may matter, ranked anew, until few are left.

        Those are the rows that may hold the answer, those linked to them, and those that the question
        mentions; why is told in `OpenPredictor`. That no table has the answer is decided at the first look.
        """
        kept = [np.arange(own.index.shape[0]) for own in question.tables]
        likely = [own.probabilities for own in first.tables]
        while any(len(rows) > ROWS_AT_LAST for rows in kept):
            chosen = _worth_a_look(question, likely)
            question = _only(question, chosen)
            kept = [rows[own] for rows, own in zip(kept, chosen, strict=True)]
            output: MultiOutput = self._model(collate_several([question]))
            scores = torch.cat([own.answer_scores.flatten(1) for own in output.tables], dim=1)
            sizes = [own.answer_scores[0].numel() for own in output.tables]
            parts = (scores / self._temperature).softmax(dim=1)[0].split(sizes)
            likely = [
                part.view(own.answer_scores.shape[1:])[:, : before.shape[1]].numpy()
                for part, own, before in zip(parts, output.tables, likely, strict=True)
            ]
        tables = []
        for own, rows, chance in zip(first.tables, kept, likely, strict=True):
            probabilities = np.zeros_like(own.probabilities)
            probabilities[rows] = chance * (1 - first.none_probability)
            tables.append(replace(own, probabilities=probabilities))
        return replace(first, tables=tuple(tables))


def check_sizes(tables: Tables) -> None:
    """Raises a TableError where two tables have too many pairs of rows to compare."""
    longest = sorted(tables, key=lambda table: -table.row_count)[:2]
    if len(longest) > 1 and longest[0].row_count * longest[1].row_count > MOST_PAIRS:
        sizes = " and ".join(f"{table.row_count:,} rows of {table.name}" for table in longest)
        raise TableError(
            f"{sizes} are too many to compare row by row (at most {MOST_PAIRS:,} pairs); ask with fewer rows"
        )


def _groups(questions: Sequence[tuple[Tables, str]]) -> Iterator[list[int]]:
    """Puts questions about the same tables together, as many as are worked on at once."""
    by_tables: dict[tuple[int, ...], list[int]] = {}
    for i, (tables, _) in enumerate(questions):
        by_tables.setdefault(tuple(map(id, tables)), []).append(i)
    for group in by_tables.values():
        rows = [table.row_count for table in questions[group[0]][0]]
        pairs = max(1, sum(rows) ** 2)
        count = max(1, PAIRS_AT_ONCE // pairs)
        yield from (group[start : start + count] for start in range(0, len(group), count))


def _worth_a_look(
    question: SeveralQuestion, likely: Sequence[npt.NDArray[np.float32]]
) -> list[npt.NDArray[np.intp]]:
    """Returns the rows of each table to look at again.

    A row is as likely to matter as the likeliest of its own cells, or as that of a row that shares a value
    with one of its cells, at half the weight.
    """
    chosen = []
    for k, own in enumerate(question.tables):
        by_row = likely[k].max(axis=1)
        for j, values in enumerate(question.values):
            if j != k:
                by_row = np.maximum(by_row, _passed_on(likely[j].max(axis=1), values, question.values[k]) / 2)
        count = max(ROWS_AT_LAST, len(by_row) // NARROWING)
        chosen.append(likeliest_rows(own, by_row, count) if len(by_row) > count else np.arange(len(by_row)))
    return chosen


def _passed_on(
    likely: npt.NDArray[np.float32], values: npt.NDArray[np.int32], others: npt.NDArray[np.int32]
) -> npt.NDArray[np.float32]:
    """Hands what is known of rows on to the rows of another table that share a value with them."""
    best = np.zeros(int(max(values.max(initial=0), others.max(initial=0))) + 1, dtype=np.float32)
    for column in values.T:
        np.maximum.at(best, column, likely)
    best[0] = 0
    passed: npt.NDArray[np.float32] = best[others].max(axis=1)
    return passed


def _only(question: SeveralQuestion, rows: Sequence[npt.NDArray[np.intp]]) -> SeveralQuestion:
    tables = tuple(only_rows(own, chosen) for own, chosen in zip(question.tables, rows, strict=True))
    values = tuple(own[chosen] for own, chosen in zip(question.values, rows, strict=True))
    return SeveralQuestion(tables, values)
