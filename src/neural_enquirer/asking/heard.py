"""A question as it was heard: its words as they were typed, and what each of them points at."""

import datetime
import functools
import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from neural_enquirer.asking.parts import Column
from neural_enquirer.encoding.linking import ALONE, SHARED, WEAK, Links
from neural_enquirer.encoding.quantities import Quantity, day_number, quantities_in
from neural_enquirer.encoding.text import STOP_WORDS, fold, places_of, words_of
from neural_enquirer.encoding.wording import operation_words
from neural_enquirer.tables import Table, Value
from neural_enquirer.tables.measures import number
from neural_enquirer.tables.written_dates import MONTH_NUMBERS

Places = frozenset[int]
"""Words by their places in the question."""
Span = tuple[int, int]
"""Where letters of the question start and end."""

_NOWHERE: Final = Places()
_POSSESSIVE: Final = re.compile(r"['’`´]s\b")
_LARGEST_GAP: Final = 3
"""So many words between two that belong together are told with them."""
_SHORTEST_ROOT: Final = 3
_LONGEST_ENDING: Final = 2


@dataclass(frozen=True, eq=False)
class Heard:
    """A question that was linked to tables.

    Attributes:
        question: as it was typed.
        tables: what it was asked of.
        links: those to each table; words, mentions and quantities are the same in all of them.
    """

    question: str
    tables: tuple[Table, ...]
    links: tuple[Links, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The folded words, misspelled ones put right."""
        return self.links[0].words

    @functools.cached_property
    def typed(self) -> tuple[str, ...]:
        """The words as they were typed; as they were folded where typing and folding cut them differently."""
        typed = [self.question[start:end] for start, end in self._stand]
        return tuple(typed) if len(typed) == len(self.words) else self.words

    def is_capital(self, place: int) -> bool:
        """Whether a word is written as names are; the first word tells nothing, unless nobody knows it."""
        tells = place > 0 or self.links[0].flags[0] & ALONE
        return bool(tells) and self.typed[place][0].isupper() and not self._in_title_case

    @functools.cached_property
    def _in_title_case(self) -> bool:
        """Whether capitals tell nothing, because most words begin with one."""
        letters = [word[0] for word in self.typed if word[0].isalpha()]
        return sum(map(str.isupper, letters)) * 2 > len(letters)

    @functools.cached_property
    def operations(self) -> dict[str, Places]:
        """The words that ask for operations, by what the operations are called."""
        return {each.name: each.found_in(self.words) for each in operation_words()}

    def naming(self, column: Column, level: int = SHARED) -> Places:
        """The words that name a field, at least as clearly as a level says."""
        table, field = column
        return Places(np.flatnonzero(self.links[table].levels[:, field] >= level).tolist())

    def hinting(self, column: Column) -> Places:
        """The words that name a field, begin like it, or are written within its name."""
        table, field = column
        name = fold(self.tables[table].field_names[field])
        within = (place for place, word in enumerate(self.words) if len(word) > 1 and word in name)
        return self.naming(column, WEAK) | Places(within)

    def standing_for(self, value: Value, columns: Iterable[Column], part: bool = False) -> Places:
        """The words that stand for a value of fields, or for a part of their texts."""
        if not isinstance(value, str):
            return self.measuring(value)
        mentions = self._mentions_of(value, columns, part)
        linked = Places(place for mention in mentions for place in range(*self.links[0].mentions[mention]))
        as_number = number(value.replace(",", ""))
        counted = self.measuring(as_number) if as_number is not None else _NOWHERE
        return linked or self.spelling(value) or counted or self._akin(value)

    def cells_of(self, mention: int) -> list[Value]:
        """The different values that a mention stands for."""
        found = (
            value for values in self._mentioned.values() for value, own in values.items() if mention in own
        )
        return list(dict.fromkeys(found))

    def mentions_in(self, columns: Iterable[Column]) -> set[int]:
        """The mentions of values of some fields."""
        return set().union(*(own for column in columns for own in self._mentioned.get(column, {}).values()))

    def month(self, number: Value) -> Places:
        """The words that name a month by its number."""
        return Places(place for place, word in enumerate(self.words) if MONTH_NUMBERS.get(word) == number)

    def phrase(self, places: Places) -> str:
        """Words of the question, with what stands between them unless that is much."""
        return " … ".join(self._run(first, last) for first, last in _runs(sorted(places), _LARGEST_GAP))

    def phrases(self, places: Places) -> tuple[str, ...]:
        """Words of the question, those that stand together as one."""
        return tuple(self._run(first, last) for first, last in _runs(sorted(places), 0))

    def spans(self, places: Places, near: bool = False) -> tuple[Span, ...]:
        """Where words stand in the question; nowhere where typing and folding cut them differently.

        Args:
            places: the words.
            near: whether to take what stands between words with them, unless that is much.
        """
        if len(self._stand) != len(self.words):
            return ()
        runs = _runs(sorted(places), _LARGEST_GAP if near else 0)
        return tuple((self._stand[first][0], self._stand[last][1]) for first, last in runs)

    @functools.cached_property
    def _stand(self) -> list[Span]:
        return places_of(_POSSESSIVE.sub(lambda match: " " * len(match[0]), self.question))

    def _run(self, first: int, last: int) -> str:
        if len(self._stand) != len(self.words):
            return " ".join(self.words[first : last + 1])
        return self.question[self._stand[first][0] : self._stand[last][1]]

    @functools.cached_property
    def _mentioned(self) -> dict[Column, dict[Value, set[int]]]:
        """For each field the values that are mentioned, with their mentions."""
        found: dict[Column, dict[Value, set[int]]] = {}
        for place, (table, links) in enumerate(zip(self.tables, self.links, strict=True)):
            rows, fields = np.nonzero(links.cell_mentions[:, : len(table.fields)])
            for row, field in zip(rows.tolist(), fields.tolist(), strict=True):
                value = table.columns[field][row]
                if value is not None:
                    mentions = found.setdefault((place, field), {}).setdefault(value, set())
                    mentions.add(int(links.cell_mentions[row, field]) - 1)
        return found

    def _mentions_of(self, value: str, columns: Iterable[Column], part: bool) -> set[int]:
        found: set[int] = set()
        for column in columns:
            values = self._mentioned.get(column, {})
            if not part:
                found |= values.get(value, set())
            else:
                found.update(*(mentions for text, mentions in values.items() if value in str(text)))
        return found

    def spelling(self, text: str) -> Places:
        """The words that spell a text."""
        wanted = [word.replace(",", "") for word in words_of(text)]
        size = len(wanted)
        for start in range(len(self.words) - size + 1):
            if size and list(self.words[start : start + size]) == wanted:
                return Places(range(start, start + size))
        return _NOWHERE

    def _akin(self, text: str) -> Places:
        """The words that are akin to one of a text: Australian to Australia, Kochi to Kochi Prefecture."""
        wanted = [word for word in words_of(text) if word not in STOP_WORDS]
        return Places(
            place
            for place, word in enumerate(self.words)
            if word not in STOP_WORDS and any(_are_akin(word, other) for other in wanted)
        )

    @functools.cached_property
    def quantities(self) -> tuple[tuple[Quantity, Places], ...]:
        """The numbers and dates of the question, with their words."""
        folded = fold(self.question)
        starts, ends = zip(*places_of(folded), strict=True)
        return tuple(
            (each, Places(range(bisect_right(ends, each.start), bisect_left(starts, each.end))))
            for each in quantities_in(folded)
        )

    def measuring(self, value: int | float | datetime.date) -> Places:
        """The words that stand for a number or a date."""
        for quantity, places in self.quantities:
            if _is_of(value, quantity):
                return places
        return self.spelling(str(value))


def _are_akin(one: str, other: str) -> bool:
    """Whether two words are the same but for their endings."""
    pairs = zip(one, other, strict=False)
    shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
    return one == other or shared >= max(_SHORTEST_ROOT, min(len(one), len(other)) - _LONGEST_ENDING)


def _is_of(value: int | float | datetime.date, quantity: Quantity) -> bool:
    """Whether a value is what a quantity says, or the first or last day of it."""
    if not isinstance(value, datetime.date):
        return value in (quantity.number, quantity.unscaled, *(quantity.of_a_year or ()))
    if quantity.of_a_year is not None:
        return (value.month, value.day) == quantity.of_a_year
    return quantity.days is not None and quantity.days[0] <= day_number(value) <= quantity.days[1]


def _runs(places: list[int], gap: int) -> Iterator[tuple[int, int]]:
    """The first and last of places that follow each other, with at most so many left out between two."""
    start = 0
    for end in range(1, len(places) + 1):
        if end == len(places) or places[end] - places[end - 1] > gap + 1:
            yield places[start], places[end - 1]
            start = end
