"""Questions for rows and their cells: look-ups, lists, superlatives, the second, the top three."""

from collections.abc import Sequence
from typing import Final

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Cells, Direction
from neural_enquirer.synthesis.open.amounts import SMALL_NUMBERS
from neural_enquirer.synthesis.open.draw import known, require
from neural_enquirer.synthesis.open.grammar import ordinal
from neural_enquirer.synthesis.open.shapes import SHAPES
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    called,
    drawn_filters,
    named_row,
    order_slots,
    result,
    values_in_order,
    write,
)
from neural_enquirer.synthesis.programs.filters import Filter, kept, narrowed
from neural_enquirer.synthesis.programs.subject import Asked
from neural_enquirer.synthesis.programs.wording import Words

_LONGEST_LIST: Final = 25
_LONGEST_DIFFERENT: Final = 40
_OPPOSITE: Final = {Direction.LARGEST: Direction.SMALLEST, Direction.SMALLEST: Direction.LARGEST}


def looked_up(words: Words) -> Draft:
    """A field of a row that is called by its name."""
    subject, row = words.subject, known(named_row(words))
    fields = [each for each in subject.fields if each is not subject.key and each.cells[row] is not None]
    require(bool(fields))
    target = words.draw.of(fields)
    name = called(words, row)
    slots = {"n": subject.noun, "e": name.said[0]} | asked_slots(words, target)
    slots["ask"] = _own_question(words, target, "e", name.said[0])
    if len(fields) > 1 and words.draw.chance(0.04):
        one, other = words.draw.some(fields, 2)
        slots |= {"f": words.name(one), "g": words.name(other)}
        program = Cells((one.field, other.field), narrowed([name]))
        return write(words, program, "lookup", "two_of_name", slots)
    return write(words, Cells((target.field,), narrowed([name])), "lookup", "of_name", slots)


def _own_question(words: Words, field: Asked, slot: str, text: str) -> str:
    """A question that is asked for fields of this family only."""
    if field.family is None:
        return ""
    asks = field.family.asks if slot == "e" else field.family.openers
    return words.own(field, asks).replace(f"{{{slot}}}", text)


def found_by_conditions(words: Words) -> Draft:
    """A field of the rows that fulfil conditions: one cell, or a list."""
    subject, draw = words.subject, words.draw
    head = subject.head
    target = head if head is not None and draw.chance(0.6) else draw.of(subject.fields)
    filters = drawn_filters(words, (0, 0.42, 0.44, 0.14), (target,))
    require(bool(filters))
    program = Cells((target.field,), narrowed(filters))
    values = result(words, program)
    rows = int(kept(subject, filters).sum())
    require(max(1, rows) <= len(values) <= _LONGEST_LIST)
    if len(values) == 1:
        return _one(words, program, target, filters)
    return _several(words, target, filters, repeats=len(set(values)) < len(values))


def _one(words: Words, program: Cells, target: Asked, filters: Sequence[Filter]) -> Draft:
    is_head = target is words.subject.head
    slots = words.rows(filters, target if is_head else None) | asked_slots(words, target)
    kind = "lookup" if len(filters) == 1 else "two_filters"
    if is_head:
        slots["person"] = slots["n"] if target.person else ""
        person = target.person and words.draw.chance(0.6)
        return write(words, program, kind, "which_person" if person else "which_one", slots, filters)
    slots["ask"] = _own_question(words, target, "d", f"the {slots['one']}")
    return write(words, program, kind, "field_of_one", slots, filters)


def _several(words: Words, target: Asked, filters: Sequence[Filter], repeats: bool) -> Draft:
    draw, subject = words.draw, words.subject
    is_head = target is subject.head and not repeats
    slots = words.rows(filters, target if is_head else None) | asked_slots(words, target)
    kind = "list" if len(filters) == 1 else "two_filters"
    rows = narrowed(filters)
    if repeats:
        require(target.amount is None and not draw.chance(0.65))
        return write(words, Cells((target.field,), rows, True), "distinct", "different", slots, filters)
    if draw.chance(0.06):
        used = {target, *(each.field for each in filters)}
        others = [each for each in subject.fields if each not in used]
        require(bool(others))
        other = draw.of(others)
        program = Cells((target.field, other.field), rows)
        return write(words, program, "list", "two_of_many", slots | {"g": words.name(other)}, filters)
    name = "fields_of_many"
    if is_head:
        name = "which_people" if target.person and draw.chance(0.4) else "which_many"
    return write(words, Cells((target.field,), rows), kind, name, slots, filters)


def different_values(words: Words) -> Draft:
    """The different values of a field."""
    require(bool(words.subject.categories))
    target = words.draw.of(words.subject.categories)
    filters = drawn_filters(words, (0.7, 0.3), (target,), least=2)
    require(len(target.counts) <= _LONGEST_DIFFERENT)
    program = Cells((target.field,), narrowed(filters), True)
    require(len(result(words, program)) > 1)
    slots = words.rows(filters) | asked_slots(words, target)
    return write(words, program, "distinct", "different", slots, filters)


# Rows in the order of a field.


def _ordered(words: Words) -> tuple[Asked, lang.Term, Direction]:
    """A field to order by, the term for it, and which end of it; what is at the top more often."""
    require(bool(words.subject.ordered))
    by = words.draw.of(words.subject.ordered)
    usual = Direction.SMALLEST if by.rank else Direction.LARGEST
    return by, by.ordering, usual if words.draw.chance(0.65) else _OPPOSITE[usual]


def superlative(words: Words) -> Draft:
    """A field of the one row at an end of another field, among all rows or among some."""
    draw, head = words.draw, words.subject.head
    by, term, direction = _ordered(words)
    targets = [each for each in words.subject.fields if each is not by]
    require(bool(targets))
    target = head if head is not None and head in targets and draw.chance(0.75) else draw.of(targets)
    filters = drawn_filters(words, (0.5, 0.4, 0.1), (by, target), least=2)
    program = Cells((target.field,), lang.Extreme(direction, term, narrowed(filters)))
    require(len(result(words, program)) == 1)
    slots = words.rows(filters, target if target is head else None) | asked_slots(words, target)
    slots |= order_slots(words, by, direction)
    name = "superlative_field"
    if target is head:
        name = "superlative_person" if target.person and draw.chance(0.5) else "superlative"
    return write(words, program, _kind(filters), name, slots, filters)


def _kind(filters: Sequence[Filter]) -> str:
    return "filter_superlative" if filters else "superlative"


def extreme_value(words: Words) -> Draft:
    """The largest or smallest value itself."""
    by, term, direction = _ordered(words)
    filters = drawn_filters(words, (0.4, 0.5, 0.1), (by,), least=2)
    largest = direction is Direction.LARGEST
    aggregation = lang.Aggregation.MAXIMUM if largest else lang.Aggregation.MINIMUM
    program = lang.Aggregate(aggregation, term, narrowed(filters))
    slots = words.rows(filters) | order_slots(words, by, direction)
    return write(words, program, _kind(filters), "extreme_value", slots, filters)


def nth_in_order(words: Words) -> Draft:
    """The second or third row of an order."""
    by, term, direction = _ordered(words)
    key = known(words.subject.head)
    require(by is not key)
    filters = drawn_filters(words, (0.65, 0.35), (by, key), least=3)
    place, rows = words.draw.of((2, 2, 2, 2, 3, 3, 4, 5)), narrowed(filters)
    values = values_in_order(words, direction, term, rows, place + 1)
    require(len(values) >= place and len(set(values)) == len(values))
    program = Cells((key.field,), lang.Extreme(direction, term, rows, nth=place))
    require(len(result(words, program)) == 1)
    slots = words.rows(filters, key) | asked_slots(words, key) | order_slots(words, by, direction, plain=True)
    slots["o"] = spelled_place(words, place)
    return write(words, program, "topk", "nth", slots, filters)


def spelled_place(words: Words, place: int) -> str:
    """A place in words or digits."""
    return SHAPES["ordinals"][place] if words.draw.chance(0.7) else ordinal(place)


def top(words: Words) -> Draft:
    """The first rows of an order."""
    draw = words.draw
    by, term, direction = _ordered(words)
    key = known(words.subject.head)
    require(by is not key)
    filters = drawn_filters(words, (0.65, 0.35), (by, key), least=3)
    count, rows = draw.of((2, 3, 3, 3, 3, 4, 5, 5, 10)), narrowed(filters)
    values = values_in_order(words, direction, term, rows, count + 1)
    require(len(values) == count + 1 == len(set(values)))
    program = Cells((key.field,), lang.Extreme(direction, term, rows, count=count))
    slots = words.rows(filters, key) | asked_slots(words, key) | order_slots(words, by, direction, plain=True)
    slots["k"] = SMALL_NUMBERS[count] if draw.chance(0.4) else str(count)
    name = "top"
    if draw.chance(0.35) and by.amount is not None:
        name = "top_most" if direction is Direction.LARGEST else "bottom"
    return write(words, program, "topk", name, slots, filters)


def next_in_order(words: Words) -> Draft:
    """The row that comes next after another in the order of a field."""
    subject, row = words.subject, known(named_row(words))
    fields = [each for each in subject.ordered if each.year or each.rank or each.type.value == "date"]
    require(bool(fields))
    by, key = words.draw.of(fields), known(subject.key)
    name = called(words, row)
    later = lang.Compare(by.field, lang.Comparison.MORE, Cells((by.field,), narrowed([name])))
    rows = lang.Where(lang.All(), later)
    program = Cells((key.field,), lang.Extreme(Direction.SMALLEST, by.field, rows))
    require(len(result(words, program)) == 1)
    slots = {"e": name.said[0], "b": words.name(by), "n": words.rows([])["n"]}
    slots |= {"s_er": "later" if not by.rank else "", "than": "after"} | _who(words, key)
    return write(words, program, "sequence", "next_by", slots)


def _who(words: Words, key: Asked) -> dict[str, str]:
    return {slot: text for slot, text in asked_slots(words, key).items() if slot.startswith("who_")}


# Rows in the order in which the table lists them.


def end_of_rows(words: Words) -> Draft:
    """The first or the last row of the table, or of some rows."""
    draw, subject, key = words.draw, words.subject, known(words.subject.key)
    first = draw.chance(0.5)
    target = key if draw.chance(0.75) else draw.of(subject.fields)
    filters = drawn_filters(words, (0.8, 0.2), (target,), least=2)
    direction = Direction.SMALLEST if first else Direction.LARGEST
    program = Cells((target.field,), lang.Extreme(direction, None, narrowed(filters)))
    require(len(result(words, program)) == 1)
    end = draw.of(("first", "first", "very first") if first else ("last", "last", "final", "very last"))
    slots = words.rows(filters) | {"end": end}
    if target is key:
        return write(words, program, "sequence", "at_end", slots, filters)
    return write(words, program, "sequence", "at_end_field", slots | {"f": words.name(target)}, filters)


def beside_a_row(words: Words) -> Draft:
    """The row right after or before another, or how many are."""
    draw, subject, row = words.draw, words.subject, known(named_row(words))
    key, after, name = known(subject.key), draw.chance(0.6), called(words, row)
    slots = {
        "e": name.said[0],
        "beside": draw.of(("after", "after", "below")) if after else draw.of(("before", "before", "above")),
        "beside_word": "next" if after else "previous",
    }
    slots |= {slot: text for slot, text in words.rows([]).items() if slot in ("n", "p")} | _who(words, key)
    if draw.chance(0.2):
        rows = lang.Beside(lang.Step.AFTER if after else lang.Step.BEFORE, narrowed([name]))
        number = lang.Aggregate(lang.Aggregation.COUNT, None, rows)
        return write(words, number, "sequence", "beside_many", slots)
    target = key if draw.chance(0.75) else draw.of(subject.fields)
    if target is not key:
        slots["f"] = words.name(target)
    step = lang.Step.NEXT if after else lang.Step.PREVIOUS
    program = Cells((target.field,), lang.Beside(step, narrowed([name])))
    require(len(result(words, program)) == 1)
    return write(words, program, "sequence", "beside" if target is key else "beside_field", slots)
