"""Questions that tables cannot answer: for a missing field or row, about something else, about nothing.

A question for a missing field or row is drafted as any other, about a few cells of the table with one field
or one row added to them.
"""

import datetime
from collections.abc import Sequence
from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Compare,
    Comparison,
    Constant,
    Holds,
    OneOf,
)
from neural_enquirer.programs.language import Field as ProgramField
from neural_enquirer.programs.trees import parts
from neural_enquirer.synthesis.open.columns import family_words
from neural_enquirer.synthesis.open.draw import Draw, NoQuestionError, attempted, known, require
from neural_enquirer.synthesis.open.families import all_families
from neural_enquirer.synthesis.open.headers import content_words
from neural_enquirer.synthesis.open.lexicon import Family
from neural_enquirer.synthesis.open.makers import made_up_word, pool
from neural_enquirer.synthesis.open.surface import finished
from neural_enquirer.synthesis.programs.drafting import NAMING_ROWS, any_words, drafted, worded
from neural_enquirer.synthesis.programs.drafts import Draft
from neural_enquirer.synthesis.programs.fields import Asked
from neural_enquirer.synthesis.programs.phrases import PHRASES, said
from neural_enquirer.synthesis.programs.subject import Subject
from neural_enquirer.tables import Field, FieldType, Table, Value, spelling

_TRIES: Final = 12
_FEW_ROWS: Final = 6
_FEW_FIELDS: Final = 2
_SPLIT: Final = "train"


def _cut(draw: Draw, subject: Subject, rows: Sequence[int]) -> list[Asked]:
    """The key and few other fields."""
    others = [each for each in subject.fields if each is not subject.key]
    key = [] if subject.key is None else [subject.key]
    return [*key, *draw.some(others, min(len(others), _FEW_FIELDS))]


def _table(name: str, fields: Sequence[Field], columns: Sequence[Sequence[Value | None]]) -> Table:
    return Table(tuple(fields), tuple(map(tuple, columns)), name)


# A missing field.


def missing_field(draw: Draw, subject: Subject) -> str:
    """A question about a field that the table does not have."""
    family = draw.of(all_families())
    require(not family.held_out and _is_unlike(family, subject))
    rows = draw.some(range(subject.row_count), _FEW_ROWS)
    kept = _cut(draw, subject, rows)
    columns = [[each.cells[row] for row in rows] for each in kept]
    columns.append([_value(draw, family) for _ in rows])
    name = family.nouns[0]
    require(name not in {each.header for each in kept})
    fields = [*(subject.table.fields[each.index] for each in kept), Field(name, FieldType(family.kind))]
    larger = Subject(_table(subject.table.name, fields, columns))
    for _ in range(_TRIES):
        draft = attempted(drafted, draw, larger)
        if draft is not None and ProgramField(name) in parts(draft.program):
            return worded(draw, draft)
    raise NoQuestionError


def _is_unlike(family: Family, subject: Subject) -> bool:
    """Whether no field of the table could be meant by the words for a family."""
    telling = family_words(family)
    names = content_words(subject.noun) | content_words(subject.table.name.lower())
    for each in subject.fields:
        if telling & each.words or (each.family is not None and telling & family_words(each.family)):
            return False
    return not telling & names


def _value(draw: Draw, family: Family) -> Value:
    if family.kind == "text":
        return draw.of(pool(family.values, _SPLIT) if isinstance(family.values, str) else family.values)
    if family.kind == "date":
        return datetime.date(
            draw.between(int(family.low), int(family.high)), draw.between(1, 12), draw.between(1, 28)
        )
    number = family.low + draw.random() * (family.high - family.low)
    return round(number, family.decimals) if family.decimals else int(number)


# A missing row.


def missing_row(draw: Draw, subject: Subject) -> str:
    """A question about something that no row is about."""
    rows = draw.some(range(subject.row_count), _FEW_ROWS)
    kept = _cut(draw, subject, rows)
    columns = [[each.cells[row] for row in rows] for each in kept]
    added: list[Value | None] = [_stranger(draw, each, subject) for each in kept]
    strangers = {value for value in added if value is not None}
    require(bool(strangers))
    for column, value in zip(columns, added, strict=True):
        column.append(draw.of(column) if value is None else value)
    fields = [subject.table.fields[each.index] for each in kept]
    larger = Subject(_table(subject.table.name, fields, columns))
    for _ in range(_TRIES):
        draft = attempted(draw.of(NAMING_ROWS), any_words(draw, larger))
        if draft is None or not _needs_a_row(draft):
            continue
        named = {part.value for part in parts(draft.program) if isinstance(part, Constant)}
        if named & strangers and all(str(value) in draft.text or value not in strangers for value in named):
            return worded(draw, draft)
    raise NoQuestionError


def _needs_a_row(draft: Draft) -> bool:
    """Whether nothing answers a question if the row that it names is not there."""
    found = parts(draft.program)
    counts = isinstance(draft.program, Aggregate) and draft.program.aggregation is Aggregation.COUNT
    loose = any(
        isinstance(part, OneOf)
        or (isinstance(part, Compare | Holds) and part.comparison is Comparison.DIFFERS)
        for part in found
    )
    return not counts and (not loose or draft.kind == "either_or")


def _stranger(draw: Draw, field: Asked, subject: Subject) -> Value | None:
    """A value that is like those of a field but is in no cell of the table."""
    if field.year:
        years = [int(spelling(year)) for year in field.counts]
        return max(years) + draw.between(3, 30) if draw.chance(0.5) else min(years) - draw.between(3, 30)
    if field.type is not FieldType.TEXT or not field.short or field.amount is not None:
        return None
    value = _like(draw, field)
    low = value.casefold()
    there = any(low in str(cell).casefold() for each in subject.texts for cell in each.counts)
    return None if there or not low else value


def _like(draw: Draw, field: Asked) -> str:
    family = field.family
    if family is not None and isinstance(family.values, str) and draw.chance(0.8):
        return draw.of(pool(family.values, _SPLIT))
    if field.person or field.place:
        return draw.of(pool("person" if field.person else draw.of(("city", "country")), _SPLIT))
    one, other = (str(draw.of(tuple(field.counts))).split() for _ in range(2))
    if len(one) > 1 and len(other) > 1 and draw.chance(0.6):
        return f"{' '.join(one[:-1])} {other[-1]}"
    return draw.of(pool(draw.of(("title", "company", "place", "person", "team")), _SPLIT))


# Something else, and nothing.


def off_topic(draw: Draw, subject: Subject) -> str:
    """A question about something that has nothing to do with the table."""
    city, other = draw.some(pool("city", _SPLIT), 2)
    slots = {
        "city": city,
        "city2": other,
        "country": draw.of(pool("country", _SPLIT)),
        "person": draw.of(pool("person", _SPLIT)),
        "word": draw.of(PHRASES["nonsense_words"]),
        "p": draw.of(subject.nouns[1]) if subject.noun else "",
        "number": str(draw.between(2, 99)),
        "number2": str(draw.between(2, 999)),
    }
    return finished(draw, known(said(draw, "off_topic", slots)))


def nonsense(draw: Draw, subject: Subject) -> str:
    """Words that ask nothing."""
    kind = draw.random()
    if kind < 0.2:
        return finished(draw, draw.of(PHRASES["nonsense"]), plain=True)
    if kind < 0.35:
        return finished(draw, " ".join(made_up_word(draw) for _ in range(draw.between(1, 4))), plain=True)
    vocabulary = [
        *PHRASES["nonsense_words"],
        *(each.name for each in draw.some(subject.fields, 2) if draw.chance(0.3)),
    ]
    return finished(draw, " ".join(draw.some(vocabulary, draw.between(3, 8))), plain=True)
