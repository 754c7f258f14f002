"""The torch path: the open model as it would be asked with torch, to hold the one in numpy against.

`TorchModel` does what `runtime.open_model.OpenModel` does, by the modules of `model/` with the same weights,
so that `OpenPredictor` runs over either: linking, the bookkeeping of the beam, the programs, the judge and
the sentences are the same code. It gets what help there is without other modules: inference mode, the words'
vectors put together once, and a question that is read once for cascade and decoder. `torch_batches` puts
questions side by side. Nothing is compiled.
"""

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from neural_enquirer import checkpoint
from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.open import OpenQuestion
from neural_enquirer.encoding.open_batch import OpenBatch, OpenTable
from neural_enquirer.encoding.padding import collate
from neural_enquirer.encoding.program_batch import Schema
from neural_enquirer.encoding.program_batch import collate as collate_schema
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.model.output import Output as TorchOutput
from neural_enquirer.model.program_decoder import COUNT, ProgramDecoder
from neural_enquirer.model.program_decoder import Heard as TorchHeard
from neural_enquirer.model.program_decoder import Memory as TorchMemory
from neural_enquirer.model.program_decoder import Turn as TorchTurn
from neural_enquirer.model.reading import Evidence, Reading, span_means
from neural_enquirer.runtime.cascade import Looks, Output, TableOutput
from neural_enquirer.runtime.heard import Choices, Now
from neural_enquirer.runtime.layers import Array, Numbers
from neural_enquirer.runtime.loading import Loaded
from neural_enquirer.runtime.table_linker import Link

__all__ = ["TorchLoaded", "TorchModel", "TorchNetwork", "load", "output_of", "said_of"]


class TorchNetwork(OpenEnquirer):
    """The network; what does not change from question to question is computed once."""

    _known: Reading | None = None

    @cached_property
    def _vectors(self) -> Float[Tensor, "code embedding"]:
        return super().word_vectors()

    def word_vectors(self, forgotten: Bool[Tensor, "known"] | None = None) -> Float[Tensor, "code embedding"]:
        """The vector of each code; nothing is forgotten where nothing is learned."""
        return self._vectors

    @contextlib.contextmanager
    def knowing(self, reading: Reading) -> Iterator[None]:
        """Lets cascade and decoder go on from questions that were read before."""
        self._known = reading
        try:
            yield
        finally:
            self._known = None

    def read(self, batch: OpenBatch | Schema) -> Reading:
        """Reads questions; of those that are known, only the fields' vectors are made."""
        known = self._known
        if known is None:
            return super().read(batch)
        states, alphas = known.states, known.alphas if isinstance(batch, OpenBatch) else (known.alpha,)
        spans = span_means(states, batch.mentions), span_means(states, batch.quantities)
        means = [own.names for own in known.evidence]
        means = means if len(means) == len(alphas) else [torch.cat(means, dim=1)]
        evidence = tuple(Evidence(own, *spans) for own in means)
        embedding, tables = self.word_vectors(), tuple[OpenTable | Schema, ...](batch.tables)
        names = tuple(
            self.field_encoder(own, table, alpha, self._look_up(table.headers, embedding).vectors)
            for table, alpha, own in zip(tables, alphas, evidence, strict=True)
        )
        return Reading(known.query, states, alphas, names, evidence)


@dataclass(frozen=True)
class _Heard:
    """What the decoder hears of a question, for `search` and for the judge."""

    own: TorchHeard
    choices: Choices
    says: Array


@dataclass(frozen=True)
class _Memory:
    own: TorchMemory

    @torch.inference_mode()
    def take(self, ways: Numbers) -> "_Memory":
        chosen = torch.from_numpy(ways)
        parts = (self.own.hidden, self.own.context, self.own.used)
        return _Memory(TorchMemory(*(part.index_select(1, chosen) for part in parts)))


class _Decoder:
    """A step of `search` by the network's decoder."""

    def __init__(self, decoder: ProgramDecoder) -> None:
        self._decoder = decoder

    def together(self, heard: Sequence[_Heard]) -> _Heard:
        """One question, as it is; `torch_batches` has a search of its own for several."""
        (only,) = heard
        return only

    @torch.inference_mode()
    def begin(self, heard: _Heard) -> _Memory:
        return _Memory(self._decoder.begin(heard.own, 1))

    @torch.inference_mode()
    def step(
        self, heard: _Heard, memory: _Memory, now: Sequence[tuple[int, Sequence[Now]]]
    ) -> tuple[Array, _Memory]:
        ((_, ways),) = now
        parts = [(one.symbol, one.parent % (COUNT + 1), one.given, one.previous) for one in ways]
        turn = TorchTurn(*(part[None] for part in torch.tensor(parts).unbind(dim=1)))
        scores, after = self._decoder.step(heard.own, memory.own, turn)
        return scores[0].numpy(), _Memory(after)


class TorchModel:
    """What `OpenModel` is for `OpenPredictor`."""

    def __init__(self, network: TorchNetwork, vocabulary: Vocabulary) -> None:
        """Takes a network and the words that codes stand for."""
        self.network, self.vocabulary = network, vocabulary
        self.decoder = _Decoder(network.decoder)

    @torch.inference_mode()
    def read(self, question: OpenQuestion) -> Reading:
        """Reads a question."""
        return self.network.read(collate([question]))

    @torch.inference_mode()
    def execute(self, reading: Reading, question: OpenQuestion) -> Output:
        """Runs the cascade."""
        with self.network.knowing(reading):
            return output_of(self.network.execute(collate([question])), 0, question)

    @torch.inference_mode()
    def hear(self, reading: Reading, asked: Asked, indexes: Sequence[TableIndex]) -> _Heard:
        """Returns what the decoder hears."""
        schema = collate_schema([(asked, indexes)], self.vocabulary)
        with self.network.knowing(reading):
            heard = self.network.hear(schema)
        parts = (heard.fields, heard.mentions, heard.quantities, heard.tables)
        fields, mentions, quantities, tables = (part.shape[1] for part in parts)
        choices = Choices((fields, mentions, quantities, tables), np.zeros((0, 0), np.float32))
        return _Heard(heard, choices, said_of(heard, 0, asked))


def said_of(heard: TorchHeard, place: int, asked: Asked) -> Array:
    """How much each word of a question speaks of each field, mention, quantity and table, without padding."""
    own = (len(asked.places), asked.mention_count, len(asked.said), len(asked.tables))
    padded = (heard.fields, heard.mentions, heard.quantities, heard.tables)
    says: Array = heard.says[place, : len(asked.links[0].words)].numpy()
    starts = np.cumsum([0, *(part.shape[1] for part in padded)])[:-1]
    return np.concatenate([says[:, s : s + size] for s, size in zip(starts, own, strict=True)], axis=1)


def output_of(output: TorchOutput, place: int, question: OpenQuestion) -> Output:
    """What the cascade says of one question of a batch, without padding."""
    tables = []
    for own, table in zip(output.tables, question.tables, strict=True):
        rows, fields = table.index.shape
        scores = torch.stack([scores[place, :fields] for scores in own.field_scores]).numpy()
        notes = tuple(memory.rows[place, :rows].numpy() for memory in own.memories)
        tables.append(TableOutput(own.answer_scores[place, :rows, :fields].numpy(), scores, notes))
    sizes = [table.index.shape for table in question.tables]
    links = {}
    for (k, j), link in output.links.items():
        (rows, fields), (others, other_fields) = sizes[k], sizes[j]
        own_fields = link.fields[place, :fields, :other_fields].numpy()
        links[k, j] = Link(own_fields, link.rows[place, :rows, :others].numpy())
    looks = tuple(
        {
            (k, j): Looks.of(weights[place, : sizes[k][0], : sizes[j][0]].numpy())
            for (k, j), weights in asked.linked.items()
        }
        for asked in output.asked
    )
    assert output.none_scores is not None
    return Output(tuple(tables), float(output.none_scores[place]), links, looks)


def load(name_or_directory: str | Path) -> Loaded:
    """Loads an open model to be asked with torch."""
    trained = checkpoint.load(name_or_directory)
    tensors: Mapping[str, Tensor] = trained.model.state_dict()
    config: dict[str, Any] = dataclasses.asdict(trained.model.config)
    network = TorchNetwork.restored(config, tensors, trained.vocabulary)
    network.load_state_dict(tensors)
    network.eval()
    assert isinstance(network, TorchNetwork)
    model: Any = TorchModel(network, trained.vocabulary)
    return Loaded(model, trained.vocabulary, trained.temperature)


class TorchLoaded(Loaded):
    """Stands in the place of `Loaded` where a predictor is made."""

    @classmethod
    def read(cls, directory: Path, further: str | None = None) -> Loaded:
        """Reads the folder of an open model that has learned nothing further."""
        assert further is None
        return load(directory)
