"""Questions for amounts, of some rows or of groups: counts, sums, averages, medians, ranges, shares."""

from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import Aggregate, Aggregation, All, Cells, Comparison, Direction
from neural_enquirer.synthesis.open.amounts import SMALL_NUMBERS
from neural_enquirer.synthesis.open.draw import attempted, known, require
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    called,
    drawn_filters,
    named_row,
    result,
    superlative,
    values_in_order,
    write,
)
from neural_enquirer.synthesis.programs.filters import Filter, draw_filters, kept, narrowed
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.row_questions import spelled_place
from neural_enquirer.synthesis.programs.spelling import round_bound, spelled, spelled_number
from neural_enquirer.synthesis.programs.subject import Asked
from neural_enquirer.synthesis.programs.wording import Words, doing_of, of_several
from neural_enquirer.tables import FieldType

_COUNT: Final = Aggregation.COUNT
_KINDS: Final = {Aggregation.SUM: "sum", Aggregation.RANGE: "difference"}
_LISTS: Final = {
    Aggregation.AVERAGE: ("average", "on_average", "average_only"),
    Aggregation.SUM: ("total", "in_total", "sum_only"),
    Aggregation.MEDIAN: ("middle", "", "median_only"),
    Aggregation.RANGE: ("", "", "range_only"),
}
"""For each aggregation the lists of its adjectives, of its adverbs, and of sentences for it only."""
_MOST_GROUPS: Final = 30
_OFTEN: Final = {
    Direction.LARGEST: ("most often", "the most", "most frequently"),
    Direction.SMALLEST: ("least often", "the least"),
}


def _key(words: Words) -> tuple[Asked, ...]:
    """The field that no sensible condition on several rows is about."""
    return () if words.subject.key is None else (words.subject.key,)


def count(words: Words) -> Draft:
    """How many rows there are."""
    filters = drawn_filters(words, (0.12, 0.52, 0.28, 0.08), _key(words), several=True)
    program = Aggregate(_COUNT, None, narrowed(filters))
    slots = words.rows(filters)
    kind = "two_filters" if len(filters) > 1 else "count"
    if not filters:
        return write(words, program, kind, "count_all", slots)
    key = words.subject.key
    person = key is not None and key.person and words.draw.chance(0.25)
    return write(words, program, kind, "count_people" if person else "count", slots, filters)


def distinct_count(words: Words) -> Draft:
    """How many different values a field has."""
    require(bool(words.subject.categories))
    target = words.draw.of(words.subject.categories)
    filters = drawn_filters(words, (0.65, 0.35), (target,), least=2)
    slots = words.rows(filters) | asked_slots(words, target)
    program = Aggregate(Aggregation.COUNT_DISTINCT, target.field, narrowed(filters))
    return write(words, program, "distinct", "distinct_count", slots, filters)


def aggregate(words: Words) -> Draft:
    """The average, sum, median or range of a field."""
    target, aggregation = known(_drawn_aggregation(words))
    filters = drawn_filters(words, (0.3, 0.52, 0.18), (target, *_key(words)), least=2)
    program = Aggregate(aggregation, target.number, narrowed(filters))
    slots = words.rows(filters) | asked_slots(words, target) | aggregate_words(words, aggregation)
    slots["c"] = target.name if target.counted else ""
    own = _LISTS[aggregation][2]
    name = own if not slots["agg"] or words.draw.chance(0.3) else "aggregate"
    return write(words, program, _KINDS.get(aggregation, "average"), name, slots, filters)


def _drawn_aggregation(words: Words) -> tuple[Asked, Aggregation] | None:
    """A field of amounts, and what is made of it; None where there is no such field."""
    if not words.subject.amounts:
        return None
    target, kind = words.draw.of(words.subject.amounts), words.draw.random()
    if kind < 0.4 and target.added:
        return target, Aggregation.SUM
    if kind < 0.8:
        return target, Aggregation.AVERAGE
    return target, Aggregation.MEDIAN if kind < 0.92 else Aggregation.RANGE


def aggregate_words(words: Words, aggregation: Aggregation) -> dict[str, str]:
    """An adjective and an adverb for what is made of many values."""
    adjectives, adverbs, _ = _LISTS[aggregation]
    return {
        "agg": (said(words.draw, adjectives, {}) or "") if adjectives else "",
        "on": (said(words.draw, adverbs, {}) or "") if adverbs else "",
    }


def amount_of_two(words: Words) -> Draft:
    """The sum or the average of a field for two named rows."""
    subject, one, other = words.subject, named_row(words), named_row(words)
    one, other, key = known(one), known(other), known(subject.key)
    require(one != other and bool(subject.amounts))
    target = words.draw.of(subject.amounts)
    values = lang.Constant(key.value(one)), lang.Constant(key.value(other))
    rows = lang.Where(All(), lang.Compare(key.field, Comparison.EQUAL, lang.OneOf(values)))
    adds = target.added and words.draw.chance(0.75)
    program = Aggregate(Aggregation.SUM if adds else Aggregation.AVERAGE, target.number, rows)
    require(target.cells[one] is not None and target.cells[other] is not None)
    slots = asked_slots(words, target) | {"c": target.name if target.counted else ""}
    slots |= {"e": spelled(words.draw, key, one), "e2": spelled(words.draw, key, other)}
    return write(words, program, "sum" if adds else "average", "of_two" if adds else "average_of_two", slots)


def share(words: Words) -> Draft:
    """What percentage of rows fulfils a condition."""
    filters = drawn_filters(words, (0.75, 0.25), _key(words), least=3)
    used = [*_key(words), *(each.field for each in filters)]
    part = draw_filters(words.draw, words.subject, 1, used, several=True)
    left = int(kept(words.subject, filters).sum())
    require(0 < int(kept(words.subject, [*filters, *part]).sum()) < left)
    whole = Aggregate(_COUNT, None, narrowed(filters))
    found = Aggregate(_COUNT, None, narrowed([*filters, *part]))
    program = lang.Combination(lang.Operation.PERCENTAGE, found, whole)
    after = words.after(part[0])
    slots = words.rows(filters) | {"part": after, "part_do": of_several(doing_of(words.draw, after))}
    return write(words, program, "average", "share", slots, filters)


def share_of_total(words: Words) -> Draft:
    """What percentage of a total one row has."""
    row = known(named_row(words))
    fields = [each for each in words.subject.amounts if each.added]
    require(bool(fields))
    target = words.draw.of(fields)
    amount, name = target.number, called(words, row)
    whole = Aggregate(Aggregation.SUM, amount, All())
    program = lang.Combination(lang.Operation.PERCENTAGE, Cells((amount,), narrowed([name])), whole)
    require(len(result(words, program)) == 1)
    slots = {"e": name.said[0], "f": words.name(target), "c": target.name if target.counted else ""}
    return write(words, program, "average", "share_of_sum", slots)


# Groups.


@dataclass(frozen=True)
class _Grouping:
    """What makes groups, and of which rows."""

    field: Asked
    term: lang.Term
    part: str
    """"year" or "month" where the groups are made by a part of a date."""
    filters: list[Filter]

    @property
    def counts(self) -> lang.Groups:
        """The groups with the number of their rows."""
        return lang.Groups(self.term, _COUNT, None, narrowed(self.filters))

    def at_end(self, direction: Direction, groups: lang.Groups, nth: int = 1, count: int = 1) -> Cells:
        """The groups with the largest or smallest numbers."""
        return Cells((self.term,), lang.Extreme(direction, lang.Measure(), All(groups), nth, count))


def _drawn_grouping(words: Words) -> _Grouping | None:
    """A field that makes groups, and perhaps conditions."""
    dates = [each for each in words.subject.fields if each.type is FieldType.DATE and len(each.counts) > 2]
    fields = [*words.subject.categories, *(each for each in words.subject.fields if each.year), *dates]
    if not fields:
        return None
    by = words.draw.of(fields)
    filters = attempted(drawn_filters, words, (0.75, 0.25), (by,), least=4)
    if filters is None:
        return None
    if by not in dates:
        return _Grouping(by, by.field, "", filters)
    part = lang.Part.YEAR if words.draw.chance(0.65) else lang.Part.MONTH
    return _Grouping(by, lang.PartOf(part, by.field), part.name.lower(), filters)


def _slots(words: Words, grouping: _Grouping, direction: Direction) -> dict[str, str]:
    asked, part = asked_slots(words, grouping.field), grouping.part
    known_slots = {slot: text for slot, text in asked.items() if slot not in ("f", "fs", "count")}
    return (
        words.rows(grouping.filters)
        | known_slots
        | {
            "g": part or asked["f"],
            "gs": f"{part}s" if part else grouping.field.plural,
            "when": part or asked["when"],
            "most": "most" if direction is Direction.LARGEST else "fewest",
            "often": words.draw.of(_OFTEN[direction]),
        }
    )


def _direction(words: Words) -> Direction:
    return Direction.LARGEST if words.draw.chance(0.75) else Direction.SMALLEST


def group_of_most(words: Words) -> Draft:
    """The group with the most or the fewest rows, or with the second most."""
    chosen = known(_drawn_grouping(words))
    require(chosen.field is not words.subject.key)
    second = words.draw.chance(0.12)
    direction = Direction.LARGEST if second else _direction(words)
    values = values_in_order(words, direction, lang.Measure(), All(chosen.counts), 3)
    require(len(values) > 2 and len(set(values)) >= len(values[:3]))
    place = 2 if second else 1
    program = chosen.at_end(direction, chosen.counts, nth=place)
    require(len(result(words, program)) == 1)
    slots = _slots(words, chosen, direction) | {"o": spelled_place(words, place)}
    if second:
        return write(words, program, "topk", "nth_group", slots, chosen.filters)
    name = "most_rows"
    if words.draw.chance(0.35):
        name = "most_common" if direction is Direction.LARGEST else "least_common"
    return write(words, program, "group_by", name, slots, chosen.filters)


def group_of_most_measure(words: Words) -> Draft:
    """The group with the highest or lowest average or total."""
    grouping, measured = _drawn_grouping(words), _drawn_aggregation(words)
    chosen, (target, aggregation) = known(grouping), known(measured)
    used = [chosen.field, *(each.field for each in chosen.filters)]
    require(aggregation is not Aggregation.RANGE and target not in used)
    direction = _direction(words)
    groups = lang.Groups(chosen.term, aggregation, target.number, narrowed(chosen.filters))
    program = chosen.at_end(direction, groups)
    require(len(result(words, program)) == 1 < len(result(words, Cells((chosen.term,), All(groups)))))
    slots = _slots(words, chosen, direction) | aggregate_words(words, aggregation)
    slots |= {"f": words.name(target), "c": target.name if target.counted else ""}
    slots["s"] = superlative(words, target, direction is Direction.LARGEST)
    return write(words, program, "group_by", "most_measure", slots, chosen.filters)


def _measured_groups(words: Words, grouping: _Grouping, slots: dict[str, str]) -> lang.Groups:
    """Groups with an average or the like; its words are added to the slots."""
    target, aggregation = known(_drawn_aggregation(words))
    used = [grouping.field, *(each.field for each in grouping.filters)]
    require(aggregation is not Aggregation.RANGE and target not in used)
    slots |= aggregate_words(words, aggregation) | {"f": words.name(target)}
    slots["s"] = "highest"
    return lang.Groups(grouping.term, aggregation, target.amount, narrowed(grouping.filters))


def per_group(words: Words) -> Draft:
    """One value for each group."""
    chosen = known(_drawn_grouping(words))
    slots = _slots(words, chosen, Direction.LARGEST)
    measured = words.draw.chance(0.65)
    groups = _measured_groups(words, chosen, slots) if measured else chosen.counts
    program = Cells((chosen.term, lang.Measure()), All(groups))
    require(4 <= len(result(words, program)) <= 2 * _MOST_GROUPS)
    name = "per_group" if measured else "per_group_count"
    return write(words, program, "group_by", name, slots, chosen.filters)


def groups_beyond(words: Words) -> Draft:
    """The groups with more than so many rows, or with a measure beyond a bound; or how many there are."""
    chosen = known(_drawn_grouping(words))
    slots = _slots(words, chosen, Direction.LARGEST)
    counted = words.draw.chance(0.65)
    groups = chosen.counts if counted else _measured_groups(words, chosen, slots)
    comparison, bound = _bound(words, groups, counted)
    slots |= _over(words, comparison, bound, counted)
    rows = lang.Where(All(groups), lang.Compare(lang.Measure(), comparison, lang.Constant(bound)))
    program = Cells((chosen.term,), rows)
    require(0 < len(result(words, program)) <= _MOST_GROUPS)
    if counted and words.draw.chance(0.3):
        number = Aggregate(_COUNT, None, rows)
        return write(words, number, "count", "count_groups_over", slots, chosen.filters)
    name = "groups_over" if counted else "groups_measure_over"
    return write(words, program, "group_by", name, slots, chosen.filters)


def _bound(words: Words, groups: lang.Groups, counted: bool) -> tuple[Comparison, int | float]:
    """A comparison and a number that some groups, and not all, fulfil it with."""
    measures = [
        value
        for value in result(words, Cells((lang.Measure(),), All(groups)))
        if isinstance(value, int | float)
    ]
    kinds = (Comparison.MORE, Comparison.MORE, Comparison.AT_LEAST, Comparison.LESS)
    comparison = words.draw.of((*kinds, Comparison.EQUAL) if counted else (Comparison.MORE, Comparison.LESS))
    require(len(measures) > 1)
    return comparison, words.draw.of(measures) if counted else round_bound(words.draw, measures)


def _over(words: Words, comparison: Comparison, bound: int | float, counted: bool) -> dict[str, str]:
    if comparison is Comparison.EQUAL:
        return {"over": "exactly", "v": spelled_number(words.draw, bound)}
    form = {Comparison.MORE: "more", Comparison.LESS: "less", Comparison.AT_LEAST: "at_least"}[comparison]
    name = f"over_count_{form}" if counted and form != "at_least" else f"over_{form}"
    return {"over": said(words.draw, name, {}) or "", "v": spelled_number(words.draw, bound)}


def top_groups(words: Words) -> Draft:
    """The two or three groups with the most rows or the highest measure."""
    chosen = known(_drawn_grouping(words))
    direction, count = _direction(words), words.draw.of((2, 3, 3))
    slots = _slots(words, chosen, direction)
    slots["k"] = SMALL_NUMBERS[count] if words.draw.chance(0.5) else str(count)
    name, groups = "top_groups", chosen.counts
    if words.draw.chance(0.5):
        name, groups = "top_groups_measure", _measured_groups(words, chosen, slots)
        slots["s"] = "highest" if direction is Direction.LARGEST else "lowest"
    values = values_in_order(words, direction, lang.Measure(), All(groups), count + 1)
    require(len(values) == count + 1 == len(set(values)))
    program = chosen.at_end(direction, groups, count=count)
    return write(words, program, "topk", name, slots, chosen.filters)
