from math import tanh

import pytest
import torch

from neural_enquirer.model.table_encoder import TableEncoder

EMBEDDING = torch.tensor([[0.0], [0.1], [0.2], [0.3], [0.4]])
CELLS = torch.tensor([[[3, 4], [4, 4]]])  # two rows of two fields
FIELDS = torch.tensor([[1, 2]])
MENTIONS = torch.tensor([[[True, False], [False, True]]])


def encoder(*, grounded: bool) -> TableEncoder:
    encoder = TableEncoder(1, 1, grounded=grounded)
    with torch.no_grad():
        encoder.compose.weight["value"].fill_(2.0)
        encoder.compose.weight["field"].fill_(-3.0)
        encoder.compose.bias.fill_(0.5)
        if encoder.mention is not None:
            encoder.mention.fill_(-0.7)
    return encoder


def test_composes_value_and_field() -> None:
    cells = encoder(grounded=False)(CELLS, FIELDS, MENTIONS, EMBEDDING)
    first, second = cells[0, 0].flatten().tolist(), cells[0, 1].flatten().tolist()
    assert first == pytest.approx([tanh(2 * 0.3 - 3 * 0.1 + 0.5), tanh(2 * 0.4 - 3 * 0.1 + 0.5)])
    assert second == pytest.approx([tanh(2 * 0.4 - 3 * 0.2 + 0.5)] * 2)


def test_grounded_cells_know_that_they_are_mentioned() -> None:
    cells = encoder(grounded=True)(CELLS, FIELDS, MENTIONS, EMBEDDING)
    first, second = cells[0, 0].flatten().tolist(), cells[0, 1].flatten().tolist()
    assert first == pytest.approx([tanh(2 * 0.3 - 3 * 0.1 + 0.5 - 0.7), tanh(2 * 0.4 - 3 * 0.1 + 0.5)])
    assert second == pytest.approx([tanh(2 * 0.4 - 3 * 0.2 + 0.5), tanh(2 * 0.4 - 3 * 0.2 + 0.5 - 0.7)])
