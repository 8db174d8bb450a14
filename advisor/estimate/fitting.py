"""Fit the predictor on public runs: robust, shrunken, with each measurer's own bias set apart.

Residuals are logarithms of predicted over measured seconds. Every number is pulled to zero, so
a thin group says what its wider group says. An effect for each source x runtime x chip soaks
up what is peculiar to one person's machine; it is dropped when predicting. Heavy tails let go
of a source that is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from advisor.estimate.evidence import Evidence
from advisor.estimate.terms import CACHE, FACTORS, OVERHEAD, WEIGHTS

# Where each term starts before any label speaks: 0.09 ms a layer, 70 % and 40 % of the bandwidth.
START = {OVERHEAD: np.log(9e-5), WEIGHTS: 0.85, CACHE: -0.4}
PRIOR_WIDTH = 0.35  # standard deviation of a label's number at pull 1 [-]
MACHINE_PULL = 5.0
NOISE = 0.08  # scale of a run's own scatter: beyond it residuals count linearly [-]
DECODE_TERMS = (OVERHEAD, WEIGHTS, CACHE)


@dataclass
class Design:
    """One-hot columns of a term: ``labels[j]`` belongs to column j."""

    labels: list[tuple[str, str]] = field(default_factory=list)
    pulls: list[float] = field(default_factory=list)
    columns: list[np.ndarray] = field(default_factory=list)

    def matrix(self, rows: int) -> np.ndarray:
        return np.column_stack(self.columns) if self.columns else np.zeros((rows, 0))


def labels_of(term: str, data: Evidence) -> list[tuple[str, float, list[str]]]:
    """(factor, pull, label of each run) for every factor of a term."""
    factors = FACTORS[term]
    rows: list[tuple[str, float, list[str]]] = []
    for name, label, pull in factors.chip:
        found = [label(c, v.format) for c, v in zip(data.chip, data.variant, strict=True)]
        rows.append((name, pull, found))
    for name, of_variant, pull in factors.variant:
        rows.append((name, pull, [of_variant(v) for v in data.variant]))
    for name, of_runtime, pull in factors.runtime:
        found = [of_runtime(r, v) for r, v in zip(data.runtime, data.variant, strict=True)]
        rows.append((name, pull, found))
    return rows


def design(term: str, data: Evidence) -> Design:
    """The one-hot design of a term for these runs."""
    made = Design()
    for name, pull, found in labels_of(term, data):
        values = np.array(found)
        for label in sorted(set(found)):
            made.labels.append((name, label))
            made.pulls.append(pull)
            made.columns.append((values == label).astype(float))
    return made


Scores = dict[str, dict[tuple[str, str], float]]


def fit_decode(data: Evidence, weights: np.ndarray | None = None) -> Scores:
    """Fitted numbers by term and (factor, label); deterministic.

    weights   weight of each run, default: runs of one machine count as the square root of
              their number, so that a long series does not outvote ten people
    """
    from scipy.optimize import least_squares

    n = len(data)
    designs = {term: design(term, data) for term in DECODE_TERMS}
    blocks = [designs[term].matrix(n) for term in DECODE_TERMS]
    machines = np.eye(data.machine_of.max() + 1)[data.machine_of]
    sizes = [block.shape[1] for block in blocks]
    pulls = np.concatenate(
        [np.array(designs[term].pulls) for term in DECODE_TERMS]
        + [np.full(machines.shape[1], MACHINE_PULL)]
    )
    weight = np.sqrt(run_weights(data) if weights is None else weights)
    ends = np.cumsum(sizes)
    fixed_w = data.weight_read_bytes / data.bandwidth
    fixed_c = data.cache_read_bytes / data.bandwidth
    log_step = np.log(data.step_s)

    def parts(theta: np.ndarray) -> tuple[np.ndarray, ...]:
        o = data.layers * np.exp(START[OVERHEAD] + blocks[0] @ theta[: ends[0]])
        x = np.exp(-(START[WEIGHTS] + blocks[1] @ theta[ends[0] : ends[1]]))
        y = np.exp(-(START[CACHE] + blocks[2] @ theta[ends[1] : ends[2]]))
        return o, fixed_w * (1 + x), fixed_c * (1 + y), x / (1 + x), y / (1 + y)

    def residuals(theta: np.ndarray) -> np.ndarray:
        o, w, c, _, _ = parts(theta)
        run = np.log(o + w + c) + machines @ theta[ends[2] :] - log_step
        return np.concatenate([run * weight / NOISE, theta * pulls / PRIOR_WIDTH])

    def jacobian(theta: np.ndarray) -> np.ndarray:
        o, w, c, dx, dy = parts(theta)
        total = o + w + c
        run = np.hstack(
            [
                blocks[0] * (o / total)[:, None],
                blocks[1] * (-(w * dx) / total)[:, None],
                blocks[2] * (-(c * dy) / total)[:, None],
                machines,
            ]
        )
        return np.vstack([run * (weight / NOISE)[:, None], np.diag(pulls / PRIOR_WIDTH)])

    def loss(z: np.ndarray) -> np.ndarray:
        # Pseudo-Huber on runs, plain squares on the pull to zero.
        rho = np.vstack([z, np.ones_like(z), np.zeros_like(z)])
        runs = z[:n]
        root = np.sqrt(1 + runs)
        rho[:, :n] = [2 * (root - 1), 1 / root, -0.5 / root**3]
        return rho

    found = least_squares(
        residuals, np.zeros(len(pulls)), jac=jacobian, loss=loss, method="trf", max_nfev=60,
        ftol=1e-7, xtol=1e-7,
    )  # fmt: skip
    theta = found.x
    scores: Scores = {}
    start = 0
    for term, size in zip(DECODE_TERMS, sizes, strict=True):
        values = theta[start : start + size]
        scores[term] = dict(zip(designs[term].labels, values.tolist(), strict=True))
        start += size
    return scores


def run_weights(data: Evidence) -> np.ndarray:
    """Weight of each run: runs of one machine and model count as one, of one machine as root."""
    key = np.array(
        [
            f"{m}|{v.architecture}|{v.quant_id}"
            for m, v in zip(data.machine_of, data.variant, strict=True)
        ]
    )
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return 1.0 / np.sqrt(counts[inverse])


def score(term: str, data: Evidence, scores: Scores) -> np.ndarray:
    """The summed score of a term for each run; a label never seen says nothing."""
    known = scores[term]
    total = np.full(len(data), START[term], dtype=float)
    for name, _, found in labels_of(term, data):
        total += np.array([known.get((name, label), 0.0) for label in found])
    return total


def predict_step_s(data: Evidence, scores: Scores) -> np.ndarray:
    """Seconds per step of each run, from fitted numbers alone: no effect of who measured it."""
    o = data.layers * np.exp(score(OVERHEAD, data, scores))
    w = data.weight_read_bytes / data.bandwidth * (1 + np.exp(-score(WEIGHTS, data, scores)))
    c = data.cache_read_bytes / data.bandwidth * (1 + np.exp(-score(CACHE, data, scores)))
    return o + w + c


def subset(data: Evidence, keep: np.ndarray) -> Evidence:
    """The runs for which ``keep`` is true."""
    index = np.flatnonzero(keep).tolist()

    def pick(values: Sequence[object]) -> list:
        return [values[i] for i in index]

    return Evidence(
        runs=data.runs.iloc[index].reset_index(drop=True),
        chip=pick(data.chip),
        runtime=pick(data.runtime),
        variant=pick(data.variant),
        machine_of=np.unique(data.machine_of[index], return_inverse=True)[1],
        source=data.source[index],
        bandwidth=data.bandwidth[index],
        layers=data.layers[index],
        weight_read_bytes=data.weight_read_bytes[index],
        cache_read_bytes=data.cache_read_bytes[index],
        step_s=data.step_s[index],
        flops_per_token=data.flops_per_token[index],
        gpu_cores=data.gpu_cores[index],
        peak_flop_s=data.peak_flop_s[index],
        aside=data.aside,
    )


def leave_out(data: Evidence, groups: np.ndarray) -> np.ndarray:
    """Seconds per step of each run predicted by a fit that has not seen its group."""
    predicted = np.empty(len(data))
    for group in np.unique(groups):
        test = groups == group
        scores = fit_decode(subset(data, ~test))
        predicted[test] = predict_step_s(subset(data, test), scores)
    return predicted
