"""Medians with their spread: few repeats are unsure, agreeing ones are enough."""

import pytest

from advisor.bench import samples


def test_the_whole_is_the_weighted_sum_of_medians():
    found = samples.estimate([[1.0, 2.0, 9.0], [3.0, 4.0, 5.0]], [-1.0, 2.0])

    assert found.value_s == 2 * 4 - 2


def test_the_interval_is_worked_by_hand():
    # median 10, deviations 1 0 1 -> median 1, x 1.495; 1.886 x 1.2533 x 1.4826 x 1.495 / sqrt(3)
    found = samples.estimate([[9.0, 10.0, 11.0]], [1.0])

    assert found.high_s - found.value_s == pytest.approx(3.0249, abs=1e-3)
    assert found.spread == pytest.approx(0.30249, abs=1e-4)


def test_weights_carry_their_slices_noise_on():
    single = samples.estimate([[9.0, 10.0, 11.0]], [1.0])
    seven = samples.estimate([[9.0, 10.0, 11.0], [1.0, 1.0, 1.0]], [7.0, -6.0])

    assert seven.high_s - seven.value_s == pytest.approx(7 * (single.high_s - single.value_s))


def test_two_repeats_are_never_enough():
    assert not samples.is_enough([[1.0, 1.0]], [1.0])
    assert samples.is_enough([[1.0, 1.0, 1.0]], [1.0])


def test_repeats_that_differ_are_not_enough():
    assert not samples.is_enough([[1.0, 1.3, 0.7]], [1.0])


def test_drift_compares_the_last_third_with_the_first():
    assert samples.drift([1.0, 1.0, 5.0, 5.0, 1.2, 1.2]) == pytest.approx(0.2)
    assert samples.drift([1.0, 2.0]) == 0
