"""The open model on tables of any length: the work on rows is done in chunks, in bounded memory."""

import torch
from jaxtyping import Float
from torch import Tensor

from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.model.executor import Memory
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.model.output import Output, TableOutput

CELLS_KEPT = 2_000_000
"""Up to so many cells, half a gigabyte, their vectors are kept; of more, made anew for each executor."""


@torch.no_grad()
def answer_in_chunks(model: OpenEnquirer, batch: OpenBatch, rows: int) -> Output:
    """Answers questions on one table as the model itself does, but looks at so many rows at a time.

    Rows meet only in the table annotation, the maximum over all of them, and a maximum can be taken chunk by
    chunk.
    """
    reading, (table,) = model.read(batch), batch.tables
    names = reading.names[0]
    meanings = model.cell_encoder.meanings(names, reading.evidence[0])
    agendas, answer_agenda = model.cascade.agendas(reading.query, names)
    field_mask, row_mask = table.field_mask, table.row_mask
    chunks = [slice(start, start + rows) for start in range(0, table.ranks.shape[1], rows)]
    kept: dict[int, Tensor] = {}

    def cells(chunk: slice) -> Float[Tensor, "batch field row cell"]:
        if chunk.start in kept:
            return kept[chunk.start]
        vectors: Tensor = model.cell_encoder(
            meanings,
            table.cell_mentions[:, chunk],
            table.relations[:, :, chunk],
            table.ranks[:, chunk],
            table.cell_flags[:, chunk],
        )
        if table.ranks.numel() <= CELLS_KEPT:
            kept[chunk.start] = vectors
        return vectors

    memories: list[Memory] = []
    field_scores = []
    for executor, agenda in zip(model.cascade.executors, agendas, strict=True):
        parts = []
        for chunk in chunks:
            before = Memory(memories[-1].rows[:, chunk], memories[-1].table) if memories else None
            part, scores = executor(cells(chunk), agenda, before, field_mask, row_mask[:, chunk])
            parts.append(part)
        whole = torch.stack([part.table for part in parts]).amax(dim=0)
        memories.append(Memory(torch.cat([part.rows for part in parts], dim=1), whole))
        field_scores.append(scores)
    last = memories[-1]
    answer_scores = [
        model.cascade.answer_executor(
            cells(chunk),
            answer_agenda,
            Memory(last.rows[:, chunk], last.table),
            field_mask,
            row_mask[:, chunk],
            names,
        )
        for chunk in chunks
    ]
    output = TableOutput(torch.cat(answer_scores, dim=1), tuple(field_scores), tuple(memories))
    return model.answered(Output.of_one(output), reading.query, batch)
