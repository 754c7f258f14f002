"""Hypothesis draws tables and programs over them: of every operation, over all that tables can hold."""

import datetime
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from neural_enquirer.programs import Program
from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregation, Comparison, Direction, Operation, Part, Step
from neural_enquirer.tables import Field as TableField
from neural_enquirer.tables import FieldType, Table

__all__ = ["programs_and_tables", "table_and_programs"]

_T = TypeVar("_T")
Draw = Callable[[st.SearchStrategy[_T]], _T]

TEXT, NUMBER, DATE = FieldType.TEXT, FieldType.NUMBER, FieldType.DATE
_NAMES: Final = (
    *(
        "city",
        "year",
        "Name",
        "total",
        "select",
        "group",
        "a b",
        "Größe",
        "x.y",
        "count",
        "measure",
        "n",
        "1990",
    ),
    *('say "hi"', "it's", "semi;colon --", "and", "value", "名前", "rows", "order", "%_!"),
)
_TABLES: Final = ("games", "orders", "my table", "Table", "groups")
_WORDS: Final = (
    *(
        "Rome",
        "Paris",
        "São Paulo",
        "rome",
        "a",
        "A",
        "",
        "12",
        "3-1",
        "1,200 m",
        "-5 °C",
        "1980-01-01",
        "O'Hara",
    ),
    *(
        '"quoted"',
        "100%",
        "a_b",
        "x*y[z]?",
        "back\\slash",
        "!",
        "NULL",
        "measure",
        "one of",
        "ünï",
        "東京",
        "line\nbreak",
    ),
)
_LARGE: Final = 10**15
_HUGE: Final = 10**25
_FIRST, _LAST = datetime.date(1850, 1, 1), datetime.date(2050, 12, 31)

_CELLS: Final[dict[str, tuple[FieldType, st.SearchStrategy[Any]]]] = {
    "words": (TEXT, st.sampled_from(_WORDS)),
    "texts": (TEXT, st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)),
    "few": (NUMBER, st.integers(-2, 3)),
    "numbers": (NUMBER, st.integers(-3000, 3000)),
    "large": (NUMBER, st.integers(-_LARGE, _LARGE)),
    "quarters": (NUMBER, st.integers(-400, 400).map(lambda number: number / 4)),
    "dates": (DATE, st.dates(_FIRST, _LAST)),
    "days": (DATE, st.dates(datetime.date(1999, 12, 30), datetime.date(2000, 1, 3))),
    "moments": (
        DATE,
        st.one_of(
            st.dates(datetime.date(1999, 12, 30), datetime.date(2000, 1, 2)).map(
                lambda day: datetime.datetime(day.year, day.month, day.day)
            ),
            st.datetimes(datetime.datetime(1999, 12, 30), datetime.datetime(2000, 1, 2)).map(
                lambda moment: moment.replace(microsecond=moment.microsecond // 250_000 * 250_000)
            ),
        ),
    ),
}
_HUGE_CELLS: Final = (NUMBER, st.integers(-_HUGE, _HUGE))
_ORDERED: Final = (Comparison.LESS, Comparison.MORE, Comparison.AT_MOST, Comparison.AT_LEAST)
_COMPARISONS: Final = (Comparison.EQUAL, Comparison.DIFFERS, *_ORDERED)
_TEXT_COMPARISONS: Final = (*_COMPARISONS, Comparison.CONTAINS, Comparison.STARTS, Comparison.ENDS)
_OF_NUMBERS: Final = (Aggregation.SUM, Aggregation.AVERAGE, Aggregation.MEDIAN)
_DATE_PARTS: Final = (Part.YEAR, Part.MONTH, Part.DAY)


@st.composite
def table_and_programs(draw: Any, count: int = 8, huge: bool = False) -> tuple[list[Table], list[Program]]:
    """One to three tables, and some programs over them."""
    tables = draw(_tables(huge))
    return tables, [_Drawing(draw, tables).program() for _ in range(count)]


def programs_and_tables() -> st.SearchStrategy[tuple[list[Table], Program]]:
    """One to three tables and one program over them."""
    return table_and_programs(count=1).map(lambda drawn: (drawn[0], drawn[1][0]))


@st.composite
def _tables(draw: Any, huge: bool) -> list[Table]:
    count = draw(st.sampled_from((1, 1, 1, 2, 3)))
    names = draw(st.lists(st.sampled_from(_TABLES), min_size=count, max_size=count, unique_by=str.lower))
    return [_table(draw, name, huge) for name in names]


def _table(draw: Any, name: str, huge: bool) -> Table:
    rows = draw(st.integers(0, 7))
    fields = draw(st.lists(st.sampled_from(_NAMES), min_size=2, max_size=5, unique_by=str.lower))
    kinds = [_HUGE_CELLS, *_CELLS.values()] if huge else list(_CELLS.values())
    drawn = [draw(st.sampled_from(kinds)) for _ in fields]
    columns = []
    for _, cells in drawn:
        gaps = draw(st.sampled_from((0, 0, 3)))
        cell = st.one_of(*([cells] * 5), *([st.none()] * gaps)) if gaps else cells
        columns.append(tuple(draw(st.lists(cell, min_size=rows, max_size=rows))))
    typed = tuple(TableField(field, kind) for field, (kind, _) in zip(fields, drawn, strict=True))
    return Table(typed, tuple(columns), name)


class _Drawing:
    """Draws a program that fits the tables."""

    def __init__(self, draw: Any, tables: Sequence[Table]) -> None:
        self._draw = draw
        self._tables = tables
        self._depth = 0

    def _of(self, choices: Sequence[_T]) -> _T:
        chosen: _T = self._draw(st.sampled_from(choices))
        return chosen

    def _chance(self, one_in: int) -> bool:
        return bool(self._draw(st.integers(1, one_in)) == 1)

    def program(self) -> Program:
        match self._of(
            ("cells", "cells", "cells", "aggregate", "aggregate", "combination", "exists", "holds")
        ):
            case "cells":
                scope, rows = self._rows()
                terms = tuple(self._term(scope) for _ in range(self._of((1, 1, 1, 2))))
                return lang.Cells(terms, rows, distinct=self._chance(4))
            case "aggregate":
                return self._aggregate(None)
            case "combination":
                return self._combination(self._of((NUMBER, NUMBER, DATE)))
            case "exists":
                return lang.Exists(self._rows()[1])
        kind = self._of((NUMBER, NUMBER, TEXT, DATE))
        comparison = self._of(_TEXT_COMPARISONS if kind is TEXT else _COMPARISONS)
        left = self._single(kind)
        if comparison.of_text:
            return lang.Holds(left, comparison, self._constant(kind))
        if self._chance(4) and comparison in (Comparison.EQUAL, Comparison.DIFFERS):
            return lang.Holds(left, comparison, self._choice(kind))
        return lang.Holds(left, comparison, self._single(kind))

    # Values.

    def _single(self, kind: FieldType) -> lang.Single:
        self._depth += 1
        ways = ["aggregate", "aggregate", "constant", "cells"]
        if kind is NUMBER and self._depth < 3:
            ways.append("combination")
        match self._of(ways):
            case "aggregate" if kind is NUMBER or self._has(kind):
                return self._aggregate(kind)
            case "cells" if self._has(kind):
                scope, rows = self._rows(kind)
                one = lang.Extreme(self._of(tuple(Direction)), None, rows) if scope.ordered else rows
                return lang.Cells((self._term(scope, kind),), one, distinct=self._chance(4))
            case "combination":
                return self._combination(NUMBER)
        return self._constant(kind)

    def _combination(self, kind: FieldType) -> lang.Combination:
        if kind is DATE:
            operation = self._of((Operation.DIFFERENCE, Operation.DISTANCE))
        else:
            operation = self._of(tuple(Operation))
        if operation is Operation.PRODUCT:
            return lang.Combination(
                operation, self._single(kind), lang.Constant(self._draw(st.integers(-3, 3)))
            )
        if kind is NUMBER and self._chance(3):
            scope, rows = self._rows()
            narrow = lang.Where(rows, self._condition(scope))
            return lang.Combination(
                operation,
                lang.Aggregate(Aggregation.COUNT, None, narrow),
                lang.Aggregate(Aggregation.COUNT, None, rows),
            )
        return lang.Combination(operation, self._single(kind), self._single(kind))

    def _aggregate(self, kind: FieldType | None) -> lang.Aggregate:
        """An aggregate that gives a kind of value, or any."""
        ends = (Aggregation.MINIMUM, Aggregation.MAXIMUM)
        if kind in (TEXT, DATE):
            scope, rows = self._rows(kind)
            return lang.Aggregate(self._of(ends), self._term(scope, kind), rows)
        aggregation = self._of(tuple(Aggregation))
        scope, rows = self._rows(NUMBER if self._has(NUMBER) else None)
        if aggregation is Aggregation.COUNT:
            return lang.Aggregate(aggregation, None, rows)
        if aggregation is Aggregation.COUNT_DISTINCT or (kind is None and aggregation in ends):
            return lang.Aggregate(aggregation, self._term(scope), rows)
        if not scope.has(NUMBER):
            return lang.Aggregate(Aggregation.COUNT, None, rows)
        return lang.Aggregate(aggregation, self._term(scope, NUMBER), rows)

    def _constant(self, kind: FieldType) -> lang.Constant:
        cells = [
            cell
            for table in self._tables
            for field, column in zip(table.fields, table.columns, strict=True)
            if field.type is kind
            for cell in column
            if cell is not None
        ]
        if cells and not self._chance(4):
            return lang.Constant(self._of(cells))
        strategies = [strategy for each, strategy in _CELLS.values() if each is kind]
        return lang.Constant(self._draw(self._of(strategies)))

    def _choice(self, kind: FieldType) -> lang.OneOf:
        return lang.OneOf(tuple(self._constant(kind) for _ in range(self._of((2, 3)))))

    # Rows.

    def _has(self, kind: FieldType) -> bool:
        return any(field.type is kind for table in self._tables for field in table.fields)

    def _rows(self, kind: FieldType | None = None) -> tuple["_Scope", lang.Rows]:
        """Rows of a source that has a field of some kind."""
        self._depth += 1
        scope = self._source(kind)
        rows: lang.Rows = lang.All(scope.source)
        for _ in range(self._of((0, 1, 1, 2)) if self._depth < 5 else 0):
            rows = self._narrowed(scope, rows)
        return scope, rows

    def _narrowed(self, scope: "_Scope", rows: lang.Rows) -> lang.Rows:
        ways = ["where", "where", "extreme", *(["order", "beside"] if scope.ordered else [])]
        number = self._of((1, 1, 2, 3))
        place = {"nth": number} if self._chance(2) else {"count": number}
        match self._of(ways):
            case "where":
                return lang.Where(rows, self._condition(scope))
            case "extreme":
                return lang.Extreme(self._of(tuple(Direction)), self._term(scope), rows, **place)
            case "order":
                return lang.Extreme(self._of(tuple(Direction)), None, rows, **place)
        return lang.Beside(self._of(tuple(Step)), rows)

    def _source(self, kind: FieldType | None) -> "_Scope":
        fitting = [
            (number, table)
            for number, table in enumerate(self._tables)
            if kind is None or any(field.type is kind for field in table.fields)
        ]
        _, table = self._of(fitting)
        name = None if len(self._tables) == 1 else table.name
        scope = _Scope(
            name,
            {
                kind: [lang.Field(field.name) for field in table.fields if field.type is kind]
                for kind in FieldType
            },
            True,
        )
        if len(self._tables) > 1 and self._chance(2):
            scope = self._joined(scope, table)
        if self._depth < 4 and self._chance(4) and kind in (None, NUMBER):
            grouped = self._grouped(scope)
            return grouped if kind is None or grouped.has(kind) else scope
        return scope

    def _joined(self, scope: "_Scope", table: Table) -> "_Scope":
        other = self._of([each for each in self._tables if each is not table])
        pairs = [
            (lang.Field(one.name, table.name), lang.Field(two.name, other.name))
            for one in table.fields
            for two in other.fields
            if one.type is two.type
        ]
        if not pairs:
            return scope
        on = (self._of(pairs),) if self._chance(2) else tuple({self._of(pairs), self._of(pairs)})
        on = tuple(sorted(on, key=repr))
        terms: dict[FieldType, list[lang.Term]] = {
            kind: [
                lang.Field(field.name, each.name)
                for each in (table, other)
                for field in each.fields
                if field.type is kind
            ]
            for kind in FieldType
        }
        return _Scope(lang.Join(table.name, other.name, on), terms, False)

    def _grouped(self, scope: "_Scope") -> "_Scope":
        rows: lang.Rows = lang.All(scope.source)
        if self._chance(2):
            rows = lang.Where(rows, self._condition(scope))
        by = self._term(scope)
        aggregation = self._of([Aggregation.COUNT, *Aggregation])
        term = None
        measured = NUMBER
        if aggregation in (*_OF_NUMBERS, Aggregation.RANGE):
            if not scope.has(NUMBER):
                aggregation = Aggregation.COUNT
            else:
                term = self._term(scope, NUMBER)
        elif aggregation is not Aggregation.COUNT:
            term = self._term(scope)
            if aggregation is not Aggregation.COUNT_DISTINCT:
                measured = scope.kind(term)
        terms: dict[FieldType, list[lang.Term]] = {kind: [] for kind in FieldType}
        terms[scope.kind(by)].append(by)
        terms[measured].append(lang.Measure())
        return _Scope(lang.Groups(by, aggregation, term, rows), terms, False)

    # Conditions.

    def _condition(self, scope: "_Scope") -> lang.Condition:
        self._depth += 1
        deep = self._depth < 5
        ways = ["compare"] * 6 + ["between", "missing"] + (["and", "or", "not"] if deep else [])
        match self._of(ways):
            case "between":
                term = self._term(scope)
                kind = scope.kind(term)
                return lang.Between(term, self._constant(kind), self._constant(kind))
            case "missing":
                return lang.Missing(self._term(scope))
            case "and":
                return lang.And((self._condition(scope), self._condition(scope)))
            case "or":
                return lang.Or((self._condition(scope), self._condition(scope)))
            case "not":
                return lang.Not(self._condition(scope))
        term = self._term(scope)
        kind = scope.kind(term)
        comparison = self._of(_TEXT_COMPARISONS if kind is TEXT else _COMPARISONS)
        return lang.Compare(term, comparison, self._operand(scope, kind, comparison))

    def _operand(self, scope: "_Scope", kind: FieldType, comparison: Comparison) -> lang.Operand:
        if comparison.of_text:
            return self._constant(kind)
        ways = ["constant"] * 3 + ["term"] + (["program", "cells"] if self._depth < 5 else [])
        if comparison in (Comparison.EQUAL, Comparison.DIFFERS):
            ways.append("choice")
        match self._of(ways):
            case "term":
                return self._term(scope, kind)
            case "choice":
                return self._choice(kind)
            case "cells" if self._has(kind):
                inner, rows = self._rows(kind)
                return lang.Cells((self._term(inner, kind),), rows)
            case "program":
                single = self._single(kind)
                return single if not isinstance(single, lang.Cells) else self._constant(kind)
        return self._constant(kind)

    # Terms.

    def _operations(self) -> list[Operation]:
        """What can be done with two fields; databases round ratios of huge numbers."""
        cells = (cell for table in self._tables for column in table.columns for cell in column)
        huge = any(isinstance(cell, int) and abs(cell) > 2**53 for cell in cells)
        ratios = (Operation.RATIO, Operation.PERCENTAGE)
        return [operation for operation in Operation if not huge or operation not in ratios]

    def _term(self, scope: "_Scope", kind: FieldType | None = None) -> lang.Term:
        if kind is None:
            kind = self._of([each for each in FieldType if scope.has(each)])
        if kind is NUMBER and not scope.grouped and self._chance(4):
            return self._made(scope)
        return self._of(scope.terms[kind]) if scope.terms[kind] else self._made(scope)

    def _made(self, scope: "_Scope") -> lang.Term:
        """A number made of other terms."""
        ways = [kind for kind in FieldType if scope.terms[kind]]
        kind = self._of(ways)
        first: lang.Term = self._of(scope.terms[kind])
        if scope.grouped:
            measure: lang.Term = self._of(scope.terms[NUMBER])
            return measure
        if kind is TEXT:
            return lang.PartOf(Part.NUMBER, first)
        if kind is DATE:
            if self._chance(2):
                return lang.PartOf(self._of(_DATE_PARTS), first)
            operation = self._of((Operation.DIFFERENCE, Operation.DISTANCE))
            return lang.Arithmetic(operation, first, self._of(scope.terms[DATE]))
        operation = self._of(self._operations())
        if operation is Operation.PRODUCT:  # of two large ones, databases make an error
            return lang.Arithmetic(operation, first, lang.Constant(self._draw(st.integers(-3, 3))))
        return lang.Arithmetic(operation, first, self._of(scope.terms[NUMBER]))


class _Scope:
    """What the rows of a source have: terms of each kind."""

    def __init__(self, source: lang.Source, terms: dict[FieldType, list[Any]], ordered: bool) -> None:
        self.source = source
        self.terms = terms
        self.ordered = ordered
        self.grouped = isinstance(source, lang.Groups)

    def has(self, kind: FieldType) -> bool:
        """Whether some term is of a kind; numbers can be made of texts and dates, but not of groups."""
        return bool(self.terms[kind]) or (kind is NUMBER and not self.grouped)

    def kind(self, term: lang.Term) -> FieldType:
        """What a term is."""
        return next((kind for kind, terms in self.terms.items() if term in terms), NUMBER)
