"""What a quantization costs in quality, from published tables of accuracy and perplexity.

A loss is the part of the accuracy above guessing that is lost. Where a table gives only
perplexity, its logarithm is brought to that unit by the one model that has both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog.tables import read_csv
from advisor.errors import CatalogError

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

COLUMNS = ("model", "format", "quant", "metric", "value", "baseline", "source_url")
CHANCE = {"MMLU %": 25.0, "MMLU-Pro %": 10.0}  # right answers by guessing [%]
# A larger model loses less. Source: mlx-lm's BENCHMARKS.md, 4 bit: 6.2 % of Qwen3-4B's accuracy
# above guessing, 3.1 % of Qwen3-30B-A3B's; ln(6.16 / 3.05) / ln(30.5 / 4.02) = 0.35.
SIZE_POWER = 0.35
REFERENCE_PARAMS = {"mlx": 4.02e9, "gguf": 8.03e9}  # Qwen3-4B and Llama-3-8B, the tables' models
WIDTH = 0.6  # of the loss, either way: the spread between Llama 2, Llama 3 and the MLX tables


@lru_cache(maxsize=8)
def losses(catalog: Catalog) -> dict[str, float]:
    """Loss by quantization at its format's reference size, 0 (none) to 1 (all of it).

    A quantization without a published figure takes the line between its neighbours in bits.
    Raises ``CatalogError`` where a format has no figure at all.
    """
    table = read_csv(catalog.root / "quality" / "quant_loss.csv", catalog.root, COLUMNS)
    points: dict[str, dict[float, float]] = {"mlx": {}, "gguf": {}}
    known: dict[str, float] = {}
    for format_, model, metric in (
        ("mlx", "Qwen/Qwen3-4B-Instruct-2507", "MMLU-Pro %"),
        ("gguf", "Llama-3-8B-Instruct", "MMLU %"),
    ):
        rows = table[
            (table["format"].str.lower() == format_)
            & (table["model"] == model)
            & (table["metric"] == metric)
        ]
        for row in rows.itertuples():
            quant_id = _quant_id(catalog, format_, str(row.quant))
            if quant_id:
                base = float(str(row.baseline).split()[0])
                lost = (base - float(row.value)) / (base - CHANCE[metric])
                known[quant_id] = min(max(lost, 0.0), 1.0)
    for quant_id, lost in perplexity_losses(table, known).items():
        known.setdefault(quant_id, lost)
    for quant_id, lost in known.items():
        quant = catalog.quants[quant_id]
        points[quant.format][quant.bits_per_weight or quant.bits] = lost
    for format_, found in points.items():
        if not found:
            raise CatalogError(
                f"{catalog.root.name}/quality/quant_loss.csv: no figure for {format_}. Restore it."
            )
    return {
        quant.id: known.get(quant.id, _between(points[quant.format], quant))
        for quant in catalog.quants.values()
    }


def loss(reference: np.ndarray, params: np.ndarray, reference_params: np.ndarray) -> np.ndarray:
    """Loss of a model of ``params`` parameters from that at the reference size, 0 to 1."""
    scaled = reference * (reference_params / params) ** SIZE_POWER
    return np.clip(scaled, 0.0, 1.0)


def perplexity_losses(table: pd.DataFrame, known: dict[str, float]) -> dict[str, float]:
    """Losses of MLX at 3 and 2 bits, which have only perplexity.

    Llama-3-8B lost 1.4 % with ln(perplexity ratio) 0.028 and 23 % with 0.448: about half of it.
    """
    per_log = known["Q2_K"] / np.log(1.564849)
    found = {}
    for quant_id, label in (("mlx-3bit", "q3"), ("mlx-2bit", "q2")):
        rows = table[(table["format"] == "mlx") & (table["quant"] == label)]
        rows = rows[rows["metric"].str.startswith("perplexity")]
        ratios = [
            float(row.value) / float(str(row.baseline).split()[0])
            for row in rows.itertuples()
            if str(row.baseline).split()[0].replace(".", "", 1).isdigit()
        ]
        if ratios:
            found[quant_id] = float(min(np.median(np.log(ratios)) * per_log, 1.0))
    return found


def _quant_id(catalog: Catalog, format_: str, label: str) -> str:
    """The catalog's id of a table's label, "" where it has none."""
    if format_ == "mlx":
        bits, _, group = label.removeprefix("q").partition(" ")
        name = f"mlx-{bits}bit" + (f"-{group}" if group else "")
    else:
        name = label
    return name if name in catalog.quants else ""


def _between(points: dict[float, float], quant: object) -> float:
    bits = getattr(quant, "bits_per_weight", None) or quant.bits  # type: ignore[attr-defined]
    if bits >= 16:
        return 0.0
    at = np.array(sorted([*points, 16.0]))
    lost = np.array([points.get(b, 0.0) for b in at])
    return float(np.interp(bits, at, lost))
