"""The nearest change that would make a model fit, in a few words, for every case at once.

In this order, nearest first: a shorter context, a narrower cache, a narrower quantization, a
raised limit, fewer other programs, more memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog.shapes import Machine
from advisor.estimate.arrays import arrays
from advisor.estimate.budget import default_gpu_limit_bytes
from advisor.estimate.capacity import held_weight_bytes, needs
from advisor.estimate.cases import Cases
from advisor.estimate.verdict import FITS, RAISE_LIMIT
from advisor.units import GIB, KIB, MIB, format_tokens

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# A shorter context is a change worth naming from this length on.
LEAST_CONTEXT_TOKENS = 2 * KIB
# Quantizations of fewer bits lose too much to be a pick or to be named as a way out.
LEAST_BITS = 4
NARROW_CACHES = (8, 4)


def nearest_change(
    catalog: Catalog,
    machines: Sequence[Machine],
    cases: Cases,
    found: dict[str, np.ndarray],
) -> np.ndarray:
    """A short text for each flat case; "" where it fits or the memory size is not known."""
    rows = len(cases.variant)
    words = np.broadcast_to(found["verdict"], (rows,))
    text = np.full(rows, "", dtype=object)
    left = np.flatnonzero((words != FITS) & (words != ""))
    if not len(left):
        return text

    asked = _part(cases, left)
    of = {name: np.broadcast_to(found[name], (rows,))[left] for name in (
        "total_bytes", "budget_bytes", "gpu_limit_bytes", "weight_bytes", "max_context_tokens",
        "raise_limit_mib",
    )}  # fmt: skip
    total, budget, most = of["total_bytes"], of["budget_bytes"], of["max_context_tokens"]
    caches = [(bits, _fits_with_cache(catalog, asked, bits, budget)) for bits in NARROW_CACHES]
    lighter = _narrower_quantization(catalog, asked, budget - (total - of["weight_bytes"]))
    sizes = _memory_that_fits(catalog, machines, asked.machine, total)
    for i, row in enumerate(left):
        if LEAST_CONTEXT_TOKENS <= most[i] < asked.context_tokens[i]:
            text[row] = f"context up to {format_tokens(most[i] // KIB * KIB)}"
            continue
        bits = next((bits for bits, fits in caches if fits[i]), None)
        if bits is not None:
            text[row] = f"{bits}-bit cache"
        elif lighter[i]:
            text[row] = f"{lighter[i]} instead"
        elif words[row] == RAISE_LIMIT:
            text[row] = f"raise the limit to {of['raise_limit_mib'][i]:.0f} MiB"
        elif total[i] <= of["gpu_limit_bytes"][i]:
            text[row] = f"free {(total[i] - budget[i]) / MIB:,.0f} MiB of other programs"
        elif sizes[i]:
            text[row] = f"{sizes[i]} GB of memory"
        else:
            text[row] = "no Mac sold holds it"
    return text


def _part(cases: Cases, rows: np.ndarray) -> Cases:
    """Those rows of flat cases, every array of full length."""
    count = (len(cases.variant),)
    names = Cases.__dataclass_fields__
    return Cases(**{n: np.broadcast_to(getattr(cases, n), count)[rows] for n in names})


def _fits_with_cache(
    catalog: Catalog, asked: Cases, bits: int, budget_bytes: np.ndarray
) -> np.ndarray:
    """Whether a cache of fewer bits is enough."""
    narrow = replace(asked, kv_bits=np.minimum(asked.kv_bits, bits))
    total = needs(arrays(catalog), catalog.memory_rules, narrow).total
    return (asked.kv_bits > bits) & (total <= budget_bytes)


def _narrower_quantization(catalog: Catalog, asked: Cases, room_bytes: np.ndarray) -> np.ndarray:
    """The widest listed narrower quantization of the same format that leaves enough room; ""."""
    facts = arrays(catalog)
    v, quants = facts.variants, len(catalog.quant_ids)
    now = held_weight_bytes(facts, asked)
    best_bytes = np.zeros(len(asked.variant))
    best = np.full(len(asked.variant), "", dtype=object)
    for quant, quant_id in enumerate(catalog.quant_ids):
        variant = v.model[asked.variant] * quants + quant
        weights = held_weight_bytes(facts, replace(asked, variant=variant))
        better = (
            v.listed[variant]
            & (v.quality_class[variant] >= LEAST_BITS)
            & (v.format[variant] == v.format[asked.variant])
            & (weights < now)
            & (weights <= room_bytes)
            & (weights > best_bytes)
        )
        best_bytes = np.where(better, weights, best_bytes)
        best[better] = quant_id
    return best


def _memory_that_fits(
    catalog: Catalog, machines: Sequence[Machine], machine: np.ndarray, total_bytes: np.ndarray
) -> np.ndarray:
    """The smallest memory size sold that would hold it with the same programs running [GB]; 0."""
    sizes = np.array(sorted({size for chip in catalog.chips.values() for size in chip.memory_gb}))
    budgets = np.array(
        [
            [
                0
                if size <= (m.memory_gb or 0)
                else min(
                    default_gpu_limit_bytes(catalog.memory_rules, int(size), m.macos),
                    int(size) * GIB - m.in_use_bytes,
                )
                for size in sizes
            ]
            for m in machines
        ]
    )
    enough = budgets[machine] >= total_bytes[:, None]
    return np.where(enough.any(axis=1), sizes[enough.argmax(axis=1)], 0)
