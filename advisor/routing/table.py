"""The routing table: what stays in memory, and which of it answers each class of request."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.catalog.shapes import Machine


@dataclass(frozen=True, slots=True)
class Resident:
    """A model kept in memory, or loaded on demand into the swap slot.

    name             short and unique in the table, letters, digits and dashes: "qwen3-4b-4bit"
    context_tokens   context each of its ``slots`` sequences may reach
    load_s           seconds to load it from the internal drive
    """

    name: str
    model_id: str
    quant_id: str
    kv_bits: int
    context_tokens: int
    slots: int
    weight_bytes: float
    kv_bytes: float
    buffer_bytes: float
    load_s: float
    on_demand: bool = False
    embedder: bool = False

    @property
    def total_bytes(self) -> float:
        return self.weight_bytes + self.kv_bytes + self.buffer_bytes


@dataclass(frozen=True, slots=True)
class Route:
    """One class of request and what answers it; ``resident`` "" means a hosted model does.

    decode_tok_s, ttft_s and their lows and highs are 80 % intervals at the class's p90 lengths;
    quality is 0 to 1 on the class's own scale.
    """

    class_id: str
    resident: str
    share: float
    context_tokens: int
    decode_tok_s: float
    decode_low: float
    decode_high: float
    ttft_s: float
    ttft_low: float
    ttft_high: float
    quality: float
    quality_basis: str  # "published", "estimated" or "yours"
    meets_floors: bool
    reason: str
    runner_up: str
    robust: bool  # the same choice over the intervals of speed and quality
    flips: str = ""  # what else would answer, and when; "" where the choice is robust


@dataclass(frozen=True, slots=True)
class RoutingTable:
    """An answer that can be shown, exported and checked; bytes are of this machine."""

    machine: Machine
    runtime: str
    workload_id: str
    residents: tuple[Resident, ...]
    routes: tuple[Route, ...]
    budget_bytes: float
    reserve_bytes: float  # kept for prefix caches
    gap: float  # proven distance to the optimum, 0 when proved
    problems: tuple[str, ...]  # which floor breaks, and what would mend it

    @property
    def used_bytes(self) -> float:
        """Residents and the largest of those loaded on demand."""
        always = sum(r.total_bytes for r in self.residents if not r.on_demand)
        return always + max((r.total_bytes for r in self.residents if r.on_demand), default=0.0)
