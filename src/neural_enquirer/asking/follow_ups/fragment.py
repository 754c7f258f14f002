"""What the words of a question point at, whatever they lean on: values, numbers, fields, operations, places."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from neural_enquirer.asking.answer import Answer
from neural_enquirer.asking.follow_ups.vocabulary import Phrases, Span, Vocabulary, vocabulary
from neural_enquirer.asking.wording import is_superlative
from neural_enquirer.encoding.actions.asked import Asked, Place
from neural_enquirer.encoding.linking import STRONG
from neural_enquirer.encoding.text import STOP_WORDS, header_words, stem
from neural_enquirer.programs.language import Comparison, Condition, Direction, Field, Term
from neural_enquirer.tables import FieldType

__all__ = ["Fragment", "Told"]

_LARGEST_GAP: Final = 2
_LARGEST_COUNT: Final = 1000


@dataclass(frozen=True)
class Told:
    """A value or a number of the question, and what it may say of rows.

    Attributes:
        span: its words.
        conditions: one for each field that it may be about, the likeliest first.
        left_out: whether the question wants rows without it.
        compared: whether words say how it compares.
    """

    span: Span
    conditions: tuple[Condition, ...]
    left_out: bool = False
    compared: bool = False


class Fragment:
    """A question that may lean on the one before, by what its words point at."""

    def __init__(self, plain: Answer) -> None:
        """Takes the question as it was answered by itself."""
        self.heard = plain.heard
        self.words = plain.heard.words
        self.asked = Asked(plain.question, plain.tables, plain.heard.links)
        self.tables = plain.tables
        self._links = plain.heard.links
        self._known: Vocabulary = vocabulary()

    def says(self, phrases: Phrases) -> bool:
        """Whether a phrase stands in the question, outside the values that it names."""
        return any(self._is_free(span) for span in phrases.spans(self.words))

    def _is_free(self, span: Span) -> bool:
        return not any(place in self._in_mentions for place in range(*span))

    @functools.cached_property
    def _in_mentions(self) -> frozenset[int]:
        return frozenset(place for told in self.told for place in range(*told.span))

    # Values and numbers.

    @functools.cached_property
    def told(self) -> tuple[Told, ...]:
        """The values and numbers that say something of rows, in the order of the question."""
        numbers = list(self._numbers())
        compared = {place for told in numbers if told.compared for place in range(*told.span)}
        values = [each for each in self._values() if not compared & set(range(*each.span))]
        taken = {each.span for each in values}
        free = [each for each in numbers if each.span not in taken]
        return tuple(sorted((*values, *free), key=lambda each: each.span))

    def _values(self) -> Iterator[Told]:
        for number, span in enumerate(self._links[0].mentions):
            if any(place in self.counts for place in range(*span)):
                continue
            conditions = tuple(each for (own, _), each in self.asked.named.items() if own == number)
            if conditions:
                yield Told(span, conditions, self._follows(self._known.leaving_out, span))

    def _numbers(self) -> Iterator[Told]:
        said = self.asked.said
        skipped = -1
        for number, each in enumerate(said):
            if number == skipped or any(place in self.counts for place in range(*each.words)):
                continue
            if number + 1 < len(said) and self._is_between(each.words, said[number + 1].words):
                found = [self.asked.within(number, number + 1, place) for place in self._places(number)]
                skipped, compared = number + 1, True
            else:
                comparison = self._comparison(each.words)
                compared = comparison is not None
                found = [
                    self.asked.compared(comparison or Comparison.EQUAL, number, place)
                    for place in self._places(number)
                ]
            conditions = tuple(condition for condition in found if condition is not None)
            if conditions:
                left_out = self._follows(self._known.leaving_out, each.words) and not compared
                yield Told(each.words, conditions, left_out, compared)

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
            if word not in STOP_WORDS and not self._names(end - 1):
                return False
        return False

    # Fields.

    @functools.cached_property
    def fields(self) -> tuple[Place, ...]:
        """The fields that are named, in the order of the question."""
        inside = {place for span in self._links[0].mentions for place in range(*span)}
        inside -= {place for place in inside if len(self._names(place)) == 1 and self._is_header(place)}
        found: dict[Place, None] = {}
        for place, word in enumerate(self.words):
            if place not in inside and word not in STOP_WORDS:
                found |= dict.fromkeys(self._names(place)[:1])
        return tuple(found)

    @functools.cached_property
    def terms(self) -> tuple[Field, ...]:
        """The same as programs name them."""
        return tuple(self.asked.field(place) for place in self.fields)

    def _names(self, place: int) -> tuple[Place, ...]:
        """The fields that a word names, those first of whose names the question has most."""
        found: list[tuple[float, Place]] = []
        for number, links in enumerate(self._links):
            for column in np.flatnonzero(links.levels[place] >= STRONG).tolist():
                if column < len(self.tables[number].fields):
                    found.append((-float(links.coverage[column]), Place(number, column)))
        return tuple(each for _, each in sorted(found, key=lambda pair: pair[0]))

    def _is_header(self, place: int) -> bool:
        return not any(start <= place < end for start, end in self._links[0].mentions if end - start > 1)

    def called(self, stems: frozenset[str]) -> list[Place]:
        """The fields whose names have one of some words, by the word that the name ends with first."""
        found = []
        for number, table in enumerate(self.tables):
            for column, name in enumerate(table.field_names):
                own = [stem(word) for word in (*header_words(name)[0], *header_words(name)[1])]
                if stems & set(own):
                    found.append((own[-1] not in stems, len(own), Place(number, column)))
        return [place for *_, place in sorted(found, key=lambda each: each[:2])]

    @functools.cached_property
    def wanted(self) -> tuple[Term, ...]:
        """The fields that a question word asks for: the date for when."""
        for phrases, stems in self._known.wanted:
            if self.says(phrases):
                return tuple(self.asked.field(place) for place in self.called(stems))
        return ()

    @functools.cached_property
    def grouped(self) -> Field | None:
        """The field that rows are grouped by."""
        for _, end in self._known.grouping.spans(self.words):
            for place in range(end, min(end + _LARGEST_GAP, len(self.words))):
                if self._names(place):
                    return self.asked.field(self._names(place)[0])
        return None

    # Operations.

    @functools.cached_property
    def operations(self) -> frozenset[str]:
        """What is to be done with the rows."""
        return frozenset(name for name, phrases in self._known.asking.items() if self.says(phrases))

    @functools.cached_property
    def direction(self) -> Direction | None:
        """The end of an order that a superlative asks for."""
        for direction in Direction:
            if self.says(self._known.ends[direction.value]):
                return direction
        return None

    @property
    def is_superlative(self) -> bool:
        """Whether a word asks for an end of an order, be it known which or not."""
        return self.direction is not None or any(is_superlative(word) for word in self.words)

    @functools.cached_property
    def ordered_by(self) -> tuple[Term, ...]:
        """The terms that a superlative may be about."""
        named = [place for place in self.fields if self._has_order(place)]
        about = [stems for phrases, stems in self._known.about if self.says(phrases)]
        places = [*named, *(place for stems in about for place in self.called(stems))]
        return tuple(self.asked.term(place, ordered=True) for place in dict.fromkeys(places))

    def _has_order(self, place: Place) -> bool:
        table = self.tables[place.table]
        return (
            table.fields[place.column].type is not FieldType.TEXT or table.amounts(place.column) is not None
        )

    @functools.cached_property
    def ordinal(self) -> int | None:
        """The place in an order that is asked for."""
        for number, phrases in self._known.ordinals.items():
            if any(phrases.spans(self.words)):
                return number
        return None

    @functools.cached_property
    def counts(self) -> Mapping[int, int]:
        """The words that say how many rows are asked for, with their numbers: the top 3, three cheapest."""
        found = {}
        for number, said in enumerate(self.asked.said):
            start, end = said.words
            before, after = self.words[max(0, start - 1) : start], self.words[end : end + 1]
            beside = [*before, *after]
            value = None if said.is_month else self.asked.number(number)
            if not isinstance(value, int) or not 1 < value <= _LARGEST_COUNT:
                continue
            if any(word in ("top", "first", "last", "bottom", "next") for word in before) or any(
                is_superlative(word) or phrases.are_in([word])
                for word in beside
                if word not in ("most", "least")
                for phrases in self._known.ends.values()
            ):
                found |= dict.fromkeys(range(start, end), value)
        return found

    @property
    def count(self) -> int | None:
        """How many rows are asked for."""
        return next(iter(self.counts.values()), None)
