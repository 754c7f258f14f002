"""The whole model: encoders, the cascade of executors, the answer."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model import fused_cascade
from neural_enquirer.model.annotator import POOLINGS, Annotator
from neural_enquirer.model.answer_executor import AnswerExecutor, hide_padding
from neural_enquirer.model.executor import Agenda, Executor, Memory
from neural_enquirer.model.query_encoder import QueryEncoder
from neural_enquirer.model.reader import Reader
from neural_enquirer.model.table_encoder import TableEncoder
from neural_enquirer.model.trace import ExecutionTrace
from neural_enquirer.model.typed_list import TypedList


@dataclass(frozen=True)
class ModelConfig:
    """The sizes and choices of a model; the defaults are the paper's.

    Attributes:
        executors: how many, the answering one included.
        embedding_size: of words and field names.
        cell_size: of the cells' embeddings e_mn.
        annotation_size: of row and table annotations.
        hidden_size: of every hidden layer.
        state_size: of the GRU in each direction.
        annotator_depth: layers of DNN_2.
        answer_depth: layers of the answering DNN.
        pooling: "max" or "gated".
        grounded: whether cells know that the question mentions them (beyond the paper).
        reset_after: the GRU variant of cuDNN instead of the paper's.
        dropout: on the query embedding, while training.
    """

    executors: int = 5
    embedding_size: int = 20
    cell_size: int = 20
    annotation_size: int = 20
    hidden_size: int = 50
    state_size: int = 150
    annotator_depth: int = 3
    answer_depth: int = 3
    pooling: str = "max"
    grounded: bool = False
    reset_after: bool = False
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.executors < 2:
            raise ValueError("model.executors must be at least 2: one that reads and one that answers")
        if min(self.annotator_depth, self.answer_depth) < 2:
            raise ValueError("model.annotator_depth and model.answer_depth must be at least 2")
        for name in ("embedding_size", "cell_size", "annotation_size", "hidden_size", "state_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"model.{name} must be at least 1, not {getattr(self, name)}")
        if self.pooling not in POOLINGS:
            raise ValueError(f"model.pooling must be one of {', '.join(POOLINGS)}, not {self.pooling!r}")
        if not 0 <= self.dropout < 1:
            raise ValueError("model.dropout must be at least 0 and less than 1")


@dataclass(frozen=True)
class Output:
    """What the cascade says of a batch.

    Attributes:
        answer_scores: whose softmax over all cells is p(w_mn | Q, T).
        field_scores: for each reading executor, the scores whose softmax are its field weights.
        memories: what each reading executor left behind.
    """

    answer_scores: Float[Tensor, "batch row field"]
    field_scores: tuple[Float[Tensor, "batch field"], ...]
    memories: tuple[Memory, ...]

    def trace(self) -> ExecutionTrace:
        """Returns how the answers came about."""
        probabilities = self.answer_scores.flatten(1).softmax(dim=1)
        return ExecutionTrace(
            field_weights=torch.stack(self.field_scores, dim=1).softmax(dim=2),
            row_annotations=torch.stack([memory.rows for memory in self.memories], dim=1),
            table_annotations=torch.stack([memory.table for memory in self.memories], dim=1),
            answer_probabilities=probabilities.view_as(self.answer_scores),
        )


class NeuralEnquirer(nn.Module):
    """Neural Enquirer over one table with a closed vocabulary (sections "Model" and "Learning")."""

    fixed_embedding: Float[Tensor, "fixed embedding"]

    def __init__(
        self,
        config: ModelConfig,
        embedding: Float[Tensor, "word embedding"],
        fixed_embedding: Float[Tensor, "fixed embedding"],
    ) -> None:
        """Makes a model. The matrix L is a zero row for padding, then `embedding`, then `fixed_embedding`.

        Args:
            config: sizes and choices.
            embedding: the initial vectors of the words that are trained.
            fixed_embedding: the vectors of words that are not (entities in the OOV setting).
        """
        super().__init__()
        query_size = 2 * config.state_size
        sizes = (query_size, config.annotation_size, config.hidden_size)
        self.config = config
        self.embedding = nn.Parameter(embedding.clone())
        self.register_buffer("fixed_embedding", fixed_embedding.clone())
        self.query_encoder = QueryEncoder(
            config.embedding_size, config.state_size, reset_after=config.reset_after
        )
        self.table_encoder = TableEncoder(config.embedding_size, config.cell_size, grounded=config.grounded)
        self.executors = TypedList[Executor](
            Executor(
                Reader(config.embedding_size, *sizes, first=layer == 0),
                Annotator(
                    config.cell_size,
                    *sizes,
                    depth=config.annotator_depth,
                    pooling=config.pooling,
                    first=layer == 0,
                ),
            )
            for layer in range(config.executors - 1)
        )
        self.answer_executor = AnswerExecutor(config.cell_size, *sizes, depth=config.answer_depth)

    def forward(self, batch: Batch) -> Output:
        """Answers a batch of questions."""
        embedding = self.word_vectors()
        query = self.query_encoder(batch.words, embedding)  # q
        query = functional.dropout(query, self.config.dropout, self.training)
        cells = self.table_encoder(batch.cells, batch.fields, batch.mentions, embedding)  # e_mn
        names = functional.embedding(batch.fields, embedding)  # f_n
        query_terms, name_terms = self._terms(query, names)
        field_mask, row_mask = batch.field_mask, batch.row_mask
        if fused_cascade.usable(self, cells):
            return self._fused(cells, name_terms, query_terms, field_mask, row_mask)
        agendas, answer_agenda = self._agendas(query_terms, name_terms)
        memory: Memory | None = None
        memories, field_scores = [], []
        for executor, agenda in zip(self.executors, agendas, strict=True):
            memory, scores = executor(cells, agenda, memory, field_mask, row_mask)
            memories.append(memory)
            field_scores.append(scores)
        answer_scores = self.answer_executor(cells, answer_agenda, memories[-1], field_mask, row_mask)
        return Output(answer_scores, tuple(field_scores), tuple(memories))

    def word_vectors(self) -> Float[Tensor, "code embedding"]:
        """Returns the matrix L, a row for each code of the vocabulary."""
        padding = self.embedding.new_zeros(1, self.config.embedding_size)
        return torch.cat((padding, self.embedding, self.fixed_embedding))

    def _terms(
        self, query: Float[Tensor, "batch query"], names: Float[Tensor, "batch field embedding"]
    ) -> tuple[Float[Tensor, "batch terms"], Float[Tensor, "batch field name_terms"]]:
        """Computes W_q q + b and W_f f_n of every first layer with one matrix product each.

        Returns:
            The terms of the readers, the annotators and the answer layer side by side; those of the readers.
        """
        readers = [executor.reader.hidden for executor in self.executors]
        layers = [
            *readers,
            *(executor.annotator.first for executor in self.executors),
            self.answer_executor.first,
        ]
        query_weight = torch.cat([layer.weight["query"] for layer in layers])
        bias = torch.cat([layer.bias for layer in layers])
        name_weight = torch.cat([reader.weight["field"] for reader in readers])
        return functional.linear(query, query_weight, bias), functional.linear(names, name_weight)

    def _agendas(
        self, query_terms: Float[Tensor, "batch terms"], name_terms: Float[Tensor, "batch field name_terms"]
    ) -> tuple[list[Agenda], Float[Tensor, "batch hidden"]]:
        """Returns each reading executor's part of the terms, and the answer layer's."""
        of_query = query_terms.split(self.config.hidden_size, dim=1)
        of_names = name_terms.split(self.config.hidden_size, dim=2)
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
