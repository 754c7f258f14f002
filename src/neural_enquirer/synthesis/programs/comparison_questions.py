"""Questions that compare rows with a named one or an average, two rows, two groups; those for yes or no."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.language import (
    Aggregate,
    Aggregation,
    All,
    Cells,
    Combination,
    Compare,
    Comparison,
    Constant,
    Direction,
    Holds,
    Operation,
    Where,
)
from neural_enquirer.synthesis.open.draw import known, require
from neural_enquirer.synthesis.open.grammar import of_many
from neural_enquirer.synthesis.programs.amount_questions import aggregate_words
from neural_enquirer.synthesis.programs.drafts import (
    Draft,
    asked_slots,
    called,
    comparative_slots,
    drawn_filters,
    named_row,
    number,
    result,
    write,
)
from neural_enquirer.synthesis.programs.filters import Filter, any_filter, equal, kept, narrowed
from neural_enquirer.synthesis.programs.phrases import said
from neural_enquirer.synthesis.programs.spelling import round_bound, spelled, spelled_number
from neural_enquirer.synthesis.programs.subject import Asked
from neural_enquirer.synthesis.programs.wording import Words, doing_of, of_several
from neural_enquirer.tables import FieldType

_LONGEST_LIST: Final = 25
_YES_NO: Final = "yes_no"
_ADVERBIAL: Final = ("in ", "from ", "by ", "on ", "after ", "before ", "since ", "at ")
"""How conditions begin that may stand behind "are all of them"."""


def _comparison(larger: bool) -> Comparison:
    return Comparison.MORE if larger else Comparison.LESS


# Rows beyond a named row, an average, or all of a group.


_Beyond = tuple[lang.Condition, str, list[Asked]]
"""A condition, how it is said behind a noun, and the fields that it uses."""


def beyond_another(words: Words) -> Draft:
    """The rows that have more of a field than something else has, or how many there are."""
    larger = words.draw.chance(0.65)
    kinds = (_beyond_name, _beyond_name, _beyond_average, _beyond_group, _beyond_field)
    condition, than, used = words.draw.of(kinds)(words, larger)
    filters = drawn_filters(words, (0.8, 0.2), used, least=2)
    key = known(words.subject.head)
    own = (*(each.condition for each in filters), condition)
    rows = Where(All(), lang.And(own) if filters else condition)
    program = Cells((key.field,), rows)
    found = len(result(words, program))
    require(0 < found < words.subject.row_count)
    counted = found > _LONGEST_LIST or words.draw.chance(0.45)
    slots = words.rows(filters, None if counted else key) | _than_slots(words, than)
    if counted:
        count = Aggregate(Aggregation.COUNT, None, rows)
        return write(words, count, "comparison", "compared_count", slots, filters)
    name = "compared_one" if found == 1 else "compared_list"
    return write(words, program, "comparison", name, slots, filters)


def _than_slots(words: Words, than: str) -> dict[str, str]:
    doing = doing_of(words.draw, than)
    return {"than": of_many(than), "than_does": doing, "thans": of_several(doing)}


def _beyond_name(words: Words, larger: bool) -> _Beyond:
    subject, row = words.subject, known(named_row(words))
    require(bool(subject.ordered))
    by, key = words.draw.of(subject.ordered), known(subject.key)
    term = by.ordering
    require(by.cells[row] is not None and by is not key and not by.rank)
    name = called(words, row)
    condition = Compare(term, _comparison(larger), Cells((term,), narrowed([name])))
    slots = comparative_slots(words, by, larger) | {"e": name.said[0]}
    return condition, said(words.draw, "than_name", slots) or "", [by, key]


def _beyond_average(words: Words, larger: bool) -> _Beyond:
    require(bool(words.subject.amounts))
    by = words.draw.of(words.subject.amounts)
    amount = by.number
    condition = Compare(amount, _comparison(larger), Aggregate(Aggregation.AVERAGE, amount, All()))
    slots = comparative_slots(words, by, larger) | {"above": "above" if larger else "below"}
    return condition, said(words.draw, "than_average", slots) or "", [by]


def _beyond_group(words: Words, larger: bool) -> _Beyond:
    """More than the average, or than any, of the rows with some value."""
    subject, draw = words.subject, words.draw
    require(bool(subject.amounts) and bool(subject.categories))
    by, group = draw.of(subject.amounts), draw.of(subject.categories)
    row, amount = draw.below(subject.row_count), by.number
    require(group.cells[row] is not None and by is not group)
    member = equal(draw, group, row)
    averaged = draw.chance(0.5)
    ends = Aggregation.MAXIMUM if larger else Aggregation.MINIMUM
    aggregation = Aggregation.AVERAGE if averaged else ends
    condition = Compare(amount, _comparison(larger), Aggregate(aggregation, amount, narrowed([member])))
    slots = comparative_slots(words, by, larger) | {"v": member.said[0], "g": words.name(group)}
    slots |= {"n": words.rows([])["n"], "agg": "average", "end": "highest" if larger else "lowest"}
    return condition, said(draw, "than_group" if averaged else "than_end", slots) or "", [by, group]


def _beyond_field(words: Words, larger: bool) -> _Beyond:
    """More of one field than of another that is called alike."""
    by, other = _like_pair(words)
    condition = Compare(by.number, _comparison(larger), other.number)
    slots = comparative_slots(words, by, larger) | {"f": by.name, "other": other.name}
    return condition, said(words.draw, "than_field", slots) or "", [by, other]


def _like_pair(words: Words) -> tuple[Asked, Asked]:
    """Two amounts that measure alike: their names share a word, or their values overlap and count."""
    amounts = words.subject.amounts
    pairs = [
        (one, other)
        for one in amounts
        for other in amounts
        if one is not other and (one.words & other.words or (one.counted and other.counted))
    ]
    require(bool(pairs))
    return words.draw.of(pairs)


def same_as_another(words: Words) -> Draft:
    """The other rows that have the same as a named one."""
    subject, row = words.subject, known(named_row(words))
    fields = [each for each in subject.fields if each.category or each.year]
    require(bool(fields))
    by, key = words.draw.of(fields), known(subject.key)
    value, name = by.value(row), key.value(row)
    require(by is not key and 2 <= by.counts[value] <= _LONGEST_LIST)
    named = called(words, row)
    same = Compare(by.field, Comparison.EQUAL, Cells((by.field,), narrowed([named])))
    rows = Where(All(), lang.And((same, Compare(key.field, Comparison.DIFFERS, Constant(name)))))
    program = Cells((key.field,), rows)
    than = said(words.draw, "same_as", {"f": words.name(by), "e": named.said[0]}) or ""
    slots = words.rows([]) | _than_slots(words, than) | asked_slots(words, key)
    require(bool(result(words, program)))
    return write(words, program, "comparison", "compared_other", slots)


# Two rows.


@dataclass(frozen=True)
class _Pair:
    """Two named rows, and a field in which they differ or not."""

    field: Asked
    first: Filter
    second: Filter
    first_is_more: bool
    equal: bool

    def of(self, term: lang.Term) -> tuple[Cells, Cells]:
        """What each of the two rows has."""
        return Cells((term,), narrowed([self.first])), Cells((term,), narrowed([self.second]))

    @property
    def values(self) -> tuple[Cells, Cells]:
        """What each of the two rows has in the field."""
        return self.of(self.field.order or self.field.field)

    @property
    def names(self) -> dict[str, str]:
        """What the two are called."""
        return {"e": self.first.said[0], "e2": self.second.said[0]}


def _drawn_pair(words: Words, fields: Sequence[Asked]) -> _Pair:
    """Two rows that both have a cell in one of the fields."""
    subject, one, other = words.subject, named_row(words), named_row(words)
    one, other = known(one), known(other)
    require(one != other and bool(fields))
    by = words.draw.of(fields)
    pair = _Pair(by, called(words, one), called(words, other), False, False)
    values = [result(words, each) for each in pair.values]
    require(all(len(value) == 1 for value in values) and by is not subject.key)
    left, right = values[0][0], values[1][0]
    more = not isinstance(left, str) and left > right  # type: ignore[operator]
    return _Pair(by, pair.first, pair.second, more, left == right)


def difference(words: Words) -> Draft:
    """How much more one named row has than another; of dates, in days or years; or how many times as much."""
    pair = _drawn_pair(words, words.subject.ordered)
    require(not pair.equal)
    by = pair.field
    if not pair.first_is_more:
        pair = _Pair(by, pair.second, pair.first, True, False)
    if by.type is FieldType.DATE or by.year:
        return _time_between(words, pair)
    slots = comparative_slots(words, by, larger=True) | pair.names
    if by.amount is not None and words.draw.chance(0.12):
        ratio = Combination(Operation.RATIO, *pair.values)
        require(number(words, ratio) > 1)
        return write(words, ratio, "difference", "ratio", slots)
    return write(words, Combination(Operation.DIFFERENCE, *pair.values), "difference", "difference", slots)


def _time_between(words: Words, pair: _Pair) -> Draft:
    """Days or years between two rows; the later one is the first of the pair and is said last."""
    by, values = pair.field, pair.values
    years = by.year or words.draw.chance(0.3)
    if years and not by.year:
        values = pair.of(lang.PartOf(lang.Part.YEAR, by.field))
    slots = {"e": pair.second.said[0], "e2": pair.first.said[0], "f": words.name(by)}
    slots["days"] = "years" if years else "days"
    return write(words, Combination(Operation.DIFFERENCE, *values), "difference", "days_between", slots)


def difference_of_fields(words: Words) -> Draft:
    """How much more a named row has of one field than of another that is called alike."""
    row = known(named_row(words))
    one, other = _like_pair(words)
    name = called(words, row)
    less = lang.Arithmetic(Operation.DIFFERENCE, one.number, other.number)
    program = Cells((less,), narrowed([name]))
    require(number(words, program) > 0)
    slots = comparative_slots(words, one, True) | {"f": one.name, "other": other.name, "e": name.said[0]}
    return write(words, program, "difference", "difference_fields", slots)


def either(words: Words) -> Draft:
    """Which of two named rows has more or less of a field."""
    pair, key = _drawn_pair(words, words.subject.ordered), known(words.subject.key)
    require(not pair.equal)
    largest = words.draw.chance(0.7)
    rows = Where(All(), Compare(key.field, Comparison.EQUAL, _choice(pair.first, pair.second)))
    direction = Direction.LARGEST if largest else Direction.SMALLEST
    program = Cells((key.field,), lang.Extreme(direction, pair.field.ordering, rows))
    require(len(result(words, program)) == 1)
    slots = asked_slots(words, key) | comparative_slots(words, pair.field, largest) | pair.names
    return write(words, program, "either_or", "either", slots | {"n": words.rows([])["n"]})


def _choice(first: Filter, second: Filter) -> lang.OneOf:
    constants = [
        operand
        for each in (first, second)
        if isinstance(each.condition, Compare) and isinstance(operand := each.condition.operand, Constant)
    ]
    return lang.OneOf(tuple(constants))


# Two groups.


@dataclass(frozen=True)
class _TwoGroups:
    """Two values of a field, and what their groups are compared by: an average, or the number of rows."""

    group: Asked
    first: Filter
    second: Filter
    by: Asked | None
    """None where rows are counted."""

    @property
    def aggregation(self) -> Aggregation:
        """What is made of the rows of each group."""
        return Aggregation.COUNT if self.by is None else Aggregation.AVERAGE

    @property
    def term(self) -> lang.Term | None:
        """What is averaged."""
        return None if self.by is None else self.by.amount

    @property
    def measures(self) -> tuple[Aggregate, Aggregate]:
        """What each of the groups has."""
        first, second = (
            Aggregate(self.aggregation, self.term, narrowed([each])) for each in (self.first, self.second)
        )
        return first, second

    def slots(self, words: Words, larger: bool) -> dict[str, str]:
        """The words for the groups, and for what is averaged."""
        slots = {"v": self.first.said[0], "v2": self.second.said[0]}
        slots |= {"g": words.name(self.group), "p": words.rows([])["p"]}
        if self.by is None:
            return slots
        averaged = comparative_slots(words, self.by, larger)
        return averaged | slots | {"agg": aggregate_words(words, self.aggregation)["agg"]}


def _two_groups(words: Words) -> _TwoGroups:
    subject, draw = words.subject, words.draw
    require(bool(subject.categories))
    group = draw.of(subject.categories)
    one, other = draw.below(subject.row_count), draw.below(subject.row_count)
    require(group.value(one) != group.value(other))
    first, second = equal(draw, group, one), equal(draw, group, other)
    by = draw.of(subject.amounts) if subject.amounts else None
    measured = by is not None and by is not group and draw.chance(0.6)
    return _TwoGroups(group, first, second, by if measured else None)


def difference_of_groups(words: Words) -> Draft:
    """How much higher an average is for one group than for another, or how many rows more it has."""
    two = _two_groups(words)
    more = number(words, Combination(Operation.DIFFERENCE, *two.measures))
    require(more != 0)
    if more < 0:
        two = _TwoGroups(two.group, two.second, two.first, two.by)
    program = Combination(Operation.DIFFERENCE, *two.measures)
    name = "difference_counts" if two.by is None else "difference_groups"
    return write(words, program, "difference", name, two.slots(words, larger=True))


def either_group(words: Words) -> Draft:
    """Which of two groups has the higher average, or more rows."""
    two = _two_groups(words)
    rows = Where(All(), Compare(two.group.field, Comparison.EQUAL, _choice(two.first, two.second)))
    groups = lang.Groups(two.group.field, two.aggregation, two.term, rows)
    largest = two.by is None or words.draw.chance(0.75)
    direction = Direction.LARGEST if largest else Direction.SMALLEST
    program = Cells((two.group.field,), lang.Extreme(direction, lang.Measure(), All(groups)))
    require(len(result(words, program)) == 1)
    name = "either_counts" if two.by is None else "either_groups"
    return write(words, program, "either_or", name, two.slots(words, largest))


# Yes or no.


def exists(words: Words) -> Draft:
    """Whether there is a row that fulfils conditions; half of the time there is none."""
    draw, subject = words.draw, words.subject
    if draw.chance(0.15):
        return _in_table(words)
    if draw.chance(0.5):
        filters = drawn_filters(words, (0, 0.5, 0.5))
    else:
        one, other = draw.below(subject.row_count), draw.below(subject.row_count)
        first = any_filter(draw, subject, one, ())
        filters = [first, any_filter(draw, subject, other, (first.field,))]
    return write(words, lang.Exists(narrowed(filters)), _YES_NO, "exists", words.rows(filters), filters)


def _in_table(words: Words) -> Draft:
    name = called(words, known(named_row(words)))
    slots = {"e": name.said[0], "p": words.rows([])["p"]}
    return write(words, lang.Exists(narrowed([name])), _YES_NO, "in_table", slots)


def is_value(words: Words) -> Draft:
    """Whether a named row has a value."""
    draw, subject, row = words.draw, words.subject, known(named_row(words))
    fields = [each for each in subject.fields if each is not subject.key and each.short]
    require(bool(fields))
    by = draw.of(fields)
    said_row = row if draw.chance(0.5) else draw.below(subject.row_count)
    value = by.value(said_row)
    require(by.cells[row] is not None)
    name = called(words, row)
    text = spelled(draw, by, said_row)
    slots = {"e": name.said[0], "v": text, "f": words.name(by)}
    slots |= {"c": by.name if by.counted else "", "in": text if by.place else ""}
    program = Holds(Cells((by.field,), narrowed([name])), Comparison.EQUAL, Constant(value))
    return write(words, program, _YES_NO, "is_value", slots)


def is_beyond(words: Words) -> Draft:
    """Whether a named row has more or less of a field than a number."""
    draw, row = words.draw, known(named_row(words))
    numbers = [each for each in words.subject.amounts if each.type is FieldType.NUMBER]
    require(bool(numbers))
    by = draw.of(numbers)
    values = [value for value in by.counts if isinstance(value, int | float)]
    require(by.cells[row] is not None)
    bound, larger = round_bound(draw, values), draw.chance(0.65)
    name = called(words, row)
    amount = Cells((by.number,), narrowed([name]))
    counts = "over_count_" if by.counted else "over_"
    slots = comparative_slots(words, by, larger) | {"e": name.said[0], "v": spelled_number(draw, bound)}
    slots["over"] = said(draw, counts + ("more" if larger else "less"), {}) or ""
    return write(words, Holds(amount, _comparison(larger), Constant(bound)), _YES_NO, "is_over", slots)


def is_more(words: Words) -> Draft:
    """Whether one named row has more or less than another, or the same."""
    same = words.draw.chance(0.2)
    pair = _drawn_pair(words, words.subject.categories if same else words.subject.ordered)
    require(same or not pair.equal)
    larger = words.draw.chance(0.7)
    slots = comparative_slots(words, pair.field, larger) | pair.names
    left, right = pair.values
    program = Holds(left, Comparison.EQUAL if same else _comparison(larger), right)
    return write(words, program, _YES_NO, "is_same" if same else "is_more", slots)


def group_is_more(words: Words) -> Draft:
    """Whether one group has a higher average, or more rows, than another."""
    two = _two_groups(words)
    slots = {"v": two.first.said[0], "v2": two.second.said[0], "p": words.rows([])["p"]}
    larger = two.by is None or words.draw.chance(0.75)
    if two.by is None:
        slots["f"] = words.name(two.group)
    else:
        slots = comparative_slots(words, two.by, larger) | slots
        slots["agg"] = aggregate_words(words, two.aggregation)["agg"]
    left, right = two.measures
    program = Holds(left, _comparison(larger), right)
    require(bool(result(words, program)))
    return write(words, program, _YES_NO, "count_more" if two.by is None else "group_more", slots)


def count_beyond(words: Words) -> Draft:
    """Whether there are more or fewer rows than so many."""
    filters = drawn_filters(words, (0, 0.8, 0.2), least=2, several=True)
    found, larger = int(kept(words.subject, filters).sum()), words.draw.chance(0.7)
    bound = max(1, found + words.draw.between(-max(2, found // 2), max(2, found // 2)))
    count = Aggregate(Aggregation.COUNT, None, narrowed(filters))
    slots = words.rows(filters) | {"number": spelled_number(words.draw, bound)}
    slots["over"] = said(words.draw, "over_count_more" if larger else "over_count_less", {}) or ""
    program = Holds(count, _comparison(larger), Constant(bound))
    return write(words, program, _YES_NO, "count_over", slots, filters)


def all_are(words: Words) -> Draft:
    """Whether all rows, or all of some, fulfil a condition: none that does not."""
    filters = drawn_filters(words, (0.4, 0.6), least=2)
    row = words.draw.of([int(place) for place in kept(words.subject, filters).nonzero()[0]])
    used = [each.field for each in filters]
    part = any_filter(words.draw, words.subject, row, used, several=True)
    require(part.form not in ("missing", "present", "differs"))
    others = (*(each.condition for each in filters), lang.Not(part.condition))
    rows = Where(All(), others[0] if len(others) == 1 else lang.And(others))
    program = Holds(Aggregate(Aggregation.COUNT, None, rows), Comparison.EQUAL, Constant(0))
    after = words.after(part)
    doing = of_several(doing_of(words.draw, after))
    have = doing if doing.startswith("have") else ""
    slots = words.rows(filters) | {"part": after if after.startswith(_ADVERBIAL) else ""}
    return write(words, program, _YES_NO, "all_are", slots | {"have": have, "has": have}, filters)
