"""Every model, quantization and cache width that could answer, with what the engine says of it.

All bytes and speeds come from ``estimate.plan``; this module only asks it at the contexts that a
workload needs, and lays the answers out as arrays: [candidate, class] and [candidate, option].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.errors import InputError, unknown
from advisor.estimate import plan
from advisor.estimate.arrays import arrays
from advisor.estimate.cases import Cases
from advisor.estimate.changes import LEAST_BITS
from advisor.routing import quality as qualities
from advisor.routing.arrays import Candidates
from advisor.routing.embedders import add_embedders
from advisor.routing.floors import judged
from advisor.routing.workload import Workload

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Machine

DEFAULT_RUNTIME = "mlx-lm"


@dataclass(frozen=True)
class Wishes:
    """What a person asks of a table beyond the workload.

    most_residents   models kept in memory or loaded on demand, at most
    kv_bits          cache widths to choose from
    least_bits       quantizations below are never taken: they break
    swap             whether one model may be loaded on demand beside the residents
    keep, never      pins: a model, or a model and quantization ("qwen3-8b mlx-4bit")
    own_scores       (scale, model) -> quality, a person's own
    """

    most_residents: int = 3
    kv_bits: tuple[int, ...] = (16,)
    least_bits: int = LEAST_BITS
    swap: bool = False
    keep: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    own_scores: tuple[tuple[tuple[str, str], float], ...] = ()


def candidates(
    catalog: Catalog, machine: Machine, workload: Workload, runtime: str, wishes: Wishes
) -> Candidates:
    """All candidates for one machine. Raises ``InputError`` for a machine without memory size."""
    if machine.memory_gb is None:
        raise InputError(f"{machine.label}: a table needs the memory size. Give --memory-gb.")
    if runtime not in catalog.runtimes:
        raise unknown("runtime", runtime, catalog.runtime_ids)
    rows = plan.cross(catalog, [machine], runtime=runtime)
    enough = arrays(catalog).variants.quality_class[rows.variant] >= wishes.least_bits
    variant = np.tile(rows.variant[enough], len(wishes.kv_bits))
    bits = np.repeat(np.array(wishes.kv_bits), int(enough.sum()))
    narrow = arrays(catalog).variants.cache_quantizes[variant] | (bits == 16)
    variant, bits = variant[narrow], bits[narrow]
    found = _ask(catalog, machine, workload, runtime, variant, bits, dict(wishes.own_scores))
    return judged(add_embedders(catalog, machine, workload, found), workload)


def _ask(
    catalog: Catalog,
    machine: Machine,
    workload: Workload,
    runtime: str,
    variant: np.ndarray,
    bits: np.ndarray,
    own: dict[tuple[str, str], float],
) -> Candidates:
    v = arrays(catalog).variants
    classes = workload.classes
    at = catalog.runtime_ids.index(runtime)

    def engine(context: np.ndarray, batch: np.ndarray) -> plan.Answer:
        cases = Cases(
            machine=np.zeros(1, dtype=int),
            variant=variant[:, None],
            runtime=np.array([at]),
            context_tokens=np.maximum(context, 1)[None, :],
            kv_bits=bits[:, None],
            batch=batch[None, :],
        )
        return plan.answer(catalog, [machine], cases)

    def of(what: str) -> np.ndarray:
        return np.array([getattr(c, what) for c in classes], dtype=float)

    contexts, slots = options(workload)
    held = engine(contexts, slots)
    one = np.ones(len(classes))
    deep = engine(of("context_tokens"), of("concurrency"))
    prompt = engine(of("prompt_p90_tokens"), one)
    prefix = engine(of("prefix_tokens"), one)
    fresh = engine(of("prompt_p90_tokens") - of("prefix_tokens"), one)
    mean_prompt = engine(of("prompt_mean_tokens"), one)
    kept_mean = of("prefix_share") * of("prompt_mean_tokens")
    mean_prefix = engine(kept_mean, one)
    mean_fresh = engine(of("prompt_mean_tokens") - kept_mean, one)
    middle = engine(of("prompt_mean_tokens") + of("output_mean_tokens") / 2, of("concurrency"))
    shape = (len(variant), len(classes))

    def uncached_s(whole: plan.Answer, head: plan.Answer, rest: plan.Answer) -> np.ndarray:
        """The prompt's seconds less those of its prefix, never below the rest on its own."""
        prefixed = whole["ttft_s"] - np.where(kept_mean > 0, _prefill_s(head), 0.0)
        return np.maximum(prefixed, rest["ttft_s"] - rest["step_s"] + whole["step_s"])

    ttft = uncached_s(prompt, prefix, fresh)
    mean_ttft = uncached_s(mean_prompt, mean_prefix, mean_fresh)
    output = of("output_mean_tokens")
    answer_s = output * middle["step_s"]
    load = held["load_s"][:, :1]
    cold = load + prompt["ttft_s"]
    most = np.where(v.max_context_tokens > 0, v.max_context_tokens, np.inf)[variant]
    embeds = np.array([c.embeds for c in classes])
    images = np.array([c.images for c in classes])
    vision = np.array(["vision" in catalog.models[m].tasks for m in catalog.model_ids])
    loads = catalog.runtimes[runtime].loads_vision
    sees = vision[v.model[variant]] & loads
    can = (
        (most[:, None] >= of("context_tokens")[None, :])
        & ~embeds[None, :]
        & (~images[None, :] | sees[:, None])
    )
    quality = [
        qualities.of_variants(catalog, qualities.of_models(catalog, c.scale, own), variant)
        if not c.embeds
        else None
        for c in classes
    ]

    def told(what: str, blank: object) -> np.ndarray:
        columns = [np.full(len(variant), blank) if q is None else getattr(q, what) for q in quality]
        return np.column_stack(columns)

    return Candidates(
        model=v.model[variant],
        model_id=np.array(catalog.model_ids, dtype=object)[v.model[variant]],
        quant_id=np.array(catalog.quant_ids, dtype=object)[v.quant[variant]],
        kv_bits=bits,
        embedder=np.zeros(len(variant), dtype=bool),
        option_context=contexts,
        option_slots=slots,
        total_bytes=np.where(most[:, None] >= contexts[None, :], held["total_bytes"], np.inf),
        weight_bytes=held["weight_bytes"][:, 0],
        kv_bytes=held["kv_bytes"],
        load_s=load[:, 0],
        suits=suits(workload, contexts, slots),
        can=can,
        meets=can,
        meets_cold=can,
        reserve_bytes=np.where(of("prefix_share") > 0, prefix["kv_bytes"], 0.0),
        decode_tok_s=np.broadcast_to(deep["decode_tok_s"], shape),
        slow=np.broadcast_to(deep["decode_tok_s"] / deep["decode_low"], shape),
        fast=np.broadcast_to(deep["decode_tok_s"] / deep["decode_high"], shape),
        slow_start=np.broadcast_to(fresh["ttft_high"] / fresh["ttft_s"], shape),
        fast_start=np.broadcast_to(fresh["ttft_low"] / fresh["ttft_s"], shape),
        ttft_s=ttft,
        cold_s=cold,
        start_s=mean_ttft,
        seconds=mean_ttft + answer_s,
        seconds_cold=load + mean_prompt["ttft_s"] + answer_s,
        busy_s=mean_ttft + answer_s / of("concurrency"),
        quality=told("mid", np.nan),
        quality_low=told("low", np.nan),
        quality_high=told("high", np.nan),
        basis=told("basis", ""),
        budget_bytes=float(np.ravel(held["budget_bytes"])[0]),
    )


def options(workload: Workload) -> tuple[np.ndarray, np.ndarray]:
    """Contexts and numbers of sequences that a resident may be given, each pair once."""
    classes = [c for c in workload.classes if not c.embeds]
    contexts = sorted({c.context_tokens for c in classes}) or [1024]
    slots = sorted({c.concurrency for c in classes}) or [1]
    pairs = [(context, slot) for context in contexts for slot in slots]
    return np.array([p[0] for p in pairs], float), np.array([p[1] for p in pairs], float)


def suits(workload: Workload, contexts: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """[class, option]: whether a resident with the option has room for the class."""
    return np.array(
        [
            (contexts >= (0 if c.embeds else c.context_tokens))
            & (slots >= (0 if c.embeds else c.concurrency))
            for c in workload.classes
        ]
    )


def _prefill_s(found: plan.Answer) -> np.ndarray:
    return found["ttft_s"] - found["step_s"]
