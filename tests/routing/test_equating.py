"""Benchmarks are tied by the models they share; what is not measured is wide."""

import numpy as np

from advisor.routing.equating import ability

RNG = np.random.default_rng(4)
TRUE = RNG.normal(0, 1, 60)
SIZE = TRUE[:, None] + RNG.normal(0, 0.7, (60, 1))
FAMILY = np.arange(60) % 12


def columns(noise: float = 0.05) -> np.ndarray:
    """Three benchmarks of one ability, each on its own line; the third shares few models."""
    lines = ((0.0, 1.0), (2.0, 0.5), (-1.0, 2.0))
    scores = np.column_stack([a + b * TRUE + RNG.normal(0, noise, 60) for a, b in lines])
    scores[30:, 0] = np.nan
    scores[:25, 1] = np.nan
    scores[:20, 2] = scores[45:, 2] = np.nan
    scores[55:] = np.nan
    return scores


def test_a_model_of_another_benchmark_is_told_in_the_anchors_units():
    found = ability(columns(), 0, SIZE, FAMILY)

    miss = found.mean[30:55] - TRUE[30:55]
    assert np.sqrt(np.mean(miss**2)) < 0.2  # a fifth of the spread, where guessing misses by 1


def test_a_model_without_scores_is_wider_than_any_with():
    found = ability(columns(), 0, SIZE, FAMILY)

    assert not found.measured[55:].any()
    assert found.deviation[55:].min() > found.deviation[:55].max()


def test_a_noisy_benchmark_leaves_a_model_wider():
    scores = columns()
    noisy = scores.copy()
    noisy[:, 2] += np.random.default_rng(1).normal(0, 2, 60)
    only = np.isnan(scores[:, 0]) & np.isnan(scores[:, 1]) & ~np.isnan(scores[:, 2])
    scores[40:45, 1] = noisy[40:45, 1] = np.nan
    only = slice(40, 45)

    quiet, loud = ability(scores, 0, SIZE, FAMILY), ability(noisy, 0, SIZE, FAMILY)

    assert (loud.deviation[only] > quiet.deviation[only]).all()
