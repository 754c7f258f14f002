"""The whole model with a closed vocabulary: encoders, then the cascade of executors."""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.model.annotator import POOLINGS
from neural_enquirer.model.cascade import Cascade, Output
from neural_enquirer.model.network import Network
from neural_enquirer.model.query_encoder import QueryEncoder
from neural_enquirer.model.side_stream import SideStream
from neural_enquirer.model.table_encoder import TableEncoder


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
        linked: whether rows of different tables are compared by the values that they share, where there are
            several tables (beyond the paper).
        executor_sets: where there are several tables, one set of executors for all, or one for each.
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
    linked: bool = False
    executor_sets: int = 1

    def __post_init__(self) -> None:
        if self.executors < 2:
            raise ValueError("model.executors must be at least 2: one that reads and one that answers")
        if min(self.annotator_depth, self.answer_depth) < 2:
            raise ValueError("model.annotator_depth and model.answer_depth must be at least 2")
        sizes = ("embedding_size", "cell_size", "annotation_size", "hidden_size", "state_size")
        for name in (*sizes, "executor_sets"):
            if getattr(self, name) < 1:
                raise ValueError(f"model.{name} must be at least 1, not {getattr(self, name)}")
        if self.pooling not in POOLINGS:
            raise ValueError(f"model.pooling must be one of {', '.join(POOLINGS)}, not {self.pooling!r}")
        if not 0 <= self.dropout < 1:
            raise ValueError("model.dropout must be at least 0 and less than 1")


class ClosedEnquirer(Network):
    """What models with a closed vocabulary share: all but what their executors work on."""

    config: ModelConfig
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
        self.config = config
        self.embedding = nn.Parameter(embedding.clone())
        self.register_buffer("fixed_embedding", fixed_embedding.clone())
        self.query_encoder = QueryEncoder(
            config.embedding_size, config.state_size, reset_after=config.reset_after
        )
        self.table_encoder = TableEncoder(config.embedding_size, config.cell_size, grounded=config.grounded)
        self.cascade = self.make_cascade()

    def make_cascade(self) -> Cascade:
        """Makes the executors behind the encoders."""
        raise NotImplementedError

    def query(
        self, words: Int[Tensor, "batch token"], embedding: Float[Tensor, "code embedding"]
    ) -> Float[Tensor, "batch query"]:
        """Returns the query embeddings q."""
        query: Tensor = self.query_encoder(words, embedding)
        return functional.dropout(query, self.config.dropout, self.training)

    @property
    def known_codes(self) -> int:
        """How many codes have a vector: the size of the vocabulary."""
        return 1 + len(self.embedding) + len(self.fixed_embedding)

    def word_vectors(self) -> Float[Tensor, "code embedding"]:
        """Returns the matrix L, a row for each code of the vocabulary."""
        padding = self.embedding.new_zeros(1, self.config.embedding_size)
        return torch.cat((padding, self.embedding, self.fixed_embedding))


class NeuralEnquirer(ClosedEnquirer):
    """Neural Enquirer over one table with a closed vocabulary (sections "Model" and "Learning")."""

    kind = "closed"

    def make_cascade(self) -> Cascade:
        """Makes the executors over one table."""
        return Cascade(**cascade_sizes(self.config))

    def forward(self, batch: Batch) -> Output:
        """Answers a batch of questions."""
        embedding = self.word_vectors()
        side = SideStream(embedding)  # the query encoder leaves most of a GPU idle
        with side.work():
            cells = self.table_encoder(batch.cells, batch.fields, batch.mentions, embedding)  # e_mn
            names = functional.embedding(batch.fields, embedding)  # f_n
        query = self.query(batch.words, embedding)  # q
        side.join(cells, names)
        output: Output = self.cascade(query, names, cells, batch.field_mask, batch.row_mask)
        return output


def cascade_sizes(config: ModelConfig) -> dict[str, Any]:
    """Returns the arguments of a cascade behind the encoders of a closed vocabulary."""
    return {
        "field_size": config.embedding_size,
        "cell_size": config.cell_size,
        "query_size": 2 * config.state_size,
        "annotation_size": config.annotation_size,
        "hidden_size": config.hidden_size,
        "executors": config.executors,
        "annotator_depth": config.annotator_depth,
        "answer_depth": config.answer_depth,
        "pooling": config.pooling,
    }
