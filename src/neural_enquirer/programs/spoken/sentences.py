"""Says how an answer came about, or what was asked, with the table's own words and values."""

from collections.abc import Sequence
from typing import assert_never

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Comparison, Operation
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.programs.spoken.cells import cells
from neural_enquirer.programs.spoken.clauses import no_choice, predicate, than
from neural_enquirer.programs.spoken.rows import CHOSEN, Phrases
from neural_enquirer.programs.spoken.terms import Kind, days
from neural_enquirer.programs.spoken.units import Unit
from neural_enquirer.tables import Table, Value


def sentence(program: lang.Program, result: Result, tables: Sequence[Table]) -> str:
    """How a program came to the answer that running it over the tables gave, in one sentence."""
    text = _statement(program, result.values, Phrases.of(program, result, tables))
    return f"{text[0].upper()}{text[1:]}."


def noun_phrase(program: lang.Program, result: Result, tables: Sequence[Table]) -> str:
    """What a program asks for, without what it answers: the number of rows where continent is Europe."""
    say = Phrases.of(program, result, tables)
    match program:
        case lang.Exists(lang.Extreme(by=None) as rows):
            count = say.count(rows)
            return f"whether there {'are' if count > 1 else 'is'} {say.some(rows, max(count, 1))}"
        case lang.Exists(rows):
            return f"whether there is a {say.plural(rows, 1)}"
        case lang.Holds(left, _, right):
            return f"how {_side(left, right, say)} compares with {_side(right, left, say)}"
        case lang.Combination(Operation.PERCENTAGE, left, right):
            return f"what percentage {_side(left, right, say)} is of {_side(right, left, say)}"
        case lang.Cells(terms, rows) if len(terms) > 1:
            return f"{spoken.few(terms, say.terms(rows).noun)} in {say.rows(rows)}"
    return say.named(program)


def _side(one: lang.Single | lang.OneOf, other: lang.Single | lang.OneOf, say: Phrases) -> str:
    """One of two values that are compared, as a noun phrase names it."""
    beside = None if isinstance(other, lang.OneOf) else other
    if isinstance(one, lang.OneOf):
        return spoken.few(one.values, lambda value: say.constant(value, beside), "or")
    return say.constant(one, beside) if isinstance(one, lang.Constant) else say.named(one)


def _statement(program: lang.Program, values: Sequence[Value], say: Phrases) -> str:
    match program:
        case lang.Exists(rows):
            count = say.count(rows)
            return f"{values[0]}, there {'are' if count > 1 else 'is'} {say.some(rows, count)}"
        case lang.Holds():
            return _holds(program, values, say)
        case lang.Combination():
            return _combination(program, values, say)
        case lang.Aggregate(_, None, rows):
            count = say.count(rows)
            if count > 1:
                return f"counted {say.rows(rows)}"
            return f"there is {'only ' * count}{say.some(rows, count)}"
        case lang.Aggregate():
            return _aggregate(program, values, say)
        case lang.Cells():
            return cells(program, values, say)
    assert_never(program)


def _aggregate(program: lang.Aggregate, values: Sequence[Value], say: Phrases) -> str:
    aggregation, term, rows = program.aggregation, program.term, program.rows
    assert term is not None
    terms, count = say.terms(rows), say.count(rows)
    if not count:
        return f"looked for {say.named(program)}, but {say.nothing(rows)}"
    missing = say.count(lang.Where(rows, lang.Missing(term)))
    if missing == count:
        if aggregation is Aggregation.COUNT_DISTINCT:
            return f"there is no value of {terms.subject(term)} in {say.rows(rows, True)}"
        return f"in {say.rows(rows, True)}, {terms.subject(term)} is missing, so nothing can be worked out"
    word = "in" if count == 1 else "among" if aggregation in CHOSEN else "over"
    note = f", leaving out {missing:,} where it is missing" if missing else ""
    return f"{say.opening(word, rows)}{_worked_out(program, values[0], say)}{note}"


def _worked_out(program: lang.Aggregate, value: Value, say: Phrases) -> str:
    """What an aggregation gave, without the rows that it is made of."""
    terms = say.terms(program.rows)
    assert program.term is not None
    each = terms.each if program.term == lang.Measure() and isinstance(program.rows, lang.All) else ""
    if program.aggregation is Aggregation.COUNT_DISTINCT:
        noun = f"{terms.subject(program.term)}{each}"
        if value == 1:
            return f"there is only one value of {noun}"
        return f"there are {say.written(value, program)} different values of {noun}"
    text = f"the {terms.computed(program.aggregation, program.term)}{each}"
    if program.aggregation is not Aggregation.RANGE:
        return f"{text} is {say.written(value, program)}"
    least, most = Aggregation.MINIMUM, Aggregation.MAXIMUM
    ends = (lang.Aggregate(end, program.term, program.rows) for end in (least, most))
    low, high = (say.written(say.values(end)[0], end) for end in ends)
    return f"{text} is {say.written(value, program)}, from {low} to {high}"


def _combination(program: lang.Combination, values: Sequence[Value], say: Phrases) -> str:
    if not values:
        return f"{say.named(program)} cannot be worked out"
    value = values[0]
    assert isinstance(value, int | float)
    match program:
        case lang.Combination(
            Operation.DIFFERENCE,
            lang.Aggregate(Aggregation.COUNT, _, lang.Where() as one),
            lang.Aggregate(Aggregation.COUNT, _, lang.Where() as other),
        ):
            return _more_rows(one, other, int(value), say)
        case lang.Combination(
            Operation.PERCENTAGE,
            lang.Aggregate(Aggregation.COUNT, _, one),
            lang.Aggregate(Aggregation.COUNT, _, other),
        ) if say.count(one) and say.count(other) > 1:
            verb = "is" if say.count(one) == 1 else "are"
            return f"{say.rows(one, True)} {verb} {say.written(value, program)} of {say.rows(other)}"
    return _together(program, value, say)


def _more_rows(one: lang.Where, other: lang.Where, more: int, say: Phrases) -> str:
    first = f"{say.plural(one, abs(more))} ({say.count(one):,})"
    second = f"{say.plural(other)} ({say.count(other):,})"
    if not more:
        return f"there are as many {first} as {second}"
    word = "more" if more > 0 else "fewer"
    return f"there {'is' if abs(more) == 1 else 'are'} {abs(more):,} {word} {first} than {second}"


def _together(program: lang.Combination, value: int | float, say: Phrases) -> str:
    """Two values and what was made of them."""
    left, right = program.left, program.right
    made = say.written(value, program)
    one, other = say.single(left, right), say.single(right, left, say.noun_of(left))
    match program.operation:
        case Operation.DISTANCE:
            return f"{one} and {other} are {f'{made} apart' if value else 'the same'}"
        case Operation.TOTAL:
            return f"{one} and {other} add up to {made}"
        case Operation.PRODUCT:
            return f"{one} times {other} is {made}"
        case Operation.DIFFERENCE:
            relation = _apart(value, say.kind(left), say.unit(program))
        case Operation.RATIO:
            relation = f"{made} times"
        case Operation.PERCENTAGE:
            relation = f"{made} of"
    if isinstance(left, lang.Cells) and isinstance(right, lang.Cells) and left.rows == right.rows:
        other = f"the {say.noun_of(right)} there ({say.written(say.values(right)[0], right)})"
    return f"{_known(left, right, say)} is {than(relation, other)}"


def _known(left: lang.Single, right: lang.Single | None, say: Phrases) -> str:
    """A value that something is said of: in the only row where year is 2004, nations is 201, which."""
    told = isinstance(left, lang.Cells) or (isinstance(left, lang.Aggregate) and left.term is not None)
    if not told or isinstance(left, lang.Constant) or not say.values(left):
        return say.single(left, right)
    return f"{_statement(left, say.values(left), say)}, which"


def _apart(difference: int | float, kind: Kind, unit: Unit) -> str:
    """How one value lies to another: 4 more than, 12 days before, the same as."""
    if not difference:
        return "the same as"
    size = abs(difference)
    if kind is Kind.DATE:
        return f"{days(size)} {'after' if difference > 0 else 'before'}"
    if kind is Kind.YEAR:
        return f"{spoken.amount(size)} year{'s' * (size != 1)} {'after' if difference > 0 else 'before'}"
    return f"{unit.written(size)} {'more' if difference > 0 else 'less'} than"


def _holds(program: lang.Holds, values: Sequence[Value], say: Phrases) -> str:
    left, comparison, right = program.left, program.comparison, program.right
    no = values == ("no",)
    if isinstance(right, lang.OneOf):
        parts = [say.constant(each, left) for each in right.values]
        is_one = (comparison is Comparison.EQUAL) != no
        told = f"is one of {spoken.few(parts)}" if is_one else no_choice(parts)
    else:
        given = isinstance(right, lang.Constant)
        operand = say.single(right, left, say.noun_of(left))
        told = predicate(comparison, say.kind(left), operand, no, given)
    if not values:
        return f"it cannot be told whether {say.single(left)} {told}"
    known = _known(left, None if isinstance(right, lang.OneOf) else right, say)
    if isinstance(right, lang.Constant) and known.endswith(", which"):
        return f"{values[0]}, {_shorter(known.removesuffix(', which'), told)}"
    return f"{values[0]}, {known} {told}"


def _shorter(known: str, told: str) -> str:
    """What a value is and what is said of it, but nothing twice: city is Rome; city is Rome, not Oslo."""
    if known.endswith(f" {told}"):
        return known
    return f"{known}, {told.removeprefix('is ')}" if told.startswith("is not ") else f"{known}, which {told}"
