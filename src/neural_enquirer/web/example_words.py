"""How questions to try name the fields of a table and what its rows are about, in plain English."""

import functools
import itertools
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from neural_enquirer.programs import term_text
from neural_enquirer.programs.language import Comparison, Constant, Field, Part
from neural_enquirer.synthesis.open.grammar import is_plural, plural_of, with_article
from neural_enquirer.synthesis.programs.subject import singular
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.units import Kind, meanings

# What of a table is looked at: questions about its beginning are as good as any.
_ROWS_SEEN: Final = 500
_FIELDS_SEEN: Final = 30
_LONGEST_VALUE: Final = 40
_LONGEST_NAME: Final = 40
_MOST_WORDS: Final = 4
_NEARLY: Final = 0.8
_MOSTLY: Final = 0.6
_MANY_ROWS: Final = 5
"""Numbers of fewer rows may rise by chance."""
_PLAIN: Final = re.compile(rf"(?!\s)[\w .,'’&()/+%€$£-]{{1,{_LONGEST_VALUE}}}(?<!\s)")
_NO_AMOUNTS: Final = (Kind.DATE, Kind.YEAR, Kind.TIME, Kind.SCORE, Kind.RANGE, Kind.RANK)
"""What is put in order, but of which nobody asks for the highest or the average."""
_DATA: Final = Path(__file__).parents[1] / "data" / "answers" / "example_questions.toml"


@functools.cache
def _words() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in tomllib.loads(_DATA.read_text("utf-8")).items()}


@dataclass(frozen=True, eq=False)
class ColumnWords:
    """A field as questions use it.

    Attributes:
        name: its name in the table.
        words: its name as people say it.
        type: what its cells are; a number also where texts amount to numbers.
        is_amount: whether its numbers are amounts of something, and not years, ranks or scores.
        counts: whether they have no unit.
        is_duration: whether they say how long something takes.
        is_read: whether they are texts that amount to numbers.
        values: the first cells.
        texts: the same as spelled.
        table: the name of its table, where several are asked together.
    """

    name: str
    words: str
    type: FieldType
    is_amount: bool
    counts: bool
    is_duration: bool
    is_read: bool
    values: tuple[Value | None, ...]
    texts: tuple[str, ...]
    table: str | None = None

    @property
    def field(self) -> str:
        """Its cells in programs, as they are."""
        return term_text(Field(self.name, self.table))

    @property
    def term(self) -> str:
        """Its cells in programs, as they are put in order."""
        return f"{Part.AMOUNT.value}({self.field})" if self.is_read else self.field

    def where(self, value: Value, comparison: Comparison = Comparison.EQUAL) -> str:
        """That a program wants its cells to have a value, or more than that."""
        term = self.field if isinstance(value, str) else self.term
        return f"{term} {comparison.value} {term_text(Constant(value))}"

    @functools.cached_property
    def is_noun(self) -> bool:
        """Whether "the … of something" is English, as far as words tell: capital, but not founded in."""
        words = self._words
        plain = all(word.replace("-", "").isalpha() for word in words)
        told = words[-1].endswith(("ed", "ing")) or words[0].endswith("ed")
        others = {*self._head, *words[len(self._head) + 1 :]}  # all but the of of type of breach
        return plain and len(words) <= _MOST_WORDS and not told and not _words()["no_nouns"] & others

    @property
    def is_participle(self) -> bool:
        """Whether it says what was done, in one word: founded, hired."""
        return self.words.isalpha() and self.words.endswith("ed")

    @functools.cached_property
    def is_plural(self) -> bool:
        """Whether its name is a plural."""
        return is_plural(self._head[-1])

    @functools.cached_property
    def is_many(self) -> bool:
        """Whether it is a number of things, as its name is a plural: athletes, remote days."""
        is_number = all(isinstance(value, int) and value >= 0 for value in self.values if value is not None)
        is_thing = self.is_plural and self._head[-1] not in _words()["no_numbers_of_things"]
        return self.is_measure and self.counts and is_number and is_thing

    @property
    def number(self) -> str:
        """What its numbers are: the population, the number of athletes."""
        return f"number of {self.words}" if self.is_many else self.words

    @functools.cached_property
    def is_naming(self) -> bool:
        """Whether its cells say when or which: year, phone number, or numbers that count the rows."""
        pairs = itertools.pairwise(self.values)
        rises = all(isinstance(one, int) and isinstance(next_, int) and one < next_ for one, next_ in pairs)
        return bool(_words()["naming"] & {*self._words}) or (rises and len(self.values) >= _MANY_ROWS)

    @functools.cached_property
    def is_measure(self) -> bool:
        """Whether its numbers are more or less of something."""
        differ = len({*self.values} - {None}) > 1
        return self.type is FieldType.NUMBER and self.is_amount and not self.is_naming and differ

    @property
    def is_worked_out(self) -> bool:
        """Whether its numbers are sums or averages already."""
        return bool(_words()["worked_out"] & {*self._words})

    @property
    def is_averaged(self) -> bool:
        """Whether "the average …" is English and says something."""
        return self.is_measure and not self.is_worked_out and (self.is_many or not self.is_plural)

    @property
    def adds_up(self) -> bool:
        """Whether the sum of its numbers says something."""
        known = self.is_many or (self.is_measure and _words()["adding_up"] & {*self._words})
        return bool(known) and not self.is_worked_out

    @functools.cached_property
    def _words(self) -> list[str]:
        return self.words.lower().split()

    @functools.cached_property
    def _head(self) -> list[str]:
        """What it is, without what it is of: type, where the field is type of breach."""
        words = self._words
        return words[: words.index("of")] if "of" in words[1:-1] else words

    def is_said(self, row: int) -> bool:
        """Whether a question can name a cell: it is there, short and plain, and no other reads alike."""
        return is_plain(self.texts[row]) and self._counts[self.texts[row].casefold()] == 1

    @functools.cached_property
    def _counts(self) -> Counter[str]:
        return Counter(text.casefold() for text in self.texts)

    @property
    def said(self) -> list[str]:
        """The texts that a question can say."""
        return [value for value in self.values if isinstance(value, str) and is_plain(value)]

    @functools.cached_property
    def kinds(self) -> tuple[str, ...]:
        """The values that occur most often, where they tell rows apart; the most common first."""
        if self.type is not FieldType.TEXT or self.is_plural:
            return ()
        counts = Counter(text for text in self.texts if text)
        if {text.casefold() for text in counts} <= _words()["truths"]:
            return ()
        repeated = [text for text, count in counts.most_common() if 2 <= count <= len(self.texts) * 0.7]
        is_kind = 2 <= len(counts) <= max(2, len(self.texts) // 2)
        said = (text for text in repeated if is_plain(text) and "," not in text)
        clear = (text for text in said if not _is_part(text, counts))
        return tuple(clear) if is_kind else ()


def _is_part(text: str, others: Iterable[str]) -> bool:
    """Whether a text is a number, or a part of others, so that it is not clear what it means."""
    return text[0].isdigit() or sum(text.casefold() in other.casefold() for other in others) > 1


@dataclass(frozen=True)
class Subject:
    """What the rows of a table are about.

    Attributes:
        column: the field that names it; None where none does.
        one: what one is called: country.
        many: what several are called: countries.
        counted: what they are called where they are counted; rows where only their names are known.
    """

    column: ColumnWords | None
    one: str
    many: str
    counted: str

    @functools.cached_property
    def rows(self) -> list[int]:
        """The rows that a question can name."""
        column = self.column
        return [] if column is None else [row for row in range(len(column.texts)) if column.is_said(row)]

    def named(self, row: int) -> str:
        """One of them: Norway, order 21."""
        assert self.column is not None
        text = self.column.texts[row]
        return text if self.column.type is FieldType.TEXT else f"{self.one} {text}"


def an(words: str) -> str:
    """Words with their article: a population, an area."""
    return with_article(f" a {words}").strip()


def is_plain(text: str) -> bool:
    """Whether a question can say a text as it is."""
    return _PLAIN.fullmatch(text) is not None and any(letter.isalnum() for letter in text)


def columns_of(table: Table) -> list[ColumnWords]:
    """The fields of a table that questions can name."""
    shouted = all(name.isupper() for name in table.field_names)
    fields = range(min(len(table.fields), _FIELDS_SEEN))
    columns = [_column(table, index, shouted) for index in fields]
    return [column for column in columns if 0 < len(column.words) <= _LONGEST_NAME]


def _column(table: Table, index: int, shouted: bool) -> ColumnWords:
    rows = min(table.row_count, _ROWS_SEEN)
    field, reading = table.fields[index], table.reading(index)
    is_amount = reading is not None and reading.kind not in _NO_AMOUNTS
    measured = is_amount and field.type is FieldType.TEXT
    return ColumnWords(
        name=field.name,
        words=_spoken(field.name.lower() if shouted else field.name),
        type=FieldType.NUMBER if measured else field.type,
        is_amount=is_amount,
        counts=reading is not None and not reading.unit,
        is_duration=reading is not None and reading.kind is Kind.DURATION,
        is_read=measured,
        values=table.columns[index][:rows],
        texts=tuple(table.text(row, index) for row in range(rows)),
    )


def _spoken(name: str) -> str:
    """A header as words: annualSalary is annual salary, Area (km²) is area, length_cm is length."""
    words = re.sub(r"\([^)]*\)|\[[^]]*\]", " ", name)
    words = re.sub(r"(?<=[a-z]{2})(?=[A-Z])", " ", words)
    words = re.sub(r"[^\w'-]+|_", " ", words).strip()
    said = [word if word.isupper() and len(word) > 1 else word.lower() for word in words.split()]
    if len(said) > 1 and _is_unit(said[-1].lower(), said[-2]):
        said.pop()
    return " ".join(said)


def _is_unit(word: str, before: str) -> bool:
    """Whether a word at the end of a header is the unit of its numbers."""
    if before in _words()["measured"] and any(each.unit.kind is not Kind.NUMBER for each in meanings(word)):
        return True
    return word in _words()["unit_symbols"]


def subject_of(table: Table, columns: Sequence[ColumnWords]) -> Subject:
    """What the rows of a table are about."""
    thing = _thing(table)
    column = _key(columns, thing) or _naming(columns)
    if thing is not None and (column is None or column.type is not FieldType.TEXT or _is_name(column)):
        many = plural_of(_spoken(table.name))
        return Subject(column, thing, many, many)
    if column is None:
        return Subject(None, "row", "rows", "rows")
    one = singular(column.words.removesuffix(" name").removeprefix("name of "))
    many = plural_of(one)
    return Subject(column, one, many, "rows" if _is_name(column) else many)


def _is_name(column: ColumnWords) -> bool:
    """Whether a header says no more than that a row has a name."""
    return column.words.lower() in _words()["names"] or column.words.lower().endswith(" name")


def _thing(table: Table) -> str | None:
    """What a row is, by the name of the table: employee, where that is a plural."""
    words = _spoken(table.name).split()
    is_name = 0 < len(words) <= 2 and all(word.isalpha() for word in words)
    if not is_name or not is_plural(words[-1]) or words[-1] in _words()["plain_tables"]:
        return None
    return singular(" ".join(words))


def _key(columns: Sequence[ColumnWords], thing: str | None) -> ColumnWords | None:
    """The field of numbers that numbers the rows, and is called as they are: order."""
    for column in columns[:1]:
        is_whole = all(isinstance(value, int) for value in column.values)
        if column.words == thing and is_whole and len({*column.values}) == len(column.values):
            return column
    return None


def _naming(columns: Sequence[ColumnWords]) -> ColumnWords | None:
    """The field of text by whose cells nearly all rows are known, or that by which most are."""
    texts = [column for column in columns if column.type is FieldType.TEXT and column.is_noun]
    counts = [(sum(column.is_said(row) for row in range(len(column.texts))), column) for column in texts]
    for count, column in counts:
        if count >= _NEARLY * len(column.texts):
            return column
    known = [each for each in counts if each[0] >= _MOSTLY * len(each[1].texts)]
    return max(known, key=lambda each: each[0], default=(0, None))[1]
