"""Repeats, medians and spread: when enough is measured, and how sure the figure is.

A weighted sum of medians has the standard error of its parts: each median's is 1.2533 x 1.4826
x (median absolute deviation) / sqrt(repeats), for samples that are about normal around it.
Source: Kenney and Keeping, Mathematics of Statistics (1951), on the error of a median.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

MEDIAN_ERROR = 1.2533
MAD_TO_SIGMA = 1.4826
EIGHTY_PERCENT = 1.2816
FEWEST_REPEATS = 3
SMALL_SPREAD = 0.02


@dataclass(frozen=True)
class Estimate:
    """A time with its 80 % interval [s]."""

    value_s: float
    low_s: float
    high_s: float
    repeats: int

    @property
    def spread(self) -> float:
        """Half the interval as a share of the value [-]."""
        return (self.high_s - self.low_s) / 2 / self.value_s if self.value_s > 0 else math.inf


def estimate(samples: Sequence[Sequence[float]], weights: Sequence[float]) -> Estimate:
    """Weighted sum of the medians of each slice's samples [s]."""
    value = sum(w * statistics.median(times) for w, times in zip(weights, samples, strict=True))
    variance = sum((w * _median_error(t)) ** 2 for w, t in zip(weights, samples, strict=True))
    half = EIGHTY_PERCENT * math.sqrt(variance)
    return Estimate(value, value - half, value + half, min(len(times) for times in samples))


def is_enough(samples: Sequence[Sequence[float]], weights: Sequence[float]) -> bool:
    """Whether the repeats so far agree well enough to stop."""
    if min(len(times) for times in samples) < FEWEST_REPEATS:
        return False
    return estimate(samples, weights).spread <= SMALL_SPREAD


def drift(times: Sequence[float]) -> float:
    """How much slower the last third of the repeats is than the first, 0.1 for 10 % [-]."""
    third = len(times) // 3
    if third < 2:
        return 0.0
    first, last = statistics.median(times[:third]), statistics.median(times[-third:])
    return last / first - 1


def _median_error(times: Sequence[float]) -> float:
    if len(times) < 2:
        return 0.0
    middle = statistics.median(times)
    deviation = statistics.median(abs(time - middle) for time in times)
    return MEDIAN_ERROR * MAD_TO_SIGMA * deviation / math.sqrt(len(times))
