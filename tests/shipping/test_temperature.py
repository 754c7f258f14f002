"""The temperature of the cascade."""

import numpy as np
import pytest

from neural_enquirer.shipping.temperature import fit_temperature, log_loss


def test_the_fitted_temperature_undoes_a_scale() -> None:
    draw = np.random.default_rng(0)
    truth = draw.normal(size=(4000, 4))
    chances = np.exp(truth) / np.exp(truth).sum(axis=1, keepdims=True)
    targets = [int(draw.choice(4, p=own)) for own in chances]
    scores = list(3 * truth)  # three times as sure as they should be
    assert fit_temperature(scores, targets) == pytest.approx(3, rel=0.1)
    assert log_loss(scores, targets, 3) < log_loss(scores, targets, 1)
