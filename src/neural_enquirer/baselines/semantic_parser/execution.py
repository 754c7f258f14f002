"""Row operations on many tables at once, on numpy columns; what does not depend on the search is run once.

Sets of rows are masks with the rows as their first axis, so that what runs over rows runs over whole arrays.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.problems import Problems
from neural_enquirer.programs.language import Comparison, Direction

COMPARISONS: Final = (Comparison.EQUAL, Comparison.LESS, Comparison.MORE)
DIRECTIONS: Final = (Direction.LARGEST, Direction.SMALLEST)

_MOST_RANKS: Final = 50_000_000
"""Ranks looked at together: a long table's many sets of rows would not fit into memory at once."""

Counts = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Ranks = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class Columns:
    """The tables of some problems, ready to run operations on.

    Operations are numbered: filters by (anchor, field, comparison), comparisons with a named row by (field,
    comparison), superlatives by (ordered field, direction), the last counting fastest.
    """

    keys: Floats
    """``[row, question, field]``"""
    ordered: Mask
    """``[question, field]``"""
    filters: Mask
    """``[row, question, filter]``: the rows that each filter keeps."""
    comparison_counts: Counts
    """``[question, named row, comparison]``: how many rows compare so with the named one; 0 for itself."""
    ranks: Ranks
    """``[row, question, superlative]``: larger is more extreme, 0 is a missing cell."""

    @classmethod
    def of(cls, problems: Problems) -> "Columns":
        """Prepares all operations of the problems' tables."""
        keys = np.ascontiguousarray(np.moveaxis(problems.keys, 1, 0))
        ordered = problems.ordered
        cells, values = keys[:, :, None, :], problems.values[None]
        outcomes = [_holds(which, cells, values) for which in range(len(COMPARISONS))]
        sortable = ordered[None, :, None, :]
        filters = np.stack((outcomes[0], outcomes[1] & sortable, outcomes[2] & sortable), axis=-1)
        rows, count = keys.shape[:2]
        ranks, comparison_counts = _sorted(keys, ordered)
        return cls(
            keys,
            ordered,
            filters.reshape(rows, count, -1),
            comparison_counts,
            ranks[:, :, : problems.ordered_count].reshape(rows, count, -1),
        )

    def compared_rows(self, named: Ints, comparison: Ints) -> Mask:
        """``[row, question, set]``: the rows that compare with the named ones in a field.

        Args:
            named: ``[question, set]``, a row each.
            comparison: ``[question, set]``, by number.
        """
        field, which = np.divmod(comparison, len(COMPARISONS))
        question = np.arange(len(named))[:, None]
        cells, value = self.keys[:, question, field], self.keys[named, question, field]
        outcomes = [_holds(each, cells, value) for each in range(len(COMPARISONS))]
        return np.where(which == 0, outcomes[0], np.where(which == 1, outcomes[1], outcomes[2]))

    def extreme_rows(self, rows: Mask, superlative: Ints) -> Mask:
        """``[row, question, set]``: the extreme rows of each set by one superlative each; all that tie."""
        ranks = np.where(rows, self.ranks[:, np.arange(len(superlative))[:, None], superlative], 0)
        extreme: Mask = ranks == np.maximum(ranks.max(axis=0), 1)
        return extreme

    def extreme_counts(self, rows: Mask) -> Counts:
        """``[question, set, superlative]``: how many rows each superlative finds in each of the sets."""
        sets = rows.shape[2]
        some = max(1, _MOST_RANKS // max(self.ranks.size, 1))
        parts = [self._extreme_counts(rows[:, :, start : start + some]) for start in range(0, sets, some)]
        return np.concatenate(parts, axis=1)

    def _extreme_counts(self, rows: Mask) -> Counts:
        ranks = rows[..., None] * self.ranks[:, :, None, :]
        best = np.maximum(ranks.max(axis=0), 1)
        counts = np.zeros(best.shape, dtype=ranks.dtype)
        for row in ranks:
            counts += row == best
        return counts.astype(np.int32)


def _holds(comparison: int, left: Floats, right: Floats) -> Mask:
    """One of the comparisons; a missing cell fulfils none."""
    holds: Mask = (np.equal, np.less, np.greater)[comparison](left, right)
    return holds


def _sorted(keys: Floats, ordered: Mask) -> tuple[Ranks, Counts]:
    """Ranks ``[row, question, field, direction]``, and counts ``[question, named row, comparison]``."""
    rows = len(keys)
    order = np.argsort(keys, axis=0, kind="stable")
    in_order = np.take_along_axis(keys, order, axis=0)
    place = np.arange(rows, dtype=np.int32)[:, None, None]
    fresh = np.ones(keys.shape, dtype=np.bool_)
    fresh[1:] = in_order[1:] != in_order[:-1]
    first = np.maximum.accumulate(np.where(fresh, place, 0), axis=0)
    less = np.empty(keys.shape, dtype=np.int32)
    np.put_along_axis(less, order, first.astype(np.int32), axis=0)
    present = ~np.isnan(keys)
    last = np.where(np.concatenate((fresh[1:], np.ones_like(fresh[:1]))), place, rows)
    upto = np.empty(keys.shape, dtype=np.int32)
    np.put_along_axis(
        upto, order, np.minimum.accumulate(last[::-1], axis=0)[::-1].astype(np.int32) + 1, axis=0
    )
    total = present.sum(axis=0, dtype=np.int32)[None]
    more = total - upto
    rankable = present & ordered
    ranks = np.stack((np.where(rankable, less + 1, 0), np.where(rankable, more + 1, 0)), axis=-1)
    equal = np.where(upto - less > 1, upto - less, 0)
    counts = np.stack((equal, less * ordered, more * ordered), axis=-1) * present[..., None]
    # The fewest bytes that hold them: searching goes through them most of its time.
    return ranks.astype(np.min_scalar_type(-rows - 1)), np.moveaxis(counts, 0, 1).reshape(
        keys.shape[1], rows, -1
    )
