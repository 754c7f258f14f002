"""Following: how likely the decoder finds derivations that it did not write itself."""

from collections.abc import Sequence

import numpy as np

from neural_enquirer.encoding.actions import Derivation, Pool
from neural_enquirer.encoding.actions.grammar import START, Open, expanded
from neural_enquirer.runtime.decoder import Decoder
from neural_enquirer.runtime.heard import Heard, Now

_GIVING = (Pool.MENTION, Pool.QUANTITY)


def follow(decoder: Decoder, heard: Heard, tables: int, derivations: Sequence[Derivation]) -> list[float]:
    """The log-probability of each of some derivations for a question.

    Args:
        decoder: who scores them.
        heard: what it hears of the question.
        tables: how many tables the question has.
        derivations: all of them complete.
    """
    together, scores = decoder.together([heard]), [0.0] * len(derivations)
    memory = decoder.begin(together).take(np.zeros(len(derivations), np.int64))
    stacks: dict[int, tuple[Open, ...]] = dict.fromkeys(range(len(derivations)), (START,))
    given, before, step = [0] * len(derivations), [-1] * len(derivations), 0
    while stacks:
        now = [Now(*stack[0], given[one], before[one]) for one, stack in stacks.items()]
        chances, memory = decoder.step(together, memory, [(0, now)])
        left = []
        for row, (one, stack) in enumerate(list(stacks.items())):
            action = derivations[one][step]
            before[one] = heard.choices.offsets[action.pool] + action.number
            scores[one] += float(chances[row, before[one]])
            if action.pool in _GIVING:
                given[one] = action.number
            stacks[one] = expanded(stack, action, tables)
            if stacks[one]:
                left.append(row)
            else:
                del stacks[one]
        memory, step = memory.take(np.array(left, np.int64)), step + 1
    return scores
