"""Fit the arithmetic rate of prefill: one robust, shrunken regression on logarithms."""

from __future__ import annotations

import numpy as np

from advisor.estimate.evidence import Evidence
from advisor.estimate.fitting import (
    MACHINE_PULL,
    NOISE,
    PRIOR_WIDTH,
    Scores,
    design,
    labels_of,
    run_weights,
    subset,
)
from advisor.estimate.terms import PREFILL

# A GPU core reaches about 0.25 TFLOPS of fp16 matrix work before any label speaks.
START = float(np.log(0.25e12))
PREFILL_NOISE = 2 * NOISE
# Contexts under this say little about prefill: the time is start-up and one decode step.
LEAST_PROMPT_TOKENS = 100
HALF_SPEED_TOKENS = 60.0
LLAMA_BENCH_TOKENS = 512.0


def usable(data: Evidence) -> np.ndarray:
    """Runs whose prompt length and rate are both given, long enough to tell, and possible.

    A rate above the GPU's arithmetic peak was not computed: part of the prompt was cached.
    """
    rate = data.runs["prefill_tok_s"].to_numpy(dtype=float)
    possible = rate * data.flops_per_token <= data.peak_flop_s
    return (rate > 0) & possible & (prompt_tokens(data) >= LEAST_PROMPT_TOKENS)


def prompt_tokens(data: Evidence) -> np.ndarray:
    """Length of the prompt whose rate a run states; NaN where it is not known.

    llama-bench times its prompt apart from the depth at which it decodes: 512 tokens unless
    told otherwise. Source: llama.cpp, tools/llama-bench.
    """
    context = data.runs["context_tokens"].to_numpy(dtype=float)
    bench = (data.runs["source_kind"] == "llama-bench").to_numpy()
    return np.where(bench & (context < LEAST_PROMPT_TOKENS), LLAMA_BENCH_TOKENS, context)


def _log_rate_per_core(data: Evidence) -> np.ndarray:
    rate = data.runs["prefill_tok_s"].to_numpy(dtype=float)
    prompt = prompt_tokens(data)
    filled = prompt / (prompt + HALF_SPEED_TOKENS)
    return np.log(rate * data.flops_per_token / filled / data.gpu_cores)


def fit_prefill(data: Evidence) -> Scores:
    """Fitted numbers of the prefill term by (factor, label), from runs that ``usable`` passes."""
    from scipy.optimize import minimize

    data = subset(data, usable(data))
    made = design(PREFILL, data)
    columns = made.matrix(len(data))
    machines = np.eye(data.machine_of.max() + 1)[data.machine_of]
    matrix = np.hstack([columns, machines])
    pulls = np.concatenate([np.array(made.pulls), np.full(machines.shape[1], MACHINE_PULL)])
    pulls = pulls / (2 * PRIOR_WIDTH)
    target = _log_rate_per_core(data) - START
    weight = np.sqrt(run_weights(data)) / PREFILL_NOISE

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        found, pulled = (matrix @ theta - target) * weight, theta * pulls
        root = np.sqrt(1 + found**2)
        value = 2 * (root - 1).sum() + (pulled**2).sum()
        return value, 2 * (matrix.T @ (weight * found / root) + pulls * pulled)

    def curvature(theta: np.ndarray) -> np.ndarray:
        found = (matrix @ theta - target) * weight
        rows = matrix * (weight * (1 + found**2) ** -0.25)[:, None]
        return 2 * (rows.T @ rows + np.diag(pulls**2))

    found = minimize(
        loss, np.zeros(matrix.shape[1]), jac=True, hess=curvature, method="trust-exact",
        options={"gtol": 1e-2, "maxiter": 100},
    )  # fmt: skip
    values = found.x[: columns.shape[1]].tolist()
    return {PREFILL: dict(zip(made.labels, values, strict=True))}


def predict_log_error(data: Evidence, scores: Scores) -> np.ndarray:
    """log(predicted / measured) of each usable run's prefill rate."""
    data = subset(data, usable(data))
    total = np.full(len(data), START)
    for name, _, found in labels_of(PREFILL, data):
        total += np.array([scores[PREFILL].get((name, label), 0.0) for label in found])
    return total - _log_rate_per_core(data)
