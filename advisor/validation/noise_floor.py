"""How far two people measuring the same thing differ: no predictor can be righter than that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

SHORT_TOKENS = 2048
SAME = ["chip_id", "runtime", "model_id", "quant_id"]


@dataclass(frozen=True)
class NoiseFloor:
    """Differences between sources, largest over smallest less 1, of what several measured."""

    cases: int
    median: float
    third_quartile: float


def noise_floor(runs: pd.DataFrame, *, of: list[str] | None = None) -> NoiseFloor:
    """The floor of runs with a short context (rows of ``accuracy.joined``); NaN without cases.

    of   what must be the same, default chip bin, runtime, model and quantization
    """
    short = runs[runs["context_drawn"] <= SHORT_TOKENS]
    keys = of or SAME
    by_source = short.groupby([*keys, "file"])["measured_tok_s"].median()
    groups = by_source.groupby(level=list(range(len(keys))))
    several = groups.size() >= 2
    ratio = (groups.max() / groups.min() - 1)[several].to_numpy()
    if not len(ratio):
        return NoiseFloor(0, float("nan"), float("nan"))
    return NoiseFloor(len(ratio), float(np.median(ratio)), float(np.quantile(ratio, 0.75)))
