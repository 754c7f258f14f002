"""Candidates: what the links between a question and a table may mean in programs."""

import calendar
import datetime
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from neural_enquirer.encoding.linking import SHARED, Links
from neural_enquirer.encoding.quantities import FIRST_YEAR, LAST_YEAR, MONTHS, Quantity, quantities_in
from neural_enquirer.encoding.text import fold, header_words, places_of
from neural_enquirer.programs.enumeration import (
    Candidates,
    Column,
    Columns,
    LinkedCondition,
    LinkedNumber,
    NamedOperation,
    columns_of,
    plain_number,
)
from neural_enquirer.programs.language import (
    Aggregation,
    Between,
    Compare,
    Comparison,
    Constant,
    Field,
    OneOf,
    Operation,
    Part,
)
from neural_enquirer.tables import FieldType, Table, Value

__all__ = ["candidates_of", "in_month", "mentioned", "quantified", "within"]

_MOST_CHOICES: Final = 40
"""So many different cells are "one of" a list; more of them are too many to name."""
_LONGEST_SHARED: Final = 4
_MOST_DATES: Final = 3
_BETWEEN: Final = " ,;:–-"
_ORDER: Final = (Comparison.LESS, Comparison.MORE, Comparison.AT_MOST, Comparison.AT_LEAST)
_OPERATIONS: Final[dict[NamedOperation, re.Pattern[str]]] = {
    Aggregation.AVERAGE: re.compile(r"\b(averag\w*|avg|mean|typical(ly)?|usual(ly)?|on the whole)\b"),
    Aggregation.MAXIMUM: re.compile(
        r"\b(most|max(imum)?|highest|largest|biggest|greatest|longest|latest|oldest|top|best|peak|at most)\b"
    ),
    Aggregation.MINIMUM: re.compile(
        r"\b(least|min(imum)?|lowest|smallest|fewest|shortest|earliest|youngest|worst|bottom)\b"
    ),
    Aggregation.SUM: re.compile(r"\b(sum|total(s|ed)?|combined?|altogether|overall|all together)\b"),
    Aggregation.MEDIAN: re.compile(r"\b(median|middle|typical)\b"),
    Operation.PERCENTAGE: re.compile(r"\b(percent\w*|share|proportion|fraction)\b|%"),
    Operation.RATIO: re.compile(r"\b(ratio|rate|times|twice|double|half|per|proportion|fraction|share)\b"),
}
"""The words that ask for an operation by its name."""

Conditions = Iterator[Compare | Between]
Bound = int | float | datetime.date


def candidates_of(question: str, table: Table, links: Links, source: str | None = None) -> Candidates:
    """Returns what a question's words may stand for in a table that it is linked to.

    Args:
        question: as it was typed.
        table: one of the tables that are asked.
        links: those between the two.
        source: what programs call the table, where there are several.
    """
    columns = columns_of(table, source)
    folded = fold(question)
    conditions: list[LinkedCondition] = []
    for number, span in enumerate(links.mentions):
        words = frozenset(range(*span))
        conditions += [LinkedCondition(each, words) for each in mentioned(number, links, table, source)]
    quantities = list(_linked_quantities(folded, links))
    for quantity, words in quantities:
        conditions += [LinkedCondition(each, words) for each in quantified(quantity, columns)]
    for month, words in _months(folded, quantities):
        conditions += [LinkedCondition(each, words) for each in in_month(month, columns)]
        for quantity, others in quantities:
            conditions += [LinkedCondition(each, others) for each in _on_day(quantity, columns)]
    for (low, words), (high, others) in itertools.permutations(quantities, 2):
        conditions += [LinkedCondition(each, words | others) for each in within(low, high, columns)]
    named = np.flatnonzero((links.levels >= SHARED).any(axis=0)).tolist()
    return Candidates(
        conditions=tuple(dict.fromkeys(conditions)),
        numbers=tuple(
            LinkedNumber(plain_number(quantity.number), words)
            for quantity, words in quantities
            if quantity.number is not None
        ),
        fields=frozenset(table.field_names[n] for n in named if n < len(table.fields)),
        operations=frozenset(one for one, words in _OPERATIONS.items() if words.search(folded)),
    )


def mentioned(number: int, links: Links, table: Table, source: str | None = None) -> Conditions:
    """The conditions that a mention may stand for: one for each field that has it in a cell."""
    start, end = links.mentions[number]
    for n, rows in links.mentioned[number]:
        cells = table.columns[n]
        values = list(dict.fromkeys(value for row in rows.tolist() if (value := cells[row]) is not None))
        term = Field(table.field_names[n], source)
        yield from _naming(term, table.different(n), values, links.words[start:end])


def _naming(
    term: Field, cells: Sequence[Value | None], values: list[Value], words: tuple[str, ...]
) -> Conditions:
    """The condition that selects the cells with some values, by what they have in common."""
    if len(values) == 1:
        yield Compare(term, Comparison.EQUAL, Constant(values[0]))
    part = _spelled(words, values)
    if part is not None and part not in values and _selects(Comparison.CONTAINS, part, cells, values):
        yield Compare(term, Comparison.CONTAINS, Constant(part))
    elif len(values) > 1:
        shared = (
            Compare(term, comparison, Constant(text))
            for comparison, text in _shared([str(value) for value in values])
            if isinstance(values[0], str) and _selects(comparison, text, cells, values)
        )
        choice = Compare(term, Comparison.EQUAL, OneOf(tuple(map(Constant, values[:_MOST_CHOICES]))))
        yield next(shared, choice)


def _selects(comparison: Comparison, text: str, cells: Sequence[Value | None], values: list[Value]) -> bool:
    """Whether of all cells those with some values, and no others, have a text in them."""
    test = comparison.test
    return {cell for cell in set(cells) if cell is not None and test(str(cell), text)} == set(values)


def _spelled(words: Iterable[str], values: list[Value]) -> str | None:
    """How all of some texts spell words; None where they do not spell them alike."""
    match = re.search(r"[\W_]+".join(map(re.escape, words)), str(values[0]), re.IGNORECASE)
    return match[0] if match is not None and all(match[0] in str(value) for value in values) else None


def _shared(texts: list[str]) -> Iterator[tuple[Comparison, str]]:
    """What several texts have in common: whole words at the beginning, at the end, anywhere."""
    start = _whole_words(texts)
    end = _whole_words([text[::-1] for text in texts])[::-1]
    for comparison, text in ((Comparison.STARTS, start), (Comparison.ENDS, end)):
        if text.strip(_BETWEEN):
            yield comparison, text.strip(_BETWEEN)
            yield comparison, text
    tokens = list(re.finditer(r"\w+", min(texts, key=len)))
    for length in range(min(len(tokens), _LONGEST_SHARED), 0, -1):
        for first, last in zip(tokens, tokens[length - 1 :], strict=False):
            text = first.string[first.start() : last.end()]
            if all(text in each for each in texts):
                yield Comparison.CONTAINS, text


def _whole_words(texts: list[str]) -> str:
    """The words that several texts begin with."""
    alike = itertools.takewhile(lambda signs: len(set(signs)) == 1, zip(*texts, strict=False))
    prefix = "".join(signs[0] for signs in alike)
    while prefix and any(
        text[len(prefix) - 1 : len(prefix) + 1].isalnum() for text in texts if text != prefix
    ):
        prefix = prefix[:-1]
    return prefix


def quantified(quantity: Quantity, columns: Columns) -> Conditions:
    """The conditions that a quantity may stand for."""
    for column, number in _comparable(quantity, columns):
        if quantity.last is not None:
            yield from _ranged(column, number, plain_number(quantity.last_from(number)))
        else:
            yield from _comparisons(column, number)
    if quantity.of_a_year is not None:
        yield from _on_date(*quantity.of_a_year, columns)
    if quantity.days is None:
        return
    first, last = (datetime.date.fromordinal(int(day)) for day in quantity.days)
    if quantity.last is None and quantity.number is not None:
        yield from _years_in_texts(columns, first.year)
        return
    for column in _days(columns):
        if first == last:
            yield from _comparisons(column, first)
        else:
            yield from _ranged(column, first, last)
    if quantity.number is None:
        yield from _in_parts(first, last, columns)


def _in_parts(first: datetime.date, last: datetime.date, columns: Columns) -> Conditions:
    """Fields that have the year, month or day of a date as a number."""
    for column in columns.fields:
        if column.kind is FieldType.NUMBER:
            words = _words_of(column)
            for part, value, is_said in (
                ("year", first.year, first.year == last.year),
                ("month", first.month, (first.year, first.month) == (last.year, last.month)),
                ("day", first.day, first == last),
            ):
                if is_said and part in words and value in column.rows_by_value:
                    yield Compare(column.term, Comparison.EQUAL, Constant(value))


def _comparable(quantity: Quantity, columns: Columns) -> Iterator[tuple[Column, int | float]]:
    """The columns that a number compares with, as each may count: 8.4 million is 8.4 in millions."""
    if quantity.number is None:
        return
    for column in (*columns.added, *(columns.parts_of(Part.YEAR) if quantity.days is not None else ())):
        yield column, plain_number(quantity.number)
        if quantity.unscaled is not None and (quantity.unscaled < quantity.number or _has_years(column)):
            yield column, plain_number(quantity.unscaled)


def _has_years(column: Column) -> bool:
    years = column.ascending
    return bool(years) and years[0] >= FIRST_YEAR and years[-1] <= LAST_YEAR


def _comparisons(column: Column, value: Bound) -> Conditions:
    is_there = value in column.rows_by_value
    if is_there:
        yield Compare(column.term, Comparison.EQUAL, Constant(value))
    for comparison in _ORDER if is_there else _ORDER[:2]:
        rows = column.compared(comparison, value)
        if rows and rows != column.present:
            yield Compare(column.term, comparison, Constant(value))


def _years_in_texts(columns: Columns, year: int) -> Conditions:
    """Texts with a year in them, such as dates that are not typed as such; not those that begin with it."""
    for column in columns.fields:
        if column.kind is FieldType.TEXT:
            rows = column.compared(Comparison.CONTAINS, str(year))
            if rows and rows != column.compared(Comparison.STARTS, str(year)):
                yield Compare(column.term, Comparison.CONTAINS, Constant(str(year)))


def in_month(month: int, columns: Columns) -> Conditions:
    """The conditions that the name of a month may stand for."""
    named = [column for column in columns.fields if "month" in _words_of(column)]
    for column in (*columns.parts_of(Part.MONTH), *named):
        if month in column.rows_by_value:
            yield Compare(column.term, Comparison.EQUAL, Constant(month))
    name = calendar.month_name[month]
    for column in columns.fields:
        if column.kind is FieldType.TEXT:
            for spelled in (name, name[:3]):
                rows = column.compared(Comparison.CONTAINS, spelled)
                if rows and rows != column.present:
                    yield Compare(column.term, Comparison.CONTAINS, Constant(spelled))
                    break


def _on_date(month: int, day: int, columns: Columns) -> Conditions:
    """Dates with a month and a day, whatever the year; fields and dates that have one of them."""
    yield from in_month(month, columns)
    for column in columns.parts_of(Part.DAY):
        if day in column.rows_by_value:
            yield Compare(column.term, Comparison.EQUAL, Constant(day))
    for column in _days(columns):
        dates = [
            value
            for value in column.rows_by_value
            if isinstance(value, datetime.date) and (value.month, value.day) == (month, day)
        ]
        for date in dates[:_MOST_DATES]:
            yield from _comparisons(column, date)
    for column in columns.fields:
        for part, value in (("month", month), ("day", day)) if column.kind is FieldType.NUMBER else ():
            if part in _words_of(column) and value in column.rows_by_value:
                yield Compare(column.term, Comparison.EQUAL, Constant(value))


def _words_of(column: Column) -> tuple[str, ...]:
    """The words of the field that a column is."""
    return header_words(column.term.name)[0] if isinstance(column.term, Field) else ()


def _on_day(quantity: Quantity, columns: Columns) -> Conditions:
    for column in columns.parts_of(Part.DAY):
        if quantity.number is not None and quantity.number in column.rows_by_value:
            yield Compare(column.term, Comparison.EQUAL, Constant(plain_number(quantity.number)))


def _days(columns: Columns) -> Iterator[Column]:
    """The fields of dates without a time of day."""
    for column in columns.fields:
        if column.kind is FieldType.DATE and type(next(iter(column.rows_by_value), None)) is datetime.date:
            yield column


def _ranged(column: Column, first: Bound, last: Bound) -> Conditions:
    yield Between(column.term, Constant(first), Constant(last))
    yield Compare(column.term, Comparison.LESS, Constant(first))
    yield Compare(column.term, Comparison.MORE, Constant(last))


def within(low: Quantity, high: Quantity, columns: Columns) -> Conditions:
    """The conditions that two quantities may stand for together: from one up to the other."""
    upper = dict(_comparable(high, columns))
    for column, number in _comparable(low, columns):
        if number < upper.get(column, number):
            yield Between(column.term, Constant(number), Constant(upper[column]))
    if low.days is not None and high.days is not None and low.number is high.number is None:
        first, last = (datetime.date.fromordinal(int(day)) for day in (low.days[0], high.days[1]))
        if first < last:
            for column in _days(columns):
                yield Between(column.term, Constant(first), Constant(last))


def _months(
    folded: str, quantities: Sequence[tuple[Quantity, frozenset[int]]]
) -> Iterator[tuple[int, frozenset[int]]]:
    """The months that a question names, with their words; not those that are a part of a date."""
    taken = frozenset[int]().union(*(words for _, words in quantities))
    for place, (start, end) in enumerate(places_of(folded)):
        month = MONTHS.get(folded[start:end])
        if month is not None and place not in taken:
            yield month, frozenset([place])


def _linked_quantities(folded: str, links: Links) -> Iterator[tuple[Quantity, frozenset[int]]]:
    """The quantities of a question with their words; those inside a longer mention are none."""
    places = places_of(folded)
    for quantity in quantities_in(folded):
        for first, last in links.quantities:
            if places[first][0] < quantity.end and quantity.start < places[last - 1][1]:
                yield quantity, frozenset(range(first, last))
                break
