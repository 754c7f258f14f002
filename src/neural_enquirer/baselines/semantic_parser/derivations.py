"""The root of the chart: every form that denotes one row, with every field to select from it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.chart import (
    ALL,
    COMPARISON,
    FILTER,
    KINDS,
    SUPERLATIVE,
    Cell,
    OperationScores,
    search,
)
from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, DIRECTIONS, Columns
from neural_enquirer.baselines.semantic_parser.features import Featured
from neural_enquirer.baselines.semantic_parser.scoring import REPEATED, STATED, UNUSED, Scorer

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Derivations:
    """What the search found: ``[question, form]``, or ``[question, form, field]`` with what is selected."""

    cells: tuple[Cell, ...]
    """The forms by size; those of the axis `form` are theirs, cell after cell."""
    rows: Ints
    """The row that each form denotes."""
    scores: Floats
    """Of each form with each field; minus infinity where there is no such form, or its cell is missing."""
    unused: Floats
    """How many values of the question the form leaves out."""
    stated: Mask
    """Whether the question states what stands in the selected cell."""
    repeated: Mask
    """Whether the selected field is the one that the last operation reads."""

    def probabilities(self) -> Floats:
        """``[question, form, field]``: of each derivation; they sum to 1, or to 0 where none was found."""
        top = self.scores.max(axis=(1, 2), keepdims=True, initial=np.finfo(np.float32).min)
        weights = np.exp(self.scores - top)
        total = weights.sum(axis=(1, 2), keepdims=True)
        shares: Floats = weights / np.maximum(total, np.finfo(np.float32).tiny)
        return shares

    def cell_probabilities(self, row_count: int) -> Floats:
        """``[question, row, field]``: of each cell, the derivations that denote it taken together."""
        shares = self.probabilities()
        count, _, width = shares.shape
        rows = self.rows + np.arange(count)[:, None] * row_count
        places = rows[:, :, None] * width + np.arange(width)
        cells = np.bincount(places.ravel(), shares.ravel(), count * row_count * width)
        return cells.reshape(count, row_count, width).astype(np.float32)

    def form(self, question: int, form: int) -> tuple[Ints, Ints]:
        """The kinds and the numbers of one form's operations."""
        for cell in self.cells:
            if form < cell.scores.shape[1]:
                return cell.kinds[question, form], cell.operations[question, form]
            form -= cell.scores.shape[1]
        raise IndexError("there is no such form")

    def operation_gradient(self, like: OperationScores, of_forms: Floats) -> OperationScores:
        """Adds what each form gets, ``[question, form]``, to the operations that the form is made of."""
        kinds = {FILTER: like.filters, SUPERLATIVE: like.superlatives, COMPARISON: like.comparisons}
        totals = {kind: np.zeros(scores.shape) for kind, scores in kinds.items()}
        transitions = np.zeros((len(of_forms), KINDS * KINDS))
        start = 0
        for cell in self.cells:
            weights = of_forms[:, start : start + cell.scores.shape[1]]
            start += cell.scores.shape[1]
            closed = np.concatenate((cell.kinds, np.full_like(cell.kinds[:, :, :1], ALL)), axis=2)
            for step in range(cell.kinds.shape[2]):
                _count(transitions, closed[:, :, step] * KINDS + closed[:, :, step + 1], weights)
                for kind, total in totals.items():
                    here = cell.kinds[:, :, step] == kind
                    _count(total, np.where(here, cell.operations[:, :, step], 0), weights * here)
        return OperationScores(
            totals[FILTER].astype(np.float32),
            totals[SUPERLATIVE].astype(np.float32),
            totals[COMPARISON].astype(np.float32),
            transitions.astype(np.float32).reshape(len(of_forms), KINDS, KINDS),
        )


def derive(columns: Columns, scorer: Scorer, beam: int, size: int) -> Derivations:
    """Searches for forms and scores them with every field that can be selected from their rows."""
    cells = tuple(search(columns, scorer.operations, beam, size))
    featured, weights = scorer.featured, scorer.weights.plain
    question, width = np.arange(len(featured.fields))[:, None], featured.fields.shape[1]
    rows = np.concatenate([cell.rows.argmax(axis=0) for cell in cells], axis=1)
    last = np.concatenate([_last_field(cell, width) for cell in cells], axis=1)
    ends = scorer.operations.transitions[:, :, ALL]
    forms = [cell.scores + np.take_along_axis(ends, cell.last_kinds, axis=1) for cell in cells]
    unused = _unused(featured, np.concatenate([cell.used for cell in cells], axis=1))
    stated = _mentioned(columns, width)[rows, question]
    repeated = last[:, :, None] == np.arange(width)
    scores = (np.concatenate(forms, axis=1) + weights[UNUSED] * unused)[:, :, None] + scorer.selections[
        :, None, :
    ]
    scores += weights[STATED] * stated + weights[REPEATED] * repeated
    scores[np.isnan(columns.keys)[rows, question]] = -np.inf
    return Derivations(cells, rows, scores, unused, stated, repeated)


def _last_field(cell: Cell, width: int) -> Ints:
    """The field that the last operation of each form reads."""
    operation = cell.operations[:, :, -1]
    of_superlative, of_other = operation // len(DIRECTIONS), operation // len(COMPARISONS) % width
    return np.where(cell.last_kinds == SUPERLATIVE, of_superlative, of_other)


def _unused(featured: Featured, used: Ints) -> Floats:
    there = np.array([len(question.anchors) for question in featured.problems.questions])
    anchors = np.arange(featured.problems.values.shape[1])
    count = (used[:, :, None] >> anchors & 1).sum(axis=2)
    return np.asarray(there[:, None] - count, dtype=np.float32)


def _mentioned(columns: Columns, width: int) -> Mask:
    """``[row, question, field]``: the cells that hold a value of the question."""
    rows, questions = columns.filters.shape[:2]
    equal = columns.filters.reshape(rows, questions, -1, width, len(COMPARISONS))[..., 0]
    return np.asarray(equal.any(axis=2), dtype=np.bool_)


def _count(totals: npt.NDArray[np.float64], places: Ints, weights: Floats) -> None:
    """Adds the weights ``[question, form]`` to the totals of their questions at the places."""
    offsets = np.arange(len(totals))[:, None] * totals.shape[1]
    totals += np.bincount((places + offsets).ravel(), weights.ravel(), totals.size).reshape(totals.shape)
