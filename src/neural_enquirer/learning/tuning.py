"""Tuning: a few steps that teach a decoder corrections, and hold it where it was for all else.

Only the decoder learns; the encoders and the cascade stay as they are. Two things hold it: on questions that
it rehearses it should choose at each step as it did before, and no weight should go far.
"""

import copy
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.training.losses import program_loss
from neural_enquirer.training.program_data import Example, batch_of

__all__ = ["Rehearsed", "Tuning", "rehearsed", "tuned"]

_FEW: Final = 10
_MOST_STEPS: Final = 600


@dataclass(frozen=True)
class Tuning:
    """How a decoder learns.

    Attributes:
        steps: how many for ten corrections; more for more of them.
        rate: the highest learning rate; it goes down to zero.
        practised_at_once: questions of corrections a step.
        rehearsed_at_once: questions that are rehearsed a step.
        held: how much it counts that these are answered as before.
        near: how much it counts that weights stay near.
        clip: the largest norm of a gradient.
    """

    steps: int = 45
    rate: float = 6e-4
    practised_at_once: int = 20
    rehearsed_at_once: int = 24
    held: float = 8.0
    near: float = 0.5
    clip: float = 1.0

    def steps_for(self, corrections: int) -> int:
        """How many steps so many corrections take."""
        return min(_MOST_STEPS, max(self.steps, self.steps * corrections // _FEW))


@dataclass(frozen=True)
class Rehearsed:
    """Questions with the likeliest derivation of each, and the chances of all choices at its steps."""

    batch: ProgramBatch
    chances: Float[Tensor, "batch way step choice"]


def rehearsed(
    model: OpenEnquirer, vocabulary: Vocabulary, examples: Sequence[Example], size: int
) -> list[Rehearsed]:
    """What a model does now with questions; those of like size are put together, which saves padding."""
    ordered = sorted(examples, key=lambda one: (len(one.asked.places), len(one.derivations[0])))
    batches = [batch_of(ordered[i : i + size], vocabulary) for i in range(0, len(ordered), size)]
    model.eval()
    with torch.no_grad():
        return [Rehearsed(batch, _chances(model, batch)) for batch in batches]


def _chances(model: OpenEnquirer, batch: ProgramBatch) -> Float[Tensor, "batch way step choice"]:
    return model.decoder.follow(model.hear(batch.schema), batch.steps)[0]


def tuned(
    model: OpenEnquirer,
    vocabulary: Vocabulary,
    practice: Sequence[Sequence[Example]],
    rehearsal: Sequence[Rehearsed],
    tuning: Tuning,
    seed: int,
    told: Callable[[int], None],
) -> OpenEnquirer:
    """A copy of the model that has learned corrections.

    Args:
        model: as it is.
        vocabulary: its words.
        practice: the wordings of each correction.
        rehearsal: what it should do as before.
        tuning: how it learns.
        seed: of the choice of examples.
        told: hears how many steps were taken.
    """
    torch.manual_seed(seed)
    rng = random.Random(seed)
    learner = copy.deepcopy(model)
    learner.requires_grad_(False)
    weights = list(learner.decoder.requires_grad_(True).parameters())
    before = [weight.detach().clone() for weight in weights]
    optimizer = torch.optim.Adam(weights, lr=tuning.rate)
    steps = tuning.steps_for(len(practice))
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = tuning.rate * _share(step, steps)
        optimizer.zero_grad()
        _practise(learner, vocabulary, practice, tuning, rng).backward()
        if rehearsal:
            (tuning.held * _apart(learner, rng.choice(rehearsal))).backward()
        (tuning.near * _distance(weights, before)).backward()
        nn.utils.clip_grad_norm_(weights, tuning.clip)
        optimizer.step()
        told(step + 1)
    return learner.eval().requires_grad_(True)


def _share(step: int, steps: int) -> float:
    """Of the rate: it rises in the first tenth and then follows a cosine down to zero."""
    return min(1.0, 10 * (step + 1) / steps) * 0.5 * (1 + math.cos(math.pi * step / steps))


def _practise(
    learner: OpenEnquirer,
    vocabulary: Vocabulary,
    practice: Sequence[Sequence[Example]],
    tuning: Tuning,
    rng: random.Random,
) -> Float[Tensor, ""]:
    """The loss on wordings of corrections, all of which come equally often."""
    some = [practice[i % len(practice)] for i in range(tuning.practised_at_once)]
    if len(practice) > len(some):
        some = rng.sample(practice, len(some))
    batch = batch_of([rng.choice(wordings) for wordings in some], vocabulary)
    learner.train()
    return program_loss(learner(batch))


def _apart(learner: OpenEnquirer, rehearsal: Rehearsed) -> Float[Tensor, ""]:
    """How far the choices for rehearsed questions are from what they were: their mean KL divergence."""
    learner.eval()
    there = rehearsal.batch.steps.choices >= 0
    was, now = rehearsal.chances, _chances(learner, rehearsal.batch)
    apart = (was.exp() * (was - now)).sum(dim=3)
    return apart.where(there, 0.0).sum() / len(rehearsal.batch)


def _distance(weights: Sequence[Tensor], before: Sequence[Tensor]) -> Float[Tensor, ""]:
    apart = [((weight - was) ** 2).sum() for weight, was in zip(weights, before, strict=True)]
    return torch.stack(apart).sum()
