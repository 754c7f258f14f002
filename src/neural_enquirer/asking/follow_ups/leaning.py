"""Whether a question leans on the one before, and on what of it."""

import enum
import functools
from typing import Final

from neural_enquirer.asking.follow_ups.fragment import Fragment
from neural_enquirer.asking.follow_ups.last import Last
from neural_enquirer.asking.follow_ups.vocabulary import Span, vocabulary
from neural_enquirer.encoding.text import words_of
from neural_enquirer.programs.language import (
    Aggregate,
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Extreme,
    Field,
    Groups,
    Program,
    Where,
)
from neural_enquirer.programs.trees import field_of, leaves, parts

__all__ = ["Back", "Leaning", "Leans"]

_SHORT: Final = 5
"""So few words are rarely a question of their own, if all of them are of one kind."""

_BRIEF: Final = 3
_LONG: Final = 7
"""In a question of more words, they may stand for what it has named before."""


class Leans(enum.Enum):
    """Whether a question leans on the one before."""

    NO = "no"
    PERHAPS = "perhaps"
    """It may make sense by itself."""
    SURELY = "surely"


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

    @property
    def how(self) -> Leans:
        """Whether it leans at all."""
        if self.opens or self.narrows or self._is_bare or self._is_another_place or self._is_another_value:
            return Leans.SURELY
        if self._is_about_groups or self._is_about_another or self._fragment.asks_who_else:
            return Leans.SURELY
        if self._is_phrase or self._is_unfinished or self._is_made_up or self._is_bare_field:
            return Leans.SURELY
        if self._is_brief and self.back is None:
            return Leans.SURELY
        if self._fragment.comparison is not None or self._fragment.is_sorted:
            return Leans.SURELY if len(self._words) <= _LONG else Leans.NO
        if self.back is not None:
            return Leans.PERHAPS if self._may_mean_another else Leans.SURELY
        return Leans.PERHAPS if self._is_elliptical or self._has_open_end else Leans.NO

    @property
    def may_leave_out(self) -> bool:
        """Whether it may leave out what it is about, although it makes sense by itself."""
        if self.back is not None:
            return self.back is not Back.SEVERAL
        says_which = self._fragment.told or self._fragment.is_placed or not self._fragment.guesses
        return not says_which and len(self._words) <= _LONG and _takes_all(self._fragment.guesses[0])

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
        return self.opening > 0

    @property
    def narrows(self) -> bool:
        """Whether it takes a part of what the last answer was about."""
        narrowing = self._known.opening["narrowing"]
        if narrowing.length_at_start(self._words[self._polite :]):
            return True
        is_short = len(self._words) <= _SHORT
        return is_short and bool(narrowing.length_at_end(self._words))

    @property
    def asks_for_unknown(self) -> bool:
        """Whether all that it asks for is nothing that the tables have: and its top speed?"""
        known, own = self._known, self._fragment
        named = own.told or own.fields or own.hinted or own.wanted or own.grouped or own.ordered_by
        is_step = own.step is not None or own.ordinal is not None or own.is_turned
        rows = (own.says(known.rows[each]) for each in ("whole", "others", "else"))
        if named or is_step or any(rows) or ("who" in self._words and self.back is not Back.OWNER):
            return False
        wants = any(own.says(phrases) for phrases, _ in known.wanted)
        amounts = (own.says(known.rows[each]) for each in ("amount", "figure"))
        return bool(own.unlinked) or (wants and not any(amounts))

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
        if headless and not self._fragment.told and self._has_chosen:
            return Back.SEVERAL, (self.opening, self.opening + headless)
        return None

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
    def _is_about_groups(self) -> bool:
        """Whether it asks for the first or last of the groups that were answered."""
        match self._program:
            case Cells(_, All(Groups(by=by))):
                fragment = self._fragment
                says_more = fragment.told or fragment.unlinked or set(fragment.terms) - {by}
                return fragment.is_superlative and not says_more
        return False

    @property
    def _is_about_another(self) -> bool:
        """Whether it asks how much more another has than the last answer, and not than something it names."""
        fragment = self._fragment
        return fragment.tells_more and len(fragment.told) <= 1 and len(fragment.fields) <= 1

    @property
    def _has_chosen(self) -> bool:
        """Whether the last question was about some of the rows, from which another may choose."""
        return any(isinstance(part, Where | Groups) for part in parts(self._program))

    @property
    def _has_named(self) -> bool:
        """Whether the last question was about a name."""
        return any(
            isinstance(part, Compare)
            and isinstance(part.operand, Constant)
            and isinstance(part.operand.value, str)
            for part in parts(self._program)
        )

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
    def _may_mean_another(self) -> bool:
        """Whether he or it may be whom all rows are about, because the question says which it means."""
        assert self._standing is not None
        back, span = self._standing
        words = self._words[slice(*span)]
        if back is Back.OWNER and self._has_named and not self._fragment.told:
            return False  # her fastest time, after a question about her
        if any(told.against for told in self._fragment.told):
            return False  # is it bigger than Chile?
        says_more = self._fragment.told or self._fragment.is_placed
        return bool(says_more) and self._known.back["vague"].length_at_start(words) == len(words)

    # Questions that leave most unsaid.

    @property
    def _is_bare(self) -> bool:
        """Whether nothing says what it is about: how many? in which year? per site?"""
        known, fragment = self._known, self._fragment
        if known.grouping.length_at_start(self._words) or known.aside.length_at_start(self._words):
            return len(self._words) < _SHORT
        if fragment.told or fragment.is_placed:
            return False
        named = fragment.fields or fragment.hinted or fragment.unlinked
        asks = self._asks or (bool(fragment.operations) and len(self._words) <= _BRIEF)
        return not named and asks and not known.rows["any"].are_in(self._words)

    @property
    def _is_another_place(self) -> bool:
        """Whether it says nothing but another place in the order that the last question asked for."""
        fragment = self._fragment
        says_more = fragment.told or fragment.fields or fragment.hinted or fragment.unlinked or self._asks
        says_more = says_more or any(group.are_in(self._words) for group in self._known.people.values())
        was_placed = any(isinstance(part, Extreme) for part in parts(self._program))
        return fragment.is_placed and was_placed and not says_more

    @property
    def _is_another_value(self) -> bool:
        """Whether it says nothing but another value, or how a number compares: goalkeepers? more than 12?"""
        fragment = self._fragment
        asked_about = {field_of(leaf.term) for leaf in leaves(self._program)}
        asks = self._asks or bool(fragment.operations) or fragment.is_placed
        says_more = asks or set(fragment.terms) - asked_about or fragment.unlinked
        longest = _BRIEF if fragment.fields else _SHORT
        if says_more or len(self._words) > longest or len(fragment.told) != 1:
            return False
        (told,) = fragment.told
        named = {
            part for condition in told.conditions for part in parts(condition) if isinstance(part, Field)
        }
        return told.compared or bool(asked_about & named)

    @property
    def _is_phrase(self) -> bool:
        """Whether it is but a preposition and what belongs to it: in Europe?"""
        return (
            len(self._words) <= _SHORT
            and self._words[0] in self._known.small["preposition"]
            and not self._asks
        )

    @property
    def _is_bare_field(self) -> bool:
        """Whether it is but a field: total population?"""
        fragment = self._fragment
        says_more = fragment.told or fragment.is_placed or fragment.unlinked
        return bool(fragment.fields) and len(self._words) < _BRIEF and not says_more

    @property
    def _is_unfinished(self) -> bool:
        """Whether it says who, but not of what there are how many: how many did Chile?"""
        start, told = self._known.back["unfinished"].length_at_start(self._words), self._fragment.told
        return start > 0 and len(told) == 1 and told[0].span == (start, len(self._words))

    @property
    def _has_open_end(self) -> bool:
        """Whether it ends with a superlative that does not say of what: which school has the highest?"""
        ends = any(own.length_at_end(self._words) for own in self._known.ends.values())
        return ends and not self._fragment.ordered_by and len(self._words) <= _SHORT

    @property
    def _is_made_up(self) -> bool:
        """Whether the model has chosen rows for it of which the question itself says nothing."""
        fragment = self._fragment
        if fragment.told or fragment.is_placed or fragment.unlinked or not fragment.guesses:
            return False
        return len(self._words) <= _LONG and any(map(_chooses, parts(fragment.guesses[0])))

    @property
    def _is_brief(self) -> bool:
        """Whether a few words ask for something and name no rows: who was executed?"""
        asks = self._known.which.length_at_start(self._words) > 0 or self._words[:1] == ("how",)
        says_more = self._fragment.told or self._fragment.is_placed or self._names_unknown
        return len(self._words) <= _LONG and asks and not says_more

    @property
    def _names_unknown(self) -> bool:
        """Whether it speaks of what neither the tables nor the last question have, and not of somebody."""
        spans = (span for phrases, _ in self._known.wanted for span in phrases.spans(self._words))
        unknown = self._fragment.unlinked - {place for span in spans for place in range(*span)}
        return self._words[0] != "who" and any(self._words[place] not in self._last for place in unknown)

    @property
    def _is_elliptical(self) -> bool:
        """Whether a few words say one thing only: a value, a field, or an end of an order."""
        fragment = self._fragment
        if fragment.is_turned or fragment.step is not None:
            return len(self._words) <= _LONG
        if self._known.which.length_at_start(self._words) and len(self._words) < _BRIEF:
            return True
        kinds = (fragment.told and not self._asks, fragment.fields, fragment.is_placed)
        said = (fragment.told, fragment.fields, fragment.is_placed)
        is_one = sum(map(bool, kinds)) == 1 == sum(map(bool, said))
        return len(self._words) <= _SHORT and is_one and not fragment.unlinked

    @property
    def _asks(self) -> bool:
        """Whether it asks in so many words."""
        return self._known.asked.are_in(self._words)


def _takes_all(program: Program) -> bool:
    """Whether a program is about all rows of a table."""
    match program:
        case Cells(rows=All(source)) | Aggregate(rows=All(source)):
            return not isinstance(source, Groups)
    return False


def _chooses(part: object) -> bool:
    """Whether a part of a program takes the rows at an end, or those with a certain value."""
    match part:
        case Extreme() | Compare(_, Comparison.EQUAL, Constant()):
            return True
        case Compare(_, _, operand):
            return not isinstance(operand, Constant)
    return False
