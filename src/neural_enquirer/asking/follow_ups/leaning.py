"""Whether a question leans on the one before, and on what of it."""

import enum
import functools
import math
import types
from typing import Final

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.last import Last
from neural_enquirer.asking.follow_ups.vocabulary import Span, vocabulary
from neural_enquirer.encoding.text import words_of
from neural_enquirer.programs.language import (
    Aggregate,
    All,
    Cells,
    Extreme,
    Field,
    Groups,
    Program,
    Where,
)
from neural_enquirer.programs.trees import field_of, leaves, parts

__all__ = ["Back", "Leaning", "odds"]

_SHORT: Final = 5
_LONG: Final = 7
"""In a question of more words, they may stand for what it has named before."""
_SUREST: Final = 0.99


class Back(enum.Enum):
    """What words stand for what the last answer was about."""

    SEVERAL = "several"
    ONE = "one"
    OWNER = "owner"


class Leaning:
    """How a question leans on the one before."""

    def __init__(self, fragment: Fragment, last: Last) -> None:
        """Takes the question, and the last one."""
        self._fragment = fragment
        self._words = fragment.words
        self._last = words_of(last.question)
        self._program = last.program
        self._known = vocabulary()

    def signs(self, plain: Answer) -> dict[str, float]:
        """What tells whether it leans, as far as it can be told before it is read with the last question."""
        fragment, sure = self._fragment, odds(plain.confidence)
        named = bool(fragment.told or fragment.fields or fragment.hinted or fragment.wanted)
        return {
            "one": 1.0,
            "answered": 0.0 if plain.refusal else sure,
            "refused": sure if plain.refusal else 0.0,
            "of everything": plain.best.program is not None and _takes_all(plain.best.program),
            "goes on": self.opens,
            "narrows": self.narrows,
            "phrase": self._is_phrase,
            "another value": self._is_another_value,
            "another place": fragment.is_placed and not self._asks and self._has(Extreme),
            "compares": fragment.comparison is not None or fragment.tells_more,
            **{f"back to {each.value}": self.back is each for each in Back},
            "of them": self._is_of,
            "headless": self.is_headless,
            "words": min(len(self._words), 2 * _LONG) / _SHORT,
            "unknown words": len(fragment.unlinked),
            "refused, knows nothing": bool(plain.refusal and fragment.unlinked) and not named,
            "values": len(fragment.told),
            "names nothing": not (named or fragment.unlinked),
            "asks of no rows": self._asks and not (fragment.told or fragment.is_placed or fragment.unlinked),
            "asks nothing": not (self._asks or self.opens or self.narrows or self.back),
        }

    @property
    def is_of_all(self) -> bool:
        """Whether it asks how many of something there are at all: how many clubs are there?"""
        match self._words:
            case ("how", "many", word, "are", "there"):
                return not self._known.back["several"].are_in([word])
        return False

    @functools.cached_property
    def opening(self) -> int:
        """How many words it begins with that go on from the last question."""
        if self._words[:1] == ("no",) and not self._fragment.is_corrected:
            return 0
        polite = self._polite
        length = self._known.opening["on"].length_at_start(self._words[polite:])
        return polite + length if length else 0

    @property
    def _polite(self) -> int:
        """How many words it begins with that say nothing: could you please."""
        polite, length = 0, 1
        while length:
            length = self._known.opening["polite"].length_at_start(self._words[polite:])
            polite += length
        return polite

    @property
    def opens(self) -> bool:
        """Whether it goes on from the last question."""
        is_order = self._known.steps["sorted"].length_at_start(self._words[self._polite :])
        return self.opening > 0 or bool(is_order)

    @property
    def narrows(self) -> bool:
        """Whether it takes a part of what the last answer was about."""
        narrowing = self._known.opening["narrowing"]
        if narrowing.length_at_start(self._words[self._polite :]):
            return True
        is_short = len(self._words) <= _SHORT
        return is_short and bool(narrowing.length_at_end(self._words))

    # Words that stand for something.

    @property
    def back(self) -> Back | None:
        """What stands for what the last answer was about."""
        return None if self._standing is None else self._standing[0]

    @functools.cached_property
    def _standing(self) -> tuple[Back, Span] | None:
        if self._fragment.comparison is not None:
            return None
        pointing = self._known.back["pointing"].spans(self._words)
        if pointing:
            return Back.ONE, pointing[0]
        for back in Back:
            for span in self._known.back[back.value].spans(self._words):
                if self.stands_for_something(span) and not self._is_old(span) and not self._is_bound(span):
                    return back, span
        headless = self._headless
        if headless and not self._fragment.told and self._has(Where | Groups):
            return Back.SEVERAL, (self.opening, self.opening + headless)
        return None

    @property
    def _is_of(self) -> bool:
        """Whether it asks for some of those that were found, in so many words: which of them."""
        if self._standing is None or self.back is not Back.SEVERAL:
            return False
        start, end = self._standing[1]
        return "of" in self._words[max(start - 1, 0) : end]

    @property
    def is_headless(self) -> bool:
        """Whether it asks for some of the rows without saying what they are."""
        return self._standing is not None and self._headless > 0

    @property
    def _headless(self) -> int:
        """How many words ask for some of the rows without saying what they are: which is, who is."""
        words, fragment = self._words[self.opening :], self._fragment
        if fragment.step is not None:
            return 0
        length = self._known.back["headless"].length_at_start(words)
        if length or fragment.fields or fragment.unlinked or not fragment.is_superlative:
            return length
        return self._known.back["headless_alone"].length_at_start(words)

    @property
    def _is_phrase(self) -> bool:
        """Whether it is but a preposition and what belongs to it: in Europe?"""
        is_aside = self._known.aside.length_at_start(self._words) > 0
        starts = self._words[0] in self._known.small["preposition"] and not self._asks
        return starts or is_aside or self._known.grouping.length_at_start(self._words) > 0

    @property
    def _is_another_value(self) -> bool:
        """Whether it says but a value of a field that the last question has one of: goalkeepers?"""
        fragment, known = self._fragment, {field_of(leaf.term) for leaf in leaves(self._program)}
        says_more = self._asks or fragment.is_placed or fragment.unlinked or fragment.operations
        if says_more or len(fragment.told) != 1 or set(fragment.terms) - known:
            return False
        (told,) = fragment.told
        found = (part for condition in told.conditions for part in parts(condition))
        return told.compared or any(isinstance(part, Field) and part in known for part in found)

    def _has(self, kinds: type | types.UnionType) -> bool:
        """Whether the last program has a part of some kinds."""
        return any(isinstance(part, kinds) for part in parts(self._program))

    def stands_for_something(self, span: Span) -> bool:
        """Whether that and then stand for something; other words always do."""
        start, end = span
        if start < self.opening:
            return False
        word, before = self._words[start], self._words[start - 1] if start else ""
        if word in ("there", "then"):
            return end == len(self._words) and start > 0 and before not in ("is", "are", "was", "were", "in")
        if word in ("that", "this"):
            return not start or self._known.back["before_that"].are_in([before])
        return before != "all" or end == len(self._words)  # of all these games: of all there are

    def _is_old(self, span: Span) -> bool:
        """Whether he or they were in the last question already, which its answer says nothing of."""
        return any(
            group.are_in(self._words[slice(*span)]) and group.are_in(self._last)
            for group in self._known.people.values()
        )

    def _is_bound(self, span: Span) -> bool:
        """Whether the question itself says what such words stand for: those with two children."""
        start, end = span
        if self._words[self.opening : start] == ("of",):
            return False  # of those, which is the oldest?
        behind = self._words[end : end + 1]
        if self._words[start] == "which":
            return bool(self._fragment.told)
        is_told = self._known.back["told_after"].length_at_start(behind) or (
            self._words[start] == "those" and any(word.endswith("ing") for word in behind)
        )
        if is_told or (len(self._words) <= _LONG and not self._known.back["owner"].are_in(self._words)):
            return bool(is_told)
        named = {place for told in self._fragment.told for place in range(*told.span)}
        return any(place < start for place in named | self._fragment.unlinked)

    @property
    def _asks(self) -> bool:
        """Whether it asks in so many words."""
        return self._known.asked.are_in(self._words)


def odds(probability: float) -> float:
    """How sure something is, on a scale that has no ends."""
    bounded = min(max(probability, 1 - _SUREST), _SUREST)
    return math.log(bounded / (1 - bounded))


def _takes_all(program: Program) -> bool:
    """Whether a program is about all rows of a table."""
    match program:
        case Cells(rows=All(source)) | Aggregate(rows=All(source)):
            return not isinstance(source, Groups)
    return False
