"""Beam search: the most likely derivations of programs for a question."""

import bisect
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from neural_enquirer.encoding.actions import Action, Derivation, Pool
from neural_enquirer.encoding.actions.grammar import START, Open, expanded
from neural_enquirer.runtime.decoder import COUNT, Decoder, Heard, Turn
from neural_enquirer.runtime.layers import Array

__all__ = ["Way", "search"]

LONGEST: Final = 26
"""Steps after which a derivation is given up."""
_POOLS: Final = tuple(Pool)
_IMPOSSIBLE: Final = -1e8


class Way(NamedTuple):
    """A derivation and its log-probability."""

    derivation: Derivation
    score: float


class _Unfinished(NamedTuple):
    """A derivation that has symbols left to expand."""

    actions: Derivation
    stack: tuple[Open, ...]
    score: float
    given: int
    way: int
    choice: int


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
    unfinished = [_Unfinished((), (START,), 0.0, 0, 0, -1)]
    memory = decoder.begin(heard)
    for _ in range(longest):
        memory = memory.take(np.array([one.way for one in unfinished]))
        scores, memory = decoder.step(heard, memory, _turn(unfinished))
        grown = _grow(unfinished, scores, heard.offsets, tables, beam, finished)
        bar = max(least, _bar(finished, beam))
        unfinished = [one for one in grown if one.score > bar]
        if not unfinished:
            break
    return sorted(finished, key=lambda one: -one.score)[:beam]


def _turn(unfinished: Sequence[_Unfinished]) -> Turn:
    rows = [
        (one.stack[0].symbol, one.stack[0].parent % (COUNT + 1), one.given, one.choice) for one in unfinished
    ]
    return Turn(*np.array(rows, np.int64).T)


def _bar(finished: Sequence[Way], beam: int) -> float:
    """What an unfinished derivation must beat to be among the best."""
    if len(finished) < beam:
        return -np.inf
    return sorted((one.score for one in finished), reverse=True)[beam - 1]


def _grow(
    ways: Sequence[_Unfinished],
    scores: Array,
    offsets: Sequence[int],
    tables: int,
    beam: int,
    finished: list[Way],
) -> list[_Unfinished]:
    """Takes the best steps; derivations that they complete go to the finished ones."""
    total = (scores + np.array([one.score for one in ways], np.float32)[:, None]).ravel()
    count = min(2 * beam, total.size)
    best = np.argpartition(-total, count - 1)[:count]
    best = best[np.argsort(-total[best], kind="stable")]
    grown: list[_Unfinished] = []
    for place, score in zip(best.tolist(), total[best].tolist(), strict=True):
        if score < _IMPOSSIBLE:
            break
        way, choice = divmod(place, scores.shape[1])
        pool = _POOLS[bisect.bisect_right(offsets, choice) - 1]
        action = Action(pool, choice - offsets[pool])
        one = ways[way]
        actions, stack = (*one.actions, action), expanded(one.stack, action, tables)
        if not stack:
            finished.append(Way(actions, score))
        elif len(grown) < beam:
            given = action.number if pool in (Pool.MENTION, Pool.QUANTITY) else one.given
            grown.append(_Unfinished(actions, stack, score, given, way, choice))
    return grown
