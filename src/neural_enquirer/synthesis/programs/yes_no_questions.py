"""Questions for yes and no."""

from typing import Final

from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    And,
    Cells,
    Comparison,
    Constant,
    Exists,
    Holds,
    Not,
    Where,
)
from neural_enquirer.synthesis.programs.amount_questions import aggregate_words
from neural_enquirer.synthesis.programs.comparison_questions import drawn_pair, of_pair, two_values
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    comparative_slots,
    drawn_filters,
    named_row,
    result,
    write,
)
from neural_enquirer.synthesis.programs.filters import any_filter, equal, kept, narrowed
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.spelling import round_bound, spelled, spelled_number
from neural_enquirer.synthesis.programs.wording import Words, doing_of, of_several
from neural_enquirer.tables import FieldType

__all__ = ["all_are", "count_beyond", "exists", "group_is_more", "is_beyond", "is_more", "is_value"]

_COUNT: Final = Aggregation.COUNT
_KIND: Final = "yes_no"
_ADVERBIAL: Final = ("in ", "from ", "by ", "on ", "after ", "before ", "since ", "at ")
"""How conditions begin that may stand behind "are all of them"."""


def exists(words: Words) -> Draft | None:
    """Whether there is a row that fulfils conditions; half of the time there is none."""
    draw, subject = words.draw, words.subject
    if draw.chance(0.15):
        return _in_table(words)
    if draw.chance(0.5):
        filters = drawn_filters(words, (0, 0.5, 0.5))
    else:
        one, other = draw.below(subject.row_count), draw.below(subject.row_count)
        first = any_filter(draw, subject, one, ())
        second = None if first is None else any_filter(draw, subject, other, (first.field,))
        filters = [first, second] if first is not None and second is not None else None
    if not filters:
        return None
    return write(words, Exists(narrowed(filters)), _KIND, "exists", words.rows(filters), filters)


def _in_table(words: Words) -> Draft | None:
    row, key = named_row(words), words.subject.key
    if row is None or key is None:
        return None
    name = equal(words.draw, words.subject, key, row)
    return write(
        words, Exists(narrowed([name])), _KIND, "in_table", {"e": name.said[0], "p": words.rows([])["p"]}
    )


def is_value(words: Words) -> Draft | None:
    """Whether a named row has a value."""
    draw, subject, row = words.draw, words.subject, named_row(words)
    fields = [each for each in subject.fields if each is not subject.key and each.short]
    if row is None or subject.key is None or not fields:
        return None
    by = draw.of(fields)
    said_row = row if draw.chance(0.5) else draw.below(subject.row_count)
    value = by.cells[said_row]
    if by.cells[row] is None or value is None:
        return None
    name = equal(draw, subject, subject.key, row)
    text = spelled(draw, by, said_row)
    slots = {"e": name.said[0], "v": text, "f": words.name(by)}
    slots |= {"c": by.name if by.counted else "", "in": text if by.place else ""}
    program = Holds(Cells((by.field,), narrowed([name])), Comparison.EQUAL, Constant(value))
    return write(words, program, _KIND, "is_value", slots)


def is_beyond(words: Words) -> Draft | None:
    """Whether a named row has more or less of a field than a number."""
    draw, subject, row = words.draw, words.subject, named_row(words)
    numbers = [each for each in subject.amounts if each.type is FieldType.NUMBER]
    if row is None or subject.key is None or not numbers:
        return None
    by = draw.of(numbers)
    values = [value for value in by.counts if isinstance(value, int | float)]
    if by.cells[row] is None or by.amount is None:
        return None
    bound, larger = round_bound(draw, values), draw.chance(0.65)
    name = equal(draw, subject, subject.key, row)
    comparison = Comparison.MORE if larger else Comparison.LESS
    program = Holds(Cells((by.amount,), narrowed([name])), comparison, Constant(bound))
    counts = "over_count_" if by.counted else "over_"
    slots = comparative_slots(words, by, larger) | {"e": name.said[0], "v": spelled_number(draw, bound)}
    slots["over"] = said(draw, counts + ("more" if larger else "less"), {}) or ""
    return write(words, program, _KIND, "is_over", slots)


def is_more(words: Words) -> Draft | None:
    """Whether one named row has more or less than another, or the same."""
    same = words.draw.chance(0.2)
    subject = words.subject
    pair = drawn_pair(words, subject.categories if same else subject.ordered)
    if pair is None or (pair.equal and not same):
        return None
    larger = words.draw.chance(0.7)
    left, right = of_pair(pair)
    slots = comparative_slots(words, pair.field, larger)
    slots |= {"e": pair.first.said[0], "e2": pair.second.said[0]}
    comparison = Comparison.EQUAL if same else Comparison.MORE if larger else Comparison.LESS
    return write(words, Holds(left, comparison, right), _KIND, "is_same" if same else "is_more", slots)


def group_is_more(words: Words) -> Draft | None:
    """Whether one group has a higher average, or more rows, than another."""
    chosen = two_values(words)
    if chosen is None:
        return None
    group, first, second = chosen
    by = words.draw.of(words.subject.amounts) if words.subject.amounts else None
    measured = by is not None and by is not group and words.draw.chance(0.6)
    aggregation = Aggregation.AVERAGE if measured else _COUNT
    term = by.amount if by is not None and measured else None
    left, right = (Aggregate(aggregation, term, narrowed([each])) for each in (first, second))
    slots = {"v": first.said[0], "v2": second.said[0], "p": words.rows([])["p"]}
    larger = not measured or words.draw.chance(0.75)
    if by is not None and measured:
        slots = (
            comparative_slots(words, by, larger) | slots | {"agg": aggregate_words(words, aggregation)["agg"]}
        )
    else:
        slots["f"] = words.name(group)
    program = Holds(left, Comparison.MORE if larger else Comparison.LESS, right)
    if not result(words, program):
        return None
    return write(words, program, _KIND, "group_more" if measured else "count_more", slots)


def count_beyond(words: Words) -> Draft | None:
    """Whether there are more or fewer rows than so many."""
    filters = drawn_filters(words, (0, 0.8, 0.2), least=2, several=True)
    if not filters:
        return None
    found, larger = int(kept(words.subject, filters).sum()), words.draw.chance(0.7)
    bound = max(1, found + words.draw.between(-max(2, found // 2), max(2, found // 2)))
    comparison = Comparison.MORE if larger else Comparison.LESS
    program = Holds(Aggregate(_COUNT, None, narrowed(filters)), comparison, Constant(bound))
    slots = words.rows(filters) | {"number": spelled_number(words.draw, bound)}
    slots["over"] = said(words.draw, "over_count_more" if larger else "over_count_less", {}) or ""
    return write(words, program, _KIND, "count_over", slots, filters)


def all_are(words: Words) -> Draft | None:
    """Whether all rows, or all of some, fulfil a condition: none that does not."""
    filters = drawn_filters(words, (0.4, 0.6), least=2)
    if filters is None:
        return None
    row = words.draw.of([int(place) for place in kept(words.subject, filters).nonzero()[0]])
    part = any_filter(words.draw, words.subject, row, [each.field for each in filters], several=True)
    if part is None or part.form in ("missing", "present", "differs"):
        return None
    others = (*(each.condition for each in filters), Not(part.condition))
    rows = Where(All(), others[0] if len(others) == 1 else And(others))
    program = Holds(Aggregate(_COUNT, None, rows), Comparison.EQUAL, Constant(0))
    after = words.after(part)
    doing = of_several(doing_of(words.draw, after))
    slots = words.rows(filters) | {"part": after if after.startswith(_ADVERBIAL) else ""}
    slots |= {
        "have": doing if doing.startswith("have") else "",
        "has": doing if doing.startswith("have") else "",
    }
    return write(words, program, _KIND, "all_are", slots, filters)
