"""Questions about groups: which has the most rows, which the highest average, one value for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Compare,
    Comparison,
    Constant,
    Direction,
    Extreme,
    Groups,
    Measure,
    Part,
    PartOf,
    Rows,
    Term,
    Where,
)
from neural_enquirer.synthesis.open.amounts import SMALL_NUMBERS
from neural_enquirer.synthesis.programs.amount_questions import aggregate_words, drawn_aggregation
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    drawn_filters,
    result,
    superlative,
    values_in_order,
    write,
)
from neural_enquirer.synthesis.programs.fields import Asked
from neural_enquirer.synthesis.programs.filters import Filter, narrowed
from neural_enquirer.synthesis.programs.order_questions import ordinal
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.spelling import round_bound, spelled_number
from neural_enquirer.synthesis.programs.wording import Words
from neural_enquirer.tables import FieldType

__all__ = ["group_of_most", "group_of_most_measure", "groups_beyond", "per_group", "top_groups"]

_MOST_GROUPS: Final = 30
_OFTEN: Final = {
    Direction.LARGEST: ("most often", "the most", "most frequently"),
    Direction.SMALLEST: ("least often", "the least"),
}
_COUNT: Final = Aggregation.COUNT


@dataclass(frozen=True)
class _Grouping:
    """What makes groups, and of which rows."""

    field: Asked
    term: Term
    part: str
    """"year" or "month" where the groups are made by a part of a date."""
    filters: list[Filter]


def _drawn_grouping(words: Words) -> _Grouping | None:
    """A field that makes groups, and perhaps conditions."""
    dates = [each for each in words.subject.fields if each.type is FieldType.DATE and len(each.counts) > 2]
    fields = [*words.subject.categories, *(each for each in words.subject.fields if each.year), *dates]
    if not fields:
        return None
    by = words.draw.of(fields)
    filters = drawn_filters(words, (0.75, 0.25), (by,), least=4)
    if filters is None:
        return None
    if by not in dates:
        return _Grouping(by, by.field, "", filters)
    part = Part.YEAR if words.draw.chance(0.65) else Part.MONTH
    return _Grouping(by, PartOf(part, by.field), part.name.lower(), filters)


def _slots(words: Words, grouping: _Grouping, direction: Direction) -> dict[str, str]:
    asked = asked_slots(words, grouping.field)
    largest, part = direction is Direction.LARGEST, grouping.part
    slots = words.rows(grouping.filters) | {
        key: text for key, text in asked.items() if key not in ("f", "fs", "count")
    }
    return slots | {
        "g": part or asked["f"],
        "gs": f"{part}s" if part else grouping.field.plural,
        "when": part or asked["when"],
        "most": "most" if largest else "fewest",
        "often": words.draw.of(_OFTEN[direction]),
    }


def _direction(words: Words) -> Direction:
    return Direction.LARGEST if words.draw.chance(0.75) else Direction.SMALLEST


def _at_end(by: Term, direction: Direction, groups: Groups, nth: int = 1, count: int = 1) -> Cells:
    return Cells((by,), Extreme(direction, Measure(), All(groups), nth, count))


def group_of_most(words: Words) -> Draft | None:
    """The group with the most or the fewest rows, or with the second most."""
    chosen = _drawn_grouping(words)
    if chosen is None or chosen.field is words.subject.key:
        return None
    by, filters = chosen.term, chosen.filters
    second = words.draw.chance(0.12)
    direction = Direction.LARGEST if second else _direction(words)
    groups = Groups(by, _COUNT, None, narrowed(filters))
    values = values_in_order(words, direction, Measure(), All(groups), 3)
    if len(values) < 3 or len(set(values)) < len(values[:3]):
        return None
    place = 2 if second else 1
    program = _at_end(by, direction, groups, nth=place)
    if len(result(words, program)) != 1:
        return None
    slots = _slots(words, chosen, direction) | {"o": ordinal(words, place)}
    name = "nth_group" if second else _list_of_most(words, direction)
    return write(words, program, "topk" if second else "group_by", name, slots, filters)


def _list_of_most(words: Words, direction: Direction) -> str:
    if words.draw.chance(0.35):
        return "most_common" if direction is Direction.LARGEST else "least_common"
    return "most_rows"


def group_of_most_measure(words: Words) -> Draft | None:
    """The group with the highest or lowest average or total."""
    chosen, measured = _drawn_grouping(words), drawn_aggregation(words)
    if chosen is None or measured is None:
        return None
    by, filters, (target, aggregation) = chosen.term, chosen.filters, measured
    used = [each.field for each in filters]
    if target.amount is None or aggregation is Aggregation.RANGE or target in used or target is chosen.field:
        return None
    direction = _direction(words)
    groups = Groups(by, aggregation, target.amount, narrowed(filters))
    program = _at_end(by, direction, groups)
    if len(result(words, program)) != 1 or len(result(words, Cells((by,), All(groups)))) < 2:
        return None
    slots = _slots(words, chosen, direction) | aggregate_words(words, aggregation)
    slots |= {"f": words.name(target), "c": target.name if target.counted else ""}
    slots["s"] = superlative(words, target, direction is Direction.LARGEST)
    return write(words, program, "group_by", "most_measure", slots, filters)


def per_group(words: Words) -> Draft | None:
    """One value for each group."""
    chosen = _drawn_grouping(words)
    if chosen is None:
        return None
    by, filters = chosen.term, chosen.filters
    slots = _slots(words, chosen, Direction.LARGEST)
    groups: Groups | None = Groups(by, _COUNT, None, narrowed(filters))
    name = "per_group_count"
    if words.draw.chance(0.65):
        name, groups = "per_group", _measured_groups(words, chosen, slots)
    if groups is None:
        return None
    program = Cells((by, Measure()), All(groups))
    if not 4 <= len(result(words, program)) <= 2 * _MOST_GROUPS:
        return None
    return write(words, program, "group_by", name, slots, filters)


def _measured_groups(words: Words, grouping: _Grouping, slots: dict[str, str]) -> Groups | None:
    """Groups with an average or the like; its words are added to the slots."""
    measured = drawn_aggregation(words)
    if measured is None:
        return None
    target, aggregation = measured
    used = [grouping.field, *(each.field for each in grouping.filters)]
    if aggregation is Aggregation.RANGE or target in used:
        return None
    slots |= aggregate_words(words, aggregation) | {"f": words.name(target)}
    slots["s"] = "highest"
    return Groups(grouping.term, aggregation, target.amount, narrowed(grouping.filters))


def groups_beyond(words: Words) -> Draft | None:
    """The groups with more than so many rows, or with a measure beyond a bound; or how many there are."""
    chosen = _drawn_grouping(words)
    if chosen is None:
        return None
    by, filters = chosen.term, chosen.filters
    slots = _slots(words, chosen, Direction.LARGEST)
    counted = words.draw.chance(0.65)
    groups: Groups | None = Groups(by, _COUNT, None, narrowed(filters))
    if not counted:
        groups = _measured_groups(words, chosen, slots)
    if groups is None:
        return None
    comparison, bound = _bound(words, groups, counted)
    if bound is None:
        return None
    rows = Where(All(groups), Compare(Measure(), comparison, Constant(bound)))
    return _beyond(words, by, filters, rows, slots | _over(words, comparison, bound, counted), counted)


def _bound(words: Words, groups: Groups, counted: bool) -> tuple[Comparison, int | float | None]:
    """A comparison and a number that some groups, and not all, fulfil it with."""
    measures = [
        value for value in result(words, Cells((Measure(),), All(groups))) if isinstance(value, int | float)
    ]
    kinds = (Comparison.MORE, Comparison.MORE, Comparison.AT_LEAST, Comparison.LESS)
    comparison = words.draw.of((*kinds, Comparison.EQUAL) if counted else (Comparison.MORE, Comparison.LESS))
    if len(measures) < 2:
        return comparison, None
    bound = words.draw.of(measures) if counted else round_bound(words.draw, measures)
    return comparison, bound


def _over(words: Words, comparison: Comparison, bound: int | float, counted: bool) -> dict[str, str]:
    if comparison is Comparison.EQUAL:
        return {"over": "exactly", "v": spelled_number(words.draw, bound)}
    form = {Comparison.MORE: "more", Comparison.LESS: "less", Comparison.AT_LEAST: "at_least"}[comparison]
    name = f"over_count_{form}" if counted and form != "at_least" else f"over_{form}"
    return {"over": said(words.draw, name, {}) or "", "v": spelled_number(words.draw, bound)}


def _beyond(
    words: Words, by: Term, filters: Sequence[Filter], rows: Rows, slots: dict[str, str], counted: bool
) -> Draft | None:
    program = Cells((by,), rows)
    found = len(result(words, program))
    if not 0 < found <= _MOST_GROUPS:
        return None
    if counted and words.draw.chance(0.3):
        return write(words, Aggregate(_COUNT, None, rows), "count", "count_groups_over", slots, filters)
    return write(
        words, program, "group_by", "groups_over" if counted else "groups_measure_over", slots, filters
    )


def top_groups(words: Words) -> Draft | None:
    """The two or three groups with the most rows or the highest measure."""
    chosen = _drawn_grouping(words)
    if chosen is None:
        return None
    by, filters = chosen.term, chosen.filters
    direction, count = _direction(words), words.draw.of((2, 3, 3))
    slots = _slots(words, chosen, direction)
    slots["k"] = SMALL_NUMBERS[count] if words.draw.chance(0.5) else str(count)
    name, groups = "top_groups", Groups(by, _COUNT, None, narrowed(filters))
    if words.draw.chance(0.5):
        measured = _measured_groups(words, chosen, slots)
        if measured is None:
            return None
        name, groups = "top_groups_measure", measured
        slots["s"] = "highest" if direction is Direction.LARGEST else "lowest"
    values = values_in_order(words, direction, Measure(), All(groups), count + 1)
    if len(values) != count + 1 or len(set(values)) < len(values):
        return None
    program = _at_end(by, direction, groups, count=count)
    return write(words, program, "topk", name, slots, filters)
