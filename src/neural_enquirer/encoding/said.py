"""Said: the words of a question and what can be seen of them."""

import itertools
from collections.abc import Sequence
from typing import Final

from neural_enquirer.encoding.aliases import common_words, key
from neural_enquirer.encoding.text import STOP_WORDS, stem

__all__ = ["Said", "Span", "is_country"]

Span = tuple[int, int]
"""Words: the first, and the one behind the last."""

_SHORTEST_NAME: Final = 4
_SHORTEST_CODE: Final = 3
_DENIALS: Final = frozenset([
    "no", "not", "non", "never", "without", "none", "nobody", "neither", "nor", "lacking", "t", "didn", "don",
    "doesn", "wasn", "isn", "aren", "weren", "hasn", "haven", "hadn",
])  # fmt: skip
_NEVER_OF_US: Final = STOP_WORDS | {
    "all", "any", "some", "every", "each", "everything", "everyone", "most", "more", "only", "again",
}  # fmt: skip
"""Words that are not spoken of as American."""
_DONE_TO_US: Final = frozenset([
    "give", "gave", "gives", "tell", "told", "show", "showed", "let", "get", "got", "bring", "find", "list",
    "make", "made", "cost", "costs", "beat", "owe", "owes", "against", "for", "to", "from", "with", "of",
    "by", "help", "lend", "sell", "sold", "buy", "bought", "charge", "charged", "pay", "paid", "read", "send",
    "sent", "take", "took", "left",
])  # fmt: skip
"""Words behind which "us" is ourselves."""
_NUMBERS: Final = "one two three four five six seven eight nine ten eleven twelve"
_NUMBER_WORDS: Final = frozenset(_NUMBERS.split())


def is_country(words: Sequence[str], i: int) -> bool:
    """Whether "us" stands for the country: before a noun, and not behind what is done to us."""
    following, before = words[i + 1 : i + 2], words[i - 1] if i else ""
    return bool(following) and following[0] not in _NEVER_OF_US and before not in _DONE_TO_US


class Said:
    """The words of a question as they were typed.

    Attributes:
        words: the folded words.
        stems: their stems.
        keys: what forms of the words have in common.
        keyed: the keys with one space between and around them.
        places: where each key begins in `keyed`, its space included.
        values: for each whether it may be a value by itself.
        loud: for each whether it is written in capitals.
        proper: for each whether it begins with a capital, and not because a sentence begins with it.
        rare: for each whether it is no word that everybody uses.
        glued: for each whether it is the letters of a code: the next is a number right behind it (Z28).
        telling: for each whether it is rare enough to mean something by itself.
    """

    def __init__(
        self,
        words: Sequence[str],
        values: Sequence[bool],
        loud: Sequence[bool],
        proper: Sequence[bool],
        rare: Sequence[bool],
        glued: Sequence[bool],
    ) -> None:
        """Looks at each word."""
        self.words, self.values, self.loud, self.proper = words, values, loud, proper
        self.rare, self.glued = rare, glued
        self.keys = [key(word) for word in words]
        self.stems = [stem(word) for word in words]
        self.keyed = f" {' '.join(self.keys)} "
        lengths = [len(each) + 1 for each in self.keys]
        self.places = list(itertools.accumulate(lengths[:-1], initial=0)) if lengths else []
        self.telling = [self._is_telling(i) for i in range(len(words))]

    def with_words(self, span: Span, words: Sequence[str]) -> "Said":
        """The same with other words in the place of some, which are values if the last of these is."""
        start, end = span

        def again(own: Sequence[bool]) -> list[bool]:
            return [*own[:start], *[own[end - 1]] * len(words), *own[end:]]

        spelled = [*self.words[:start], *words, *self.words[end:]]
        return Said(spelled, *map(again, (self.values, self.loud, self.proper, self.rare, self.glued)))

    def has_number(self, span: Span) -> bool:
        """Whether a word of some is a number."""
        return any(word.isdigit() for word in self.words[slice(*span)])

    def denied_from(self, i: int) -> int | None:
        """Where it begins to be said that there is none of what a word is; None where that is not said."""
        weighty = 0
        for start in range(i - 1, -1, -1):
            if self.words[start] in _DENIALS or self.words[start : start + 2] == ["w", "o"]:
                return start
            weighty += self.words[start] not in STOP_WORDS
            if weighty > 1:
                break
        return None

    def may_be_code(self, i: int) -> bool:
        """Whether a word may be short for something."""
        return self.loud[i] or (self.rare[i] and len(self.words[i]) >= _SHORTEST_CODE)

    def is_name(self, i: int) -> bool:
        """Whether a word looks like a name, which is meant wherever it stands."""
        return self.proper[i] or (self.rare[i] and len(self.words[i]) >= _SHORTEST_NAME)

    def _is_telling(self, i: int) -> bool:
        word = self.words[i]
        if not self.values[i] or len(word) < 2 or word in _NUMBER_WORDS or word.isdigit():
            return False
        return self.proper[i] or self.loud[i] or self.stems[i] not in common_words()
