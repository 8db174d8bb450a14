"""One scale from several benchmarks: each is a straight line of the same ability, plus noise.

Scores of different benchmarks, releases and settings are never averaged. Each column keeps its
own line, learnt from the models it shares with others, so a model seen only on one benchmark is
told in the anchor's units, as wide as that line is loose. A model on no benchmark is told by
its size, age and family alone, and wider.

Source: factor analysis with one factor, by expectation and maximisation (Rubin and Thayer 1982);
linking by common items as in Kolen and Brennan, Test Equating (2014), ch. 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ROUNDS = 80
LEAST_SLOPE = 0.05
SLOPE_PRIOR = 1.0  # worth of the belief that a column moves as the others do
NOISE_PRIOR = 0.35  # of a column, in logits, worth ``NOISE_WEIGHT`` scores
NOISE_WEIGHT = 4.0
RIDGE = 1.0
FAMILY_WEIGHT = 2.0  # a family's own deviation counts fully only with many members
LEAST_SPREAD = 0.15


@dataclass(frozen=True, slots=True)
class Ability:
    """Ability in the anchor's units (logits) and its standard deviation, by model.

    measured   whether any column has the model
    """

    mean: np.ndarray
    deviation: np.ndarray
    measured: np.ndarray


def ability(scores: np.ndarray, anchor: int, features: np.ndarray, family: np.ndarray) -> Ability:
    """What each model would score on the anchor.

    scores     [model, column], logits, NaN where not published
    anchor     the column in whose units ability is told
    features   [model, feature], what size and age say before any score
    family     [model], index of the family
    """
    known = ~np.isnan(scores)
    y = np.where(known, scores, 0.0)
    x = np.column_stack([np.ones(len(features)), features])
    mean = _start(scores, anchor)
    spread, variance = 1.0, np.zeros(len(scores))
    slope, offset = np.ones(scores.shape[1]), np.zeros(scores.shape[1])
    noise = np.full(scores.shape[1], NOISE_PRIOR**2)
    measured = known.any(axis=1)
    prior = np.full(len(scores), np.nanmean(mean))
    mean = np.where(np.isnan(mean), prior, mean)
    for _ in range(ROUNDS):
        for column in range(scores.shape[1]):
            rows = known[:, column]
            m, v, t = mean[rows], variance[rows], y[rows, column]
            centre = m.mean()
            against = ((m - centre) ** 2 + v).sum() + SLOPE_PRIOR
            tied = ((m - centre) * t).sum() + SLOPE_PRIOR
            slope[column] = max(tied / against, LEAST_SLOPE)
            offset[column] = t.mean() - slope[column] * centre
            miss = t - offset[column] - slope[column] * m
            total = (miss**2 + slope[column] ** 2 * v).sum() + NOISE_WEIGHT * NOISE_PRIOR**2
            noise[column] = total / (rows.sum() + NOISE_WEIGHT)
        prior, spread = _prior(x, family, mean, variance, measured)
        weight = known * (slope**2 / noise)
        precision = 1.0 / spread**2 + weight.sum(axis=1)
        pull = ((y - offset) * known * (slope / noise)).sum(axis=1) + prior / spread**2
        mean, variance = pull / precision, 1.0 / precision
    # Only now the anchor's own line: what a model of this ability would score there.
    return Ability(
        mean=offset[anchor] + slope[anchor] * mean,
        deviation=slope[anchor] * np.sqrt(variance),
        measured=measured,
    )


def _start(scores: np.ndarray, anchor: int) -> np.ndarray:
    """A first guess: each column's standing in units of the anchor's spread, averaged."""
    count = (~np.isnan(scores)).sum(axis=1)
    centre, width = np.nanmean(scores, axis=0), np.nanstd(scores, axis=0)
    standing = (scores - centre) / np.where(width > 0, width, 1.0)
    total = np.nansum(standing, axis=1) / np.maximum(count, 1)
    return np.where(count > 0, centre[anchor] + total * width[anchor], np.nan)


def _prior(
    x: np.ndarray,
    family: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    measured: np.ndarray,
) -> tuple[np.ndarray, float]:
    """What size, age and family say of each model, and how far models stray from that."""
    rows = x[measured]
    penalty = RIDGE * np.eye(x.shape[1])
    penalty[0, 0] = 1e-6
    weights = np.linalg.solve(rows.T @ rows + penalty, rows.T @ mean[measured])
    line = x @ weights
    miss = np.where(measured, mean - line, 0.0)
    families = int(family.max()) + 1
    total = np.bincount(family, weights=miss, minlength=families)
    count = np.bincount(family, weights=measured.astype(float), minlength=families)
    own = total / (count + FAMILY_WEIGHT)
    prior = line + own[family]
    left = (mean - prior)[measured]
    spread = np.sqrt(np.mean(left**2 + variance[measured]))
    return prior, max(float(spread), LEAST_SPREAD)
