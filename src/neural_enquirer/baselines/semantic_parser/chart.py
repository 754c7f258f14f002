"""Bottom-up search for programs, for many questions at once.

A form is a program but for the field that it selects. The chart has a cell for each size of a form, counted
in operations, and each type of what it denotes: one row or several. A cell keeps the best forms, as many as
the beam has room for.

    several rows   ->  all rows                                        (floating)
    several, row   ->  several where FIELD compares with VALUE         (VALUE anchored, the rest floating)
    several, row   ->  argmax or argmin of several by FIELD            (floating)
    several, row   ->  all where FIELD compares with FIELD of a row    (floating)
    cell           ->  FIELD of a row                                  (floating; the root, see `derivations`)

Conditions commute, so that only one order of them is built: a comparison with a row comes first, then filters
in the order of their values in the question. So every form is a sequence of operations, each on what the one
before it denotes. A form is dropped as soon as it is built if it denotes nothing (types that do not go
together end there), or what a part of it denotes without the rest: a row that is only compared with itself,
a filter that keeps the same rows on its own.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, Columns

KINDS: Final = 4
ALL, FILTER, SUPERLATIVE, COMPARISON = range(KINDS)
"""The kinds of operations; the first, which makes all rows, begins every form."""

_NEVER: Final = np.float32(-np.inf)

Scores = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class OperationScores:
    """What each operation adds to the score of a form."""

    filters: Scores
    """``[question, filter]``, numbered as in :class:`Columns`, as all operations are."""
    superlatives: Scores
    comparisons: Scores
    transitions: Scores
    """``[question, 4, 4]``: for an operation of the second kind right after one of the first. The second kind
    :data:`ALL` stands for the end."""


@dataclass(frozen=True)
class Cell:
    """Forms of one size and type, ``[question, form]`` each; one that is not there scores minus infinity."""

    rows: Mask
    """``[row, question, form]``: what each form denotes."""
    scores: Scores
    kinds: Ints
    """``[question, form, size]``: the kind of each operation, the first applied first."""
    operations: Ints
    """``[question, form, size]``: its number among those of its kind."""
    used: Ints
    """The anchors that the form uses, as bits."""

    @property
    def last_kinds(self) -> Ints:
        """``[question, form]``: the kind of the last operation."""
        return self.kinds[:, :, -1]

    def at(self, forms: Ints) -> "Cell":
        """Some of the forms, ``[question, chosen]``."""
        question = np.arange(len(forms))[:, None]
        return Cell(
            self.rows[:, question, forms],
            self.scores[question, forms],
            self.kinds[question, forms],
            self.operations[question, forms],
            self.used[question, forms],
        )

    def beside(self, other: "Cell") -> "Cell":
        """The forms of both cells, which are of one size."""
        return Cell(
            np.concatenate((self.rows, other.rows), axis=2),
            np.concatenate((self.scores, other.scores), axis=1),
            np.concatenate((self.kinds, other.kinds), axis=1),
            np.concatenate((self.operations, other.operations), axis=1),
            np.concatenate((self.used, other.used), axis=1),
        )


def search(columns: Columns, scores: OperationScores, beam: int, size: int) -> list[Cell]:
    """The cells of forms that denote one row, by size from 1 on."""
    several = _all_rows(columns)
    single = several.at(np.zeros((len(several.scores), 0), dtype=np.int64))
    found: list[Cell] = []
    for step in range(size):
        growth = _Growth(columns, scores, several, single)
        single = growth.best(growth.counts == 1, beam)
        found.append(single)
        if step + 1 < size:
            several = growth.best(growth.counts > 1, beam)
    return found


def _all_rows(columns: Columns) -> Cell:
    rows, count = columns.keys.shape[:2]
    return Cell(
        np.ones((rows, count, 1), dtype=np.bool_),
        np.zeros((count, 1), dtype=np.float32),
        np.full((count, 1, 1), ALL),
        np.zeros((count, 1, 1), dtype=np.int64),
        np.zeros((count, 1), dtype=np.int64),
    )


class _Growth:
    """All forms one operation larger than those of two cells: every operation on every form that may take it.

    They are counted through: filters of several rows, then their superlatives, then comparisons with one row.
    """

    def __init__(self, columns: Columns, scores: OperationScores, several: Cell, single: Cell) -> None:
        self.columns, self.forms = columns, several.beside(single)
        added = (
            self._in_order(several, _added(several, scores.filters, scores.transitions[:, :, FILTER])),
            _added(several, scores.superlatives, scores.transitions[:, :, SUPERLATIVE]),
            _added(single, scores.comparisons, scores.transitions[:, :, COMPARISON]),
        )
        named = single.rows.argmax(axis=0)
        counts = (
            self._filter_counts(several),
            columns.extreme_counts(several.rows),
            np.take_along_axis(columns.comparison_counts, named[:, :, None], axis=1),
        )
        self.scores, self.counts = _joined(added), _joined(counts)
        self.widths = np.array([part.shape[2] for part in added])
        self.ends = np.cumsum([part.shape[1] * part.shape[2] for part in added])
        self.first_forms = np.array([0, 0, several.scores.shape[1]])

    def _anchors(self, filters: Ints) -> Ints:
        """The anchor of each filter."""
        anchors: Ints = filters // (len(COMPARISONS) * self.columns.keys.shape[2])
        return anchors

    def _in_order(self, several: Cell, scores: Scores) -> Scores:
        """The scores of filters, without those by a value that is used or precedes the last filter's."""
        anchors = self._anchors(np.arange(scores.shape[2]))
        used = several.used[:, :, None] >> anchors & 1 == 1
        last = np.where(several.last_kinds == FILTER, self._anchors(several.operations[:, :, -1]), -1)
        return np.where(used | (anchors < last[:, :, None]), _NEVER, scores)

    def _filter_counts(self, several: Cell) -> Counts:
        """``[question, form, filter]``: how many rows each filter leaves of each form's.

        None where the filter leaves the same rows of the whole table: the form before it is no use.
        """
        kept = _shared_rows(several.rows, self.columns.filters)
        if several.kinds.shape[2] == 1:
            return kept
        alone = self.columns.filters.sum(axis=0, dtype=np.int32)[:, None, :]
        return np.where(kept == alone, 0, kept)

    def best(self, wanted: Mask, beam: int) -> Cell:
        """The best of the forms that are wanted, run."""
        scores = np.where(wanted, self.scores, _NEVER)
        chosen = _best(scores, beam)
        part = np.searchsorted(self.ends, chosen, side="right")
        inside = chosen - np.concatenate(([0], self.ends))[part]
        form, operation = np.divmod(inside, self.widths[part])
        forms = self.forms.at(form + self.first_forms[part])
        bits = np.where(part == 0, 1 << self._anchors(np.where(part == 0, operation, 0)), 0)
        return Cell(
            self._run(forms.rows, part, operation),
            np.take_along_axis(scores, chosen, axis=1),
            np.concatenate((forms.kinds, part[..., None] + FILTER), axis=2),
            np.concatenate((forms.operations, operation[..., None]), axis=2),
            forms.used | bits,
        )

    def _run(self, rows: Mask, part: Ints, operation: Ints) -> Mask:
        """One operation of one of the three kinds on each of the sets of rows."""
        filters, superlatives, comparisons = (np.where(part == kind, operation, 0) for kind in range(3))
        question = np.arange(len(part))[:, None]
        filtered = rows & self.columns.filters[:, question, filters]
        extreme = self.columns.extreme_rows(rows, superlatives)
        compared = self.columns.compared_rows(rows.argmax(axis=0), comparisons)
        return np.where(part == 0, filtered, np.where(part == 1, extreme, compared))


def _joined(parts: tuple[npt.NDArray[Any], ...]) -> npt.NDArray[Any]:
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)


def _added(cell: Cell, operations: Scores, transitions: Scores) -> Scores:
    """``[question, form, operation]``: the score of each form with one operation more."""
    base = cell.scores + np.take_along_axis(transitions, cell.last_kinds, axis=1)
    grown: Scores = base[:, :, None] + operations[:, None, :]
    return grown


def _shared_rows(sets: Mask, others: Mask) -> Counts:
    """``[question, set, other]``: how many rows two sets share; a matrix product counts them fastest."""
    left = np.moveaxis(sets, 0, 2).astype(np.float32)
    return (left @ np.moveaxis(others, 0, 1).astype(np.float32)).astype(np.int32)


def _best(scores: Scores, beam: int) -> Ints:
    """``[question, form]``: where the best scores stand, in no order."""
    if scores.shape[1] <= beam:
        return np.tile(np.arange(scores.shape[1]), (len(scores), 1))
    return np.argpartition(-scores, beam - 1, axis=1)[:, :beam]
