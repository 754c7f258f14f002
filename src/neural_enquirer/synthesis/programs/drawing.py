"""Draws questions of every kind about any tables, each with the program that answers it, or with none."""

import bisect
import dataclasses
import datetime
import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    Compare,
    Comparison,
    Constant,
    Holds,
    OneOf,
    Program,
    ProgramError,
)
from neural_enquirer.programs.language import Field as ProgramField
from neural_enquirer.programs.trees import parts
from neural_enquirer.synthesis.open.columns import content_words, family_words
from neural_enquirer.synthesis.open.draw import Draw, NoQuestionError, attempted, known, require
from neural_enquirer.synthesis.open.grammar import finished
from neural_enquirer.synthesis.open.lexicon import Family, all_families
from neural_enquirer.synthesis.open.makers import made_up_word, pool
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.programs import amount_questions as amounts
from neural_enquirer.synthesis.programs import comparison_questions as comparisons
from neural_enquirer.synthesis.programs import row_questions as rows
from neural_enquirer.synthesis.programs.drafts import Draft
from neural_enquirer.synthesis.programs.joining import Ground, grounds
from neural_enquirer.synthesis.programs.phrases import PHRASES, said
from neural_enquirer.synthesis.programs.subject import Asked, Subject
from neural_enquirer.synthesis.programs.wording import Words
from neural_enquirer.tables import Field, FieldType, Table, Value, spelling

Drafter = Callable[[Words], Draft]

DRAFTERS: Final[tuple[tuple[float, Drafter], ...]] = (
    (12, rows.looked_up),
    (17, rows.found_by_conditions),
    (1, rows.different_values),
    (18, rows.superlative),
    (3, rows.extreme_value),
    (2, rows.nth_in_order),
    (3, rows.top),
    (1.5, rows.end_of_rows),
    (2, rows.beside_a_row),
    (1, rows.next_in_order),
    (11, amounts.count),
    (1.6, amounts.distinct_count),
    (9, amounts.aggregate),
    (1, amounts.amount_of_two),
    (2.5, amounts.share),
    (0.6, amounts.share_of_total),
    (5, amounts.group_of_most),
    (4, amounts.group_of_most_measure),
    (1.5, amounts.per_group),
    (1.5, amounts.groups_beyond),
    (0.8, amounts.top_groups),
    (7, comparisons.beyond_another),
    (1, comparisons.same_as_another),
    (3.5, comparisons.difference),
    (0.5, comparisons.difference_of_fields),
    (1.5, comparisons.difference_of_groups),
    (2, comparisons.either),
    (0.8, comparisons.either_group),
    (1.2, comparisons.exists),
    (0.8, comparisons.is_value),
    (0.8, comparisons.is_beyond),
    (1.3, comparisons.is_more),
    (0.5, comparisons.group_is_more),
    (0.5, comparisons.count_beyond),
    (0.5, comparisons.all_are),
)
"""What drafts questions, and how often; about as often as people ask so."""
OF_ROWS_IN_ORDER: Final = frozenset({rows.end_of_rows, rows.beside_a_row})
"""Those that only the rows of one table, which have an order, can be asked about."""
_NATURAL: Final = 0.7


NAMING_ROWS: Final[tuple[Drafter, ...]] = (
    rows.looked_up,
    rows.looked_up,
    rows.looked_up,
    rows.found_by_conditions,
    rows.found_by_conditions,
    rows.superlative,
    amounts.aggregate,
    comparisons.difference,
    comparisons.either,
)
"""Those whose questions mostly have no answer where a row that they name is missing."""


def drafted(draw: Draw, subject: Subject, ordered: bool = True) -> Draft:
    """A question about a subject."""
    drafter = DRAFTERS[bisect.bisect(_ends(), draw.random() * _ends()[-1])][1]
    require(ordered or drafter not in OF_ROWS_IN_ORDER)
    words = any_words(draw, subject)
    return dataclasses.replace(drafter(words), natural=words.natural)


def any_words(draw: Draw, subject: Subject) -> Words:
    """The words of a question, natural more often than not."""
    return Words(draw, subject, draw.chance(_NATURAL))


@functools.cache
def _ends() -> Sequence[float]:
    return tuple(itertools.accumulate(weight for weight, _ in DRAFTERS))


def worded(draw: Draw, draft: Draft) -> str:
    """A draft's question as somebody may type it."""
    text = draft.text
    if not draft.brief and draw.chance(0.03):
        text = f"{text} {draw.of(SHAPES['fillers'])}"
    return finished(draw, text, draft.brief)


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


_UNANSWERABLE: Final[tuple[tuple[float, str, Callable[[Draw, Subject], str]], ...]] = (
    (0.045, "no_field", missing_field),
    (0.025, "no_row", missing_row),
    (0.008, "off_topic", off_topic),
    (0.004, "nonsense", nonsense),
)
"""The shares of questions that nothing answers, why, and what draws them."""
_OF_TWO: Final = 0.7
_DRAWS: Final = 60
_LONGEST: Final = 220


@dataclass(frozen=True)
class DrawnQuestion:
    """A question about tables.

    Attributes:
        question: as somebody may type it.
        program: answers it; None where these tables cannot.
        kind: what is asked for; without a program, why nothing answers: `no_field`, `no_row`, `off_topic`,
            `nonsense`.
        natural: whether it may speak of fields as people do (tallest), or calls them by their names only.
    """

    question: str
    program: Program | None
    kind: str
    natural: bool = False


def draw_questions(tables: Sequence[Table], count: int, seed: int) -> list[DrawnQuestion]:
    """Draws questions about tables: all about the only one, or about one or two of several.

    Args:
        tables: what the questions are about; their names differ.
        count: how many questions; fewer come out where the tables have too little to ask about.
        seed: the same seed gives the same questions.
    """
    headers = (name for table in tables for name in (table.name, *table.field_names))
    draw = Draw("programs", seed, *headers)
    places = [ground for ground in grounds(tables) if ground.subject.fields and ground.subject.row_count > 1]
    if not places:
        return []
    drawn = (_drawn(draw, places, tables) for _ in range(count))
    return [question for question in drawn if question is not None]


def _drawn(draw: Draw, places: Sequence[Ground], tables: Sequence[Table]) -> DrawnQuestion | None:
    joined = [ground for ground in places if not ground.ordered]
    kind = draw.random()
    for _ in range(_DRAWS):
        ground = draw.of(joined) if joined and draw.chance(_OF_TWO) else draw.of(places)
        question = attempted(_of_kind, draw, kind, ground, tables)
        if question is not None and len(question.question) <= _LONGEST:
            return question
    return None


def _of_kind(draw: Draw, kind: float, ground: Ground, tables: Sequence[Table]) -> DrawnQuestion:
    """A question that nothing answers, where the number is small enough, or one that a program does."""
    for share, reason, make in _UNANSWERABLE:
        kind -= share
        if kind < 0:
            return DrawnQuestion(make(draw, ground.subject), None, reason)
    draft = drafted(draw, ground.subject, ground.ordered)
    program = ground.placed(draft.program)
    if program is None or not _has_answer(program, tables):
        raise NoQuestionError
    return DrawnQuestion(worded(draw, draft), program, draft.kind, draft.natural)


def _has_answer(program: Program, tables: Sequence[Table]) -> bool:
    try:
        return bool(run(program, tables).values)
    except ProgramError:
        return False
