"""The predictor of open models: ready for any number of questions on one table or several, of any size."""

import math
import weakref
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked, derive
from neural_enquirer.encoding.linking import Links
from neural_enquirer.encoding.open import OpenQuestion, prepare, titles_of
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.tables_index import TablesIndex
from neural_enquirer.judge.features import Votes
from neural_enquirer.judge.judging import judged
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.prediction.cells import Prediction, Tables
from neural_enquirer.prediction.closer_look import Look, needs_closer_look, only_rows
from neural_enquirer.prediction.outputs import prediction_of
from neural_enquirer.prediction.rows_to_read import rows_to_read, spread_over
from neural_enquirer.prediction.verdict import Verdict
from neural_enquirer.programs.language import Program
from neural_enquirer.runtime.beam_search import Way, search
from neural_enquirer.runtime.following import follow
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.runtime.reading import Reading
from neural_enquirer.runtime.undisturbed import undisturbed
from neural_enquirer.tables import Table, TableError

MOST_PAIRS = 10_000_000
"""Every row of a table is compared with every row of another: so many pairs take some seconds."""

PROGRAMS = 16
"""Programs that are followed while they are written, and run at most."""

BEHIND = 8.0
"""How far the log-probability of a program may be behind that of the best: others hardly ever answer."""

LEAST_VOTE = 1e-4
"""A cell less probable than this has no vote."""

TOGETHER = 16
"""Questions that are worked on step by step together: the weights of a step, some megabytes, stay in the
processor's caches, while what is kept of so many questions is not too much for these."""

_MOST_WAYS = 2
"""Derivations of a program that are looked at: the most literal come first."""

_INDEXES_KEPT = 512
_CELLS_KEPT = 4_000_000
"""Of tables with so many cells together, and of so many tables, the indexes are kept."""


class OpenPredictor:
    """Predicts with an open model, on any tables."""

    def __init__(self, trained: Loaded, name: str, judge: Judge | None = None) -> None:
        """Wraps a model, and the judge that goes with it."""
        self.name = name
        self._model, self._vocabulary = trained.model, trained.vocabulary
        self._temperature = trained.temperature
        self._indexes = _Indexes()
        self._judge = judge

    @undisturbed()
    def judge(self, questions: Sequence[tuple[Tables, str]]) -> list[Verdict]:
        """Answers questions by programs, which the cascade votes on and a judge decides between."""
        return [
            Verdict(
                one.prediction, judged(one.asked, one.ways, one.votes, one.says, self._judge), one.asked.links
            )
            for one in self._evidence(questions)
        ]

    @undisturbed()
    def evidence(self, questions: Sequence[tuple[Tables, str]]) -> list["Evidence"]:
        """Returns what a judge decides by: programs that were written, and the cascade's votes."""
        return list(self._evidence(questions))

    @undisturbed()
    def predict(self, questions: Sequence[tuple[Tables, str]]) -> list[Prediction]:
        """Answers questions by the cascade alone."""
        return [self._predicted(*self._read(*question), question[0]) for question in questions]

    def link(self, tables: Tables, question: str) -> list[Links]:
        """Links a question to tables, for which nothing of it is answered."""
        return self._indexes.of(tables).link(question, self._vocabulary)

    @undisturbed()
    def scores(self, asked: Asked, programs: Sequence[Program | None]) -> list[float]:
        """The log-probability of programs for the decoder; minus infinity of what it cannot write."""
        ways = [[] if one is None else derive(one, asked)[:_MOST_WAYS] for one in programs]
        known = list(dict.fromkeys(each for own in ways for each in own))
        if not known:
            return [-math.inf] * len(programs)
        question, reading = self._read(asked.tables, asked.question)
        heard = self._model.hear(reading, asked, [table.index for table in question.tables])
        scores = dict(zip(known, follow(self._model.decoder, heard, len(asked.tables), known), strict=True))
        return [max((scores[each] for each in own), default=-math.inf) for own in ways]

    def _evidence(self, questions: Sequence[tuple[Tables, str]]) -> Iterator["Evidence"]:
        for tables, _ in questions:
            check_sizes(tables)
        for start in range(0, len(questions), TOGETHER):
            yield from self._step_by_step(questions[start : start + TOGETHER])

    def _step_by_step(self, questions: Sequence[tuple[Tables, str]]) -> list["Evidence"]:
        """Takes each step for all of some questions before the next."""
        read = [self._read(*question) for question in questions]
        predictions = [
            self._predicted(*own, tables) for own, (tables, _) in zip(read, questions, strict=True)
        ]
        heard = []
        for (question, reading), (tables, text) in zip(read, questions, strict=True):
            asked = Asked(text, tables, [table.links for table in question.tables])
            indexes = [table.index for table in question.tables]
            heard.append((asked, self._model.hear(reading, asked, indexes)))
        own = [one for _, one in heard]
        counts = [len(tables) for tables, _ in questions]
        written = search(self._model.decoder, own, counts, PROGRAMS, behind=BEHIND)
        return [
            Evidence(asked, tuple(ways), votes_of(prediction, asked.tables), own.says, prediction)
            for (asked, own), ways, prediction in zip(heard, written, predictions, strict=True)
        ]

    def _read(self, tables: Tables, text: str) -> tuple[OpenQuestion, Reading]:
        check_sizes(tables)
        question = prepare(text, self._indexes.of(tables), self._vocabulary)
        return question, self._model.read(question)

    def _predicted(self, question: OpenQuestion, reading: Reading, tables: Tables) -> Prediction:
        """What the cascade says; of a very long table it reads some rows."""
        rows = rows_to_read(question)
        if rows is None:
            return self._looked(question, reading, tables)
        found = self._looked(only_rows(question, [rows]), reading, tables)
        return spread_over(found, rows, tables[0].row_count)

    def _looked(self, question: OpenQuestion, reading: Reading, tables: Tables) -> Prediction:
        """What the cascade says; in long tables it looks again at rows that may matter."""
        mentioned = [table.links.cell_mentions > 0 for table in question.tables]
        output = self._model.execute(reading, question)
        first = prediction_of(output, mentioned, self._temperature, tables)
        if not needs_closer_look(question, first):
            return first
        look = Look.first(question, first)
        while look.is_long:
            look = look.closer()
            look = look.found(self._model.execute(reading, look.question), self._temperature)
        return look.told(first)


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


def votes_of(prediction: Prediction, tables: Tables) -> Votes:
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
            self._make_room(known[1])
        kept[key] = known
        return known[1]

    def _make_room(self, new: TablesIndex) -> None:
        """Forgets the indexes that were not asked for longest, where they are too many or too large."""
        if len(self.kept) >= _INDEXES_KEPT:
            self.kept.popitem(last=False)
        if _cells(new) > _CELLS_KEPT // _INDEXES_KEPT:  # small tables are never too large together
            left = _CELLS_KEPT - _cells(new)
            while self.kept and sum(_cells(known) for _, known in self.kept.values()) > left:
                self.kept.popitem(last=False)

    def _made(self, tables: Tables) -> TablesIndex:
        if len(tables) == 1:
            whole = tables[0].whole
            known = None if whole is None else self.of((whole,)).tables[0]
            return TablesIndex.of([TableIndex.of(tables[0], known)])
        return TablesIndex.of([self.of((table,)).tables[0] for table in tables], titles_of(tables))


def _cells(index: TablesIndex) -> int:
    return sum(math.prod(table.shape) for table in index.tables)


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
