"""What a few runs of one machine and engine say of everything else that it would run.

The logarithm of measured over predicted seconds is taken as a sum of parts, each with a spread
learnt from public machines: an offset of the machine, more or less overhead, a dearer or cheaper
context, what a kind, an architecture, a model, a quantization has of its own, and noise. Runs
that share a part inform each other through it, and no further: ten runs of one model move that
model much and others little. It is the mean and variance of a Gaussian process.
Source: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), ch. 2.2, 5.4.2.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

# A run further from what all the others say than this many standard deviations is not used.
ODD = 4.0
# Runs that scatter more than public ones widen the interval; this many runs' worth of trust in
# the public scatter stands against it.
TRUST = 4.0
LEAST_NOISE = 1e-3


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations of the parts [log seconds], learnt from public machines."""

    offset: float
    overhead: float  # per share of the step that is overhead
    context: float  # per share of the step that is cache and attention
    kind: float
    architecture: float
    model: float
    variant: float
    noise: float


@dataclass(frozen=True, slots=True)
class Features:
    """What tells runs apart, an entry a run: shares of the predicted step, and codes."""

    overhead: np.ndarray
    context: np.ndarray
    kind: np.ndarray
    architecture: np.ndarray
    model: np.ndarray
    variant: np.ndarray

    def at(self, index: np.ndarray) -> Features:
        """Some of the runs."""
        return Features(**{f.name: getattr(self, f.name)[index] for f in fields(self)})


# About the share of overhead in a typical step: what the offset is of.
TYPICAL_OVERHEAD = 0.35


def covariance(spread: Spread, one: Features, other: Features) -> np.ndarray:
    """How errors of two sets of runs of one machine go together, without noise [log² seconds]."""

    def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return a[:, None] == b[None, :]

    return (
        spread.offset**2
        + spread.overhead**2
        * np.outer(one.overhead - TYPICAL_OVERHEAD, other.overhead - TYPICAL_OVERHEAD)
        + spread.context**2 * np.outer(one.context, other.context)
        + spread.kind**2 * same(one.kind, other.kind)
        + spread.architecture**2 * same(one.architecture, other.architecture)
        + spread.model**2 * same(one.model, other.model)
        + spread.variant**2 * same(one.variant, other.variant)
    )


@dataclass(frozen=True)
class Known:
    """What the used runs of one machine and engine say; ``used`` marks them among those given."""

    spread: Spread
    runs: Features
    inverse: np.ndarray
    pull: np.ndarray  # inverse covariance times errors
    scatter: float  # of the runs against what was expected: 1 as public ones, or more
    used: np.ndarray

    @property
    def offset(self) -> float:
        """What of it is the machine's own, whatever it runs [log seconds]."""
        return float(self.spread.offset**2 * self.pull.sum())

    def correction(self, cases: Features) -> tuple[np.ndarray, np.ndarray]:
        """For each case: what to add to the log of its seconds, and its width over the former."""
        across = covariance(self.spread, cases, self.runs)
        before = own_variance(self.spread, cases)
        after = before - np.einsum("ij,jk,ik->i", across, self.inverse, across)
        width = self.scatter * np.sqrt(np.maximum(after, self.spread.noise**2) / before)
        return across @ self.pull, width


def learn(spread: Spread, runs: Features, log_error: np.ndarray) -> Known:
    """Learn from runs of one machine and engine; odd ones are left out, the oddest first.

    log_error   log(measured / predicted) seconds of each run
    """
    used = np.ones(len(log_error), dtype=bool)
    while True:
        index = np.flatnonzero(used)
        kept, errors = runs.at(index), log_error[index]
        noise = max(spread.noise, LEAST_NOISE) ** 2
        inverse = np.linalg.inv(covariance(spread, kept, kept) + noise * np.eye(len(index)))
        pull = inverse @ errors
        # Each run against what all the others and the prior say of it.
        deviation = np.abs(pull) / np.sqrt(np.diag(inverse))
        odd = deviation > ODD
        if not odd.any():
            break
        # Of two that contradict each other, the one further from the prediction goes.
        used[index[np.flatnonzero(odd)[np.argmax(np.abs(errors[odd]))]]] = False
    # Agreement narrows by what it tells, never by itself: repeats of one run agree anyway.
    scatter = max(1.0, np.sqrt((TRUST + (deviation**2).sum()) / (TRUST + len(index))))
    return Known(spread, kept, inverse, pull, float(scatter), used)


def own_variance(spread: Spread, cases: Features) -> np.ndarray:
    """The variance of a single run's error, noise included."""
    fixed = (
        spread.offset**2 + spread.kind**2 + spread.architecture**2 + spread.model**2
        + spread.variant**2 + spread.noise**2
    )  # fmt: skip
    return (
        fixed
        + (spread.overhead * (cases.overhead - TYPICAL_OVERHEAD)) ** 2
        + (spread.context * cases.context) ** 2
    )
