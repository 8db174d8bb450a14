"""Leaves out candidates that no best table needs: exactly those that others do better throughout.

A candidate is dominated by another that has at least its quality, floors met and room, and at
most its seconds, GPU time and bytes, for every class and option. Within one model the dominated
one is never needed. Across models it is not needed once as many other models dominate it as may
be resident: whatever table has it lacks one of them, and takes that one instead.
"""

from __future__ import annotations

import numpy as np

from advisor.routing.arrays import Candidates


def values(found: Candidates, usable: np.ndarray) -> np.ndarray:
    """The quality that counts for each [candidate, class]; NaN where a pair is not usable.

    An estimate counts at the low end of its interval and never above the least measured quality
    among the usable, so it never wins by itself over a measured one.
    """
    measured = usable & (found.basis != "estimated")
    least = np.where(measured, found.quality, np.inf).min(axis=0)
    capped = np.minimum(found.quality_low, least)
    value = np.where(found.basis == "estimated", capped, found.quality)
    return np.where(usable, value, np.nan)


def usable_pairs(found: Candidates, hosted: bool, swap: bool) -> np.ndarray:
    """Pairs that may be chosen: with a hosted fallback only those that meet the floors."""
    if not hosted:
        return found.can
    return found.meets | found.meets_cold if swap else found.meets


def needed(
    found: Candidates,
    value: np.ndarray,
    most_residents: int,
    pinned: np.ndarray,
    *,
    swap: bool,
    time: bool,
    busy: bool,
) -> np.ndarray:
    """Positions of the candidates that a best table may need, in order.

    value   [candidate, class], NaN where a pair may not be chosen
    time    False: floors and quality are the goals. True: they are reached by every pair left,
            and seconds and models are
    busy    whether GPU time can run short at all
    """
    usable = ~np.isnan(value)
    fits = np.isfinite(found.total_bytes) & (found.total_bytes <= found.budget_bytes)
    room = (fits[:, None, :] & found.suits[None, :, :]).any(axis=2)
    alive = (usable & room).any(axis=1) | (pinned & fits.any(axis=1))
    at = np.flatnonzero(alive)
    cost = _costs(found, value, swap, time, busy)[at]
    model, kept = found.model[at], np.ones(len(at), dtype=bool)
    order = np.argsort(model, kind="stable")
    bounds = np.flatnonzero(np.diff(model[order])) + 1
    for rows in np.split(order, bounds):
        beaten = _dominance(cost[rows]).any(axis=1)
        kept[rows] = ~beaten | pinned[at][rows]
    at, cost = at[kept], cost[kept]
    model = found.model[at]
    dominated = _dominance(cost) & (model[:, None] != model[None, :])
    names = np.unique(model)
    rivals = np.zeros(len(at), dtype=int)
    for name in names:
        rivals += dominated[:, model == name].any(axis=1)
    return at[(rivals < most_residents) | pinned[at]]


def _costs(found: Candidates, value: np.ndarray, swap: bool, time: bool, busy: bool) -> np.ndarray:
    """All that counts about a candidate, less being better; not usable is infinite."""
    usable = ~np.isnan(value)

    def where(costs: np.ndarray) -> np.ndarray:
        return np.where(usable, costs, np.inf)

    parts = [where(found.reserve_bytes), found.total_bytes]
    parts.append(where(-1.0 * found.meets))
    parts.append(where(found.seconds) if time else where(-value))
    if busy:
        parts.append(where(found.busy_s))
    if swap:
        parts.append(where(-1.0 * found.meets_cold))
    if swap and time:
        parts.append(where(found.seconds_cold))
    if swap and busy:
        parts.append(found.load_s[:, None])
    return np.concatenate(parts, axis=1)


def _dominance(cost: np.ndarray) -> np.ndarray:
    """[row, other]: whether other dominates row; of equals the first one does."""
    count = len(cost)
    better = np.ones((count, count), dtype=bool)
    for column in cost.T:
        better &= column[None, :] <= column[:, None]
    both = better & better.T
    earlier = np.arange(count)[None, :] < np.arange(count)[:, None]
    return np.where(both, earlier, better)
