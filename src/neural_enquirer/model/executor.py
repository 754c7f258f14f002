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
        read, scores, table_term = self.read(cells, agenda, memory, field_mask)
        return self.annotate(read, agenda, memory, table_term, row_mask), scores

    def read(
        self,
        cells: Float[Tensor, "batch field row cell"],
        agenda: Agenda,
        memory: Memory | None,
        field_mask: Bool[Tensor, "batch field"] | None,
    ) -> tuple[
        Float[Tensor, "batch row cell"], Float[Tensor, "batch field"], Float[Tensor, "batch hidden"] | None
    ]:
        """Returns the read vectors, the reader's scores, and the annotator's W_g g, computed with its own."""
        if memory is None:
            return *self.reader(cells, agenda.reader, None, field_mask), None
        layers = (self.reader.hidden, self.annotator.first)
        weight = torch.cat([layer.weight["table"] for layer in layers])
        reader_term, annotator_term = (memory.table @ weight.T).chunk(2, dim=1)  # W_g g
        return *self.reader(cells, agenda.reader, reader_term, field_mask), annotator_term

    def annotate(
        self,
        read: Float[Tensor, "batch row cell"],
        agenda: Agenda,
        memory: Memory | None,
        table_term: Float[Tensor, "batch hidden"] | None,
        row_mask: Bool[Tensor, "batch row"] | None,
        relevant_term: Float[Tensor, "batch row hidden"] | None = None,
    ) -> Memory:
        """Returns the new memory; `relevant_term` is what other tables add, where there are any."""
        before = None if memory is None else memory.rows
        return Memory(*self.annotator(read, agenda.annotator, table_term, before, row_mask, relevant_term))
