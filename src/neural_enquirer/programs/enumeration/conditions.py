"""Conditions that a question's links allow: each alone, their opposites, and several together."""

import itertools
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration.asked import Candidates, LinkedCondition, as_bits
from neural_enquirer.programs.enumeration.columns import Columns
from neural_enquirer.programs.language import Comparison

_MOST_PARTS: Final = 4
_MOST_FILTERS: Final = 80
_MOST_OF_ONE_LENGTH: Final = 400
_NAMING: Final = (Comparison.EQUAL, Comparison.CONTAINS)
_BELOW, _ABOVE = "below", "above"
_BOUNDS: Final = {
    Comparison.LESS: _BELOW,
    Comparison.AT_MOST: _BELOW,
    Comparison.MORE: _ABOVE,
    Comparison.AT_LEAST: _ABOVE,
}
_NAME, _COMPARING, _EITHER_FIELD, _OTHER, _GAP = -2, -1, -1, 1, 2
"""What conditions cost: one that names a value is better than none, since the question names it too."""


class Filter(NamedTuple):
    """A condition and the rows that fulfil it.

    Attributes:
        mask: the rows.
        condition: what they fulfil.
        cost: how much it says, less what it is worth to use words of the question.
        words: the words that it uses, as bits.
        shape: what it does, whatever the fields and values.
        names: whether it names a value.
        is_said: whether people say it even where another condition says it all.
    """

    mask: int
    condition: lang.Condition
    cost: int
    words: int
    shape: str
    names: bool
    is_said: bool


def filters_of(columns: Columns, candidates: Candidates) -> list[Filter]:
    """All single conditions, those that name values first."""
    linked = [_linked(columns, candidates, each) for each in candidates.conditions]
    found = [each for each in linked if each.mask]
    naming = [each for each in found if each.names]
    return [
        *naming,
        *_either(naming),
        *(each for each in found if not each.names),
        *_opposites(columns, naming),
        *_missing(columns, candidates),
    ][:_MOST_FILTERS]


def _linked(columns: Columns, candidates: Candidates, linked: LinkedCondition) -> Filter:
    condition, words = linked.condition, as_bits(linked.words)
    mask, strange = columns.rows_where(condition), candidates.strangeness(condition.term)
    if isinstance(condition, lang.Between):
        return Filter(mask, condition, _COMPARING + strange, words, "between", False, not strange)
    names = condition.comparison in _NAMING
    cost = (_NAME if names else _COMPARING) + strange
    return Filter(mask, condition, cost, words, condition.comparison.value, names, names or not strange)


def _either(naming: Iterable[Filter]) -> Iterator[Filter]:
    """Any of several values of one field, or one value in any of several fields."""
    by_term: dict[object, list[Filter]] = {}
    by_words: dict[int, list[Filter]] = {}
    for each in naming:
        assert isinstance(each.condition, lang.Compare)
        if each.condition.comparison is Comparison.EQUAL:
            by_term.setdefault(each.condition.term, []).append(each)
        by_words.setdefault(each.words, []).append(each)
    for several in by_term.values():
        pairs = list(itertools.combinations(several, 2))
        for chosen in [*pairs, several] if len(several) > 2 else pairs:
            if _are_apart(chosen):
                yield _one_of(chosen)
    for words, several in by_words.items():
        for one, other in itertools.combinations(several, 2):
            if one.condition.term != other.condition.term:  # type: ignore[union-attr]
                condition = lang.Or((one.condition, other.condition))
                yield Filter(one.mask | other.mask, condition, _EITHER_FIELD, words, "or", True, True)


def _are_apart(filters: Iterable[Filter]) -> bool:
    """Whether they have no words and no rows in common."""
    words = mask = 0
    for each in filters:
        if words & each.words or mask & each.mask:
            return False
        words, mask = words | each.words, mask | each.mask
    return True


def _one_of(filters: Iterable[Filter]) -> Filter:
    values: list[lang.Constant] = []
    mask = words = cost = 0
    for each in filters:
        assert isinstance(each.condition, lang.Compare)
        term, operand = each.condition.term, each.condition.operand
        values.extend(operand.values if isinstance(operand, lang.OneOf) else [operand])  # type: ignore[list-item]
        mask, words, cost = mask | each.mask, words | each.words, cost + each.cost
    condition = lang.Compare(term, Comparison.EQUAL, lang.OneOf(tuple(values)))
    return Filter(mask, condition, cost, words, "one of", True, True)


def _opposites(columns: Columns, naming: Iterable[Filter]) -> Iterator[Filter]:
    for each in naming:
        assert isinstance(each.condition, lang.Compare)
        column = columns.column(each.condition.term)
        assert column is not None
        rest = column.present & ~each.mask
        if rest:
            cost = each.cost + _OTHER - _NAME
            yield Filter(rest, opposite_of(each.condition), cost, each.words, "<>", False, False)


def opposite_of(condition: lang.Compare) -> lang.Condition:
    """What holds where a condition does not, in the rows that have a value."""
    if condition.comparison is Comparison.EQUAL:
        return lang.Compare(condition.term, Comparison.DIFFERS, condition.operand)
    return lang.Not(condition)


def _missing(columns: Columns, candidates: Candidates) -> Iterator[Filter]:
    for column in columns.fields:
        rows = columns.everything & ~column.present
        if rows and rows != columns.everything:
            cost = _GAP + candidates.strangeness(column.term)
            yield Filter(rows, lang.Missing(column.term), cost, 0, "missing", False, False)


def conjunctions(filters: list[Filter]) -> Iterator[Filter]:
    """The filters, and all that several of them say together; those that no row fulfils have no mask.

    A condition that takes no row away is there only if it names a value, or if the question mentions its
    field: a question says all that it knows, but what is true anyway by chance is not meant.
    """
    level: list[_Conjunction] = [(each, place, (each.condition,)) for place, each in enumerate(filters)]
    for _ in range(_MOST_PARTS - 1):
        yield from (each for each, _, _ in level)
        level = list(itertools.islice(_longer(level, filters), _MOST_OF_ONE_LENGTH))
    yield from (each for each, _, _ in level)


_Conjunction = tuple[Filter, int, tuple[lang.Condition, ...]]


def _longer(level: Iterable[_Conjunction], filters: list[Filter]) -> Iterator[_Conjunction]:
    for one, last, parts in level:
        if not one.mask:
            continue
        for place in range(last + 1, len(filters)):
            other = filters[place]
            if one.words & other.words or any(_clash(part, other.condition) for part in parts):
                continue
            mask = one.mask & other.mask
            if (mask == one.mask and not other.is_said) or (mask == other.mask and not one.is_said):
                continue
            conditions = (*parts, other.condition)
            joined = Filter(
                mask,
                lang.And(conditions),
                one.cost + other.cost,
                one.words | other.words,
                f"{one.shape} and {other.shape}",
                one.names and other.names,
                one.is_said and other.is_said,
            )
            yield joined, place, conditions


def _clash(one: lang.Condition, other: lang.Condition) -> bool:
    """Whether two conditions say the same kind of thing of one field; a lower and an upper bound do not."""
    if not isinstance(one, lang.Compare | lang.Between) or not isinstance(other, lang.Compare | lang.Between):
        return False
    return one.term == other.term and {_bound(one), _bound(other)} != {_BELOW, _ABOVE}


def _bound(condition: lang.Compare | lang.Between) -> str | None:
    if isinstance(condition, lang.Between):
        return None
    return _BOUNDS.get(condition.comparison)
