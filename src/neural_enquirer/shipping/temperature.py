"""The temperature of the cascade: one number that makes its probabilities as sure as they should be."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from neural_enquirer.prediction import Prediction
from neural_enquirer.shipping.workers import Told, nobody, predictor_of
from neural_enquirer.synthesis.examples import Example
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.training.all_cores import map_on_all_cores

BLOCKS: Final = 16
"""Of 500 questions each, half of them of each wording."""
TEMPERATURES: Final = (0.2, 5.0)
"""Between these the temperature is searched."""

_GOLDEN: Final = (5**0.5 - 1) / 2
_SEARCH_STEPS: Final = 40
_LEAST: Final = 1e-30

Scores = npt.NDArray[np.float64]


def temperature_of(run: Path, seed: int, blocks: int = BLOCKS, told: Told = nobody) -> float:
    """Fits the temperature of a run's model on questions of templates, about schemas that it did not learn.

    Args:
        run: the folder of the model.
        seed: of the questions.
        blocks: how many blocks of questions.
        told: hears how far it has come.
    """
    scores: list[Scores] = []
    targets: list[int] = []
    for done, block in enumerate(map_on_all_cores(partial(_answered, run, seed), range(blocks)), start=1):
        scores += [own for own, _ in block]
        targets += [right for _, right in block]
        told("fitting the temperature", done, blocks)
    return round(fit_temperature(scores, targets), 3)  # processors differ in the digits behind


def _answered(run: Path, seed: int, block: int) -> list[tuple[Scores, int]]:
    """The scores of all candidates of each question of a block, and which candidate is right."""
    examples = ONE_TABLE.block("validation", seed, block)
    predictions = predictor_of(run, 1.0).predict([(one.tables, one.question) for one in examples])
    scores = [np.log(np.maximum(probabilities(own), _LEAST)) for own in predictions]
    return list(zip(scores, map(target, examples), strict=True))


def probabilities(prediction: Prediction) -> Scores:
    """Returns those of all candidates: the cells row by row, and then none of them."""
    cells = [own.probabilities.astype(np.float64).ravel() for own in prediction.tables]
    return np.concatenate((*cells, [prediction.none_probability]))


def target(example: Example) -> int:
    """Returns which candidate is right."""
    (table,) = example.tables
    rows, fields = table.row_count, len(table.fields)
    return example.cells[0][1] * fields + example.cells[0][2] if example.cells else rows * fields


def log_loss(scores: Sequence[Scores], targets: Sequence[int], temperature: float) -> float:
    """Returns the mean of -log p(target), where p is the softmax of the scores over the temperature."""
    losses = []
    for own, right in zip(scores, targets, strict=True):
        scaled = own / temperature
        highest = scaled.max()
        losses.append(highest + np.log(np.exp(scaled - highest).sum()) - scaled[right])
    return float(np.mean(losses))


def fit_temperature(scores: Sequence[Scores], targets: Sequence[int]) -> float:
    """Returns the temperature with the least log-loss, by a golden-section search over its logarithm.

    Args:
        scores: for each question those of all its candidates.
        targets: which candidate is right.
    """

    def loss(log_temperature: float) -> float:
        return log_loss(scores, targets, float(np.exp(log_temperature)))

    low, high = (float(np.log(bound)) for bound in TEMPERATURES)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(_SEARCH_STEPS):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = loss(right)
    return float(np.exp((low + high) / 2))
