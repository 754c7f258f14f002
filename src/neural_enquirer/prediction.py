"""Predictions: a trained model, ready for any number of questions on tables of any size."""

import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Float
from torch import Tensor

from neural_enquirer import checkpoint
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.closed import encode_tables
from neural_enquirer.encoding.linking import EQUAL
from neural_enquirer.encoding.open import OpenQuestion, collate, prepare
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.model.cascade import Output
from neural_enquirer.model.chunked import answer_in_chunks
from neural_enquirer.model.multi_enquirer import MultiEnquirer
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.model.open_multi_enquirer import OpenMultiEnquirer
from neural_enquirer.tables import Table

CELLS_AT_ONCE = 32_768
"""Cells in work at a time: few enough for the processor's caches, and the bound on memory."""

QUESTIONS_AT_ONCE = 512
"""Questions in work at a time: what is made of them is gone before it costs time to keep track of."""

ROWS_SEEN = 24
"""As many rows as the model saw in training; a longer table is looked at again, at fewer rows each time."""

ROWS_AT_LAST = 12
"""How many are left in the end: fewer than the model saw, so that it tells neighbours apart for certain."""

NARROWING = 8
"""How many times fewer rows each look has than the one before."""

_TABLES_KEPT = 16

BASELINES = ("neural-programmer", "semantic-parser")
"""What checkpoints call the systems that Neural Enquirer is measured against."""


@dataclass(frozen=True)
class Prediction:
    """What a model says of one question.

    Attributes:
        probabilities: of each cell being the answer; missing cells have none.
        none_probability: that the table cannot answer the question; all together sum to 1.
        field_weights: what each reading executor looked at; what is missing to 1 went to the order of rows.
        row_marks: from 0 to 1, which rows each reading executor marked.
        program: the steps that a baseline's program took, in words; Neural Enquirer writes none.
    """

    probabilities: npt.NDArray[np.float32]
    none_probability: float
    field_weights: npt.NDArray[np.float32]
    row_marks: npt.NDArray[np.float32]
    program: tuple[str, ...] = ()


class Predictor(Protocol):
    """Anything that predicts."""

    @property
    def name(self) -> str:
        """Of the model, or the directory it came from."""
        ...

    def predict(self, questions: Sequence[tuple[Table, str]]) -> list[Prediction]:
        """Answers questions, each about its table, which has at least one row."""
        ...


def load_predictor(name_or_directory: str | Path = "open") -> Predictor:
    """Loads a shipped model by its name, or one from a directory."""
    if checkpoint.read_config(checkpoint.locate(name_or_directory)).get("kind") in BASELINES:
        from neural_enquirer.baseline_prediction import load_baseline  # what only few ask for

        return load_baseline(name_or_directory)
    loaded = checkpoint.load(name_or_directory)
    if isinstance(loaded.model, OpenMultiEnquirer | MultiEnquirer):
        from neural_enquirer import several_predictor

        if isinstance(loaded.model, OpenEnquirer):
            return several_predictor.OpenSeveralPredictor(loaded, str(name_or_directory))
        return several_predictor.ClosedSeveralPredictor(loaded, str(name_or_directory))
    kind = OpenPredictor if isinstance(loaded.model, OpenEnquirer) else ClosedPredictor
    return kind(loaded, str(name_or_directory))


class ClosedPredictor:
    """Predicts with a model of the paper's closed vocabulary: it knows the tables of its own task only."""

    def __init__(self, trained: Checkpoint, name: str) -> None:
        """Wraps a checkpoint."""
        self.name = name
        self._trained = trained

    @torch.no_grad()
    def predict(self, questions: Sequence[tuple[Table, str]]) -> list[Prediction]:
        """Answers questions one table size at a time."""
        model, vocabulary = self._trained.model, self._trained.vocabulary
        predictions: list[Prediction] = []
        for table, question in questions:
            batch = encode_tables([(table, question)], vocabulary)
            output: Output = model(batch)
            marks = row_marks(output, batch.mentions)
            predictions += _predictions(output, marks, self._trained.temperature, [table])
        return predictions


class OpenPredictor:
    """Predicts with an open model, on any table."""

    def __init__(self, trained: Checkpoint, name: str) -> None:
        """Wraps a checkpoint."""
        assert isinstance(trained.model, OpenEnquirer)
        self.name = name
        self._model, self._vocabulary, self._temperature = (
            trained.model,
            trained.vocabulary,
            trained.temperature,
        )
        self._indexes: OrderedDict[int, tuple[weakref.ref[Table], TableIndex]] = OrderedDict()

    def predict(self, questions: Sequence[tuple[Table, str]]) -> list[Prediction]:
        """Answers questions, some hundred at a time; of these, those on tables of like size together."""
        some = (questions[i : i + QUESTIONS_AT_ONCE] for i in range(0, len(questions), QUESTIONS_AT_ONCE))
        return [prediction for part in some for prediction in self._predict(part)]

    def _predict(self, questions: Sequence[tuple[Table, str]]) -> list[Prediction]:
        prepared = [prepare(text, self._index(table), self._vocabulary) for table, text in questions]
        found: dict[int, Prediction] = {}
        for group in _groups(prepared):
            chosen = [prepared[i] for i in group]
            tables = [questions[i][0] for i in group]
            found |= zip(group, self._answer(chosen, tables), strict=True)
        return [found[i] for i in range(len(questions))]

    def _index(self, table: Table) -> TableIndex:
        """Returns the index of a table; those used last are kept for as long as others keep the tables."""
        key, indexes = id(table), self._indexes
        known = indexes.pop(key, None)
        if known is None:
            known = weakref.ref(table, lambda _: indexes.pop(key, None)), TableIndex.of(table)
        indexes[key] = known
        if len(self._indexes) > _TABLES_KEPT:
            self._indexes.popitem(last=False)
        return known[1]

    @torch.inference_mode()
    def _answer(self, questions: Sequence[OpenQuestion], tables: Sequence[Table]) -> list[Prediction]:
        batch = collate(questions)
        output = self._run(batch)
        marks = row_marks(output, batch.cell_mentions > 0)
        predictions = _predictions(output, marks, self._temperature, tables)
        return self._look_closer(questions, predictions)

    def _run(self, batch: OpenBatch) -> Output:
        rows, fields = batch.ranks.shape[1:]
        if len(batch) * rows * fields <= CELLS_AT_ONCE:
            output: Output = self._model(batch)
            return output
        return answer_in_chunks(self._model, batch, max(1, CELLS_AT_ONCE // (len(batch) * fields)))

    def _look_closer(
        self, questions: Sequence[OpenQuestion], predictions: Sequence[Prediction]
    ) -> list[Prediction]:
        """Looks again, on long tables, at the rows that may hold the answer, ranked among themselves.

        Ranks are numbers between 0 and 1: among very many rows, neighbours look the same. So the most likely
        rows, and those that the question mentions, are taken out and asked the same question, again and again
        until they are few. That a table has no answer is decided at the first look.
        """
        final = {
            i: _Look.first(question, prediction)
            for i, (question, prediction) in enumerate(zip(questions, predictions, strict=True))
            if question.index.shape[0] > ROWS_SEEN
            and prediction.none_probability <= prediction.probabilities.max()
        }
        while long := [i for i, look in final.items() if look.is_long]:
            looks = [final[i].closer() for i in long]
            for group in _groups([look.question for look in looks]):
                final |= zip((long[i] for i in group), self._again([looks[i] for i in group]), strict=True)
        closer = list(predictions)
        for i, look in final.items():
            probabilities = np.zeros_like(closer[i].probabilities)
            probabilities[look.kept] = look.likely * (1 - closer[i].none_probability)
            closer[i] = replace(closer[i], probabilities=probabilities)
        return closer

    def _again(self, looks: Sequence["_Look"]) -> list["_Look"]:
        """Asks the questions of the rows that were kept."""
        scores = self._run(collate([look.question for look in looks])).answer_scores / self._temperature
        likely = scores.flatten(1).softmax(dim=1).view_as(scores).numpy()
        return [
            replace(look, likely=own[: len(look.kept), : look.likely.shape[1]])
            for look, own in zip(looks, likely, strict=True)
        ]


@dataclass(frozen=True)
class _Look:
    """What is still in question: the rows that were kept, and how likely the answer is in each cell."""

    question: OpenQuestion
    kept: npt.NDArray[np.intp]
    likely: npt.NDArray[np.float32]

    @classmethod
    def first(cls, question: OpenQuestion, prediction: Prediction) -> "_Look":
        return cls(question, np.arange(len(prediction.probabilities)), prediction.probabilities)

    @property
    def is_long(self) -> bool:
        return len(self.kept) > ROWS_AT_LAST

    def closer(self) -> "_Look":
        """Keeps the rows that may hold the answer."""
        count = max(ROWS_AT_LAST, len(self.kept) // NARROWING)
        rows = likeliest_rows(self.question, self.likely.max(axis=1), count)
        return _Look(only_rows(self.question, rows), self.kept[rows], self.likely[rows])


def _groups(questions: Sequence[OpenQuestion]) -> list[list[int]]:
    """Puts questions of like size together, so that little of a batch is padding, and none is too large."""
    order = sorted(range(len(questions)), key=lambda i: (*questions[i].index.shape, len(questions[i].words)))
    groups: list[list[int]] = []
    rows = fields = 0
    for i in order:
        own_rows, own_fields = questions[i].index.shape
        rows, fields = max(rows, own_rows), max(fields, own_fields)
        if not groups or (len(groups[-1]) + 1) * rows * fields > CELLS_AT_ONCE:
            groups.append([])
            rows, fields = own_rows, own_fields
        groups[-1].append(i)
    return groups


def likeliest_rows(
    question: OpenQuestion, by_row: npt.NDArray[np.float32], count: int
) -> npt.NDArray[np.intp]:
    """Returns the rows to look at again, in their order: mentioned ones, some of all kinds, the likeliest.

    The question must keep its sense: where a number is to be exceeded, some rows should fail to.
    """
    mentioned = np.flatnonzero(
        (question.links.cell_mentions > 0).any(axis=1) | (question.links.relations == EQUAL).any(axis=(0, 2))
    )
    if len(mentioned) > count // 2:
        mentioned = mentioned[np.argsort(-by_row[mentioned], kind="stable")[: count // 2]]
    spread = np.linspace(0, len(by_row) - 1, count // 8).astype(np.intp)
    chosen = np.union1d(mentioned, spread)
    others = np.argsort(-by_row, kind="stable")
    others = others[~np.isin(others, chosen)][: count - len(chosen)]
    return np.sort(np.concatenate((chosen, others)))


def only_rows(question: OpenQuestion, rows: npt.NDArray[np.intp]) -> OpenQuestion:
    """Returns the same question about some rows only, ranked among themselves."""
    return replace(question, index=question.index.select(rows), links=question.links.select(rows))


def _predictions(
    output: Output, marks: Float[Tensor, "batch executor row"], temperature: float, tables: Sequence[Table]
) -> list[Prediction]:
    """Takes a batch apart, without its padding."""
    candidates = (output.candidates() / temperature).softmax(dim=1)
    _, rows, fields = output.answer_scores.shape
    cells = candidates[:, : rows * fields].unflatten(1, (rows, fields)).numpy()
    none = candidates[:, rows * fields :].sum(dim=1).tolist()
    weights = torch.stack(output.field_scores, dim=1).softmax(dim=2).numpy()
    predictions = []
    for i, table in enumerate(tables):
        own_rows, own_fields = table.row_count, len(table.fields)
        own = (cells[i, :own_rows, :own_fields], none[i], weights[i, :, :own_fields])
        predictions.append(Prediction(*own, marks[i, :, :own_rows].numpy()))
    return predictions


def row_marks(
    output: Output, mentioned: Tensor, after: Float[Tensor, "batch row"] | None = None
) -> Float[Tensor, "batch executor row"]:
    """Says which rows each executor marked: those annotated like the rows it was looking for.

    An executor that reads a field with mentioned cells looks for their rows, any other for the row of the
    answer, or for those that it was `after`. The mark is 1 for an annotation equal to theirs, 0 for the one
    that is farthest away.
    """
    best = output.answer_scores.amax(dim=2)
    rows = best.shape[1]
    answer = torch.nn.functional.one_hot(best.argmax(dim=1), rows).float() if after is None else after
    field = torch.stack(output.field_scores, dim=1).argmax(dim=2)
    hits = mentioned.transpose(1, 2).gather(1, field[..., None].expand(-1, -1, rows)).float()
    wanted = torch.where(hits.any(dim=2, keepdim=True), hits, answer[:, None])
    wanted /= wanted.sum(dim=2, keepdim=True)
    distances = []
    for own, memory in zip(wanted.split(1, dim=1), output.memories, strict=True):
        distances.append((memory.rows - torch.bmm(own, memory.rows)).norm(dim=2))
    distance = torch.stack(distances, dim=1)
    farthest = distance.masked_fill(~best.isfinite()[:, None], 0).amax(dim=2, keepdim=True)
    return (1 - distance / farthest.clamp(min=0.1)).clamp(0, 1)
