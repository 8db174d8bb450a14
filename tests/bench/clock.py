"""Timing for the bench: a warm-up, repeats, the median."""

import statistics
import time
from collections.abc import Callable


def median_s(work: Callable[[], object], repeats: int = 9) -> float:
    """Median seconds of a call, after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def line(what: str, value: str, bound: str) -> str:
    return f"{what:64} {value:>14}   bound: {bound}"
