"""Beam search: the most likely derivations of programs for a question."""

import math
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
_PRODUCED: Final = [Action(Pool.PRODUCTION, number) for number in range(COUNT)]
_GIVING: Final = (Pool.MENTION, Pool.QUANTITY)
_POINTING: Final = (Pool.FIELD, Pool.MENTION, Pool.QUANTITY, Pool.TABLE)


class Way(NamedTuple):
    """A derivation and its log-probability."""

    derivation: Derivation
    score: float


class _Followed(NamedTuple):
    """A derivation, the symbols that it has left to expand, and the mention or quantity chosen last."""

    actions: Derivation
    stack: tuple[Open, ...]
    given: int


def search(
    decoder: Decoder,
    heard: Heard,
    tables: int,
    beam: int,
    least: float = -12.0,
    longest: int = LONGEST,
    behind: float = math.inf,
) -> list[Way]:
    """Finds the most likely derivations, the best first.

    Args:
        decoder: who scores them.
        heard: what it hears of the question.
        tables: how many tables the question has.
        beam: how many derivations are followed, and returned at most.
        least: a log-probability below which a derivation is given up.
        longest: steps after which one is given up.
        behind: how far a derivation's log-probability may be behind that of the best.
    """
    finished: list[Way] = []
    followed, actions = [_Followed((), (START,), 0)], _actions(heard)
    memory, scores, choices = decoder.begin(heard), np.zeros(1, np.float32), np.array([-1])
    bar = -math.inf
    for _ in range(longest):
        chances, memory = decoder.step(heard, memory, _turn(followed, heard, choices))
        chances += scores[:, None]
        best, scores = _best(chances, 2 * beam, bar)
        if not len(best):
            break
        ways, choices = np.divmod(best, chances.shape[1])
        grown = [
            _grown(followed[way], actions[choice], tables)
            for way, choice in zip(ways.tolist(), choices.tolist(), strict=True)
        ]
        likely: list[float] = scores.tolist()
        ended = [Way(one.actions, score) for one, score in zip(grown, likely, strict=True) if not one.stack]
        if ended:
            finished = sorted(finished + ended, key=lambda one: -one.score)[:beam]
        bar = max(likely[0] - behind, _bar(finished, beam, behind))
        enough = max(least, bar)
        kept = [place for place, one in enumerate(grown) if one.stack and likely[place] > enough][:beam]
        if not kept:
            break
        followed = [grown[place] for place in kept]
        memory, scores, choices = memory.take(ways[kept]), scores[kept], choices[kept]
    return [one for one in finished if one.score >= finished[0].score - behind]


def _actions(heard: Heard) -> list[Action]:
    """The action of each choice."""
    counts = (COUNT, *heard.choices.sizes)
    return [*_PRODUCED, *(Action(pool, number) for pool in _POINTING for number in range(counts[pool]))]


def _turn(followed: Sequence[_Followed], heard: Heard, previous: Numbers) -> Turn:
    row, opened = heard.choices.row, [one.stack[0] for one in followed]
    rows = [row(*turn, one.given) for turn, one in zip(opened, followed, strict=True)]
    symbols, parents = np.array(opened, np.int64).T
    return Turn(symbols, parents, np.array(rows), previous)


def _best(totals: Array, count: int, bar: float) -> tuple[Numbers, Array]:
    """The places of the highest totals above a bar, the highest first, and these totals."""
    flat = totals.ravel()
    best = (flat > max(bar, _IMPOSSIBLE)).nonzero()[0]
    if count < best.size:
        best = best[np.argpartition(-flat[best], count - 1)[:count]]
    best = best[np.argsort(-flat[best], kind="stable")]
    return best, flat[best]


def _grown(one: _Followed, action: Action, tables: int) -> _Followed:
    given = action.number if action.pool in _GIVING else one.given
    return _Followed((*one.actions, action), expanded(one.stack, action, tables), given)


def _bar(finished: Sequence[Way], beam: int, behind: float) -> float:
    """What an unfinished derivation must beat to be among the best, which come first."""
    if not finished:
        return -math.inf
    return max(finished[0].score - behind, finished[-1].score if len(finished) == beam else -math.inf)
