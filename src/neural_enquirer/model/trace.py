"""ExecutionTrace: what each executor looked at and noted, for people to see."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class ExecutionTrace:
    """How a batch of questions was answered.

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
