"""Questions for amounts: counts, sums, averages, medians, ranges, shares."""

from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Combination,
    Compare,
    Comparison,
    Constant,
    OneOf,
    Operation,
    Where,
)
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    drawn_filters,
    named_row,
    result,
    write,
)
from neural_enquirer.synthesis.programs.fields import Asked
from neural_enquirer.synthesis.programs.filters import draw_filters, equal, kept, narrowed
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.spelling import spelled
from neural_enquirer.synthesis.programs.wording import Words, doing_of, of_several

__all__ = [
    "aggregate",
    "aggregate_words",
    "amount_of_two",
    "count",
    "distinct_count",
    "share",
    "share_of_total",
]

_COUNT: Final = Aggregation.COUNT
_KINDS: Final = {Aggregation.SUM: "sum", Aggregation.RANGE: "difference"}
_LISTS: Final = {
    Aggregation.AVERAGE: ("average", "on_average", "average_only"),
    Aggregation.SUM: ("total", "in_total", "sum_only"),
    Aggregation.MEDIAN: ("middle", "", "median_only"),
    Aggregation.RANGE: ("", "", "range_only"),
}
"""For each aggregation the lists of its adjectives, of its adverbs, and of sentences for it only."""


def _key(words: Words) -> tuple[Asked, ...]:
    """The field that no sensible condition on several rows is about."""
    return () if words.subject.key is None else (words.subject.key,)


def count(words: Words) -> Draft | None:
    """How many rows there are."""
    filters = drawn_filters(words, (0.12, 0.52, 0.28, 0.08), _key(words), several=True)
    if filters is None:
        return None
    program = Aggregate(_COUNT, None, narrowed(filters))
    slots = words.rows(filters)
    kind = "two_filters" if len(filters) > 1 else "count"
    if not filters:
        return write(words, program, kind, "count_all", slots)
    key = words.subject.key
    person = key is not None and key.person and words.draw.chance(0.25)
    return write(words, program, kind, "count_people" if person else "count", slots, filters)


def distinct_count(words: Words) -> Draft | None:
    """How many different values a field has."""
    if not words.subject.categories:
        return None
    target = words.draw.of(words.subject.categories)
    filters = drawn_filters(words, (0.65, 0.35), (target,), least=2)
    if filters is None:
        return None
    slots = words.rows(filters) | asked_slots(words, target)
    program = Aggregate(Aggregation.COUNT_DISTINCT, target.field, narrowed(filters))
    return write(words, program, "distinct", "distinct_count", slots, filters)


def aggregate(words: Words) -> Draft | None:
    """The average, sum, median or range of a field."""
    chosen = drawn_aggregation(words)
    if chosen is None:
        return None
    target, aggregation = chosen
    filters = drawn_filters(words, (0.3, 0.52, 0.18), (target, *_key(words)), least=2)
    if filters is None or target.amount is None:
        return None
    program = Aggregate(aggregation, target.amount, narrowed(filters))
    slots = words.rows(filters) | asked_slots(words, target) | aggregate_words(words, aggregation)
    slots["c"] = target.name if target.counted else ""
    own = _LISTS[aggregation][2]
    name = own if not slots["agg"] or words.draw.chance(0.3) else "aggregate"
    return write(words, program, _KINDS.get(aggregation, "average"), name, slots, filters)


def drawn_aggregation(words: Words) -> tuple[Asked, Aggregation] | None:
    """A field of amounts, and what is made of it."""
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


def amount_of_two(words: Words) -> Draft | None:
    """The sum or the average of a field for two named rows."""
    subject, one, other = words.subject, named_row(words), named_row(words)
    if one is None or other is None or one == other or not subject.amounts or subject.key is None:
        return None
    target, key = words.draw.of(subject.amounts), subject.key
    first, second = key.cells[one], key.cells[other]
    assert first is not None
    assert second is not None
    rows = Where(All(), Compare(key.field, Comparison.EQUAL, OneOf((Constant(first), Constant(second)))))
    adds = target.added and words.draw.chance(0.75)
    assert target.amount is not None
    program = Aggregate(Aggregation.SUM if adds else Aggregation.AVERAGE, target.amount, rows)
    if target.cells[one] is None or target.cells[other] is None:
        return None
    slots = asked_slots(words, target) | {"c": target.name if target.counted else ""}
    slots |= {"e": spelled(words.draw, key, one), "e2": spelled(words.draw, key, other)}
    return write(words, program, "sum" if adds else "average", "of_two" if adds else "average_of_two", slots)


def share(words: Words) -> Draft | None:
    """What percentage of rows fulfils a condition."""
    filters = drawn_filters(words, (0.75, 0.25), _key(words), least=3)
    if filters is None:
        return None
    used = [*_key(words), *(each.field for each in filters)]
    part = draw_filters(words.draw, words.subject, 1, used, several=True)
    if part is None:
        return None
    left = int(kept(words.subject, filters).sum())
    if not 0 < int(kept(words.subject, [*filters, *part]).sum()) < left:
        return None
    whole = Aggregate(_COUNT, None, narrowed(filters))
    program = Combination(Operation.PERCENTAGE, Aggregate(_COUNT, None, narrowed([*filters, *part])), whole)
    after = words.after(part[0])
    slots = words.rows(filters) | {"part": after, "part_do": of_several(doing_of(words.draw, after))}
    return write(words, program, "average", "share", slots, filters)


def share_of_total(words: Words) -> Draft | None:
    """What percentage of a total one row has."""
    subject, row = words.subject, named_row(words)
    fields = [each for each in subject.amounts if each.added]
    if row is None or subject.key is None or not fields:
        return None
    target = words.draw.of(fields)
    assert target.amount is not None
    name = equal(words.draw, subject, subject.key, row)
    whole = Aggregate(Aggregation.SUM, target.amount, All())
    program = Combination(Operation.PERCENTAGE, Cells((target.amount,), narrowed([name])), whole)
    if len(result(words, program)) != 1:
        return None
    slots = {"e": name.said[0], "f": words.name(target), "c": target.name if target.counted else ""}
    return write(words, program, "average", "share_of_sum", slots)
