"""What a program's parts stand for in given tables, and in one line why it is wrong where it is."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Comparison, Operation, Part, ProgramError
from neural_enquirer.programs.text import term_text
from neural_enquirer.tables import FieldType, Table, Value
from neural_enquirer.tables.arrays import Column

_NUMBERS_ONLY = (Aggregation.SUM, Aggregation.AVERAGE, Aggregation.MEDIAN)


class Home(NamedTuple):
    """Where a field stands: the place of its table in the scope, the table's number, the column."""

    place: int
    table: int
    column: int


@dataclass(frozen=True)
class TableScope:
    """The fields that rows of a table, or of joined tables, have."""

    tables: Sequence[Table]
    members: tuple[int, ...]
    """The numbers of the joined tables; one of them is the common case."""

    @property
    def ordered(self) -> bool:
        """Whether its rows have an order."""
        return len(self.members) == 1

    def home(self, field: lang.Field) -> Home:
        """Where a field stands.

        Raises:
            ProgramError: if there is none of this name, or more than one.
        """
        if len(self.members) == 1:
            table = self.tables[self.members[0]]
            column = table.field_places.get(field.name)
            if column is not None and field.table in (None, table.name):
                return Home(0, self.members[0], column)
        homes = [
            Home(place, member, table.field_places[field.name])
            for place, member in enumerate(self.members)
            if field.name in (table := self.tables[member]).field_places and field.table in (None, table.name)
        ]
        if len(homes) == 1:
            return homes[0]
        if homes:
            names = " and ".join(self.tables[home.table].name for home in homes)
            raise ProgramError(f"{names} both have a field '{field.name}'; write table.field")
        raise ProgramError(self._unknown(field))

    def kind(self, term: lang.Term) -> FieldType:
        """What a field holds; groups have measures, tables have none."""
        if isinstance(term, lang.Field):
            home = self.home(term)
            return self.tables[home.table].fields[home.column].type
        raise ProgramError("only a table of groups has a measure")

    def _unknown(self, field: lang.Field) -> str:
        known = [
            term_text(lang.Field(name)) for member in self.members for name in self.tables[member].field_names
        ]
        shown = ", ".join(known[:20]) + ", …" * (len(known) > 20)
        names = " and ".join(self.tables[member].name for member in self.members)
        return f"{names} has no field '{term_text(field)}'; its fields are {shown}"


@dataclass(frozen=True)
class GroupScope:
    """What a table of groups has: what it is grouped by, and one measure."""

    groups: lang.Groups
    by: FieldType
    measure: FieldType
    ordered: bool = False

    def kind(self, term: lang.Term) -> FieldType:
        """What the groups' values or measures are."""
        if isinstance(term, lang.Measure):
            return self.measure
        if term == self.groups.by:
            return self.by
        raise ProgramError(
            f"a table of groups has {term_text(self.groups.by)} and its measure, not {term_text(term)}"
        )


Scope = TableScope | GroupScope


def check(program: lang.Program, tables: Sequence[Table]) -> FieldType | None:
    """Checks a program against tables.

    Returns:
        What its values are; None for yes and no.

    Raises:
        ProgramError: with one line that says why the program is wrong.
    """
    match program:
        case lang.Exists(rows):
            scope_of(rows, tables)
            return None
        case lang.Holds(left, comparison, right):
            kind = _single(left, tables)
            for each in right.values if isinstance(right, lang.OneOf) else (right,):
                _check_comparable(kind, comparison, _single(each, tables))
            return None
    return _single(program, tables, several=True)


def source_of(rows: lang.Rows) -> lang.Source:
    """Where rows come from."""
    while not isinstance(rows, lang.All):
        rows = rows.rows
    return rows.source


def scope_of(rows: lang.Rows, tables: Sequence[Table]) -> Scope:
    """The fields that rows have; checks the rows on the way."""
    if isinstance(rows, lang.All):
        return _source(rows.source, tables)
    scope = scope_of(rows.rows, tables)
    match rows:
        case lang.Where(_, condition):
            _check_condition(condition, scope, tables)
        case lang.Extreme(by=lang.Constant()):
            raise ProgramError("a superlative needs a field, not a value")
        case lang.Extreme(by=by) if by is not None:
            kind_of(by, scope)
        case _ if not scope.ordered:
            raise ProgramError("only the rows of one table have an order")
    return scope


def kind_of(term: lang.Term, scope: Scope) -> FieldType:
    """What a term's values are."""
    match term:
        case lang.Constant(value):
            if isinstance(value, str):
                raise ProgramError(f"the text '{value}' cannot stand for a field")
            return value_kind(value)
        case _ if isinstance(scope, GroupScope) and term == scope.groups.by:
            return scope.by
        case lang.PartOf(Part.AMOUNT, inner):
            return amounts_of(inner, scope).type
        case lang.PartOf(part, inner):
            wanted = FieldType.TEXT if part is Part.NUMBER else FieldType.DATE
            if kind_of(inner, scope) is not wanted:
                raise ProgramError(f"'{part.value}' needs a {wanted.value}, which {term_text(inner)} is not")
            return FieldType.NUMBER
        case lang.Arithmetic(operation, left, right):
            return _combined(operation, kind_of(left, scope), kind_of(right, scope))
    return scope.kind(term)


def amounts_of(term: lang.Term, scope: Scope) -> Column:
    """What all cells of a field of text amount to.

    Raises:
        ProgramError: if the term is no such field, or its cells cannot be read.
    """
    amounts = None
    if isinstance(scope, TableScope) and isinstance(term, lang.Field):
        home = scope.home(term)
        amounts = scope.tables[home.table].amounts(home.column)
    if amounts is None:
        raise ProgramError(
            f"'{Part.AMOUNT.value}' needs a text that reads as an amount, which {term_text(term)} is not"
        )
    return amounts


def _source(source: lang.Source, tables: Sequence[Table]) -> Scope:
    match source:
        case lang.Groups(by, aggregation, term, rows):
            inner = scope_of(rows, tables)
            if isinstance(by, lang.Constant | lang.Measure):
                raise ProgramError("groups are made by a field, not by a value or a measure")
            return GroupScope(source, kind_of(by, inner), _measured(aggregation, term, inner))
        case lang.Join(left, right, on):
            first = _source(left, tables)
            if not isinstance(first, TableScope):
                raise ProgramError("a table of groups cannot be joined")
            second = TableScope(tables, (_table(right, tables),))
            if second.members[0] in first.members:
                raise ProgramError(f"{right} cannot be joined with itself")
            for one, other in on:
                if kind_of(one, first) is not kind_of(other, second):
                    raise ProgramError(f"{term_text(one)} and {term_text(other)} cannot be equal")
            return TableScope(tables, (*first.members, *second.members))
    return TableScope(tables, (_table(source, tables),))


def _table(name: str | None, tables: Sequence[Table]) -> int:
    if name is None:
        if len(tables) != 1:
            raise ProgramError(f"there are {len(tables)} tables; say which is meant")
        return 0
    numbers = [number for number, table in enumerate(tables) if table.name == name]
    if len(numbers) != 1:
        known = ", ".join(table.name for table in tables)
        problem = "two tables are" if numbers else "no table is"
        raise ProgramError(f"{problem} called '{name}'; there are {known}")
    return numbers[0]


def _single(single: lang.Single, tables: Sequence[Table], several: bool = False) -> FieldType:
    match single:
        case lang.Constant(value):
            return value_kind(value)
        case lang.Cells(terms, rows):
            scope = scope_of(rows, tables)
            if len(terms) > 1 and not several:
                raise ProgramError("one value is needed, not several fields")
            first, *_ = (kind_of(term, scope) for term in terms)
            return first
        case lang.Aggregate(aggregation, term, rows):
            return _measured(aggregation, term, scope_of(rows, tables))
        case lang.Combination(operation, left, right):
            return _combined(operation, _single(left, tables), _single(right, tables))


def _measured(aggregation: Aggregation, term: lang.Term | None, scope: Scope) -> FieldType:
    if term is None:
        return FieldType.NUMBER
    kind = kind_of(term, scope)
    if aggregation in _NUMBERS_ONLY and kind is not FieldType.NUMBER:
        raise ProgramError(f"'{aggregation.value}' needs numbers, which {term_text(term)} does not hold")
    if aggregation is Aggregation.RANGE and kind is FieldType.TEXT:
        raise ProgramError(f"'range' needs numbers or dates, which {term_text(term)} does not hold")
    return kind if aggregation in lang.END_OF else FieldType.NUMBER


def _combined(operation: Operation, left: FieldType, right: FieldType) -> FieldType:
    days = operation in (Operation.DIFFERENCE, Operation.DISTANCE) and left is right is FieldType.DATE
    if not days and (left, right) != (FieldType.NUMBER, FieldType.NUMBER):
        raise ProgramError(f"no {operation.value} of a {left.value} and a {right.value}")
    return FieldType.NUMBER


def _check_condition(condition: lang.Condition, scope: Scope, tables: Sequence[Table]) -> None:
    match condition:
        case lang.Compare(term, comparison, lang.OneOf(values)):
            for each in values:
                _check_comparable(kind_of(term, scope), comparison, value_kind(each.value))
        case lang.Compare(term, comparison, operand) if not isinstance(operand, lang.OneOf):
            said = str(operand.value) if isinstance(operand, lang.Constant) else ""
            kind = kind_of(operand, scope) if isinstance(operand, lang.RowTerm) else _single(operand, tables)
            _check_comparable(kind_of(term, scope), comparison, kind, term_text(term), said)
        case lang.Between(term, low, high):
            for bound in (low, high):
                _check_comparable(kind_of(term, scope), Comparison.AT_LEAST, value_kind(bound.value))
        case lang.Missing(term) if isinstance(term, lang.Constant):
            raise ProgramError("a value is never missing")
        case lang.Missing(term):
            kind_of(term, scope)
        case lang.Not(part):
            _check_condition(part, scope, tables)
        case lang.And(parts) | lang.Or(parts):
            for part in parts:
                _check_condition(part, scope, tables)


def _check_comparable(
    left: FieldType, comparison: Comparison, right: FieldType, what: str = "", said: str = ""
) -> None:
    """Checks that two kinds compare; `what` and `said` name what is compared, for the message."""
    if comparison.of_text and not (left is right is FieldType.TEXT):
        raise ProgramError(f"'{comparison.value}' compares texts, not a {left.value} and a {right.value}")
    if left is not right:
        one = f"{what} (a {left.value})" if what else f"a {left.value}"
        other = f"'{said}' (a {right.value})" if said else f"a {right.value}"
        raise ProgramError(f"{one} cannot be compared with {other}")


def value_kind(value: Value) -> FieldType:
    """What a value is."""
    if isinstance(value, str):
        return FieldType.TEXT
    return FieldType.DATE if isinstance(value, datetime.date) else FieldType.NUMBER
