"""Edits of what is asked of the rows: another field, a count, a list, an average, a share, groups."""

from collections.abc import Iterator, Sequence
from typing import Final

from neural_enquirer.asking.follow_ups.edit import Edit
from neural_enquirer.asking.follow_ups.last import About, rows_of
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Arithmetic,
    Cells,
    Combination,
    Extreme,
    Field,
    Groups,
    Measure,
    Operation,
    PartOf,
    Program,
    Term,
)
from neural_enquirer.programs.trees import changed, field_of, without
from neural_enquirer.programs.types import source_of

__all__ = [
    "aggregated",
    "asked_for",
    "counted",
    "grouped",
    "how_many",
    "listed",
    "shared",
    "unmeasured",
]

_UNSAID: Final = 0.5
"""The cost of a field that nobody names."""

_COUNTING_ONE: Final = 1.5


def asked_for(
    edit: Edit, about: About, terms: Sequence[Term], of_rows: bool, distinct: bool = False
) -> Iterator[Edit]:
    """The program with other fields in the place of those that it asks for.

    Args:
        edit: the program so far.
        about: what the last answer was about.
        terms: the fields.
        of_rows: whether they are asked of the rows behind the last answer, as by "their".
        distinct: whether each value is wanted once.
    """
    asked = tuple(terms)
    rows = about.behind(edit.program)
    if rows is not None:
        measures = measured_in(edit.program) is not None
        repeats = distinct and len(asked) == 1 and about.repeats(Cells(asked, rows))
        yield edit.to(Cells(asked, rows, repeats), 0.0 if of_rows or not measures else 1.0)
    match edit.program:
        case Aggregate(aggregation, term, own) if term is not None and len(asked) == 1 and not of_rows:
            yield edit.to(Aggregate(aggregation, asked[0], own))


def measured_in(program: Program) -> Term | None:
    """What a program measures in rows, or in groups of them."""
    match program:
        case Aggregate(_, term):
            return term
        case Cells(rows=rows):
            source = source_of(rows)
            return source.term if isinstance(source, Groups) else None
    return None


def listed(edit: Edit, about: About, terms: Sequence[Term]) -> Iterator[Edit]:
    """The rows behind the last answer, by name or by fields."""
    rows = about.behind(edit.program)
    match edit.program:
        case Aggregate(Aggregation.COUNT_DISTINCT, term, own) if term is not None and not terms:
            yield edit.to(Cells((term,), own, distinct=True))
        case Cells(own_terms, own) if not terms and not isinstance(source_of(own), Groups):
            if not isinstance(own, Extreme):
                yield edit.to(Cells(own_terms, own), _UNSAID)
    if rows is not None:
        asked = tuple(terms) or ((about.label,) if about.label is not None else ())
        if asked:
            yield edit.to(Cells(asked, rows), 0.0 if terms else 0.1)


def counted(edit: Edit, about: About, terms: Sequence[Term], distinct: bool, of_rows: bool) -> Iterator[Edit]:
    """How many there are."""
    match edit.program:
        case Cells((term,), own, True) if not terms:
            yield edit.to(Aggregate(Aggregation.COUNT_DISTINCT, term, own))
            return
        case Cells((term,), own) if isinstance(source_of(own), Groups) and not terms:
            yield edit.to(Aggregate(Aggregation.COUNT, None, own))
            edit = edit.to(edit.program, _UNSAID)
    rows = about.behind(edit.program)
    if rows is None:
        return
    for term in terms if distinct else ():
        yield edit.to(Aggregate(Aggregation.COUNT_DISTINCT, term, rows))
    of_one = of_rows and not edit.fresh and about.count(rows) == 1  # which nobody needs to count
    yield edit.to(Aggregate(Aggregation.COUNT, None, rows), 0.5 * len(terms) + _COUNTING_ONE * of_one)


def how_many(edit: Edit) -> Iterator[Edit]:
    """How much the last answer has of what it has most or least of."""
    match edit.program:
        case Cells(terms, Extreme(_, by) as rows) if by is not None and by not in terms:
            yield edit.to(Cells((by,), rows))


def aggregated(
    edit: Edit, about: About, aggregation: Aggregation, terms: Sequence[Term], of_rows: bool
) -> Iterator[Edit]:
    """The average, sum, … of a field, over the rows that a superlative chose from, or in each group."""
    source = source_of(rows_of(edit.program) or All())
    if isinstance(source, Groups) and source.term is not None and not of_rows:
        new = Groups(source.by, aggregation, next(iter(terms), source.term), source.rows)
        yield edit.to(changed(edit.program, lambda part: new if part == source else part), -_UNSAID)
    rows = rows_of(edit.program) or about.behind(edit.program)
    if rows is None or isinstance(source_of(rows), Groups):
        rows = about.behind(edit.program)
    while isinstance(rows, Extreme) and rows.count == 1 and not of_rows:
        rows = rows.rows
    if rows is None:
        return
    for place, term in enumerate([*terms] or [*about.measures]):
        yield edit.to(Aggregate(aggregation, term, rows), 0.3 * place)


def unmeasured(edit: Edit) -> Iterator[Edit]:
    """What each row has, where nobody asks for the sum or the average of it: how tall are they?"""
    match edit.program:
        case Aggregate(Aggregation.SUM | Aggregation.AVERAGE, term, rows) if term is not None:
            if not isinstance(source_of(rows), Groups):
                yield edit.to(Cells((term,), rows))


def shared(edit: Edit, about: About) -> Iterator[Edit]:
    """Which share of all rows the last answer is about, or of a sum."""
    match edit.program:
        case Cells((term,), rows) if about.has_order(term) and not isinstance(source_of(rows), Groups):
            every = Aggregate(Aggregation.SUM, term, All(source_of(rows)))
            yield edit.to(Combination(Operation.PERCENTAGE, edit.program, every), -_UNSAID)
    is_sum = isinstance(edit.program, Aggregate) and edit.program.aggregation is Aggregation.SUM
    behind = about.behind(edit.program)
    if behind is not None:
        aggregation = Aggregation.SUM if is_sum else Aggregation.COUNT
        summed = measured_in(edit.program) if is_sum else None
        part, whole = (Aggregate(aggregation, summed, own) for own in (behind, All(source_of(behind))))
        yield edit.to(Combination(Operation.PERCENTAGE, part, whole))


def grouped(edit: Edit, by: Field) -> Iterator[Edit]:
    """The same for each value of a field, of which it was about one perhaps; or over all rows."""
    same = without(edit.program, lambda leaf: field_of(leaf.term) == by and leaf not in edit.fresh)
    whole = without(same, lambda leaf: leaf not in edit.fresh)
    yield from _grouped(edit, same, by)
    if whole != same:
        yield from _grouped(edit.to(whole, 2 * _UNSAID), whole, by)


def _grouped(edit: Edit, program: Program, by: Field) -> Iterator[Edit]:
    match program:
        case Aggregate(aggregation, term, rows) if not isinstance(source_of(rows), Groups):
            yield edit.to(Cells((by, Measure()), All(Groups(by, aggregation, term, rows))))
        case Cells(_, rows) if not isinstance(source_of(rows), Groups):
            yield edit.to(Cells((by, Measure()), All(Groups(by, Aggregation.COUNT, None, rows))), 0.5)
        case Cells(rows=rows):
            old = source_of(rows)
            assert isinstance(old, Groups)
            new = Groups(by, old.aggregation, old.term, old.rows)
            changes = {old: new, old.by: by}
            yield edit.to(changed(program, lambda part: changes.get(part, part) if _is_part(part) else part))


def _is_part(part: object) -> bool:
    return isinstance(part, Groups | Field | PartOf | Arithmetic)
