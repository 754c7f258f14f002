"""Deriving: the derivations that stand for a program, by the links of a question.

A condition is whatever link selects the same rows: "Swiss" for ``country = 'Switzerland'``. Values that no
link has make a program impossible to derive, but for numbers that go without saying: ``won = 1``.
"""

import contextlib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from neural_enquirer.encoding.actions.asked import Asked, spelled_ranks
from neural_enquirer.encoding.actions.grammar import (
    CONSTANTS,
    ORDERINGS,
    PRODUCTION_NUMBERS,
    Action,
    Derivation,
    Pool,
)
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration import Columns
from neural_enquirer.programs.language import Aggregation, Comparison, Direction, Part

__all__ = ["derive"]

_MOST: Final = 6
"""So many derivations of one part are enough."""
_LAST_WORD: Final = 10_000
_FLIPPED: Final = {
    Comparison.LESS: Comparison.MORE,
    Comparison.MORE: Comparison.LESS,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.AT_MOST,
}

Ways = list[Derivation]


class _ImpossibleError(Exception):
    """There is no derivation."""


def derive(program: lang.Program, asked: Asked) -> list[Derivation]:
    """The derivations that stand for a program, the most literal first; none where a value is not linked."""
    try:
        return _Deriver(asked).answer(program)[:_MOST]
    except _ImpossibleError:
        return []


def _use(name: str, *arguments: Ways) -> Ways:
    """A production with all ways of deriving its arguments."""
    first = Action(Pool.PRODUCTION, PRODUCTION_NUMBERS[name])
    ways = itertools.islice(itertools.product(*arguments), _MOST)
    return [(first, *itertools.chain.from_iterable(parts)) for parts in ways]


def _point(pool: Pool, number: int) -> Derivation:
    return (Action(pool, number),)


class _Deriver:
    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._tables: frozenset[str] = frozenset()
        """The names of the tables that the answer at hand is about: fields are looked for there first."""

    @contextlib.contextmanager
    def _about(self, answer: lang.Operand | lang.Single | lang.Program) -> Iterator[None]:
        before = self._tables
        if isinstance(answer, lang.Cells | lang.Aggregate | lang.Exists):
            self._tables = frozenset(_table_names(_source_of(answer.rows)))
        try:
            yield
        finally:
            self._tables = before

    # Answers.

    def answer(self, program: lang.Program) -> Ways:
        with self._about(program):
            return self._answer(program)

    def _answer(self, program: lang.Program) -> Ways:
        match program:
            case lang.Exists(rows):
                return _use("exists", self._rows(rows))
            case lang.Holds(left, comparison, right):
                return self._holds(left, comparison, right)
            case lang.Cells(terms, rows) if _groups_of(rows) is not None:
                return self._group_cells(terms, rows)
            case lang.Cells((term,), rows, True):
                return _use("distinct", self._term(term), self._rows(rows))
            case lang.Cells((one, other), rows, False):
                return _use("pairs", self._term(one), self._term(other), self._rows(rows))
            case lang.Cells((_,)) | lang.Aggregate() | lang.Combination():
                return self._single(program)
        raise _ImpossibleError

    def _holds(self, left: lang.Single, comparison: Comparison, right: lang.Single | lang.OneOf) -> Ways:
        if isinstance(right, lang.OneOf) or comparison not in ORDERINGS:
            raise _ImpossibleError
        return _use(f"holds {comparison.value}", self._single(left), self._single(right))

    def _group_cells(self, terms: tuple[lang.Term, ...], rows: lang.Rows) -> Ways:
        groups = _groups_of(rows)
        assert groups is not None
        match terms:
            case (lang.Measure(),):
                return _use("measures", self._groups(rows))
            case (term,) if term == groups.by:
                return _use("groups", self._groups(rows))
            case (term, lang.Measure()) | (lang.Measure(), term) if term == groups.by:
                return _use("groups with measures", self._groups(rows))
        raise _ImpossibleError

    def _single(self, single: lang.Operand | lang.Single) -> Ways:
        with self._about(single):
            return self._one_value(single)

    def _one_value(self, single: lang.Operand | lang.Single) -> Ways:
        match single:
            case lang.Constant(value):
                return self._constant(value)
            case lang.Combination(operation, left, right):
                return _use(operation.value, self._single(left), self._single(right))
            case lang.Cells((lang.Measure(),), rows):
                return _use("measures", self._groups(rows))
            case lang.Cells((term,), rows):
                return _use("cells", self._term(term, ordered=True), self._rows(rows))
            case lang.Aggregate(aggregation, term, rows):
                return self._aggregate(aggregation, term, rows)
        raise _ImpossibleError

    def _constant(self, value: object) -> Ways:
        if isinstance(value, str):
            folded = value.casefold()
            texts = ((k, self._asked.mention_text(k)) for k in range(self._asked.mention_count))
            found = [k for k, text in texts if text.casefold() == folded]
            return _some(_use("text", [_point(Pool.MENTION, k)]) for k in found)
        ways = _some((_use("number", [way]) for way in self._numbers(value)), needed=False)
        if not ways and value in CONSTANTS:
            ways = _use(str(value))
        return ways or _impossible()

    def _numbers(self, value: object) -> Ways:
        return [
            _point(Pool.QUANTITY, j) for j in range(len(self._asked.said)) if self._asked.number(j) == value
        ]

    def _count(self, value: int) -> Ways:
        ways = self._numbers(value)
        if not ways and 2 <= value <= max(CONSTANTS[:-1]):
            ways = _use(str(value))
        return ways or _impossible()

    def _aggregate(self, aggregation: Aggregation, term: lang.Term | None, rows: lang.Rows) -> Ways:
        if _groups_of(rows) is None:
            return self._measured(aggregation.value, aggregation, term, self._rows(rows))
        if aggregation is Aggregation.COUNT:
            return _use("count groups", self._groups(rows))
        if not isinstance(term, lang.Measure) or aggregation is Aggregation.COUNT_DISTINCT:
            raise _ImpossibleError
        return _use(f"{aggregation.value} of measures", self._groups(rows))

    def _measured(
        self, name: str, aggregation: Aggregation, term: lang.Term | None, rows: Ways, by: Sequence[Ways] = ()
    ) -> Ways:
        ordered = aggregation is not Aggregation.COUNT_DISTINCT
        terms = [] if term is None else [self._term(term, ordered=ordered)]
        return _use(name, *by, *terms, rows)

    # Rows.

    def _rows(self, rows: lang.Rows) -> Ways:
        match rows:
            case lang.All(lang.Groups()):
                raise _ImpossibleError
            case lang.All(source):
                return self._all(source)
            case lang.Where(inner, condition):
                return self._where(condition, self._rows(inner), _source_of(inner))
            case lang.Beside(step, inner):
                return _use(step.value, self._rows(inner))
            case lang.Extreme(direction, by, inner, nth, count):
                end = _end(direction, *(("last", "first") if by is None else ("largest", "smallest")))
                terms = [] if by is None else [self._term(by, ordered=True)]
                return self._extreme(end, nth, count, [*terms, self._rows(inner)])
        raise _ImpossibleError

    def _extreme(self, end: str, nth: int, count: int, arguments: list[Ways]) -> Ways:
        if nth > 1:
            return _use(f"nth {end}", self._count(nth), *arguments)
        if count > 1:
            return _use(f"n {end}", self._count(count), *arguments)
        return _use(end, *arguments)

    def _all(self, source: lang.Source) -> Ways:
        while isinstance(source, lang.Join):
            source = source.left
        if len(self._asked.tables) == 1:
            return _use("all", [()])
        for number, table in enumerate(self._asked.tables):
            if table.name == source:
                return _use("all", [_point(Pool.TABLE, number)])
        raise _ImpossibleError

    def _where(self, condition: lang.Condition, rows: Ways, source: lang.Source) -> Ways:
        """Rows that fulfil conditions one after the other, in the order in which the question says them."""
        parts = condition.parts if isinstance(condition, lang.And) else (condition,)
        derived = sorted((self._condition(part, source) for part in parts), key=self._first_word)
        for ways in reversed(derived):
            rows = _use("where", ways, rows)
        return rows

    def _first_word(self, ways: Ways) -> int:
        links, said = self._asked.links[0], self._asked.said
        spoken = {
            **{(Pool.MENTION, number): start for number, (start, _) in enumerate(links.mentions)},
            **{(Pool.QUANTITY, number): one.words[0] for number, one in enumerate(said)},
        }
        starts = [spoken[action] for action in ways[0] if action in spoken]
        return min(starts, default=_LAST_WORD)

    def _groups(self, rows: lang.Rows) -> Ways:
        match rows:
            case lang.All(lang.Groups(by, aggregation, term, inner)):
                name = f"{aggregation.value} by"
                return self._measured(name, aggregation, term, self._rows(inner), [self._term(by)])
            case lang.Extreme(direction, lang.Measure(), inner, nth, count):
                return self._extreme(_end(direction, "most", "least"), nth, count, [self._groups(inner)])
            case lang.Where(inner, lang.Compare(lang.Measure(), comparison, operand)) if (
                comparison in ORDERINGS
            ):
                return _use(f"measure {comparison.value}", self._single(operand), self._groups(inner))
        raise _ImpossibleError

    # Conditions.

    def _condition(self, condition: lang.Condition, source: lang.Source) -> Ways:
        match condition:
            case lang.Missing(term):
                return _use("missing", self._term(term))
            case lang.Not(lang.Missing(term)):
                return _use("present", self._term(term))
            case lang.And(parts) | lang.Or(parts):
                name = "and" if isinstance(condition, lang.And) else "or"
                return self._chained(name, [self._condition(part, source) for part in parts])
            case lang.Compare(_, _, lang.Constant()):
                return self._said(condition)
            case (
                lang.Compare(_, _, lang.OneOf())
                | lang.Between()
                | lang.Not(lang.Compare(_, _, lang.Constant() | lang.OneOf()))
            ):
                return self._linked(condition)
            case lang.Not(part):
                return _use("not", self._condition(part, source))
            case lang.Compare(
                term, comparison, lang.Field() | lang.PartOf() | lang.Arithmetic() | lang.Measure() as other
            ):
                return _use(f"other {comparison.value}", self._term(term), self._term(other))
            case lang.Compare():
                return self._than(condition)
        raise _ImpossibleError

    def _said(self, condition: lang.Compare) -> Ways:
        """A comparison with a value that a link has, or with a number that goes without saying."""
        try:
            return self._linked(condition)
        except _ImpossibleError:
            return self._than(condition)

    def _than(self, condition: lang.Compare) -> Ways:
        comparison = condition.comparison
        if comparison not in ORDERINGS:
            raise _ImpossibleError
        term = self._term(condition.term, ordered=comparison in _FLIPPED)
        operand = condition.operand
        if isinstance(operand, lang.Constant) and isinstance(operand.value, str):
            operand = lang.Constant(self._rank(operand.value))
        return _use(f"than {comparison.value}", term, self._single(operand))

    def _rank(self, text: str) -> int | str:
        """The number that a text such as 1st stands for; the text itself where it is no rank."""
        return next((number for number in CONSTANTS if text in spelled_ranks(number)), text)

    def _chained(self, name: str, parts: list[Ways]) -> Ways:
        parts = sorted(parts, key=self._first_word)
        chain = parts[-1]
        for part in reversed(parts[:-1]):
            chain = _use(name, part, chain)
        return chain

    def _linked(self, condition: lang.Condition) -> Ways:
        """The links that select the same rows as a comparison with values: those of its own field first."""
        inner = condition.part if isinstance(condition, lang.Not) else condition
        assert isinstance(inner, lang.Compare | lang.Between)
        negated = isinstance(condition, lang.Not) != _differs(inner)
        pointer = self._pointer(_field_of(inner.term))
        place = self._asked.places[pointer]
        assert place is not None
        positive = replace(_positive(inner), term=_of_field(inner.term, self._asked.field(place)))
        ways = list(self._same_rows(positive, place.table, pointer, negated=negated))
        if not ways and isinstance(inner, lang.Compare) and isinstance(inner.operand, lang.OneOf):
            each = [
                self._linked(lang.Compare(inner.term, inner.comparison, constant))
                for constant in inner.operand.values
            ]
            return self._chained("and" if negated else "or", each)
        return [way for _, way in sorted(ways, key=lambda one: one[0])][:_MOST] or _impossible()

    def _same_rows(
        self, wanted: lang.Compare | lang.Between, table: int, pointer: int, *, negated: bool
    ) -> Iterator[tuple[int, Derivation]]:
        """Links that select the same rows, each with how far it is from what is written."""
        asked = self._asked
        columns = asked.columns(table)
        rows = columns.rows_where(wanted)
        for (mention, n), condition in asked.named.items():
            place = asked.places[n]
            if place is None or place.table != table or not isinstance(condition, lang.Compare):
                continue
            if condition == wanted or (rows and _same(columns, condition, wanted, negated=negated)):
                way = _use(
                    "is not" if negated else "is",
                    [_point(Pool.MENTION, mention)],
                    [_point(Pool.FIELD, n)],
                )[0]
                yield (0 if n == pointer else 5), way
        yield from self._same_comparisons(wanted, rows, pointer, negated=negated)

    def _same_comparisons(
        self, wanted: lang.Compare | lang.Between, rows: int, pointer: int, *, negated: bool
    ) -> Iterator[tuple[int, Derivation]]:
        asked = self._asked
        place = asked.places[pointer]
        assert place is not None
        columns = asked.columns(place.table)
        here = [_point(Pool.FIELD, pointer)]
        literal = wanted.comparison if isinstance(wanted, lang.Compare) else Comparison.EQUAL
        fitting = [j for j, fields in asked.comparable.items() if pointer in fields]
        for j in fitting:
            for comparison in ORDERINGS:
                condition = asked.compared(comparison, j, place)
                if not isinstance(condition, lang.Compare | lang.Between):
                    continue
                if condition == wanted or (rows and columns.rows_where(condition) == rows):
                    ways = _use(comparison.value, [_point(Pool.QUANTITY, j)], here)
                    yield (1 if comparison is literal else 3), (_use("not", ways) if negated else ways)[0]
        for low, high in itertools.permutations(fitting, 2):
            condition = asked.within(low, high, place)
            if not isinstance(condition, lang.Between):
                continue
            if condition == wanted or (rows and columns.rows_where(condition) == rows):
                pair = [_point(Pool.QUANTITY, low)], [_point(Pool.QUANTITY, high)]
                ways = _use("between", *pair, here)
                yield 2, (_use("not", ways) if negated else ways)[0]

    # Terms.

    def _term(self, term: lang.Term, *, ordered: bool = False) -> Ways:
        match term:
            case lang.Field():
                return [_point(Pool.FIELD, self._pointer(term))]
            case lang.PartOf(Part.NUMBER | Part.AMOUNT, lang.Field() as field) if ordered:
                return [_point(Pool.FIELD, self._pointer(field))]
            case lang.PartOf(Part.YEAR | Part.MONTH | Part.DAY as part, inner):
                field = _field_of(inner)
                return _use(part.value, [_point(Pool.FIELD, self._pointer(field))])
            case lang.Arithmetic(operation, left, right):
                both = (self._term(left, ordered=True), self._term(right, ordered=True))
                return _use(f"{operation.value} of fields", *both)
        raise _ImpossibleError

    def _pointer(self, field: lang.Field) -> int:
        try:
            return self._asked.pointer(field, self._tables)
        except ValueError as error:
            raise _ImpossibleError from error


def _some(found: Iterable[Ways], *, needed: bool = True) -> Ways:
    ways = [way for some in found for way in some]
    if needed and not ways:
        raise _ImpossibleError
    return ways


def _impossible() -> Ways:
    raise _ImpossibleError


def _end(direction: Direction, largest: str, smallest: str) -> str:
    return largest if direction is Direction.LARGEST else smallest


def _groups_of(rows: lang.Rows) -> lang.Groups | None:
    source = _source_of(rows)
    return source if isinstance(source, lang.Groups) else None


def _source_of(rows: lang.Rows) -> lang.Source:
    while not isinstance(rows, lang.All):
        rows = rows.rows
    return rows.source


def _table_names(source: lang.Source) -> Iterator[str]:
    if isinstance(source, lang.Groups):
        yield from _table_names(_source_of(source.rows))
    elif isinstance(source, lang.Join):
        yield from _table_names(source.left)
        yield source.right
    elif source is not None:
        yield source


def _same(columns: Columns, one: lang.Compare, other: lang.Compare | lang.Between, *, negated: bool) -> bool:
    """Whether conditions select the same rows; denied ones also leave out those where a cell is missing."""
    if columns.rows_where(one) != columns.rows_where(other):
        return False
    fields = columns.column(one.term), columns.column(other.term)
    return not negated or len({field.present for field in fields if field is not None}) < 2


def _differs(condition: lang.Compare | lang.Between) -> bool:
    return isinstance(condition, lang.Compare) and condition.comparison is Comparison.DIFFERS


def _positive(condition: lang.Compare | lang.Between) -> lang.Compare | lang.Between:
    """What a condition denies, where it denies something."""
    if isinstance(condition, lang.Compare) and condition.comparison is Comparison.DIFFERS:
        return lang.Compare(condition.term, Comparison.EQUAL, condition.operand)
    return condition


def _of_field(term: lang.Term, field: lang.Field) -> lang.Term:
    """A field, or a part of one, with its field named as the question's tables need it."""
    return lang.PartOf(term.part, _of_field(term.term, field)) if isinstance(term, lang.PartOf) else field


def _field_of(term: lang.Term) -> lang.Field:
    while isinstance(term, lang.PartOf):
        term = term.term
    if not isinstance(term, lang.Field):
        raise _ImpossibleError
    return term
