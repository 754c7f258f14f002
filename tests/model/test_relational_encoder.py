"""Relational encoder: what must hold whatever the weights are."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from neural_enquirer.model.relational_encoder import RELATIONS, Linked, RelationalEncoder

STATES, FIELD = 6, 4
WORDS, FIELDS, MENTIONS, QUANTITIES = 3, 2, 1, 1


def linked() -> Linked:
    word_fields = torch.zeros(1, WORDS, FIELDS)
    word_fields[0, 1, 0] = 0.7
    return Linked(
        word_fields,
        torch.tensor([[[0.0], [0.0], [1.0]]]),
        torch.zeros(1, WORDS, QUANTITIES),
        torch.tensor([[[0.0, 1.0]]]),
        torch.zeros(1, QUANTITIES, FIELDS),
        torch.zeros(1, QUANTITIES, FIELDS),
        torch.tensor([[1.0, 2.0]]),
    )


def vectors() -> tuple[Tensor, ...]:
    torch.manual_seed(1)
    counts, sizes = (WORDS, FIELDS, MENTIONS, QUANTITIES), (STATES, FIELD, STATES, STATES)
    return tuple(torch.randn(1, count, size) for count, size in zip(counts, sizes, strict=True))


THERE = tuple(torch.ones(1, count, dtype=torch.bool) for count in (WORDS, FIELDS, MENTIONS, QUANTITIES))


def encoder(*, moved: bool = True) -> RelationalEncoder:
    torch.manual_seed(0)
    made = RelationalEncoder(STATES, FIELD, 8, heads=2, layers=2, dropout=0.3).eval()
    if moved:
        with torch.no_grad():
            for weight in made.parameters():
                weight.add_(0.3 * torch.randn_like(weight))
    return made


def test_every_link_stands_in_both_directions_where_it_belongs() -> None:
    matrices = linked().matrices()
    assert matrices.shape == (1, 7, 7, RELATIONS)
    word, field, mention = 1, WORDS, WORDS + FIELDS
    assert matrices[0, word, field, 0].item() == pytest.approx(0.7)
    assert matrices[0, field, word, 1].item() == pytest.approx(0.7)
    assert matrices[0, 2, mention, 2] == 1  # the third word is the mention
    assert matrices[0, mention, field + 1, 6] == 1
    assert matrices[0, 0, 1, 12] == 1  # a word and the next
    assert matrices[0, field, field, 14] == 1
    assert matrices[0, field, field + 1, 14] == 0  # fields of different tables
    assert matrices.sum().item() == pytest.approx(2 * 0.7 + 2 + 2 + 2 * 2 + 2)


def test_changes_nothing_at_first() -> None:
    for before, after in zip(vectors(), encoder(moved=False)(vectors(), THERE, linked()), strict=True):
        assert torch.equal(before, after)


def test_a_link_changes_what_it_joins() -> None:
    other = replace(linked(), word_fields=torch.zeros(1, WORDS, FIELDS))
    for one, without in zip(
        encoder()(vectors(), THERE, linked()), encoder()(vectors(), THERE, other), strict=True
    ):
        assert not torch.allclose(one, without)


def test_what_is_not_there_is_not_looked_at() -> None:
    there = (*THERE[:3], torch.zeros(1, QUANTITIES, dtype=torch.bool))
    changed = (*vectors()[:3], vectors()[3] + 5)
    one, other = (encoder()(own, there, linked())[:3] for own in (vectors(), changed))
    for before, after in zip(one, other, strict=True):
        torch.testing.assert_close(before, after)
