"""Executor: a reader and an annotator; what they note is the memory that the next executor sees."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neural_enquirer.model.annotator import Annotator
from neural_enquirer.model.reader import Reader


@dataclass(frozen=True)
class Memory:
    """M^ℓ: what an executor left behind.

    Attributes:
        rows: the row annotations a_m.
        table: the table annotation g.
    """

    rows: Float[Tensor, "batch row annotation"]
    table: Float[Tensor, "batch annotation"]


@dataclass(frozen=True)
class Agenda:
    """The part of an executor's first layers that the question alone decides, computed once for all rows.

    Attributes:
        reader: W_f f_n + W_q q + b of DNN_1.
        annotator: W_q q + b of DNN_2.
    """

    reader: Float[Tensor, "batch field hidden"]
    annotator: Float[Tensor, "batch hidden"]


class Executor(nn.Module):
    """Executor-ℓ of the paper (section "Executor")."""

    def __init__(self, reader: Reader, annotator: Annotator) -> None:
        """Joins a reader and an annotator."""
        super().__init__()
        self.reader = reader
        self.annotator = annotator

    def forward(
        self,
        cells: Float[Tensor, "batch field row cell"],
        agenda: Agenda,
        memory: Memory | None,
        field_mask: Bool[Tensor, "batch field"] | None,
        row_mask: Bool[Tensor, "batch row"] | None,
    ) -> tuple[Memory, Float[Tensor, "batch field"]]:
        """Executes one step; `memory` is None at the first executor, where all annotations are zero.

        Returns:
            The new memory and the reader's scores over fields.
        """
        if memory is None:
            read, scores = self.reader(cells, agenda.reader, None, field_mask)
            rows, table = self.annotator(read, agenda.annotator, None, None, row_mask)
            return Memory(rows, table), scores
        layers = (self.reader.hidden, self.annotator.first)
        weight = torch.cat([layer.weight["table"] for layer in layers])
        reader_term, annotator_term = (memory.table @ weight.T).chunk(2, dim=1)  # W_g g
        read, scores = self.reader(cells, agenda.reader, reader_term, field_mask)
        rows, table = self.annotator(read, agenda.annotator, annotator_term, memory.rows, row_mask)
        return Memory(rows, table), scores
