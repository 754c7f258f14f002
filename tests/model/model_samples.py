"""Small random models and batches for the tests of the model."""

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from neural_enquirer.encoding.batch import Batch, TableCodes
from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer

WORDS = 30
"""Codes: 0 is padding, 1 to 3 are the names of the fields."""


def random_batch(lengths: tuple[int, ...] = (5, 3, 4), rows: int = 4, seed: int = 0) -> Batch:
    """Questions on tables of three fields; question i has `lengths[i]` words."""
    rng = torch.Generator().manual_seed(seed)

    def draw(low: int, high: int, *shape: int) -> Tensor:
        return torch.randint(low, high, shape, generator=rng)

    size = len(lengths)
    words = draw(1, WORDS, size, max(lengths))
    for question, length in zip(words, lengths, strict=True):
        question[: max(lengths) - length] = 0
    return Batch(
        words=words,
        tables=(
            TableCodes(
                fields=torch.stack([torch.randperm(3, generator=rng) + 1 for _ in lengths]),
                cells=draw(4, WORDS, size, rows, 3),
                mentions=draw(0, 2, size, rows, 3).bool(),
            ),
        ),
        answers=draw(0, 3 * rows, size),
        answer_cells=None,
        steps=draw(0, 3, size, 5),
        types=draw(0, 4, size),
    )


def with_padding(batch: Batch, words: int = 2, rows: int = 3, fields: int = 2) -> Batch:
    """The same questions and tables with as much padding around them."""
    table = batch.table
    columns = table.cells.shape[2]
    row, column = batch.answers // columns, batch.answers % columns
    wide = TableCodes(
        functional.pad(table.fields, (0, fields)),
        functional.pad(table.cells, (0, fields, 0, rows)),
        functional.pad(table.mentions, (0, fields, 0, rows)),
        padded=True,
    )
    return replace(
        batch,
        words=functional.pad(batch.words, (words, 0)),
        tables=(wide,),
        answers=row * (columns + fields) + column,
    )


def random_tables_batch(
    shapes: tuple[tuple[int, int], ...], lengths: tuple[int, ...] = (5, 3, 4), seed: int = 0, *, padded: bool
) -> Batch:
    """Questions on as many tables as there are shapes (rows, fields); padded, no two questions' are alike."""
    batches = [random_batch(lengths, rows, seed=seed + k) for k, (rows, _) in enumerate(shapes)]
    tables = []
    for batch, (rows, fields) in zip(batches, shapes, strict=True):
        names, cells = batch.table.fields[:, :fields].clone(), batch.table.cells[:, :, :fields].clone()
        for i in range(len(lengths) if padded else 0):  # the first has all of its rows
            names[i, max(fields - i, 1) :] = 0
            cells[i, max(rows - i, 1) :] = 0
            cells[i, :, max(fields - i, 1) :] = 0
        tables.append(TableCodes(names, cells, batch.table.mentions[:, :, :fields], padded))
    first = batches[0]
    return replace(first, tables=tuple(tables), answers=first.answers * 0)


def random_model(seed: int = 0, **settings: Any) -> NeuralEnquirer:
    """A small model in double precision; nothing starts at zero, which would hide mistakes."""
    sizes = {"embedding_size": 4, "cell_size": 3, "annotation_size": 2, "hidden_size": 5, "state_size": 4}
    config = ModelConfig(**({"executors": 4} | sizes | settings))
    torch.manual_seed(seed)
    vectors = torch.randn(WORDS - 1, config.embedding_size)
    model = NeuralEnquirer(config, vectors[:-2], vectors[-2:]).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model
