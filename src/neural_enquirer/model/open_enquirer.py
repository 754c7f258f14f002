"""The open model: questions and tables never seen before, through their links, into the paper's cascade."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from jaxtyping import Bool, Float, Int, UInt8
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.field_features import FIELD_FEATURES
from neural_enquirer.encoding.linking import ALONE, LINKED, UNKNOWN_WORD
from neural_enquirer.encoding.open import bucket_vectors, vector_rows
from neural_enquirer.encoding.open_batch import OpenBatch, OpenTable
from neural_enquirer.encoding.program_batch import ProgramBatch, Schema
from neural_enquirer.encoding.table_index import MISSING
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.cascade import (
    LINKED_ROWS,
    RELEVANT_ROWS,
    RELEVANT_TABLE,
    Cascade,
    TableView,
)
from neural_enquirer.model.executor_set import Sizes
from neural_enquirer.model.field_linker import FieldLinker
from neural_enquirer.model.layers import FactoredLinear, bits_of, linear, tanh
from neural_enquirer.model.network import Beginning, Network, check_config
from neural_enquirer.model.open_table_encoder import CellEncoder, FieldEncoder
from neural_enquirer.model.output import Output
from neural_enquirer.model.program_decoder import Heard, ProgramDecoder, ProgramOutput, RelationSizes
from neural_enquirer.model.question_encoder import QuestionEncoder
from neural_enquirer.model.reading import Evidence, Reading, Words, name_means, span_means
from neural_enquirer.model.word_meanings import WordMeanings

WORD_FLAGS = 8
LINK_FEATURES = 2


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
        attention_size: of the hidden layer that compares a row of one table with a row of another.
        decoder_size: of the program decoder's state.
        relation_size: of the vectors by which words, fields and values look at each other.
        relation_heads: into which these are parted.
        relation_layers: how often they look.
        dropout: on words' vectors and the query embedding, while training.
        decoder_dropout: on what the decoder hears and thinks, while training.
        word_vectors: whether words are also known by fixed word vectors.
        unsaid: whether programs may have values that nobody says (see `encoding.unsaid`).
        word_dropout: how many of the learned words that have a fixed vector are read as if they were not
            learned, while training: so that the others are understood, too.
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
    attention_size: int = 32
    decoder_size: int = 192
    relation_size: int = 128
    relation_heads: int = 4
    relation_layers: int = 2
    dropout: float = 0.0
    decoder_dropout: float = 0.0
    word_vectors: bool = False
    unsaid: bool = False
    word_dropout: float = 0.1

    def __post_init__(self) -> None:
        check_config(self)

    def new_network(self, vocabulary: Vocabulary, beginning: Beginning) -> "OpenEnquirer":
        """Makes an untrained model."""
        words = beginning.word_scale * torch.randn(len(vocabulary) - 1, self.embedding_size)
        model = OpenEnquirer(self, words, vector_rows(vocabulary) if self.word_vectors else None)
        model.cascade.scale_later_reads(beginning.read_scale)
        return model


class OpenEnquirer(Network):
    """Neural Enquirer over any tables: the open front end and the cascade of executors.

    On one table it is the paper's model, on several Neural Enquirer-M, with the same weights.
    """

    kind = "open"
    can_begin_with = True
    config: OpenConfig
    buckets: Float[Tensor, "bucket embedding"]

    def __init__(
        self,
        config: OpenConfig,
        embedding: Float[Tensor, "word embedding"],
        rows: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Makes a model.

        Args:
            config: its sizes.
            embedding: the initial vectors of the vocabulary's codes but padding's.
            rows: for each code which fixed vector it has, where such vectors are used.
        """
        super().__init__()
        if (rows is not None) != config.word_vectors:
            raise ValueError("a model with fixed word vectors needs their rows, and no other model has any")
        self.config = config
        states = 2 * config.state_size
        self.embedding = nn.Parameter(embedding.clone())
        self.register_buffer(
            "buckets", torch.from_numpy(bucket_vectors(config.embedding_size)), persistent=False
        )
        self.meanings = None if rows is None else WordMeanings(torch.from_numpy(rows), config.embedding_size)
        self.linker = FieldLinker(config.embedding_size, config.link_size)
        self.question_encoder = QuestionEncoder(
            config.embedding_size + WORD_FLAGS + LINK_FEATURES, config.state_size
        )
        self.field_encoder = FieldEncoder(
            states, config.embedding_size, FIELD_FEATURES + 2, config.field_size
        )
        self.cell_encoder = CellEncoder(states, config.field_size, config.cell_size)
        sizes = Sizes.of(config, field_size=config.field_size, attention_size=config.attention_size)
        self.cascade = Cascade(sizes, asks=True, linked=True, answer_sees_fields=True)
        _close_ears(self.cascade)
        self.none_hidden = FactoredLinear(config.hidden_size, query=states, table=config.annotation_size)
        self.none_score = linear(config.hidden_size, 1)
        self.decoder = ProgramDecoder(
            states,
            config.field_size,
            config.decoder_size,
            config.decoder_dropout,
            RelationSizes(config.relation_size, config.relation_heads, config.relation_layers),
            config.embedding_size if config.unsaid else None,
        )

    @classmethod
    def restored(
        cls, config: Mapping[str, Any], tensors: Mapping[str, Tensor], vocabulary: Vocabulary
    ) -> "OpenEnquirer":
        """Makes the model of a checkpoint, whose weights are then loaded into it."""
        sizes = OpenConfig(**config)
        return cls(sizes, tensors["embedding"], vector_rows(vocabulary) if sizes.word_vectors else None)

    def reads(self, tables: int) -> bool:
        """Whether a question may have so many tables: any number."""
        return tables > 0

    def forward(self, batch: OpenBatch | ProgramBatch) -> Output | ProgramOutput:
        """Scores the cells of questions as answers, or the derivations of their programs."""
        return self._write(batch) if isinstance(batch, ProgramBatch) else self.execute(batch)

    def _write(self, batch: ProgramBatch) -> ProgramOutput:
        return ProgramOutput(self.decoder.log_probabilities(self.hear(batch.schema), batch.steps))

    def hear(self, schema: Schema) -> Heard:
        """Returns what the decoder hears of questions."""
        return self.decoder.hear(schema, self.read(schema), self._unsaid(schema))

    def _unsaid(
        self, schema: Schema
    ) -> tuple[Float[Tensor, "batch mention embedding"], Float[Tensor, "batch token mention"]]:
        """The mean vectors of values that nobody says, and how much each word speaks of each."""
        embedding = self.word_vectors()
        said, written = self._look_up(schema.words, embedding), self._look_up(schema.unsaid, embedding)
        counts = (schema.unsaid > 0).sum(dim=2)
        none = schema.levels.new_zeros(1).expand(*schema.words.shape, counts.shape[1])
        links = self._linked(said, written, none) * (counts > 0)[:, None]
        return written.vectors.sum(dim=2) / counts.clamp(min=1)[..., None], links

    def execute(self, batch: OpenBatch) -> Output:
        """Runs the cascade of executors over the rows of all tables."""
        reading = self.read(batch)
        views = []
        for table, names, evidence in zip(batch.tables, reading.names, reading.evidence, strict=True):
            meanings = self.cell_encoder.meanings(names, evidence)
            views.append(TableView(names, self.cell_encoder(meanings, table), *table.masks, table.values))
        return self.answered(self.cascade(reading.query, views), reading.query, batch)

    def answered(self, output: Output, query: Float[Tensor, "batch query"], batch: OpenBatch) -> Output:
        """Takes missing cells out of the answers, and puts "in none of these tables" in."""
        tables = []
        for own, table in zip(output.tables, batch.tables, strict=True):
            missing = (table.cell_flags & MISSING).bool()
            tables.append(replace(own, answer_scores=own.answer_scores.masked_fill(missing, -torch.inf)))
        last = torch.stack([own.memories[-1].table for own in tables]).amax(dim=0)
        return replace(output, tables=tuple(tables), none_scores=self._score_none(query, last))

    def read(self, batch: OpenBatch | Schema) -> Reading:
        """Reads questions with all their tables: a word is linked as strongly as to any field of theirs."""
        tables: tuple[OpenTable | Schema, ...] = batch.tables
        forgotten = self._forgotten()
        embedding = self.word_vectors(forgotten)
        said = self._look_up(batch.words, embedding)
        headers = [self._look_up(table.headers, embedding) for table in tables]
        alphas = tuple(
            self._linked(said, written, table.levels) * table.field_mask[:, None]
            for table, written in zip(tables, headers, strict=True)
        )
        states, query = self._encode(said, _flags(batch, forgotten), alphas)
        spans = span_means(states, batch.mentions), span_means(states, batch.quantities)
        evidence = tuple(Evidence(name_means(states, alpha), *spans) for alpha in alphas)
        names = tuple(
            self.field_encoder(own, table, alpha, written.vectors)
            for own, table, alpha, written in zip(evidence, tables, alphas, headers, strict=True)
        )
        return Reading(query, states, alphas, names, evidence)

    def _linked(
        self, said: Words, written: Words, levels: UInt8[Tensor, "batch token name"]
    ) -> Float[Tensor, "batch token name"]:
        """How much each word speaks of what has a name."""
        close = 0.0 if self.meanings is None else self.meanings.closeness(said.meanings, written.meanings)
        alpha: Tensor = self.linker(said, written, levels, close)
        return alpha

    def _look_up(self, codes: Int[Tensor, "*shape"], embedding: Float[Tensor, "code embedding"]) -> Words:
        """Returns the vectors of words, by their codes."""
        codes = codes.long()
        learned = len(embedding)
        known = (codes > 0) & ((codes < self.known_codes) | (codes >= learned))
        if self.meanings is None:
            own = functional.embedding(codes, embedding)
            return Words(codes, known, own, own)
        meanings: Tensor = self.meanings(codes)
        own = functional.embedding(codes.where(codes < learned, 0), embedding)
        return Words(codes, known, own + self.meanings.project(meanings), meanings)

    def _forgotten(self) -> Bool[Tensor, "known"] | None:
        """Which learned words are read as if they were not, while training."""
        if self.meanings is None or not self.training or not self.config.word_dropout:
            return None
        return self.meanings.forgotten(self.known_codes, self.config.word_dropout)

    def _encode(
        self,
        said: Words,
        flags: UInt8[Tensor, "batch token"],
        alphas: tuple[Float[Tensor, "batch token _"], ...],
    ) -> tuple[Float[Tensor, "batch token states"], Float[Tensor, "batch query"]]:
        """Returns the words' states h_t and the query embedding q."""
        bits = bits_of(flags, WORD_FLAGS)
        strongest = torch.stack([alpha.amax(dim=2) for alpha in alphas]).amax(dim=0)
        total = torch.stack([alpha.sum(dim=2) for alpha in alphas]).sum(dim=0)
        vectors = functional.dropout(said.vectors, self.config.dropout, self.training)
        inputs = torch.cat((vectors, bits.to(vectors.dtype), torch.stack((strongest, total), dim=2)), dim=2)
        states, query = self.question_encoder(inputs, (said.codes > 0).sum(dim=1))
        return states, functional.dropout(query, self.config.dropout, self.training)

    def _score_none(
        self, query: Float[Tensor, "batch query"], table: Float[Tensor, "batch annotation"]
    ) -> Float[Tensor, "batch"]:
        """Returns the score of "the answer is in none of these tables"."""
        weight = self.none_hidden.weight
        hidden = functional.linear(query, weight["query"], self.none_hidden.bias) + table @ weight["table"].T
        scores: Tensor = self.none_score(tanh(hidden, spent=True))
        return scores.squeeze(1)

    @property
    def known_codes(self) -> int:
        """How many codes have a vector of their own: the size of the vocabulary."""
        return 1 + len(self.embedding)

    def word_vectors(self, forgotten: Bool[Tensor, "known"] | None = None) -> Float[Tensor, "code embedding"]:
        """Returns a vector for each code: padding's, the vocabulary's (none if forgotten), the buckets'."""
        own: Tensor = self.embedding
        if forgotten is not None:
            own = own.masked_fill(forgotten[1:, None], 0.0)
        return torch.cat((own.new_zeros(1, self.config.embedding_size), own, self.buckets))


def _close_ears(cascade: Cascade) -> None:
    """Lets no executor listen to other tables at first.

    A model that begins with the weights of one that knows single tables then knows as much.
    """
    for executor in cascade.executors:
        for name, weight in executor.annotator.first.weight.items():
            if name in (RELEVANT_ROWS, RELEVANT_TABLE, LINKED_ROWS):
                nn.init.zeros_(weight)


def _flags(
    batch: OpenBatch | Schema, forgotten: Bool[Tensor, "known"] | None
) -> UInt8[Tensor, "batch token"]:
    """The flags of words; forgotten ones have those of words that the vocabulary does not have."""
    flags = batch.word_flags
    if forgotten is None:
        return flags
    codes = batch.words.long()
    unknown = forgotten[codes.where(codes < len(forgotten), 0)]
    alone = (flags & LINKED) == 0
    return flags | (unknown * UNKNOWN_WORD).to(flags.dtype) | ((unknown & alone) * ALONE).to(flags.dtype)
