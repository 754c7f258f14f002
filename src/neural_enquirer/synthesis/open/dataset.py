"""The open task as a data set: how large it is, and how it is drawn."""

from collections.abc import Callable
from typing import Final

from neural_enquirer.synthesis.open.examples import OpenExample
from neural_enquirer.synthesis.open.sampler import BLOCK, draw_block
from neural_enquirer.synthesis.splits import SPLITS

__all__ = ["SIZES", "TASK", "OpenTaskError", "generate"]

TASK: Final = "open"
SIZES: Final = {"train": 100_000, "validation": 4_000, "test": 8_000}


class OpenTaskError(ValueError):
    """A data set that cannot be generated; the message is one line for people."""


def generate(
    split: str,
    *,
    seed: int = 0,
    examples: int | None = None,
    wording: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[OpenExample]:
    """Draws one split; fewer examples are the beginning of more.

    Args:
        split: ``train``, ``validation`` or ``test``.
        seed: Any number from 0 on.
        examples: How many; by default as many as :data:`SIZES` says.
        wording: ``literal`` or ``natural`` for examples of this wording only.
        progress: Called with the number of examples each time some are ready.

    Raises:
        OpenTaskError: if there is no such split, or a number is negative.
    """
    if split not in SPLITS:
        raise OpenTaskError(f"unknown split '{split}'; the splits are {', '.join(SPLITS)}")
    count = SIZES[split] if examples is None else examples
    if seed < 0 or count < 0:
        raise OpenTaskError(f"seed and number of examples must be 0 or more, not {seed} and {count}")
    drawn: list[OpenExample] = []
    for block, start in enumerate(range(0, count, BLOCK)):
        wanted = min(BLOCK, count - start)
        drawn += draw_block(split, seed, block, wording)[:wanted]
        if progress is not None:
            progress(wanted)
    return drawn
