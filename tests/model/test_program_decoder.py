"""The program decoder: what must hold whatever the weights are."""

from random import Random

import numpy as np
import pytest
import torch

from asked_games import GAMES, LANDS, VOCABULARY, actions, ask, choices, linked
from neural_enquirer.encoding.actions import PRODUCTIONS, Derivation, Pool, Symbol, build
from neural_enquirer.encoding.actions.grammar import START, expanded
from neural_enquirer.encoding.program_batch import collate
from neural_enquirer.model.program_decoder import COUNT, NEVER, Turn
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.tables import Table
from neural_enquirer.training.losses import program_loss
from writing_models import batch_of, writing_model

BOTH = (GAMES, LANDS)
QUESTIONS: list[tuple[str, tuple[Table, ...]]] = [
    ("which city had more than 9 days in 1900", (GAMES,)),
    ("days in greek games or paris with 60 people", BOTH),
    ("how many in athens", (GAMES,)),
]
DERIVATIONS = [
    ["cells city where > q0 days all", "cells city where = q1 opened where > q0 days all", "no_field"],
    ["sum days where is m1 country all t1", "difference count all t1 sum people where > q0 people all t1"],
    ["count where is m0 city all"],
]


def taught() -> list[list[Derivation]]:
    return [
        [actions(ask(*question), text) for text in texts]
        for question, texts in zip(QUESTIONS, DERIVATIONS, strict=True)
    ]


def test_padding_changes_no_score() -> None:
    model, derivations = writing_model(), taught()
    together = model(batch_of(QUESTIONS, derivations)).scores
    for i, question in enumerate(QUESTIONS):
        for j, derivation in enumerate(derivations[i]):
            alone = model(batch_of([question], [[derivation]])).scores
            assert together[i, j].item() == pytest.approx(alone.item(), abs=1e-4)
    assert (together[1:, -1] <= NEVER / 2).all()


def test_the_decoder_sees_no_rows() -> None:
    """The order of rows says nothing of the schema."""
    model = writing_model()
    scores = []
    for rows in (range(6), (3, 5, 0, 2, 4, 1)):
        table = Table(
            GAMES.fields, tuple(tuple(column[i] for i in rows) for column in GAMES.columns), "games"
        )
        scores.append(model(batch_of([(QUESTIONS[0][0], (table,))], taught()[:1])).scores)
    torch.testing.assert_close(*scores)


def test_every_weight_learns() -> None:
    model = writing_model(scale=0.2)
    program_loss(model(batch_of(QUESTIONS, taught()))).backward()
    for name, weight in model.decoder.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.isfinite().all(), name
        assert weight.grad.any(), name


def test_dropout_is_for_training_only() -> None:
    model = writing_model()
    model.decoder.dropout = 0.5
    batch = batch_of(QUESTIONS, taught())
    torch.testing.assert_close(model(batch).scores, model(batch).scores)
    model.decoder.train()
    assert not torch.allclose(model(batch).scores[0], model(batch).scores[0])


@torch.no_grad()
def test_used_words_are_remembered() -> None:
    model = writing_model()
    asked, indexes = linked("days in athens or paris")
    heard = model.hear(collate([(asked, indexes)], VOCABULARY))
    first = heard.offset(Pool.MENTION)
    memory, seen = model.decoder.begin(heard, 1), []
    for previous in (-1, first, 0, first + 1, first):
        turn = Turn(*(torch.tensor([[number]]) for number in (Symbol.ROWS, 0, 0, previous)))
        _, memory = model.decoder.step(heard, memory, turn)
        seen.append({asked.links[0].words[i] for i in memory.used[0, 0].nonzero()[:, 0].tolist()})
    (one, other) = ({asked.links[0].words[start]} for start, _ in asked.links[0].mentions)
    assert seen == [set(), one, one, one | other, one | other]
    assert memory.used.max() == 1


ODD = [
    ("", (GAMES,)),
    ("which city", (GAMES,)),
    ("17", (GAMES,)),
    ("athens", (Table.of([{"city": "Athens", "land": "Greece"}, {"city": "Rome", "land": "Italy"}]),)),
    ("more than 5 in 1900", (Table.of([{"city": "Athens"}, {"city": "Rome"}]),)),
    ("in may 2004", (Table.of({"day": ["2004-05-01", "2004-05-02", "2005-01-01"]}),)),
    ("17 people in february in greece", BOTH),
]


@torch.no_grad()
@pytest.mark.parametrize(("question", "tables"), ODD, ids=[question for question, _ in ODD])
@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_chosen_something_follows(question: str, tables: tuple[Table, ...], seed: int) -> None:
    """The grammar allows all that is possible, something always is, and what comes out is run or told off."""
    model, draw = writing_model(), Random(seed)
    asked, indexes = linked(question, tables)
    heard = model.hear(collate([(asked, indexes)], VOCABULARY))
    for _ in range(12):
        stack, given, previous, derivation = (START,), 0, -1, []
        memory = model.decoder.begin(heard, 1)
        while stack and len(derivation) < 60:
            now = (stack[0].symbol, stack[0].parent % (COUNT + 1), given, previous)
            scores, memory = model.decoder.step(heard, memory, Turn(*(torch.tensor([[n]]) for n in now)))
            assert scores.exp().sum().item() == pytest.approx(1, abs=1e-4)
            possible = choices(asked, stack[0], given)
            numbers = [heard.offset(action.pool) + action.number for action in possible]
            allowed = set((scores[0, 0] > NEVER / 2).nonzero()[:, 0].tolist())
            assert allowed, stack[0]
            assert allowed <= set(numbers), stack[0]
            ending = [n for n in allowed if n >= COUNT or stack[0].symbol not in PRODUCTIONS[n].arguments]
            short = sorted(ending, key=lambda n: len(PRODUCTIONS[n].arguments) if n < COUNT else -1)
            previous = draw.choice(sorted(allowed) if len(derivation) < 8 else short[:1])
            action = possible[numbers.index(previous)]
            given = action.number if action.pool in (Pool.MENTION, Pool.QUANTITY) else given
            derivation.append(action)
            stack = expanded(stack, action, len(tables))
        assert not stack
        try:
            run(build(derivation, asked), tables)
        except ProgramError:
            continue


def test_a_batch_is_selected_as_a_whole() -> None:
    model, batch = writing_model(), batch_of(QUESTIONS, taught())
    picked = batch.select(torch.tensor([2, 0]))
    torch.testing.assert_close(model(picked).scores, model(batch).scores[[2, 0]])
    assert len(picked) == 2
    assert np.all(picked.steps.choices.numpy() == batch.steps.choices.numpy()[[2, 0]])
