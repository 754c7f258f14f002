"""Answers as people read them: their values in one line, and by which kind of program they came about."""

import re
from collections.abc import Sequence
from typing import Final, assert_never

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.result import Result
from neural_enquirer.programs.spoken.rows import Phrases
from neural_enquirer.programs.spoken.terms import Kind
from neural_enquirer.programs.types import source_of
from neural_enquirer.tables import Table, Value, spelling
from neural_enquirer.tables.units import Kind as Measured
from neural_enquirer.tables.units import meanings

AS_THEY_ARE: Final = "none"
YES_NO: Final = "yes_no"
_COMMON: Final = {lang.Direction.LARGEST: "most_common", lang.Direction.SMALLEST: "least_common"}
_MOST_LISTED: Final = 20
_ABOUT: Final = "about "
_SPANS: Final = re.compile(r"\b(?:days|weeks|months|years)\b")


def answer_kind(program: lang.Program) -> str:
    """The kind of a program's answer: count, sum, yes_no, most_common, …; none for cells as they are."""
    match program:
        case lang.Exists() | lang.Holds():
            return YES_NO
        case lang.Aggregate(aggregation):
            return aggregation.value
        case lang.Combination(operation):
            return operation_name(operation)
        case lang.Cells():
            return _of_cells(program)
    assert_never(program)


def operation_name(operation: lang.Operation) -> str:
    """What an operation of two values is called; a distance is a difference to people."""
    return lang.Operation.DIFFERENCE.value if operation is lang.Operation.DISTANCE else operation.value


def _of_cells(cells: lang.Cells) -> str:
    source = source_of(cells.rows)
    if isinstance(source, lang.Groups):
        if lang.Measure() in cells.terms:
            return source.aggregation.value
        match source.aggregation, cells.rows:
            case lang.Aggregation.COUNT, lang.Extreme(direction, lang.Measure(), nth=1):
                return _COMMON[direction]
    first = cells.terms[0]
    return operation_name(first.operation) if isinstance(first, lang.Arithmetic) else AS_THEY_ARE


def span_asked(question: str) -> str | None:
    """The only unit of time that a question names in the plural, unless it is days: months."""
    named = set(_SPANS.findall(question.lower()))
    return None if len(named) != 1 or "days" in named else named.pop()


def written(program: lang.Program, result: Result, tables: Sequence[Table], span: str | None = None) -> str:
    """What a program found: 12, Ford and Fiat, Ford 12 and Fiat 9, 40.54 %, yes.

    Args:
        program: the program.
        result: what running it gave.
        tables: what it was asked of.
        span: the unit of time to tell days in; None for days.
    """
    say = Phrases.of(program, result, tables)
    match program, result.values:
        case lang.Aggregate() | lang.Combination(), (int() | float() as count,) if span and say.is_days(
            program
        ):
            return f"{_spanned(count, span)} ({say.written(count, program).removeprefix(_ABOUT)})"
    match program:
        case lang.Cells():
            return _records(program, _cells(program, result, tables, say), say)
        case lang.Aggregate(lang.Aggregation.MINIMUM | lang.Aggregation.MAXIMUM, lang.Field()):
            return _as_in_its_cell(result, tables)
        case lang.Aggregate() | lang.Combination():
            return say.written(result.values[0], program).removeprefix(_ABOUT)
    return spelling(result.values[0])


def _spanned(days: int | float, span: str) -> str:
    """So many days in a larger unit."""
    (unit,) = (each.unit for each in meanings(span) if each.unit.kind is Measured.DURATION)
    count = round(days * 86400 / unit.factor, 1)
    return f"{count:,g} {span.removesuffix('s') if abs(count) == 1 else span}"


def _cells(program: lang.Cells, result: Result, tables: Sequence[Table], say: Phrases) -> list[str]:
    """Every value of a list of cells, as the table spells it where it is a cell."""
    if result.verbatim:
        return list(result.texts(tables))
    known, terms = say.terms(program.rows), program.terms

    def told(value: Value, term: lang.Term) -> str:
        plain = not isinstance(value, int | float)
        return spelling(value) if plain else known.value(value, term).removeprefix(_ABOUT)

    return [told(value, terms[place % len(terms)]) for place, value in enumerate(result.values)]


def _records(program: lang.Cells, texts: Sequence[str], say: Phrases) -> str:
    """Texts as a list, those of one row together; equal texts of several rows are told once."""
    size, known = len(program.terms), say.terms(program.rows)
    rows = [tuple(texts[start : start + size]) for start in range(0, len(texts), size)]
    if len(rows) == 1 and size > 1:
        return ", ".join(
            text
            if term == program.terms[0] and lang.Measure() in program.terms
            else f"{known.noun(term)} {text}"
            for term, text in zip(program.terms, rows[0], strict=True)
        )
    if len(set(rows)) == 1 or all(known.kind(term) is Kind.TEXT for term in program.terms):
        rows = list(dict.fromkeys(rows))
    return _listed([" ".join(row) if size == 2 else _bracketed(row) for row in rows])


def _bracketed(row: Sequence[str]) -> str:
    first, *others = row
    return f"{first} ({', '.join(others)})" if others else first


def _listed(parts: Sequence[str]) -> str:
    """A list, with semicolons where its parts have commas of their own; a long one is cut."""
    comma = "; " if any(", " in part for part in parts) else ", "
    more = len(parts) - _MOST_LISTED
    if more > 1:
        return f"{comma.join(parts[:_MOST_LISTED])} and {more:,} more"
    return comma.join(parts)


def _as_in_its_cell(result: Result, tables: Sequence[Table]) -> str:
    """A value that stands in one of the cells that were looked at, as that cell spells it."""
    (value,) = result.values
    for block in result.blocks:
        column = tables[block.table].columns[block.column]
        for row in block.rows.tolist():
            if column[row] == value:
                return tables[block.table].text(row, block.column)
    return spelling(value)
