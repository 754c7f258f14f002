"""Rows that stand in for all rows of a table that is elsewhere, so that a question can be judged on them.

Nobody looks at a billion rows cell by cell. What the question names is looked up among the values of the
table, which are listed once, or by a query where they are too many. The rows that have it, those at the ends
of fields, and some from everywhere make a small table, which is asked as any other.
"""

import dataclasses
import datetime
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from neural_enquirer.asking.heard import Heard
from neural_enquirer.encoding.actions.joins import alike_fields, find_join
from neural_enquirer.encoding.candidates import mentioned
from neural_enquirer.encoding.linking import ALONE, LINKED, Links
from neural_enquirer.encoding.quantities import Quantity, quantities_in
from neural_enquirer.encoding.text import STOP_WORDS, fold, places_of
from neural_enquirer.engines.known import EngineTable, KnownField
from neural_enquirer.engines.memory import MemoryEngine
from neural_enquirer.prediction import Tables
from neural_enquirer.programs.enumeration import plain_number
from neural_enquirer.programs.language import (
    And,
    Between,
    Compare,
    Comparison,
    Condition,
    Constant,
    Field,
    OneOf,
    Or,
)
from neural_enquirer.tables import FieldType, Table, Value

_ROWS_FOUND: Final = 40
"""Of each thing that a question names."""
_MOST_NAMED: Final = 8
_MOST_SETS: Final = 8
_MOST_COMPARED: Final = 3
"""In so many fields, rows are looked for on either side of a quantity."""
_VALUES_ALONE: Final = 300
"""So many values that a question may mean have a row of their own where no row that was found has them."""
_LONGEST_NAME: Final = 6
"""Words of the longest value that is looked up as a whole."""

Columns = list[list[Value | None]]
KEYS: Final = 200
"""So many values of a table are looked up in another."""
_MOST_PAIRS: Final = 3
_MOST: Final = 0.5
"""A word that this share of all texts has is a part of their shape: Customer 4711."""


@runtime_checkable
class Linker(Protocol):
    """A model that links questions to tables by their values."""

    def link(self, tables: Tables, question: str) -> list[Links]:
        """Links a question to tables."""
        ...


def stand_ins(linker: Linker, tables: Sequence[EngineTable], question: str) -> Tables:
    """A small table for each table of a question; rows of several go together."""
    alone = [_stand_in(linker, table, question) for table in tables]
    found = list(alone)
    for one, other in itertools.permutations(range(len(tables)), 2):
        if not tables[other].known.is_whole:
            named = _named(linker.link((alone[one],), question)[0], alone[one])
            rows = _telling_first(alone[one], [*named, *_quantified(question, tables[one])])
            more = partners(rows, tables[one], alone[other], tables[other])
            found[other] = tables[other].with_rows(_together(found[other].columns, more.columns))
    return tuple(found)


def _telling_first(table: Table, named: Sequence[Condition]) -> Table:
    """The rows of a table with those that a question names before all others."""
    if not named:
        return table
    telling = MemoryEngine().find(table, named, KEYS)
    columns = tuple(map(tuple, _together(telling.columns, table.columns)))
    return dataclasses.replace(table, columns=columns, texts=None)


def _stand_in(linker: Linker, table: EngineTable, question: str) -> Table:
    if table.known.is_whole:
        return table.with_rows(table.columns)
    assert table.whole is not None
    links = linker.link((table.whole,), question)[0]
    quantified = list(_quantified(question, table))
    named = [*_named(links, table.whole), *quantified, *_spelled(question, links, table)]
    sides = {each: list(_sides(each, links, table)) for each in quantified}
    columns = _with_rows_of(named, sides, table)
    columns = _looked_up(Heard(question, (table.whole,), (links,)), table, columns)
    return table.with_rows(_with_values(columns, links, table.whole))


def _with_rows_of(
    named: Sequence[Condition], sides: Mapping[Condition, Sequence[Condition]], table: EngineTable
) -> Columns:
    """The sample of a table with rows that fulfil each of several conditions, all of them, and any two.

    Of a condition that few rows fulfil, all rows are there, and with them those that fulfil others as well.
    A quantity that few cells are equal to may be compared with them: there are rows on either side of it.
    """
    columns = [list(column) for column in table.columns]
    common = []
    for condition in named[:_MOST_NAMED]:
        found = table.engine.find(table, [condition], _ROWS_FOUND)
        columns = _together(columns, found.columns)
        if found.row_count >= _ROWS_FOUND:
            common.append(condition)
    compared = [side for each, own in sides.items() if each not in common for side in own]
    several = [
        tuple(common),
        *((*common, side) for side in compared if common),
        *(pair for pair in itertools.combinations(common, 2) if len(common) > 2),
    ]
    wanted = [And(each) for each in several if len(each) > 1][:_MOST_SETS]
    return _together(columns, table.engine.find(table, wanted, _ROWS_FOUND).columns) if wanted else columns


def _together(columns: Sequence[Sequence[Value | None]], more: Sequence[Sequence[Value | None]]) -> Columns:
    """Rows of two tables, each once."""
    rows = dict.fromkeys(itertools.chain(zip(*columns, strict=True), zip(*more, strict=True)))
    return [list(column) for column in zip(*rows, strict=True)]


def _named(links: Links, table: Table) -> list[Condition]:
    """What the mentions of a question may stand for, each in any field that has it."""
    each = (list(mentioned(number, links, table)) for number in range(len(links.mentions)))
    return [_any(conditions) for conditions in each if conditions]


def _any(conditions: Sequence[Condition]) -> Condition:
    return conditions[0] if len(conditions) == 1 else Or(tuple(conditions))


def _quantified(question: str, table: EngineTable) -> Iterator[Condition]:
    """The cells that are equal to the numbers and dates of a question."""
    for quantity in quantities_in(fold(question)):
        conditions = [each for known in table.known.fields if (each := _equal(quantity, known)) is not None]
        if conditions:
            yield _any(conditions)


def _equal(quantity: Quantity, known: KnownField) -> Condition | None:
    """That a field has a quantity, if that lies between the ends of the field."""
    low, high, field = known.smallest, known.largest, Field(known.column.field.name)
    if isinstance(low, int | float) and isinstance(high, int | float) and quantity.number is not None:
        number = plain_number(quantity.number)
        return Compare(field, Comparison.EQUAL, Constant(number)) if low <= number <= high else None
    if isinstance(low, datetime.date) and isinstance(high, datetime.date):
        first, last = quantity.days_among({low.toordinal(), high.toordinal()}) or (math.inf, -math.inf)
        if first <= high.toordinal() + 1 and last >= low.toordinal():
            days = (Constant(datetime.date.fromordinal(int(day))) for day in (first, last))
            return Between(field, *days)
    return None


def _sides(equal: Condition, links: Links, table: EngineTable) -> Iterator[Condition]:
    """That a number is less, or more, where a condition has it be equal; first in fields that are named."""
    each = equal.parts if isinstance(equal, Or) else (equal,)
    named = links.levels.max(axis=0, initial=0).tolist()
    numbers = {own.term.name: own for own in each if isinstance(own, Compare) and isinstance(own.term, Field)}
    for name in sorted(numbers, key=lambda name: -named[table.field_index(name)])[:_MOST_COMPARED]:
        for comparison in (Comparison.LESS, Comparison.MORE):
            yield dataclasses.replace(numbers[name], comparison=comparison)


def _unlisted(table: EngineTable) -> list[int]:
    """The fields of text of which not all values are listed."""
    return [
        number
        for number, known in enumerate(table.known.fields)
        if known.column.field.type is FieldType.TEXT and known.listed is None
    ]


def _spelled(question: str, links: Links, table: EngineTable) -> Iterator[Condition]:
    """Cells of fields with too many values to list, as the question may spell them as a whole."""
    for number, texts in _names(question, links, table).items():
        constants = tuple(map(Constant, texts))
        operand = OneOf(constants) if len(constants) > 1 else constants[0]
        yield Compare(Field(table.field_names[number]), Comparison.EQUAL, operand)


def _names(question: str, links: Links, table: EngineTable) -> dict[int, list[str]]:
    """For fields with too many values to list, the words in a row that may be one of them, as typed."""
    runs = list(dict.fromkeys(_runs(question, links)))
    fitting = {number: Shapes.of(table.columns[number]) for number in _unlisted(table)} if runs else {}
    found = {number: [text for text in runs if shapes.fit(text)] for number, shapes in fitting.items()}
    return {number: texts for number, texts in found.items() if texts}


def _looked_up(heard: Heard, table: EngineTable, columns: Columns) -> Columns:
    """The rows with those that have what was not found as it is spelled: in other letters, or in part."""
    names = _names(heard.question, heard.links[0], table)
    whole = {
        text for number, texts in names.items() if not set(texts) & set(columns[number]) for text in texts
    }
    words = _unknown(heard, table, columns)
    if not words and not whole:
        return columns
    fields = [Field(table.field_names[number]) for number in _unlisted(table)]
    found = table.engine.look_up(table, fields, words, _ROWS_FOUND, sorted(whole))
    return _together(columns, found.columns)


def _runs(question: str, links: Links) -> Iterator[str]:
    """Words in a row that may be a name: one of them is a number, has a capital, or is linked to nothing."""
    folded = fold(question)
    places = places_of(folded)
    named = {word for start, end in links.mentions for word in range(start, end)}
    telling = [folded[start:end] not in STOP_WORDS for start, end in places]
    loose = [
        place not in named and telling[place] and _is_loose(question[start:end], place, links)
        for place, (start, end) in enumerate(places)
    ]
    for first, last in itertools.combinations_with_replacement(range(len(places)), 2):
        is_short = last - first < _LONGEST_NAME
        if is_short and telling[first] and telling[last] and any(loose[first : last + 1]):
            yield question[places[first][0] : places[last][1]]


def _is_loose(word: str, place: int, links: Links) -> bool:
    is_name = word[:1].isupper() and place > 0
    return is_name or any(map(str.isdigit, word)) or bool(links.flags[place] & ALONE)


def _unknown(heard: Heard, table: EngineTable, columns: Sequence[Sequence[Value | None]]) -> list[str]:
    """The words that stand for nothing that is listed or was found, and may be parts of other values.

    Nobody knows them, or they are written as names are.
    """
    if not _unlisted(table):
        return []
    flags = heard.links[0].flags.tolist()
    loose = [
        word
        for place, (word, flag) in enumerate(zip(heard.words, flags, strict=True))
        if flag & ALONE or (heard.is_capital(place) and not flag & LINKED and word not in STOP_WORDS)
    ]
    cells = (cell for number in _unlisted(table) for cell in columns[number] if cell is not None)
    texts = [fold(str(cell)) for cell in cells] if loose else []
    return [word for word in loose if not any(word in text for text in texts)]


def _with_values(columns: Columns, links: Links, values: Table) -> Columns:
    """The rows, and one for each value that a mention may mean and no row has: it alone is known of it."""
    there = [set(column) for column in columns]
    meant = dict.fromkeys(
        (n, values.columns[n][row])
        for cells in links.mentioned
        for n, rows in cells
        for row in rows.tolist()[:_VALUES_ALONE]
    )
    missing = [(n, value) for n, value in meant if value not in there[n]][:_VALUES_ALONE]
    return [
        [*column, *(value if n == place else None for n, value in missing)]
        for place, column in enumerate(columns)
    ]


def partners(rows: Table, one: EngineTable, stand_in: Table, other: EngineTable) -> Table:
    """Rows of another table that go with rows of one, by the fields that the two may share.

    Args:
        rows: some of one table, those that matter most first.
        one: the table itself.
        stand_in: rows of the other table that are known already.
        other: the other table.
    """
    wanted = [
        condition
        for mine, theirs in list(_pairs(rows, one, stand_in, other))[:_MOST_PAIRS]
        if (condition := _has_one_of(Field(other.field_names[theirs]), rows, mine)) is not None
    ]
    return other.engine.find(other, wanted, KEYS)


def _pairs(rows: Table, one: EngineTable, stand_in: Table, other: EngineTable) -> Iterator[tuple[int, int]]:
    """Fields that two tables may share, the likeliest first: by values that are known, then by headers."""
    join = find_join((rows, stand_in), 0, 1)
    if join is not None:
        ((own, shared),) = join.on
        yield rows.field_index(own.name), stand_in.field_index(shared.name)
    pairs = alike_fields(one, other)
    for _, mine, theirs in sorted(pairs, key=lambda pair: pair[0] + _is_key(pair, one, other), reverse=True):
        yield mine, theirs


def _is_key(pair: tuple[float, int, int], one: EngineTable, other: EngineTable) -> float:
    """How nearly every row of either table has a value of its own."""
    _, mine, theirs = pair
    both = (one.known, mine), (other.known, theirs)
    return max(known.fields[field].distinct / known.rows for known, field in both)


def _has_one_of(field: Field, rows: Table, mine: int) -> Condition | None:
    """That a field has one of the values of some rows."""
    keys = [value for value in dict.fromkeys(rows.columns[mine]) if value is not None][:KEYS]
    if not keys:
        return None
    constants = tuple(map(Constant, keys))
    return Compare(field, Comparison.EQUAL, constants[0] if len(constants) == 1 else OneOf(constants))


@dataclass(frozen=True)
class Shapes:
    """The shapes of some texts of a field.

    Attributes:
        common: words that most of the texts have.
        known: for each shape what its words are: common ones themselves, others the kind of their letters.
    """

    common: frozenset[str]
    known: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, cells: Sequence[Value | None]) -> "Shapes":
        """The shapes of the cells of a field."""
        texts = {str(cell).casefold() for cell in cells if cell is not None}
        counts = Counter(word for text in texts for word in set(text.split()))
        common = frozenset(word for word, count in counts.items() if count > max(1, _MOST * len(texts)))
        return cls(common, frozenset(_shape(text, common) for text in texts))

    def fit(self, text: str) -> bool:
        """Whether a text looks like the others."""
        return _shape(text.casefold(), self.common) in self.known


def _shape(text: str, common: frozenset[str]) -> tuple[str, ...]:
    return tuple(word if word in common else _kind(word) for word in text.split())


def _kind(word: str) -> str:
    """Whether a word has letters, digits, or both; no common word is spelled so."""
    return f"{any(map(str.isalpha, word))} {any(map(str.isdigit, word))}"
