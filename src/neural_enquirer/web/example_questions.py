"""Questions to try on a table, made from its own fields and cells: one of every kind that can be asked.

Each comes with the program that answers it, which was run: what it gives is an answer worth asking for.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Combination,
    Compare,
    Comparison,
    Constant,
    Direction,
    Extreme,
    Groups,
    Holds,
    Measure,
    Operation,
    Part,
    PartOf,
    Program,
    ProgramError,
    Rows,
    Where,
)
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.web.example_words import ColumnWords, Subject, an, columns_of, is_plain, subject_of

_MOST_TRIED: Final = 6
_FEW: Final = range(2, 11)
_TOP: Final = 3
_ALL: Final = All()


@dataclass(frozen=True)
class Example:
    """A question of some kind, and the program that answers it."""

    kind: str
    question: str
    program: Program


@dataclass(frozen=True)
class _Asked:
    """What questions are made of: what rows are about, and the other fields."""

    subject: Subject
    others: tuple[ColumnWords, ...]

    @property
    def measures(self) -> list[ColumnWords]:
        return [column for column in self.others if column.is_measure and column.is_noun]

    @property
    def kinds(self) -> list[ColumnWords]:
        return [column for column in self.others if column.kinds and column.is_noun]

    @property
    def dates(self) -> list[ColumnWords]:
        return [column for column in self.others if column.type is FieldType.DATE and column.is_noun]

    def names(self, rows: Rows) -> Iterator[Program]:
        """What rows are called, where a field says it."""
        if self.subject.column is not None:
            yield Cells((self.subject.column.field,), rows)

    def at(self, row: int) -> Rows:
        """The row that a question names."""
        column = self.subject.column
        assert column is not None
        value = column.values[row]
        assert value is not None
        return Where(_ALL, Compare(column.field, Comparison.EQUAL, Constant(value)))


Drawn = Iterator[tuple[str, Program]]
"""Questions of one kind, with their programs."""


def examples(table: Table) -> list[Example]:
    """Questions that the table answers, one of each kind that its fields lend themselves to."""
    columns = columns_of(table)
    subject = subject_of(table, columns)
    asked = _Asked(subject, tuple(column for column in columns if column is not subject.column))
    return first_good({kind: (draw(asked), counts) for kind, (draw, counts) in _KINDS.items()}, [table])


def first_good(kinds: Mapping[str, tuple[Drawn, Sequence[int]]], tables: Sequence[Table]) -> list[Example]:
    """Of each kind the first question whose program gives as many values as it lets expect."""
    found = []
    for kind, (drawn, counts) in kinds.items():
        for question, program in itertools.islice(drawn, _MOST_TRIED):
            if question.isprintable() and _answers(program, tables, counts):
                found.append(Example(kind, question, program))
                break
    return found


def _answers(program: Program, tables: Sequence[Table], counts: Sequence[int]) -> bool:
    try:
        values = run(program, tables).values
    except ProgramError:
        return False
    return len(values) in counts and values != (0,)


# Each kind draws questions until one is good.


def _look_ups(asked: _Asked) -> Drawn:
    """What is the capital of Norway?"""
    subject = asked.subject
    for turn, column in enumerate(sorted(asked.others, key=lambda column: column.is_naming)):
        for row in subject.rows[turn * 3 % max(1, len(subject.rows)) :][:1]:
            if column.values[row] is None:
                continue
            named, program = subject.named(row), Cells((column.field,), asked.at(row))
            if column.is_many and column.is_noun:
                yield f"How many {column.words} does {named} have?", program
            elif column.type is FieldType.DATE and column.is_participle:
                yield f"When was {named} {column.words}?", program
            elif column.is_noun:
                verb = "are" if column.is_plural else "is"
                yield f"What {verb} the {column.words} of {named}?", program


def _superlatives(asked: _Asked) -> Drawn:
    """Which country has the highest population?"""
    for column, (word, direction) in _ends(asked):
        question = f"Which {asked.subject.one} has the {word} {column.words}?"
        for program in asked.names(Extreme(direction, column.term, _ALL)):
            yield question, program
        if asked.subject.column is None:
            yield (
                f"What is the {word} {column.words}?",
                Cells((column.field,), Extreme(direction, column.term, _ALL)),
            )


def _ends(asked: _Asked) -> Iterator[tuple[ColumnWords, tuple[str, Direction]]]:
    for column in asked.measures:
        yield column, ("most" if column.is_many else "highest", Direction.LARGEST)
    for column in asked.dates:
        yield column, ("earliest", Direction.SMALLEST)


def _counts(asked: _Asked) -> Drawn:
    """How many countries have Europe as their continent?"""
    for column, value in _conditions(asked):
        question = f"How many {asked.subject.counted} have {value} as their {column.words}?"
        yield question, Aggregate(Aggregation.COUNT, None, _where(column, value))


def _conditions(asked: _Asked) -> Iterator[tuple[ColumnWords, str]]:
    yield from ((column, value) for column in asked.kinds for value in column.kinds[:2])


def _where(column: ColumnWords, value: Value, comparison: Comparison = Comparison.EQUAL) -> Rows:
    term = column.field if isinstance(value, str) else column.term
    return Where(_ALL, Compare(term, comparison, Constant(value)))


def _thresholds(asked: _Asked) -> Drawn:
    """How many countries have a population above 50,000,000?"""
    for column in asked.measures:
        middle = _round_number(column)
        if middle is None:
            continue
        above = f"{column.words if column.is_plural else an(column.words)} above {middle:,}"
        more = f"more than {middle:,} {column.words}" if column.is_many else above
        question = f"How many {asked.subject.counted} have {more}?"
        yield question, Aggregate(Aggregation.COUNT, None, _where(column, middle, Comparison.MORE))


def _round_number(column: ColumnWords) -> int | None:
    """A round number near the middle of a field of numbers."""
    numbers = sorted(value for value in column.values if isinstance(value, int | float))
    if not numbers or numbers[-1] < 2 or numbers[-1] > 1e15:
        return None
    middle = int(numbers[(len(numbers) - 1) // 2])
    unit = int(10 ** max(0, len(str(abs(middle))) - 1))
    return middle // unit * unit


def _averages(asked: _Asked) -> Drawn:
    """What is the average population?"""
    for column in reversed(asked.measures):
        if column.is_averaged:
            yield f"What is the average {column.number}?", Aggregate(Aggregation.AVERAGE, column.term, _ALL)


def _sums(asked: _Asked) -> Drawn:
    """What is the total quantity?"""
    for column in asked.measures:
        if column.adds_up:
            together = f"How many {column.words} are there altogether?"
            question = together if column.is_many else f"What is the total {column.words}?"
            yield question, Aggregate(Aggregation.SUM, column.term, _ALL)


def _lists(asked: _Asked) -> Drawn:
    """List the countries with Africa as their continent."""
    for column, value in reversed(list(_conditions(asked))):
        question = f"List the {asked.subject.many} with {value} as their {column.words}."
        for program in asked.names(_where(column, value)):
            yield question, program


def _groups(asked: _Asked) -> Drawn:
    """How many countries are there for each continent?"""
    for column in asked.kinds:
        groups = All(Groups(column.field, Aggregation.COUNT, None, _ALL))
        question = f"How many {asked.subject.counted} are there for each {column.words}?"
        yield question, Cells((column.field, Measure()), groups)


def _years(asked: _Asked) -> Drawn:
    """How many rows are there for each year?"""
    if len(asked.dates) == 1 and not any(column.words == "year" for column in asked.others):
        year = PartOf(Part.YEAR, asked.dates[0].field)
        groups = All(Groups(year, Aggregation.COUNT, None, _ALL))
        yield "How many rows are there for each year?", Cells((year, Measure()), groups)


def _measured_groups(asked: _Asked) -> Drawn:
    """What is the average population for each continent?"""
    for column in reversed(asked.kinds):
        for measure in asked.measures:
            groups = All(Groups(column.field, Aggregation.AVERAGE, measure.term, _ALL))
            if measure.is_averaged:
                question = f"What is the average {measure.number} for each {column.words}?"
                yield question, Cells((column.field, Measure()), groups)


def _tops(asked: _Asked) -> Drawn:
    """What are the top 3 countries by population?"""
    for column in asked.measures:
        question = f"What are the top {_TOP} {asked.subject.many} by {column.number}?"
        for program in asked.names(Extreme(Direction.LARGEST, column.term, _ALL, count=_TOP)):
            yield question, program


def _yes_or_no(asked: _Asked) -> Drawn:
    """Is Oslo the capital of Norway?"""
    subject = asked.subject
    for column in asked.others:
        for row in subject.rows[-2:-1] if column.type is FieldType.TEXT and column.is_noun else ():
            value = column.values[row]
            if isinstance(value, str) and is_plain(value) and not column.is_plural:
                question = f"Is {column.texts[row]} the {column.words} of {subject.named(row)}?"
                found = Cells((column.field,), asked.at(row))
                yield question, Holds(found, Comparison.EQUAL, Constant(value))


def _differences(asked: _Asked) -> Drawn:
    """What is the difference in population between Norway and Japan?"""
    subject = asked.subject
    for column in asked.measures:
        known = [row for row in subject.rows if isinstance(column.values[row], int | float)]
        for one, other in itertools.pairwise(known):
            smaller, larger = (row for _, row in sorted((column.values[row], row) for row in (one, other)))
            named = f"{subject.named(larger)} and {subject.named(smaller)}"
            words = f"the {column.number}" if column.is_many else column.words
            question = f"What is the difference in {words} between {named}?"
            cells = (Cells((column.term,), asked.at(row)) for row in (larger, smaller))
            yield question, Combination(Operation.DIFFERENCE, *cells)


_ONE: Final = range(1, 2)
_KINDS: Final[dict[str, tuple[Callable[[_Asked], Drawn], Sequence[int]]]] = {
    "look-up": (_look_ups, _ONE),
    "superlative": (_superlatives, _ONE),
    "count": (_counts, _ONE),
    "count above": (_thresholds, _ONE),
    "list": (_lists, _FEW),
    "groups": (_groups, range(4, 25)),
    "years": (_years, range(6, 81)),
    "top": (_tops, range(_TOP, _TOP + 1)),
    "average": (_averages, _ONE),
    "sum": (_sums, _ONE),
    "average by group": (_measured_groups, range(4, 25)),
    "difference": (_differences, _ONE),
    "yes or no": (_yes_or_no, _ONE),
}
