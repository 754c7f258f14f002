"""ExecutorSet: the executors of a table, one behind the other, and what they ask of other tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.model.annotator import Annotator
from neural_enquirer.model.answer_executor import AnswerExecutor
from neural_enquirer.model.executor import Agenda, Executor
from neural_enquirer.model.layers import TypedList
from neural_enquirer.model.reader import Reader
from neural_enquirer.model.row_attention import RowAttention


@dataclass(frozen=True)
class Sizes:
    """How large executors are, and how many.

    Attributes:
        field_size: of the field names f_n.
        cell_size: of the cells' embeddings e_mn.
        query_size: of the query embedding q.
        annotation_size: of row and table annotations.
        hidden_size: of every hidden layer …
        attention_size: … but that of γ, which is computed for every pair of rows.
        executors: how many, the answering one included.
        annotator_depth: layers of DNN_2.
        answer_depth: layers of the answering DNN.
    """

    field_size: int
    cell_size: int
    query_size: int
    annotation_size: int
    hidden_size: int
    attention_size: int
    executors: int
    annotator_depth: int = 3
    answer_depth: int = 3

    @classmethod
    def of(cls, config: Any, *, field_size: int, attention_size: int) -> "Sizes":
        """Returns the sizes behind the encoders of a model, whose question encoder reads both ways."""
        return cls(
            field_size=field_size,
            cell_size=config.cell_size,
            query_size=2 * config.state_size,
            annotation_size=config.annotation_size,
            hidden_size=config.hidden_size,
            attention_size=attention_size,
            executors=config.executors,
            annotator_depth=config.annotator_depth,
            answer_depth=config.answer_depth,
        )


class ExecutorSet(nn.Module):
    """Executors 1 to ℓ of the paper (section "Executor"), whatever made q, f_n and e_mn."""

    def __init__(
        self, sizes: Sizes, *, answer_sees_fields: bool = False, relevant: Sequence[str] = ()
    ) -> None:
        """Makes executors.

        Args:
            sizes: theirs.
            answer_sees_fields: whether the answer layer sees f_n beside the cells.
            relevant: names of the annotations that annotators may get from other tables, if from any.
        """
        super().__init__()
        self.sizes, self.answer_sees_fields = sizes, answer_sees_fields
        shared = (sizes.query_size, sizes.annotation_size, sizes.hidden_size)
        self.executors = TypedList[Executor](
            Executor(
                Reader(sizes.field_size, *shared, first=layer == 0),
                Annotator(
                    sizes.cell_size,
                    *shared,
                    depth=sizes.annotator_depth,
                    first=layer == 0,
                    relevant=relevant,
                ),
            )
            for layer in range(sizes.executors - 1)
        )
        self.answer_executor = AnswerExecutor(
            sizes.cell_size,
            *shared,
            depth=sizes.answer_depth,
            field_size=sizes.field_size if answer_sees_fields else 0,
        )
        self.attentions = TypedList[RowAttention](
            RowAttention(sizes.cell_size, sizes.query_size, sizes.annotation_size, sizes.attention_size)
            for _ in self.later
            if relevant
        )

    @property
    def later(self) -> range:
        """The executors but the first, which finds nothing in other tables' memory, counted from 0."""
        return range(len(self.executors) - 1)

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
        of_query = query_terms.split(self.sizes.hidden_size, dim=1)
        of_names = name_terms.split(self.sizes.hidden_size, dim=2)
        count = len(of_names)
        agendas = [
            Agenda(name + reader[:, None], annotator)
            for name, reader, annotator in zip(of_names, of_query[:count], of_query[count:-1], strict=True)
        ]
        return agendas, of_query[-1]
