"""Neural Enquirer-M: the cascade over several tables, whose executors see what others found elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import combinations
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

from neural_enquirer.model.cascade import Cascade, Output
from neural_enquirer.model.executor import Agenda, Memory
from neural_enquirer.model.row_attention import LinkedAttention, RowAttention
from neural_enquirer.model.table_linker import Link, TableLinker
from neural_enquirer.model.trace import MultiTrace
from neural_enquirer.model.typed_list import TypedList

Pair = tuple[int, int]
"""The table that asks and the one that is asked, counted from 0."""

RELEVANT_ROWS, RELEVANT_TABLE = "relevant_rows", "relevant_table"
"""What an annotator gets from other tables: â and ĝ of the paper."""
LINKED_ROWS = "linked_rows"
"""Beyond the paper: the same as â, from rows that share a value with the row that asks."""


@dataclass(frozen=True)
class TableView:
    """One of the tables of a question, as vectors.

    Attributes:
        names: the field names f_n.
        cells: the cells e_mn.
        field_mask: which fields are there; None for all.
        row_mask: which rows are there; None for all.
        values: codes of the cells' values, by which rows of different tables are compared: equal codes are
            equal values, 0 is nothing to compare. Only a linked cascade looks at them.
    """

    names: Float[Tensor, "batch field embedding"]
    cells: Float[Tensor, "batch field row cell"]
    field_mask: Bool[Tensor, "batch field"] | None = None
    row_mask: Bool[Tensor, "batch row"] | None = None
    values: Int[Tensor, "batch row field"] | None = None


@dataclass(frozen=True)
class Asked:
    """What the tables asked each other in one layer: weights over rows, by pairs of tables.

    Attributes:
        weights: the softmax of γ.
        linked: the weights of rows that share a value; empty unless the cascade is linked.
    """

    weights: Mapping[Pair, Float[Tensor, "batch row other"]] = field(default_factory=dict)
    linked: Mapping[Pair, Float[Tensor, "batch row other"]] = field(default_factory=dict)


@dataclass(frozen=True)
class MultiOutput:
    """What the cascade says of a batch of questions on several tables.

    Attributes:
        tables: of each table, its answer scores, field scores and memories.
        asked: of each reading executor, what the tables asked each other; the first has nothing to ask for.
        links: by which fields and rows tables are linked; empty unless the cascade is linked.
        none_scores: of the answer being in none of the tables; None where every answer is a cell.
    """

    tables: tuple[Output, ...]
    asked: tuple[Asked, ...]
    links: Mapping[Pair, Link]
    none_scores: Float[Tensor, "batch"] | None = None

    @classmethod
    def of_one(cls, output: Output) -> "MultiOutput":
        """The same for what a cascade says of questions on one table, which has nobody to ask."""
        return cls((output,), tuple(Asked() for _ in output.memories), {}, output.none_scores)

    def candidates(self) -> Float[Tensor, "batch candidate"]:
        """Returns the scores of all candidates: the cells table by table, row by row, then "none of them"."""
        cells = [table.answer_scores.flatten(1) for table in self.tables]
        if self.none_scores is not None:
            cells.append(self.none_scores[:, None])
        return torch.cat(cells, dim=1)

    def trace(self) -> MultiTrace:
        """Returns how the answers came about."""
        probabilities = self.candidates().softmax(dim=1)
        sizes = [table.answer_scores[0].numel() for table in self.tables]
        parts = probabilities[:, : sum(sizes)].split(sizes, dim=1)
        return MultiTrace(
            tables=tuple(table.trace(part) for table, part in zip(self.tables, parts, strict=True)),
            attention=tuple(asked.weights for asked in self.asked),
            linked_attention=tuple(asked.linked for asked in self.asked),
            linking_fields={pair: link.fields for pair, link in self.links.items()},
        )


class TableCascade(Cascade):
    """Executors that also look at what others found in other tables: those of one table, or of all."""

    def __init__(
        self,
        *,
        field_size: int,
        cell_size: int,
        query_size: int,
        attention_size: int,
        relevant: Sequence[str],
        **sizes: Any,
    ) -> None:
        """Makes executors; see `MultiCascade`."""
        super().__init__(
            field_size=field_size, cell_size=cell_size, query_size=query_size, relevant=relevant, **sizes
        )
        self.attentions = TypedList[RowAttention](
            RowAttention(cell_size, query_size, self.annotation_size, attention_size) for _ in self.later
        )

    @property
    def later(self) -> range:
        """The executors but the first, which finds nothing in other tables' memory, counted from 0."""
        return range(len(self.executors) - 1)


class MultiCascade(TableCascade):
    """Executors (ℓ, k) of the appendix "Handling Multiple Tables".

    With one set of executors those of a layer share their weights, whatever the table: so tables may be of
    any kind and number, and come in any order. With several, the k-th set is that of the k-th table. Called
    as a `Cascade` it answers on a single table, for which `execute` gives the same.
    """

    def __init__(
        self, *, field_size: int, query_size: int, linked: bool, sets: int = 1, **sizes: Any
    ) -> None:
        """Makes a cascade.

        Args:
            field_size: of the field names f_n.
            query_size: of the query embedding q.
            linked: whether rows of different tables are compared by the values that they share.
            sets: of executors: one for all tables, or one for each.
            **sizes: the others of a `Cascade`, and `attention_size`: that of the hidden layer of γ, the one
                that is computed for every pair of rows.
        """
        relevant = (RELEVANT_ROWS, RELEVANT_TABLE, *([LINKED_ROWS] if linked else []))
        own = {"field_size": field_size, "query_size": query_size, "relevant": relevant, **sizes}
        super().__init__(**own)
        self.further = TypedList[TableCascade](TableCascade(**own) for _ in range(sets - 1))
        self.linker = TableLinker(field_size, query_size, sizes["attention_size"]) if linked else None
        self.linked = TypedList[LinkedAttention](LinkedAttention() for _ in self.later if linked)

    def of_tables(self, count: int) -> list[TableCascade]:
        """Returns the executors of each of so many tables; there are not more tables than sets of them."""
        return [self, *self.further][:count] if len(self.further) else [self] * count

    def execute(self, query: Float[Tensor, "batch query"], tables: Sequence[TableView]) -> MultiOutput:
        """Executes questions on several tables, all of which have a row and a field at least."""
        links = self._link(query, tables)
        cascades = self.of_tables(len(tables))
        agendas = self._agendas(query, tables)
        results: list[list[tuple[Memory, Tensor]]] = []  # of each layer, of each table
        asked = []
        for layer in range(len(self.executors)):
            plans = [own[layer] for own, _ in agendas]
            if results:
                before = [memory for memory, _ in results[-1]]
                done, questions = self._step(layer, query, tables, plans, before, links)
            else:
                done = [
                    own.executors[layer](view.cells, plan, None, view.field_mask, view.row_mask)
                    for own, view, plan in zip(cascades, tables, plans, strict=True)
                ]
                questions = Asked()
            results.append(done)
            asked.append(questions)
        outputs = []
        for own, view, (_, plan), layers in zip(
            cascades, tables, agendas, zip(*results, strict=True), strict=True
        ):
            memories, scores = zip(*layers, strict=True)
            outputs.append(Output(_answer(own, view, plan, memories[-1]), scores, memories))
        return MultiOutput(tuple(outputs), tuple(asked), links)

    def _agendas(
        self, query: Float[Tensor, "batch query"], tables: Sequence[TableView]
    ) -> list[tuple[list[Agenda], Float[Tensor, "batch hidden"]]]:
        """Returns what the question decides for each table; for executors that all share, computed once."""
        if len(self.further):
            cascades = self.of_tables(len(tables))
            return [own.agendas(query, view.names) for own, view in zip(cascades, tables, strict=True)]
        terms = self.query_terms(query)
        return [self.split_terms(terms, self.name_terms(view.names)) for view in tables]

    def _link(self, query: Float[Tensor, "batch query"], tables: Sequence[TableView]) -> dict[Pair, Link]:
        """Links every pair of tables; the link is the same seen from either."""
        links: dict[Pair, Link] = {}
        if self.linker is None:
            return links
        for (k, one), (other_k, other) in combinations(enumerate(tables), 2):
            link: Link = self.linker(query, one.names, other.names, one.values, other.values)
            links[k, other_k], links[other_k, k] = link, link.reversed()
        return links

    def _step(
        self,
        layer: int,
        query: Float[Tensor, "batch query"],
        tables: Sequence[TableView],
        plans: Sequence[Agenda],
        before: Sequence[Memory],
        links: Mapping[Pair, Link],
    ) -> tuple[list[tuple[Memory, Float[Tensor, "batch field"]]], Asked]:
        """Lets Executors (ℓ, k) read, ask other tables, and annotate; ℓ is not the first."""
        executors = [own.executors[layer] for own in self.of_tables(len(tables))]
        reads = [
            executor.read(view.cells, plan, memory, view.field_mask)
            for executor, view, plan, memory in zip(executors, tables, plans, before, strict=True)
        ]
        asked = self._ask(layer, query, tables, [read for read, *_ in reads], before, links)
        done = []
        for k, (view, plan) in enumerate(zip(tables, plans, strict=True)):
            read, scores, term = reads[k]
            relevant = self._relevant_term(layer, k, before, asked)
            memory = executors[k].annotate(read, plan, before[k], term, view.row_mask, relevant)
            done.append((memory, scores))
        return done, asked

    def _ask(
        self,
        layer: int,
        query: Float[Tensor, "batch query"],
        tables: Sequence[TableView],
        reads: Sequence[Float[Tensor, "batch _ cell"]],
        before: Sequence[Memory],
        links: Mapping[Pair, Link],
    ) -> Asked:
        """Weighs the rows of every other table for each row."""
        if len(tables) == 1:
            return Asked()
        scores = {}  # γ
        for k, own in enumerate(self.of_tables(len(tables))):
            attention = own.attentions[layer - 1]
            asking = attention.own_term(reads[k], query, before[k])
            for j in range(len(tables)):
                if j != k:
                    other = attention.other_term(before[j])
                    scores[k, j] = attention(asking, other, tables[j].row_mask)
        return Asked(
            {pair: own.softmax(dim=2) for pair, own in scores.items()},
            {pair: self.linked[layer - 1](scores[pair], link.rows) for pair, link in links.items()},
        )

    def _relevant_term(
        self, layer: int, k: int, before: Sequence[Memory], asked: Asked
    ) -> Float[Tensor, "batch row hidden"] | None:
        """Computes W_â â + W_ĝ ĝ, and what linked rows add; None if there is no other table."""
        others = [j for j in range(len(before)) if j != k]
        if not others:
            return None
        weight = self.of_tables(len(before))[k].executors[layer].annotator.first.weight
        rows = _largest([torch.bmm(asked.weights[k, j], before[j].rows) for j in others])  # â, of all ā
        table = _largest([before[j].table for j in others])  # ĝ
        once = functional.linear(table, weight[RELEVANT_TABLE])
        term = functional.linear(rows, weight[RELEVANT_ROWS]) + once[:, None]
        if asked.linked:
            # A sum, since a table without a linked row adds nothing to it.
            linked = reduce(torch.add, [torch.bmm(asked.linked[k, j], before[j].rows) for j in others])
            term = term + functional.linear(linked, weight[LINKED_ROWS])
        return term


def _answer(
    cascade: TableCascade, view: TableView, agenda: Float[Tensor, "batch hidden"], memory: Memory
) -> Float[Tensor, "batch row field"]:
    """Returns the scores of a table's cells."""
    seen = view.names if cascade.answer_sees_fields else None
    scores: Tensor = cascade.answer_executor(view.cells, agenda, memory, view.field_mask, view.row_mask, seen)
    return scores


def _largest(parts: Sequence[Float[Tensor, "..."]]) -> Float[Tensor, "..."]:
    """Returns the entrywise maximum over tables."""
    return parts[0] if len(parts) == 1 else torch.stack(list(parts)).amax(dim=0)
