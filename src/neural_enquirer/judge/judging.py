"""Judging: from programs that were written to outcomes with probabilities, the likeliest first."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.judge.candidates import Candidates, gather
from neural_enquirer.judge.features import Votes, features
from neural_enquirer.judge.ranked import NO_FIELD, NO_ROW, NOT_ABOUT, UNSURE, Ranked
from neural_enquirer.judge.ruled_out import ruled_out
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
        probabilities = judge.probabilities(features(asked, candidates, votes, says))
        wrong = ruled_out(asked, [one.program for one in candidates.answers])
        if any(wrong):
            probabilities = probabilities * ~np.array([*wrong, False, False])
            probabilities /= probabilities.sum()
    chances = list(zip(probabilities.tolist(), written.tolist(), strict=False))
    outcomes = [
        Ranked(one.program, None, one.result, *own)
        for one, own in zip(candidates.answers, chances, strict=False)
    ]
    outcomes.append(Ranked(None, _refusal(candidates), None, *chances[len(outcomes)]))
    return tuple(sorted(outcomes, key=lambda outcome: -outcome.probability))


def _unjudged(candidates: Candidates) -> npt.NDArray[np.float32]:
    """The decoder's own probabilities; what gave nothing counts for no answer at all."""
    answers = [np.exp(one.score) for one in candidates.answers]
    total = np.array([*answers, sum(candidates.refusals), candidates.empty], np.float32)
    return total / max(1.0, float(total.sum()))


def _refusal(candidates: Candidates) -> str:
    """The kind of a refusal: the likeliest, or being unsure where the decoder thinks of none."""
    likeliest = int(np.argmax(candidates.refusals))
    return _KINDS[likeliest] if candidates.refusals[likeliest] > 0 else UNSURE
