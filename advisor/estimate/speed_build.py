"""One command fits everything: ``derived/speed.json``, small and dated, and what it gets right.

The file says which data it was fitted on (a digest of the resolved runs and the facts behind
them), so a test can prove it current without fitting again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from advisor.errors import CatalogError
from advisor.estimate import (
    accuracy,
    coefficients,
    corrections,
    fitting,
    intervals,
    leave_out,
    options,
    options_fitting,
    prefill_fitting,
    spread_fitting,
)
from advisor.estimate.calibration import Spread
from advisor.estimate.coefficients import SPEED_JSON
from advisor.estimate.evidence import Evidence, decode_evidence
from advisor.estimate.intervals import WidthFit
from advisor.estimate.terms import PREFILL

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# What the fit stands on, relative to the catalog; speed.json itself is left out.
INPUTS = ("runs/*.csv", "derived/runs.csv", "derived/models.csv", "derived/weights.csv",
          "derived/artifacts.csv", "gguf_bpw.csv", "batched_decode.csv", "spec_decode.csv",
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
    """Fit on the public runs and write ``derived/speed.json`` and ``derived/accuracy.csv``.

    Returns the first's path. Deterministic but for the date. Every source, chip and group of
    models is left out once, which takes most of the time.
    """
    data = decode_evidence(catalog)
    if len(data) < 100:
        raise CatalogError(
            f"Only {len(data)} public runs can be fitted. Check catalog/derived/runs.csv."
        )
    table, widths, prefill_widths = unseen(catalog, data)
    leave_out.write(catalog.root, table)
    scores = fitting.fit_decode(data) | prefill_fitting.fit_prefill(data)
    spread, prefill_spread = spreads(catalog, data, table, scores)
    counts: dict[str, dict[str, int]] = {}
    for chip, runtime in zip(data.chip, data.runtime, strict=True):
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
        "widths": asdict(widths),
        "prefill_widths": asdict(prefill_widths),
        "sources": intervals.sources_of(data),
        "models": intervals.models_of(data, catalog.runtime_ids),
        "spread": spread_fitting.stored(spread),
        "prefill_spread": spread_fitting.stored(prefill_spread),
        "run_counts": {name: dict(sorted(of.items())) for name, of in sorted(counts.items())},
        "set_aside": dict(sorted(data.aside["reason"].value_counts().items())),
        "scores": {
            term: [[factor, label, value] for (factor, label), value in sorted(of.items())]
            for term, of in scores.items()
        },
    }
    path = catalog.root / SPEED_JSON
    path.write_text(json.dumps(_rounded(stored), indent=0) + "\n", encoding="utf-8")
    # A fresh object: these constants stand on the speeds just fitted.
    options.write(catalog.root, options_fitting.fit(replace(catalog, _facts={})))
    return path


def unseen(catalog: Catalog, data: Evidence) -> tuple[pd.DataFrame, WidthFit, WidthFit]:
    """Predictions of every run by fits without it, and the widths that follow from them.

    The table has ``leave_out.COLUMNS``; the widths are of decode and of prefill.
    """
    runtimes = catalog.runtime_ids
    steps = {what: leave_out.leave_out(data, leave_out.groups(data, what))
             for what in leave_out.WITHOUT}  # fmt: skip
    log_error = np.log(steps["source"] / data.step_s)
    prefill_error = leave_out.prefill_log_error(data)
    timed = ~np.isnan(prefill_error)
    of_prompts = fitting.subset(data, timed)
    prefill_half = np.full(len(data), np.nan)
    prefill_half[timed] = intervals.unseen_half_widths(of_prompts, prefill_error[timed], runtimes)
    columns = {
        "id": data.runs["id"].to_numpy(),
        **{f"without_{what}_tok_s": 1.0 / step_s for what, step_s in steps.items()},
        "half_width": intervals.unseen_half_widths(data, log_error, runtimes),
        "naive_tok_s": 1.0 / leave_out.naive_step_s(data),
        "one_constant_tok_s": 1.0 / leave_out.one_constant_step_s(data),
        "prefill_log_error": prefill_error,
        "prefill_half_width": prefill_half,
    }
    return (
        pd.DataFrame(columns)[list(leave_out.COLUMNS)],
        intervals.fit_widths(data, log_error, runtimes),
        intervals.fit_widths(of_prompts, prefill_error[timed], runtimes),
    )


def spreads(
    catalog: Catalog, data: Evidence, table: pd.DataFrame, scores: fitting.Scores
) -> tuple[Spread, Spread]:
    """How machines and models stand off from predictions, of decode and of prefill.

    table   ``unseen``'s; only named runtimes count, "other" is many engines
    """
    variant = np.array(
        [
            catalog.variant_index(m, q)
            for m, q in zip(data.runs["model_id"], data.runs["quant_id"], strict=True)
        ]
    )
    overhead, context = fitting.shares(data, scores)
    named = np.array([runtime != accuracy.OTHER for runtime in data.runtime])
    runs = corrections.features(catalog, variant, overhead, context)
    error = np.log(table["without_source_tok_s"].to_numpy() * data.step_s)
    decode = spread_fitting.fit_spread(runs.at(named), error[named], data.machine_of[named])
    prompts = table["prefill_log_error"].to_numpy()
    timed = named & ~np.isnan(prompts)
    runs = corrections.prefill_features(catalog, variant)
    return decode, spread_fitting.fit_spread(runs.at(timed), prompts[timed], data.machine_of[timed])


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return float(f"{value:.{DIGITS + 1}g}") if isinstance(value, float) else value
