"""The open model: questions and tables never seen before, through their links, into the paper's cascade."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.linking import FOUND, INSIDE
from neural_enquirer.encoding.open import BUCKETS
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.table_index import FIELD_FEATURES, MISSING
from neural_enquirer.model.activation import tanh
from neural_enquirer.model.cascade import Cascade, Output
from neural_enquirer.model.factored_linear import FactoredLinear, linear
from neural_enquirer.model.field_linker import FieldLinker
from neural_enquirer.model.network import Network
from neural_enquirer.model.open_table_encoder import CellEncoder, Evidence, FieldEncoder
from neural_enquirer.model.question_encoder import QuestionEncoder

WORD_FLAGS = 8
LINK_FEATURES = 2
BUCKET_SCALE = 0.1
"""How long the fixed vectors are: their words have no meaning to learn, so they should not drown the rest."""


@dataclass(frozen=True)
class OpenConfig:
    """The sizes of an open model.

    Attributes:
        executors: how many, the answering one included.
        embedding_size: of words.
        link_size: of the vectors whose products link words to fields.
        field_size: of the fields' vectors f_n.
        cell_size: of the cells' vectors e_mn.
        annotation_size: of row and table annotations.
        hidden_size: of every hidden layer.
        state_size: of the GRU in each direction.
        annotator_depth: layers of DNN_2.
        answer_depth: layers of the answering DNN.
        dropout: on words' vectors and the query embedding, while training.
    """

    executors: int = 5
    embedding_size: int = 64
    link_size: int = 32
    field_size: int = 64
    cell_size: int = 64
    annotation_size: int = 64
    hidden_size: int = 128
    state_size: int = 96
    annotator_depth: int = 3
    answer_depth: int = 3
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.executors < 2:
            raise ValueError("model.executors must be at least 2: one that reads and one that answers")
        if min(self.annotator_depth, self.answer_depth) < 2:
            raise ValueError("model.annotator_depth and model.answer_depth must be at least 2")
        for name in ("embedding", "link", "field", "cell", "annotation", "hidden", "state"):
            if getattr(self, f"{name}_size") < 1:
                raise ValueError(f"model.{name}_size must be at least 1, not {getattr(self, f'{name}_size')}")
        if not 0 <= self.dropout < 1:
            raise ValueError("model.dropout must be at least 0 and less than 1")


class OpenEnquirer(Network):
    """Neural Enquirer over any table: the open front end and the same cascade of executors."""

    kind = "open"
    config: OpenConfig
    buckets: Float[Tensor, "bucket embedding"]

    def __init__(self, config: OpenConfig, embedding: Float[Tensor, "word embedding"]) -> None:
        """Makes a model; `embedding` holds the initial vectors of the vocabulary's codes but padding's."""
        super().__init__()
        self.config = config
        states = 2 * config.state_size
        self.embedding = nn.Parameter(embedding.clone())
        self.register_buffer("buckets", bucket_vectors(config.embedding_size), persistent=False)
        self.linker = FieldLinker(config.embedding_size, config.link_size)
        self.question_encoder = QuestionEncoder(
            config.embedding_size + WORD_FLAGS + LINK_FEATURES, config.state_size
        )
        self.field_encoder = FieldEncoder(
            states, config.embedding_size, FIELD_FEATURES + 2, config.field_size
        )
        self.cell_encoder = CellEncoder(states, config.field_size, config.cell_size)
        self.cascade = self._make_cascade(config)
        self.none_hidden = FactoredLinear(config.hidden_size, query=states, table=config.annotation_size)
        self.none_score = linear(config.hidden_size, 1)

    def _make_cascade(self, config: OpenConfig) -> Cascade:
        return Cascade(**cascade_sizes(config))

    def forward(self, batch: OpenBatch) -> Output:
        """Answers a batch of questions."""
        query, names, evidence = self.read(batch)
        meanings = self.cell_encoder.meanings(names, evidence)
        cells = self.cell_encoder(
            meanings, batch.cell_mentions, batch.relations, batch.ranks, batch.cell_flags
        )
        output = self.cascade(query, names, cells, *batch.masks)
        missing = (batch.cell_flags & MISSING).bool()
        return Output(
            output.answer_scores.masked_fill(missing, -torch.inf),
            output.field_scores,
            output.memories,
            self.score_none(query, output.memories[-1].table),
        )

    def read(
        self, batch: OpenBatch
    ) -> tuple[Float[Tensor, "batch query"], Float[Tensor, "batch field size"], Evidence]:
        """Returns q, the fields' vectors f_n, and what the question says of cells: all that rows share."""
        query, ((names, evidence),) = self.read_several((batch,))
        return query, names, evidence

    def read_several(
        self, tables: Sequence[OpenBatch]
    ) -> tuple[Float[Tensor, "batch query"], list[tuple[Float[Tensor, "batch _ size"], Evidence]]]:
        """Reads questions with all their tables: the words are the same, their links are those to any table.

        Returns:
            q, and for each table what `read` returns.
        """
        embedding, first = self.word_vectors(), tables[0]
        words = first.words.long()
        said = functional.embedding(words, embedding)
        headers = [functional.embedding(batch.headers.long(), embedding) for batch in tables]
        alphas = [self._alpha(batch, words, said, own) for batch, own in zip(tables, headers, strict=True)]
        bits = (first.word_flags[..., None] >> torch.arange(WORD_FLAGS, device=words.device)) & 1
        strongest = torch.stack([alpha.amax(dim=2) for alpha in alphas]).amax(dim=0)
        total = torch.stack([alpha.sum(dim=2) for alpha in alphas]).sum(dim=0)
        strengths = torch.stack((strongest, total), dim=2)
        vectors = functional.dropout(said, self.config.dropout, self.training)
        inputs = torch.cat((vectors, bits.to(vectors.dtype), strengths), dim=2)
        states, query = self.question_encoder(inputs, (words > 0).sum(dim=1))
        query = functional.dropout(query, self.config.dropout, self.training)
        found = []
        for batch, alpha, written in zip(tables, alphas, headers, strict=True):
            evidence = _gather(states, alpha, batch)
            found.append((self._names(batch, alpha, written, evidence), evidence))
        return query, found

    def _alpha(
        self,
        batch: OpenBatch,
        words: Int[Tensor, "batch token"],
        said: Float[Tensor, "batch token embedding"],
        written: Float[Tensor, "batch field header embedding"],
    ) -> Float[Tensor, "batch token field"]:
        alpha: Tensor = self.linker(
            words, batch.headers.long(), batch.levels, said, written, self.known_codes
        )
        return alpha * batch.field_mask[:, None]

    def _names(
        self,
        batch: OpenBatch,
        alpha: Float[Tensor, "batch token field"],
        written: Float[Tensor, "batch field header embedding"],
        evidence: Evidence,
    ) -> Float[Tensor, "batch field size"]:
        """Returns the fields' vectors f_n."""
        kind = alpha.dtype
        names: Tensor = self.field_encoder(
            evidence,
            batch.mention_fields.to(kind),
            (batch.quantity_fields == FOUND).to(kind),
            (batch.quantity_fields >= INSIDE).to(kind),
            written.sum(dim=2) / (batch.headers > 0).sum(dim=2).clamp(min=1)[..., None],  # padding's are zero
            torch.cat((batch.features, batch.coverage[..., None], alpha.amax(dim=1)[..., None]), dim=2),
        )
        return names

    def score_none(
        self, query: Float[Tensor, "batch query"], table: Float[Tensor, "batch annotation"]
    ) -> Float[Tensor, "batch"]:
        """Returns the score of "the answer is not in this table"."""
        weight = self.none_hidden.weight
        hidden = functional.linear(query, weight["query"], self.none_hidden.bias) + table @ weight["table"].T
        scores: Tensor = self.none_score(tanh(hidden, spent=True))
        return scores.squeeze(1)

    @property
    def known_codes(self) -> int:
        """How many codes have a vector of their own: the size of the vocabulary."""
        return 1 + len(self.embedding)

    def word_vectors(self) -> Float[Tensor, "code embedding"]:
        """Returns a vector for each code: padding's, the vocabulary's, the buckets'."""
        padding = self.embedding.new_zeros(1, self.config.embedding_size)
        return torch.cat((padding, self.embedding, self.buckets))


def cascade_sizes(config: OpenConfig) -> dict[str, Any]:
    """Returns the arguments of the cascade."""
    return {
        "field_size": config.field_size,
        "cell_size": config.cell_size,
        "query_size": 2 * config.state_size,
        "annotation_size": config.annotation_size,
        "hidden_size": config.hidden_size,
        "executors": config.executors,
        "annotator_depth": config.annotator_depth,
        "answer_depth": config.answer_depth,
        "pooling": "max",
        "answer_sees_fields": True,
    }


def bucket_vectors(size: int) -> Float[Tensor, "bucket embedding"]:
    """Returns the fixed vectors of words outside of the vocabulary: the same in every model of a size."""
    vectors = np.random.default_rng(0).standard_normal((BUCKETS, size), dtype=np.float32)
    return torch.from_numpy(BUCKET_SCALE * vectors)


def _gather(
    states: Float[Tensor, "batch token states"], alpha: Float[Tensor, "batch token field"], batch: OpenBatch
) -> Evidence:
    """Collects the words' states over their links."""
    names = torch.bmm(alpha.transpose(1, 2), states) / alpha.sum(dim=1).clamp(min=1)[..., None]
    return Evidence(names, _span_means(states, batch.mentions), _span_means(states, batch.quantities))


def _span_means(
    states: Float[Tensor, "batch token states"], spans: Int[Tensor, "batch span 2"]
) -> Float[Tensor, "batch span states"]:
    """Returns the mean state of the words of each span; zero where there is none."""
    place = torch.arange(states.shape[1], device=states.device)
    inside = (place >= spans[..., :1]) & (place < spans[..., 1:])
    return torch.bmm(inside.to(states.dtype), states) / inside.sum(dim=2).clamp(min=1)[..., None]
