"""Predicted memory beside measured peaks of MLX, in 1e9 bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog.names import resolve
from advisor.estimate import plan
from advisor.estimate.cases import Cases
from advisor.estimate.evidence import heavier_than_named
from advisor.units import GB

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

# Kinds that mean the same: MLX's own high-water mark. Resident sizes and caches are other things.
KINDS = ("mlx peak memory", "peak (mlx)")


def peaks(catalog: Catalog) -> pd.DataFrame:
    """Measured peaks with ``predicted_gb`` and ``ratio`` (predicted over measured), a row each.

    Rows that name no model of the catalog are left out, and those whose peak is that of a larger
    model than they name, by the rule that also sets runs aside.
    """
    seen = catalog.observations("measured_memory.csv")
    seen = seen[seen["kind"].isin(KINDS) & (seen["confidence"] != "low")].reset_index(drop=True)
    names = [
        resolve(catalog, str(row.model), str(row.quant), str(row.runtime))
        for row in seen.itertuples()
    ]
    known = np.array([not name.problem for name in names], dtype=bool)
    seen, names = seen[known], [name for name in names if not name.problem]
    cases = Cases(
        machine=np.zeros(len(seen), dtype=int),
        variant=np.array([catalog.variant_index(n.model_id, n.quant_id) for n in names]),
        runtime=np.array([catalog.runtime_ids.index(r) for r in seen["runtime"]]),
        context_tokens=seen["context_tokens"].to_numpy(dtype=float),
        kv_bits=np.array(16),
        batch=np.array(1),
    )
    # What a model takes does not depend on the machine.
    machine = catalog.machine(catalog.machine_ids[0])
    total = plan.answer(catalog, [machine], cases)["total_bytes"] / GB
    measured = seen["value_gb"].to_numpy()
    table = seen.assign(predicted_gb=total, ratio=total / measured)
    return table[~heavier_than_named(measured * GB, total * GB)].reset_index(drop=True)


def figures(table: pd.DataFrame) -> dict[str, float]:
    """Median and 90th percentile of the error, and the largest shortfall of an estimate."""
    error = (table["ratio"] - 1).abs()
    return {
        "runs": len(table),
        "median_error": float(error.median()),
        "p90_error": float(error.quantile(0.9)),
        "most_below": float(max(1 - table["ratio"].min(), 0.0)),
    }
