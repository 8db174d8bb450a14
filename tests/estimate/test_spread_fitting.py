"""Spreads that made the errors come back from them."""

import numpy as np
import pytest

from advisor.estimate import spread_fitting
from advisor.estimate.calibration import Features


def test_offset_model_and_noise_are_told_apart():
    rng = np.random.default_rng(5)
    machines, models, repeats = 40, 6, 3
    machine = np.repeat(np.arange(machines), models * repeats)
    model = np.tile(np.repeat(np.arange(models), repeats), machines) + 100 * machine
    errors = (
        rng.normal(0, 0.10, machines)[machine]
        + rng.normal(0, 0.06, 100 * machines)[model]
        + rng.normal(0, 0.03, len(machine))
    )
    flat = np.full(len(machine), 0.35)
    own = np.arange(len(machine))  # architectures and variants are all different
    runs = Features(flat, np.zeros(len(machine)), own, own, model, own)

    found = spread_fitting.fit_spread(runs, errors, machine)

    assert found.offset == pytest.approx(0.10, rel=0.35)
    assert found.model == pytest.approx(0.06, rel=0.35)
    own_parts = [found.noise, found.kind, found.architecture, found.variant]
    assert np.sqrt(np.square(own_parts).sum()) == pytest.approx(0.03, rel=0.35)
