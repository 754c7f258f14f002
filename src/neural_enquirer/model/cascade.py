"""The cascade of executors: one reads after another, the last one says which cell is the answer.

On one table it is the paper's; on several it is Neural Enquirer-M, whose executors also see what others found
in the other tables (appendix "Handling Multiple Tables").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

from neural_enquirer.model import fused_cascade
from neural_enquirer.model.answer_executor import hide_padding
from neural_enquirer.model.executor import Agenda, Memory
from neural_enquirer.model.executor_set import ExecutorSet, Sizes
from neural_enquirer.model.layers import TypedList
from neural_enquirer.model.output import Asked, Output, Pair, TableOutput
from neural_enquirer.model.row_attention import LinkedAttention
from neural_enquirer.model.table_linker import Link, TableLinker

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


class Cascade(ExecutorSet):
    """Executors (ℓ, k): with ℓ layers, over tables k.

    With one set of executors those of a layer share their weights, whatever the table: so tables may be of
    any kind and number, and come in any order. With several, the k-th set is that of the k-th table.
    """

    def __init__(
        self,
        sizes: Sizes,
        *,
        asks: bool = False,
        linked: bool = False,
        sets: int = 1,
        answer_sees_fields: bool = False,
    ) -> None:
        """Makes a cascade.

        Args:
            sizes: of all executors.
            asks: whether executors can ask other tables; without, a question has one.
            linked: whether rows of different tables are compared by the values that they share.
            sets: of executors: one for all tables, or one for each.
            answer_sees_fields: see `ExecutorSet`.
        """
        relevant = (RELEVANT_ROWS, RELEVANT_TABLE, *([LINKED_ROWS] if linked else [])) if asks else ()
        super().__init__(sizes, answer_sees_fields=answer_sees_fields, relevant=relevant)
        self.further = TypedList[ExecutorSet](
            ExecutorSet(sizes, answer_sees_fields=answer_sees_fields, relevant=relevant)
            for _ in range(sets - 1)
        )
        linker = TableLinker(sizes.field_size, sizes.query_size, sizes.attention_size) if linked else None
        self.linker = linker
        self.linked = TypedList[LinkedAttention](LinkedAttention() for _ in self.later if linked)

    @torch.no_grad()
    def scale_later_reads(self, factor: float) -> None:
        """Scales the weights with which all annotators but the first see what they read."""
        for own in (self, *self.further):
            for executor in list(own.executors)[1:]:
                executor.annotator.first.weight["read"] *= factor

    def of_tables(self, count: int) -> list[ExecutorSet]:
        """Returns the executors of each of so many tables; there are not more tables than sets of them."""
        return [self, *self.further][:count] if len(self.further) else [self] * count

    def forward(self, query: Float[Tensor, "batch query"], tables: Sequence[TableView]) -> Output:
        """Executes questions on tables, all of which have a row and a field at least."""
        if len(tables) == 1 and fused_cascade.usable(self, tables[0].cells):
            return Output.of_one(self._fused(query, tables[0]))
        links = self._link(query, tables)
        agendas = self._agendas(query, tables)
        memories: list[list[Memory]] = []  # of each layer, of each table
        scores, asked = [], []
        for layer in range(len(self.executors)):
            plans = [own[layer] for own, _ in agendas]
            before = memories[-1] if memories else None
            done, scored, questions = self._step(layer, query, tables, plans, before, links)
            memories.append(done)
            scores.append(scored)
            asked.append(questions)
        outputs = []
        for k, (own, view) in enumerate(zip(self.of_tables(len(tables)), tables, strict=True)):
            seen = tuple(layer[k] for layer in memories)
            answer = _answer(own, view, agendas[k][1], seen[-1])
            outputs.append(TableOutput(answer, tuple(layer[k] for layer in scores), seen))
        return Output(tuple(outputs), tuple(asked), links)

    def _fused(self, query: Float[Tensor, "batch query"], table: TableView) -> TableOutput:
        """Runs the whole cascade over one table in one kernel."""
        scores, field_scores, rows, tables = fused_cascade.run(
            self,
            table.cells,
            self.name_terms(table.names),
            self.query_terms(query),
            table.field_mask,
            table.row_mask,
        )
        answer_scores = hide_padding(scores.transpose(1, 2), table.field_mask, table.row_mask)
        if table.field_mask is not None:
            field_scores = field_scores.masked_fill(~table.field_mask, -torch.inf)
        memories = tuple(Memory(*layer) for layer in zip(rows, tables, strict=True))
        return TableOutput(answer_scores, tuple(field_scores), memories)

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
        before: Sequence[Memory] | None,
        links: Mapping[Pair, Link],
    ) -> tuple[list[Memory], list[Float[Tensor, "batch _"]], Asked]:
        """Lets Executors (ℓ, k) read, ask other tables, and annotate; the first find no memory."""
        executors = [own.executors[layer] for own in self.of_tables(len(tables))]
        remembered: Sequence[Memory | None] = before or [None] * len(tables)
        reads = [
            executor.read(view.cells, plan, memory, view.field_mask)
            for executor, view, plan, memory in zip(executors, tables, plans, remembered, strict=True)
        ]
        asked = Asked()
        if before and len(tables) > 1:
            asked = self._ask(layer, query, tables, [read for read, *_ in reads], before, links)
        memories = []
        for k, (view, plan) in enumerate(zip(tables, plans, strict=True)):
            read, _, term = reads[k]
            relevant = self._relevant_term(layer, k, before, asked) if before else None
            memories.append(executors[k].annotate(read, plan, remembered[k], term, view.row_mask, relevant))
        return memories, [scores for _, scores, _ in reads], asked

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
    cascade: ExecutorSet, view: TableView, agenda: Float[Tensor, "batch hidden"], memory: Memory
) -> Float[Tensor, "batch row field"]:
    """Returns the scores of a table's cells."""
    seen = view.names if cascade.answer_sees_fields else None
    scores: Tensor = cascade.answer_executor(view.cells, agenda, memory, view.field_mask, view.row_mask, seen)
    return scores


def _largest(parts: Sequence[Float[Tensor, "..."]]) -> Float[Tensor, "..."]:
    """Returns the entrywise maximum over tables."""
    return parts[0] if len(parts) == 1 else torch.stack(list(parts)).amax(dim=0)
