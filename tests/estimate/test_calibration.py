"""A few runs of one machine move what is like them, by as much as they are worth."""

from dataclasses import astuple

import numpy as np
import pytest

from advisor.estimate import calibration
from advisor.estimate.calibration import Features, Spread

ZERO = Spread(0, 0, 0, 0, 0, 0, 0, 0)
TYPICAL = calibration.TYPICAL_OVERHEAD


def spread(**parts: float) -> Spread:
    return Spread(**(dict(zip(Spread.__slots__, astuple(ZERO), strict=True)) | parts))


def runs(models: list[int], overhead: float | list[float] = TYPICAL) -> Features:
    codes = np.array(models)
    shares = np.broadcast_to(np.array(overhead, dtype=float), codes.shape)
    return Features(shares, np.zeros(len(codes)), np.zeros(len(codes)), codes, codes, codes)


def test_one_run_moves_by_the_share_of_its_error_that_is_the_machines():
    """Offset and noise alike, 0.1 each: half of what one run says is taken as the machine's."""
    known = calibration.learn(spread(offset=0.1, noise=0.1), runs([1]), np.array([0.2]))

    shift, width = known.correction(runs([2]))

    assert shift == pytest.approx([0.1])
    # Variance of a next run before: 0.02; after: 0.02 - 0.01**2 / 0.02 = 0.015. The run itself
    # was 0.2 / sqrt(0.02) = 1.41 deviations off: scatter (4 + 2) / (4 + 1).
    assert width == pytest.approx([np.sqrt(0.015 / 0.02) * np.sqrt(6 / 5)])


def test_ten_runs_of_one_model_say_little_of_another():
    parts = spread(offset=0.05, model=0.2, noise=0.05)
    known = calibration.learn(parts, runs([1] * 10), np.full(10, 0.3))

    (own, other), _ = known.correction(runs([1, 2]))

    assert own == pytest.approx(0.3, abs=0.02)
    # Of a model's variance of 0.0425, 0.0025 is the machine's.
    assert other == pytest.approx(0.3 * 0.0025 / 0.0425, abs=0.005)


def test_more_overhead_is_told_from_a_slower_machine():
    """Small models late, large ones in time: the next small one is late, the next large not."""
    small, large = 0.7, 0.05
    learnt = runs([1, 2, 3, 4], [small, small, large, large])
    known = calibration.learn(
        spread(offset=0.05, overhead=0.5, noise=0.05), learnt, np.array([0.2, 0.2, 0.0, 0.0])
    )

    (late, on_time), _ = known.correction(runs([5, 6], [small, large]))

    assert late > 0.12
    assert abs(on_time) < 0.06


def test_three_runs_of_one_model_that_contradict_each_other_are_not_averaged():
    """0.1, 5 and 15 tok/s where 14 are expected: the two odd ones are left out."""
    parts = spread(offset=0.05, model=0.1, variant=0.05, noise=0.07)
    errors = np.log(14 / np.array([0.1, 5.0, 15.0]))

    known = calibration.learn(parts, runs([1, 1, 1]), errors)

    assert known.used.tolist() == [False, False, True]
    (shift,), _ = known.correction(runs([1]))
    assert -0.07 < shift < 0


def test_a_machine_that_is_slow_throughout_is_believed():
    parts = spread(offset=0.05, model=0.05, noise=0.07)
    errors = np.full(6, 0.3)

    known = calibration.learn(parts, runs([1, 2, 3, 4, 5, 6]), errors)

    assert known.used.all()
    (shift,), _ = known.correction(runs([7]))
    assert 0.08 < shift < 0.3


def test_repeats_of_one_run_do_not_make_another_model_sure():
    parts = spread(offset=0.05, model=0.1, noise=0.05)

    known = calibration.learn(parts, runs([1] * 200), np.full(200, 0.1))

    _, width = known.correction(runs([2]))
    # All that 200 repeats can tell of another model is the offset: 0.0025 of 0.015.
    assert width[0] > np.sqrt(1 - 0.0025 / 0.015)


def test_runs_that_scatter_widen_and_runs_that_agree_narrow():
    parts = spread(offset=0.1, noise=0.05)
    models = [1, 2, 3, 4, 5, 6]

    _, calm = calibration.learn(parts, runs(models), np.full(6, 0.01)).correction(runs([9]))
    errors = np.array([0.15, -0.15] * 3)
    _, wild = calibration.learn(parts, runs(models), errors).correction(runs([9]))

    assert calm[0] < 0.7
    assert wild[0] > 1.5 * calm[0]


def test_nothing_usable_changes_nothing():
    known = calibration.learn(spread(offset=0.05, noise=0.05), runs([1]), np.array([5.0]))

    shift, width = known.correction(runs([1, 2]))

    assert not known.used.any()
    assert shift.tolist() == [0, 0]
    assert width == pytest.approx([1, 1])
