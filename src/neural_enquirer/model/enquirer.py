"""The whole model with a closed vocabulary: encoders, then the cascade of executors over tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.encoding.words import Vocabulary, entity_vectors
from neural_enquirer.model.cascade import Cascade, TableView
from neural_enquirer.model.executor_set import Sizes
from neural_enquirer.model.network import Beginning, Network, check_config
from neural_enquirer.model.output import Output
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
        grounded: whether cells know that the question mentions them (beyond the paper).
        reset_after: the GRU variant of cuDNN instead of the paper's.
        dropout: on the query embedding, while training.
        tables: how many a question has at most; where it is one, no executor has an ear for others.
        linked: whether rows of different tables are compared by the values that they share (beyond the
            paper).
        executor_sets: one set of executors for all tables, or one for each.
    """

    executors: int = 5
    embedding_size: int = 20
    cell_size: int = 20
    annotation_size: int = 20
    hidden_size: int = 50
    state_size: int = 150
    annotator_depth: int = 3
    answer_depth: int = 3
    grounded: bool = False
    reset_after: bool = False
    dropout: float = 0.0
    tables: int = 1
    linked: bool = False
    executor_sets: int = 1

    def __post_init__(self) -> None:
        check_config(self)
        if self.executor_sets not in (1, self.tables):
            raise ValueError(f"model.executor_sets must be 1 or model.tables: {self.tables}")
        if self.linked and self.tables == 1:
            raise ValueError("model.linked is for several tables: set model.tables")

    def new_network(self, vocabulary: Vocabulary, beginning: Beginning) -> "NeuralEnquirer":
        """Makes an untrained model; the vectors of entities are decided by their text alone."""
        entities = [word for word in vocabulary.words if word in vocabulary.entities]
        others = torch.randn(len(vocabulary) - 1 - len(entities), self.embedding_size)  # all but padding's
        indices = torch.from_numpy(entity_vectors(entities, self.embedding_size))
        vectors = torch.cat((beginning.word_scale * others, beginning.entity_scale * indices))
        trained = len(others) if beginning.freeze_entities else len(vectors)
        model = NeuralEnquirer(self, vectors[:trained], vectors[trained:])
        model.cascade.scale_later_reads(beginning.read_scale)
        return model


class NeuralEnquirer(Network):
    """Neural Enquirer with a closed vocabulary (sections "Model" and "Learning").

    On several tables it is Neural Enquirer-M (appendix "Handling Multiple Tables").
    """

    kind = "closed"
    takes_entities = True
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
        sizes = Sizes.of(config, field_size=config.embedding_size, attention_size=config.hidden_size)
        self.cascade = Cascade(sizes, asks=config.tables > 1, linked=config.linked, sets=config.executor_sets)

    @classmethod
    def restored(
        cls, config: Mapping[str, Any], tensors: Mapping[str, Tensor], vocabulary: Vocabulary
    ) -> "NeuralEnquirer":
        """Makes the model of a checkpoint, whose weights are then loaded into it."""
        return cls(ModelConfig(**config), tensors["embedding"], tensors["fixed_embedding"])

    def with_entities(self, vectors: Float[Tensor, "new embedding"]) -> "NeuralEnquirer":
        """Returns a model that also has these vectors, for new codes behind all others."""
        fixed = torch.cat((self.fixed_embedding, vectors.to(self.fixed_embedding)))
        model = NeuralEnquirer(self.config, self.embedding, fixed).to(fixed.device)
        model.load_state_dict({**self.state_dict(), "fixed_embedding": fixed})
        return model.eval()

    def reads(self, tables: int) -> bool:
        """Whether a question may have so many tables; executors that all share take any number."""
        if self.config.executor_sets > 1:
            return tables == self.config.executor_sets
        return tables == 1 or self.config.tables > 1

    def forward(self, batch: Batch) -> Output:
        """Answers a batch of questions."""
        embedding = self.word_vectors()
        side = SideStream(embedding)  # the query encoder leaves most of a GPU idle
        with side.work():
            views = [self._view(table, embedding) for table in batch.tables]
        query = self.query(batch.words, embedding)  # q
        for view in views:
            side.join(view.cells, view.names)
        output: Output = self.cascade(query, views)
        return output

    def _view(self, table: TableCodes, embedding: Float[Tensor, "code embedding"]) -> TableView:
        cells = self.table_encoder(table.cells, table.fields, table.mentions, embedding)  # e_mn
        names = functional.embedding(table.fields, embedding)  # f_n
        values = table.values if self.config.linked else None
        return TableView(names, cells, table.field_mask, table.row_mask, values)

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
