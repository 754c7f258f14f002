"""The cascade of executors over the tables of a question, one or several.

On one table it is the paper's; on several it is Neural Enquirer-M, whose executors see what others found in
other tables (appendix "Handling Multiple Tables"), and beyond the paper by which values rows belong together.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

import numpy as np

from neural_enquirer.runtime.cells import Cells
from neural_enquirer.runtime.executor import AnswerExecutor, Executor, Memory, Relevant
from neural_enquirer.runtime.layers import (
    Array,
    Linear,
    Numbers,
    Weights,
    linear,
    side_by_side,
    softmax,
    tanh,
)
from neural_enquirer.runtime.row_attention import RowAttention
from neural_enquirer.runtime.table_linker import Link, TableLinker

Pair = tuple[int, int]
"""The table that asks and the one that is asked, counted from 0."""
MANY_ROWS = 10_000
WORTH_TELLING = 0.1
"""A row that got less of another's attention was not looked at."""


@dataclass(frozen=True)
class View:
    """One of a question's tables: the vectors f_n of its fields, and its cells."""

    names: Array
    cells: Cells


@dataclass(frozen=True)
class Looks:
    """Rows of a table that looked at rows of another; all that got little attention are left out.

    Attributes:
        rows: those that looked.
        others: those that they looked at.
        weights: how much of a row's attention the other got.
    """

    rows: Numbers
    others: Numbers
    weights: Array

    @classmethod
    def of(cls, weights: Array) -> "Looks":
        """Picks those that are worth telling."""
        rows, others = np.nonzero(weights >= WORTH_TELLING)
        return cls(rows, others, weights[rows, others])


@dataclass(frozen=True)
class TableOutput:
    """What the cascade says of one table.

    Attributes:
        answer_scores: of all cells, by row and field.
        field_scores: of each reading executor, the scores whose softmax are its field weights.
        annotations: of each reading executor, those of the rows.
    """

    answer_scores: Array
    field_scores: Array
    annotations: tuple[Array, ...]


@dataclass(frozen=True)
class Output:
    """What the cascade says of a question.

    Attributes:
        tables: of each of its tables.
        none_score: of the answer being in none of them; None where every answer is a cell.
        links: by which fields and rows tables are linked.
        looks: of each reading executor, which rows of one table looked at which of another.
    """

    tables: tuple[TableOutput, ...]
    none_score: float | None
    links: Mapping[Pair, Link] = field(default_factory=dict)
    looks: tuple[Mapping[Pair, Looks], ...] = ()


@dataclass(frozen=True)
class _Layer:
    """What the executors of one layer leave for people to see, of each table."""

    scores: Sequence[Array]
    annotations: Sequence[Array]
    looks: Mapping[Pair, Looks]


class Cascade:
    """Executors (ℓ, k): those of a layer share their weights, whatever the table."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model."""
        own = weights.part("cascade")
        self._executors = [Executor(own.part(f"executors.{n}")) for n in range(own.count("executors"))]
        self._attentions = [
            RowAttention(own.part(f"attentions.{n}"), own.part(f"linked.{n}"))
            for n in range(own.count("attentions"))
        ]
        self._linker = TableLinker(own.part("linker"))
        self._answer = AnswerExecutor(own.part("answer_executor"))
        none = weights.part("none_hidden.weight")
        self._none_table, self._none_score = none["table"], weights.linear("none_score")
        readers: list[Executor | AnswerExecutor] = [*self._executors, self._answer]
        asked = [*(own.query for own in readers), Linear(none["query"], weights["none_hidden.bias"])]
        self._query, self._of_query = side_by_side(asked)
        self._fields, self._of_fields = side_by_side([own.field for own in readers])

    def execute(self, query: Array, tables: Sequence[View]) -> Output:
        """Executes a question on its tables, all of which have a row at least."""
        links = self._links(query, tables)
        asked = self._query(query)
        *asking, answering, refusing = (asked[some] for some in self._of_query)
        named = [self._fields(view.names) for view in tables]
        fields = [[own[:, some] for own in named] for some in self._of_fields]
        layers: list[_Layer] = []
        memories: Sequence[Memory] = ()
        for number, own in enumerate(asking):
            memories, layer = self._step(number, query, own, fields[number], tables, memories, links)
            layers.append(layer)
        outputs = []
        for k, view in enumerate(tables):
            answers = self._answer.scores(view.cells, fields[-1][k], answering, memories[k])
            scores = np.array([layer.scores[k] for layer in layers])
            outputs.append(TableOutput(answers, scores, tuple(layer.annotations[k] for layer in layers)))
        none = self._score_none(refusing, functools.reduce(np.maximum, [own.table for own in memories]))
        return Output(tuple(outputs), none, links, tuple(layer.looks for layer in layers))

    def _step(
        self,
        layer: int,
        query: Array,
        asking: Array,
        fields: Sequence[Array],
        tables: Sequence[View],
        memories: Sequence[Memory],
        links: Mapping[Pair, Link],
    ) -> "tuple[list[Memory], _Layer]":
        """Lets Executors (ℓ, k) read, ask other tables, and annotate; at first there are no memories.

        Args:
            layer: ℓ, from 0.
            query: q.
            asking: what the executor makes of it.
            fields: what it makes of the fields of each table.
            tables: all of them.
            memories: what the executors before left behind.
            links: by which fields and rows the tables are linked.
        """
        executor = self._executors[layer]
        before: Sequence[Memory | None] = memories or [None] * len(tables)
        told = [executor.told(asking, own) for own in before]
        scores = [executor.scores(own, reading) for own, (reading, _) in zip(fields, told, strict=True)]
        reads = [executor.read(view.cells, own) for view, own in zip(tables, scores, strict=True)]
        relevant, looks = self._ask(layer, query, reads, memories, links)
        found = [
            executor.annotate(read, noting, own, other, view.cells.slices())
            for read, (_, noting), own, other, view in zip(reads, told, before, relevant, tables, strict=True)
        ]
        return found, _Layer(scores, [_kept(own.rows) for own in found], looks)

    def _score_none(self, refusing: Array, table: Array) -> float:
        """The score of "the answer is in none of these tables"."""
        hidden = refusing + linear(table, self._none_table)
        return float(self._none_score(tanh(hidden))[0])

    def _links(self, query: Array, tables: Sequence[View]) -> dict[Pair, Link]:
        """Links every pair of tables; the link is the same seen from either."""
        links: dict[Pair, Link] = {}
        for (k, one), (j, other) in combinations(enumerate(tables), 2):
            values, others = one.cells.table.values, other.cells.table.values
            assert values is not None
            assert others is not None
            link = self._linker.link(query, one.names, other.names, values, others)
            links[k, j], links[j, k] = link, link.reversed()
        return links

    def _ask(
        self,
        layer: int,
        query: Array,
        reads: Sequence[Array],
        known: Sequence[Memory],
        links: Mapping[Pair, Link],
    ) -> tuple[list[Relevant | None], dict[Pair, Looks]]:
        """Lets each row fetch what other tables know; the first executor finds nothing in their memory."""
        if not known or len(reads) == 1:
            return [None] * len(reads), {}
        attention = self._attentions[layer - 1]
        fetched: dict[Pair, tuple[Array, Array]] = {}
        looks: dict[Pair, Looks] = {}
        for k, j in permutations(range(len(reads)), 2):
            scores = attention.scores(reads[k], query, known[k], known[j])
            linked = attention.linked(scores, links[k, j].rows)
            fetched[k, j] = softmax(scores) @ known[j].rows, linked @ known[j].rows
            looks[k, j] = Looks.of(linked)
        return [_relevant(k, known, fetched) for k in range(len(reads))], looks


def _kept(rows: Array) -> Array:
    """Annotations as they are kept for people to see: of very many rows, in two bytes a number."""
    return rows if len(rows) <= MANY_ROWS else rows.astype(np.float16)


def _relevant(k: int, known: Sequence[Memory], fetched: Mapping[Pair, tuple[Array, Array]]) -> Relevant:
    """â and ĝ, the entrywise maximum over other tables; of linked rows, the sum.

    A sum, since a table without a linked row adds nothing to it.
    """
    others = [j for j in range(len(known)) if j != k]
    return Relevant(
        rows=np.max([fetched[k, j][0] for j in others], axis=0),
        table=np.max([known[j].table for j in others], axis=0),
        linked=np.sum([fetched[k, j][1] for j in others], axis=0),
    )
