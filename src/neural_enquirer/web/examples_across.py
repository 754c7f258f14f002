"""Questions to try on several tables, which only both of two tables that go together can answer."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.actions.joins import find_join
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Groups,
    Join,
    Measure,
    Where,
)
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.web.example_questions import Drawn, Example, first_good
from neural_enquirer.web.example_words import ColumnWords, Subject, an, columns_of, subject_of

_ONE: Final = range(1, 2)
_GROUPS: Final = range(4, 25)


@dataclass(frozen=True)
class _Linked:
    """A table whose rows each go with one row of another.

    Attributes:
        subject: what its rows are about.
        measures: its numbers.
        link: the field that says which row of the other table goes with a row.
        others: the fields of that other table.
        rows: the rows of both, together.
    """

    subject: Subject
    measures: tuple[ColumnWords, ...]
    link: ColumnWords
    others: tuple[ColumnWords, ...]
    rows: All


def examples_across(tables: Sequence[Table]) -> list[Example]:
    """Questions about the first two tables that go together; none where no two do."""
    for linked in _links(tables):
        kinds = {
            "look-up": (_look_ups(linked), _ONE),
            "count": (_counts(linked), _ONE),
            "groups": (_groups(linked), _GROUPS),
            "average by group": (_averages(linked), _GROUPS),
        }
        if found := first_good(kinds, tables):
            return found
    return []


def _links(tables: Sequence[Table]) -> Iterator[_Linked]:
    for left in range(len(tables)):
        for right in range(len(tables)):
            join = find_join(tables, left, right) if left != right else None
            if join is not None and _is_key(tables[right], join.on[0][1].name):
                linked = _linked(tables[left], tables[right], join)
                if linked is not None:
                    yield linked


def _is_key(table: Table, field: str) -> bool:
    """Whether no two rows share a value."""
    values = [value for value in table.column(field) if value is not None]
    return len(set(values)) == len(values)


def _linked(left: Table, right: Table, join: Join) -> _Linked | None:
    own = [_of_table(column, left) for column in columns_of(left)]
    others = [_of_table(column, right) for column in columns_of(right)]
    link = next((column for column in own if column.name == join.on[0][0].name), None)
    if link is None or not link.is_noun:
        return None
    subject = subject_of(left, own)
    return _Linked(
        subject=subject,
        measures=tuple(column for column in own if column.is_averaged and column is not subject.column),
        link=link,
        others=tuple(column for column in others if column.name != join.on[0][1].name and column.is_noun),
        rows=All(join),
    )


def _of_table(column: ColumnWords, table: Table) -> ColumnWords:
    """A field with the name of its table, which tells it from others in programs."""
    return dataclasses.replace(column, table=table.name)


def _look_ups(linked: _Linked) -> Drawn:
    """What is the city of the customer of order 17?"""
    subject = linked.subject
    if subject.column in (None, linked.link):
        return
    for column in linked.others:
        for row in subject.rows[:2] if not column.is_plural else ():
            assert subject.column is not None
            value = subject.column.values[row]
            assert value is not None
            named = f"the {linked.link.words} of {subject.named(row)}"
            rows = Where(linked.rows, Compare(subject.column.field, Comparison.EQUAL, Constant(value)))
            yield f"What is the {column.words} of {named}?", Cells((column.field,), rows)


def _counts(linked: _Linked) -> Drawn:
    """How many orders have a customer with Paris as their city?"""
    for column in linked.others:
        if column.type is FieldType.TEXT and not column.is_plural:
            for value in dict.fromkeys(column.said):
                rows = Where(linked.rows, Compare(column.field, Comparison.EQUAL, Constant(value)))
                of_other = f"{an(linked.link.words)} with {value} as their {column.words}"
                question = f"How many {linked.subject.counted} have {of_other}?"
                yield question, Aggregate(Aggregation.COUNT, None, rows)


def _groups(linked: _Linked) -> Drawn:
    """How many orders are there for each city?"""
    for column in _groupable(linked):
        groups = Groups(column.field, Aggregation.COUNT, None, linked.rows)
        question = f"How many {linked.subject.counted} are there for each {column.words}?"
        yield question, Cells((column.field, Measure()), All(groups))


def _averages(linked: _Linked) -> Drawn:
    """What is the average amount for each segment?"""
    for column in _groupable(linked):
        for measure in linked.measures:
            groups = Groups(column.field, Aggregation.AVERAGE, measure.term, linked.rows)
            question = f"What is the average {measure.number} for each {column.words}?"
            yield question, Cells((column.field, Measure()), All(groups))


def _groupable(linked: _Linked) -> list[ColumnWords]:
    return [column for column in linked.others if column.type is FieldType.TEXT and not column.is_plural]
