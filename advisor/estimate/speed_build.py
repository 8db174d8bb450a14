"""One command fits everything: ``derived/speed.json``, small, dated, with its own figures.

The file says which data it was fitted on (a digest of the resolved runs and the facts behind
them), so a test can prove it current without fitting again.
"""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.errors import CatalogError
from advisor.estimate import coefficients, fitting, intervals, prefill_fitting
from advisor.estimate.coefficients import SPEED_JSON
from advisor.estimate.evidence import DEFAULT_CONTEXT_TOKENS, Evidence, decode_evidence
from advisor.estimate.terms import PREFILL

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# What the fit stands on, relative to the catalog; speed.json itself is left out.
INPUTS = ("runs/*.csv", "derived/runs.csv", "derived/models.csv", "derived/weights.csv",
          "derived/artifacts.csv", "gguf_bpw.csv",
          "quants.toml", "runtimes.toml", "chips/*.toml")  # fmt: skip
# Sequential reads of Apple's internal drives, low end of what is reported. Source: general
# knowledge, low confidence; it decides only the seconds of a cold load.
SSD_BYTES_PER_S = 2.5e9
DIGITS = 4


def data_digest(catalog: Catalog) -> str:
    """Twelve hex digits of every file the fit reads."""
    total = hashlib.sha256()
    for pattern in INPUTS:
        for path in sorted(catalog.root.glob(pattern)):
            total.update(path.relative_to(catalog.root).as_posix().encode() + b"\0")
            total.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return total.hexdigest()[:12]


def check(catalog: Catalog) -> list[str]:
    """A sentence where speed.json was fitted on other data than the catalog holds."""
    fitted = coefficients.load(catalog)
    if fitted.data_digest == data_digest(catalog):
        return []
    return [
        f"{SPEED_JSON} was fitted on {fitted.fitted_on} on other runs or facts. "
        "Run `advisor catalog build --only speed`."
    ]


def build(catalog: Catalog, on: date | None = None) -> Path:
    """Fit on the public runs and write ``derived/speed.json``; returns its path.

    Deterministic but for the date. Takes about a minute: every source is left out once.
    """
    data = decode_evidence(catalog)
    if len(data) < 100:
        raise CatalogError(
            f"Only {len(data)} public runs can be fitted. Check catalog/derived/runs.csv."
        )
    log_error = np.log(fitting.leave_out(data, data.source) / data.step_s)
    widths = intervals.fit_widths(data, log_error, catalog.runtime_ids)
    scores = fitting.fit_decode(data) | prefill_fitting.fit_prefill(data)
    chips: dict[str, int] = {}
    counts: dict[str, dict[str, int]] = {}
    for chip, runtime in zip(data.chip, data.runtime, strict=True):
        chips[chip.name] = chips.get(chip.name, 0) + 1
        of_chip = counts.setdefault(chip.name, {})
        of_chip[runtime] = of_chip.get(runtime, 0) + 1
    stored: dict[str, Any] = {
        "fitted_on": (on or date.today()).isoformat(),
        "data_digest": data_digest(catalog),
        "start": {
            **{t: float(v) for t, v in fitting.START.items()},
            PREFILL: prefill_fitting.START,
        },
        "half_speed_tokens": prefill_fitting.HALF_SPEED_TOKENS,
        "ssd_bytes_per_s": SSD_BYTES_PER_S,
        "widths": {
            "runtime": widths.runtime,
            "kind": widths.kind,
            "chip": {
                name: widths.seen_chip if n >= intervals.FEW_RUNS else widths.thin_chip
                for name, n in sorted(chips.items())
            },
            "unseen_chip": widths.unseen_chip,
            "deep": widths.deep,
            "deep_tokens": intervals.DEEP_TOKENS,
        },
        "run_counts": {name: dict(sorted(of.items())) for name, of in sorted(counts.items())},
        "figures": figures(
            data, log_error, intervals.unseen_half_widths(data, log_error, catalog.runtime_ids)
        ),
        "set_aside": dict(sorted(data.aside["reason"].value_counts().items())),
        "scores": {
            term: [[factor, label, value] for (factor, label), value in sorted(of.items())]
            for term, of in scores.items()
        },
    }
    path = catalog.root / SPEED_JSON
    path.write_text(json.dumps(_rounded(stored), indent=0) + "\n", encoding="utf-8")
    return path


def figures(data: Evidence, log_error: np.ndarray, half_width: np.ndarray) -> dict[str, Any]:
    """Errors on runs whose whole source was left out, by slice; shares, not per cent.

    error   |measured / predicted - 1| of tokens per second: median and 90th percentile
    bias    median of log(predicted / measured) seconds: above 0 the prediction is too slow
    coverage    share of runs inside intervals whose widths have not seen their source either
    """
    runtime = np.array(data.runtime)
    named = runtime != "other"
    kind = np.array([variant.kind for variant in data.variant])
    context = data.runs["context_tokens"].fillna(DEFAULT_CONTEXT_TOKENS).to_numpy(dtype=float)
    slices = {"named runtimes": named, "all": np.ones(len(data), bool)}
    slices |= {f"runtime {name}": runtime == name for name in sorted(set(runtime))}
    slices |= {f"kind {name}": named & (kind == name) for name in sorted(set(kind))}
    slices["kind moe or hybrid-moe"] = named & np.isin(kind, ["moe", "hybrid-moe"])
    slices["context 8K and more"] = named & (context >= intervals.DEEP_TOKENS)
    m4 = np.array([chip.generation == 4 for chip in data.chip])
    slices["M4 family in llama.cpp and mlx-lm"] = m4 & np.isin(runtime, ["llama.cpp", "mlx-lm"])
    error = np.abs(np.expm1(log_error))
    return {
        name: {
            "runs": int(rows.sum()),
            "sources": len(set(data.source[rows])),
            "median_error": float(np.median(error[rows])),
            "p90_error": float(np.quantile(error[rows], 0.9)),
            "bias": float(np.median(log_error[rows])),
            "coverage": float(np.mean(np.abs(log_error[rows]) <= half_width[rows])),
        }
        for name, rows in slices.items()
        if rows.any()
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return float(f"{value:.{DIGITS + 1}g}") if isinstance(value, float) else value
