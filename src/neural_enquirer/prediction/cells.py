"""Predictions: which cell of which table answers a question, what was read, and what links the tables."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.runtime.cascade import Looks, Pair
from neural_enquirer.tables import Table

Tables = tuple[Table, ...]
"""What a question is about: one table, or several that are asked together."""


@dataclass(frozen=True)
class TablePrediction:
    """What a model says of one of a question's tables.

    Attributes:
        probabilities: of each cell being the answer; missing cells have none.
        field_weights: what each reading executor looked at; what is missing to 1 went to the order of rows.
        row_marks: from 0 to 1, which rows each reading executor marked.
    """

    probabilities: npt.NDArray[np.float32]
    field_weights: npt.NDArray[np.float32]
    row_marks: npt.NDArray[np.float32]


@dataclass(frozen=True)
class FieldLink:
    """Two fields whose equal values link two tables.

    Attributes:
        tables: the two tables, by index, the first of them first.
        fields: a field of each, by index.
        weight: how much the model goes by them; those of a pair of tables sum to one or less.
    """

    tables: Pair
    fields: tuple[int, int]
    weight: float


@dataclass(frozen=True)
class Prediction:
    """What a model says of one question.

    Attributes:
        tables: of each table; the probabilities of all their cells and `none_probability` sum to 1.
        none_probability: that the tables cannot answer the question.
        links: by which fields the tables are linked, the strongest first; none where the model does not look.
        looks: for each reading executor, by pairs of tables, which rows of one looked at which of the other.
        program: the steps that a baseline's program took, in words; Neural Enquirer writes none.
    """

    tables: tuple[TablePrediction, ...]
    none_probability: float
    links: tuple[FieldLink, ...] = ()
    looks: tuple[Mapping[Pair, Looks], ...] = ()
    program: tuple[str, ...] = ()

    @property
    def best(self) -> tuple[int, int, int]:
        """Table, row and field of the most probable cell."""
        highest = [float(own.probabilities.max()) for own in self.tables]
        table = highest.index(max(highest))
        cells = self.tables[table].probabilities
        return (table, *divmod(int(cells.argmax()), cells.shape[1]))

    @property
    def best_probability(self) -> float:
        """That of the most probable cell."""
        table, row, field = self.best
        return float(self.tables[table].probabilities[row, field])

    @property
    def is_refusal(self) -> bool:
        """Whether it is more probable that the tables cannot answer than that any one cell does."""
        return self.none_probability > self.best_probability
