"""Whether a question leans on the one before, and on what of it."""

import enum
import functools
from typing import Final

from neural_enquirer.asking.accounting import content
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.vocabulary import vocabulary

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

    def __init__(self, fragment: Fragment) -> None:
        """Takes the question."""
        self._fragment = fragment
        self._words = fragment.words
        self._known = vocabulary()

    @functools.cached_property
    def back(self) -> Back | None:
        """What stands for what the last answer was about."""
        for back in Back:
            for start, end in self._known.back[back.value].spans(self._words):
                if self._stands_for_something(start, end):
                    return back
        return None

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
        if self.opens or self.narrows or (self.back and not self._is_bound):
            return Leans.SURELY
        if self.back or not self._asks or len(self._words) <= _SHORT:
            return Leans.PERHAPS
        return Leans.NO

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
