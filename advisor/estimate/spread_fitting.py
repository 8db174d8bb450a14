"""How far machines and models stand off from the predictions, part by part, on public runs.

The spreads of ``calibration`` are those under which the errors of all public machines, each
predicted without its source, are likeliest.
"""

from __future__ import annotations

from dataclasses import astuple, fields

import numpy as np

from advisor.estimate.calibration import Features, Spread, covariance

# Errors beyond this are of broken runs and say nothing of ordinary scatter [log].
MOST_ERROR = 0.7
# A weak pull towards 0.14, so that a part the runs say nothing of stays small.
START, PULL = -2.0, 0.05


def fit_spread(runs: Features, log_error: np.ndarray, machine_of: np.ndarray) -> Spread:
    """The likeliest spreads; machines count as the root of their runs.

    log_error    log(measured / predicted) seconds of each run, its source left out
    machine_of   code of source x engine x chip
    """
    from scipy.optimize import minimize

    errors = np.clip(log_error, -MOST_ERROR, MOST_ERROR)
    machines = [np.flatnonzero(machine_of == code) for code in np.unique(machine_of)]
    parts = [(index, runs.at(index)) for index in machines]

    def unlikelihood(log_spread: np.ndarray) -> float:
        spread = Spread(*np.exp(log_spread))
        total = PULL * float(((log_spread - START) ** 2).sum())
        for index, kept in parts:
            matrix = covariance(spread, kept, kept) + spread.noise**2 * np.eye(len(index))
            lower = np.linalg.cholesky(matrix)
            scaled = np.linalg.solve(lower, errors[index])
            value = 0.5 * scaled @ scaled + np.log(np.diag(lower)).sum()
            total += value / np.sqrt(len(index))
        return total

    start = np.full(len(fields(Spread)), START)
    found = minimize(unlikelihood, start, method="L-BFGS-B", options={"maxiter": 60})
    return Spread(*np.exp(found.x).tolist())


def stored(spread: Spread) -> dict[str, float]:
    """By name, for the file of the fit."""
    return dict(zip((f.name for f in fields(Spread)), astuple(spread), strict=True))
