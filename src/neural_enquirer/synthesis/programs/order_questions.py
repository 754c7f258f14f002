"""Questions about an order: superlatives, the second, the top three, and the order of rows."""

from collections.abc import Sequence
from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Beside,
    Cells,
    Compare,
    Comparison,
    Direction,
    Extreme,
    Step,
    Where,
)
from neural_enquirer.synthesis.open.amounts import SMALL_NUMBERS
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    drawn_filters,
    named_row,
    order_slots,
    result,
    values_in_order,
    write,
)
from neural_enquirer.synthesis.programs.fields import Asked
from neural_enquirer.synthesis.programs.filters import Filter, equal, narrowed
from neural_enquirer.synthesis.programs.wording import Words

__all__ = [
    "beside_a_row",
    "end_of_rows",
    "extreme_value",
    "next_in_order",
    "nth_in_order",
    "superlative",
    "top",
]

_ENDINGS: Final = ("th", "st", "nd", "rd")
_OPPOSITE: Final = {Direction.LARGEST: Direction.SMALLEST, Direction.SMALLEST: Direction.LARGEST}


def _ordered(words: Words) -> tuple[Asked, Direction] | None:
    """A field to order by, and which end of it; what is at the top more often."""
    fields = words.subject.ordered
    if not fields:
        return None
    by = words.draw.of(fields)
    usual = Direction.SMALLEST if by.rank else Direction.LARGEST
    return by, usual if words.draw.chance(0.65) else _OPPOSITE[usual]


def superlative(words: Words) -> Draft | None:
    """A field of the one row at an end of another field, among all rows or among some."""
    draw, subject = words.draw, words.subject
    chosen = _ordered(words)
    if chosen is None:
        return None
    by, direction = chosen
    targets = [each for each in subject.fields if each is not by]
    if not targets:
        return None
    head = subject.head
    target = head if head is not None and head in targets and draw.chance(0.75) else draw.of(targets)
    filters = drawn_filters(words, (0.5, 0.4, 0.1), (by, target), least=2)
    if filters is None or by.order is None:
        return None
    program = Cells((target.field,), Extreme(direction, by.order, narrowed(filters)))
    if len(result(words, program)) != 1:
        return None
    kind = "filter_superlative" if filters else "superlative"
    return write(words, program, kind, *_superlative(words, by, direction, target, filters), filters)


def _superlative(
    words: Words, by: Asked, direction: Direction, target: Asked, filters: Sequence[Filter]
) -> tuple[str, dict[str, str]]:
    """The list of sentences, and their slots."""
    is_head = target is words.subject.head
    slots = words.rows(filters, target if is_head else None) | asked_slots(words, target)
    slots |= order_slots(words, by, direction)
    if not is_head:
        return "superlative_field", slots
    person = target.person and words.draw.chance(0.5)
    return "superlative_person" if person else "superlative", slots


def extreme_value(words: Words) -> Draft | None:
    """The largest or smallest value itself."""
    chosen = _ordered(words)
    if chosen is None:
        return None
    by, direction = chosen
    filters = drawn_filters(words, (0.4, 0.5, 0.1), (by,), least=2)
    if filters is None or by.order is None:
        return None
    largest = direction is Direction.LARGEST
    aggregation = Aggregation.MAXIMUM if largest else Aggregation.MINIMUM
    slots = words.rows(filters) | order_slots(words, by, direction)
    kind = "filter_superlative" if filters else "superlative"
    program = Aggregate(aggregation, by.order, narrowed(filters))
    return write(words, program, kind, "extreme_value", slots, filters)


def nth_in_order(words: Words) -> Draft | None:
    """The second or third row of an order."""
    chosen, key = _ordered(words), words.subject.head
    if chosen is None or key is None or chosen[0] is key:
        return None
    by, direction = chosen
    filters = drawn_filters(words, (0.65, 0.35), (by, key), least=3)
    if filters is None or by.order is None:
        return None
    place, rows = words.draw.of((2, 2, 2, 2, 3, 3, 4, 5)), narrowed(filters)
    values = values_in_order(words, direction, by.order, rows, place + 1)
    if len(values) < place or len(set(values)) < len(values):
        return None
    program = Cells((key.field,), Extreme(direction, by.order, rows, nth=place))
    if len(result(words, program)) != 1:
        return None
    slots = words.rows(filters, key) | asked_slots(words, key) | order_slots(words, by, direction, plain=True)
    slots["o"] = ordinal(words, place)
    return write(words, program, "topk", "nth", slots, filters)


def ordinal(words: Words, place: int) -> str:
    """A place in words or digits."""
    if words.draw.chance(0.7):
        return SHAPES["ordinals"][place]
    return f"{place}{_ENDINGS[place] if place < len(_ENDINGS) else 'th'}"


def top(words: Words) -> Draft | None:
    """The first rows of an order."""
    draw, key, chosen = words.draw, words.subject.head, _ordered(words)
    if chosen is None or key is None or chosen[0] is key:
        return None
    by, direction = chosen
    filters = drawn_filters(words, (0.65, 0.35), (by, key), least=3)
    if filters is None or by.order is None:
        return None
    count, rows = draw.of((2, 3, 3, 3, 3, 4, 5, 5, 10)), narrowed(filters)
    values = values_in_order(words, direction, by.order, rows, count + 1)
    if len(values) != count + 1 or len(set(values)) < len(values):
        return None
    program = Cells((key.field,), Extreme(direction, by.order, rows, count=count))
    slots = words.rows(filters, key) | asked_slots(words, key) | order_slots(words, by, direction, plain=True)
    slots["k"] = SMALL_NUMBERS[count] if draw.chance(0.4) else str(count)
    name = "top"
    if draw.chance(0.35) and by.amount is not None:
        name = "top_most" if direction is Direction.LARGEST else "bottom"
    return write(words, program, "topk", name, slots, filters)


# The order of rows.


def end_of_rows(words: Words) -> Draft | None:
    """The first or the last row of the table, or of some rows."""
    draw, subject = words.draw, words.subject
    if subject.key is None:
        return None
    first = draw.chance(0.5)
    target = subject.key if draw.chance(0.75) else draw.of(subject.fields)
    filters = drawn_filters(words, (0.8, 0.2), (target,), least=2)
    if filters is None:
        return None
    direction = Direction.SMALLEST if first else Direction.LARGEST
    program = Cells((target.field,), Extreme(direction, None, narrowed(filters)))
    if len(result(words, program)) != 1:
        return None
    end = draw.of(("first", "first", "very first") if first else ("last", "last", "final", "very last"))
    slots = words.rows(filters) | {"end": end}
    if target is subject.key:
        return write(words, program, "sequence", "at_end", slots, filters)
    return write(words, program, "sequence", "at_end_field", slots | {"f": words.name(target)}, filters)


def beside_a_row(words: Words) -> Draft | None:
    """The row right after or before another, or how many are."""
    draw, subject, row = words.draw, words.subject, named_row(words)
    if row is None or subject.key is None:
        return None
    after, name = draw.chance(0.6), equal(draw, subject, subject.key, row)
    slots = {
        "e": name.said[0],
        "beside": draw.of(("after", "after", "below")) if after else draw.of(("before", "before", "above")),
        "beside_word": "next" if after else "previous",
    }
    slots |= {key: text for key, text in words.rows([]).items() if key in ("n", "p")}
    slots |= {key: text for key, text in asked_slots(words, subject.key).items() if key.startswith("who_")}
    if draw.chance(0.2):
        rows = Beside(Step.AFTER if after else Step.BEFORE, narrowed([name]))
        return write(words, Aggregate(Aggregation.COUNT, None, rows), "sequence", "beside_many", slots)
    target = subject.key if draw.chance(0.75) else draw.of(subject.fields)
    if target is not subject.key:
        slots["f"] = words.name(target)
    program = Cells((target.field,), Beside(Step.NEXT if after else Step.PREVIOUS, narrowed([name])))
    if len(result(words, program)) != 1:
        return None
    return write(words, program, "sequence", "beside" if target is subject.key else "beside_field", slots)


def next_in_order(words: Words) -> Draft | None:
    """The row that comes next after another in the order of a field."""
    subject, row = words.subject, named_row(words)
    fields = [each for each in subject.ordered if each.year or each.rank or each.type.value == "date"]
    if row is None or subject.key is None or not fields:
        return None
    by = words.draw.of(fields)
    name = equal(words.draw, subject, subject.key, row)
    later = Compare(by.field, Comparison.MORE, Cells((by.field,), narrowed([name])))
    program = Cells((subject.key.field,), Extreme(Direction.SMALLEST, by.field, Where(All(), later)))
    if len(result(words, program)) != 1:
        return None
    slots = {"e": name.said[0], "b": words.name(by), "n": words.rows([])["n"]}
    slots |= {"s_er": "later" if not by.rank else "", "than": "after"}
    slots |= {key: text for key, text in asked_slots(words, subject.key).items() if key.startswith("who_")}
    return write(words, program, "sequence", "next_by", slots)
