"""How a sentence names fields, what is worked out of them, and their values."""

import datetime
import enum
import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Direction, Operation, Part
from neural_enquirer.programs.spoken import values as spoken
from neural_enquirer.programs.spoken.units import NO_UNIT, Unit, unit_of, unit_read
from neural_enquirer.programs.types import GroupScope, Scope, TableScope, kind_of, scope_of
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.wording import cut


class Kind(enum.Enum):
    """What values are to a reader: 1980 may be a year, 8 a month."""

    TEXT = "text"
    NUMBER = "number"
    YEAR = "year"
    MONTH = "month"
    DATE = "date"

    @property
    def of_time(self) -> bool:
        """Whether its values are before and after each other, not less and more."""
        return self in (Kind.YEAR, Kind.MONTH, Kind.DATE)


_KINDS: Final = {
    FieldType.TEXT: Kind.TEXT,
    FieldType.NUMBER: Kind.NUMBER,
    FieldType.DATE: Kind.DATE,
}
_SUPERLATIVES: Final = {
    (Direction.LARGEST, False): "largest",
    (Direction.SMALLEST, False): "smallest",
    (Direction.LARGEST, True): "latest",
    (Direction.SMALLEST, True): "earliest",
}
_MEASURED_ALIKE: Final = frozenset(Aggregation) - {Aggregation.COUNT, Aggregation.COUNT_DISTINCT}
COMBINED: Final = {
    Operation.DIFFERENCE: "difference between {} and {}",
    Operation.DISTANCE: "absolute difference between {} and {}",
    Operation.TOTAL: "sum of {} and {}",
    Operation.PRODUCT: "product of {} and {}",
    Operation.RATIO: "ratio of {} to {}",
    Operation.PERCENTAGE: "percentage ratio of {} to {}",
}
_PARTS: Final = {
    Part.YEAR: "year of",
    Part.MONTH: "month of",
    Part.DAY: "day of",
    Part.NUMBER: "number in",
}

# Fields with one of these words hold numbers that name something instead of measuring it.
_NAMING = re.compile("code|ids?|isbn|key|no|nr|number|phone|postcode|ref|serial|telephone|year|zip")
_YEAR = re.compile("established|founded|season|since|year")
_LIKE_YEARS: Final = range(1000, 3000)
# Athletes, gold medals; not duration_days, gross, status, and not what is no number of things.
_PLURAL = re.compile(
    r"(?!.*(?:[Cc]osts|[Ee]arnings|[Ff]ees|[Ss]ales|[Ss]avings|[Ss]eries|[Ww]ages)$)[A-Za-z][a-z ]+[^\Wisu_]s"
)
_WHOLE = re.compile(r"(?<=\d)\.0$")
_LONG = re.compile(r"-?\d+\.\d{9,}", re.ASCII)  # as computers write it, not people
_SAMPLE: Final = 100
_LONGEST_NUMBER: Final = 40
_Write = Callable[[int | float, bool], str]


@dataclass(frozen=True)
class Terms:
    """The terms that some rows have, in words."""

    tables: Sequence[Table]
    scope: Scope

    @classmethod
    def of(cls, rows: lang.Rows, tables: Sequence[Table]) -> "Terms":
        """The terms of some rows."""
        return cls(tables, scope_of(rows, tables))

    @functools.cached_property
    def grouped(self) -> "Terms":
        """The terms of the rows that were grouped, where these are groups."""
        assert isinstance(self.scope, GroupScope)
        return Terms.of(self.scope.groups.rows, self.tables)

    def kind(self, term: lang.Term) -> Kind:
        """What the values of a term are to a reader."""
        match self.scope, term:
            case GroupScope(groups), _ if term == groups.by:
                return self.grouped.kind(term)
            case GroupScope(groups), lang.Measure() if groups.term and groups.aggregation in lang.END_OF:
                return self.grouped.kind(groups.term)
            case TableScope(), lang.Field():
                return self._field_kind(term)
            case _, lang.PartOf(Part.YEAR):
                return Kind.YEAR
            case _, lang.PartOf(Part.MONTH):
                return Kind.MONTH
        return _KINDS[kind_of(term, self.scope)]

    def noun(self, term: lang.Term) -> str:
        """A term without an article: duration_days, year of date, average price."""
        match self.scope, term:
            case GroupScope(groups), _ if term == groups.by:
                return self.grouped.noun(term)
            case GroupScope(groups), lang.Measure():
                return self.grouped.computed(groups.aggregation, groups.term, of_groups=True)
            case TableScope(members=members), lang.Field(name, table):
                homes = [member for member in members if name in self.tables[member].field_names]
                home = f" in {spoken.name(table)}" if table and len(homes) > 1 else ""
                return f"{'number of ' * self._counts(term)}{spoken.name(name)}{home}"
            case _, lang.Constant():
                return self.constant(term)
            case _, lang.PartOf(Part.AMOUNT, inner):
                return self.noun(inner)
            case _, lang.PartOf(part, inner):
                return f"{_PARTS[part]} {self.subject(inner)}"
            case _, lang.Arithmetic(operation, left, right):
                return self._arithmetic(operation, left, right)
        raise AssertionError(f"these rows have no {term}")

    def subject(self, term: lang.Term) -> str:
        """A term that something is said of: fields go by their names, what is worked out has an article."""
        if isinstance(term, lang.PartOf) and term.part is Part.AMOUNT:
            return self.subject(term.term)
        is_named = isinstance(term, lang.Field | lang.Constant) and not self._counts(term)
        return self.noun(term) if is_named else f"the {self.noun(term)}"

    def rows(self, count: int = 2) -> str:
        """What so many rows are called: rows, or values of borough."""
        plural = "s" if count != 1 else ""
        if isinstance(self.scope, GroupScope):
            return f"value{plural} of {self.subject(self.scope.groups.by)}"
        return f"row{plural}"

    @property
    def each(self) -> str:
        """What measures are taken of, after their name: per borough; nothing where rows are no groups."""
        return f" per {self.noun(self.scope.groups.by)}" if isinstance(self.scope, GroupScope) else ""

    def computed(self, aggregation: Aggregation, term: lang.Term | None, of_groups: bool = False) -> str:
        """What is made of many values, without an article: number of rows, average price, latest date.

        Measures of groups, which superlatives may be taken of, are no superlatives themselves.
        """
        if term is None:
            return f"number of {self.rows()}"
        noun = self.noun(term)
        match aggregation:
            case Aggregation.COUNT_DISTINCT:
                return f"number of different values of {self.subject(term)}"
            case Aggregation.RANGE:
                return f"range of {self.subject(term)}"
            case Aggregation.SUM:
                return f"sum of {noun}" if re.match("(?i)sum|total", noun) else f"total {noun}"
            case Aggregation.MINIMUM | Aggregation.MAXIMUM if not of_groups or self.kind(term).of_time:
                return self.superlative(lang.END_OF[aggregation], term)
        return f"{aggregation.value} {noun}"

    def superlative(self, direction: Direction, term: lang.Term, nth: int = 1) -> str:
        """An end of a term, without an article: largest price, second latest date."""
        order = f"{spoken.ordinal(nth)} " if nth > 1 else ""
        kind = self.kind(term)
        if kind is not Kind.TEXT:
            return f"{order}{_SUPERLATIVES[direction, kind.of_time]} {self.noun(term)}"
        last = direction is Direction.LARGEST
        place = f"{order}to last" if last and order else "last" if last else spoken.ordinal(nth)
        return f"{place} {self.noun(term)} in the alphabet"

    def distinction(self, direction: Direction, term: lang.Term, nth: int = 1) -> str:
        """What rows at an end of a term have: the largest price, the most rows, the fewest goals."""
        noun = self.noun(term)
        if not self._counts(term):
            return f"the {self.superlative(direction, term, nth)}"
        order = f"{spoken.ordinal(nth)} " if nth > 1 else ""
        word = "most" if direction is Direction.LARGEST else "fewest"
        return f"the {order}{word} {noun.removeprefix('number of ')}"

    def value(self, value: Value, term: lang.Term) -> str:
        """A value of a term as the table spells it, or as people write it where no cell has it."""
        match self.scope, term:
            case GroupScope(groups), _ if term == groups.by:
                return self.grouped.value(value, term)
            case GroupScope(groups), lang.Measure():
                return self.grouped.computed_value(value, groups.aggregation, groups.term)
            case TableScope(), lang.Field():
                return self._cell(value, term)
            case TableScope(), lang.PartOf(Part.AMOUNT, lang.Field() as field) if isinstance(
                value, int | float
            ):
                return self._spelling(value, field) or self.unit(term).written(value)
        if not isinstance(value, int | float) or self.kind(term) in (Kind.YEAR, Kind.MONTH):
            return self.unit(term).of(_written(value, self.kind(term)))
        return self.unit(term).written(value)

    def computed_value(self, value: Value, aggregation: Aggregation, term: lang.Term | None) -> str:
        """What was made of many values of a term."""
        if term is None:
            return _written(value)
        if aggregation in lang.END_OF:
            return self.value(value, term)
        if not isinstance(value, int | float):
            return _written(value)
        if aggregation is Aggregation.RANGE and self.kind(term) is Kind.DATE:
            return days(value)
        if aggregation is Aggregation.COUNT_DISTINCT:
            return spoken.amount(value)
        of_size = aggregation in (Aggregation.AVERAGE, Aggregation.MEDIAN)
        return self.unit(term).written(value, in_groups=not (of_size and self._names(value, term)))

    def unit(self, term: lang.Term) -> Unit:
        """What a term is measured in."""
        match self.scope, term:
            case GroupScope(groups), _ if term == groups.by:
                return self.grouped.unit(term)
            case GroupScope(groups), lang.Measure() if groups.term and groups.aggregation in _MEASURED_ALIKE:
                return self.grouped.unit(groups.term)
            case TableScope(), lang.Field():
                return unit_of(*self._column(term))
            case TableScope(), lang.PartOf(Part.AMOUNT, lang.Field() as field):
                return unit_read(*self._column(field))
        return NO_UNIT

    def constant(self, constant: lang.Constant, term: lang.Term | None = None) -> str:
        """A value that the program names, as a value of the term that it is compared with."""
        if constant.spelling is not None and isinstance(constant.value, int | float):
            return cut(constant.spelling, _LONGEST_NUMBER)
        match self.scope, term:
            case GroupScope(groups), _ if term is not None and term == groups.by:
                return self.grouped.constant(constant, term)
            case TableScope(), lang.Field():
                return self._cell(constant.value, term)
        said = _written(constant.value, self.kind(term) if term else None, spoken.number)
        return self.unit(term).of(said) if term else said

    def _counts(self, term: lang.Term) -> bool:
        """Whether a term says how many there are of something: of rows, or of what the field is named for."""
        match self.scope, term:
            case GroupScope(groups), _ if term == groups.by:
                return self.grouped._counts(term)
            case GroupScope(groups), lang.Measure():
                return groups.term is None
            case TableScope(), lang.Field(name):
                table, column = self._column(term)
                return bool(_PLURAL.fullmatch(name)) and _whole_numbers(table, column)
        return False

    def _arithmetic(self, operation: Operation, left: lang.Term, right: lang.Term) -> str:
        one, other = self.subject(left), self.subject(right)
        if self.kind(left) is Kind.DATE:
            if operation is Operation.DIFFERENCE:
                return f"number of days from {other} to {one}"
            return f"number of days between {one} and {other}"
        return COMBINED[operation].format(one, other)

    def _column(self, field: lang.Field) -> tuple[Table, int]:
        assert isinstance(self.scope, TableScope)
        home = self.scope.home(field)
        return self.tables[home.table], home.column

    def _field_kind(self, field: lang.Field) -> Kind:
        table, column = self._column(field)
        kind = _KINDS[table.fields[column].type]
        if kind is Kind.NUMBER and any(map(_YEAR.fullmatch, _words(field.name))):
            present = next((cell for cell in table.columns[column] if cell is not None), None)
            return Kind.YEAR if present in _LIKE_YEARS else kind
        return kind

    def _cell(self, value: Value, field: lang.Field) -> str:
        """A value of a field, numbers as a cell spells them."""
        if not isinstance(value, int | float):
            return _written(value)
        table, column = self._column(field)
        cells = table.columns[column]
        if value not in cells:
            return self.unit(field).of(spoken.number(value, not self._names(value, field)))
        spelled = _WHOLE.sub("", table.text(cells.index(value), column))
        if _LONG.fullmatch(spelled):
            return spoken.amount(float(spelled))
        return cut(spelled if self._names(value, field) else spoken.grouped(spelled), _LONGEST_NUMBER)

    def _spelling(self, value: int | float, field: lang.Field) -> str | None:
        """How the first cell that amounts to a value spells it; None where none does."""
        table, column = self._column(field)
        reading = table.reading(column)
        rows = [] if reading is None else np.flatnonzero(reading.values == value).tolist()
        return cut(table.text(rows[0], column).strip(), _LONGEST_NUMBER) if rows else None

    def _names(self, value: int | float, term: lang.Term) -> bool:
        """Whether a number is a year, a code or the like, which has no thousands to be set apart."""
        if self.kind(term) is Kind.YEAR:
            return True
        if not isinstance(term, lang.Field) or not isinstance(self.scope, TableScope):
            return False
        if any(map(_NAMING.fullmatch, _words(term.name))):
            return True
        table, column = self._column(term)
        sample = range(min(table.row_count, _SAMPLE))
        return value in _LIKE_YEARS and not any("," in table.text(row, column) for row in sample)


def days(count: int | float) -> str:
    """So many days."""
    return f"{spoken.amount(count)} day{'s' * (count != 1)}"


def _written(value: Value, kind: Kind | None = None, number: _Write = spoken.amount) -> str:
    """A value that no cell holds, as people write it."""
    if isinstance(value, str):
        return spoken.text(value)
    if isinstance(value, datetime.date):
        return spoken.date(value)
    if kind is Kind.MONTH and value in range(1, 13):
        return spoken.MONTHS[int(value) - 1]
    return number(value, kind is not Kind.YEAR)


def _whole_numbers(table: Table, column: int) -> bool:
    """Whether a column seems to count things."""
    if table.fields[column].type is not FieldType.NUMBER:
        return False
    present = (cell for cell in table.columns[column] if cell is not None)
    return all(isinstance(cell, int) and cell >= 0 for cell in itertools.islice(present, _SAMPLE))


def _words(name: str) -> list[str]:
    """The words of a name, of birthYear and birth_year alike, in small letters."""
    return [word.lower() for word in re.findall(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+", name)]
