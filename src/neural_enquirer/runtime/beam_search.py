"""Beam search: the most likely derivations of programs for some questions, step by step side by side."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from neural_enquirer.encoding.actions import Action, Derivation, Pool
from neural_enquirer.encoding.actions.grammar import START, Open, expanded
from neural_enquirer.runtime.decoder import Decoder
from neural_enquirer.runtime.heard import COUNT, Choices, Heard, Now
from neural_enquirer.runtime.layers import Array, Numbers

LONGEST: Final = 26
"""Steps after which a derivation is given up."""
_IMPOSSIBLE: Final = -1e8
_PRODUCED: Final = [Action(Pool.PRODUCTION, number) for number in range(COUNT)]
_GIVING: Final = (Pool.MENTION, Pool.QUANTITY)
_POINTING: Final = (Pool.FIELD, Pool.MENTION, Pool.QUANTITY, Pool.TABLE)


class Way(NamedTuple):
    """A derivation, its log-probability, and that of each of its steps."""

    derivation: Derivation
    score: float
    steps: tuple[float, ...] = ()


class _Followed(NamedTuple):
    """A derivation that has symbols left to expand.

    Attributes:
        score: its log-probability.
        row: which of those that were followed before it goes on from.
        choice: what was chosen last, among all choices.
        actions: the derivation.
        steps: the log-probability of each action.
        stack: the symbols.
        given: the mention or quantity chosen last.
    """

    score: float
    row: int
    choice: int
    actions: Derivation
    steps: tuple[float, ...]
    stack: tuple[Open, ...]
    given: int


_Choice = tuple[float, int, int]
"""A score, and the row and the choice that it is of."""


class _Search:
    """The search for the programs of one question."""

    def __init__(self, choices: Choices, tables: int, row: int) -> None:
        counts = (COUNT, *choices.sizes)
        pointing = [Action(pool, number) for pool in _POINTING for number in range(counts[pool])]
        self._actions, self._tables = [*_PRODUCED, *pointing], tables
        self.followed = [_Followed(0.0, row, -1, (), (), (START,), 0)]
        self.finished: list[Way] = []
        self.bar = _IMPOSSIBLE

    def now(self) -> list[Now]:
        """What is to be chosen now in each derivation that is followed."""
        return [Now(*one.stack[0], one.given, one.choice) for one in self.followed]

    def go_on(
        self,
        found: Sequence[_Choice],
        first: int,
        beam: int,
        least: float,
        behind: float,
    ) -> None:
        """Takes the best choices, the best first; `first` is the row of the first that is followed."""
        left, finished = [], len(self.finished)
        enough = max(least, found[0][0] - behind if found else -math.inf)
        for score, row, choice in found:
            before, action = self.followed[row - first], self._actions[choice]
            stack = expanded(before.stack, action, self._tables)
            if not stack:
                self.finished.append(
                    Way((*before.actions, action), score, (*before.steps, score - before.score))
                )
            elif score > enough:
                left.append((score, row, choice, before, action, stack))
        if len(self.finished) > finished:
            self.finished = sorted(self.finished, key=lambda one: -one.score)[:beam]
        self.bar = max(found[0][0] - behind if found else math.inf, self._bar(beam, behind), _IMPOSSIBLE)
        self.followed = [
            _Followed(
                score,
                row,
                choice,
                (*before.actions, action),
                (*before.steps, score - before.score),
                stack,
                action.number if action.pool in _GIVING else before.given,
            )
            for score, row, choice, before, action, stack in left[:beam]
            if score > self.bar
        ]

    def _bar(self, beam: int, behind: float) -> float:
        """What an unfinished derivation must beat to be among the best, which come first."""
        if not self.finished:
            return -math.inf
        last = self.finished[-1].score if len(self.finished) == beam else -math.inf
        return max(self.finished[0].score - behind, last)

    def ways(self, behind: float) -> list[Way]:
        """What was found, the best first."""
        return [one for one in self.finished if one.score >= self.finished[0].score - behind]


def search(
    decoder: Decoder,
    heard: Sequence[Heard],
    tables: Sequence[int],
    beam: int,
    least: float = -12.0,
    longest: int = LONGEST,
    behind: float = math.inf,
) -> list[list[Way]]:
    """Finds the most likely derivations for each of some questions, the best first.

    Args:
        decoder: who scores them.
        heard: what it hears of each question.
        tables: how many tables each question has.
        beam: how many derivations of a question are followed, and returned at most.
        least: a log-probability below which a derivation is given up.
        longest: steps after which one is given up.
        behind: how far a derivation's log-probability may be behind that of the best.
    """
    pairs = zip(heard, tables, strict=True)
    searches = [_Search(one.choices, count, row) for row, (one, count) in enumerate(pairs)]
    running, together = list(enumerate(searches)), decoder.together(heard)
    memory = decoder.begin(together)
    for _ in range(longest):
        if not running:
            break
        followed = [one for _, own in running for one in own.followed]
        memory = memory.take(np.array([one.row for one in followed]))
        chances, memory = decoder.step(together, memory, [(place, own.now()) for place, own in running])
        chances += np.array([one.score for one in followed], np.float32)[:, None]
        counts = [len(own.followed) for _, own in running]
        best = _best(chances, [own.bar for _, own in running], counts, 2 * beam)
        first = 0
        for (_, own), found, count in zip(running, best, counts, strict=True):
            own.go_on(found, first, beam, least, behind)
            first += count
        running = [one for one in running if one[1].followed]
    return [own.ways(behind) for own in searches]


def _best(totals: Array, bars: Sequence[float], counts: Sequence[int], most: int) -> list[list[_Choice]]:
    """The highest totals of the rows of each question that are above its bar, the highest first."""
    if len(bars) == 1:
        return [_chosen(totals, (totals.ravel() > bars[0]).nonzero()[0], most)]
    owners = np.repeat(np.arange(len(bars)), counts)
    above = (totals > np.array(bars, np.float32)[owners, None]).ravel().nonzero()[0]
    owners = owners[above // totals.shape[1]]
    starts = np.searchsorted(owners, np.arange(len(bars) + 1)).tolist()
    return [_chosen(totals, above[start:end], most) for start, end in itertools.pairwise(starts)]


def _chosen(totals: Array, places: Numbers, most: int) -> list[_Choice]:
    """The highest of the totals at some places, the highest first."""
    found, width = totals.ravel().take(places), totals.shape[1]
    order = (-found).argsort(kind="stable")[:most]
    return [
        (score, *divmod(place, width))
        for score, place in zip(found.take(order).tolist(), places.take(order).tolist(), strict=True)
    ]
