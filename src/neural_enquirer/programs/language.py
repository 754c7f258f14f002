"""The language of programs: what people ask of tables, as trees of frozen dataclasses.

A program is an *answer* over *rows*. Rows come from a *source* (a table, tables joined by shared values, or
a table of groups) and are narrowed by *conditions*, superlatives and places in the order of rows. A *term*
gives one value for each row. Where one table is asked, sources and fields need not name it.

What holds everywhere:

- A missing cell never matches a condition (nor its negation), never wins, and is never counted as a value.
- Ties are all there: the largest of a field is every row that has the largest value.
- Rows keep the order of their table; the n largest and smallest come in the order of the field.
- Two dates differ by whole days.

Where many parts are needed, this module is imported as `lang`, and they are named as `lang.Cells`. `text.py`
writes a program in one line and reads it back, `types.py` says why one is wrong, `execution.py`
runs it, `sql.py` and `spoken/` say it in SQL and in English.
"""

import datetime
import enum
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from neural_enquirer.tables import Value

_MOST = 10**9
_TOO_LARGE = 10**4000  # longer numbers are neither read nor written by Python


class ProgramError(ValueError):
    """A program that cannot be written, read or run; the message is one line for people."""


class _Kind(enum.Enum):
    """Kinds of parts; there is one of each, so that they are found as fast as any object."""

    __hash__ = object.__hash__


class Comparison(_Kind):
    """How a condition compares."""

    EQUAL = "="
    DIFFERS = "<>"
    LESS = "<"
    MORE = ">"
    AT_MOST = "<="
    AT_LEAST = ">="
    CONTAINS = "contains"
    STARTS = "starts with"
    ENDS = "ends with"

    @property
    def of_text(self) -> bool:
        """Whether it looks for a part of a text; letters count with their case."""
        return self in (Comparison.CONTAINS, Comparison.STARTS, Comparison.ENDS)

    @property
    def test(self) -> Callable[[Any, Any], Any]:
        """What tells whether one value compares so with another; arrays compare element by element."""
        return _TESTS[self]

    @property
    def opposite(self) -> "Comparison":
        """What holds of values that are there where this does not; parts of texts have none."""
        return _OPPOSITES[self]


_TESTS: Final[dict[Comparison, Callable[[Any, Any], Any]]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.DIFFERS: operator.ne,
    Comparison.LESS: operator.lt,
    Comparison.MORE: operator.gt,
    Comparison.AT_MOST: operator.le,
    Comparison.AT_LEAST: operator.ge,
    Comparison.CONTAINS: operator.contains,
    Comparison.STARTS: str.startswith,
    Comparison.ENDS: str.endswith,
}
_OPPOSITES: Final = {
    Comparison.EQUAL: Comparison.DIFFERS,
    Comparison.DIFFERS: Comparison.EQUAL,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.MORE: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.MORE,
    Comparison.AT_LEAST: Comparison.LESS,
}


class Direction(_Kind):
    """Which end of a field, or of the order of rows, a superlative asks for."""

    LARGEST = "largest"
    SMALLEST = "smallest"


class Step(_Kind):
    """Where rows stand beside other rows, in the order of their table."""

    NEXT = "next"
    PREVIOUS = "previous"
    AFTER = "after"
    BEFORE = "before"


class Part(_Kind):
    """What can be taken out of a date or a text."""

    YEAR = "year_of"
    MONTH = "month_of"
    DAY = "day_of"
    NUMBER = "number_in"
    """The first number that is written in a text, without its thousands separators."""
    AMOUNT = "amount_in"
    """What the cell of a field of text amounts to, as its column is read (`Table.reading`): a number in the
    column's unit, or a date."""


class Operation(_Kind):
    """What can be done with two values."""

    DIFFERENCE = "difference"
    """The first less the second; of two dates, in days."""
    DISTANCE = "distance"
    """The difference without its sign."""
    TOTAL = "total"
    PRODUCT = "product"
    RATIO = "ratio"
    PERCENTAGE = "percentage"
    """A hundred times the ratio."""

    @property
    def of_ratio(self) -> bool:
        """Whether it divides, which nobody can by zero."""
        return self in (Operation.RATIO, Operation.PERCENTAGE)

    @property
    def make(self) -> Callable[[Any, Any], Any]:
        """What makes one of two numbers, or of arrays element by element; ratios have no such thing."""
        return _MAKES[self]


_MAKES: Final[dict[Operation, Callable[[Any, Any], Any]]] = {
    Operation.DIFFERENCE: operator.sub,
    Operation.DISTANCE: lambda left, right: abs(left - right),
    Operation.TOTAL: operator.add,
    Operation.PRODUCT: operator.mul,
}


class Aggregation(_Kind):
    """What can be made of many values."""

    COUNT = "count"
    """How many rows there are; it is the only one without a term."""
    COUNT_DISTINCT = "count_distinct"
    SUM = "sum"
    AVERAGE = "average"
    MEDIAN = "median"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    RANGE = "range"
    """The maximum less the minimum; of dates, in days."""


END_OF: Final = {Aggregation.MAXIMUM: Direction.LARGEST, Aggregation.MINIMUM: Direction.SMALLEST}
"""Aggregations that give the value at one end."""


# Terms: one value for each row.


@dataclass(frozen=True)
class Field:
    """The cell of a field; `table` tells fields of one name in joined tables apart."""

    name: str
    table: str | None = None


@dataclass(frozen=True)
class Measure:
    """What was measured of a group, in a table of groups."""


@dataclass(frozen=True)
class Constant:
    """A value that the question names.

    `spelling` is how it is written (``3,500``) where that differs from its plain form; no part of its
    identity.
    """

    value: Value
    spelling: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float | datetime.date):
            raise ProgramError(f"a value is a text, a number or a date, not {self.value!r}")
        if isinstance(self.value, float) and not math.isfinite(self.value):
            raise ProgramError(f"a value is a finite number, not {self.value}")
        if isinstance(self.value, int) and abs(self.value) >= _TOO_LARGE:
            raise ProgramError("a value is a number of at most 4,000 digits")
        if isinstance(self.value, datetime.datetime) and self.value.tzinfo is not None:
            raise ProgramError("a point in time has no time zone here")


@dataclass(frozen=True)
class PartOf:
    """The year, month or day of a date, or the number or amount in a text."""

    part: Part
    term: "Term"


@dataclass(frozen=True)
class Arithmetic:
    """Two terms of the same row taken together."""

    operation: Operation
    left: "Term"
    right: "Term"


RowTerm: TypeAlias = Field | Measure | PartOf | Arithmetic
"""A term that rows are asked for; a constant is the same for all."""
Term: TypeAlias = RowTerm | Constant


# Sources: where rows come from. A text is the name of a table, None the only table.


@dataclass(frozen=True)
class Join:
    """Every pair of a row on the left and a row of the table on the right that agree in all shared fields."""

    left: "Source"
    right: str
    on: tuple[tuple[Field, Field], ...]

    def __post_init__(self) -> None:
        if self.left is None:
            raise ProgramError(f"a join with {self.right} needs the name of the other table")
        if not self.on:
            raise ProgramError(f"a join with {self.right} needs a field that both sides share")


@dataclass(frozen=True)
class Groups:
    """One row for each value of a term, in the order in which they come first, with one measure of it."""

    by: Term
    aggregation: Aggregation
    term: Term | None
    """What is measured; None for the number of rows."""
    rows: "Rows"

    def __post_init__(self) -> None:
        _check_term(self.aggregation, self.term)


Source: TypeAlias = str | Join | Groups | None


# Conditions.


@dataclass(frozen=True)
class OneOf:
    """Several values, any of which will do."""

    values: tuple[Constant, ...]

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise ProgramError("a choice needs at least two values")


@dataclass(frozen=True)
class Compare:
    """A term compared with a value, with another term of the same row, or with what a program answers.

    Cells may be several: equal is equal to one of them, different is different from all, more and less are
    more and less than every one. Nothing is equal to, more or less than no cells, and everything differs.
    """

    term: Term
    comparison: Comparison
    operand: "Operand"

    def __post_init__(self) -> None:
        _check_operand(self.comparison, self.operand)


@dataclass(frozen=True)
class Between:
    """A term from a value up to another, both included."""

    term: Term
    low: Constant
    high: Constant


@dataclass(frozen=True)
class Missing:
    """A term that has no value."""

    term: Term


@dataclass(frozen=True)
class _Several:
    """Several conditions."""

    parts: tuple["Condition", ...]

    def __post_init__(self) -> None:
        if len(self.parts) < 2:
            raise ProgramError("'and' and 'or' need at least two conditions")


class And(_Several):
    """All of several conditions."""


class Or(_Several):
    """At least one of several conditions."""


@dataclass(frozen=True)
class Not:
    """The opposite of a condition, where the cells that it looks at are there."""

    part: "Condition"


Condition: TypeAlias = Compare | Between | Missing | And | Or | Not


# Rows.


@dataclass(frozen=True)
class All:
    """Every row of a source."""

    source: Source = None


@dataclass(frozen=True)
class Where:
    """The rows that fulfil a condition."""

    rows: "Rows"
    condition: Condition


@dataclass(frozen=True)
class Extreme:
    """The rows at one end of a term, or of the order of rows, with all that tie with them.

    `count` asks for the n largest, `nth` for the n-th largest: the rows that have the value of the n-th row
    when all are put in order. One of the two is 1.
    """

    direction: Direction
    by: Term | None
    """None for the order of rows: its smallest is the first, its largest the last row."""
    rows: "Rows"
    nth: int = 1
    count: int = 1

    def __post_init__(self) -> None:
        if min(self.nth, self.count) < 1 or max(self.nth, self.count) > _MOST:
            raise ProgramError(f"a superlative asks for 1 or more, counted from 1, and at most {_MOST:,}")
        if self.nth > 1 and self.count > 1:
            raise ProgramError("a superlative asks for the n-th or for n, not for both")


@dataclass(frozen=True)
class Beside:
    """The rows of the whole source beside others, in the order of rows.

    Next and previous are those right beside any of them, after and before those beyond all of them.
    """

    step: Step
    rows: "Rows"


Rows: TypeAlias = All | Where | Extreme | Beside


# Answers.


@dataclass(frozen=True)
class Cells:
    """The values of terms, row by row; missing ones are left out."""

    terms: tuple[Term, ...]
    rows: Rows
    distinct: bool = False
    """Each value once, where it comes first."""

    def __post_init__(self) -> None:
        if not self.terms:
            raise ProgramError("cells need a field")


@dataclass(frozen=True)
class Aggregate:
    """One value made of many."""

    aggregation: Aggregation
    term: Term | None
    rows: Rows

    def __post_init__(self) -> None:
        _check_term(self.aggregation, self.term)


@dataclass(frozen=True)
class Combination:
    """Two answers of one value each, taken together."""

    operation: Operation
    left: "Single"
    right: "Single"


@dataclass(frozen=True)
class Exists:
    """Whether there is such a row: yes or no."""

    rows: Rows


@dataclass(frozen=True)
class Holds:
    """Whether an answer of one value compares so with another: yes or no."""

    left: "Single"
    comparison: Comparison
    right: "Single | OneOf"

    def __post_init__(self) -> None:
        _check_operand(self.comparison, self.right)


Single: TypeAlias = Cells | Aggregate | Combination | Constant
"""What stands for one value in a combination or comparison."""

Operand: TypeAlias = Term | OneOf | Cells | Aggregate | Combination
"""What a condition compares with."""


Program: TypeAlias = Cells | Aggregate | Combination | Exists | Holds


def _check_term(aggregation: Aggregation, term: Term | None) -> None:
    if (term is None) != (aggregation is Aggregation.COUNT):
        needs = "counts rows and takes no field" if term is not None else "needs a field"
        raise ProgramError(f"'{aggregation.value}' {needs}")


def _check_operand(comparison: Comparison, operand: "Operand") -> None:
    if isinstance(operand, OneOf) and comparison not in (Comparison.EQUAL, Comparison.DIFFERS):
        raise ProgramError(f"'{comparison.value}' takes one value, not a choice of several")
    if comparison.of_text and not isinstance(operand, Constant):
        raise ProgramError(f"'{comparison.value}' needs a text")
