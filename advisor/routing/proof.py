"""Minimises an integer program to proof, most of its variables left out where they cannot matter.

A table is found among the few variables that cost least to choose; those that could still be
part of a better one are then kept, the others are not, and that is solved to proof by HiGHS.

Source: fixing by reduced costs, Wolsey, Integer Programming (2020), ch. 7; Huangfu and Hall 2018,
doi 10.1007/s12532-017-0130-5, through SciPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.errors import InputError
from advisor.routing.problem import SLACK

PINS_DO_NOT_FIT = (
    "No table keeps every pinned model within the memory and the number of models. "
    "Remove a pin, or allow more models."
)
TIME_LIMIT_S = 20.0
WHOLE = 1e-5  # how near to a whole number counts as one
FEW = 120  # variables among which a first table is sought


def minimise(
    cost: np.ndarray,
    matrix: Any,
    low: np.ndarray,
    high: np.ndarray,
    *,
    free: np.ndarray,
    answers: np.ndarray,
) -> tuple[np.ndarray, float]:
    """A point of least cost with low <= matrix @ point <= high, and the gap of its proof.

    matrix    sparse, a row a constraint
    free      variables that are amounts, 0 or more; all others are choices, 0 or 1
    answers   choices that nearly always come out whole by themselves
    Raises ``InputError`` where nothing satisfies the rows.
    """
    if not len(cost):
        raise InputError(PINS_DO_NOT_FIT)
    relaxed, extra = _relaxed(cost, matrix, low, high, free)
    few = extra <= np.sort(extra)[min(FEW, len(extra)) - 1]
    chosen = np.ones(len(cost), dtype=bool)
    first = _solved(cost, matrix, low, high, free, answers, few)
    if first is not None:
        # What costs more than the gap to a table in hand is part of none that is better.
        chosen = extra <= float(cost @ first[0]) - relaxed + SLACK
        if not (chosen & ~few).any():
            return first
    found = _solved(cost, matrix, low, high, free, answers, chosen | few)
    if found is None:
        raise InputError(PINS_DO_NOT_FIT)
    return found


def _relaxed(
    cost: np.ndarray, matrix: Any, low: np.ndarray, high: np.ndarray, free: np.ndarray
) -> tuple[float, np.ndarray]:
    """The best value with choices anywhere from 0 to 1, and what each choice costs at least
    beyond that (its reduced cost).
    """
    from scipy.optimize import linprog
    from scipy.sparse import vstack

    bounded = np.isfinite(low)
    result = linprog(
        cost,
        A_ub=vstack([matrix, -matrix[bounded]], format="csr"),
        b_ub=np.concatenate([high, -low[bounded]]),
        bounds=[(0, None if amount else 1) for amount in free],
        method="highs",
    )
    if result.x is None:
        raise InputError(PINS_DO_NOT_FIT)
    return float(result.fun), np.where(free, 0.0, result.lower.marginals)


def _solved(
    cost: np.ndarray,
    matrix: Any,
    low: np.ndarray,
    high: np.ndarray,
    free: np.ndarray,
    answers: np.ndarray,
    kept: np.ndarray,
) -> tuple[np.ndarray, float] | None:
    """A proven best point with only the ``kept`` variables, and its gap; None if there is none.

    Answers are first left anywhere from 0 to 1: if they come out whole, the proof holds as well.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    at = np.flatnonzero(kept)
    for whole in (False, True):
        result = milp(
            cost[at],
            constraints=LinearConstraint(matrix[:, at], low, high),
            bounds=Bounds(0, np.where(free[at], np.inf, 1.0)),
            integrality=~free[at] & (whole | ~answers[at]),
            options={"mip_rel_gap": 0.0, "time_limit": TIME_LIMIT_S},
        )
        if result.x is None:
            return None
        chosen = result.x[~free[at]]
        if np.abs(chosen - np.round(chosen)).max(initial=0.0) < WHOLE:
            break
    point = np.zeros(len(cost))
    point[at] = result.x
    return point, float(result.mip_gap or 0.0)
