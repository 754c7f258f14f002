"""Learning from answers: the likelihood of all forms that denote the answer, and AdaGrad."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neural_enquirer.baselines.semantic_parser.derivations import Derivations
from neural_enquirer.baselines.semantic_parser.problems import Problems
from neural_enquirer.baselines.semantic_parser.scoring import Gradient, Scorer, Weights

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_TINY = 1e-6


@dataclass(frozen=True)
class Lesson:
    """What some questions teach."""

    gradient: Gradient
    """Of the sum of their log-likelihoods."""
    log_likelihood: float
    """Of the answers to those that have one among the forms found."""
    unanswered: int
    """Questions for which no form found denotes the answer; they teach nothing."""


def consistent_cells(problems: Problems, answer: str) -> Mask:
    """``[question, row, field]``: the cells that agree with the answer.

    Args:
        problems: with their answers' cells.
        answer: "cell" if the cell itself is known, "value" if only what stands in it is.
    """
    question, (row, field) = np.arange(len(problems)), problems.answers.T
    cells = np.zeros(problems.keys.shape, dtype=np.bool_)
    cells[question, row, field] = True
    if answer == "cell":
        return cells
    value = problems.keys[question, row, field][:, None, None]
    same_type = problems.ordered == problems.ordered[question, field][:, None]
    equal: Mask = cells | ((problems.keys == value) & same_type[:, None, :])
    return equal


def learn(scorer: Scorer, derivations: Derivations, consistent: Mask) -> Lesson:
    """The gradient of the log-likelihood that the derivation denotes one of the consistent cells.

    For a log-linear model it is what the consistent derivations are expected to hold of each feature, less
    what all derivations are.
    """
    shares = derivations.probabilities()
    question = np.arange(len(shares))[:, None]
    right = np.where(consistent[question, derivations.rows], shares, 0)
    likelihood = right.sum(axis=(1, 2))
    taught = likelihood > 0
    change = right / np.where(taught, likelihood, 1)[:, None, None] - shares
    change *= taught[:, None, None]
    of_forms = change.sum(axis=2)
    whole_forms = np.array(
        [
            (of_forms * derivations.unused).sum(),
            (change * derivations.stated).sum(),
            (change * derivations.repeated).sum(),
        ]
    )
    operations = derivations.operation_gradient(scorer.operations, of_forms)
    gradient = scorer.gradient(operations, change.sum(axis=1), whole_forms)
    return Lesson(gradient, float(np.log(likelihood[taught]).sum()), int((~taught).sum()))


class AdaGrad:
    """Steps whose length falls, weight by weight, with the gradients that the weight has seen."""

    def __init__(self, weights: Weights, rate: float) -> None:
        self.weights, self.rate = weights, np.float32(rate)
        self.squares = Weights(
            *(np.zeros_like(w) for w in (weights.phrases, weights.contexts, weights.plain))
        )

    def step(self, gradients: Sequence[Gradient]) -> None:
        """One step along the sum of the gradients of some questions."""
        ids = np.unique(np.concatenate([gradient.phrase_ids for gradient in gradients]))
        total = _total([(gradient.phrase_ids, gradient.phrases) for gradient in gradients], ids)
        self._climb(self.weights.phrases, self.squares.phrases, ids, total)
        ids = np.unique(np.concatenate([gradient.context_ids for gradient in gradients]))
        total = _total([(gradient.context_ids, gradient.contexts) for gradient in gradients], ids)
        self._climb(self.weights.contexts, self.squares.contexts, ids, total)
        plain = np.sum([gradient.plain for gradient in gradients], axis=0)
        self._climb(self.weights.plain, self.squares.plain, np.arange(len(plain)), plain)

    def _climb(self, weights: Floats, squares: Floats, ids: Ints, gradient: Floats) -> None:
        seen = squares[ids] + gradient * gradient
        squares[ids] = seen
        weights[ids] += self.rate * gradient / np.sqrt(seen + np.float32(_TINY))


def _total(parts: Sequence[tuple[Ints, Floats]], ids: Ints) -> Floats:
    """The sum of gradients of different phrases, over the phrases of all of them."""
    total = np.zeros((len(ids), parts[0][1].shape[1]), dtype=np.float32)
    for part_ids, part in parts:
        total[np.searchsorted(ids, part_ids)] += part
    return total
