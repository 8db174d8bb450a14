"""The catalog as arrays: a number per variant, chip and runtime, gathered by index.

Made once per catalog and kept: what every formula takes from here is a plain array.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Chip, Quant

FORMATS = ("mlx", "gguf")
KINDS = ("dense", "hybrid", "moe", "hybrid-moe")


@dataclass(frozen=True, slots=True)
class Variants:
    """One entry a row of ``catalog.variants`` (model x quantization).

    Bytes are of one sequence at 16 bits a cache element; counts are plain numbers.
    """

    model: np.ndarray
    quant: np.ndarray
    format: np.ndarray  # index into FORMATS
    kind: np.ndarray  # index into KINDS
    weight_bytes: np.ndarray
    dense_read_bytes: np.ndarray
    expert_bytes: np.ndarray
    published_bytes: np.ndarray
    published_ollama_bytes: np.ndarray
    vision_bytes: np.ndarray  # tower in a published MLX artifact
    expert_share: np.ndarray  # top_k / experts, 0 without experts
    layers: np.ndarray
    hidden_size: np.ndarray
    vocab_size: np.ndarray
    active_params: np.ndarray
    attention_width: np.ndarray  # heads x head_dim, summed over layers with full attention
    sliding_width: np.ndarray  # the same, summed over layers with a window
    full_readers: np.ndarray  # layers that read a full cache over those that hold one, 0 if none
    sliding_readers: np.ndarray
    full_bytes_per_token: np.ndarray
    latent_bytes_per_token: np.ndarray
    sliding_bytes_per_token: np.ndarray
    window_tokens: np.ndarray
    state_bytes: np.ndarray
    cache_quantizes: np.ndarray  # whether the cache can be kept in fewer than 16 bits
    max_context_tokens: np.ndarray  # 0 unknown
    quality_class: np.ndarray
    listed: np.ndarray


@dataclass(frozen=True, slots=True)
class Arrays:
    """All arrays of one catalog."""

    variants: Variants
    bandwidth_bytes_per_s: np.ndarray  # by chip index
    gpu_cores: np.ndarray  # by chip index
    peak_flop_s: np.ndarray  # fp16 peak of the shaders by chip index; inf with accelerators
    runtime_ollama: np.ndarray
    runtime_loads_vision: np.ndarray


@lru_cache(maxsize=8)
def arrays(catalog: Catalog) -> Arrays:
    """The arrays of a catalog, made on first use."""
    return Arrays(
        variants=_variants(catalog),
        bandwidth_bytes_per_s=np.array(
            [catalog.chips[chip_id].bandwidth_bytes_per_s for chip_id in catalog.chip_ids]
        ),
        gpu_cores=np.array([catalog.chips[c].gpu_cores for c in catalog.chip_ids], dtype=float),
        peak_flop_s=np.array([_peak_flop_s(catalog.chips[c]) for c in catalog.chip_ids]),
        runtime_ollama=np.array([r == "ollama" for r in catalog.runtime_ids]),
        runtime_loads_vision=np.array([r.loads_vision for r in catalog.runtimes.values()]),
    )


def _peak_flop_s(chip: Chip) -> float:
    """The shaders' fp16 peak [FLOP/s]; no bound where it is unknown or accelerators help."""
    if chip.neural_accelerators or chip.fp16_tflops_computed is None:
        return float("inf")
    return chip.fp16_tflops_computed * 1e12


def _listed(quants: list[Quant], quant: np.ndarray, table: pd.DataFrame) -> np.ndarray:
    """Whether each variant stands in whole-catalog tables."""
    always = np.array([q.listed is True for q in quants])[quant]
    if_published = np.array([q.listed == "published" for q in quants])[quant]
    sizes = table[["published_bytes", "published_ollama_bytes"]]
    return always | (if_published & sizes.notna().any(axis=1).to_numpy())


def _variants(catalog: Catalog) -> Variants:
    table, shapes = catalog.variants, catalog.shapes
    model = table["model_ix"].to_numpy()
    quant = table["quant_ix"].to_numpy()
    quants = list(catalog.quants.values())

    def of_model(column: str) -> np.ndarray:
        return shapes[column].to_numpy(dtype=float)[model]

    def of_row(column: str) -> np.ndarray:
        return table[column].to_numpy(dtype=float)

    experts = of_model("experts")
    format_ = np.array([FORMATS.index(q.format) for q in quants])[quant]
    query_width = of_model("attention_heads") * of_model("head_dim")
    full_readers = of_model("full_reading_layers")
    sliding_readers = of_model("sliding_reading_layers")
    return Variants(
        model=model,
        quant=quant,
        format=format_,
        kind=np.array([KINDS.index(kind) for kind in shapes["kind"]])[model],
        weight_bytes=of_row("weight_bytes"),
        dense_read_bytes=of_row("dense_read_bytes"),
        expert_bytes=of_row("expert_bytes"),
        published_bytes=of_row("published_bytes"),
        published_ollama_bytes=of_row("published_ollama_bytes"),
        vision_bytes=of_row("vision_bytes"),
        expert_share=np.divide(
            of_model("experts_per_token"), experts, out=np.zeros(len(table)), where=experts > 0
        ),
        layers=of_model("layers"),
        hidden_size=of_model("hidden_size"),
        vocab_size=of_model("vocab_size"),
        active_params=of_model("active_params"),
        attention_width=(full_readers + of_model("latent_layers")) * query_width,
        sliding_width=sliding_readers * query_width,
        full_readers=full_readers / np.maximum(of_model("full_layers"), 1),
        sliding_readers=sliding_readers / np.maximum(of_model("sliding_layers"), 1),
        full_bytes_per_token=of_model("full_bytes_per_token"),
        latent_bytes_per_token=of_model("latent_bytes_per_token"),
        sliding_bytes_per_token=of_model("sliding_bytes_per_token"),
        window_tokens=of_model("window_tokens"),
        state_bytes=of_model("state_bytes"),
        # mlx-lm: "RotatingKVCache Quantization NYI" for a model with sliding layers.
        cache_quantizes=(format_ != FORMATS.index("mlx")) | (of_model("sliding_layers") == 0),
        max_context_tokens=of_model("max_context_tokens"),
        quality_class=np.array([q.quality_class for q in quants])[quant],
        listed=_listed(quants, quant, table),
    )
