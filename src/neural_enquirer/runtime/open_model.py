"""The open model: how a question and its tables become scores of cells, and of programs."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.open import LinkedTable, OpenQuestion, word_codes
from neural_enquirer.encoding.schema import Pointed
from neural_enquirer.encoding.table_index import TableIndex
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.runtime.cascade import Cascade, Output, View
from neural_enquirer.runtime.cells import CellEncoder
from neural_enquirer.runtime.decoder import Decoder
from neural_enquirer.runtime.heard import Heard
from neural_enquirer.runtime.layers import Array, Weights, by_columns
from neural_enquirer.runtime.reading import Encoder, Evidence, Reading, span_means
from neural_enquirer.runtime.word_table import WordTable

_WEIGHT: Final = "weight"
"""What the names of matrices have that vectors are multiplied by; others are tables of vectors."""


class OpenModel:
    """What `model/open_enquirer.py` computes, for one question at a time, from the same weights."""

    def __init__(self, arrays: Mapping[str, Array], vocabulary: Vocabulary) -> None:
        """Takes the weights by their names, and the words that codes stand for."""
        weights = Weights({name: by_columns(own) if _WEIGHT in name else own for name, own in arrays.items()})
        self._vocabulary = vocabulary
        self._words = WordTable(weights, vocabulary)
        self._encoder = Encoder(weights, self._words)
        self._cell_encoder = CellEncoder(weights.part("cell_encoder"))
        self._cascade = Cascade(weights)
        self.decoder = Decoder(weights.part("decoder"))

    @property
    def known(self) -> int:
        """How many codes have a vector of their own: the size of the vocabulary."""
        return self._words.learned

    def read(self, question: OpenQuestion) -> Reading:
        """Reads a question: what cascade and decoder both begin with."""
        return self._encoder.read(question)

    def execute(self, reading: Reading, question: OpenQuestion) -> Output:
        """Runs the cascade of executors over the rows of all tables."""
        mentions, quantities = (
            span_means(reading.states, spans)
            for spans in (question.links.mentions, question.links.quantities)
        )
        views = []
        for place, table in enumerate(question.tables):
            evidence = _evidence(table, mentions, quantities)
            names = self._encoder.names(reading, place, evidence)
            views.append(View(names, self._cell_encoder.cells(table, names, evidence)))
        return self._cascade.execute(reading.query, views)

    def hear(self, reading: Reading, asked: Asked, indexes: Sequence[TableIndex]) -> Heard:
        """Returns what the decoder hears of a question."""
        pointed = Pointed.of(asked, indexes)
        spoken = span_means(reading.states, asked.links[0].mentions)
        unsaid = np.zeros((len(asked.unsaid), reading.states.shape[1]), np.float32)
        evidence = Evidence(
            mentions=np.concatenate((spoken, unsaid)),
            quantities=span_means(reading.states, [said.words for said in asked.said]),
            mention_fields=pointed.mention_fields,
            quantity_fields=pointed.quantity_fields,
        )
        names = self._encoder.names(reading, None, evidence)
        codes = tuple(tuple(word_codes(one.words, self._vocabulary)) for _, one in asked.unsaid)
        values = self._encoder.unsaid(reading, codes)
        return self.decoder.hear(reading, asked, pointed, names, evidence, values)


def _evidence(table: LinkedTable, mentions: Array, quantities: Array) -> Evidence:
    links = table.links
    named = np.zeros((len(mentions), table.index.shape[1]), np.bool_)
    for mention, cells in enumerate(links.mentioned):
        named[mention, [n for n, _ in cells]] = True
    return Evidence(mentions, quantities, named, links.quantity_fields)
