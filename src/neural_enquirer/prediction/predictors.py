"""Predictors: trained models, ready for any number of questions on one table or several, of any size."""

import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.closed import encode_tables
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.open import OpenQuestion, collate, prepare, titles_of
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.schema import SchemaSizes, sizes_of
from neural_enquirer.encoding.schema import collate as collate_schema
from neural_enquirer.encoding.several_tables import encode_table_lists
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.judge.features import Votes
from neural_enquirer.judge.judging import judged
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.model.chunked import answer_in_chunks
from neural_enquirer.model.multi_enquirer import MultiEnquirer
from neural_enquirer.model.multi_table import MultiOutput
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.model.program_decoder import Heard
from neural_enquirer.prediction.cells import Prediction, Tables
from neural_enquirer.prediction.closer_look import Look, needs_closer_look
from neural_enquirer.prediction.outputs import predictions_of
from neural_enquirer.prediction.verdict import CellPredictor, Verdict
from neural_enquirer.runtime.beam_search import Way, search
from neural_enquirer.runtime.decoder import Decoder
from neural_enquirer.runtime.decoder import Heard as HeardAlone
from neural_enquirer.tables import Table, TableError

CELLS_AT_ONCE = 32_768
"""Cells in work at a time: few enough for the processor's caches, and the bound on memory."""

PAIRS_AT_ONCE = 200_000
"""Pairs of rows of different tables in work at a time: another bound on memory."""

MOST_PAIRS = 10_000_000
"""Every row of a table is compared with every row of another: so many pairs take some seconds."""

PROGRAMS = 16
"""Programs that are followed while they are written, and run at most."""

WRITTEN_AT_ONCE = 64
"""Questions for which programs are written at a time."""

LEAST_VOTE = 1e-4
"""A cell less probable than this has no vote."""

QUESTIONS_AT_ONCE = 512
"""Questions in work at a time: what is made of them is gone before it costs time to keep track of."""

_INDEXES_KEPT = 16


class ClosedPredictor(CellPredictor):
    """Predicts with a model of the paper's closed vocabulary: it knows the tables of its own task only."""

    def __init__(self, trained: Checkpoint, name: str) -> None:
        """Wraps a checkpoint."""
        self.name = name
        self._trained = trained

    @torch.no_grad()
    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions one by one."""
        return [self._answer(tables, question) for tables, question in questions]

    def _answer(self, tables: Tables, question: str) -> Prediction:
        trained = self._trained
        if isinstance(trained.model, MultiEnquirer):
            self._check_number(tables, trained.model.config.executor_sets)
            check_sizes(tables)
            several = encode_table_lists([(tables, question)], trained.vocabulary)
            output, mentioned = trained.model(several), [table.mentions for table in several.tables]
        else:
            batch = encode_tables([(only_table(tables, self.name), question)], trained.vocabulary)
            output, mentioned = MultiOutput.of_one(trained.model(batch)), [batch.mentions]
        return predictions_of(output, mentioned, trained.temperature, [tables])[0]

    def _check_number(self, tables: Tables, sets: int) -> None:
        """Sees to it that a model whose tables have executors of their own gets as many as it has."""
        if sets > 1 and len(tables) != sets:
            raise TableError(
                f"{self.name} has executors of its own for each of {sets} tables: give {sets} tables, in the "
                f"order in which it learned them, not {len(tables)}"
            )


class OpenPredictor:
    """Predicts with an open model, on any tables."""

    def __init__(self, trained: Checkpoint, name: str, judge: Judge | None = None) -> None:
        """Wraps a checkpoint, and the judge that goes with it."""
        assert isinstance(trained.model, OpenEnquirer)
        self.name = name
        self._model, self._vocabulary, self._temperature = (
            trained.model,
            trained.vocabulary,
            trained.temperature,
        )
        self._indexes = _Indexes()
        self._judge = judge
        self._decoder = Decoder(
            {name: weight.numpy() for name, weight in trained.model.decoder.state_dict().items()}
        )

    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Answers questions by programs, which the cascade votes on and a judge decides between."""
        some = (questions[i : i + WRITTEN_AT_ONCE] for i in range(0, len(questions), WRITTEN_AT_ONCE))
        return [verdict for part in some for verdict in self._verdicts(part)]

    def _verdicts(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        evidence = self.evidence(questions)
        return [
            Verdict(
                one.prediction,
                judged(one.asked, one.ways, one.votes, one.says, self._judge),
                one.asked.links,
            )
            for one in evidence
        ]

    @torch.inference_mode()
    def evidence(self, questions: Sequence[tuple[Tables, str]]) -> list["Evidence"]:
        """Returns what a judge decides by: programs that were written, and the cascade's votes."""
        prepared = self._prepared(questions)
        predictions = self._predicted(questions, prepared)
        asked = [
            Asked(text, tables, [table.links for table in one.tables])
            for (tables, text), one in zip(questions, prepared, strict=True)
        ]
        indexes = [[table.index for table in one.tables] for one in prepared]
        schema = collate_schema(list(zip(asked, indexes, strict=True)), self._vocabulary)
        heard = self._model.hear(schema)
        each = [_alone(heard, i, sizes_of(*one)) for i, one in enumerate(zip(asked, indexes, strict=True))]
        return [
            Evidence(
                one,
                tuple(search(self._decoder, own, len(one.tables), PROGRAMS)),
                _votes(prediction, one.tables),
                own.says,
                prediction,
            )
            for one, own, prediction in zip(asked, each, predictions, strict=True)
        ]

    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions, some hundred at a time; of these, those on tables of like size together."""
        some = (questions[i : i + QUESTIONS_AT_ONCE] for i in range(0, len(questions), QUESTIONS_AT_ONCE))
        return [prediction for part in some for prediction in self._predicted(part, self._prepared(part))]

    def link(self, tables: Tables, question: str) -> list[Links]:
        """Links a question to tables, for which nothing of it is answered."""
        return self._indexes.of(tables).link(question, self._vocabulary)

    def _prepared(self, questions: Sequence[tuple[Tables, str]]) -> list[OpenQuestion]:
        for tables, _ in questions:
            check_sizes(tables)
        return [prepare(text, self._indexes.of(tables), self._vocabulary) for tables, text in questions]

    def _predicted(
        self, questions: Sequence[tuple[Tables, str]], prepared: Sequence[OpenQuestion]
    ) -> list[Prediction]:
        """What the cascade says of questions; those on tables of like size are answered together."""
        found: dict[int, Prediction] = {}
        for group in _groups(prepared):
            chosen = [prepared[i] for i in group]
            found |= zip(group, self._answer(chosen, [questions[i][0] for i in group]), strict=True)
        return [found[i] for i in range(len(questions))]

    @torch.inference_mode()
    def _answer(self, questions: Sequence[OpenQuestion], asked: Sequence[Tables]) -> list[Prediction]:
        batch = collate(questions)
        mentioned = [table.cell_mentions > 0 for table in batch.tables]
        predictions = predictions_of(self._run(batch), mentioned, self._temperature, asked)
        return self._look_closer(questions, predictions)

    def _run(self, batch: OpenBatch) -> MultiOutput:
        rows, fields = batch.tables[0].ranks.shape[1:]
        if len(batch.tables) == 1 and len(batch) * rows * fields > CELLS_AT_ONCE:
            return answer_in_chunks(self._model, batch, max(1, CELLS_AT_ONCE // (len(batch) * fields)))
        output: MultiOutput = self._model(batch)
        return output

    def _look_closer(
        self, questions: Sequence[OpenQuestion], predictions: Sequence[Prediction]
    ) -> list[Prediction]:
        """Looks again, in long tables, at the rows that may matter, until few are left."""
        pairs = enumerate(zip(questions, predictions, strict=True))
        looks = {i: Look.first(*pair) for i, pair in pairs if needs_closer_look(*pair)}
        while long := [i for i, look in looks.items() if look.is_long]:
            closer = [looks[i].closer() for i in long]
            for group in _groups([look.question for look in closer]):
                some = [closer[i] for i in group]
                batch = collate([look.question for look in some])
                found = Look.found(some, self._run(batch), self._temperature)
                looks |= zip((long[i] for i in group), found, strict=True)
        return [looks[i].told(own) if i in looks else own for i, own in enumerate(predictions)]


@dataclass(frozen=True)
class Evidence:
    """What a judge decides by.

    Attributes:
        asked: the question with its links.
        ways: the derivations of programs that were written for it.
        votes: what the cascade thinks of texts as answers.
        says: how much each word speaks of each field, mention and quantity.
        prediction: what the cascade says, cell by cell.
    """

    asked: Asked
    ways: tuple[Way, ...]
    votes: Votes
    says: npt.NDArray[np.float32]
    prediction: Prediction


def _alone(heard: Heard, place: int, sizes: SchemaSizes) -> HeardAlone:
    """What is heard of one question of a batch, without its padding."""
    parts = (heard.fields, heard.mentions, heard.quantities, heard.tables)
    own = (sizes.fields, sizes.mentions, sizes.quantities, sizes.tables)
    first = np.cumsum([0, *(part.shape[1] for part in parts)])
    pointers = np.concatenate(
        [np.arange(start, start + size) for start, size in zip(first, own, strict=False)]
    )

    def take(tensor: torch.Tensor, *sizes: int) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = tensor[place].numpy()
        return array[tuple(slice(size) for size in sizes)]

    return HeardAlone(
        query=take(heard.query),
        states=take(heard.states, sizes.tokens),
        fields=take(heard.fields, sizes.fields),
        pointers=take(heard.pointers)[pointers],
        mentions=take(heard.mentions, sizes.mentions),
        trusted=take(heard.trusted, sizes.mentions),
        quantities=take(heard.quantities, sizes.quantities),
        tables=take(heard.tables, sizes.tables),
        says=take(heard.says, sizes.tokens)[:, pointers],
        wants=take(heard.wants, sizes.fields),
        allowed=take(heard.allowed)[:, pointers],
        linked=take(heard.linked, sizes.mentions, sizes.fields),
        compared=take(heard.compared, sizes.quantities, sizes.fields),
        productions=take(heard.productions),
    )


def _votes(prediction: Prediction, tables: Tables) -> Votes:
    """Sums the probabilities of cells with the same text."""
    texts: dict[str, float] = {}
    for own, table in zip(prediction.tables, tables, strict=True):
        for row, column in np.argwhere(own.probabilities > LEAST_VOTE).tolist():
            text = table.text(row, column)
            texts[text] = texts.get(text, 0.0) + float(own.probabilities[row, column])
    fields = [float(one) for own in prediction.tables for one in (*own.probabilities.sum(axis=0), 0.0)]
    return Votes(texts, prediction.none_probability, fields)


class _Indexes:
    """The indexes of tables that were asked last, kept for as long as others keep the tables."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[int, ...], tuple[tuple[weakref.ref[Table], ...], TablesIndex]] = (
            OrderedDict()
        )

    def of(self, tables: Tables) -> TablesIndex:
        key, kept = tuple(map(id, tables)), self.kept
        known = kept.pop(key, None)
        if known is None:
            alive = tuple(weakref.ref(table, lambda _: kept.pop(key, None)) for table in tables)
            known = alive, self._made(tables)
        kept[key] = known
        if len(kept) > _INDEXES_KEPT:
            kept.popitem(last=False)
        return known[1]

    def _made(self, tables: Tables) -> TablesIndex:
        if len(tables) == 1:
            whole = tables[0].whole
            known = None if whole is None else self.of((whole,)).tables[0]
            return TablesIndex.of([TableIndex.of(tables[0], known)])
        return TablesIndex.of([self.of((table,)).tables[0] for table in tables], titles_of(tables))


def only_table(tables: Tables, name: str) -> Table:
    """Returns the table of a question for a model that reads one at a time.

    Raises:
        TableError: where there are more.
    """
    if len(tables) > 1:
        raise TableError(f"the model {name} reads one table at a time; open reads several together")
    return tables[0]


def check_sizes(tables: Tables) -> None:
    """Raises a TableError where two tables have too many pairs of rows to compare."""
    longest = sorted(tables, key=lambda table: -table.row_count)[:2]
    if len(longest) > 1 and longest[0].row_count * longest[1].row_count > MOST_PAIRS:
        sizes = " and ".join(f"{table.row_count:,} rows of {table.name}" for table in longest)
        raise TableError(
            f"{sizes} are too many to compare row by row (at most {MOST_PAIRS:,} pairs); ask with fewer rows"
        )


def _groups(questions: Sequence[OpenQuestion]) -> list[list[int]]:
    """Puts questions of like size together, so that little of a batch is padding, and none is too large."""
    shapes = [tuple(table.index.shape for table in question.tables) for question in questions]
    order = sorted(range(len(questions)), key=lambda i: (len(shapes[i]), shapes[i], len(questions[i].words)))
    groups: list[list[int]] = []
    largest: tuple[tuple[int, int], ...] = ()
    for i in order:
        together = tuple(map(_larger, largest, shapes[i]))
        if len(largest) == len(shapes[i]) and _fit(together, len(groups[-1]) + 1):
            largest = together
            groups[-1].append(i)
        else:
            largest = shapes[i]
            groups.append([i])
    return groups


def _larger(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return max(one[0], other[0]), max(one[1], other[1])


def _fit(shapes: Sequence[tuple[int, int]], count: int) -> bool:
    """Whether so many questions on tables of such shapes are worked on at once."""
    cells = sum(rows * fields for rows, fields in shapes)
    pairs = sum(rows for rows, _ in shapes) ** 2 if len(shapes) > 1 else 0
    return count * cells <= CELLS_AT_ONCE and count * pairs <= PAIRS_AT_ONCE
