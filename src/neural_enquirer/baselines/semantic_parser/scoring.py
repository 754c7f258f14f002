"""From weights to the scores of operations, and from their gradient back to that of the weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from neural_enquirer.baselines.semantic_parser.chart import KINDS, OperationScores
from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, DIRECTIONS
from neural_enquirer.baselines.semantic_parser.features import Featured, FeatureSpace, PhraseBatch

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

PLAIN: Final = (
    "filter by a field the question names",
    "superlative by a field the question names",
    "comparison in a field the question names",
    "selection of a field the question names",
    "value of the question that the form leaves out",
    "answer that the question states",
    "selection of the field that the last operation reads",
)
"""The features without words. The first four are of operations, the others of whole forms."""
UNUSED, STATED, REPEATED = range(4, 7)


@dataclass(frozen=True)
class Weights:
    """One weight for each feature; the learner changes them in place."""

    phrases: Floats
    """``[phrase, predicate]``"""
    contexts: Floats
    """``[context, predicate of a filter]``"""
    plain: Floats
    """Of the features without words, in the order of :data:`PLAIN`."""

    @classmethod
    def zeros(cls, space: FeatureSpace) -> "Weights":
        """Weights under which all forms are equally likely."""
        columns = space.predicates
        return cls(
            np.zeros((len(space.phrases), columns.count), dtype=np.float32),
            np.zeros((len(space.contexts), columns.filters_end), dtype=np.float32),
            np.zeros(len(PLAIN), dtype=np.float32),
        )

    def tensors(self, prefix: str = "") -> dict[str, Tensor]:
        """The arrays by name, to be kept."""
        return {f"{prefix}{name}": torch.from_numpy(array) for name, array in vars(self).items()}

    @classmethod
    def of_tensors(cls, tensors: Mapping[str, Tensor], space: FeatureSpace, prefix: str = "") -> "Weights":
        """The weights of some features, as they were kept.

        Raises:
            ValueError: if the tensors are not those of these features.
            KeyError: if one is not there.
        """
        like = vars(cls.zeros(space))
        own = {name: tensors[f"{prefix}{name}"].numpy() for name in like}
        if any(array.shape != like[name].shape or array.dtype != np.float32 for name, array in own.items()):
            raise ValueError("the weights are those of other features")
        return cls(**own)


@dataclass(frozen=True)
class Gradient:
    """The gradient of some questions: only the weights of the phrases that they hold."""

    phrase_ids: Ints
    phrases: Floats
    context_ids: Ints
    contexts: Floats
    plain: Floats


class Scorer:
    """Scores the operations of some questions."""

    def __init__(self, space: FeatureSpace, weights: Weights, featured: Featured) -> None:
        self.weights, self.featured = weights, featured
        self.predicates = space.predicates
        self._phrases = PhraseBatch.of(featured.phrases)
        self._contexts = PhraseBatch.of(featured.contexts)
        self._look_up_predicates()
        scores = self._phrases.holds @ weights.phrases[self._phrases.ids]
        around = self._contexts.holds @ weights.contexts[self._contexts.ids]
        plain, matches = weights.plain, self._matches
        filters = _gathered(scores, self._filters) + plain[0] * matches[0]
        anchored = _gathered(around, np.repeat(self._filters, self._anchors, axis=0))
        count = len(filters)
        self.operations = OperationScores(
            (filters[:, None] + anchored.reshape(count, self._anchors, -1)).reshape(count, -1),
            _gathered(scores, self._superlatives) + plain[1] * matches[1],
            _gathered(scores, self._comparisons) + plain[2] * matches[2],
            scores[:, self.predicates.transitions].reshape(count, KINDS, KINDS),
        )
        self.selections: Floats = _gathered(scores, self._selections) + plain[3] * matches[3]

    def _look_up_predicates(self) -> None:
        fields, problems = self.featured.fields, self.featured.problems
        sortable = problems.ordered_count
        self._anchors = problems.values.shape[1]
        self._filters = self.predicates.filters(fields)
        self._superlatives = self.predicates.superlatives(fields[:, :sortable])
        self._comparisons = self.predicates.comparisons(fields)
        self._selections = self.predicates.selections(fields, problems.ordered)
        compared = np.repeat(problems.matches, len(COMPARISONS), axis=1)
        extreme = np.repeat(problems.matches[:, :sortable], len(DIRECTIONS), axis=1)
        self._matches = (compared, extreme, compared, problems.matches)

    def gradient(self, operations: OperationScores, selections: Floats, of_forms: Floats) -> Gradient:
        """Takes the gradient with respect to the scores back to the weights.

        Args:
            operations: the gradient of each operation's score.
            selections: ``[question, field]``, that of each selection's.
            of_forms: that of the weights of the last three plain features.
        """
        count = len(selections)
        scores = np.zeros((count, self.predicates.count), dtype=np.float32)
        around = np.zeros((count * self._anchors, self.predicates.filters_end), dtype=np.float32)
        by_anchor = operations.filters.reshape(count * self._anchors, -1)
        filters = by_anchor.reshape(count, self._anchors, -1).sum(axis=1)
        values = (filters, operations.superlatives, operations.comparisons, selections)
        places = (self._filters, self._superlatives, self._comparisons, self._selections)
        for columns, of_kind in zip(places, values, strict=True):
            _scatter(scores, columns, of_kind)
        scores[:, self.predicates.transitions] += operations.transitions.reshape(count, -1)
        _scatter(around, np.repeat(self._filters, self._anchors, axis=0), by_anchor)
        named = [(of_kind * match).sum() for of_kind, match in zip(values, self._matches, strict=True)]
        return Gradient(
            self._phrases.ids,
            self._phrases.holds.T @ scores,
            self._contexts.ids,
            self._contexts.holds.T @ around,
            np.concatenate((named, of_forms)).astype(np.float32),
        )


def _gathered(scores: Floats, columns: Ints) -> Floats:
    """``[text, operation]``: the sum of the scores at the columns ``[text, operation, predicate]``."""
    total: Floats = scores[np.arange(len(scores))[:, None, None], columns].sum(axis=-1)
    return total


def _scatter(target: Floats, columns: Ints, values: Floats) -> None:
    """Adds the values ``[text, operation]`` to the target at the columns ``[text, operation, predicate]``."""
    places = columns + (np.arange(len(target)) * target.shape[1])[:, None, None]
    weights = np.broadcast_to(values[:, :, None], columns.shape)
    target += np.bincount(places.ravel(), weights.ravel(), target.size).reshape(target.shape)
