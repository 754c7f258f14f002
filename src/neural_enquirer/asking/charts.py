"""An answer as a small chart: groups and the n largest as bars, values over time as a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken.rows import Phrases
from neural_enquirer.programs.types import TableScope, kind_of, scope_of, source_of
from neural_enquirer.tables import FieldType, Table, TableError, Value, spelling

_MOST_POINTS: Final = 50
_LEAST_POINTS: Final = 2
_TOO_HIGH: Final = 1e300


@dataclass(frozen=True)
class Chart:
    """Points to be drawn.

    Attributes:
        kind: bars, or a line where the points follow each other in time.
        labels: what each point is of.
        values: how high it is.
        label: what the labels are: the name of a field.
        value: what the values are: the name of a field, or what was measured.
        marked: the points that the answer is made of, where those are not all.
    """

    kind: Literal["bars", "line"]
    labels: tuple[str, ...]
    values: tuple[int | float, ...]
    label: str
    value: str
    marked: tuple[int, ...] = ()


def chart_of(program: lang.Program, result: Result, tables: Sequence[Table]) -> Chart | None:
    """The chart of an answer; None where a chart would show nothing."""
    try:
        return _drawn(program, Phrases.of(program, result, tables), tables)
    except (lang.ProgramError, TableError):  # what an engine cannot work out beside the answer
        return None


@dataclass(frozen=True)
class _Points:
    """What a chart is made of: a label and a value for each of some rows."""

    rows: lang.Rows
    label: lang.Term
    value: lang.Term
    chosen: lang.Rows | None = None
    """The rows that the answer is made of, where those are others."""


def _drawn(program: lang.Program, say: Phrases, tables: Sequence[Table]) -> Chart | None:
    points = _points(program, say, tables)
    if points is None:
        return None
    scope = scope_of(points.rows, tables)
    if kind_of(points.value, scope) is not FieldType.NUMBER:
        return None
    pairs = _pairs(points, points.rows, say)
    in_time = say.terms(points.rows).kind(points.label).of_time
    if in_time or kind_of(points.label, scope) is not FieldType.TEXT:
        pairs.sort(key=lambda pair: pair[0])
    elif isinstance(source_of(points.rows), lang.Groups):
        chosen_rows = points.chosen
        for_least = isinstance(chosen_rows, lang.Extreme) and chosen_rows.direction is lang.Direction.SMALLEST
        pairs.sort(key=lambda pair: pair[1], reverse=not for_least)
    pairs = pairs[-_MOST_POINTS:] if in_time else pairs[:_MOST_POINTS]
    if len(pairs) < _LEAST_POINTS:
        return None
    chosen = set(_pairs(points, points.chosen, say)) if points.chosen is not None else set(pairs)
    marked = tuple(place for place, pair in enumerate(pairs) if pair in chosen)
    terms = say.terms(points.rows)
    return Chart(
        kind="line" if in_time else "bars",
        labels=tuple(spelling(label) for label, _ in pairs),
        values=tuple(value for _, value in pairs),
        label=terms.noun(points.label),
        value=terms.noun(points.value),
        marked=marked if len(marked) < len(pairs) else (),
    )


def _points(program: lang.Program, say: Phrases, tables: Sequence[Table]) -> _Points | None:
    """What to draw: all groups, the n largest or smallest, or values with their times."""
    if not isinstance(program, lang.Cells | lang.Aggregate):
        return None
    rows = program.rows
    source = source_of(rows)
    if isinstance(source, lang.Groups):
        return _Points(
            lang.All(source), source.by, lang.Measure(), None if rows == lang.All(source) else rows
        )
    if not isinstance(program, lang.Cells):
        return None
    match rows:
        case lang.Extreme(by=by, count=count) if by is not None and count > 1:
            return _Points(rows, _named_by(program, by, tables), by)
    match program.terms:
        case (label, value) if say.terms(rows).kind(label).of_time:
            return _Points(rows, label, value)
    return None


def _named_by(program: lang.Cells, by: lang.Term, tables: Sequence[Table]) -> lang.Term:
    """What rows are called: the first term that is asked for, or the first field of text."""
    asked = [term for term in program.terms if term != by]
    scope = scope_of(program.rows, tables)
    assert isinstance(scope, TableScope)
    first = tables[scope.members[0]]
    texts = [field.name for field in first.fields if field.type is FieldType.TEXT]
    several = len(scope.members) > 1
    named = [lang.Field(name, first.name if several else None) for name in (*texts, *first.field_names)]
    return (asked or named)[0]


def _pairs(points: _Points, rows: lang.Rows, say: Phrases) -> list[tuple[Value, int | float]]:
    values = say.values(lang.Cells((points.label, points.value), rows))
    return [
        (label, value)
        for label, value in zip(values[::2], values[1::2], strict=True)
        if isinstance(value, int | float) and abs(value) < _TOO_HIGH
    ]
