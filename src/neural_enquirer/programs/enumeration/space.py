"""The space that is searched: the sets of rows of one source beside the answer that is wanted."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from neural_enquirer.programs.enumeration.asked import Wanted
from neural_enquirer.programs.enumeration.columns import Columns, as_matrix
from neural_enquirer.programs.enumeration.row_sets import RowSets
from neural_enquirer.programs.enumeration.ways import Node, Way, varied
from neural_enquirer.programs.language import Program

TOLERANCE: Final = 5e-7
"""How far a number may be from the wanted one."""

ANOTHER, GONE = -1, -2
"""What stands for a value that is not wanted, and for one that is missing."""

_MOST_WAYS: Final = 12
_MOST_OF_ONE_SHAPE: Final = 4


class Hit(NamedTuple):
    """An answer over sets of rows that is the wanted one, before it is said which of their ways.

    Attributes:
        cost: at least what the best program costs.
        own_cost: what the answer costs, besides its rows.
        words: the words that it uses, besides those of its rows, as bits.
        shape: what it does, whatever the fields and values.
        sets: its sets of rows.
        make: makes the program of the rows.
    """

    cost: int
    own_cost: int
    words: int
    shape: str
    sets: tuple[Node, ...]
    make: Callable[..., Program]


class _Merged(Node):
    """A set of rows that was found in several stages."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        super().__init__(nodes[0].mask)
        self._nodes = nodes
        self.cost = min([node.cost for node in nodes])

    @property
    def ways(self) -> list[Way]:
        """The best ways of all stages."""
        if self._found is None:
            found = [way for node in self._nodes for way in node.ways]
            self._found = varied(found, _MOST_WAYS, _MOST_OF_ONE_SHAPE)
        return self._found


class Space:
    """The sets of rows of one source, and the answer that is wanted.

    Attributes:
        columns: the terms of the source.
        sets: its sets of rows.
        wanted: the answer.
        keys: the keys of the answer's parts.
        distinct: all sets, by their rows.
        listed: the same, one by one.
    """

    def __init__(self, columns: Columns, sets: RowSets, wanted: Wanted) -> None:
        """Gathers the distinct sets."""
        self.columns, self.sets, self.wanted = columns, sets, wanted
        self.keys = list(wanted.counts)
        self._places = {key: place for place, key in enumerate(self.keys)}
        self.distinct: dict[int, Node] = {
            mask: nodes[0] if len(nodes) == 1 else _Merged(nodes) for mask, nodes in sets.masks.items()
        }
        self.listed = list(self.distinct.values())

    @cached_property
    def matrix(self) -> npt.NDArray[np.float32]:
        """The distinct sets as a matrix: 1 where a set has a row."""
        return as_matrix(self.distinct, self.columns.count)

    @cached_property
    def sizes(self) -> npt.NDArray[np.float32]:
        """How many rows each distinct set has."""
        sizes: npt.NDArray[np.float32] = self.matrix.sum(axis=1)
        return sizes

    @cached_property
    def simple(self) -> list[Node]:
        """All rows, and those that fulfil conditions, where there are several."""
        return [node for node in (self.sets.all, *self.sets.filtered[:80]) if not node.is_single]

    @cached_property
    def simple_matrix(self) -> npt.NDArray[np.float32]:
        """The simple sets as a matrix."""
        return as_matrix([node.mask for node in self.simple], self.columns.count)

    def places(self, keys: Sequence[Hashable | None]) -> npt.NDArray[np.int64]:
        """Which part of the wanted answer each key is, `ANOTHER` or `GONE`."""
        return np.array([GONE if key is None else self._places.get(key, ANOTHER) for key in keys])

    def has_all(self, places: npt.NDArray[np.int64]) -> bool:
        """Whether all parts of the wanted answer are there."""
        return len(set(places.tolist()) - {ANOTHER, GONE}) == len(self.keys)


def hit(sets: tuple[Node, ...], make: Callable[..., Program], cost: int, shape: str, words: int = 0) -> Hit:
    """A hit over some sets."""
    return Hit(sum([each.cost for each in sets]) + cost, cost, words, shape, sets, make)


def hits(
    sets: Sequence[Node],
    chosen: npt.NDArray[np.bool_],
    make: Callable[..., Program],
    cost: int,
    shape: str,
    words: int = 0,
) -> Iterator[Hit]:
    """A hit for each chosen one of some sets."""
    for place in np.flatnonzero(chosen).tolist():
        yield hit((sets[place],), make, cost, shape, words)
