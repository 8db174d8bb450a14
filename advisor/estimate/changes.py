"""The nearest change that would make a model fit, in a few words, for every case at once.

In this order, nearest first: a shorter context, a narrower cache, a narrower quantization, a
raised limit, fewer other programs, more memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog.shapes import Machine
from advisor.estimate import memory
from advisor.estimate.arrays import Variants, arrays
from advisor.estimate.budget import default_gpu_limit_bytes
from advisor.estimate.cases import Cases
from advisor.estimate.verdict import FITS, RAISE_LIMIT
from advisor.units import KIB, MIB, format_tokens

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# A shorter context is a change worth naming from this length on.
LEAST_CONTEXT_TOKENS = 2 * KIB
# Quantizations of fewer bits lose too much to be named as a way out.
LEAST_BITS = 4


def nearest_change(
    catalog: Catalog,
    machines: Sequence[Machine],
    cases: Cases,
    found: dict[str, np.ndarray],
) -> np.ndarray:
    """A short text for each flat case; "" where it fits or the memory size is not known."""
    rows = len(cases.variant)
    words = np.broadcast_to(found["verdict"], (rows,))
    open_rows = np.flatnonzero((words != FITS) & (words != ""))
    text = np.full(rows, "", dtype=object)
    if not len(open_rows):
        return text

    def at(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, (rows,))[open_rows]

    v = arrays(catalog).variants
    variant, machine = cases.variant[open_rows], at(cases.machine)
    total, budget, room = (
        at(found["total_bytes"]),
        at(found["budget_bytes"]),
        at(found["max_context_tokens"]),
    )
    kv = at(found["kv_bytes"])
    narrow_8 = _narrower_cache(v, variant, at(cases.kv_bits), kv, 8)
    narrow_4 = _narrower_cache(v, variant, at(cases.kv_bits), kv, 4)
    lighter, lighter_name = _narrower_quantization(
        catalog, v, variant, budget - (total - at(found["weight_bytes"]))
    )
    unused = total <= at(found["gpu_limit_bytes"])
    sizes, limits = _sold(catalog, machines)
    more = (limits[machine] >= total[:, None]) & (
        sizes[None, :] > np.array([m.memory_gb or 0 for m in machines])[machine][:, None]
    )
    raised = at(found["raise_limit_mib"])
    for i, row in enumerate(open_rows):
        if room[i] >= LEAST_CONTEXT_TOKENS:
            text[row] = f"context up to {format_tokens(_round_context(room[i]))}"
        elif total[i] - narrow_8[i] <= budget[i]:
            text[row] = "8-bit cache"
        elif total[i] - narrow_4[i] <= budget[i]:
            text[row] = "4-bit cache"
        elif lighter[i]:
            text[row] = f"{lighter_name[i]} instead"
        elif words[row] == RAISE_LIMIT:
            text[row] = f"raise the limit to {raised[i]:.0f} MiB"
        elif unused[i]:
            text[row] = f"free {(total[i] - budget[i]) / MIB:,.0f} MiB of other programs"
        elif more[i].any():
            text[row] = f"{sizes[np.argmax(more[i])]} GB of memory"
        else:
            text[row] = "no Mac sold holds it"
    return text


def _round_context(tokens: float) -> int:
    """Down to a whole 1024, as people write contexts."""
    return int(tokens // KIB * KIB)


def _narrower_cache(
    v: Variants, variant: np.ndarray, kv_bits: np.ndarray, kv: np.ndarray, bits: int
) -> np.ndarray:
    """Bytes saved by a cache of ``bits``; 0 where it is no narrower or the format has none."""
    now, then = memory.cache_share(kv_bits), memory.cache_share(np.array(bits))
    full, latent = v.full_bytes_per_token[variant], v.latent_bytes_per_token[variant]
    growing = full * now + latent
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(growing > 0, full * (now - then) / growing, 0.0)
    fixed = v.sliding_bytes_per_token[variant] * v.window_tokens[variant] + v.state_bytes[variant]
    return np.maximum(share, 0) * np.maximum(kv - fixed, 0)


def _narrower_quantization(
    catalog: Catalog, v: Variants, variant: np.ndarray, room: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whether, and which, listed narrower quantization of the same format leaves enough room."""
    quants = len(catalog.quant_ids)
    best_bytes = np.zeros(len(variant))
    best = np.zeros(len(variant), dtype=int)
    model = v.model[variant] * quants
    sizes = np.where(np.isnan(v.published_bytes), v.weight_bytes, v.published_bytes)
    for quant in range(quants):
        other = model + quant
        weight = sizes[other]
        better = (
            v.listed[other]
            & (v.quality_class[other] >= LEAST_BITS)
            & (v.format[other] == v.format[variant])
            & (weight < sizes[variant])
            & (weight <= room)
            & (weight > best_bytes)
        )
        best_bytes = np.where(better, weight, best_bytes)
        best = np.where(better, quant, best)
    return best_bytes > 0, np.array(catalog.quant_ids, dtype=object)[best]


def _sold(catalog: Catalog, machines: Sequence[Machine]) -> tuple[np.ndarray, np.ndarray]:
    """Memory sizes sold [GB], and the default limit of each under each machine's macOS."""
    sizes = np.array(sorted({size for chip in catalog.chips.values() for size in chip.memory_gb}))
    limits = np.array(
        [
            [
                default_gpu_limit_bytes(catalog.memory_rules, int(size), machine.macos)
                for size in sizes
            ]
            for machine in machines
        ]
    )
    return sizes, limits
