"""Tables as what questions are about: fields by what they are good for, the key, nouns for rows."""

import functools
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs import language
from neural_enquirer.programs.language import Part, PartOf, Term
from neural_enquirer.synthesis.open.columns import best_is_least, content_words, is_place, is_year, plain_name
from neural_enquirer.synthesis.open.draw import NoQuestionError
from neural_enquirer.synthesis.open.grammar import is_plural, plural_of
from neural_enquirer.synthesis.open.lexicon import Family, all_families
from neural_enquirer.synthesis.word_files import DATA, read_lists
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.wording import one_line

WORDS: Final = read_lists(DATA / "vocabulary" / "programs" / "fields.toml")
"""What headers tell about fields and rows."""

_NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_WORD: Final = re.compile(r"[^\W\d_]{3}")
_DOTTED: Final = re.compile(r"\b[A-Z]\.[A-Z]\b")
_BRACKETS: Final = re.compile(r"[(\[].*?[)\]]")
_RANGE_SIGNS: Final = re.compile(r"\d\s*[-–—/:]\s*\d")
_FIRST_YEAR, _LAST_YEAR = 1000, 2100
_EARLY, _LATE = 1850, 2035
"""Numbers all of which lie here are years, whatever their field is called."""
_LONGEST_VALUE: Final = 48
_LONGEST_NAME: Final = 5
_MOST_IN_CATEGORY: Final = 60
_ENOUGH: Final = 0.8
_SAFE: Final = 3
"""Letters of an abbreviation that means the same beside other words."""


@functools.cache
def _families() -> dict[tuple[str, str], Family]:
    """The family of each plain name of a header and kind of value; the first family of a name has it."""
    known: dict[tuple[str, str], Family] = {}
    for family in all_families():
        if not family.held_out:
            for name in (*family.nouns, *map(plain_name, family.headers)):
                known.setdefault((name, family.kind), family)
    return known


@functools.lru_cache(maxsize=100_000)
def alternatives(name: str) -> tuple[str, ...]:
    """A field's name with its abbreviations written out; none where there is nothing to write out."""
    words = name.split()
    places = [
        place
        for place, word in enumerate(words)
        if f"abbreviations.{word}" in WORDS and (len(words) == 1 or len(word) >= _SAFE)
    ]
    return tuple(
        " ".join((*words[:place], long, *words[place + 1 :]))
        for place in places
        for long in WORDS[f"abbreviations.{words[place]}"]
    )


@functools.lru_cache(maxsize=100_000)
def _family_of(name: str, kind: str) -> Family | None:
    known = _families()
    for each in (name, *alternatives(name)):
        if (each, kind) in known:
            return known[each, kind]
    return None


@dataclass(frozen=True, eq=False)
class Asked:
    """A field of a table, and what questions need to know of it."""

    table: Table
    index: int
    exact: bool = False
    """Whether another header has the same plain words, so that all of its own are needed."""

    @functools.cached_property
    def header(self) -> str:
        """Its name in programs."""
        return self.table.field_names[self.index]

    @functools.cached_property
    def name(self) -> str:
        """Its header in plain words; empty where it has none."""
        header = self.header
        if self.exact:
            return " ".join(re.findall(r"[^\W_]+", header.lower()))
        return plain_name(header.replace(".", "") if _DOTTED.search(header) else header)

    @property
    def type(self) -> FieldType:
        """What its cells are."""
        return self.table.fields[self.index].type

    @functools.cached_property
    def field(self) -> language.Field:
        """The field itself, in programs."""
        return language.Field(self.header)

    @functools.cached_property
    def family(self) -> Family | None:
        """What things have that is called so, or as the last of its words; the wind speed is a speed."""
        own = self._own_family
        if own is not None and is_year(own) and not self._within(_FIRST_YEAR, _LAST_YEAR):
            return None
        if own is not None or self.type is FieldType.TEXT or " " not in self.name:
            return own
        wider = _family_of(self.name.rsplit(" ", 1)[1], self.type.value)
        fits = wider is not None and bool(wider.most) and not is_year(wider)
        return wider if fits else None

    def _within(self, first: int, last: int) -> bool:
        return all(first <= value <= last for value in self._numbers)

    @functools.cached_property
    def _own_family(self) -> Family | None:
        return _family_of(self.name, self.type.value)

    @functools.cached_property
    def synonyms(self) -> tuple[str, ...]:
        """What else it may be called."""
        return () if self._own_family is None else self._own_family.nouns

    @functools.cached_property
    def words(self) -> frozenset[str]:
        """The telling words of its name."""
        return content_words(self.name)

    @functools.cached_property
    def plural(self) -> str:
        """Its name, of several."""
        return self.name if self.name.endswith(("ed", " by", " in")) else plural_of(self.name)

    @property
    def cells(self) -> tuple[Value | None, ...]:
        """Its values."""
        return self.table.columns[self.index]

    def value(self, row: int) -> Value:
        """A cell, if it is there."""
        cell = self.cells[row]
        if cell is None:
            raise NoQuestionError
        return cell

    def text(self, row: int) -> str:
        """A cell as the table spells it."""
        return one_line(self.table.text(row, self.index))

    @functools.cached_property
    def counts(self) -> Counter[Value]:
        """How often each value is there."""
        return Counter(cell for cell in self.cells if cell is not None)

    @functools.cached_property
    def known(self) -> int:
        """How many cells are there."""
        return sum(self.counts.values())

    def _is(self, kind: str) -> bool:
        last = self.name.rsplit(" ", 1)[-1]
        return self.name in WORDS[f"kinds.{kind}"] or last in WORDS[f"kinds.{kind}"]

    @functools.cached_property
    def silent(self) -> bool:
        """Whether nobody would ask for it: remarks, headers without words, hardly any cells."""
        nameless = not self.name or len(self.name.split()) > _LONGEST_NAME or self._is("silent")
        return nameless or self.name.startswith("column ") or self.known < 2

    @functools.cached_property
    def short(self) -> bool:
        """Whether its texts are short enough to stand in a question."""
        lengths = sorted(len(str(value)) for value in self.counts)
        return bool(lengths) and lengths[len(lengths) * 3 // 4] <= _LONGEST_VALUE

    @functools.cached_property
    def person(self) -> bool:
        """Whether it holds people, whom questions ask for with "who"."""
        if self.type is not FieldType.TEXT:
            return False
        return self._is("person") or (self.family is not None and self.family.values == "person")

    @functools.cached_property
    def place(self) -> bool:
        """Whether it says where something is."""
        if self.type is not FieldType.TEXT:
            return False
        return self._is("place") or (self.family is not None and is_place(self.family))

    @functools.cached_property
    def time(self) -> bool:
        """Whether its texts say when something is."""
        return any(word in WORDS["kinds.time"] for word in self.name.split())

    @functools.cached_property
    def whole(self) -> bool:
        """Whether it holds whole numbers only."""
        return self.type is FieldType.NUMBER and all(isinstance(value, int) for value in self.counts)

    @functools.cached_property
    def year(self) -> bool:
        """Whether it holds years as numbers."""
        if not self.whole or self.counted_name:
            return False
        named = self._is("year") or (self.family is not None and is_year(self.family))
        first, last = (_FIRST_YEAR, _LAST_YEAR) if named else (_EARLY, _LATE)
        if not named and self.family is not None:
            return False
        return self._within(first, last)

    @functools.cached_property
    def counted_name(self) -> bool:
        """Whether its name is of several things: goals."""
        return is_plural(self.name.rsplit(" ", 1)[-1])

    @property
    def _numbers(self) -> list[int | float]:
        return [value for value in self.counts if isinstance(value, int | float)]

    @functools.cached_property
    def rank(self) -> bool:
        """Whether the least number is the best."""
        if self.type is not FieldType.NUMBER:
            return False
        return self._is("rank") if self.family is None else best_is_least(self.family)

    @functools.cached_property
    def amount(self) -> Term | None:
        """The term for the numbers in it; None where there are none to add up or to compare."""
        if self.type is FieldType.NUMBER:
            loose = self.year or self.rank or self._is("identifier") or self.header.strip() == "#"
            return None if loose else self.field
        if self.type is FieldType.TEXT and self._holds_amounts:
            return PartOf(Part.NUMBER, self.field)
        return None

    @property
    def number(self) -> Term:
        """The same, where there are some."""
        assert self.amount is not None
        return self.amount

    @functools.cached_property
    def _holds_amounts(self) -> bool:
        if self.time or any(map(self._is, ("year", "identifier", "rank", "person"))):
            return False
        alike = sum(count for value, count in self.counts.items() if _is_amount(str(value)))
        return self.known > 2 and alike >= _ENOUGH * self.known and len(self.counts) > 2

    @functools.cached_property
    def added(self) -> bool:
        """Whether a sum of its numbers says something."""
        return (
            self.amount is not None
            and not any(word in WORDS["kinds.not_added"] for word in self.name.split())
            and "%" not in self.header
        )

    @functools.cached_property
    def order(self) -> Term | None:
        """The term that its rows can be put in order by: an amount, a year, a rank or a date."""
        ordered = self.type is FieldType.DATE or self.year or self.rank
        return self.field if ordered else self.amount

    @property
    def ordering(self) -> Term:
        """The same, where there is one."""
        assert self.order is not None
        return self.order

    @functools.cached_property
    def counted(self) -> bool:
        """Whether it says how many of something there are: goals, seats."""
        return self.whole and self.amount is not None and self.counted_name

    @functools.cached_property
    def category(self) -> bool:
        """Whether its values put rows into a few groups."""
        if self.type is FieldType.DATE or not self.short or self.amount is not None:
            return False
        return 2 <= len(self.counts) <= min(_MOST_IN_CATEGORY, self.known * 2 // 3)

    @functools.cached_property
    def spoken(self) -> bool:
        """Whether its texts are names rather than scores, dates or codes: most of them have a word."""
        worded = sum(count for value, count in self.counts.items() if _WORD.search(str(value)))
        return worded >= _ENOUGH * self.known

    def unique(self, row: int) -> bool:
        """Whether no other row has this row's cell."""
        value = self.cells[row]
        return value is not None and self.counts[value] == 1


def _is_amount(text: str) -> bool:
    """Whether a text is one number with little around it: "12,345", "98 m", "$3.5"."""
    bare = _BRACKETS.sub("", text)
    if _RANGE_SIGNS.search(bare):
        return False
    numbers = _NUMBER.findall(bare)
    return len(numbers) == 1 and len(bare) - len(numbers[0]) <= 6 and _starts_with_number(bare)


def _starts_with_number(text: str) -> bool:
    start = text.lstrip(" $£€#~≈*")
    return start[:1].isdigit()


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
