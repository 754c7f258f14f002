"""Output: what a model says of a batch of questions, each on one table or on several."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from neural_enquirer.model.executor import Memory
from neural_enquirer.model.table_linker import Link

Pair = tuple[int, int]
"""The table that asks and the one that is asked, counted from 0."""


@dataclass(frozen=True)
class TableOutput:
    """What the executors of one table say.

    Attributes:
        answer_scores: of all cells; their softmax is p(w_mn | Q, T).
        field_scores: for each reading executor, the scores whose softmax are its field weights.
        memories: what each reading executor left behind.
    """

    answer_scores: Float[Tensor, "batch row field"]
    field_scores: tuple[Float[Tensor, "batch field"], ...]
    memories: tuple[Memory, ...]

    @property
    def field_weights(self) -> Float[Tensor, "batch executor field"]:
        """ω̃ of each reading executor."""
        return torch.stack(self.field_scores, dim=1).softmax(dim=2)


@dataclass(frozen=True)
class Asked:
    """What the tables asked each other in one layer: weights over rows, by pairs of tables.

    Attributes:
        weights: the softmax of γ.
        linked: the weights of rows that share a value; empty unless the cascade is linked.
    """

    weights: Mapping[Pair, Float[Tensor, "batch row other"]] = field(default_factory=dict)
    linked: Mapping[Pair, Float[Tensor, "batch row other"]] = field(default_factory=dict)


@dataclass(frozen=True)
class Output:
    """What a model says of a batch.

    Attributes:
        tables: of each table, its answer scores, field scores and memories.
        asked: of each reading executor, what the tables asked each other; the first has nothing to ask for.
        links: by which fields and rows tables are linked; empty unless the cascade is linked.
        none_scores: of the answer being in none of the tables, one more candidate beside the cells; None
            where every answer is a cell, as in the paper.
    """

    tables: tuple[TableOutput, ...]
    asked: tuple[Asked, ...] = ()
    links: Mapping[Pair, Link] = field(default_factory=dict)
    none_scores: Float[Tensor, "batch"] | None = None

    @classmethod
    def of_one(cls, table: TableOutput) -> "Output":
        """The output on a single table, which has nobody to ask."""
        return cls((table,), tuple(Asked() for _ in table.memories))

    @property
    def table(self) -> TableOutput:
        """What is said of the table of questions that have one only."""
        (table,) = self.tables
        return table

    def candidates(self) -> Float[Tensor, "batch candidate"]:
        """Returns the scores of all candidates: the cells table by table, row by row, then "none of them"."""
        cells = [table.answer_scores.flatten(1) for table in self.tables]
        if self.none_scores is not None:
            cells.append(self.none_scores[:, None])
        return cells[0] if len(cells) == 1 else torch.cat(cells, dim=1)

    def probabilities(self) -> tuple[Float[Tensor, "batch _ _"], ...]:
        """Returns p(w_mn | Q, T) of the cells of each table; those of all tables and of none sum to one."""
        sizes = [table.answer_scores[0].numel() for table in self.tables]
        parts = self.candidates().softmax(dim=1)[:, : sum(sizes)].split(sizes, dim=1)
        return tuple(
            part.reshape(table.answer_scores.shape) for table, part in zip(self.tables, parts, strict=True)
        )
