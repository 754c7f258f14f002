import pytest

from benchmarks.calibration import expected_calibration_error, reliability


def test_answers_meet_the_bin_of_their_confidence() -> None:
    bins = reliability([0.05, 0.6, 0.7, 1.0], [False, True, False, True], bins=2)
    assert [(one.low, one.high, one.count) for one in bins] == [(0.0, 0.5, 1), (0.5, 1.0, 3)]
    assert bins[1].confidence == pytest.approx((0.6 + 0.7 + 1) / 3)
    assert bins[1].accuracy == pytest.approx(2 / 3)


def test_expected_calibration_error_weighs_bins_by_their_answers() -> None:
    bins = reliability([0.2, 0.8, 0.8, 0.8], [True, True, True, False], bins=2)
    assert expected_calibration_error(bins) == pytest.approx(0.25 * 0.8 + 0.75 * abs(0.8 - 2 / 3))
    assert expected_calibration_error([]) == 0
