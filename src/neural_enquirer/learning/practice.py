"""Practice: what a model is trained on, which is corrections in many wordings and with other values."""

import random
from collections.abc import Sequence
from typing import Final

import torch

from neural_enquirer.encoding.actions import Asked, Derivation, build, derive
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.learning.rewording import reworded, with_other_values
from neural_enquirer.learning.teaching import Ground, Taught
from neural_enquirer.model.open_enquirer import OpenEnquirer
from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import ProgramError
from neural_enquirer.training.program_data import Example, batch_of

__all__ = ["likeliest", "practised"]

_MOST: Final = 2
"""Programs that a correction may mean at most."""
_BEHIND: Final = 5.0
"""A program so much less likely than the likeliest, by the log of their chances, is not meant."""
_WITH_OTHER_VALUES: Final = 0.25


def likeliest(
    model: OpenEnquirer, vocabulary: Vocabulary, ground: Ground, asked: Asked, found: Sequence[Derivation]
) -> tuple[Derivation, ...]:
    """The likeliest of the derivations that were found, by what the model thinks of them."""
    if not found:
        return ()
    with torch.no_grad():
        scores = model(batch_of([ground.example(asked, found)], vocabulary)).scores[0].tolist()
    order = sorted(zip(scores, range(len(found)), strict=True), key=lambda one: (-one[0], one[1]))
    return tuple(found[place] for score, place in order[:_MOST] if score > order[0][0] - _BEHIND)


def practised(ground: Ground, taught: Taught, count: int, rng: random.Random) -> list[Example]:
    """The question of a correction as it was asked, and in other words, at most so often."""
    examples = [ground.example(taught.asked, taught.derivations)]
    texts = {taught.asked.question}
    for _ in range(count):
        found = _varied(ground, taught, rng)
        if found is not None and found.asked.question not in texts:
            texts.add(found.asked.question)
            examples.append(found)
    return examples


def _varied(ground: Ground, taught: Taught, rng: random.Random) -> Example | None:
    start, derivations = taught.asked, taught.derivations
    if not taught.correction.refuse and rng.random() < _WITH_OTHER_VALUES:
        other = with_other_values(start, derivations[0], rng)
        asked = start if other is None else ground.asked(other)
        if _holds(asked, derivations[0]):
            start, derivations = asked, derivations[:1]
    asked = ground.asked(reworded(start, rng))
    moved = derivations if taught.correction.refuse else _moved(start, derivations, asked)
    return ground.example(asked, moved) if moved else None


def _moved(start: Asked, derivations: Sequence[Derivation], asked: Asked) -> list[Derivation]:
    """The same programs over the links of another question."""
    return [moved for one in derivations for moved in derive(build(one, start), asked)[:1]]


def _holds(asked: Asked, derivation: Derivation) -> bool:
    """Whether a derivation can be followed for another question, and gives something."""
    try:
        return bool(run(build(derivation, asked), asked.tables).values)
    except (ProgramError, IndexError, KeyError, ValueError):
        return False
