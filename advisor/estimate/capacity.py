"""Memory of each case against its machine: what it needs, whether that fits, how much more would.

Gathers the numbers that the formulas of ``memory``, ``budget`` and ``verdict`` take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate import memory
from advisor.estimate.arrays import FORMATS, Arrays
from advisor.estimate.budget import Budgets
from advisor.estimate.cases import Cases
from advisor.estimate.memory import Growth
from advisor.estimate.verdict import RAISE_LIMIT, verdict
from advisor.units import MIB, format_tokens

if TYPE_CHECKING:
    from advisor.catalog.shapes import MemoryRules

MLX = FORMATS.index("mlx")
KEPT_AT_16_BITS = "MLX cannot narrow this model's cache: it stays at 16 bits."


@dataclass(frozen=True, slots=True)
class Need:
    """What each case takes [bytes], and how that grows with its context."""

    weights: np.ndarray
    kv: np.ndarray
    buffers: np.ndarray
    fixed_buffers: np.ndarray
    growth: Growth

    @property
    def total(self) -> np.ndarray:
        return self.weights + self.kv + self.buffers


def published_bytes(facts: Arrays, cases: Cases) -> np.ndarray:
    """Size of the published artifact each case would run [bytes]; NaN where none is known."""
    v, at = facts.variants, cases.variant
    ollama = v.published_ollama_bytes[at]
    return np.where(
        facts.runtime_ollama[cases.runtime] & ~np.isnan(ollama), ollama, v.published_bytes[at]
    )


def held_weight_bytes(facts: Arrays, cases: Cases) -> np.ndarray:
    """Weights in memory [bytes]: the published artifact's where its size is known, else computed.

    Without the vision tower where the runtime leaves it on the disk.
    """
    v, at = facts.variants, cases.variant
    published, tower = published_bytes(facts, cases), v.vision_bytes[at]
    whole = np.where(np.isnan(published), v.weight_bytes[at] + tower, published)
    return whole - np.where(facts.runtime_loads_vision[cases.runtime], 0.0, tower)


def needs(facts: Arrays, rules: MemoryRules, cases: Cases) -> Need:
    """The memory of each case, at its context."""
    v, at = facts.variants, cases.variant
    on_mlx = v.format[at] == MLX
    growth = Growth(
        growing_bytes_per_token=memory.growing_bytes_per_token(
            full_bytes_per_token=v.full_bytes_per_token[at],
            latent_bytes_per_token=v.latent_bytes_per_token[at],
            kv_bits=cases.kv_bits,
            cache_quantizes=v.cache_quantizes[at],
        ),
        sliding_bytes_per_token=v.sliding_bytes_per_token[at],
        window_tokens=v.window_tokens[at],
        state_bytes=v.state_bytes[at],
        batch=cases.batch,
        chunk_bytes_per_token=on_mlx
        * memory.mlx_chunk_bytes_per_token(
            hidden_size=v.hidden_size[at],
            sliding_bytes_per_token=v.sliding_bytes_per_token[at],
            is_hybrid=v.state_bytes[at] > 0,
            bytes_per_hidden=rules.mlx_bytes_per_hidden,
            hybrid_bytes_per_hidden=rules.mlx_hybrid_bytes_per_hidden,
        ),
        chunk_tokens=rules.prefill_chunk_tokens,
    )
    fixed = np.where(
        on_mlx,
        rules.mlx_fixed_bytes,
        memory.llama_cpp_buffer_bytes(
            hidden_size=v.hidden_size[at],
            vocab_size=v.vocab_size[at],
            ubatch_tokens=rules.llama_cpp_ubatch_tokens,
        ),
    )
    return Need(
        weights=held_weight_bytes(facts, cases),
        kv=memory.kv_bytes(
            growing_bytes_per_token=growth.growing_bytes_per_token,
            sliding_bytes_per_token=growth.sliding_bytes_per_token,
            window_tokens=growth.window_tokens,
            state_bytes=growth.state_bytes,
            context_tokens=cases.context_tokens,
            batch=cases.batch,
        ),
        buffers=fixed + memory.chunk_bytes(growth, cases.context_tokens),
        fixed_buffers=fixed,
        growth=growth,
    )


def capacity(
    facts: Arrays, rules: MemoryRules, room: Budgets, cases: Cases
) -> dict[str, np.ndarray]:
    """The table's columns on memory; see the package glossary for units.

    ``idle_verdict`` is the answer with nothing else running, beside the one for now.
    """
    v, at, machine = facts.variants, cases.variant, cases.machine
    need = needs(facts, rules, cases)
    total, budget, raised = need.total, room.budget[machine], room.raised[machine]
    limits = {
        "total_bytes": total,
        "raised_bytes": raised,
        "paging_bytes": room.paging[machine],
        "runs_on_mlx": (v.format[at] == MLX) & ~facts.runtime_ollama[cases.runtime],
    }
    word = verdict(**limits, budget_bytes=budget, unused_bytes=room.unused[machine])
    idle = word
    if (room.unused < room.memory).any():
        idle = verdict(
            **limits,
            budget_bytes=room.gpu_limit[machine],
            unused_bytes=room.memory[machine],
        )
    published = published_bytes(facts, cases)
    most = memory.largest_context_tokens(
        free_bytes=np.nan_to_num(budget) - need.weights - need.fixed_buffers,
        growth=need.growth,
        max_context_tokens=v.max_context_tokens[at],
    )
    return {
        "weight_bytes": need.weights,
        "weight_basis": np.where(np.isnan(published), "computed", "published").astype(object),
        "computed_weight_bytes": v.weight_bytes[at],
        "published_weight_bytes": published,
        "kv_bytes": need.kv,
        "buffer_bytes": need.buffers,
        "total_bytes": total,
        "gpu_limit_bytes": room.gpu_limit[machine],
        "budget_bytes": budget,
        "verdict": word,
        "idle_verdict": idle,
        "raise_limit_mib": np.where(word == RAISE_LIMIT, raised / MIB, np.nan),
        "max_context_tokens": np.where(np.isnan(budget), np.nan, most),
    }


def context_problems(facts: Arrays, cases: Cases) -> np.ndarray:
    """A sentence for each flat case whose context is past the model's own maximum; else ""."""
    rows = (len(cases.variant),)
    most = facts.variants.max_context_tokens[cases.variant]
    context = np.broadcast_to(cases.context_tokens, rows)
    text = np.full(rows, "", dtype=object)
    for row in np.flatnonzero((most > 0) & (context > most)):
        text[row] = (
            f"A context of {format_tokens(context[row])} tokens is past this model's own "
            f"maximum of {format_tokens(most[row])}."
        )
    return text


def cache_notes(facts: Arrays, cases: Cases) -> np.ndarray:
    """A sentence for each flat case whose cache cannot be as narrow as asked; else ""."""
    kept = (np.asarray(cases.kv_bits) < 16) & ~facts.variants.cache_quantizes[cases.variant]
    return np.where(kept, KEPT_AT_16_BITS, "").astype(object)
