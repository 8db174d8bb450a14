"""Whether a candidate keeps a class's floors, as predicted and at the ends of the intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.routing.arrays import Candidates
from advisor.routing.quality import ESTIMATED
from advisor.routing.workload import Workload


def sure_quality(found: Candidates) -> np.ndarray:
    """The quality that a floor asks for: of an estimate the low end of its interval."""
    return np.where(found.basis == ESTIMATED, found.quality_low, found.quality)


def judged(found: Candidates, workload: Workload) -> Candidates:
    """The candidates with every floor judged: pace, first token (warm and cold), quality.

    Of an estimated quality the low end must reach the floor.
    """
    pace = np.array([c.least_tok_s for c in workload.classes])
    wait = np.array([c.most_ttft_s for c in workload.classes])
    worth = np.array([c.least_quality for c in workload.classes])
    speed = found.decode_tok_s
    good = found.can & ((speed >= pace) | np.isnan(speed)) & (sure_quality(found) >= worth)
    return replace(
        found, meets=good & (found.ttft_s <= wait), meets_cold=good & (found.cold_s <= wait)
    )


def at_end(found: Candidates, workload: Workload, end: str) -> Candidates:
    """The same candidates at the "slow" or "fast" end of all times, and the floors judged anew."""
    pace, start = (
        (found.slow, found.slow_start) if end == "slow" else (found.fast, found.fast_start)
    )
    load = found.load_s[:, None]
    answer = found.seconds - found.start_s
    cold_start = found.seconds_cold - load - answer
    ended = replace(
        found,
        decode_tok_s=found.decode_tok_s / pace,
        ttft_s=found.ttft_s * start,
        cold_s=load + (found.cold_s - load) * start,
        start_s=found.start_s * start,
        seconds=found.start_s * start + answer * pace,
        seconds_cold=load + cold_start * start + answer * pace,
        busy_s=found.start_s * start + (found.busy_s - found.start_s) * pace,
    )
    return judged(ended, workload)
