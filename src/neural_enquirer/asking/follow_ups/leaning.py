"""Whether a question leans on the one before, and on what of it."""

import enum
import functools
from typing import Final

from neural_enquirer.asking.accounting import content
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.vocabulary import vocabulary
from neural_enquirer.encoding.text import words_of

__all__ = ["Back", "Leaning", "Leans"]

_SHORT: Final = 4
"""So few words are rarely a question of their own, unless they ask in so many words."""


class Leans(enum.Enum):
    """Whether a question leans on the one before."""

    NO = "no"
    PERHAPS = "perhaps"
    SURELY = "surely"


class Back(enum.Enum):
    """What words stand for what the last answer was about."""

    SEVERAL = "several"
    ONE = "one"
    OWNER = "owner"


class Leaning:
    """How a question leans on the one before."""

    def __init__(self, fragment: Fragment, last: str) -> None:
        """Takes the question, and the words of the last one."""
        self._fragment = fragment
        self._last = words_of(last)
        self._words = fragment.words
        self._known = vocabulary()

    @functools.cached_property
    def back(self) -> Back | None:
        """What stands for what the last answer was about."""
        if self._fragment.comparison is not None:
            return None
        for back in Back:
            for start, end in self._known.back[back.value].spans(self._words):
                if self._stands_for_something(start, end) and not self._is_old(start):
                    return back
        return None

    def _is_old(self, place: int) -> bool:
        """Whether a word stood for something in the last question already: who did they play?"""
        word = self._words[place]
        return word in self._last and word not in ("that", "this", "there", "then")

    @property
    def opens(self) -> bool:
        """Whether it goes on from the last question."""
        return bool(self._known.opening["on"].length_at_start(self._words))

    @property
    def narrows(self) -> bool:
        """Whether it takes a part of what the last answer was about."""
        return bool(self._known.opening["narrowing"].length_at_start(self._words))

    @property
    def how(self) -> Leans:
        """Whether it leans at all."""
        if self.opens or self.narrows or self._is_bare or (self.back and not self._is_bound):
            return Leans.SURELY
        if self.back or not self._asks or len(self._words) <= _SHORT:
            return Leans.PERHAPS
        return Leans.NO

    @property
    def _is_bare(self) -> bool:
        """Whether nothing says what it is about: how many? in which year? per site?"""
        fragment = self._fragment
        if self._known.grouping.length_at_start(self._words) or self._known.aside.length_at_start(self._words):
            return len(self._words) <= _SHORT
        named = fragment.fields or fragment.told or fragment.is_superlative or content(fragment.heard)
        return not named and self._asks and not self._known.rows["any"].are_in(self._words)

    @property
    def _asks(self) -> bool:
        """Whether it asks in so many words."""
        return self._known.asked.are_in(self._words)

    @functools.cached_property
    def _is_bound(self) -> bool:
        """Whether words such as their are told what they stand for by the question itself."""
        for start, end in self._known.back[self.back.value].spans(self._words) if self.back else ():
            before = set(range(start))
            named = any(place in before for place in content(self._fragment.heard))
            own = {place for told in self._fragment.told for place in range(*told.span)}
            told_after = self._known.back["told_after"].length_at_start(self._words[end:])
            if not told_after and not named and not own & before:
                return False
        return True

    def _stands_for_something(self, start: int, end: int) -> bool:
        """Whether that and then stand for something; other words always do."""
        word = self._words[start]
        if word in ("that", "this", "there", "then"):
            before = self._words[start - 1] if start else ""
            placed = not start or self._known.back["before_that"].are_in([before])
            if word in ("there", "then"):
                return end == len(self._words) and start > 0 and before not in ("is", "are", "was", "were")
            return placed and (end == len(self._words) or word == "that" or word == "this")
        return True
