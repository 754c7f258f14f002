"""The cells of a table as the question sees them: e_mn = tanh(W f_n + Φ_mn Ω).

Φ_mn says which mention and relations a cell has and where it ranks, Ω what these mean in this question. Ω has
a row for each mention k, V h_k + v; for each quantity j and relation ρ, U_ρ h_j + u_ρ; and one for every
feature of the rank and every flag.
"""

import functools
from dataclasses import dataclass

import numpy as np

from neural_enquirer.encoding.open import LinkedTable
from neural_enquirer.encoding.table_index import RANKED
from neural_enquirer.runtime.layers import Array, Numbers, Weights, tanh
from neural_enquirer.runtime.reading import Evidence

CELLS_AT_ONCE = 4096
"""Cells in work at a time: few enough for the processor's caches, and the bound on memory."""
PARTS_KEPT = 16
"""Of a table of so many parts, the vectors of all cells are kept from one executor to the next: 16 MB."""
RELATIONS = np.arange(1, 4, dtype=np.uint8)
"""Less, equal, more."""
FLAGS = np.array([1, 2, 4, 8], np.uint8)
PERIODS = (np.pi * 2.0 ** np.arange(5)).astype(np.float32)
"""Of the waves of a rank, from half a period up."""
_ALL = slice(None)


@dataclass(frozen=True)
class Cells:
    """The cells of a table, to be looked at some rows and fields at a time.

    Attributes:
        table: with what the question says of it.
        fields: W f_n + b.
        omega: Ω.
    """

    table: LinkedTable
    fields: Array
    omega: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and fields, the order of rows included."""
        return self.table.index.shape

    def slices(self) -> list[slice]:
        """The rows, so many at a time that their vectors stay in the processor's caches."""
        rows, fields = self.shape
        height = max(1, CELLS_AT_ONCE // fields)
        return [slice(start, start + height) for start in range(0, rows, height)]

    @functools.cached_property
    def kept(self) -> Array | None:
        """The vectors of all cells, made once; None where they are too many."""
        parts = self.slices()
        if len(parts) == 1:
            return self._made(_ALL, _ALL)
        if len(parts) > PARTS_KEPT:
            return None
        rows, fields = self.shape
        vectors = np.empty((fields, rows, self.omega.shape[1]), np.float32)
        for some in parts:
            vectors[:, some] = self._made(some, _ALL)
        return vectors

    def vectors(self, rows: slice, fields: Numbers | slice = _ALL) -> Array:
        """The vectors e_mn of some rows and fields, field by field."""
        return self._made(rows, fields) if self.kept is None else self.kept[fields, rows]

    def _made(self, rows: slice, fields: Numbers | slice) -> Array:
        index, links = self.table.index, self.table.links
        flags, ranks = index.flags[rows, fields].T, index.ranks[rows, fields].T
        mentions, quantities = len(links.mentions), len(links.quantities)
        waves = ranks[..., None] * PERIODS
        phi = np.empty((*ranks.shape, len(self.omega)), np.float32)
        related, ranked = mentions + len(RELATIONS) * quantities, len(self.omega) - len(FLAGS)
        if mentions:
            numbers = np.arange(1, mentions + 1, dtype=links.cell_mentions.dtype)
            phi[..., :mentions] = links.cell_mentions[rows, fields].T[..., None] == numbers
        if quantities:
            relations = links.relations[:, rows, fields].T[..., None] == RELATIONS
            phi[..., mentions:related] = relations.reshape(*ranks.shape, -1)
        phi[..., related] = ranks
        phi[..., related + 1] = 1 - ranks
        np.sin(waves, out=phi[..., related + 2 : related + 2 + len(PERIODS)])
        np.cos(waves, out=phi[..., related + 2 + len(PERIODS) : ranked])
        phi[..., related:ranked] *= ((flags & RANKED) > 0)[..., None]
        phi[..., ranked:] = (flags[..., None] & FLAGS) > 0
        total = (phi.reshape(-1, len(self.omega)) @ self.omega).reshape(*ranks.shape, -1)
        total += self.fields[fields][:, None]
        return tanh(total)


class CellEncoder:
    """Makes cells of what a question says."""

    def __init__(self, weights: Weights) -> None:
        """Takes the weights of a model's cell encoder."""
        self._field, self._mention = weights.linear("field"), weights.linear("mention")
        self._relation, self._own = weights.linear("relation"), weights["own"]

    def cells(self, table: LinkedTable, names: Array, evidence: Evidence) -> Cells:
        """The cells of a table whose fields have the vectors f_n."""
        relations = self._relation(evidence.quantities).reshape(-1, self._own.shape[1])
        omega = np.concatenate((self._mention(evidence.mentions), relations, self._own))
        return Cells(table, self._field(names), omega)
