"""Rows of two tables that go together: samples that are drawn from each alone share hardly any value."""

from collections.abc import Iterator
from typing import Final

from neural_enquirer.encoding.actions.joins import alike_fields, find_join
from neural_enquirer.engines.known import EngineTable
from neural_enquirer.programs.language import Compare, Comparison, Condition, Constant, Field, OneOf
from neural_enquirer.tables import Table

KEYS: Final = 200
"""So many values of a table are looked up in another."""
_MOST_PAIRS: Final = 3


def partners(rows: Table, one: EngineTable, stand_in: Table, other: EngineTable) -> Table:
    """Rows of another table that go with rows of one, by the fields that the two may share.

    Args:
        rows: some of one table, those that matter most first.
        one: the table itself.
        stand_in: rows of the other table that are known already.
        other: the other table.
    """
    wanted = [
        condition
        for mine, theirs in list(_pairs(rows, one, stand_in, other))[:_MOST_PAIRS]
        if (condition := _has_one_of(Field(other.field_names[theirs]), rows, mine)) is not None
    ]
    return other.engine.find(other, wanted, KEYS)


def _pairs(rows: Table, one: EngineTable, stand_in: Table, other: EngineTable) -> Iterator[tuple[int, int]]:
    """Fields that two tables may share, the likeliest first: by values that are known, then by headers."""
    join = find_join((rows, stand_in), 0, 1)
    if join is not None:
        ((own, shared),) = join.on
        yield rows.field_index(own.name), stand_in.field_index(shared.name)
    pairs = alike_fields(one, other)
    for _, mine, theirs in sorted(pairs, key=lambda pair: pair[0] + _is_key(pair, one, other), reverse=True):
        yield mine, theirs


def _is_key(pair: tuple[float, int, int], one: EngineTable, other: EngineTable) -> float:
    """How nearly every row of either table has a value of its own."""
    _, mine, theirs = pair
    both = (one.known, mine), (other.known, theirs)
    return max(known.fields[field].distinct / known.rows for known, field in both)


def _has_one_of(field: Field, rows: Table, mine: int) -> Condition | None:
    """That a field has one of the values of some rows."""
    keys = [value for value in dict.fromkeys(rows.columns[mine]) if value is not None][:KEYS]
    if not keys:
        return None
    constants = tuple(map(Constant, keys))
    return Compare(field, Comparison.EQUAL, constants[0] if len(constants) == 1 else OneOf(constants))
