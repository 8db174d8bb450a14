"""How right the predictions are: errors of public runs that a fit has not seen, by slice.

Everything is computed from ``derived/accuracy.csv`` and the runs themselves, so a page, the
command line and the README show one number for one slice.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from advisor.estimate import leave_out
from advisor.estimate.evidence import DEFAULT_CONTEXT_TOKENS
from advisor.units import GB

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# What a person can ask "how right for …" of; the labels of a dimension are its column's values.
DIMENSIONS = {
    "runtime": "Runtime",
    "chip": "Chip",
    "tier": "Chip tier",
    "generation": "Chip generation",
    "kind": "Model kind",
    "context": "Context",
    "size": "Weights",
}
CONTEXTS: dict[str, float] = {
    "under 2K": 0,
    "2K to 8K": 2048,
    "8K to 32K": 8192,
    "32K and more": 32768,
}
SIZES: dict[str, float] = {
    "under 2 GB": 0,
    "2 to 8 GB": 2e9,
    "8 to 32 GB": 8e9,
    "32 GB and more": 32e9,
}
ORDERS = {
    "context": tuple(CONTEXTS),
    "size": tuple(SIZES),
    "tier": ("base", "pro", "max", "ultra"),
    "kind": ("dense", "hybrid", "moe", "hybrid-moe"),
}
OTHER = "other"
# A slice under this many runs, or of one source, says little: shown, not held to a bound.
LEAST_RUNS, LEAST_SOURCES = 30, 2


@lru_cache(maxsize=4)
def joined(catalog: Catalog) -> pd.DataFrame:
    """A row a run of the fit: what was measured, what was predicted without it, and its labels.

    Columns beside ``leave_out.COLUMNS``: those of the run, ``measured_tok_s``, and one a
    dimension. Raises ``CatalogError`` for a broken file.
    """
    found = leave_out.read(catalog.root).merge(catalog.runs, on="id", how="inner", validate="1:1")
    chips = catalog.chips
    shapes = catalog.shapes.reindex(found["model_id"])
    variant = [
        catalog.variant_index(m, q) for m, q in zip(found.model_id, found.quant_id, strict=True)
    ]
    weight_bytes = catalog.variants["weight_bytes"].to_numpy()[variant]
    context = found["context_tokens"].fillna(DEFAULT_CONTEXT_TOKENS).to_numpy(dtype=float)
    return found.assign(
        measured_tok_s=found["decode_tok_s"],
        context_drawn=context,
        weight_gb=weight_bytes / GB,
        chip=[chips[chip_id].name for chip_id in found["chip_id"]],
        tier=[chips[chip_id].tier for chip_id in found["chip_id"]],
        generation=[f"M{chips[chip_id].generation}" for chip_id in found["chip_id"]],
        kind=shapes["kind"].to_numpy(),
        context=_steps(context, CONTEXTS),
        size=_steps(weight_bytes, SIZES),
    )


def slices(runs: pd.DataFrame) -> dict[str, np.ndarray]:
    """The slices that bounds are stated for: name -> which rows of ``joined``."""
    runtime, kind = runs["runtime"].to_numpy(), runs["kind"].to_numpy()
    named = runtime != OTHER
    found = {"named runtimes": named, "all": np.ones(len(runs), dtype=bool)}
    found |= {f"runtime {name}": runtime == name for name in sorted(set(runtime))}
    found |= {f"kind {name}": named & (kind == name) for name in sorted(set(kind))}
    found["kind moe or hybrid-moe"] = named & np.isin(kind, ["moe", "hybrid-moe"])
    found["context 8K and more"] = named & (runs["context_drawn"] >= CONTEXTS["8K to 32K"])
    m4 = (runs["generation"] == "M4").to_numpy()
    found["M4 family in llama.cpp and mlx-lm"] = m4 & np.isin(runtime, ["llama.cpp", "mlx-lm"])
    return {name: np.asarray(rows) for name, rows in found.items() if np.any(rows)}


def figures(runs: pd.DataFrame, predicted: str = "without_source_tok_s") -> dict[str, float]:
    """Errors of some rows of ``joined``; shares, not per cent.

    error       |measured / predicted - 1| of tokens per second: median and 90th percentile
    bias        median of log(measured / predicted): above 0 the prediction is too slow
    coverage    share of runs inside intervals whose widths have not seen their source either;
                only for predictions without the source
    """
    log_error = log_errors(runs, predicted)
    error = np.abs(np.expm1(log_error))
    found = {
        "runs": len(runs),
        "sources": runs["file"].nunique(),
        "median_error": float(np.median(error)),
        "p90_error": float(np.quantile(error, 0.9)),
        "bias": float(np.median(log_error)),
    }
    if predicted == "without_source_tok_s":
        found["coverage"] = float(np.mean(np.abs(log_error) <= runs["half_width"]))
    return found


def log_errors(runs: pd.DataFrame, predicted: str = "without_source_tok_s") -> np.ndarray:
    """log(measured / predicted) of each row."""
    return np.log(runs["measured_tok_s"].to_numpy() / runs[predicted].to_numpy())


@lru_cache(maxsize=4)
def by_slice(catalog: Catalog) -> dict[str, dict[str, float]]:
    """``figures`` of every slice, source left out."""
    runs = joined(catalog)
    return {name: figures(runs[rows]) for name, rows in slices(runs).items()}


def like(catalog: Catalog, runtime: str, kind: str) -> tuple[dict[str, str], dict[str, float]]:
    """Errors of estimates like one: of its runtime and kind of model where enough is known.

    Returns what they are of (dimension -> label; fewer where runs are thin) and ``figures``.
    """
    runs = joined(catalog)
    for of in ({"runtime": runtime, "kind": kind}, {"runtime": runtime}):
        rows = np.all([runs[name] == label for name, label in of.items()], axis=0)
        if rows.sum() >= LEAST_RUNS and runs.loc[rows, "file"].nunique() >= LEAST_SOURCES:
            return of, figures(runs[rows])
    return {}, by_slice(catalog)["named runtimes"]


def table(runs: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """A row a label of a dimension: every hold-out's median, tails, coverage, rules to beat."""
    labels = [x for x in ORDERS.get(dimension, ()) if x in set(runs[dimension])]
    labels += sorted(set(runs[dimension]) - set(labels))
    return pd.DataFrame([{"slice": x, **row(runs[runs[dimension] == x])} for x in labels])


def row(runs: pd.DataFrame) -> dict[str, float]:
    """Everything said of one slice; ``half_width`` as a factor, 1.25 for × / ÷ 1.25."""
    own = figures(runs)
    medians = {
        f"without_{what}": figures(runs, f"without_{what}_tok_s")["median_error"]
        for what in leave_out.WITHOUT[1:]
    }
    rules = {
        name: figures(runs, f"{name}_tok_s")["median_error"] for name in ("naive", "one_constant")
    }
    return own | medians | rules | {"half_width": float(np.exp(runs["half_width"].median()))}


def _steps(values: np.ndarray, steps: dict[str, float]) -> np.ndarray:
    names = np.array(list(steps))
    return names[np.searchsorted(np.array(list(steps.values())), values, side="right") - 1]
