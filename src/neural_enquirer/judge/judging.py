"""Judging: from programs that were written to outcomes with probabilities, the likeliest first."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.judge.against import Against
from neural_enquirer.judge.candidates import Candidates, gather
from neural_enquirer.judge.counted import counts_all
from neural_enquirer.judge.features import Use, Votes, features
from neural_enquirer.judge.ranked import NO_FIELD, NO_ROW, NOT_ABOUT, UNSURE, Ranked
from neural_enquirer.judge.unheard import unheard
from neural_enquirer.judge.verdict import Judge
from neural_enquirer.runtime.beam_search import Way

_KINDS: Final = (NO_FIELD, NO_ROW, NOT_ABOUT)
"""What the decoder's refusals are called, in their order."""


def judged(
    asked: Asked, ways: Sequence[Way], votes: Votes, says: npt.NDArray[np.float32], judge: Judge | None
) -> tuple[Ranked, ...]:
    """Runs the programs that were written for a question, and says how probable each answer is.

    Args:
        asked: the question.
        ways: the derivations of programs.
        votes: what the cascade thinks.
        says: how much each word speaks of each field, mention and quantity.
        judge: who decides; None to go by the decoder alone.
    """
    candidates = gather(ways, asked)
    written = _unjudged(candidates)
    if judge is None:
        probabilities = written
    else:
        against = Against.of(asked, candidates, says)
        probabilities = judge.probabilities(features(asked, candidates, votes, says, against))
        probabilities = _of_possible(asked, candidates, probabilities, says, against)
    chances = list(zip(probabilities.tolist(), written.tolist(), strict=False))
    outcomes = [
        Ranked(one.program, None, one.result, *own)
        for one, own in zip(candidates.answers, chances, strict=False)
    ]
    outcomes.append(Ranked(None, _refusal(candidates), None, *chances[len(outcomes)]))
    if judge is not None:
        possible = [one for one in outcomes if one.probability]
        outcomes = _told(possible, candidates, asked, says, against.free)
    return tuple(sorted(outcomes, key=lambda outcome: -outcome.probability))


def _of_possible(
    asked: Asked,
    candidates: Candidates,
    probabilities: npt.NDArray[np.float32],
    says: npt.NDArray[np.float32],
    against: Against,
) -> npt.NDArray[np.float32]:
    """Probabilities without those of what words of the question rule out."""
    for denied, meant in against.turned:
        if meant is not None:
            probabilities[meant] += probabilities[denied]
        probabilities[denied] = 0
    wrong = np.array([*against.ruled_out, False, False])
    likeliest = dict(enumerate(candidates.answers)).get(int(probabilities[:-1].argmax()))
    narrower = counts_all(asked, candidates.answers, likeliest, says)
    if narrower is not None:
        wrong |= np.array([*narrower, True, False])
    possible = probabilities * ~wrong
    return np.asarray(possible / possible.sum(), np.float32)


def _told(
    outcomes: list[Ranked],
    candidates: Candidates,
    asked: Asked,
    says: npt.NDArray[np.float32],
    free: Sequence[int],
) -> list[Ranked]:
    """Outcomes, the best one with the words that it does nothing with."""
    best = max(outcomes, key=lambda one: one.probability)
    found = next((one for one in candidates.answers if one.program is best.program), None)
    if found is None:
        return outcomes
    spoken = np.zeros(len(says), np.float32)
    Use.of(asked, found).mark(spoken, asked, says)
    left = unheard(asked, spoken, free)
    return [replace(one, unheard=left) if one is best else one for one in outcomes] if left else outcomes


def _unjudged(candidates: Candidates) -> npt.NDArray[np.float32]:
    """The decoder's own probabilities; what gave nothing counts for no answer at all."""
    answers = [math.exp(one.score) for one in candidates.answers]
    total = np.array([*answers, sum(candidates.refusals), candidates.empty], np.float32)
    return total / max(1.0, float(total.sum()))


def _refusal(candidates: Candidates) -> str:
    """The kind of a refusal: the likeliest, or being unsure where the decoder thinks of none."""
    likeliest = candidates.refusals.index(max(candidates.refusals))
    return _KINDS[likeliest] if candidates.refusals[likeliest] > 0 else UNSURE
