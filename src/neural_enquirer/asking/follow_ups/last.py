"""What was asked before: a question, its program, and what the answer was about."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from neural_enquirer.asking.answer import Answer
from neural_enquirer.encoding.text import STOP_WORDS, header_words, stem, words_of
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
    Exists,
    Extreme,
    Field,
    Groups,
    Holds,
    Measure,
    OneOf,
    Program,
    Rows,
    Single,
    Term,
    Where,
)
from neural_enquirer.programs.parsing import parse
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.trees import field_of, leaves, parts
from neural_enquirer.programs.types import kind_of, scope_of, source_of
from neural_enquirer.tables import FieldType, Table, Value

__all__ = ["About", "Last", "rows_of"]

_ENDS: Final = {Aggregation.MAXIMUM: Direction.LARGEST, Aggregation.MINIMUM: Direction.SMALLEST}
_MOSTLY: Final = 0.85


@dataclass(frozen=True)
class Last:
    """A question that was answered before.

    Attributes:
        question: as it was typed.
        program: what answered it.
        confidence: how probable it is that this was right.
    """

    question: str
    program: Program
    confidence: float = 1.0

    @classmethod
    def of(cls, answer: Answer) -> "Last | None":
        """What an answer leaves to go on from: its program, or the likeliest one where it is a refusal."""
        found = next((each for each in answer.ranked if each.program is not None), None)
        if found is None or found.program is None:
            return None
        return cls(answer.question, found.program, found.probability)

    @classmethod
    def read(cls, question: str, program: str, confidence: float = 1.0) -> "Last":
        """A question with its program in one line, and how sure that was.

        Raises:
            ProgramError: if the line is no program.
        """
        return cls(question, parse(program), confidence)


@dataclass(frozen=True, eq=False)
class About:
    """What the last answer was about.

    Attributes:
        last: the question and its program.
        tables: what was asked.
        run: runs programs over them.
    """

    last: Last
    tables: tuple[Table, ...]
    run: Callable[[Program], Result] = field(repr=False)

    @property
    def program(self) -> Program:
        """The last program."""
        return self.last.program

    @functools.cached_property
    def values(self) -> tuple[Value, ...]:
        """What it answered."""
        return self.run(self.program).values

    @functools.cached_property
    def rows(self) -> Rows:
        """The rows that the answer is about: those that were counted or listed, or that of the largest."""
        return self.behind(self.program) or All(source_of(rows_of(self.program) or All()))

    def behind(self, program: Program | Single) -> Rows | None:
        """The rows of tables behind an answer; None where there are none."""
        match program:
            case Aggregate(aggregation, term, rows) if aggregation in _ENDS:
                end = Extreme(_ENDS[aggregation], term, rows)
                is_end = isinstance(rows, Extreme) and (rows.direction, rows.by) == (end.direction, end.by)
                return self._below(rows if is_end else end)
            case Cells(rows=rows) | Aggregate(rows=rows) | Exists(rows):
                return self._below(rows)
            case Combination(_, left, right) | Holds(left, _, right):
                return self.behind(left) or (None if isinstance(right, OneOf) else self.behind(right))
        return None

    def _below(self, rows: Rows) -> Rows:
        """Rows of tables: those of the groups that rows are."""
        source = source_of(rows)
        if not isinstance(source, Groups):
            return rows
        if isinstance(rows, All):
            return source.rows
        values = self.run(Cells((source.by,), rows)).values
        return Where(source.rows, Compare(source.by, Comparison.EQUAL, _choice(values))) if values else rows

    @functools.cached_property
    def entity(self) -> Rows | None:
        """All rows that have what was answered, where that is a text that more rows may have."""
        match self.program:
            case Cells((Field() as term,), rows) if not isinstance(source_of(rows), Groups):
                if len(set(self.values)) == 1 and isinstance(self.values[0], str):
                    condition = Compare(term, Comparison.EQUAL, _choice(self.values))
                    return Where(All(source_of(rows)), condition)
        return None

    def repeats(self, cells: Cells) -> bool:
        """Whether cells have a value twice."""
        values = self.run(cells).values
        return len(set(values)) < len(values)

    def count(self, rows: Rows) -> int:
        """How many rows there are, one at least."""
        (count,) = self.run(Aggregate(Aggregation.COUNT, None, rows)).values
        assert isinstance(count, int)
        return max(1, count)

    @functools.cached_property
    def terms(self) -> tuple[Term, ...]:
        """What the program asks for: the terms of cells, or what was measured."""
        match self.program:
            case Cells(terms, rows):
                return () if isinstance(source_of(rows), Groups) else terms
            case Aggregate(_, term) if term is not None:
                return (term,)
        return ()

    def has_order(self, term: Term) -> bool:
        """Whether a term has a largest value that people would ask for: numbers and dates."""
        if isinstance(term, Measure):
            return False
        return kind_of(term, scope_of(self.rows, self.tables)) is not FieldType.TEXT

    @functools.cached_property
    def measures(self) -> tuple[Term, ...]:
        """The terms that were compared, measured or put in order, the outermost first."""
        found: list[Term] = [*self.terms]
        for part in parts(self.program):
            match part:
                case Aggregate(_, term) | Extreme(_, term) | Groups(_, _, term) if term is not None:
                    found.append(term)
        return tuple(dict.fromkeys(found))

    @property
    def compared(self) -> tuple[Term, ...]:
        """The same with the terms that conditions compare."""
        return tuple(dict.fromkeys([*self.measures, *(each.term for each in leaves(self.program))]))

    @functools.cached_property
    def label(self) -> Term | None:
        """The field that the rows are called by; not one that the program has told something of."""
        return self._label(frozenset(field_of(each.term) for each in leaves(self.program)))

    @functools.cached_property
    def known(self) -> frozenset[Field | None]:
        """The fields in which the rows have one value that the program says."""
        return frozenset(
            field_of(each.term)
            for each in leaves(self.program)
            if isinstance(each, Compare) and each.comparison is Comparison.EQUAL
        )

    @property
    def name(self) -> Term | None:
        """The field that any rows are called by."""
        return self._label(frozenset())

    @functools.cached_property
    def shared(self) -> Cells | None:
        """Those that share what was looked up, without the one that it was looked up for: who else?"""
        match self.program:
            case Cells((Field(),), Where(_, Compare(Field() as by, Comparison.EQUAL, Constant() as one))):
                if self.entity is not None:
                    return Cells((by,), Where(self.entity, Compare(by, Comparison.DIFFERS, one)))
        return None

    def _label(self, taken: frozenset[Field | None]) -> Term | None:
        """The field that rows are called by, but for some."""
        table = self._table
        fields = [self._field(table, place) for place in range(len(table.fields))]
        free = [place for place, each in enumerate(fields) if each not in taken]
        texts = [place for place in free if _is_text(table, place)]
        nouns = [place for place in texts if self._is_named(table, place)]
        telling = [place for place in texts if _is_telling(table, place)]
        chosen = next(iter([*nouns, *telling, *texts, *free]), None)
        return None if chosen is None else fields[chosen]

    @property
    def _table(self) -> Table:
        source = source_of(self.rows)
        return next((table for table in self.tables if table.name == source), self.tables[0])

    def _field(self, table: Table, place: int) -> Field:
        return Field(table.field_names[place], table.name if len(self.tables) > 1 else None)

    def _is_named(self, table: Table, place: int) -> bool:
        """Whether the last question names a field."""
        own = {stem(word) for word in header_words(table.field_names[place])[0]}
        return bool(own) and own <= self._said

    @functools.cached_property
    def _said(self) -> frozenset[str]:
        return frozenset(stem(word) for word in words_of(self.last.question) if word not in STOP_WORDS)


def rows_of(program: Program) -> Rows | None:
    """The rows of a program, where it has some of its own."""
    match program:
        case Cells(rows=rows) | Aggregate(rows=rows) | Exists(rows):
            return rows
    return None


def _choice(values: tuple[Value, ...]) -> Constant | OneOf:
    different = tuple(dict.fromkeys(values))
    return Constant(different[0]) if len(different) == 1 else OneOf(tuple(map(Constant, different)))


def _is_text(table: Table, place: int) -> bool:
    return table.fields[place].type is FieldType.TEXT and table.amounts(place) is None


def _is_telling(table: Table, place: int) -> bool:
    """Whether hardly two rows have the same text."""
    column = table.columns[place]
    return len(set(column)) >= _MOSTLY * max(1, len(column))
