"""The cascade of executors: one reads after another, the last one says which cell is the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model import fused_cascade
from neural_enquirer.model.annotator import Annotator
from neural_enquirer.model.answer_executor import AnswerExecutor, hide_padding
from neural_enquirer.model.executor import Agenda, Executor, Memory
from neural_enquirer.model.reader import Reader
from neural_enquirer.model.trace import ExecutionTrace
from neural_enquirer.model.typed_list import TypedList


@dataclass(frozen=True)
class Output:
    """What the cascade says of a batch.

    Attributes:
        answer_scores: of all cells; their softmax is p(w_mn | Q, T).
        field_scores: for each reading executor, the scores whose softmax are its field weights.
        memories: what each reading executor left behind.
        none_scores: of the answer not being in this table, one more candidate beside the cells; None where
            every answer is a cell, as in the paper.
    """

    answer_scores: Float[Tensor, "batch row field"]
    field_scores: tuple[Float[Tensor, "batch field"], ...]
    memories: tuple[Memory, ...]
    none_scores: Float[Tensor, "batch"] | None = None

    def candidates(self) -> Float[Tensor, "batch candidate"]:
        """Returns the scores of all candidates: the cells, row by row, and then "none of them"."""
        cells = self.answer_scores.flatten(1)
        if self.none_scores is None:
            return cells
        return torch.cat((cells, self.none_scores[:, None]), dim=1)

    def trace(self, probabilities: Float[Tensor, "batch cell"] | None = None) -> ExecutionTrace:
        """Returns how the answers came about; the cells' probabilities are given where others compete."""
        if probabilities is None:
            cell_count = self.answer_scores.shape[1] * self.answer_scores.shape[2]
            probabilities = self.candidates().softmax(dim=1)[:, :cell_count]
        return ExecutionTrace(
            field_weights=torch.stack(self.field_scores, dim=1).softmax(dim=2),
            row_annotations=torch.stack([memory.rows for memory in self.memories], dim=1),
            table_annotations=torch.stack([memory.table for memory in self.memories], dim=1),
            answer_probabilities=probabilities.reshape(self.answer_scores.shape),
        )


class Cascade(nn.Module):
    """Executors 1 to ℓ of the paper (section "Executor"), whatever made q, f_n and e_mn."""

    def __init__(
        self,
        *,
        field_size: int,
        cell_size: int,
        query_size: int,
        annotation_size: int,
        hidden_size: int,
        executors: int,
        annotator_depth: int,
        answer_depth: int,
        pooling: str,
        answer_sees_fields: bool = False,
        relevant: Sequence[str] = (),
    ) -> None:
        """Makes a cascade.

        Args:
            field_size: of the field names f_n.
            cell_size: of the cells' embeddings e_mn.
            query_size: of the query embedding q.
            annotation_size: of row and table annotations.
            hidden_size: of every hidden layer.
            executors: how many, the answering one included.
            annotator_depth: layers of DNN_2.
            answer_depth: layers of the answering DNN.
            pooling: one of `annotator.POOLINGS`.
            answer_sees_fields: whether the answer layer sees f_n beside the cells.
            relevant: names of the annotations that annotators may get from other tables.
        """
        super().__init__()
        self.answer_sees_fields = answer_sees_fields
        self.cell_size, self.annotation_size, self.hidden_size = cell_size, annotation_size, hidden_size
        self.annotator_depth, self.answer_depth, self.pooling = annotator_depth, answer_depth, pooling
        sizes = (query_size, annotation_size, hidden_size)
        self.executors = TypedList[Executor](
            Executor(
                Reader(field_size, *sizes, first=layer == 0),
                Annotator(
                    cell_size,
                    *sizes,
                    depth=annotator_depth,
                    pooling=pooling,
                    first=layer == 0,
                    relevant=relevant,
                ),
            )
            for layer in range(executors - 1)
        )
        self.answer_executor = AnswerExecutor(
            cell_size, *sizes, depth=answer_depth, field_size=field_size if answer_sees_fields else 0
        )

    def forward(
        self,
        query: Float[Tensor, "batch query"],
        names: Float[Tensor, "batch field embedding"],
        cells: Float[Tensor, "batch field row cell"],
        field_mask: Bool[Tensor, "batch field"] | None,
        row_mask: Bool[Tensor, "batch row"] | None,
    ) -> Output:
        """Executes questions.

        Args:
            query: the query embeddings q.
            names: the embeddings f_n of the field names.
            cells: the cells' embeddings e_mn.
            field_mask: which fields are there; None for all.
            row_mask: which rows are there; None for all.
        """
        query_terms, name_terms = self.query_terms(query), self.name_terms(names)
        if fused_cascade.usable(self, cells):
            return self._fused(cells, name_terms, query_terms, field_mask, row_mask)
        agendas, answer_agenda = self.split_terms(query_terms, name_terms)
        memory: Memory | None = None
        memories, field_scores = [], []
        for executor, agenda in zip(self.executors, agendas, strict=True):
            memory, scores = executor(cells, agenda, memory, field_mask, row_mask)
            memories.append(memory)
            field_scores.append(scores)
        seen = names if self.answer_sees_fields else None
        answer_scores = self.answer_executor(cells, answer_agenda, memories[-1], field_mask, row_mask, seen)
        return Output(answer_scores, tuple(field_scores), tuple(memories))

    @torch.no_grad()
    def scale_later_reads(self, factor: float) -> None:
        """Scales the weights with which all annotators but the first see what they read."""
        for executor in list(self.executors)[1:]:
            executor.annotator.first.weight["read"] *= factor

    def agendas(
        self, query: Float[Tensor, "batch query"], names: Float[Tensor, "batch field embedding"]
    ) -> tuple[list[Agenda], Float[Tensor, "batch hidden"]]:
        """Returns what the question alone decides: of each reading executor, and of the answer layer."""
        return self.split_terms(self.query_terms(query), self.name_terms(names))

    def query_terms(self, query: Float[Tensor, "batch query"]) -> Float[Tensor, "batch terms"]:
        """Computes W_q q + b of the readers, the annotators and the answer layer, side by side, at once."""
        layers = [
            *(executor.reader.hidden for executor in self.executors),
            *(executor.annotator.first for executor in self.executors),
            self.answer_executor.first,
        ]
        weight = torch.cat([layer.weight["query"] for layer in layers])
        return functional.linear(query, weight, torch.cat([layer.bias for layer in layers]))

    def name_terms(
        self, names: Float[Tensor, "batch field embedding"]
    ) -> Float[Tensor, "batch field name_terms"]:
        """Computes W_f f_n of the readers, side by side, at once."""
        weight = torch.cat([executor.reader.hidden.weight["field"] for executor in self.executors])
        return functional.linear(names, weight)

    def split_terms(
        self, query_terms: Float[Tensor, "batch terms"], name_terms: Float[Tensor, "batch field name_terms"]
    ) -> tuple[list[Agenda], Float[Tensor, "batch hidden"]]:
        """Returns each reading executor's part of the terms, and the answer layer's."""
        of_query = query_terms.split(self.hidden_size, dim=1)
        of_names = name_terms.split(self.hidden_size, dim=2)
        count = len(of_names)
        agendas = [
            Agenda(name + reader[:, None], annotator)
            for name, reader, annotator in zip(of_names, of_query[:count], of_query[count:-1], strict=True)
        ]
        return agendas, of_query[-1]

    def _fused(
        self,
        cells: Float[Tensor, "batch field row cell"],
        name_terms: Float[Tensor, "batch field name_terms"],
        query_terms: Float[Tensor, "batch terms"],
        field_mask: Bool[Tensor, "batch field"] | None,
        row_mask: Bool[Tensor, "batch row"] | None,
    ) -> Output:
        """Runs the whole cascade in one kernel."""
        scores, field_scores, rows, tables = fused_cascade.run(
            self, cells, name_terms, query_terms, field_mask, row_mask
        )
        answer_scores = hide_padding(scores.transpose(1, 2), field_mask, row_mask)
        if field_mask is not None:
            field_scores = field_scores.masked_fill(~field_mask, -torch.inf)
        memories = tuple(Memory(*layer) for layer in zip(rows, tables, strict=True))
        return Output(answer_scores, tuple(field_scores), memories)
