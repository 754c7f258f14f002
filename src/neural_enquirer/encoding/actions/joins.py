"""How two tables go together: the pair of fields whose values they share."""

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from neural_enquirer.encoding.text import header_words, phrase_of, stem
from neural_enquirer.programs.language import Field, Join
from neural_enquirer.tables import FieldType, Table

__all__ = ["SharedFields", "alike_fields", "find_join", "shared_fields"]

_LEAST_SHARED = 0.3
"""The least share of the values of one side that the other side must have."""
_FEWEST = 4
"""Numbers whose headers are not alike meet by chance where they have fewer in common."""
_CLOSE = 0.3
"""Pairs whose scores differ by less may be meant as well, such as the towns one comes from and goes to."""

_Values = Mapping[object, int]
"""Different values of a field, and how many rows have each."""


@dataclass(frozen=True)
class SharedFields:
    """Two fields of two tables with values in common.

    Attributes:
        left: the field of the first table.
        right: the field of the second.
        shared: how many different values both have.
        score: how likely it is that the tables go together by them.
    """

    left: int
    right: int
    shared: int
    score: float


def find_join(
    tables: Sequence[Table], left: int, right: int, words: Collection[str] = frozenset()
) -> Join | None:
    """The most likely way to take two tables together; None where they share no values.

    Args:
        tables: the tables.
        left: the number of the first.
        right: the number of the second.
        words: the stems of a question's words; of pairs that are about as likely, it means the one it names.
    """
    one, other = tables[left], tables[right]
    found = list(shared_fields(one, other))
    likely = max((each.score for each in found), default=0.0) - _CLOSE
    best = max(
        (each for each in found if each.score >= likely),
        key=lambda each: (len((_stems(one, each.left) | _stems(other, each.right)) & set(words)), each.score),
        default=None,
    )
    if best is None:
        return None
    shared = (Field(one.field_names[best.left], one.name), Field(other.field_names[best.right], other.name))
    return Join(one.name, other.name, (shared,))


def shared_fields(one: Table, other: Table) -> Iterator[SharedFields]:
    """Every pair of fields by which two tables may go together."""
    values = [_values(one), _values(other)]
    for i, mine in enumerate(values[0]):
        for j, theirs in enumerate(values[1]):
            if one.fields[i].type is other.fields[j].type and mine and theirs:
                score = _score(one, i, mine, other, j, theirs)
                if score is not None:
                    yield SharedFields(i, j, len(mine.keys() & theirs.keys()), score)


def alike_fields(one: Table, other: Table) -> list[tuple[float, int, int]]:
    """Pairs of fields that tables may share by their headers, and how alike these are.

    A field such as customer is alike to all fields of a table customers.
    """
    homes = [{stem(word) for word in header_words(table.name)[0]} for table in (one, other)]
    names = [[_stems(table, field) for field in range(len(table.fields))] for table in (one, other)]
    found = []
    for (i, mine), (j, theirs) in itertools.product(enumerate(names[0]), enumerate(names[1])):
        alike = max(_alike(mine, theirs), _alike(mine, theirs | homes[1]), _alike(mine | homes[0], theirs))
        if alike and one.fields[i].type is other.fields[j].type:
            found.append((alike, i, j))
    return found


def _alike(mine: set[str], theirs: set[str]) -> float:
    return len(mine & theirs) / max(1, len(mine | theirs))


def _values(table: Table) -> list[_Values]:
    return [_counted(column) for column in table.columns]


def _counted(column: Sequence[object]) -> _Values:
    found: Counter[object] = Counter()
    for value, count in Counter(column).items():
        if value is not None:
            found[phrase_of(value) if isinstance(value, str) else value] += count
    return found


def _stems(table: Table, field: int) -> set[str]:
    words, asides = header_words(table.field_names[field])
    return {stem(word) for word in (*words, *asides)}


def _score(one: Table, i: int, mine: _Values, other: Table, j: int, theirs: _Values) -> float | None:
    """How likely two fields are what tables share; None where they have too little in common.

    The rows of both sides find a partner, and the values of one side are all different.
    """
    shared = mine.keys() & theirs.keys()
    if len(shared) < _LEAST_SHARED * min(len(mine), len(theirs)):
        return None
    sides = [(mine, max(1, one.row_count)), (theirs, max(1, other.row_count))]
    found = [sum(own[value] for value in shared) / rows for own, rows in sides]
    different = max(len(own) / rows for own, rows in sides)
    alike = _alike(_stems(one, i), _stems(other, j))
    certain = different == 1 and max(found) == 1 and len(shared) >= _FEWEST
    if one.fields[i].type is not FieldType.TEXT and not alike and not certain:
        return None  # numbers meet by chance
    return sum(found) + alike / 2 + 2 * different
