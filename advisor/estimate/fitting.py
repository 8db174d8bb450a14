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
from advisor.estimate.terms import ATTENTION, CACHE, FACTORS, OVERHEAD, SAMPLING, WEIGHTS

# Where each term starts before any label speaks: 0.09 ms a layer, 70 % and 40 % of the bandwidth.
# A GPU core takes 0.23 ns for each attended query element, sampling 4 ns a vocabulary entry.
START = {
    OVERHEAD: np.log(9e-5),
    SAMPLING: np.log(4e-9),
    WEIGHTS: 0.85,
    CACHE: -0.4,
    ATTENTION: np.log(2.3e-10),
}
PRIOR_WIDTH = 0.3  # standard deviation of a label's number at pull 1 [-]
# Most machines agree to a few per cent; heavy tails (Student's t) let go of one that is off.
MACHINE_PULL = 10.0
MACHINE_TAIL = 3.0
DEEP_TOKENS = 8192  # from here on the cache counts, and a run says something of its own
NOISE = 0.08  # scale of a run's own scatter: beyond it residuals count linearly [-]


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
    for name, of_cache, pull in factors.cache:
        found = [of_cache(c, v) for c, v in zip(data.cache_form, data.variant, strict=True)]
        rows.append((name, pull, found))
    return rows


def design(term: str, data: Evidence) -> Design:
    """The one-hot design of a term for these runs."""
    made = Design()
    for name, pull, found in labels_of(term, data):
        values = np.array(found)
        for label in sorted(set(found) - {""}):
            made.labels.append((name, label))
            made.pulls.append(pull)
            made.columns.append((values == label).astype(float))
    return made


Scores = dict[str, dict[tuple[str, str], float]]


@dataclass(frozen=True)
class _Part:
    """What a term adds to a step: ``fixed + base * exp(sign * score)`` [s]."""

    term: str
    fixed: np.ndarray | float
    base: np.ndarray
    sign: int


def _parts(data: Evidence) -> list[_Part]:
    """The terms of a step; bytes cost their time at full bandwidth and more (see ``decode``)."""
    weights_s = data.weight_read_bytes / data.bandwidth
    cache_s = data.cache_read_bytes / data.bandwidth
    return [
        _Part(OVERHEAD, 0.0, data.layers, 1),
        _Part(SAMPLING, 0.0, data.vocab_size, 1),
        _Part(WEIGHTS, weights_s, weights_s, -1),
        _Part(CACHE, cache_s, cache_s, -1),
        _Part(ATTENTION, 0.0, data.attended_width / data.gpu_cores, 1),
    ]


def fit_decode(data: Evidence, weights: np.ndarray | None = None) -> Scores:
    """Fitted numbers by term and (factor, label); deterministic.

    weights   weight of each run, default ``run_weights``
    """
    from scipy.optimize import minimize

    n = len(data)
    parts = _parts(data)
    designs = [design(part.term, data) for part in parts]
    blocks = [made.matrix(n) for made in designs]
    machines = np.eye(data.machine_of.max() + 1)[data.machine_of]
    ends = np.cumsum([block.shape[1] for block in blocks])
    of_term = [slice(end - block.shape[1], end) for end, block in zip(ends, blocks, strict=True)]
    of_machine = slice(ends[-1], ends[-1] + machines.shape[1])
    pulls = (
        np.concatenate(
            [np.array(made.pulls) for made in designs] + [np.full(machines.shape[1], MACHINE_PULL)]
        )
        / PRIOR_WIDTH
    )
    weight = np.sqrt(run_weights(data) if weights is None else weights) / NOISE
    log_step = np.log(data.step_s)

    def run_residuals(theta: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """Residuals of the runs and the share of each term's fitted part in its step."""
        fitted = [
            part.base * np.exp(part.sign * (START[part.term] + block @ theta[where]))
            for part, block, where in zip(parts, blocks, of_term, strict=True)
        ]
        total = sum(fitted) + sum(part.fixed for part in parts)
        found = (np.log(total) + machines @ theta[of_machine] - log_step) * weight
        return found, [part.sign * one / total for part, one in zip(parts, fitted, strict=True)]

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        found, shares = run_residuals(theta)
        pulled = theta * pulls
        tails = 1 + pulled[of_machine] ** 2 / MACHINE_TAIL
        root = np.sqrt(1 + found**2)
        value = 2 * (root - 1).sum() + (pulled[: of_machine.start] ** 2).sum()
        value += MACHINE_TAIL * np.log(tails).sum()
        slope = _jacobian(shares).T @ (found / root)
        pull = pulled * pulls
        pull[of_machine] /= tails
        return value, 2 * (slope + pull)

    def curvature(theta: np.ndarray) -> np.ndarray:
        """Gauss-Newton with the loss's weights: positive definite, so every step descends."""
        found, shares = run_residuals(theta)
        rows = _jacobian(shares) * (1 + found**2)[:, None] ** -0.25
        pull = pulls**2
        pull[of_machine] /= 1 + (theta * pulls)[of_machine] ** 2 / MACHINE_TAIL
        return 2 * (rows.T @ rows + np.diag(pull))

    def _jacobian(shares: list[np.ndarray]) -> np.ndarray:
        scaled = [block * share[:, None] for block, share in zip(blocks, shares, strict=True)]
        return np.hstack([*scaled, machines]) * weight[:, None]

    theta = minimize(
        loss, np.zeros(len(pulls)), jac=True, hess=curvature, method="trust-exact",
        options={"gtol": 0.1, "maxiter": 100, "initial_trust_radius": 3.0, "max_trust_radius": 50},
    ).x  # fmt: skip
    return {
        part.term: dict(zip(made.labels, theta[where].tolist(), strict=True))
        for part, made, where in zip(parts, designs, of_term, strict=True)
    }


def run_weights(data: Evidence) -> np.ndarray:
    """Weight of each run: those of one machine and variant, shallow or deep, count as one.

    They agree with each other whatever the truth, so a long series must not outvote ten people.
    """
    deep = data.runs["context_tokens"].fillna(0).to_numpy(dtype=float) >= DEEP_TOKENS
    models = data.runs["model_id"].to_numpy(dtype=str)
    rows = zip(data.machine_of, models, data.variant, deep, strict=True)
    key = np.array([f"{machine}|{model}|{v.quant_id}|{d}" for machine, model, v, d in rows])
    _, inverse, counts = np.unique(key, return_inverse=True, return_counts=True)
    return 1.0 / counts[inverse]


def score(term: str, data: Evidence, scores: Scores) -> np.ndarray:
    """The summed score of a term for each run; a label never seen says nothing."""
    known = scores[term]
    total = np.full(len(data), START[term], dtype=float)
    for name, _, found in labels_of(term, data):
        total += np.array([known.get((name, label), 0.0) for label in found])
    return total


def predict_step_s(data: Evidence, scores: Scores) -> np.ndarray:
    """Seconds per step of each run, from fitted numbers alone: no effect of who measured it."""
    total = np.zeros(len(data))
    for part in _parts(data):
        total += part.fixed + part.base * np.exp(part.sign * score(part.term, data, scores))
    return total


def shares(data: Evidence, scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    """Share of each run's predicted step that is overhead, and that the context costs."""
    parts = {
        part.term: part.fixed + part.base * np.exp(part.sign * score(part.term, data, scores))
        for part in _parts(data)
    }
    total = sum(parts.values())
    return (
        (parts[OVERHEAD] + parts[SAMPLING]) / total,
        (parts[CACHE] + parts[ATTENTION]) / total,
    )


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
        vocab_size=data.vocab_size[index],
        weight_read_bytes=data.weight_read_bytes[index],
        cache_read_bytes=data.cache_read_bytes[index],
        cache_form=pick(data.cache_form),
        attended_width=data.attended_width[index],
        step_s=data.step_s[index],
        flops_per_token=data.flops_per_token[index],
        gpu_cores=data.gpu_cores[index],
        peak_flop_s=data.peak_flop_s[index],
        aside=data.aside,
    )
