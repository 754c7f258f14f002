"""Enumeration: all programs up to a size that give a wanted answer, the best first."""

import itertools
import operator
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from neural_enquirer.programs.enumeration.answers import aggregates, cells, counts, pairs_of_cells
from neural_enquirer.programs.enumeration.asked import Candidates, Wanted
from neural_enquirer.programs.enumeration.columns import Columns, columns_of, joined_columns
from neural_enquirer.programs.enumeration.group_answers import group_answers, group_numbers
from neural_enquirer.programs.enumeration.pair_answers import combinations, truths
from neural_enquirer.programs.enumeration.row_sets import RowSets
from neural_enquirer.programs.enumeration.space import Hit, Space
from neural_enquirer.programs.language import Join, Program
from neural_enquirer.tables import Table

_COST: Final = operator.attrgetter("cost")
_PART_OF_ONE_SHAPE: Final = 4
"""A shape has no more than this part of all programs, as long as there are others."""
_MADE_FOR_EACH_KEPT: Final = 4
_MOST_WAYS_OF_PAIRS: Final = 3


class _Found(NamedTuple):
    cost: int
    shape: str
    program: Program


def programs_for(
    tables: Sequence[Table],
    candidates: Sequence[Candidates],
    wanted: Wanted,
    *,
    joins: Sequence[Join] = (),
    limit: int = 64,
) -> list[Program]:
    """Finds the programs that give a wanted answer.

    The best come first: those that say least, use what the question names and mention its fields. There are
    not many of one shape where there are others. There is a set of candidates for each table; joins say how
    tables may be taken together, two by two.
    """
    if not wanted.counts:
        return []
    found: list[_Found] = []
    # A product may look at numbers beyond its end, which it throws away, and warn of these.
    with np.errstate(invalid="ignore"):
        for columns, own in _sources(tables, candidates, joins):
            if columns.count:
                found.extend(_search(columns, own, wanted, limit))
    return [one.program for one in _varied(sorted(found, key=_COST), limit)]


def _sources(
    tables: Sequence[Table], candidates: Sequence[Candidates], joins: Sequence[Join]
) -> Iterator[tuple[Columns, Candidates]]:
    """The columns of each table and of each join, and what the question's words stand for in them."""
    by_name = {}
    for table, own in zip(tables, candidates, strict=True):
        by_name[table.name] = own
        yield columns_of(table, table.name if len(tables) > 1 else None), own
    for join in joins:
        columns = joined_columns(tables, join)
        assert isinstance(join.left, str)
        yield columns, by_name[join.left].with_those_of(by_name[join.right])


def _search(columns: Columns, candidates: Candidates, wanted: Wanted, limit: int) -> list[_Found]:
    space = Space(columns, RowSets(columns, candidates), wanted)
    found: dict[Program, _Found] = {}
    for hit in sorted(_hits(space), key=_COST):
        for one in _programs(hit):
            found.setdefault(one.program, one)
        if len(found) >= _MADE_FOR_EACH_KEPT * limit:
            break
    return list(found.values())


def _hits(space: Space) -> Iterator[Hit]:
    yield from cells(space)
    yield from pairs_of_cells(space)
    yield from group_answers(space)
    number, truth = space.wanted.number, space.wanted.truth
    if number is not None:
        yield from counts(space, number)
        yield from aggregates(space, number)
        yield from group_numbers(space, number)
        yield from combinations(space, number)
    if truth is not None:
        yield from truths(space, truth)


def _programs(hit: Hit) -> Iterator[_Found]:
    """The programs of a hit, one for each way of saying its rows; none uses a word twice."""
    most = None if len(hit.sets) == 1 else _MOST_WAYS_OF_PAIRS
    for ways in itertools.product(*(each.ways[:most] for each in hit.sets)):
        words = [hit.words, *(way.words for way in ways)]
        if all(not one & other for one, other in itertools.combinations(words, 2)):
            cost = hit.own_cost + sum(way.cost for way in ways)
            shape = " ".join([hit.shape, *(way.shape for way in ways)])
            yield _Found(cost, shape, hit.make(*(way.rows for way in ways)))


def _varied(found: Sequence[_Found], limit: int) -> list[_Found]:
    """The best programs; further ones of a shape that has its part come only where there is room."""
    first: list[_Found] = []
    further: list[_Found] = []
    shapes: dict[str, int] = {}
    for one in found:
        shapes[one.shape] = shapes.get(one.shape, 0) + 1
        (first if shapes[one.shape] <= limit // _PART_OF_ONE_SHAPE else further).append(one)
    return sorted([*first, *further][:limit], key=_COST)
