"""The words that lead from one table to another: what a model of several tables may learn by heart."""

import functools

from neural_enquirer.synthesis.open import join_words as words
from neural_enquirer.synthesis.open.vocabulary import words_of

__all__ = ["join_words"]


@functools.cache
def join_words() -> frozenset[str]:
    """Every lower-case word of the phrases of `join_words`."""
    return frozenset(word for text in words.TEXTS for word in words_of(text))
