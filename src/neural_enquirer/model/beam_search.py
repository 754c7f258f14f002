"""Beam search: the most likely derivations of programs, for many questions at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from neural_enquirer.encoding.actions import Action, Derivation, Pool
from neural_enquirer.encoding.actions.grammar import START, Open, expanded
from neural_enquirer.model.program_decoder import COUNT, Heard, Memory, ProgramDecoder, Turn

LONGEST = 26
"""Steps after which a derivation is given up."""


class Written(NamedTuple):
    """A derivation and its log-probability."""

    derivation: Derivation
    score: float


@dataclass(frozen=True)
class _Unfinished:
    """A derivation that has symbols left to expand."""

    actions: Derivation
    stack: tuple[Open, ...]
    score: float
    given: int
    way: int
    choice: int


@torch.no_grad()
def search(
    decoder: ProgramDecoder, heard: Heard, tables: Sequence[int], beam: int, longest: int = LONGEST
) -> list[list[Written]]:
    """Finds the most likely derivations of each question, the best first.

    Args:
        decoder: it should not be training.
        heard: what it hears of the questions.
        tables: how many tables each question has.
        beam: how many derivations are followed, and returned at most.
        longest: steps after which one is given up.
    """
    finished: list[list[Written]] = [[] for _ in tables]
    open_ = [[_Unfinished((), (START,), 0.0, 0, 0, -1)] for _ in tables]
    memory = decoder.begin(heard, 1)
    offsets = [heard.offset(pool) for pool in Pool]
    for _ in range(longest):
        turn = _turn(open_, heard)
        scores, memory = decoder.step(heard, _chosen(memory, open_), turn)
        best, places = _best(scores, open_, 2 * beam)
        for number, count in enumerate(tables):
            open_[number] = _grow(
                open_[number], best[number], places[number], scores.shape[2], offsets, count, finished[number]
            )[:beam]
            _cut(open_[number], finished[number], beam)
        if not any(open_):
            break
    return [sorted(found, key=lambda one: -one.score)[:beam] for found in finished]


def _turn(open_: Sequence[Sequence[_Unfinished]], heard: Heard) -> Turn:
    most = max(len(ways) for ways in open_)
    rows: list[list[tuple[int, int, int, int]]] = []
    for ways in open_:
        row = [(one.stack[0].symbol, one.stack[0].parent % (COUNT + 1), one.given, one.choice) for one in ways]
        rows.append(row + [(0, 0, 0, -1)] * (most - len(row)))
    values = torch.tensor(rows, device=heard.states.device)
    return Turn(*values.unbind(dim=2))


def _chosen(memory: Memory, open_: Sequence[Sequence[_Unfinished]]) -> Memory:
    """The memories of the ways that are followed on."""
    most = max(len(ways) for ways in open_)
    rows = [[one.way for one in ways] + [0] * (most - len(ways)) for ways in open_]
    index = torch.tensor(rows, device=memory.hidden.device)[..., None]

    def take(tensor: Float[Tensor, "batch way size"]) -> Float[Tensor, "batch chosen size"]:
        return tensor.gather(1, index.expand(-1, -1, tensor.shape[2]))

    return Memory(take(memory.hidden), take(memory.context), take(memory.used))


def _best(
    scores: Float[Tensor, "batch way choice"], open_: Sequence[Sequence[_Unfinished]], count: int
) -> tuple[list[list[float]], list[list[int]]]:
    before = torch.full(scores.shape[:2], -torch.inf)
    for number, ways in enumerate(open_):
        before[number, : len(ways)] = torch.tensor([one.score for one in ways])
    total = (scores + before.to(scores)[..., None]).flatten(1)
    values, places = total.topk(min(count, total.shape[1]), dim=1)
    return values.tolist(), places.tolist()


def _grow(
    ways: Sequence[_Unfinished],
    scores: Sequence[float],
    places: Sequence[int],
    width: int,
    offsets: Sequence[int],
    tables: int,
    finished: list[Written],
) -> list[_Unfinished]:
    """Takes the best steps; derivations that they complete go to the finished ones."""
    grown = []
    for score, place in zip(scores, places, strict=True):
        if score < -1e8:
            break
        way, choice = divmod(place, width)
        pool = max(pool for pool in Pool if choice >= offsets[pool])
        action = Action(pool, choice - offsets[pool])
        one = ways[way]
        actions, stack = (*one.actions, action), expanded(one.stack, action, tables)
        if not stack:
            finished.append(Written(actions, score))
            continue
        given = action.number if pool in (Pool.MENTION, Pool.QUANTITY) else one.given
        grown.append(_Unfinished(actions, stack, score, given, way, choice))
    return grown


def _cut(ways: list[_Unfinished], finished: list[Written], beam: int) -> None:
    """Gives up what can no longer be among the best."""
    if len(finished) >= beam:
        least = sorted((one.score for one in finished), reverse=True)[beam - 1]
        ways[:] = [one for one in ways if one.score > least]
