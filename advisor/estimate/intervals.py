"""How wide an 80 % interval must be, learnt from errors on sources a fit has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advisor.estimate import decode
from advisor.estimate.arrays import KINDS
from advisor.estimate.evidence import DEFAULT_CONTEXT_TOKENS, Evidence
from advisor.estimate.fitting import DEEP_TOKENS, subset

COVERAGE = 0.8
# A group's own quantile counts as one of its sources; the whole counts as this many. Runs of one
# source err together, so a hundred of them say little of how the next source will err.
BORROWED_SOURCES = 8
FEW_RUNS = 20  # a chip with fewer runs of other people is "thin"


@dataclass(frozen=True)
class WidthFit:
    """Logarithmic half-widths as a product: runtime x kind x chip x depth."""

    runtime: dict[str, float]
    kind: list[float]
    seen_chip: float
    thin_chip: float
    unseen_chip: float
    deep: float


def fit_widths(data: Evidence, log_error: np.ndarray, runtimes: tuple[str, ...]) -> WidthFit:
    """Widths whose intervals hold 80 % of errors out of source, group by group.

    log_error   log(predicted / measured) of each run, predicted without its source
    """
    error = np.abs(log_error)
    whole = float(np.quantile(error, COVERAGE))
    runtime = np.array(data.runtime)
    kind = np.array([variant.kind for variant in data.variant])
    others = _runs_of_others(data)
    context = data.runs["context_tokens"].fillna(DEFAULT_CONTEXT_TOKENS).to_numpy(dtype=float)
    groups = {
        "runtime": {name: runtime == name for name in runtimes},
        "kind": {name: kind == name for name in KINDS},
        "chip": {
            "unseen": others == 0,
            "thin": (others > 0) & (others < FEW_RUNS),
            "seen": others >= FEW_RUNS,
        },
        "deep": {"deep": context >= DEEP_TOKENS, "shallow": context < DEEP_TOKENS},
    }
    factor = {name: dict.fromkeys(found, 1.0) for name, found in groups.items()}
    for _ in range(20):  # each group corrects what the others leave over
        for name, found in groups.items():
            for label, rows in found.items():
                scale = whole * np.ones(len(error))
                for other, other_found in groups.items():
                    if other != name:
                        for other_label, other_rows in other_found.items():
                            scale[other_rows] *= factor[other][other_label]
                sources = len(np.unique(data.source[rows].astype(str)))
                factor[name][label] = _shrunken_quantile(error[rows] / scale[rows], sources)
    deep, shallow = factor["deep"]["deep"], factor["deep"]["shallow"]
    base = whole * shallow
    return WidthFit(
        runtime={name: base * value for name, value in factor["runtime"].items()},
        kind=[factor["kind"][name] for name in KINDS],
        seen_chip=factor["chip"]["seen"],
        thin_chip=max(factor["chip"]["thin"], factor["chip"]["seen"]),
        unseen_chip=max(factor["chip"]["unseen"], factor["chip"]["thin"], factor["chip"]["seen"]),
        deep=max(deep / shallow, 1.0),
    )


def half_widths(data: Evidence, widths: WidthFit) -> np.ndarray:
    """The logarithmic half-width of each run, as if its own source were not there."""
    context = data.runs["context_tokens"].fillna(DEFAULT_CONTEXT_TOKENS).to_numpy(dtype=float)
    others = _runs_of_others(data)
    chip = np.where(
        others == 0,
        widths.unseen_chip,
        np.where(others < FEW_RUNS, widths.thin_chip, widths.seen_chip),
    )
    return (
        np.array([widths.runtime[name] for name in data.runtime])
        * np.array([widths.kind[KINDS.index(variant.kind)] for variant in data.variant])
        * chip
        * decode.depth_factor(context, widths.deep, DEEP_TOKENS)
    )


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


def _shrunken_quantile(scaled: np.ndarray, sources: int) -> float:
    if not len(scaled):
        return 1.0
    share = sources / (sources + BORROWED_SOURCES)
    return float(np.exp(share * np.log(max(np.quantile(scaled, COVERAGE), 1e-3))))


def _runs_of_others(data: Evidence) -> np.ndarray:
    """For each run, how many runs other sources have of its chip."""
    names = np.array([chip.name for chip in data.chip])
    _, chip = np.unique(names, return_inverse=True)
    _, pair = np.unique(names + "|" + data.source.astype(str), return_inverse=True)
    return np.bincount(chip)[chip] - np.bincount(pair)[pair]
