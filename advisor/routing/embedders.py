"""Embedding models as candidates: bytes from their published files, the rest from a like model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate import plan
from advisor.estimate.cases import Cases
from advisor.routing.scales import embedders
from advisor.routing.workload import Workload

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Machine
    from advisor.routing.arrays import Candidates

RUNTIME = "llama.cpp"  # mlx_lm.server has no route for embeddings


def add_embedders(
    catalog: Catalog, machine: Machine, workload: Workload, found: Candidates
) -> Candidates:
    """The candidates and, where the workload embeds, the catalog's embedding models."""
    classes = workload.classes
    if not any(c.embeds for c in classes):
        return found
    facts = list(embedders(catalog).values())
    variant = np.array([catalog.variant_index(f.like, f.quant) for f in facts])
    params = catalog.shapes["params"]
    size = np.array([f.params_m * 1e6 / params[f.like] for f in facts])[:, None]
    prompts = np.array([c.prompt_p90_tokens for c in classes])
    concurrency = np.array([c.concurrency for c in classes], dtype=float)

    def engine(context: np.ndarray, batch: np.ndarray) -> plan.Answer:
        cases = Cases(
            machine=np.zeros(1, dtype=int),
            variant=variant[:, None],
            runtime=np.array([catalog.runtime_ids.index(RUNTIME)]),
            context_tokens=context[None, :],
            kv_bits=np.array([16]),
            batch=batch[None, :],
        )
        return plan.answer(catalog, [machine], cases)

    longest = max(c.context_tokens for c in classes if c.embeds)
    most = max(c.concurrency for c in classes if c.embeds)
    held = engine(np.array([float(longest)]), np.array([float(most)]))
    asked = engine(prompts, concurrency)
    weights = np.array([f.weight_bytes for f in facts])
    load = weights / (held["weight_bytes"][:, 0] / held["load_s"][:, 0])
    ttft = prompts / asked["prefill_tok_s"] * size
    embeds = np.array([c.embeds for c in classes])
    room = np.array([f.max_context_tokens for f in facts])[:, None]
    needed = np.array([c.prompt_p90_tokens for c in classes])
    can = embeds & (room >= needed)
    score = np.array([f.mteb / 100 for f in facts])
    count, options = len(facts), len(found.option_context)
    shape = (count, len(classes))

    def wide(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, shape)

    quality = np.where(embeds, score[:, None], np.nan)
    total = weights + held["total_bytes"][:, 0] - held["weight_bytes"][:, 0]
    new = {
        "model": len(catalog.model_ids) + np.arange(count),
        "model_id": np.array([f.id for f in facts], dtype=object),
        "quant_id": np.array([f.quant for f in facts], dtype=object),
        "kv_bits": np.full(count, 16),
        "embedder": np.ones(count, dtype=bool),
        # Their context is their own: one option stands for all.
        "total_bytes": np.column_stack([total, np.full((count, options - 1), np.inf)]),
        "weight_bytes": weights,
        "kv_bytes": np.repeat(held["kv_bytes"], options, axis=1),
        "load_s": load,
        "can": can,
        "meets": can,
        "meets_cold": can,
        "reserve_bytes": np.zeros(shape),
        "decode_tok_s": wide(np.array(np.nan)),
        "slow": wide(np.array(1.0)),
        "fast": wide(np.array(1.0)),
        "slow_start": asked["ttft_high"] / asked["ttft_s"],
        "fast_start": asked["ttft_low"] / asked["ttft_s"],
        "start_s": ttft,
        "ttft_s": ttft,
        "cold_s": load[:, None] + ttft,
        "seconds": ttft,
        "seconds_cold": load[:, None] + ttft,
        "busy_s": ttft,
        "quality": quality,
        "quality_low": quality,
        "quality_high": quality,
        "basis": np.where(wide(embeds), "published", "").astype(object),
    }
    joined = {name: np.concatenate([getattr(found, name), value]) for name, value in new.items()}
    return replace(found, **joined)  # type: ignore[arg-type]
