"""Beam search: the most likely derivations of programs for a question."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from neural_enquirer.encoding.actions import Action, Derivation, Pool
from neural_enquirer.encoding.actions.grammar import START, Open, expanded
from neural_enquirer.runtime.decoder import COUNT, Decoder, Heard, Turn
from neural_enquirer.runtime.layers import Array, Numbers

__all__ = ["Way", "search"]

LONGEST: Final = 26
"""Steps after which a derivation is given up."""
_IMPOSSIBLE: Final = -1e8


class Way(NamedTuple):
    """A derivation and its log-probability."""

    derivation: Derivation
    score: float


class _Unfinished(NamedTuple):
    """A derivation that has symbols left to expand."""

    actions: Derivation
    stack: tuple[Open, ...]
    given: int


def search(
    decoder: Decoder, heard: Heard, tables: int, beam: int, least: float = -12.0, longest: int = LONGEST
) -> list[Way]:
    """Finds the most likely derivations, the best first.

    Args:
        decoder: who scores them.
        heard: what it hears of the question.
        tables: how many tables the question has.
        beam: how many derivations are followed, and returned at most.
        least: a log-probability below which a derivation is given up.
        longest: steps after which one is given up.
    """
    finished: list[Way] = []
    followed = [_Unfinished((), (START,), 0)]
    actions = _actions(heard)
    memory, scores, choices = decoder.begin(heard), np.zeros(1, np.float32), np.array([-1])
    for _ in range(longest):
        chances, memory = decoder.step(heard, memory, _turn(followed, heard, choices))
        best, scores = _best(chances + scores[:, None], 2 * beam)
        ways, choices = np.divmod(best, chances.shape[1])
        grown: list[_Unfinished] = []
        places: list[int] = []
        for place, (way, choice, score) in enumerate(
            zip(ways.tolist(), choices.tolist(), scores.tolist(), strict=True)
        ):
            one = _grown(followed[way], actions[choice], tables)
            if not one.stack:
                finished.append(Way(one.actions, score))
            elif len(grown) < beam:
                grown.append(one)
                places.append(place)
        bar = max(least, _bar(finished, beam))
        kept = [i for i, place in enumerate(places) if scores[place] > bar]
        if not kept:
            break
        followed, chosen = [grown[i] for i in kept], [places[i] for i in kept]
        memory, scores, choices = memory.take(ways[chosen]), scores[chosen], choices[chosen]
    return sorted(finished, key=lambda one: -one.score)[:beam]


def _actions(heard: Heard) -> list[Action]:
    """The action of each choice."""
    counts = (COUNT, *heard.choices.sizes)
    return [Action(pool, number) for pool, count in zip(Pool, counts, strict=True) for number in range(count)]


def _turn(followed: Sequence[_Unfinished], heard: Heard, previous: Numbers) -> Turn:
    turns = []
    for _, stack, given in followed:
        symbol, parent = stack[0]
        turns.append((symbol, parent % (COUNT + 1), heard.choices.row(symbol, parent, given)))
    symbols, parents, rows = np.array(turns, np.int64).T
    return Turn(symbols, parents, rows, previous)


def _best(totals: Array, count: int) -> tuple[Numbers, Array]:
    """The places of the highest totals that are possible at all, the highest first, and these totals."""
    flat = totals.ravel()
    best = np.argpartition(-flat, count - 1)[:count] if count < flat.size else np.arange(flat.size)
    best = best[np.argsort(-flat[best], kind="stable")]
    best = best[flat[best] >= _IMPOSSIBLE]
    return best, flat[best]


def _grown(one: _Unfinished, action: Action, tables: int) -> _Unfinished:
    given = action.number if action.pool in (Pool.MENTION, Pool.QUANTITY) else one.given
    return _Unfinished((*one.actions, action), expanded(one.stack, action, tables), given)


def _bar(finished: Sequence[Way], beam: int) -> float:
    """What an unfinished derivation must beat to be among the best."""
    if len(finished) < beam:
        return -np.inf
    return sorted((one.score for one in finished), reverse=True)[beam - 1]
