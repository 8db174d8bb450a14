"""What one run found: times with their spread, how they were made, and what disturbed them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StepAt:
    """A decode step at a depth: median and 80 % interval; processor time beside it [s].

    samples    what each repeat would give on its own for the whole model [s]
    slices_s   median of each slice, as it was timed [s]
    """

    context_tokens: int
    step_s: float
    low_s: float
    high_s: float
    cpu_step_s: float
    repeats: int
    samples: tuple[float, ...]
    slices_s: tuple[float, ...]

    @property
    def decode_tok_s(self) -> float:
        return 1 / self.step_s if self.step_s > 0 else 0.0


@dataclass(frozen=True)
class PromptAt:
    """A prompt to its first token: median and 80 % interval [s]."""

    prompt_tokens: int
    seconds: float
    low_s: float
    high_s: float
    repeats: int

    @property
    def prefill_tok_s(self) -> float:
        return self.prompt_tokens / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Measurement:
    """One finished run.

    kind         "slice" or "whole"
    how          a sentence: what was built and how the figure came from it
    slices       for each slice the layers built of each kind, and its weight in the sum
    outside_s    embedding and head in one step, None where the slices cannot tell [s]
    experts_touched  different experts that a few random tokens used in each layer, 0 without any
    peak_memory_bytes  of MLX in the measuring process [bytes]
    """

    kind: str
    model: str
    quant_id: str
    steps: tuple[StepAt, ...]
    prompts: tuple[PromptAt, ...]
    how: str
    slices: tuple[Mapping[str, Any], ...]
    outside_s: float | None
    experts_touched: int
    peak_memory_bytes: int
    weight_bytes: int
    layers: int
    metal: bool
    device: str
    dtype: str
    runtime: str
    runtime_version: str
    mlx_version: str
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as they are written to a line of JSON."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Measurement:
        plain = dict(fields)
        plain["steps"] = tuple(
            StepAt(
                **{**step, "samples": tuple(step["samples"]), "slices_s": tuple(step["slices_s"])}
            )
            for step in plain["steps"]
        )
        plain["prompts"] = tuple(PromptAt(**prompt) for prompt in plain["prompts"])
        plain["slices"] = tuple(plain["slices"])
        plain["warnings"] = tuple(plain["warnings"])
        return cls(**plain)
