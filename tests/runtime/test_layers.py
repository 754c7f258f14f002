"""Products and sums in numpy that take a faster way where there are few rows."""

import numpy as np
import pytest

from neural_enquirer.runtime.layers import Linear, log_softmax, side_by_side, softmax, times


@pytest.mark.parametrize("rows", [1, 9, 10, 32, 33, 200])
def test_a_product_in_parts_is_that_of_the_whole(rows: int) -> None:
    draw = np.random.default_rng(rows)
    some = draw.standard_normal((rows, 192), np.float32)
    matrix = draw.standard_normal((192, 577), np.float32)
    np.testing.assert_allclose(times(some, matrix), some @ matrix, atol=1e-4)
    np.testing.assert_allclose(times(some[0], matrix), some[0] @ matrix, atol=1e-4)


def test_layers_side_by_side_say_what_each_says() -> None:
    draw = np.random.default_rng(0)
    layers = [
        Linear(draw.standard_normal((size, 8), np.float32), draw.standard_normal(size, np.float32))
        for size in (3, 1, 5)
    ]
    together, places = side_by_side(layers)
    some = draw.standard_normal((4, 8), np.float32)
    for layer, place in zip(layers, places, strict=True):
        np.testing.assert_allclose(together(some)[:, place], layer(some), atol=1e-5)


@pytest.mark.parametrize("shape", [(7,), (3, 7), (2, 3, 7)])
def test_shares_sum_to_one(shape: tuple[int, ...]) -> None:
    scores = 50 * np.random.default_rng(0).standard_normal(shape, np.float32)
    shares = softmax(scores)
    np.testing.assert_allclose(shares.sum(axis=-1), 1, atol=1e-5)
    np.testing.assert_allclose(np.exp(log_softmax(scores)), shares, atol=1e-5)
