"""What is to be solved, and what comes back: a problem over candidates, and its solution."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advisor.routing.arrays import Candidates

SLACK = 1e-7  # how far an earlier goal may give way, for a solver's own rounding
QUALITY_STEP = 0.01  # qualities closer than this are not told apart: scores are no better
SECONDS_STEP = 0.02  # part of the seconds worth giving for a model less


@dataclass(frozen=True, slots=True)
class Problem:
    """One instance; ``value`` [candidate, class] is the quality that counts, NaN where a pair may
    not be chosen.

    rate_per_hour   requests of each class in a busy hour
    pins            sets of candidates (boolean over them), of each of which one must be resident
    quality_step    qualities of a class closer than this are not told apart
    seconds_step    part of the seconds worth giving for a model less
    """

    found: Candidates
    value: np.ndarray
    shares: np.ndarray
    rate_per_hour: np.ndarray
    most_busy_share: float
    most_residents: int
    hosted: bool = True
    swap: bool = False
    pins: tuple[np.ndarray, ...] = ()
    quality_step: float = QUALITY_STEP
    seconds_step: float = SECONDS_STEP

    def take(self, rows: np.ndarray, value: np.ndarray | None = None) -> Problem:
        """The same problem over fewer candidates."""
        kept = self.value if value is None else value
        return replace(
            self,
            found=self.found.take(rows),
            value=kept[rows],
            pins=tuple(pin[rows] for pin in self.pins),
        )


@dataclass(frozen=True, slots=True)
class Solution:
    """What was chosen: option of each candidate (-1 none), candidate of each class (-1 none)."""

    option: np.ndarray
    on_demand: np.ndarray
    answer: np.ndarray
    gap: float
