"""Words of a question that sound like conditions and that an answer does nothing with: in the morning.

What people call rows or fields is told by nothing in a table either, and does no harm. But what stands behind
a preposition or an article, or says how, narrows down what is meant.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.encoding.actions import Asked
from neural_enquirer.encoding.linking import MENTION, NAMED, PART, QUANTITY
from neural_enquirer.encoding.text import STOP_WORDS
from neural_enquirer.encoding.wording import asked_for, is_superlative, plain_words

_LINKED: Final = MENTION | PART | NAMED | QUANTITY
_BEFORE: Final = frozenset(["a", "an", "at", "by", "during", "for", "from", "in", "on", "to", "with"])
_SPOKEN_OF: Final = 0.5
"""From here on a word speaks of a field or value."""
_SHORTEST_ADVERB: Final = 5


def unheard(
    asked: Asked, spoken: npt.NDArray[np.float32], among: Sequence[int] | None = None
) -> tuple[int, ...]:
    """The places of such words.

    Args:
        asked: the question.
        spoken: how much each word speaks of what the answer's program points at; 1 for those that it uses.
        among: the free words of the question, where they are known.
    """
    words = asked.links[0].words
    left = [place for place in (free_words(asked) if among is None else among) if spoken[place] < _SPOKEN_OF]
    return tuple(place for place in left if _narrows_down(words, place, left))


def free_words(asked: Asked) -> list[int]:
    """The words that say something and that the tables have nothing to do with."""
    words, flags = asked.links[0].words, asked.links[0].flags
    common = STOP_WORDS | plain_words()
    free = [n for n, word in enumerate(words) if word not in common and not flags[n] & _LINKED]
    if not free:
        return free
    asking = frozenset().union(*asked_for(words).values())
    return [n for n in free if n not in asking and not is_superlative(words[n])]


def _narrows_down(words: Sequence[str], place: int, left: Sequence[int]) -> bool:
    """Whether a word says how, or ends what a preposition or an article begins."""
    if len(words[place]) >= _SHORTEST_ADVERB and words[place].endswith("ly"):
        return True
    first = place
    while first and (first - 1 in left or words[first - 1] == "the"):
        first -= 1
    return first > 0 and words[first - 1] in _BEFORE and place + 1 not in left
