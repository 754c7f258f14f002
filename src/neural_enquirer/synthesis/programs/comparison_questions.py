"""Questions that compare: rows with a named one or an average, two rows or two groups with each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    And,
    Arithmetic,
    Cells,
    Combination,
    Compare,
    Comparison,
    Condition,
    Constant,
    Direction,
    Extreme,
    Groups,
    Measure,
    OneOf,
    Operation,
    Part,
    PartOf,
    Rows,
    Single,
    Where,
)
from neural_enquirer.synthesis.open.grammar import of_many
from neural_enquirer.synthesis.programs.amount_questions import aggregate_words
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    comparative_slots,
    drawn_filters,
    named_row,
    result,
    write,
)
from neural_enquirer.synthesis.programs.fields import Asked
from neural_enquirer.synthesis.programs.filters import Filter, equal, narrowed
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.wording import Words, doing_of, of_several
from neural_enquirer.tables import FieldType

__all__ = [
    "Pair",
    "beyond_another",
    "difference",
    "difference_of_fields",
    "difference_of_groups",
    "drawn_pair",
    "either",
    "either_group",
    "of_pair",
    "same_as_another",
    "two_values",
]

_LONGEST_LIST: Final = 25


# Rows beyond a named row, an average, or all of a group.


def beyond_another(words: Words) -> Draft | None:
    """The rows that have more of a field than something else has, or how many there are."""
    draw, subject = words.draw, words.subject
    larger = draw.chance(0.65)
    drawn = draw.of((_beyond_name, _beyond_name, _beyond_average, _beyond_group, _beyond_field))(
        words, larger
    )
    if drawn is None:
        return None
    condition, than, used = drawn
    filters = drawn_filters(words, (0.8, 0.2), used, least=2)
    if filters is None or subject.head is None:
        return None
    rows = Where(All(), And((*(each.condition for each in filters), condition)) if filters else condition)
    return _listed_or_counted(words, subject.head, rows, filters, than)


def _listed_or_counted(
    words: Words, key: Asked, rows: Rows, filters: Sequence[Filter], than: str
) -> Draft | None:
    program = Cells((key.field,), rows)
    found = len(result(words, program))
    if not 0 < found < words.subject.row_count:
        return None
    counted = found > _LONGEST_LIST or words.draw.chance(0.45)
    slots = words.rows(filters, None if counted else key) | _than_slots(words, than)
    if counted:
        number = Aggregate(Aggregation.COUNT, None, rows)
        return write(words, number, "comparison", "compared_count", slots, filters)
    name = "compared_one" if found == 1 else "compared_list"
    return write(words, program, "comparison", name, slots, filters)


def _than_slots(words: Words, than: str) -> dict[str, str]:
    doing = doing_of(words.draw, than)
    return {"than": of_many(than), "than_does": doing, "thans": of_several(doing)}


_Beyond = tuple[Condition, str, list[Asked]]
"""A condition, how it is said behind a noun, and the fields that it uses."""


def _comparison(larger: bool) -> Comparison:
    return Comparison.MORE if larger else Comparison.LESS


def _beyond_name(words: Words, larger: bool) -> _Beyond | None:
    subject, row = words.subject, named_row(words)
    if row is None or subject.key is None or not subject.ordered:
        return None
    by = words.draw.of(subject.ordered)
    if by.order is None or by.cells[row] is None or by is subject.key or by.rank:
        return None
    name = equal(words.draw, subject, subject.key, row)
    condition = Compare(by.order, _comparison(larger), Cells((by.order,), narrowed([name])))
    slots = comparative_slots(words, by, larger) | {"e": name.said[0]}
    return condition, said(words.draw, "than_name", slots) or "", [by, subject.key]


def _beyond_average(words: Words, larger: bool) -> _Beyond | None:
    if not words.subject.amounts:
        return None
    by = words.draw.of(words.subject.amounts)
    assert by.amount is not None
    condition = Compare(by.amount, _comparison(larger), Aggregate(Aggregation.AVERAGE, by.amount, All()))
    slots = comparative_slots(words, by, larger) | {"above": "above" if larger else "below"}
    return condition, said(words.draw, "than_average", slots) or "", [by]


def _beyond_group(words: Words, larger: bool) -> _Beyond | None:
    """More than the average, or than any, of the rows with some value."""
    subject, draw = words.subject, words.draw
    if not subject.amounts or not subject.categories:
        return None
    by, group = draw.of(subject.amounts), draw.of(subject.categories)
    row = draw.below(subject.row_count)
    if group.cells[row] is None or by.amount is None or by is group:
        return None
    member = equal(draw, subject, group, row)
    averaged = draw.chance(0.5)
    ends = Aggregation.MAXIMUM if larger else Aggregation.MINIMUM
    aggregation = Aggregation.AVERAGE if averaged else ends
    condition = Compare(by.amount, _comparison(larger), Aggregate(aggregation, by.amount, narrowed([member])))
    slots = comparative_slots(words, by, larger) | {"v": member.said[0], "g": words.name(group)}
    slots |= {"n": words.rows([])["n"], "agg": "average", "end": "highest" if larger else "lowest"}
    return condition, said(draw, "than_group" if averaged else "than_end", slots) or "", [by, group]


def _beyond_field(words: Words, larger: bool) -> _Beyond | None:
    """More of one field than of another that is called alike."""
    pairs = _like_pairs(words)
    if not pairs:
        return None
    by, other = words.draw.of(pairs)
    assert by.amount is not None
    assert other.amount is not None
    condition = Compare(by.amount, _comparison(larger), other.amount)
    slots = comparative_slots(words, by, larger) | {"f": by.name, "other": other.name}
    return condition, said(words.draw, "than_field", slots) or "", [by, other]


def _like_pairs(words: Words) -> list[tuple[Asked, Asked]]:
    """Pairs of amounts that measure alike: their names share a word, or their values overlap and count."""
    amounts = words.subject.amounts
    return [
        (one, other)
        for one in amounts
        for other in amounts
        if one is not other and (one.words & other.words or (one.counted and other.counted))
    ]


def same_as_another(words: Words) -> Draft | None:
    """The other rows that have the same as a named one."""
    subject, row = words.subject, named_row(words)
    fields = [each for each in subject.fields if each.category or each.year]
    if row is None or subject.key is None or not fields:
        return None
    by = words.draw.of(fields)
    value, name = by.cells[row], subject.key.cells[row]
    if value is None or name is None or by is subject.key or not 2 <= by.counts[value] <= _LONGEST_LIST:
        return None
    named = equal(words.draw, subject, subject.key, row)
    same = Compare(by.field, Comparison.EQUAL, Cells((by.field,), narrowed([named])))
    rows = Where(All(), And((same, Compare(subject.key.field, Comparison.DIFFERS, Constant(name)))))
    program = Cells((subject.key.field,), rows)
    than = said(words.draw, "same_as", {"f": words.name(by), "e": named.said[0]}) or ""
    slots = words.rows([]) | _than_slots(words, than) | asked_slots(words, subject.key)
    return write(words, program, "comparison", "compared_other", slots) if result(words, program) else None


# Two rows.


@dataclass(frozen=True)
class Pair:
    """Two named rows, and a field in which they differ or not."""

    field: Asked
    first: Filter
    second: Filter
    first_is_more: bool
    equal: bool


def drawn_pair(words: Words, fields: Sequence[Asked]) -> Pair | None:
    """Two rows that both have a cell in one of the fields."""
    subject, one, other = words.subject, named_row(words), named_row(words)
    if one is None or other is None or one == other or not fields or subject.key is None:
        return None
    by = words.draw.of(fields)
    first, second = (
        equal(words.draw, subject, subject.key, one),
        equal(words.draw, subject, subject.key, other),
    )
    term = by.order or by.field
    values = [result(words, Cells((term,), narrowed([each]))) for each in (first, second)]
    if any(len(value) != 1 for value in values) or by is subject.key:
        return None
    left, right = values[0][0], values[1][0]
    more = not isinstance(left, str) and left > right  # type: ignore[operator]
    return Pair(by, first, second, more, left == right)


def of_pair(pair: Pair) -> tuple[Single, Single]:
    """What the two rows have in the field."""
    term = pair.field.order or pair.field.field
    return Cells((term,), narrowed([pair.first])), Cells((term,), narrowed([pair.second]))


def difference(words: Words) -> Draft | None:
    """How much more one named row has than another; of dates, in days or years; or how many times as much."""
    pair = drawn_pair(words, words.subject.ordered)
    if pair is None or pair.equal:
        return None
    by = pair.field
    if not pair.first_is_more:
        pair = Pair(by, pair.second, pair.first, True, False)
    if by.type is FieldType.DATE or by.year:
        return _time_between(words, pair)
    slots = comparative_slots(words, by, larger=True) | _names(pair)
    left, right = of_pair(pair)
    if by.amount is not None and words.draw.chance(0.12):
        program = Combination(Operation.RATIO, left, right)
        values = result(words, program)
        sensible = bool(values) and isinstance(values[0], int | float) and values[0] > 1
        return write(words, program, "difference", "ratio", slots) if sensible else None
    return write(words, Combination(Operation.DIFFERENCE, left, right), "difference", "difference", slots)


def _names(pair: Pair) -> dict[str, str]:
    return {"e": pair.first.said[0], "e2": pair.second.said[0]}


def _time_between(words: Words, pair: Pair) -> Draft | None:
    """Days or years between two rows; the later one is the first of the pair and is said last."""
    by = pair.field
    left, right = of_pair(pair)
    years = by.year or words.draw.chance(0.3)
    if years and not by.year:
        part = PartOf(Part.YEAR, by.field)
        left, right = Cells((part,), narrowed([pair.first])), Cells((part,), narrowed([pair.second]))
    slots = {"e": pair.second.said[0], "e2": pair.first.said[0], "f": words.name(by)}
    return write(
        words,
        Combination(Operation.DIFFERENCE, left, right),
        "difference",
        "days_between",
        slots | {"days": "years" if years else "days"},
    )


def difference_of_fields(words: Words) -> Draft | None:
    """How much more a named row has of one field than of another that is called alike."""
    subject, row, pairs = words.subject, named_row(words), _like_pairs(words)
    if row is None or subject.key is None or not pairs:
        return None
    one, other = words.draw.of(pairs)
    assert one.amount is not None
    assert other.amount is not None
    name = equal(words.draw, subject, subject.key, row)
    program = Cells((Arithmetic(Operation.DIFFERENCE, one.amount, other.amount),), narrowed([name]))
    values = result(words, program)
    if len(values) != 1 or not isinstance(values[0], int | float) or values[0] <= 0:
        return None
    slots = comparative_slots(words, one, True) | {"f": one.name, "other": other.name, "e": name.said[0]}
    return write(words, program, "difference", "difference_fields", slots)


def either(words: Words) -> Draft | None:
    """Which of two named rows has more or less of a field."""
    pair, key = drawn_pair(words, words.subject.ordered), words.subject.key
    if pair is None or pair.equal or key is None or pair.field.order is None:
        return None
    largest = words.draw.chance(0.7)
    rows = Where(All(), Compare(key.field, Comparison.EQUAL, _choice(pair.first, pair.second)))
    direction = Direction.LARGEST if largest else Direction.SMALLEST
    program = Cells((key.field,), Extreme(direction, pair.field.order, rows))
    if len(result(words, program)) != 1:
        return None
    slots = asked_slots(words, key) | comparative_slots(words, pair.field, largest) | _names(pair)
    return write(words, program, "either_or", "either", slots | {"n": words.rows([])["n"]})


def _choice(first: Filter, second: Filter) -> OneOf:
    constants = [
        operand
        for each in (first, second)
        if isinstance(each.condition, Compare) and isinstance(operand := each.condition.operand, Constant)
    ]
    return OneOf(tuple(constants))


# Two groups.


def two_values(words: Words) -> tuple[Asked, Filter, Filter] | None:
    """A field, and the groups of two of its values."""
    subject, draw = words.subject, words.draw
    if not subject.categories:
        return None
    group = draw.of(subject.categories)
    one, other = draw.below(subject.row_count), draw.below(subject.row_count)
    first, second = group.cells[one], group.cells[other]
    if first is None or second is None or first == second:
        return None
    return group, equal(draw, subject, group, one), equal(draw, subject, group, other)


def difference_of_groups(words: Words) -> Draft | None:
    """How much higher an average is for one group than for another, or how many rows more it has."""
    chosen = two_values(words)
    if chosen is None:
        return None
    group, first, second = chosen
    by = words.draw.of(words.subject.amounts) if words.subject.amounts else None
    measured = by is not None and by is not group and words.draw.chance(0.6)
    aggregation = Aggregation.AVERAGE if measured else Aggregation.COUNT
    term = by.amount if by is not None and measured else None
    left, right = (Aggregate(aggregation, term, narrowed([each])) for each in (first, second))
    values = result(words, Combination(Operation.DIFFERENCE, left, right))
    if len(values) != 1 or not isinstance(values[0], int | float) or values[0] == 0:
        return None
    if values[0] < 0:
        first, second, left, right = second, first, right, left
    slots = {
        "v": first.said[0],
        "v2": second.said[0],
        "g": words.name(group),
        "p": words.rows([])["p"],
    }
    if by is not None and measured:
        slots = (
            comparative_slots(words, by, True) | slots | {"agg": aggregate_words(words, aggregation)["agg"]}
        )
    program = Combination(Operation.DIFFERENCE, left, right)
    return write(
        words, program, "difference", "difference_groups" if measured else "difference_counts", slots
    )


def either_group(words: Words) -> Draft | None:
    """Which of two groups has the higher average, or more rows."""
    chosen = two_values(words)
    if chosen is None:
        return None
    group, first, second = chosen
    by = words.draw.of(words.subject.amounts) if words.subject.amounts else None
    measured = by is not None and by is not group and words.draw.chance(0.6)
    aggregation = Aggregation.AVERAGE if measured else Aggregation.COUNT
    rows = Where(All(), Compare(group.field, Comparison.EQUAL, _choice(first, second)))
    groups = Groups(group.field, aggregation, by.amount if by is not None and measured else None, rows)
    largest = not measured or words.draw.chance(0.75)
    direction = Direction.LARGEST if largest else Direction.SMALLEST
    program = Cells((group.field,), Extreme(direction, Measure(), All(groups)))
    if len(result(words, program)) != 1:
        return None
    slots = {"v": first.said[0], "v2": second.said[0], "g": words.name(group), "p": words.rows([])["p"]}
    if by is not None and measured:
        slots = (
            comparative_slots(words, by, largest)
            | slots
            | {"agg": aggregate_words(words, aggregation)["agg"]}
        )
    return write(words, program, "either_or", "either_groups" if measured else "either_counts", slots)
