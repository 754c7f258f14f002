"""Questions for cells: look-ups by a name or by conditions, lists, the different values of a field."""

from collections.abc import Sequence
from typing import Final

from neural_enquirer.programs.language import Cells
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    drawn_filters,
    named_row,
    result,
    write,
)
from neural_enquirer.synthesis.programs.fields import Asked
from neural_enquirer.synthesis.programs.filters import Filter, equal, kept, narrowed
from neural_enquirer.synthesis.programs.wording import Words

__all__ = ["different_values", "found_by_conditions", "looked_up"]

_LONGEST_LIST: Final = 25
_LONGEST_DIFFERENT: Final = 40


def looked_up(words: Words) -> Draft | None:
    """A field of a row that is called by its name."""
    subject, row = words.subject, named_row(words)
    if row is None or subject.key is None:
        return None
    fields = [each for each in subject.fields if each is not subject.key and each.cells[row] is not None]
    if not fields:
        return None
    target = words.draw.of(fields)
    name = equal(words.draw, subject, subject.key, row)
    slots = {"n": subject.noun, "e": name.said[0]} | asked_slots(words, target)
    slots["ask"] = _own_question(words, target, "e", name.said[0])
    if len(fields) > 1 and words.draw.chance(0.04):
        return _two_looked_up(words, fields, name, slots)
    program = Cells((target.field,), narrowed([name]))
    return write(words, program, "lookup", "of_name", slots)


def _own_question(words: Words, field: Asked, slot: str, text: str) -> str:
    """A question that is asked for fields of this family only."""
    if field.family is None:
        return ""
    asks = field.family.asks if slot == "e" else field.family.openers
    return words.own(field, asks).replace(f"{{{slot}}}", text)


def _two_looked_up(
    words: Words, fields: Sequence[Asked], name: Filter, slots: dict[str, str]
) -> Draft | None:
    one, other = words.draw.some(fields, 2)
    slots |= {"f": words.name(one), "g": words.name(other)}
    program = Cells((one.field, other.field), narrowed([name]))
    return write(words, program, "lookup", "two_of_name", slots)


def found_by_conditions(words: Words) -> Draft | None:
    """A field of the rows that fulfil conditions: one cell, or a list."""
    subject, draw = words.subject, words.draw
    head = subject.head
    target = head if head is not None and draw.chance(0.6) else draw.of(subject.fields)
    filters = drawn_filters(words, (0, 0.42, 0.44, 0.14), (target,))
    if not filters:
        return None
    program = Cells((target.field,), narrowed(filters))
    values = result(words, program)
    rows = int(kept(subject, filters).sum())
    if not values or len(values) > _LONGEST_LIST or len(values) < rows:
        return None
    if len(values) == 1:
        return _one(words, program, target, filters)
    return _several(words, target, filters, repeats=len(set(values)) < len(values))


def _one(words: Words, program: Cells, target: Asked, filters: Sequence[Filter]) -> Draft | None:
    is_head = target is words.subject.head
    slots = words.rows(filters, target if is_head else None) | asked_slots(words, target)
    kind = "lookup" if len(filters) == 1 else "two_filters"
    if is_head:
        slots["person"] = slots["n"] if target.person else ""
        person = target.person and words.draw.chance(0.6)
        return write(words, program, kind, "which_person" if person else "which_one", slots, filters)
    slots["ask"] = _own_question(words, target, "d", f"the {slots['one']}")
    return write(words, program, kind, "field_of_one", slots, filters)


def _several(words: Words, target: Asked, filters: Sequence[Filter], repeats: bool) -> Draft | None:
    draw, subject = words.draw, words.subject
    is_head = target is subject.head and not repeats
    slots = words.rows(filters, target if is_head else None) | asked_slots(words, target)
    kind = "list" if len(filters) == 1 else "two_filters"
    rows = narrowed(filters)
    if repeats and (target.amount is not None or draw.chance(0.65)):
        return None
    if repeats:
        return write(words, Cells((target.field,), rows, True), "distinct", "different", slots, filters)
    if draw.chance(0.06):
        return _two_of_several(words, target, filters, slots)
    name = "fields_of_many"
    if is_head:
        name = "which_people" if target.person and draw.chance(0.4) else "which_many"
    return write(words, Cells((target.field,), rows), kind, name, slots, filters)


def _two_of_several(
    words: Words, target: Asked, filters: Sequence[Filter], slots: dict[str, str]
) -> Draft | None:
    used = {target, *(each.field for each in filters)}
    others = [each for each in words.subject.fields if each not in used]
    if not others:
        return None
    other = words.draw.of(others)
    program = Cells((target.field, other.field), narrowed(filters))
    return write(words, program, "list", "two_of_many", slots | {"g": words.name(other)}, filters)


def different_values(words: Words) -> Draft | None:
    """The different values of a field."""
    if not words.subject.categories:
        return None
    target = words.draw.of(words.subject.categories)
    filters = drawn_filters(words, (0.7, 0.3), (target,), least=2)
    if filters is None or len(target.counts) > _LONGEST_DIFFERENT:
        return None
    program = Cells((target.field,), narrowed(filters), True)
    if len(result(words, program)) < 2:
        return None
    return write(
        words, program, "distinct", "different", words.rows(filters) | asked_slots(words, target), filters
    )
