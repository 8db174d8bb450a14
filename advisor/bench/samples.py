"""Repeats, medians and spread: when enough is measured, and how sure the figure is.

A weighted sum of medians has the standard error of its parts: each median's is 1.2533 x 1.4826
x (median absolute deviation) / sqrt(repeats), for samples that are about normal around it. Few
repeats know their own spread badly: the deviation is corrected for their number, and the
interval is that of Student's t.
Source: Kenney and Keeping, Mathematics of Statistics (1951), error of a median; Croux and
Rousseeuw, Time-efficient algorithms for two highly robust estimators of scale (1992), table of
corrections for few samples.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

MEDIAN_ERROR = 1.2533
MAD_TO_SIGMA = 1.4826
# Two-sided 80 % of Student's t by repeats, and the correction of the deviation; the last for more.
STUDENT = {2: 3.078, 3: 1.886, 4: 1.638, 5: 1.533, 6: 1.476, 7: 1.440, 8: 1.415, 9: 1.397}
STUDENT_MANY = 1.34
CORRECTION = {2: 1.196, 3: 1.495, 4: 1.363, 5: 1.206, 6: 1.200, 7: 1.140, 8: 1.129, 9: 1.107}
FEWEST_REPEATS = 3
# Where time is long up; fewer would have no spread.
FEWEST_AT_ALL = 2
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
    repeats = min(len(times) for times in samples)
    half = STUDENT.get(repeats, STUDENT_MANY) * math.sqrt(variance)
    return Estimate(value, value - half, value + half, repeats)


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
    corrected = deviation * CORRECTION.get(len(times), len(times) / (len(times) - 0.8))
    return MEDIAN_ERROR * MAD_TO_SIGMA * corrected / math.sqrt(len(times))
