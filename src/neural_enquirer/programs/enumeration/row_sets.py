"""Sets of rows: what conditions, superlatives, other rows and the order of rows single out.

Stage by stage: rows that fulfil conditions; rows that compare with another row; those at an end of a field;
those beside one row; and what conditions and superlatives single out among those.
"""

import itertools
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

import numpy as np

from neural_enquirer.programs import language as lang
from neural_enquirer.programs.enumeration.asked import Candidates, as_bits
from neural_enquirer.programs.enumeration.columns import Column, Columns
from neural_enquirer.programs.enumeration.conditions import conjunctions, filters_of, opposite_of
from neural_enquirer.programs.enumeration.ways import Node, Way
from neural_enquirer.programs.language import Aggregation, Comparison, Direction, Step
from neural_enquirer.tables.arrays import exact

_UNEQUAL: Final = (Comparison.MORE, Comparison.LESS)
_MOST_FIELDS_COMPARED: Final = 3
_MOST_COMPARED_WITH: Final = 20
_MOST_RANKED: Final = 150
_MOST_COUNTED: Final = 60
_MOST_STARTED_FROM: Final = 60
_MOST_BESIDE: Final = 120
_MOST_NARROWED: Final = 40
_MOST_TIES: Final = 80
_MOST_SINGLED: Final = 80
_MOST_NARROWING: Final = 30
"""How many sets of each stage, the best first, the next one starts from."""


class Stage(dict[int, Node]):
    """The sets of rows that were found in one way, by their rows."""

    def __missing__(self, mask: int) -> Node:
        node = self[mask] = Node(mask)
        return node


class RowSets:
    """All sets of rows of one source that programs for a question are made of.

    Attributes:
        columns: the terms of the source.
        candidates: what the question's words stand for.
        filters: the single conditions.
        all: every row.
        filtered: the rows that fulfil conditions.
        empty: conditions that no row fulfils.
        singled: the best of those that are one row, by conditions or superlatives.
        ranked: what rows are put in order by: numbers, dates, and differences of mentioned fields.
        strange: what it costs more to use each column.
    """

    def __init__(self, columns: Columns, candidates: Candidates) -> None:
        """Finds all sets."""
        self.columns, self.candidates = columns, candidates
        self._rows = lang.All(columns.source)
        self._ends: dict[int, list[tuple[int, Direction, Column | None]]] = {}
        self._stages: list[Stage] = []
        self.all = self._stage()[columns.everything] = Node(columns.everything)
        self._root = Way(0, 0, "all", partial(lang.All, columns.source))
        self.all.add_leaf(self._root)
        self.ranked = [*columns.ranked, *columns.derived(candidates.fields)]
        self.strange = {
            column: candidates.strangeness(column.term)
            for column in (*columns.fields, *columns.parts, *self.ranked)
        }
        self.filters = filters_of(columns, candidates)
        self.empty = Node(0)
        self.filtered = self._filter()
        self.singled = self._find()

    def _find(self) -> list[Node]:
        """Finds all sets beyond those of conditions; returns the best that are one row."""
        named = _single(self.filtered)
        self._rank(self._relate(named[:_MOST_COMPARED_WITH]))
        simple = [self.all, *self.filtered[:_MOST_RANKED]]
        ranked, counted = self._rank(simple), self._count(simple[:_MOST_COUNTED])
        best = _single([*ranked, *counted])
        if self.columns.ordered:
            beside = self._beside(named[:_MOST_STARTED_FROM])
            self._beside(best[:_MOST_STARTED_FROM], cost=1)
            self._rank(beside[:_MOST_BESIDE])
            self._narrow(beside[:_MOST_BESIDE])
        self._narrow(counted[:_MOST_NARROWED])
        self._rank([node for node in ranked if not node.is_single][:_MOST_TIES])
        return _best({node.mask: node for node in (*best, *named)}.values())[:_MOST_SINGLED]

    @property
    def masks(self) -> dict[int, list[Node]]:
        """The nodes of each distinct set."""
        nodes: dict[int, list[Node]] = {}
        for stage in self._stages:
            for mask, node in stage.items():
                nodes.setdefault(mask, []).append(node)
        return nodes

    def _stage(self) -> Stage:
        self._stages.append(Stage())
        return self._stages[-1]

    def where(self, condition: lang.Condition, cost: int, words: int, shape: str) -> Way:
        """The rows that fulfil a condition."""
        return Way(cost, words, shape, partial(lang.Where, condition=condition), self._root)

    def _filter(self) -> list[Node]:
        stage = self._stage()
        for each in conjunctions(self.filters):
            node = stage[each.mask] if each.mask else self.empty
            node.add_leaf(self.where(each.condition, each.cost, each.words, each.shape))
        return _best(stage.values())

    def _relate(self, nodes: Iterable[Node]) -> list[Node]:
        """Compares rows with single other rows, with the average, or two fields of a row."""
        stage = self._stage()
        self._relate_fields(stage)
        if Aggregation.AVERAGE in self.candidates.operations:
            self._relate_to_average(stage)
        for node in nodes:
            row = node.mask.bit_length() - 1
            for column, comparison in itertools.product(self.ranked, _UNEQUAL):
                value = column.values[row]
                mask = 0 if value is None else column.compared(comparison, value)
                if mask:
                    make = partial(_than, self._rows, column.term, comparison)
                    stage[mask].add_edge(node, make, 1 + self.strange[column], 0, "than")
            for column in self.columns.grouping:
                value = column.values[row]
                mask = 0 if value is None else column.rows_by_value[value]
                if mask & ~node.mask:
                    make = partial(_than, self._rows, column.term, Comparison.EQUAL)
                    stage[mask].add_edge(node, make, 2 + self.strange[column], 0, "same")
                    self._others(stage, node, mask, column)
        return _best(stage.values())

    def _relate_fields(self, stage: Stage) -> None:
        mentioned = [column for column in self.columns.ranked if not self.strange[column]]
        for left, right in itertools.permutations(mentioned[:_MOST_FIELDS_COMPARED], 2):
            if left.kind is right.kind:
                rows = np.flatnonzero(left.moments > right.moments).tolist()
                condition = lang.Compare(left.term, Comparison.MORE, right.term)
                if rows:
                    way = self.where(condition, 2, 0, "than field")
                    stage[sum(1 << row for row in rows)].add_leaf(way)

    def _relate_to_average(self, stage: Stage) -> None:
        for column in self.columns.added:
            numbers = [exact(value) for value in column.values if value is not None]
            average = float(sum(numbers) / len(numbers)) if numbers else 0.0  # type: ignore[arg-type]
            for comparison in _UNEQUAL:
                mask = column.compared(comparison, average)
                if mask:
                    operand = lang.Aggregate(Aggregation.AVERAGE, column.term, self._rows)
                    condition = lang.Compare(column.term, comparison, operand)
                    stage[mask].add_leaf(self.where(condition, 4, 0, "than average"))

    def _others(self, stage: Stage, node: Node, mask: int, column: Column) -> None:
        """Adds the rows that have the same value as a row, which is none of them."""
        term = column.term
        for each in self.filters:
            own = each.condition
            if each.mask != node.mask or not each.names or not isinstance(own, lang.Compare):
                continue
            named = self.columns.column(own.term)
            rest = mask & ~each.mask & (0 if named is None else named.present)
            if rest:
                same = lang.Compare(term, Comparison.EQUAL, lang.Cells((term,), lang.Where(self._rows, own)))
                cost = each.cost + 3 + self.strange[column]
                way = self.where(lang.And((same, opposite_of(own))), cost, each.words, "same but")
                stage[rest].add_leaf(way)

    def _rank(self, nodes: Iterable[Node]) -> list[Node]:
        stage = self._stage()
        for node in nodes:
            if not node.is_single:
                for mask, direction, column in self._ends_of(node.mask):
                    term = None if column is None else column.term
                    cost = 1 if column is None else 1 + self.strange[column]
                    stage[mask].add_edge(node, partial(lang.Extreme, direction, term), cost, 0, "extreme")
        return _best(stage.values())

    def _ends_of(self, mask: int) -> list[tuple[int, Direction, Column | None]]:
        """The rows at both ends of the order of rows and of each column."""
        ends = self._ends.get(mask)
        if ends is None:
            ends = self._ends[mask] = []
            if self.columns.ordered:
                ends.append((1 << mask.bit_length() - 1, Direction.LARGEST, None))
                ends.append((mask & -mask, Direction.SMALLEST, None))
            for column in self.ranked:
                if mask & column.present:
                    for direction, levels in (
                        (Direction.LARGEST, column.falling),
                        (Direction.SMALLEST, column.levels),
                    ):
                        best = next(both for level in levels if (both := level & mask))
                        if best != mask:
                            ends.append((best, direction, column))
        return ends

    def _count(self, nodes: Sequence[Node]) -> list[Node]:
        """The n largest and the n-th largest."""
        stage = self._stage()
        for number in self.candidates.numbers:
            n, words = number.value, as_bits(number.words)
            if not isinstance(n, int) or not 1 < n <= self.columns.count:
                continue
            ranked = (None, *self.ranked) if self.columns.ordered else self.ranked
            for node, column, direction in itertools.product(nodes, ranked, Direction):
                top, nth = _top(node.mask, column, direction, n)
                term, cost = (None, 0) if column is None else (column.term, self.strange[column])
                if top and top != node.mask:
                    make = partial(lang.Extreme, direction, term, count=n)
                    stage[top].add_edge(node, make, cost, words, "n")
                if nth:
                    make = partial(lang.Extreme, direction, term, nth=n)
                    stage[nth].add_edge(node, make, cost, words, "n-th")
        return _best(stage.values())

    def _beside(self, nodes: Iterable[Node], cost: int = 0) -> list[Node]:
        """The rows beside single rows; `cost` is what it costs more to say so."""
        stage, everything = self._stage(), self.columns.everything
        for node in nodes:
            mask = node.mask
            for step, found, own in (
                (Step.NEXT, mask << 1 & everything, 1),
                (Step.PREVIOUS, mask >> 1, 1),
                (Step.AFTER, everything & -(mask << 1), 2),
                (Step.BEFORE, mask - 1, 2),
            ):
                if found:
                    stage[found].add_edge(node, partial(lang.Beside, step), own + cost, 0, step.value)
        return _best(stage.values())

    def _narrow(self, nodes: Iterable[Node]) -> None:
        stage = self._stage()
        for node in nodes:
            for each in self.filters[:_MOST_NARROWING]:
                both = each.mask & node.mask
                if both and both not in (node.mask, each.mask):
                    make = partial(lang.Where, condition=each.condition)
                    stage[both].add_edge(node, make, each.cost, each.words, f"{each.shape} of")


def _best(nodes: Iterable[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: node.cost)


def _single(nodes: Iterable[Node]) -> list[Node]:
    return [node for node in nodes if node.is_single]


def _than(everything: lang.Rows, term: lang.Term, comparison: Comparison, rows: lang.Rows) -> lang.Rows:
    return lang.Where(everything, lang.Compare(term, comparison, lang.Cells((term,), rows)))


def _top(mask: int, column: Column | None, direction: Direction, n: int) -> tuple[int, int]:
    """The n rows at one end of a column with all that tie, and those that tie with the n-th of them.

    None of either where there are less than n.
    """
    if column is None:
        return _first(mask, n) if direction is Direction.SMALLEST else _last(mask, n)
    top = 0
    for level in column.levels if direction is Direction.SMALLEST else column.falling:
        here = level & mask
        top |= here
        if here and top.bit_count() >= n:
            return top, here
    return 0, 0


def _first(mask: int, n: int) -> tuple[int, int]:
    rest, row = mask, 0
    for _ in range(n):
        row = rest & -rest
        rest ^= row
    return (mask ^ rest, row) if row else (0, 0)


def _last(mask: int, n: int) -> tuple[int, int]:
    rest, row = mask, 0
    for _ in range(n):
        row = 1 << rest.bit_length() - 1 if rest else 0
        rest ^= row
    return (mask ^ rest, row) if row else (0, 0)
