"""Candidates as arrays: what each model, quantization and cache width takes and gives."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

import numpy as np


@dataclass(frozen=True)
class Candidates:
    """Arrays over candidates (first axis), classes or options (second).

    An option is a context and a number of sequences; ``total_bytes`` is infinite where the
    model's own maximum is below its context. ``reserve_bytes`` is what a kept prefix takes.
    ``cold_s`` is the first token of a model loaded on demand: load, then the whole prompt.
    ``seconds`` are of a mean request, ``start_s`` of them up to its first token; ``busy_s`` is how
    long it keeps the GPU. ``slow`` and ``fast`` are the ends of the engine's 80 % interval of
    decoding as factors on its time, ``slow_start`` and ``fast_start`` those of the first token.
    """

    model: np.ndarray
    model_id: np.ndarray
    quant_id: np.ndarray
    kv_bits: np.ndarray
    embedder: np.ndarray
    option_context: np.ndarray
    option_slots: np.ndarray
    total_bytes: np.ndarray
    weight_bytes: np.ndarray
    kv_bytes: np.ndarray
    load_s: np.ndarray
    suits: np.ndarray  # [class, option]
    can: np.ndarray
    meets: np.ndarray
    meets_cold: np.ndarray
    reserve_bytes: np.ndarray
    decode_tok_s: np.ndarray
    slow: np.ndarray
    fast: np.ndarray
    slow_start: np.ndarray
    fast_start: np.ndarray
    ttft_s: np.ndarray
    cold_s: np.ndarray
    start_s: np.ndarray
    seconds: np.ndarray
    seconds_cold: np.ndarray
    busy_s: np.ndarray
    quality: np.ndarray
    quality_low: np.ndarray
    quality_high: np.ndarray
    basis: np.ndarray
    budget_bytes: float = field(default=0.0)

    def __len__(self) -> int:
        return len(self.model)

    def take(self, rows: np.ndarray) -> Candidates:
        """Only these candidates."""
        whole = ("option_context", "option_slots", "suits", "budget_bytes")
        kept = {
            f.name: value if f.name in whole else value[rows]
            for f in fields(self)
            for value in [getattr(self, f.name)]
        }
        return Candidates(**kept)
