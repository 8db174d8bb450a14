"""Everything that is said of how right the predictions are, in one place for every reader."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.estimate import accuracy, coefficients, options
from advisor.validation import after_runs, memory_peaks
from advisor.validation.noise_floor import noise_floor

if TYPE_CHECKING:
    from advisor.catalog import Catalog


@lru_cache(maxsize=4)
def report(catalog: Catalog) -> dict[str, Any]:
    """The published error, as plain numbers by name; shares, not per cent.

    ``decode`` by slice of named runtimes, ``by`` dimension, ``naive`` and ``one_constant`` the
    rules to beat, ``noise_floor``, ``prefill``, ``memory``, ``after_own_runs``, ``batching``,
    ``speculation``, ``fit``.
    """
    runs = accuracy.joined(catalog)
    named = runs[runs["runtime"] != accuracy.OTHER]
    fitted, constants = coefficients.load(catalog), options.load(catalog)
    floor = noise_floor(named)  # of one bin: bins differ in bandwidth
    return {
        "fit": {"on": fitted.fitted_on, "data": fitted.data_digest, "catalog": catalog.digest},
        "decode": accuracy.by_slice(catalog),
        "named": accuracy.row(named),
        "without_chip": accuracy.figures(named, "without_chip_tok_s"),
        "without_model": accuracy.figures(named, "without_model_tok_s"),
        "naive": accuracy.figures(named, "naive_tok_s"),
        "one_constant": accuracy.figures(named, "one_constant_tok_s"),
        "by": {
            name: accuracy.table(named, name).to_dict("records") for name in accuracy.DIMENSIONS
        },
        "noise_floor": {
            "cases": floor.cases,
            "median": floor.median,
            "third_quartile": floor.third_quartile,
        },
        "prefill": prefill(catalog),
        "memory": memory_peaks.figures(memory_peaks.peaks(catalog)),
        "after_own_runs": after_runs.figures(catalog),
        "batching": {"series": constants.stream_series, "median_error": constants.stream_error},
        "speculation": {"rows": constants.round_rows, "median_error": constants.round_error},
    }


def prefill(catalog: Catalog) -> dict[str, dict[str, float]]:
    """Errors of prefill without the source: of named runtimes, and of chips with accelerators."""
    runs = accuracy.joined(catalog)
    runs = runs[runs["prefill_log_error"].notna() & (runs["runtime"] != accuracy.OTHER)]
    chips = catalog.chips
    helped = np.array([chips[chip_id].neural_accelerators for chip_id in runs["chip_id"]])
    dense = (runs["kind"] == "dense").to_numpy()
    parts = {"all": helped | True, "dense": dense, "with neural accelerators": helped}
    found = {}
    for name, rows in parts.items():
        log_error = runs.loc[rows, "prefill_log_error"]
        error = np.abs(np.expm1(-log_error))
        found[name] = {
            "runs": int(rows.sum()),
            "sources": int(runs.loc[rows, "file"].nunique()),
            "median_error": float(np.median(error)),
            "p90_error": float(np.quantile(error, 0.9)),
            "coverage": float((log_error.abs() <= runs.loc[rows, "prefill_half_width"]).mean()),
        }
    return found
