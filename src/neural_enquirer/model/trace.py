"""Trace: what each executor looked at and noted, for people to see."""

from collections.abc import Mapping
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class TableTrace:
    """What was done with one of the tables of a batch of questions.

    Attributes:
        field_weights: ω̃ of each reading executor.
        row_annotations: a_m of each reading executor.
        table_annotations: g of each reading executor.
        answer_probabilities: p(w_mn | Q, T) from the last executor.
    """

    field_weights: Float[Tensor, "batch executor field"]
    row_annotations: Float[Tensor, "batch executor row annotation"]
    table_annotations: Float[Tensor, "batch executor annotation"]
    answer_probabilities: Float[Tensor, "batch row field"]


@dataclass(frozen=True)
class Trace:
    """How a batch of questions was answered.

    Pairs of numbers name the table that asks and the one that is asked, counted from 0.

    Attributes:
        tables: of each table; the probabilities of all their cells sum to one.
        attention: of each reading executor, by pairs of tables, the weights over the asked table's rows for
            each row that asks; empty at the first executor.
        linked_attention: the same over rows that share a value; there only where tables are linked.
        linking_fields: by pairs of tables, the weight of each pair of fields as what links them; the same.
    """

    tables: tuple[TableTrace, ...]
    attention: tuple[Mapping[tuple[int, int], Float[Tensor, "batch row other"]], ...]
    linked_attention: tuple[Mapping[tuple[int, int], Float[Tensor, "batch row other"]], ...]
    linking_fields: Mapping[tuple[int, int], Float[Tensor, "batch field other_field"]]
