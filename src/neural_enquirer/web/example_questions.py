"""Questions to try on tables, made from their own fields and cells: one of every kind that can be asked.

Each comes with the program that answers it, which was run: what it gives is an answer worth asking for.
"""

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.encoding.actions.joins import find_join
from neural_enquirer.programs import Program, ProgramError, parse, run, term_text
from neural_enquirer.programs.language import Comparison, Constant, Join
from neural_enquirer.programs.language import Field as FieldOf
from neural_enquirer.tables import FieldType, Table
from neural_enquirer.web.example_words import ColumnWords, Subject, an, columns_of, is_plain, subject_of

_MOST_TRIED: Final = 6
_TOP: Final = 3


@dataclass(frozen=True)
class Example:
    """A question of some kind, and the program that answers it."""

    kind: str
    question: str
    program: Program


@dataclass(frozen=True)
class _Asked:
    """What questions are made of.

    Attributes:
        subject: what rows are about.
        others: the other fields; of two tables those of the second, whose rows the first one's go with.
        measures: fields with more or less of something.
        kinds: fields whose values tell kinds of rows apart.
        conditions: some of these fields, with values to ask for.
        among: which rows programs are about, behind a comma; nothing for all rows of the only table.
        link: the field that says which row of the second table goes with a row, where there are two.
    """

    subject: Subject
    others: Sequence[ColumnWords]
    measures: Sequence[ColumnWords]
    kinds: Sequence[ColumnWords]
    conditions: Sequence[tuple[ColumnWords, str]]
    among: str = ""
    link: ColumnWords | None = None

    @property
    def dates(self) -> list[ColumnWords]:
        return [column for column in self.others if column.type is FieldType.DATE and column.is_noun]

    def row(self, row: int) -> str:
        """The rows of a program that are called as this one is."""
        column = self.subject.column
        assert column is not None
        value = column.values[row]
        assert value is not None
        return f"rows({column.where(value)}{self.among})"


Drawn = Iterator[tuple[str, str]]
"""Questions of one kind, with their programs."""


def examples(table: Table) -> list[Example]:
    """Questions that the table answers, one of each kind that its fields lend themselves to."""
    columns = columns_of(table)
    subject = subject_of(table, columns)
    others = [column for column in columns if column is not subject.column]
    kinds = [column for column in others if column.kinds and column.is_noun]
    measures = [column for column in others if column.is_measure and column.is_noun]
    conditions = [(column, value) for column in kinds for value in column.kinds[:2]]
    asked = _Asked(subject, others, measures, kinds, conditions)
    return _first_good({kind: (draw(asked), counts) for kind, (draw, counts) in _KINDS.items()}, [table])


def examples_across(tables: Sequence[Table]) -> list[Example]:
    """Questions that only the first two tables that go together can answer; none where no two do."""
    for asked in _together(tables):
        kinds = {
            "look-up": (_look_ups_across(asked), _ONE),
            "count": (_counts(asked), _ONE),
            "groups": (_groups(asked), _GROUPS),
            "average by group": (_averages_by_group(asked), _GROUPS),
        }
        if found := _first_good(kinds, tables):
            return found
    return []


def _first_good(kinds: Mapping[str, tuple[Drawn, Sequence[int]]], tables: Sequence[Table]) -> list[Example]:
    """Of each kind the first question whose program gives as many values as it lets expect."""
    found = []
    for kind, (drawn, counts) in kinds.items():
        for question, text in itertools.islice(drawn, _MOST_TRIED):
            program = parse(text)
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


def _together(tables: Sequence[Table]) -> Iterator[_Asked]:
    """Two tables whose rows go together, each of the first with one of the second."""
    for left, right in itertools.permutations(range(len(tables)), 2):
        join = find_join(tables, left, right)
        if join is not None:
            keys = [value for value in tables[right].column(join.on[0][1].name) if value is not None]
            if len(set(keys)) == len(keys) and (asked := _asked_of_both(tables[left], tables[right], join)):
                yield asked


def _asked_of_both(left: Table, right: Table, join: Join) -> _Asked | None:
    own, others = (
        [dataclasses.replace(column, table=table.name) for column in columns_of(table)]
        for table in (left, right)
    )
    mine, theirs = join.on[0]
    link = next((column for column in own if column.name == mine.name), None)
    if link is None or not link.is_noun:
        return None
    subject = subject_of(left, own)
    named = [column for column in others if column.name != theirs.name and column.is_noun]
    kinds = [column for column in named if column.type is FieldType.TEXT and not column.is_plural]
    sides = ", ".join(term_text(FieldOf(table.name)) for table in (left, right))
    return _Asked(
        subject=subject,
        others=named,
        measures=[column for column in own if column.is_averaged and column is not subject.column],
        kinds=kinds,
        conditions=[(column, value) for column in kinds for value in dict.fromkeys(column.said)],
        among=f", join({sides}, {term_text(mine)} = {term_text(theirs)})",
        link=link,
    )


# Each kind draws questions until one is good.


def _look_ups(asked: _Asked) -> Drawn:
    """What is the capital of Norway?"""
    subject = asked.subject
    for turn, column in enumerate(sorted(asked.others, key=lambda column: column.is_naming)):
        for row in subject.rows[turn * 3 % max(1, len(subject.rows)) :][:1]:
            if column.values[row] is None:
                continue
            named, program = subject.named(row), f"cells({column.field}, {asked.row(row)})"
            if column.is_many and column.is_noun:
                yield f"How many {column.words} does {named} have?", program
            elif column.type is FieldType.DATE and column.is_participle:
                yield f"When was {named} {column.words}?", program
            elif column.is_noun:
                yield f"What {'are' if column.is_plural else 'is'} the {column.words} of {named}?", program


def _look_ups_across(asked: _Asked) -> Drawn:
    """What is the city of the customer of order 17?"""
    assert asked.link is not None
    for column in asked.others if asked.subject.column not in (None, asked.link) else ():
        for row in asked.subject.rows[:2] if not column.is_plural else ():
            named = f"the {asked.link.words} of {asked.subject.named(row)}"
            yield f"What is the {column.words} of {named}?", f"cells({column.field}, {asked.row(row)})"


def _superlatives(asked: _Asked) -> Drawn:
    """Which country has the highest population?"""
    ends = [(column, _most(column), "largest") for column in asked.measures]
    ends += [(column, "earliest", "smallest") for column in asked.dates]
    for column, word, end in ends:
        name = asked.subject.column
        one = f"Which {asked.subject.one} has the {word} {column.words}?"
        alone = f"What is the {'highest' if column.is_many else word} {column.number}?"
        yield alone if name is None else one, f"cells({(name or column).field}, {end}({column.term}))"


def _most(column: ColumnWords) -> str:
    if column.is_many:
        return "most"
    return "longest" if column.is_duration else "highest"


def _counts(asked: _Asked) -> Drawn:
    """How many countries have Europe as their continent? Or: have a customer with Paris as their city?"""
    whose = f"{an(asked.link.words)} with " if asked.link is not None else ""
    for column, value in asked.conditions:
        question = f"How many {asked.subject.counted} have {whose}{value} as their {column.words}?"
        yield question, f"count(rows({column.where(value)}{asked.among}))"


def _thresholds(asked: _Asked) -> Drawn:
    """How many countries have a population above 50,000,000?"""
    for column in asked.measures:
        middle = _round_number(column)
        if middle is not None:
            above = f"{column.words if column.is_plural else an(column.words)} above {middle:,}"
            more = f"more than {middle:,} {column.words}" if column.is_many else above
            program = f"count(rows({column.where(middle, Comparison.MORE)}))"
            yield f"How many {asked.subject.counted} have {more}?", program


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
            yield f"What is the average {column.number}?", f"average({column.term})"


def _sums(asked: _Asked) -> Drawn:
    """What is the total quantity?"""
    for column in asked.measures:
        if column.adds_up:
            together = f"How many {column.words} are there altogether?"
            yield together if column.is_many else f"What is the total {column.words}?", f"sum({column.term})"


def _lists(asked: _Asked) -> Drawn:
    """List the countries with Africa as their continent."""
    name = asked.subject.column
    if name is not None:
        for column, value in reversed(asked.conditions):
            question = f"List the {asked.subject.many} with {value} as their {column.words}."
            yield question, f"cells({name.field}, rows({column.where(value)}))"


def _groups(asked: _Asked) -> Drawn:
    """How many countries are there for each continent?"""
    for column in asked.kinds:
        question = f"How many {asked.subject.counted} are there for each {column.words}?"
        yield question, _each(column.field, "count", asked)


def _each(by: str, measured: str, asked: _Asked) -> str:
    return f"cells({by}, measure, groups({by}, {measured}{asked.among}))"


def _years(asked: _Asked) -> Drawn:
    """How many rows are there for each year?"""
    if len(asked.dates) == 1 and not any(column.words == "year" for column in asked.others):
        yield (
            "How many rows are there for each year?",
            _each(f"year_of({asked.dates[0].field})", "count", asked),
        )


def _averages_by_group(asked: _Asked) -> Drawn:
    """What is the average population for each continent?"""
    for column in asked.kinds if asked.link is not None else reversed(asked.kinds):
        for measure in asked.measures:
            if measure.is_averaged:
                question = f"What is the average {measure.number} for each {column.words}?"
                yield question, _each(column.field, f"average({measure.term})", asked)


def _tops(asked: _Asked) -> Drawn:
    """What are the top 3 countries by population?"""
    name = asked.subject.column
    if name is not None:
        for column in asked.measures:
            question = f"What are the top {_TOP} {asked.subject.many} by {column.number}?"
            yield question, f"cells({name.field}, largest({_TOP}, {column.term}))"


def _yes_or_no(asked: _Asked) -> Drawn:
    """Is Oslo the capital of Norway?"""
    subject = asked.subject
    for column in asked.others:
        for row in subject.rows[-2:-1] if column.type is FieldType.TEXT and column.is_noun else ():
            value = column.values[row]
            if isinstance(value, str) and is_plain(value) and not column.is_plural:
                question = f"Is {column.texts[row]} the {column.words} of {subject.named(row)}?"
                yield (
                    question,
                    f"holds(cells({column.field}, {asked.row(row)}) = {term_text(Constant(value))})",
                )


def _differences(asked: _Asked) -> Drawn:
    """What is the difference in population between Norway and Japan?"""
    subject = asked.subject
    for column in asked.measures:
        known = [row for row in subject.rows if isinstance(column.values[row], int | float)]
        for one, other in itertools.pairwise(known):
            smaller, larger = (row for _, row in sorted((column.values[row], row) for row in (one, other)))
            named = f"{subject.named(larger)} and {subject.named(smaller)}"
            words = f"the {column.number}" if column.is_many else column.words
            cells = ", ".join(f"cells({column.term}, {asked.row(row)})" for row in (larger, smaller))
            yield f"What is the difference in {words} between {named}?", f"difference({cells})"


_ONE: Final = range(1, 2)
_GROUPS: Final = range(4, 25)
_KINDS: Final[dict[str, tuple[Callable[[_Asked], Drawn], Sequence[int]]]] = {
    "look-up": (_look_ups, _ONE),
    "superlative": (_superlatives, _ONE),
    "count": (_counts, _ONE),
    "count above": (_thresholds, _ONE),
    "list": (_lists, range(2, 11)),
    "groups": (_groups, _GROUPS),
    "years": (_years, range(6, 81)),
    "top": (_tops, range(_TOP, _TOP + 1)),
    "average": (_averages, _ONE),
    "sum": (_sums, _ONE),
    "average by group": (_averages_by_group, _GROUPS),
    "difference": (_differences, _ONE),
    "yes or no": (_yes_or_no, _ONE),
}
