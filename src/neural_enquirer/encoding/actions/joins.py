"""How two tables go together: the pair of fields whose values they share."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from neural_enquirer.encoding.text import header_words, phrase_of, stem
from neural_enquirer.programs.language import Field, Join
from neural_enquirer.tables import FieldType, Table

__all__ = ["SharedFields", "alike_fields", "find_join", "shared_fields"]

_LEAST_SHARED = 0.3
"""The least share of the values of one side that the other side must have."""


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


def find_join(tables: Sequence[Table], left: int, right: int) -> Join | None:
    """The most likely way to take two tables together; None where they share no values."""
    one, other = tables[left], tables[right]
    best = max(shared_fields(one, other), key=lambda each: each.score, default=None)
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
                    yield SharedFields(i, j, len(mine & theirs), score)


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


def _values(table: Table) -> list[frozenset[object]]:
    return [
        frozenset(phrase_of(value) if isinstance(value, str) else value for value in set(column)) - {None}
        for column in table.columns
    ]


def _stems(table: Table, field: int) -> set[str]:
    words, asides = header_words(table.field_names[field])
    return {stem(word) for word in (*words, *asides)}


def _score(
    one: Table, i: int, mine: frozenset[object], other: Table, j: int, theirs: frozenset[object]
) -> float | None:
    """How likely two fields are what tables share; None where they have too little in common."""
    shared = len(mine & theirs) / min(len(mine), len(theirs))
    if shared < _LEAST_SHARED:
        return None
    alike = _alike(_stems(one, i), _stems(other, j))
    if one.fields[i].type is not FieldType.TEXT and not alike:
        return None  # numbers meet by chance
    is_key = max(len(mine) / max(1, one.row_count), len(theirs) / max(1, other.row_count))
    return shared + alike + is_key
