"""What the words of a question point at: values, numbers, fields, operations, places in an order."""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from neural_enquirer.asking.accounting import content
from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups.headers import called, is_called
from neural_enquirer.asking.follow_ups.names import Names
from neural_enquirer.asking.follow_ups.told import Told, apart
from neural_enquirer.asking.follow_ups.vocabulary import Phrases, Span, Vocabulary, unmended, vocabulary
from neural_enquirer.asking.heard import Places
from neural_enquirer.encoding.actions.asked import Asked, Place
from neural_enquirer.encoding.linking import HINTED, STRONG, WEAK
from neural_enquirer.encoding.mentions import How
from neural_enquirer.encoding.text import STOP_WORDS, stem, words_of
from neural_enquirer.encoding.wording import is_superlative
from neural_enquirer.programs.language import (
    Compare,
    Comparison,
    Condition,
    Constant,
    Direction,
    Field,
    Step,
    Term,
)
from neural_enquirer.programs.trees import parts

__all__ = ["Fragment"]

_LARGEST_GAP: Final = 2
_LESS_LIKELY: Final = 0.5
"""The cost of each field that a value is rather about."""
_LOOSE: Final = 1.5
"""The cost of a part of a cell where another cell has all of it."""
_LARGEST_COUNT: Final = 1000
_BRIEF: Final = 3
_CORRECTION: Final = re.compile(r"\s*no(\s*[,.;:–-]\s*\w|\s+(i|wait|sorry|make|not)\b)", re.IGNORECASE)
_NAMING: Final = ("who", "where")
"""Question words that ask for names and never for numbers."""
_ARTICLES: Final = ("the", "a", "an", "in", "of", "for", "that")
_EXACTLY: Final = (("just",), ("only",), ("exactly",))
"""Words behind which one is a number."""
_STEPS: Final = (Step.NEXT.value, Step.PREVIOUS.value)


class Fragment:
    """A question that may lean on the one before, by what its words point at."""

    def __init__(self, plain: Answer) -> None:
        """Takes the question as it was answered by itself."""
        self.heard = plain.heard
        self._known: Vocabulary = vocabulary()
        self.words = unmended(plain.question, plain.heard.words, self._known.leaving_out)
        self.asked = Asked(plain.question, plain.tables, plain.heard.links)
        self.tables = plain.tables
        self._links = plain.heard.links
        self._fields = Names(plain.tables, plain.heard.links)
        self.guesses = [each.program for each in plain.ranked if each.program is not None]

    def says(self, phrases: Phrases) -> bool:
        """Whether a phrase stands in the question, outside the values that it names."""
        return any(self._is_free(span) for span in phrases.spans(self.words))

    def _is_free(self, span: Span) -> bool:
        is_told = any(place in self._in_mentions for place in range(*span))
        return not is_told and (span[1] - span[0] == 1 or not self._fields.are_in(span))

    @functools.cached_property
    def _in_mentions(self) -> frozenset[int]:
        return frozenset(place for told in self.told for place in range(*told.span))

    @functools.cached_property
    def unlinked(self) -> Places:
        """The words that say something which the tables know nothing of."""
        flags, known = self._links[0].flags, self._known
        leaning = (known.opening["on"], known.back["several"], known.leaving_out, *known.asking.values())
        spans = (span for phrases in leaning for span in phrases.spans(self.words))
        spoken = {place for span in spans for place in range(*span)}
        return Places(place for place in content(self.heard) - spoken if not flags[place] & HINTED)

    # Values and numbers.

    @functools.cached_property
    def told(self) -> tuple[Told, ...]:
        """The values and numbers that say something of rows, in the order of the question."""
        numbers = list(self._numbers())
        compared = {place for told in numbers if told.compared for place in range(*told.span)}
        values = apart(each for each in self._values() if not compared & set(range(*each.span)))
        taken = {place for each in values for place in range(*each.span)}
        free = [each for each in numbers if not taken & set(range(*each.span))]
        return tuple(sorted((*values, *free), key=lambda each: each.span))

    def _values(self) -> Iterator[Told]:
        for span in dict.fromkeys(self._links[0].mentions):
            if self._is_place(span) or self._is_small(span):
                continue
            options = [(self._guessed(each, span), each) for each in self._conditions(span)]
            if options:
                options.sort(key=lambda option: option[0])
                exact = [not loose for (loose, _), _ in options]
                costs = (
                    _LESS_LIKELY * place + _LOOSE * (any(exact) and not fits)
                    for place, fits in enumerate(exact)
                )
                left_out = self._follows(self._known.leaving_out, span)
                conditions = tuple(each for _, each in options)
                yield Told(span, conditions, tuple(costs), left_out, against=self._against(span))

    def _against(self, span: Span) -> Comparison | None:
        """How words right before a value say that it compares: more than the Fijians."""
        start = span[0]
        while start and self.words[start - 1] in _ARTICLES:
            start -= 1
        before = self.words[:start]
        if before[-1:] != ("than",):
            return None
        ways = self._known.comparing.items()
        return next((way for way, own in ways if own.length_at_end(before)), Comparison.MORE)

    def _is_small(self, span: Span) -> bool:
        """Whether words for relations between values look like the beginning of one: per, as of Peru."""
        hows = [
            how for own, how in zip(self._links[0].mentions, self._links[0].hows, strict=True) if own == span
        ]
        small = (self._known.grouping, self._known.leaving_out, *self._known.comparing.values())
        return min(hows) >= How.ALIAS and any(own.are_in(self.words[slice(*span)]) for own in small)

    def _conditions(self, span: Span) -> list[Condition]:
        """What a mention may say of rows, with all mentions that stand in the same words."""
        same = {number for number, own in enumerate(self._links[0].mentions) if own == span}
        return list(dict.fromkeys(each for (own, _), each in self.asked.named.items() if own in same))

    def _guessed(self, condition: Condition, span: Span) -> tuple[bool, int]:
        """Whether a condition is only about a part of a cell, and how soon the model thinks of it."""
        said = {stem(word) for word in self.words[slice(*span)]}
        values = [str(each.value) for each in parts(condition) if isinstance(each, Constant)]
        fits = any({stem(word) for word in words_of(one)} == said for one in values)
        whole = not isinstance(condition, Compare) or not condition.comparison.of_text
        return not (fits and whole), self._first_guess(condition)

    def _first_guess(self, condition: Condition) -> int:
        """How soon the model thinks of a condition that reads the question by itself."""
        guesses = (place for place, program in enumerate(self.guesses) if condition in parts(program))
        return next(guesses, len(self.guesses))

    def _numbers(self) -> Iterator[Told]:
        said = self.asked.said
        skipped, against = -1, None
        for number, each in enumerate(said):
            if number == skipped or self._is_place(each.words) or self._is_no_number(each.words):
                continue
            if number + 1 < len(said) and self._is_between(each.words, said[number + 1].words):
                found = [self.asked.within(number, number + 1, place) for place in self._places(number)]
                skipped, compared = number + 1, True
            else:
                against = self._against(each.words) if self._is_inside(each.words) else None
                comparison = None if against else self._comparison(each.words)
                compared = comparison is not None
                found = [
                    self.asked.compared(comparison or Comparison.EQUAL, number, place)
                    for place in self._places(number)
                ]
            known = [condition for condition in found if condition is not None]
            conditions = tuple(sorted(known, key=self._first_guess)) if not self.fields else tuple(known)
            if conditions:
                left_out = self._follows(self._known.leaving_out, each.words) and not compared
                costs = tuple(_LESS_LIKELY * place for place in range(len(conditions)))
                yield Told(each.words, conditions, costs, left_out, compared, against)

    def _is_inside(self, span: Span) -> bool:
        """Whether something in a year is meant and not the number of it: more than in 2008."""
        return self.words[: span[0]][-1:] == ("in",)

    def _is_no_number(self, span: Span) -> bool:
        """Whether a word for a number says something else: one of them, of the two, without oil."""
        words = self.words[slice(*span)]
        is_back = self.words[: span[0]][-2:] == ("of", "the")
        is_one = words == ("one",) and self.words[: span[0]][-1:] not in _EXACTLY
        is_other = is_one or is_back or self._is_correction(span)
        return is_other or bool(self._known.leaving_out.length_at_start(words))

    def _is_correction(self, span: Span) -> bool:
        return self.is_corrected and self.words[slice(*span)] == ("no",) and span[0] == 0

    @property
    def is_corrected(self) -> bool:
        """Whether it begins with no to say something else: no, Chile; no I meant; not with no seats."""
        return _CORRECTION.match(self.heard.question) is not None

    def _places(self, said: int) -> list[Place]:
        """The fields that a number compares with: those that are named first, then those that have it."""
        lies = np.concatenate([links.quantity_fields for links in self._links], axis=1)
        month = self.asked.said[said].is_month
        found = [
            (place not in self.fields, 0 if month else -int(lies[said, pointer]), pointer, place)
            for pointer in self.asked.comparable[said]
            if (place := self.asked.places[pointer]) is not None
        ]
        return [place for *_, place in sorted(found, key=lambda each: each[:3])]

    def _is_between(self, one: Span, other: Span) -> bool:
        joined = self.words[one[1] : other[0]] in (("and",), ("to",), ("till",), ("until",))
        return joined and any(word in ("between", "from") for word in self.words[max(0, one[0] - 2) : one[0]])

    def _comparison(self, span: Span) -> Comparison | None:
        """How words beside a number say that it compares."""
        for comparison, phrases in self._known.comparing.items():
            if self._follows(phrases, span) or phrases.length_at_start(self.words[span[1] :]):
                return comparison
        return None

    def _follows(self, phrases: Phrases, span: Span) -> bool:
        """Whether words stand right behind a phrase, small words and names of fields aside."""
        start = span[0]
        for end in range(start, max(0, start - 1 - _LARGEST_GAP), -1):
            if phrases.length_at_end(self.words[:end]):
                return True
            word = self.words[end - 1] if end else ""
            if word not in STOP_WORDS and not self._fields.at(end - 1):
                return False
        return False

    # Fields.

    @functools.cached_property
    def fields(self) -> tuple[Place, ...]:
        """The fields that are named, in the order of the question."""
        return self._named(STRONG)

    def _named(self, level: int) -> tuple[Place, ...]:
        inside = {place for span in self._links[0].mentions for place in range(*span)}
        inside -= {place for place in inside if len(self._fields.at(place)) == 1 and self._is_header(place)}
        inside |= {place for said in self.asked.said for place in range(*said.words)}
        steps = (own for name in _STEPS for own in self._known.steps[name].spans(self.words))
        inside |= {place for own in steps if not self._fields.are_in(own) for place in range(*own)}
        found: dict[Place, None] = {}
        for place, word in enumerate(self.words):
            if place not in inside and word not in STOP_WORDS:
                found |= dict.fromkeys(self._fields.at(place, level)[:1])
        return tuple(found)

    @functools.cached_property
    def terms(self) -> tuple[Field, ...]:
        """The same as programs name them."""
        return tuple(self.asked.field(place) for place in self.fields)

    def _is_header(self, place: int) -> bool:
        return not any(start <= place < end for start, end in self._links[0].mentions if end - start > 1)

    @functools.cached_property
    def hinted(self) -> tuple[Field, ...]:
        """The fields that a word begins like: weight for weigh."""
        return tuple(self.asked.field(place) for place in self._named(WEAK) if place not in self.fields)

    @functools.cached_property
    def wanted(self) -> tuple[Field, ...]:
        """The fields that a question word asks for: the date for when."""
        return tuple(self.asked.field(place) for place in self._wanted)

    @functools.cached_property
    def _wanted(self) -> list[Place]:
        for phrases, stems in self._known.wanted:
            if self.says(phrases):
                is_name = phrases.are_in(_NAMING)
                found = called(self.tables, stems)
                found = [place for place in found if not (is_name and self._fields.have_order(place))]
                if found:
                    return found
        return []

    @property
    def asks_who_else(self) -> bool:
        """Whether it asks for others that share what was answered."""
        return self.says(self._known.rows["else"])

    @functools.cached_property
    def grouped(self) -> Field | None:
        """The field that rows are grouped by."""
        for _, end in self._known.grouping.spans(self.words):
            for place in range(end, min(end + _LARGEST_GAP, len(self.words))):
                if self._fields.at(place):
                    return self.asked.field(self._fields.at(place)[0])
        return None

    # Operations.

    @functools.cached_property
    def step(self) -> Step | None:
        """Whether it asks for the next row or the previous; the ones after 2000 are something else."""
        told = {each.span[0] for each in self.told}
        for step in (Step.NEXT, Step.PREVIOUS):
            spans = self._known.steps[step.value].spans(self.words)
            if any(self._is_free(span) and span[1] not in told for span in spans) and self.count is None:
                return step
        return None

    @functools.cached_property
    def is_sorted(self) -> bool:
        """Whether it asks to put rows in order, all of them."""
        return self.says(self._known.steps["sorted"])

    @property
    def is_falling(self) -> bool:
        """Whether the largest is to be first."""
        return self.says(self._known.steps["falling"]) or self.direction is Direction.LARGEST

    @property
    def is_denied(self) -> bool:
        """Whether it ends with a word that leaves out what the last question was about: how many are not?"""
        return bool(self._known.leaving_out.length_at_end(self.words))

    @property
    def tells_more(self) -> bool:
        """Whether it asks how much more or less something is."""
        return self.says(self._known.rows["more"]) or self.says(self._known.rows["fewer"])

    @property
    def is_yes_no(self) -> bool:
        """Whether it is answered by yes or no."""
        return bool(self._known.yes_no.length_at_start(self.words))

    @property
    def says_besides(self) -> bool:
        """Whether fields are wanted besides those that were listed."""
        length = self._known.rows["besides"].length_at_start(self.words)
        return length > 0 and not self._known.which.length_at_start(self.words[length:])

    @functools.cached_property
    def operations(self) -> frozenset[str]:
        """What is to be done with the rows."""
        return frozenset(name for name, phrases in self._known.asking.items() if self._operates(phrases))

    def _operates(self, phrases: Phrases) -> bool:
        """Whether words ask for an operation; by a superlative they may name a field: the longest range."""
        spans = [span for span in phrases.spans(self.words) if self._is_free(span)]
        return any(not self.is_superlative or not self._fields.are_in(span) for span in spans)

    @functools.cached_property
    def comparison(self) -> Comparison | None:
        """How words compare with a number that they do not say again: and more than that?"""
        if self.told or "of" in self.words:
            return None
        ways = (*self._known.comparing.items(), *self._known.comparing_alone.items())
        return next((name for name, phrases in ways if self._ends_with(phrases)), None)

    def _ends_with(self, phrases: Phrases) -> bool:
        is_told = self.words[-1:] in (("that",), ("this",))
        words = self.words[:-1] if is_told or self._fields.at(len(self.words) - 1) else self.words
        alone = phrases in self._known.comparing_alone.values()
        return bool(phrases.length_at_end(words)) and (is_told or alone or len(words) <= _BRIEF)

    @functools.cached_property
    def direction(self) -> Direction | None:
        """The end of an order that a superlative asks for; the first by a field has least of it."""
        for direction in Direction:
            if self.says(self._known.ends[direction.value]):
                return direction
        return Direction.SMALLEST if self.ordinal == 1 and self.ordered_by else None

    @property
    def is_superlative(self) -> bool:
        """Whether a word asks for an end of an order, be it known which or not."""
        return self.direction is not None or any(is_superlative(word) for word in self.words)

    @property
    def is_placed(self) -> bool:
        """Whether it asks for an end of an order, or for a place in one."""
        return self.is_superlative or self.ordinal is not None or self.count is not None

    @functools.cached_property
    def ordered_by(self) -> tuple[Term, ...]:
        """The terms that a superlative may be about."""
        named = [place for place in self.fields if self._fields.have_order(place)]
        about = [stems for phrases, stems in self._known.about if self.says(phrases)]
        hinted = [place for place in self._named(WEAK) if self._fields.have_order(place)]
        wanted = [place for place in self._wanted if self._fields.have_order(place)]
        places = [
            *named,
            *(place for stems in about for place in called(self.tables, stems)),
            *wanted,
            *hinted,
        ]
        return tuple(self.asked.term(place, ordered=True) for place in dict.fromkeys(places))

    def end_of(self, term: Term) -> Direction | None:
        """The end of an order by a term that a superlative asks for: the fastest time is the smallest."""
        field = next((part for part in parts(term) if isinstance(part, Field)), None)
        if self.direction is None or field is None:
            return self.direction
        other = (stems for said, stems in self._known.about_other_end if self.says(said))
        if any(is_called(field.name, stems) for stems in other):
            return next(each for each in Direction if each is not self.direction)
        return self.direction

    @functools.cached_property
    def ordinal(self) -> int | None:
        """The place in an order that is asked for."""
        return next((number for number, spans in self._ordinals.items() if spans), None)

    @functools.cached_property
    def _ordinals(self) -> dict[int, list[Span]]:
        """The words for places in an order, but for those that name a field: the runner-up."""
        return {
            number: [span for span in phrases.spans(self.words) if not self._fields.are_in(span)]
            for number, phrases in self._known.ordinals.items()
        }

    def _is_place(self, span: Span) -> bool:
        """Whether words say how many rows are asked for, or which place in an order."""
        ordinals = (own for spans in self._ordinals.values() for own in spans)
        taken = {place for own in ordinals for place in range(*own)} | self.counts.keys()
        return any(place in taken for place in range(*span))

    @functools.cached_property
    def counts(self) -> Mapping[int, int]:
        """The words that say how many rows are asked for, with their numbers: the top 3, three cheapest."""
        found: dict[int, int] = {}
        for number, said in enumerate(self.asked.said):
            value = None if said.is_month else self.asked.number(number)
            if isinstance(value, int) and 1 < value <= _LARGEST_COUNT and self._counts_rows(said.words):
                found |= dict.fromkeys(range(*said.words), value)
        return found

    def _counts_rows(self, span: Span) -> bool:
        """Whether a number stands beside a word for an end: top 3, three cheapest, three with the fewest."""
        start, end = span
        before = self.words[start - 1] if start else ""
        behind = [word for word in self.words[end : end + 1 + _LARGEST_GAP] if word not in STOP_WORDS][:1]
        ends = self._known.ends.values()
        if before in ("top", "first", "last", "bottom", "next") or self.words[:start] == ("make", "it"):
            return True
        return any(
            word not in ("most", "least")
            and (is_superlative(word) or any(own.are_in([word]) for own in ends))
            for word in (before, *behind)
        )

    @property
    def count(self) -> int | None:
        """How many rows are asked for; the second lowest is one."""
        return None if self.ordinal is not None else next(iter(self.counts.values()), None)
