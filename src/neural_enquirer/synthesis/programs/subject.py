"""A table as what questions are about: its fields by what they are good for, its key, nouns for its rows."""

import functools
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import All, Condition, Exists, Where
from neural_enquirer.synthesis.open.grammar import is_plural, plural_of
from neural_enquirer.synthesis.open.headers import plain_name
from neural_enquirer.synthesis.programs.fields import WORDS, Asked
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.tables.arrays import Mask

_MOSTLY: Final = 0.85
_LONGEST_NOUN: Final = 2


@dataclass(frozen=True, eq=False)
class Subject:
    """One table, or several joined into one, that questions are asked about."""

    table: Table

    @functools.cached_property
    def fields(self) -> tuple[Asked, ...]:
        """The fields that somebody may ask for."""
        every = [Asked(self.table, index) for index in range(len(self.table.fields))]
        known = Counter(each.name for each in every)
        told = (Asked(self.table, each.index, exact=True) if known[each.name] > 1 else each for each in every)
        return tuple(each for each in told if not each.silent)

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return self.table.row_count

    @functools.cached_property
    def key(self) -> Asked | None:
        """The field that rows are called by: the first one of names that hardly recur."""
        telling = [each for each in self._names if len(each.counts) >= _MOSTLY * self.row_count]
        return min(telling, key=lambda each: each.time) if telling else None

    @functools.cached_property
    def head(self) -> Asked | None:
        """The field that is asked for most: the key, or the first one of names."""
        if self.key is not None or not self._names:
            return self.key
        return min(self._names, key=lambda each: each.time)

    @functools.cached_property
    def _names(self) -> list[Asked]:
        return [each for each in self.texts if each.spoken and each.amount is None]

    @functools.cached_property
    def texts(self) -> tuple[Asked, ...]:
        """Fields of short texts."""
        return tuple(each for each in self.fields if each.type is FieldType.TEXT and each.short)

    @functools.cached_property
    def categories(self) -> tuple[Asked, ...]:
        """Fields that put rows into a few groups."""
        return tuple(each for each in self.fields if each.category)

    @functools.cached_property
    def amounts(self) -> tuple[Asked, ...]:
        """Fields with numbers that can be averaged."""
        return tuple(each for each in self.fields if each.amount is not None)

    @functools.cached_property
    def ordered(self) -> tuple[Asked, ...]:
        """Fields that rows can be put in order by."""
        return tuple(each for each in self.fields if each.order is not None and len(each.counts) > 1)

    @functools.cached_property
    def homes(self) -> Counter[str]:
        """In how many fields each text is a cell, its case aside."""
        return Counter(
            text for each in self.texts for text in {str(value).casefold() for value in each.counts}
        )

    @functools.cached_property
    def noun(self) -> str:
        """What a row is called; empty where nothing says it."""
        key = self.key
        if key is not None and key.name not in WORDS["nouns.unsaid"] and not key.time and _is_noun(key.name):
            return key.name
        name = plain_name(self.table.name)
        if _is_noun(name) and is_plural(name):
            return singular(name)
        return ""

    @functools.cached_property
    def nouns(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Nouns for one row and for several, in the same order, to be drawn from."""
        ones, many = WORDS["nouns.any_one"], WORDS["nouns.any_many"]
        if self.noun:
            return (self.noun,) * 6 + ones[:2], (plural_of(self.noun),) * 6 + many[:2]
        return ones, many[: len(ones)]

    def rows(self, condition: Condition) -> Mask:
        """The rows that fulfil a condition."""
        found = run(Exists(Where(All(), condition)), [self.table]).steps[-1].rows.index
        mask = np.zeros(self.row_count, np.bool_)
        mask[found] = True
        return mask


def _is_noun(name: str) -> bool:
    words = name.split()
    return 0 < len(words) <= _LONGEST_NOUN and all(word.isalpha() and len(word) > 2 for word in words)


def singular(noun: str) -> str:
    """A noun without the ending of a plural."""
    if not is_plural(noun):
        return noun
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("sses", "xes", "ches", "shes")) else noun[:-1]
