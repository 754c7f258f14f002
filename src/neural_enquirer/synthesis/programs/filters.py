"""Conditions drawn from a table's cells: what narrows its rows down, before it has words."""

import datetime
import functools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from neural_enquirer.programs.execution import run
from neural_enquirer.programs.language import (
    All,
    And,
    Between,
    Compare,
    Comparison,
    Condition,
    Constant,
    Exists,
    Missing,
    Not,
    OneOf,
    Part,
    PartOf,
    Rows,
    Term,
    Where,
)
from neural_enquirer.synthesis.open.amounts import written_date, written_month
from neural_enquirer.synthesis.open.draw import Draw, NoQuestionError, attempted, require
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.programs.spelling import round_bound, spelled, spelled_number
from neural_enquirer.synthesis.programs.subject import Asked, Subject
from neural_enquirer.tables import FieldType, Value
from neural_enquirer.tables.arrays import Mask

_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_TRIES: Final = 4
_DECADE: Final = 10


@dataclass(frozen=True, eq=False)
class Filter:
    """A condition on one field."""

    field: Asked
    form: str
    """What it says; the lists of `conditions.toml` are called by it."""
    condition: Condition
    said: tuple[str, ...] = ()
    """Its values as the question writes them."""

    @functools.cached_property
    def rows(self) -> Mask:
        """The rows that fulfil it."""
        table = self.field.table
        found = run(Exists(Where(All(), self.condition)), [table]).steps[-1].rows.index
        mask = np.zeros(table.row_count, np.bool_)
        mask[found] = True
        return mask


def narrowed(filters: Sequence[Filter], rows: Rows | None = None) -> Rows:
    """The rows that fulfil all filters."""
    conditions = tuple(each.condition for each in filters)
    rows = All() if rows is None else rows
    if not conditions:
        return rows
    return Where(rows, conditions[0] if len(conditions) == 1 else And(conditions))


def kept(subject: Subject, filters: Iterable[Filter]) -> Mask:
    """Which rows fulfil all filters."""
    mask = np.ones(subject.row_count, np.bool_)
    for each in filters:
        mask = mask & each.rows
    return mask


def draw_filters(
    draw: Draw,
    subject: Subject,
    count: int,
    avoid: Collection[Asked] = (),
    *,
    least: int = 1,
    several: bool = False,
) -> list[Filter]:
    """Filters on different fields that together leave some rows, each of which takes rows away.

    Args:
        draw: the random choices.
        subject: what is asked about.
        count: how many.
        avoid: fields that have another part in the question.
        least: how many rows must be left.
        several: whether conditions that only one row fulfils are avoided.
    """
    row = draw.below(subject.row_count)
    found: list[Filter] = []
    for number in range(count):
        used = {each.field for each in found} | set(avoid)
        shared = several or least > 1 or number < count - 1  # something must be left to narrow down
        found.append(_another(draw, subject, row, used, kept(subject, found), least, shared))
    require(_all_count(subject, found))
    return found


def _another(
    draw: Draw,
    subject: Subject,
    row: int,
    used: Collection[Asked],
    left: Mask,
    least: int,
    several: bool,
) -> Filter:
    before = int(left.sum())
    for _ in range(_TRIES):
        found = attempted(any_filter, draw, subject, row, used, several)
        if found is not None and least <= int((found.rows & left).sum()) < before:
            return found
    raise NoQuestionError


def _all_count(subject: Subject, filters: Sequence[Filter]) -> bool:
    """Whether without any one of the filters more rows would be left."""
    left = int(kept(subject, filters).sum())
    others = ([other for other in filters if other is not each] for each in filters)
    return len(filters) < 2 or all(int(kept(subject, rest).sum()) > left for rest in others)


def any_filter(
    draw: Draw, subject: Subject, row: int, avoid: Collection[Asked], several: bool = False
) -> Filter:
    """A filter that a row fulfils; `several` where it should be one that other rows may fulfil too."""
    fields = [each for each in subject.fields if each not in avoid]
    categories = [each for each in fields if each.category]
    chosen = categories if categories and draw.chance(0.55 if several else 0.4) else fields
    require(bool(chosen))
    found = _drawn(draw, draw.of(chosen), row, several)
    require(bool(0 < found.rows.sum() < len(found.rows)))
    return found


def equal(draw: Draw, field: Asked, row: int) -> Filter:
    """The rows that have the same cell as this one."""
    condition = Compare(field.field, Comparison.EQUAL, Constant(field.value(row)))
    return Filter(field, "equal", condition, (spelled(draw, field, row),))


def _drawn(draw: Draw, field: Asked, row: int, several: bool) -> Filter:
    if field.cells[row] is None:
        require(draw.chance(0.5))
        return Filter(field, "missing", Missing(field.field))
    if field.known < len(field.cells) and draw.chance(0.03):
        return Filter(field, "present", Not(Missing(field.field)))
    if field.type is FieldType.DATE:
        return _date(draw, field, row)
    if field.amount is not None and not (field.type is FieldType.TEXT and draw.chance(0.3)):
        return _amount(draw, field, field.amount, row, several)
    if field.type is FieldType.NUMBER:
        return _year(draw, field, row) if field.year else _place(draw, field, row)
    return _text(draw, field, row, several)


def _compared(term: Term, comparison: Comparison, value: Value) -> Compare:
    return Compare(term, comparison, Constant(value))


# Texts.


def _text(draw: Draw, field: Asked, row: int, several: bool) -> Filter:
    kind, text = draw.random(), str(field.cells[row])
    require("\n" not in text and any(map(str.isalnum, text)))
    if not field.short or kind < 0.1 or (several and not field.category and kind < 0.8):
        return _part_of_text(draw, field, row)
    if kind < 0.17:
        return _choice(draw, field, row)
    if kind < 0.23 and field.category:
        return _other_than(draw, field, row)
    return equal(draw, field, row)


def _part_of_text(draw: Draw, field: Asked, row: int) -> Filter:
    """The texts that have a word, or start or end with it."""
    text = str(field.cells[row])
    words = [word for word in _WORD.findall(text) if word.lower() not in ("with", "from", "that", "and")]
    require(bool(words) and words != [text])
    word = draw.of(words)
    if draw.chance(0.2) and text.startswith(word):
        return Filter(field, "starts", _compared(field.field, Comparison.STARTS, word), (word,))
    if draw.chance(0.2) and text.endswith(word):
        return Filter(field, "ends", _compared(field.field, Comparison.ENDS, word), (word,))
    return Filter(field, "contains", _compared(field.field, Comparison.CONTAINS, word), (word,))


def _another_row(draw: Draw, field: Asked, row: int) -> int:
    """A row with another cell in a field."""
    for _ in range(_TRIES):
        other = draw.below(len(field.cells))
        if field.cells[other] is not None and field.cells[other] != field.cells[row]:
            return other
    raise NoQuestionError


def _choice(draw: Draw, field: Asked, row: int) -> Filter:
    other = _another_row(draw, field, row)
    pair = (row, other) if draw.chance(0.5) else (other, row)
    values = tuple(Constant(field.value(each)) for each in pair)
    condition = Compare(field.field, Comparison.EQUAL, OneOf(values))
    return Filter(field, "choice", condition, tuple(spelled(draw, field, each) for each in pair))


def _other_than(draw: Draw, field: Asked, row: int) -> Filter:
    other = _another_row(draw, field, row)
    value = field.value(other)
    return Filter(
        field, "differs", _compared(field.field, Comparison.DIFFERS, value), (spelled(draw, field, other),)
    )


# Numbers.

_BOUNDS: Final = {
    "more": Comparison.MORE,
    "less": Comparison.LESS,
    "at_least": Comparison.AT_LEAST,
    "at_most": Comparison.AT_MOST,
    "after": Comparison.MORE,
    "before": Comparison.LESS,
    "since": Comparison.AT_LEAST,
    "until": Comparison.AT_MOST,
}


def _amount(draw: Draw, field: Asked, term: Term, row: int, several: bool) -> Filter:
    """A comparison of an amount with a bound."""
    numbers = _numbers(field)
    if field.whole and draw.chance(0.15) and not several:
        return equal(draw, field, row)
    require(len(numbers) > 1)
    if draw.chance(0.12):
        return _between(draw, field, term, numbers)
    form = draw.of(("more", "more", "less", "less", "at_least", "at_most"))
    bound = round_bound(draw, numbers)
    return Filter(field, form, _compared(term, _BOUNDS[form], bound), (spelled_number(draw, bound),))


def _numbers(field: Asked) -> list[int | float]:
    """The distinct numbers of a field, in order."""
    if field.type is FieldType.NUMBER:
        return sorted(value for value in field.counts if isinstance(value, int | float))
    found = {number for value in field.counts if (number := _number_in(str(value))) is not None}
    return sorted(found)


def _number_in(text: str) -> int | float | None:
    found = re.search(r"\d+(?:,\d{3})*(?:\.\d+)?", text)
    if found is None:
        return None
    digits = found[0].replace(",", "")
    return float(digits) if "." in digits else int(digits)


def _between(draw: Draw, field: Asked, term: Term, numbers: Sequence[int | float]) -> Filter:
    low, high = sorted(round_bound(draw, numbers) for _ in range(2))
    require(low != high)
    return Filter(
        field,
        "between",
        Between(term, Constant(low), Constant(high)),
        (spelled_number(draw, low), spelled_number(draw, high)),
    )


def _place(draw: Draw, field: Asked, row: int) -> Filter:
    """A rank or a number that tells rows apart."""
    if not field.rank or draw.chance(0.7):
        return equal(draw, field, row)
    bound = draw.of(_numbers(field))
    form = draw.of(("at_most", "less"))
    return Filter(field, form, _compared(field.field, _BOUNDS[form], bound), (str(bound),))


def _year(draw: Draw, field: Asked, row: int) -> Filter:
    year = field.cells[row]
    assert isinstance(year, int)
    kind, years = draw.random(), _numbers(field)
    if kind < 0.45:
        return Filter(field, "in_year", _compared(field.field, Comparison.EQUAL, year), (str(year),))
    if kind < 0.57:
        first = year - year % _DECADE
        last = first + _DECADE - 1
        return Filter(
            field, "decade", Between(field.field, Constant(first), Constant(last)), (_decade(draw, first),)
        )
    if kind < 0.7:
        low, high = sorted((int(draw.of(years)), int(draw.of(years))))
        require(low != high)
        ends = (Constant(low), Constant(high))
        return Filter(field, "between_years", Between(field.field, *ends), (str(low), str(high)))
    return _beyond_year(draw, field, field.field, int(draw.of(years)))


def _decade(draw: Draw, first: int) -> str:
    names = {1960: "sixties", 1970: "seventies", 1980: "eighties", 1990: "nineties", 1950: "fifties"}
    return names[first] if first in names and draw.chance(0.4) else f"{first}s"


def _beyond_year(draw: Draw, field: Asked, term: Term, year: int) -> Filter:
    form = draw.of(("after", "after", "before", "before", "since", "until"))
    return Filter(field, form, _compared(term, _BOUNDS[form], year), (str(year),))


# Dates.


def _date(draw: Draw, field: Asked, row: int) -> Filter:
    day = field.cells[row]
    assert isinstance(day, datetime.date)
    year, month = PartOf(Part.YEAR, field.field), PartOf(Part.MONTH, field.field)
    kind = draw.random()
    if kind < 0.25:
        return Filter(field, "in_year", _compared(year, Comparison.EQUAL, day.year), (str(day.year),))
    if kind < 0.4:
        return _beyond_year(draw, field, year, day.year + draw.between(-1, 1))
    if kind < 0.52:
        in_month = _compared(month, Comparison.EQUAL, day.month)
        return Filter(field, "in_month", in_month, (SHAPES["months"][day.month - 1],))
    if kind < 0.64:
        both = And(
            (_compared(year, Comparison.EQUAL, day.year), _compared(month, Comparison.EQUAL, day.month))
        )
        return Filter(field, "in_month", both, (written_month(draw, day),))
    if kind < 0.8:
        return _on(draw, field, row)
    return _beyond_day(draw, field, day)


def _on(draw: Draw, field: Asked, row: int) -> Filter:
    day, same = field.cells[row], equal(draw, field, row)
    require(not isinstance(day, datetime.datetime) or day.time() == datetime.time())
    return Filter(field, "on", same.condition, same.said)


def _beyond_day(draw: Draw, field: Asked, day: datetime.date) -> Filter:
    form = draw.of(("after", "before"))
    bound = datetime.date(day.year, day.month, day.day)
    return Filter(field, form, _compared(field.field, _BOUNDS[form], bound), (written_date(draw, bound),))
