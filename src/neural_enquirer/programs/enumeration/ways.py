"""Ways of saying which rows: each set of rows is found once, and said in as many ways as there are."""

import operator
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from neural_enquirer.programs.language import Rows

_COST: Final = operator.itemgetter(0)
_MOST_WAYS: Final = 8
_MOST_OF_ONE_SHAPE: Final = 3


class Way(NamedTuple):
    """One way of saying which rows.

    Attributes:
        cost: what ways are ordered by; the least is the best.
        words: the words of the question that it uses, as bits.
        shape: what it does, whatever the fields and values.
        make: makes the part of a program that selects them, of the inner rows.
        inner: the way of saying which rows they are found in; None for all rows.
    """

    cost: int
    words: int
    shape: str
    make: Callable[..., Rows]
    inner: "Way | None" = None

    @property
    def rows(self) -> Rows:
        """The part of a program that selects the rows."""
        return self.make() if self.inner is None else self.make(self.inner.rows)


class _Edge(NamedTuple):
    parent: "Node"
    make: Callable[[Rows], Rows]
    cost: int
    words: int
    shape: str


class Node:
    """A set of rows that was found in one stage."""

    __slots__ = ("_edges", "_found", "_leaves", "cost", "mask")

    def __init__(self, mask: int) -> None:
        self.mask = mask
        self.cost = 1 << 20
        self._leaves: list[Way] = []
        self._edges: list[_Edge] = []
        self._found: list[Way] | None = None

    def add_leaf(self, way: Way) -> None:
        """Adds a way that is made of no other set."""
        self._leaves.append(way)
        self.cost = min(self.cost, way.cost)

    def add_edge(
        self, parent: "Node", make: Callable[[Rows], Rows], cost: int, words: int, shape: str
    ) -> None:
        """Adds the ways that are made of those of another set."""
        self._edges.append(_Edge(parent, make, cost, words, shape))
        if parent.cost + cost < self.cost:
            self.cost = parent.cost + cost

    @property
    def is_single(self) -> bool:
        """Whether it is one row."""
        return not self.mask & self.mask - 1

    @property
    def ways(self) -> list[Way]:
        """The best ways of saying it, of several shapes."""
        if self._found is None:
            found = list(self._leaves)
            for parent, make, cost, words, shape in self._edges:
                for way in parent.ways:
                    if not way.words & words:
                        full = f"{shape} {way.shape}"
                        found.append(Way(way.cost + cost, way.words | words, full, make, way))
            self._found = varied(found, _MOST_WAYS, _MOST_OF_ONE_SHAPE)
        return self._found


def varied(ways: Sequence[Way], most: int, most_of_one_shape: int) -> list[Way]:
    """The best ways, but not many of one shape."""
    chosen: list[Way] = []
    shapes: dict[str, int] = {}
    for way in sorted(ways, key=_COST):
        shapes[way.shape] = shapes.get(way.shape, 0) + 1
        if shapes[way.shape] <= most_of_one_shape:
            chosen.append(way)
            if len(chosen) == most:
                break
    return chosen
