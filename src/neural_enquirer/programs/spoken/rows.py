"""How a sentence names rows, the conditions that they fulfil, and the values that parts of a program give."""

import functools
from collections.abc import Callable, Sequence
from typing import Final, assert_never

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.execution import Runner
from neural_enquirer.programs.language import Aggregation, Comparison, Direction, Operation, Step
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.programs.spoken.clauses import (
    THAT,
    Clause,
    Clauses,
    choice,
    joint,
    no_choice,
    predicate,
    predicate_of_all,
    said,
    than,
)
from neural_enquirer.programs.spoken.terms import COMBINED, Kind, Terms, days
from neural_enquirer.programs.spoken.units import NO_UNIT, Unit
from neural_enquirer.programs.text import ENDS
from neural_enquirer.programs.trees import is_table
from neural_enquirer.programs.types import source_of
from neural_enquirer.tables import Table, Value

_STEPS: Final = {
    Step.NEXT: "right after",
    Step.PREVIOUS: "right before",
    Step.AFTER: "after",
    Step.BEFORE: "before",
}
_STEPS_OF_ONE: Final = (Step.NEXT, Step.PREVIOUS)
CHOSEN: Final = (
    Aggregation.COUNT_DISTINCT,
    Aggregation.MINIMUM,
    Aggregation.MAXIMUM,
    Aggregation.RANGE,
)
"""What is found among rows; other aggregations are worked out over all of them."""
_FURTHER: Final = {Operation.TOTAL: "more", Operation.DIFFERENCE: "less"}


class Phrases:
    """The phrases of one sentence over given tables; what they have to know is found by running parts."""

    def __init__(self, tables: Sequence[Table], result: Result) -> None:
        self._tables = tables
        self._result = result
        self._values: dict[lang.Program, tuple[Value, ...]] = {}
        self._counts = {each.step: len(each) for each in result.steps}
        self._terms: dict[lang.Source, Terms] = {}

    @classmethod
    def of(cls, program: lang.Program, result: Result, tables: Sequence[Table]) -> "Phrases":
        """The phrases for a program that was run: its rows and values need not be found again."""
        say = cls(tables, result)
        say._values[program] = result.values
        match program, result.values:
            case lang.Aggregate(_, None, rows), (int() as count,):
                say._counts[rows] = count
        return say

    @functools.cached_property
    def _run(self) -> Callable[[lang.Program], tuple[Value, ...]]:
        """Runs parts of the program; rows that are there already are not looked for again."""
        runner = Runner(self._tables, self._result.steps)
        return self._result.parts or (lambda program: runner.run(program).values)

    def terms(self, rows: lang.Rows) -> Terms:
        """The terms that rows have: those of their source."""
        source = source_of(rows)
        if source not in self._terms:
            self._terms[source] = Terms.of(lang.All(source), self._tables)
        return self._terms[source]

    def values(self, program: lang.Program) -> tuple[Value, ...]:
        """What a part of the program answers."""
        known = self._values.get(program)
        if known is None and isinstance(program, lang.Aggregate) and program.term is None:
            known = (self.count(program.rows),)
        if known is None:
            known = self._values[program] = self._run(program)
        return known

    def count(self, rows: lang.Rows) -> int:
        """How many rows there are."""
        known = self._counts.get(rows)
        if known is None:
            (found,) = self._run(lang.Aggregate(Aggregation.COUNT, None, rows))
            assert isinstance(found, int)
            known = self._counts[rows] = found
        return known

    # Rows.

    def rows(self, rows: lang.Rows, only: bool = False) -> str:
        """Certain rows: the 12 rows where department is Sales, all 12 rows, the first row, the only row."""
        count = self.count(rows)
        match rows:
            case lang.Extreme(_, None):
                return self._in_order(rows, count, only)
            case lang.All() if count > 1:
                number = f"all {count:,}" if count > 2 else "both"
                return f"{number} {self.noun(rows, count)}{self._told(rows)}"
            case lang.Extreme(count=asked):
                only = False
                count = min(count, asked) if asked > 1 else max(count, 1)
            case lang.Beside(step) if step in _STEPS_OF_ONE:
                only = False
                count = max(count, 1)
        alone = count == 1 and (only or isinstance(rows, lang.All))
        number = f"{count:,} " if count > 1 else "only " * alone
        return f"the {number}{self.noun(rows, count)}{self._told(rows)}"

    def plainly(self, rows: lang.Rows) -> lang.Rows:
        """Rows without a superlative that has but one to choose from."""
        match rows:
            case lang.Extreme(by=by, rows=lang.Where() as inner) if (
                by and self.count(rows) == self.count(inner) == 1
            ):
                return inner
        return rows

    def some(self, rows: lang.Rows, count: int) -> str:
        """So many rows that there are: no row where department is Sales, 12 rows."""
        if isinstance(rows, lang.Extreme) and rows.by is None:
            place = self.rows(rows)
            return place if count > 1 else f"{'a' if count else 'no'} {place.removeprefix('the ')}"
        number = spoken.in_words(count) if count < 2 else f"{count:,}"
        return f"{number} {self.noun(rows, max(count, 1))}{self._told(rows)}"

    def noun(self, rows: lang.Rows, count: int) -> str:
        """What rows are called: rows, rows of orders, values of borough."""
        noun, source = self.terms(rows).rows(count), source_of(rows)
        if isinstance(source, lang.Groups) or len(self._tables) == 1:
            return noun
        return f"{noun} of {self._source(source)}"

    def plural(self, rows: lang.Rows, count: int = 2) -> str:
        """Rows without saying how many there are: rows where department is Sales."""
        return f"{self.noun(rows, count)}{self._told(rows)}"

    def nothing(self, rows: lang.Rows) -> str:
        """Why there are no rows of which was said what they are."""
        match rows:
            case lang.All():
                return "there are none"
            case lang.Extreme(_, by, inner) if by and self.count(inner):
                if self.count(inner) == self.count(lang.Where(inner, lang.Missing(by))):
                    return f"{self.terms(inner).subject(by)} is missing there"
        return f"there is no such {'value' if isinstance(source_of(rows), lang.Groups) else 'row'}"

    def opening(self, word: str, rows: lang.Rows) -> str:
        """The rows that something is about, before it: among all 12 rows."""
        if isinstance(rows, lang.All) and isinstance(rows.source, lang.Groups):
            grouped = rows.source.rows
            return "" if self.is_whole(grouped) else self.opening(self._within(grouped), grouped)
        return f"{word} {self.rows(rows, True)}, "

    def is_whole(self, rows: lang.Rows) -> bool:
        """Whether these are all rows of the only table, which go without saying."""
        return is_table(rows) and len(self._tables) == 1

    def _among(self, rows: lang.Rows, inner: lang.Rows) -> str:
        """The rows that others are chosen from, after those: among the 12 rows where department is Sales."""
        if isinstance(inner, lang.All):
            return self._told(inner)
        if self.count(inner) == self.count(rows) == 1:
            return f", which is {self.rows(inner, True)}"
        return f" {self._within(inner)} {self.rows(inner)}"

    def _within(self, rows: lang.Rows) -> str:
        """The word for what is in rows: among several, in one."""
        count = self.count(rows)
        one = isinstance(rows, lang.Extreme) or (isinstance(rows, lang.Beside) and rows.step in _STEPS_OF_ONE)
        return "among" if count > 1 or (not count and not one) else "in"

    def _told(self, rows: lang.Rows) -> str:
        """What is said of rows after the noun that they go by."""
        match rows:
            case lang.All(lang.Groups(rows=grouped)):
                return "" if self.is_whole(grouped) else f" {self._within(grouped)} {self.rows(grouped)}"
            case lang.All():
                return ""
            case lang.Where():
                return self._where(rows)
            case lang.Extreme(direction, by, inner, nth, asked):
                assert by is not None
                end = self.terms(inner).distinction(direction, by, nth)
                if asked == 1:
                    return f" with {end}{self.reached(rows)}{self._among(rows, inner)}"
                return f" with {end}{self._among(rows, inner)}{self.ties(rows)}"
            case lang.Beside(step, inner):
                beyond = step in (Step.AFTER, Step.BEFORE) and self.count(inner) > 1
                edge = f"the {'last' if step is Step.AFTER else 'first'} of " if beyond else ""
                return f" {_STEPS[step]} {edge}{self.rows(inner)}"
        assert_never(rows)

    def ties(self, rows: lang.Extreme) -> str:
        """The rows that come with the n largest because they tie with the last of them."""
        ties = self.count(rows) - rows.count
        return f", and {ties:,} more that tie{'s' * (ties == 1)}" if ties > 0 else ""

    def reached(self, rows: lang.Extreme) -> str:
        """The value of the rows at the end of a term, in brackets."""
        assert rows.by is not None
        values = self.values(lang.Cells((rows.by,), rows))
        return f" ({self.terms(rows).value(values[0], rows.by)})" if values else ""

    def _where(self, rows: lang.Where) -> str:
        conditions = [rows.condition]
        inner = rows.rows
        while isinstance(inner, lang.Where):
            conditions.insert(0, inner.condition)
            inner = inner.rows
        terms = self.terms(inner)
        text = said(self._all_of(conditions, terms))
        return f" where {text}{self._among(rows, inner)}"

    def _in_order(self, rows: lang.Extreme, count: int, only: bool) -> str:
        """Rows by their place: the first row, the last 2 of the 12 rows where department is Sales."""
        inner = rows.rows
        whole = self.count(inner)
        if whole and whole == count:
            return self.rows(inner, only)
        if isinstance(inner, lang.All):
            return f"the {self._end_in_order(rows, count)} {self.noun(rows, max(count, 1))}"
        return f"the {self._end_in_order(rows, count)} of {self.rows(inner)}"

    def _end_in_order(self, rows: lang.Extreme, count: int) -> str:
        """A place in the order of rows: first, last 2, third to last."""
        end = ENDS[rows.direction]
        if rows.nth > 1:
            end = f"{spoken.ordinal(rows.nth)}{' to last' * (rows.direction is Direction.LARGEST)}"
        return f"{end} {count:,}" if count > 1 else end

    def _source(self, source: lang.Source) -> str:
        match source:
            case lang.Join(left, right, on):
                pairs = " and ".join(_matched(one.name, other.name) for one, other in on)
                link = " and" if isinstance(left, lang.Join) else " matched with"
                return f"{self._source(left)}{link} {spoken.name(right)} ({pairs})"
            case str():
                return spoken.name(source)
        raise AssertionError("groups and the only table have no name")

    # Steps.

    def step(self, rows: lang.Rows) -> str:
        """What the last step to rows does, after those before it: keep those where department is Sales."""
        count = self.count(rows)
        match rows:
            case lang.All(lang.Groups(by) as groups):
                terms = self.terms(groups.rows)
                measure = self.terms(rows).noun(lang.Measure())
                return f"group them by {terms.noun(by)}, with the {measure} of each"
            case lang.All(lang.Join() as join):
                return f"match {self._source(join).replace(' matched with', ' with', 1)}"
            case lang.All(source):
                return "take the table" if len(self._tables) == 1 else f"take {self._source(source)}"
            case lang.Where(inner, condition):
                return f"keep those where {said(self._clauses(condition, self.terms(inner)))}"
            case lang.Extreme(_, None):
                return f"keep the {self._end_in_order(rows, count)}"
            case lang.Extreme(direction, by, inner, nth, asked):
                assert by is not None
                number = f"the {asked:,}" if asked > 1 else "the one" if count == 1 else "those"
                end = self.terms(inner).distinction(direction, by, nth)
                told = self.ties(rows) if asked > 1 else self.reached(rows)
                return f"keep {number} with {end}{told}"
            case lang.Beside(step):
                plural = "s" * (step not in _STEPS_OF_ONE)
                return f"take the row{plural} {_STEPS[step]} {'it' if count <= 1 else 'them'}"
        assert_never(rows)

    # Conditions.

    def _clauses(self, condition: lang.Condition, terms: Terms, negative: bool = False) -> Clauses:
        match condition:
            case lang.Not(part):
                return self._clauses(part, terms, not negative)
            case lang.And(parts) if not negative:
                return self._all_of(parts, terms)
            case lang.And(parts) | lang.Or(parts):
                all_of = isinstance(condition, lang.Or) and negative
                return joint(
                    "and" if all_of else "or", [self._clauses(part, terms, negative) for part in parts]
                )
            case lang.Between(term, low, high) if low == high:
                return self._clauses(lang.Compare(term, Comparison.EQUAL, low), terms, negative)
            case lang.Missing(term):
                return Clause(terms.subject(term), f"is{' not' * negative} missing")
            case lang.Between(term, low, high):
                ends = f"{terms.constant(low, term)} to {terms.constant(high, term)}"
                return Clause(terms.subject(term), f"is{' not' * negative} from {ends}")
            case lang.Compare(term, comparison, lang.OneOf(values)):
                options = tuple(terms.constant(each, term) for each in values)
                if (comparison is Comparison.DIFFERS) != negative:
                    return Clause(terms.subject(term), no_choice(options))
                return Clause(terms.subject(term), choice(options), options)
            case lang.Compare(term):
                return Clause(terms.subject(term), self._compared(condition, terms, negative))
        assert_never(condition)

    def _all_of(self, conditions: Sequence[lang.Condition], terms: Terms) -> Clauses:
        """Conditions that hold together."""
        clauses = [self._clauses(condition, terms) for condition in _exact(conditions)]
        return clauses[0] if len(clauses) == 1 else joint("and", clauses)

    def _compared(self, condition: lang.Compare, terms: Terms, negative: bool) -> str:
        """What a comparison says of its term."""
        term, comparison = condition.term, condition.comparison
        kind = terms.kind(term)
        match condition.operand:
            case lang.Constant(value) as constant:
                text = spoken.quoted(str(value)) if comparison.of_text else terms.constant(constant, term)
                return predicate(comparison, kind, text, negative, given=True)
            case lang.Combination(operation, lang.Cells() as cells, lang.Constant() as step) if (
                comparison is Comparison.EQUAL and not negative and operation in _FURTHER
            ):
                other = self.single(cells, like=terms.noun(term))
                return than(f"is {self.constant(step, cells)} {_FURTHER[operation]} than", other)
            case lang.Cells() | lang.Aggregate() | lang.Combination() as program:
                several = len(set(self.values(program))) > 1
                say = predicate_of_all if several else predicate
                return say(comparison, kind, self.single(program, like=terms.noun(term)), negative)
            case lang.Field() | lang.Measure() | lang.PartOf() | lang.Arithmetic() as other:
                return predicate(comparison, kind, terms.subject(other), negative)
        raise AssertionError("a choice of values is no single operand")

    # Single values.

    def single(self, single: lang.Single, beside: lang.Single | None = None, like: str | None = None) -> str:
        """A part that gives a value, and the value: the average price (12.5).

        What it stands beside tells how a constant is written; what was named before, as it is called there
        (`like`), need not be named again.
        """
        if isinstance(single, lang.Constant):
            return self.constant(single, beside)
        values = tuple(dict.fromkeys(self.values(single)))
        told = spoken.few(values, lambda value: self.written(value, single)) if values else "none"
        return f"{self.named(single, like)} ({told})"

    def constant(self, constant: lang.Constant, beside: lang.Single | None) -> str:
        """A value that the program names, written as those that it is compared with."""
        match beside:
            case lang.Cells((term,), rows):
                return self.terms(rows).constant(constant, term)
            case lang.Aggregate(Aggregation.MINIMUM | Aggregation.MAXIMUM, lang.Field() as term, rows):
                return self.terms(rows).constant(constant, term)
        return self.terms(lang.All(self._tables[0].name)).constant(constant)

    def written(self, value: Value, single: lang.Single) -> str:
        """A value that a part gives."""
        match single:
            case lang.Cells((term,), rows):
                return self.terms(rows).value(value, term)
            case lang.Aggregate(aggregation, term, rows):
                return self.terms(rows).computed_value(value, aggregation, term)
            case lang.Combination(operation):
                assert isinstance(value, int | float)
                if operation is Operation.PERCENTAGE:
                    return f"{spoken.amount(value)} %"
                if self.is_days(single):
                    return days(value)
                return self.unit(single).written(value)
        raise AssertionError("a constant is written as it is compared")

    def is_days(self, single: lang.Single) -> bool:
        """Whether a part gives a number of days, which lie between dates."""
        match single:
            case lang.Aggregate(Aggregation.RANGE, term, rows) if term is not None:
                return self.terms(rows).kind(term) is Kind.DATE
            case lang.Combination(_, left):
                return self.kind(left) is Kind.DATE
        return False

    def unit(self, single: lang.Single) -> Unit:
        """What the value of a part is measured in."""
        match single:
            case lang.Cells((term,), rows):
                return self.terms(rows).unit(term)
            case lang.Aggregate(Aggregation.COUNT | Aggregation.COUNT_DISTINCT):
                return NO_UNIT
            case lang.Aggregate(_, term, rows) if term is not None:
                return self.terms(rows).unit(term)
            case lang.Combination(Operation.DIFFERENCE | Operation.DISTANCE | Operation.TOTAL, left, right):
                unit = self.unit(left)
                return unit if isinstance(right, lang.Constant) or unit == self.unit(right) else NO_UNIT
        return NO_UNIT

    def kind(self, single: lang.Single) -> Kind:
        """What the value of a part is to a reader."""
        match single:
            case lang.Constant(value):
                is_text = isinstance(value, str)
                return Kind.TEXT if is_text else Kind.NUMBER if isinstance(value, int | float) else Kind.DATE
            case lang.Cells((term,), rows):
                return self.terms(rows).kind(term)
            case lang.Aggregate(Aggregation.MINIMUM | Aggregation.MAXIMUM, term, rows) if term is not None:
                return self.terms(rows).kind(term)
        return Kind.NUMBER

    def noun_of(self, single: lang.Single) -> str | None:
        """What a part gives, whatever its rows are: price, average price."""
        match single:
            case lang.Cells((term,), rows):
                return self.terms(rows).noun(term)
            case lang.Aggregate(aggregation, term, rows) if term is not None:
                return self.terms(rows).computed(aggregation, term)
        return None

    def named(self, single: lang.Cells | lang.Aggregate | lang.Combination, like: str | None = None) -> str:
        """A part that gives a value, without the value."""
        match single:
            case lang.Cells():
                return self._cells(single, like)
            case lang.Aggregate(_, None, rows):
                return f"the number of {self._any(rows)}"
            case lang.Aggregate():
                return self._aggregate(single, like)
            case lang.Combination(operation, left, right):
                other = self.single(right, left, self.noun_of(left))
                return f"the {COMBINED[operation].format(self.single(left, right), other)}"
        assert_never(single)

    def _cells(self, cells: lang.Cells, like: str | None) -> str:
        (term,), rows, noun = cells.terms, cells.rows, self.noun_of(cells)
        several = len(set(self.values(cells))) > 1
        if isinstance(rows, lang.Extreme) and rows.by and rows.count == 1 and self.count(rows.rows) > 1:
            inner = rows.rows
            end = self._among(rows, inner)
            if is_table(inner):
                end = "" if self.is_whole(inner) else f" among {self.rows(inner)}"
            return f"the {'values of the ' * several}{self.at_end(term, rows)}{end}"
        if several:
            subject = self.terms(rows).subject(term)
            return f"{'those' if noun == like else f'the values of {subject}'} in {self.rows(rows)}"
        return f"{THAT if noun == like else f'the {noun} '}in {self.rows(rows)}"

    def at_end(self, term: lang.Term, rows: lang.Extreme) -> str:
        """A term of the row at the end of it or of another: largest price, city with the largest price."""
        assert rows.by is not None
        terms = self.terms(rows)
        if not is_amount_of(rows.by, term):
            return f"{terms.noun(term)} with {terms.distinction(rows.direction, rows.by, rows.nth)}"
        return terms.superlative(rows.direction, rows.by, rows.nth) + terms.each * (term == lang.Measure())

    def _aggregate(self, aggregate: lang.Aggregate, like: str | None) -> str:
        rows, noun = aggregate.rows, self.noun_of(aggregate)
        if noun == like:
            return f"{THAT}of {self.rows(rows)}"
        if aggregate.term == lang.Measure() and isinstance(rows, lang.All):
            return f"the {noun}{self.terms(rows).each}{self._told(rows)}"
        if self.is_whole(rows):
            return f"the {noun}"
        word = self._within(rows) if aggregate.aggregation in CHOSEN else "of"
        return f"the {noun} {word} {self.rows(rows)}"

    def _any(self, rows: lang.Rows) -> str:
        """Rows that are counted."""
        match rows:
            case lang.All():
                return f"all {self.plural(rows)}"
            case lang.Where():
                return self.plural(rows)
        return self.rows(rows)


def is_amount_of(term: lang.Term, other: lang.Term) -> bool:
    """Whether a term is another one, or what its cells amount to."""
    return term in (other, lang.PartOf(lang.Part.AMOUNT, other))


def _matched(left: str, right: str) -> str:
    """By which fields two tables go together: customer to name, or by customer."""
    if left.casefold() == right.casefold():
        return f"by {spoken.name(left)}"
    return f"{spoken.name(left)} to {spoken.name(right)}"


def _exact(conditions: Sequence[lang.Condition]) -> list[lang.Condition]:
    """Conditions without those that leave one value between them: at least 8 and at most 8 is 8."""
    exact: dict[lang.Condition, lang.Condition] = {}
    for one in conditions:
        match one:
            case lang.Compare(term, Comparison.AT_LEAST, lang.Constant() as value):
                other = lang.Compare(term, Comparison.AT_MOST, value)
                if other in conditions:
                    exact[one] = exact[other] = lang.Compare(term, Comparison.EQUAL, value)
    return list(dict.fromkeys(exact.get(one, one) for one in conditions))
