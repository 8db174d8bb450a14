"""How wide an 80 % interval must be, learnt from errors on sources a fit has not seen.

The logarithm of the half-width is a sum over what an estimate is of (engine, kind of model, chip
tier and generation), how deep its context is, and how little is known: no other source, or only
one, of this chip and engine, none of the chip, none of the model in that engine. It is a quantile
regression, shrunken, since 26 sources say little of each.
Source: Koenker and Bassett, Regression Quantiles, Econometrica 46 (1978).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.estimate import decode
from advisor.estimate.arrays import KINDS
from advisor.estimate.evidence import DEFAULT_CONTEXT_TOKENS, Evidence
from advisor.estimate.fitting import subset
from advisor.estimate.terms import generation_label

# A little above 0.8: widths learnt on some sources are too narrow for the next one.
QUANTILE = 0.83
SMOOTHING = 0.15  # of the quantile's kink, on logarithms
SHRINKING = 7.0  # chosen by leaving sources out, like QUANTILE
PULLS = {"runtime": 2.0, "kind": 2.0, "tier": 3.0, "generation": 4.0, "depth": 1.0, "known": 1.0}
LEAST_ERROR = 0.004  # errors below this are luck
START = float(np.log(0.2))
TIERS = ("base", "pro", "max", "ultra")
GENERATIONS = ("M1", "M2", "M3", "M4", "M5")
KNOWN = ("no source", "one source", "chip unseen", "model unseen")


@dataclass(frozen=True)
class WidthFit:
    """The numbers that add up to a logarithmic half-width's logarithm, by label."""

    start: float
    runtime: dict[str, float]
    kind: dict[str, float]
    tier: dict[str, float]
    generation: dict[str, float]
    depth: float  # for each factor of 4 in context above 2K, up to two
    known: dict[str, float]


def known_marks(of_pair: np.ndarray, of_chip: np.ndarray, of_model: np.ndarray) -> np.ndarray:
    """[case, mark] of ``KNOWN`` from counts of sources: of chip and engine, chip, model."""
    return np.stack([of_pair == 0, of_pair == 1, of_chip == 0, of_model == 0], axis=-1).astype(
        float
    )


def fit_widths(data: Evidence, log_error: np.ndarray, runtimes: tuple[str, ...]) -> WidthFit:
    """Widths whose intervals hold 80 % of errors out of source.

    log_error   log(predicted / measured) of each run, predicted without its source
    """
    from scipy.optimize import minimize

    matrix, pulls = _design(data, runtimes)
    target = np.log(np.maximum(np.abs(log_error), LEAST_ERROR))
    weight = 1.0 / np.sqrt(np.bincount(data.machine_of)[data.machine_of])

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        over = target - matrix @ theta
        value = SMOOTHING * np.logaddexp(0, over / SMOOTHING) - (1 - QUANTILE) * over
        slope = 1 / (1 + np.exp(-over / SMOOTHING)) - (1 - QUANTILE)
        pull = SHRINKING * pulls * theta
        return float((weight * value).sum() + pull @ theta / 2), pull - matrix.T @ (weight * slope)

    first = np.zeros(matrix.shape[1])
    first[0] = START
    # Knowing less never narrows an interval, and neither does depth.
    free = len(first) - len(KNOWN) - 1
    bounds = [(None, None)] * free + [(0.0, None)] * (len(KNOWN) + 1)
    found = iter(minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds).x.tolist())
    return WidthFit(
        start=next(found),
        runtime={name: next(found) for name in runtimes},
        kind={name: next(found) for name in KINDS},
        tier={name: next(found) for name in TIERS},
        generation={name: next(found) for name in GENERATIONS},
        depth=next(found),
        known={name: next(found) for name in KNOWN},
    )


def half_widths(data: Evidence, widths: WidthFit) -> np.ndarray:
    """The logarithmic half-width of each run, as if its own source were not there."""
    matrix, _ = _design(data, tuple(widths.runtime))
    parts = (widths.runtime, widths.kind, widths.tier, widths.generation)
    numbers = [widths.start, *(value for part in parts for value in part.values()), widths.depth]
    return np.exp(matrix @ np.array([*numbers, *widths.known.values()]))


def unseen_half_widths(
    data: Evidence, log_error: np.ndarray, runtimes: tuple[str, ...]
) -> np.ndarray:
    """The half-width of each run from widths learnt without its source: what coverage is of."""
    found = np.empty(len(data))
    for source in np.unique(data.source.astype(str)):
        out = data.source == source
        fitted = fit_widths(subset(data, ~out), log_error[~out], runtimes)
        found[out] = half_widths(data, fitted)[out]
    return found


def _design(data: Evidence, runtimes: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Columns as ``WidthFit`` names them, and the pull of each."""

    def marks(values: Sequence[str], levels: tuple[str, ...]) -> np.ndarray:
        return (np.array(values)[:, None] == np.array(levels)[None, :]).astype(float)

    context = data.runs["context_tokens"].fillna(DEFAULT_CONTEXT_TOKENS).to_numpy(dtype=float)
    chips = [chip.name for chip in data.chip]
    models = data.runs["model_id"].astype(str)
    columns = {
        "start": np.ones((len(data), 1)),
        "runtime": marks(data.runtime, runtimes),
        "kind": marks([variant.kind for variant in data.variant], KINDS),
        "tier": marks([chip.tier for chip in data.chip], TIERS),
        "generation": marks([generation_label(chip) for chip in data.chip], GENERATIONS),
        "depth": decode.depth(context)[:, None],
        "known": known_marks(
            _others(data, [f"{a}|{b}" for a, b in zip(chips, data.runtime, strict=True)]),
            _others(data, chips),
            _others(data, [f"{a}|{b}" for a, b in zip(models, data.runtime, strict=True)]),
        ),
    }
    pulls = [np.full(block.shape[1], PULLS.get(name, 0.0)) for name, block in columns.items()]
    return np.hstack(list(columns.values())), np.concatenate(pulls)


def _others(data: Evidence, keys: Sequence[str]) -> np.ndarray:
    """For each run, how many other sources have runs with its key."""
    sources: dict[str, set[str]] = {}
    for key, source in zip(keys, data.source, strict=True):
        sources.setdefault(key, set()).add(str(source))
    return np.array([len(sources[k] - {str(s)}) for k, s in zip(keys, data.source, strict=True)])


def sources_of(data: Evidence) -> dict[str, dict[str, int]]:
    """Chip name -> runtime -> sources; under "" those of the chip in any runtime."""
    found: dict[str, dict[str, set[str]]] = {}
    for chip, runtime, source in zip(data.chip, data.runtime, data.source, strict=True):
        for name in (runtime, ""):
            found.setdefault(chip.name, {}).setdefault(name, set()).add(str(source))
    return {
        chip: {name: len(who) for name, who in sorted(of.items())}
        for chip, of in sorted(found.items())
    }


def models_of(data: Evidence, runtimes: tuple[str, ...]) -> dict[str, list[str]]:
    """Runtime -> the models that any source has measured in it."""
    pairs = sorted(set(zip(data.runtime, data.runs["model_id"].astype(str), strict=True)))
    return {name: [model for runtime, model in pairs if runtime == name] for name in runtimes}
