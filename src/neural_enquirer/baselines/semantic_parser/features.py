"""The features of forms: phrases of the question paired with the predicates of the form.

A feature is a pair of a phrase (a span of the question, or the words around an anchored value) and a
predicate (an operation with or without its field, or two kinds of operation in a row). All features of a
form are sums over its operations, so that scoring a question means one matrix product, phrases by
predicates, and a look-up for each operation.
"""

import collections
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.chart import KINDS
from neural_enquirer.baselines.semantic_parser.execution import COMPARISONS, DIRECTIONS
from neural_enquirer.baselines.semantic_parser.problems import Problems
from neural_enquirer.baselines.semantic_parser.questions import contexts, phrases

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PhraseBatch:
    """Which phrases each of some texts holds, as a matrix over the phrases that any of them holds."""

    ids: Ints
    holds: npt.NDArray[np.float32]
    """``[text, phrase]``: 1 where the text holds the phrase of `ids`."""

    @classmethod
    def of(cls, texts: list[Ints]) -> "PhraseBatch":
        """Puts the phrases of all texts together."""
        lengths = [len(text) for text in texts]
        ids, places = np.unique(np.concatenate(texts), return_inverse=True)
        holds = np.zeros((len(texts), len(ids)), dtype=np.float32)
        holds[np.repeat(np.arange(len(texts)), lengths), places] = 1
        return cls(ids, holds)


@dataclass(frozen=True)
class Featured:
    """Problems with the numbers of their features."""

    problems: Problems
    fields: Ints
    """``[question, field]``: the number of each field among those of the feature space."""
    phrases: list[Ints]
    """The phrases of each question."""
    contexts: list[Ints]
    """The contexts of each anchor, question after question."""

    def select(self, chosen: npt.NDArray[np.integer[Any]]) -> "Featured":
        """The problems at some positions."""
        anchors = self.problems.values.shape[1]
        return Featured(
            self.problems.select(chosen),
            self.fields[chosen],
            [self.phrases[index] for index in chosen],
            [self.contexts[index * anchors + place] for index in chosen for place in range(anchors)],
        )


@dataclass(frozen=True)
class FeatureSpace:
    """The phrases and the fields that weights are learned for."""

    field_names: tuple[str, ...]
    phrases: tuple[str, ...]
    contexts: tuple[str, ...]
    longest: int
    """Words of the longest phrase."""
    roles: bool = True
    """Whether predicates tell what a field is used for."""

    @classmethod
    def of(cls, problems: Problems, longest: int, least: int, roles: bool = True) -> "FeatureSpace":
        """All fields of the training questions, and the phrases that at least `least` of them hold."""
        counts: collections.Counter[str] = collections.Counter()
        around: collections.Counter[str] = collections.Counter()
        for question in problems.questions:
            counts.update(phrases(question, longest))
            for anchor in question.anchors if roles else ():
                around.update(contexts(question, anchor))
        return cls(problems.field_names, _frequent(counts, least), _frequent(around, least), longest, roles)

    @cached_property
    def _phrase_ids(self) -> dict[str, int]:
        return {phrase: index for index, phrase in enumerate(self.phrases)}

    @cached_property
    def _context_ids(self) -> dict[str, int]:
        return {context: index for index, context in enumerate(self.contexts)}

    def look_up(self, problems: Problems) -> "Featured":
        """The problems with the numbers of their fields and phrases; unknown fields share the last number."""
        known = {name: index for index, name in enumerate(self.field_names)}
        numbers = np.array([known.get(name, len(known)) for name in problems.field_names], dtype=np.int64)
        held = [_ids(self._phrase_ids, phrases(each, self.longest)) for each in problems.questions]
        around: list[Ints] = []
        for question in problems.questions:
            around += [_ids(self._context_ids, contexts(question, anchor)) for anchor in question.anchors]
            missing = problems.values.shape[1] - len(question.anchors)
            around += [np.zeros(0, dtype=np.int64)] * missing
        return Featured(problems, numbers[problems.fields], held, around)

    @property
    def predicates(self) -> "PredicateColumns":
        """Where the weights of each predicate stand."""
        return PredicateColumns(len(self.field_names) + 1, self.roles)


@dataclass(frozen=True)
class PredicateColumns:
    """Numbers the predicates: filters first, for which contexts have weights too.

    An operation on a field has three predicates: both together, the field, and the operation. Without roles,
    the first two are the field's, whatever the operation.
    """

    fields: int
    roles: bool

    @property
    def filters_end(self) -> int:
        """How many predicates speak of filters."""
        return (self.fields + 1) * (len(COMPARISONS) + 1) - 1

    @property
    def _superlatives(self) -> int:
        return 2 * self.filters_end

    @property
    def _selections(self) -> int:
        return self._superlatives + (self.fields + 1) * (len(DIRECTIONS) + 1) - 1

    @property
    def _transitions(self) -> int:
        return self._selections + self.fields + 2

    @property
    def count(self) -> int:
        """How many predicates there are."""
        return self._transitions + KINDS * KINDS

    @property
    def transitions(self) -> slice:
        """Two kinds of operation in a row."""
        return slice(self._transitions, self.count)

    def filters(self, fields: Ints) -> Ints:
        """``[question, field * comparison, 3]``: the predicates of each filter by one value."""
        return self._operations(fields, 0, len(COMPARISONS))

    def comparisons(self, fields: Ints) -> Ints:
        """``[question, field * comparison, 3]``: those of each comparison with a row."""
        return self._operations(fields, self.filters_end if self.roles else 0, len(COMPARISONS))

    def superlatives(self, fields: Ints) -> Ints:
        """``[question, field * direction, 3]``: those of each superlative."""
        return self._operations(fields, self._superlatives, len(DIRECTIONS))

    def selections(self, fields: Ints, ordered: npt.NDArray[np.bool_]) -> Ints:
        """``[question, field, 2]``: the field, and whether it has an order."""
        field = self._selections + fields if self.roles else fields
        return np.stack((field, self._selections + self.fields + ordered), axis=-1)

    def _operations(self, fields: Ints, start: int, ways: int) -> Ints:
        """The predicates of operations of one kind; `ways` is how many of them there are on a field."""
        field = np.repeat(fields, ways, axis=1)
        way = np.broadcast_to(np.tile(np.arange(ways), fields.shape[1]), field.shape)
        operation = start + self.fields * (ways + 1) + way
        if not self.roles:
            return np.stack((field, field, operation), axis=-1)
        return np.stack((start + field * ways + way, start + self.fields * ways + field, operation), axis=-1)


def _frequent(counts: "collections.Counter[Any]", least: int) -> tuple[str, ...]:
    """Those that occur often enough, in an order that does not depend on how they were found."""
    return tuple(sorted(phrase for phrase, count in counts.items() if count >= least))


def _ids(known: dict[str, int], found: set[str]) -> Ints:
    return np.array(sorted(known[phrase] for phrase in found if phrase in known), dtype=np.int64)
