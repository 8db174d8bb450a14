"""A run to change parts of, as a calibration would make it."""

from typing import Any

from advisor.runs import Run, RunMachine, new

MACHINE = RunMachine(
    chip="M4 Pro", gpu_cores=16, memory_gb=48, macos="26.2", label="MacBook Pro (Mac16,8)"
)
FIELDS: dict[str, Any] = {
    "created": "2026-12-01T13:05:26.5Z",
    "kind": "slice",
    "machine": MACHINE,
    "runtime": "mlx-lm",
    "runtime_version": "0.32.2",
    "model": "mlx-community/Qwen3-8B-4bit",
    "model_id": "qwen3-8b",
    "quant": "4bit",
    "quant_id": "mlx-4bit",
    "context_tokens": 8192,
    "prompt_tokens": 512,
    "decode_tok_s": 43.6,
    # Figures that a decimal text would round.
    "decode_low": 43.6 * (1 - 1 / 3),
    "decode_high": 1 / 0.0229,
    "prefill_tok_s": 388.25,
    "peak_memory_bytes": 5_300_000_000,
    "samples": (0.0229, 0.1 + 0.2, 1e-9),
    "settings": {"depths": [0, 8192], "warm-up": 3, "nested": {"ä": "€", "none": None}},
    "warnings": ("The Mac was on battery.",),
    "catalog_digest": "0123456789ab",
}


def a_run(**changed: Any) -> Run:
    return new(**{**FIELDS, **changed})
