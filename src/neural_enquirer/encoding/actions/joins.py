"""How two tables go together: the pair of fields whose values they share."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from neural_enquirer.encoding.text import header_words, phrase_of, stem
from neural_enquirer.programs.language import Field, Join
from neural_enquirer.tables import FieldType, Table

__all__ = ["SharedFields", "find_join", "shared_fields"]

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
    names = [_stems(one, i), _stems(other, j)]
    alike = len(names[0] & names[1]) / max(1, len(names[0] | names[1]))
    if one.fields[i].type is not FieldType.TEXT and not alike:
        return None  # numbers meet by chance
    is_key = max(len(mine) / max(1, one.row_count), len(theirs) / max(1, other.row_count))
    return shared + alike + is_key
