"""What to measure: one model in one quantization, at some depths and prompt lengths."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from advisor.errors import InputError, unknown
from advisor.units import GB

if TYPE_CHECKING:
    from advisor.catalog import Catalog

SLICE, WHOLE = "slice", "whole"
# The deepest that every model of the catalog can hold, and what a chat has.
DEPTHS = (128, 1024, 4096)
PROMPTS = (128, 512)
QUICK_DEPTHS = (128, 2048)
QUICK_PROMPTS = (512,)
# A CPU takes as long for a prompt of some tokens as a Mac for one of thousands.
CPU_DEPTHS = (64, 512, 2048)
CPU_PROMPTS = (8, 32)
QUICK_CPU_DEPTHS = (64, 512)
QUICK_CPU_PROMPTS = (4,)
LIMIT_S = 30.0
QUICK_LIMIT_S = 3.0
USUAL_BYTES = 2 * GB
# Small to large and of every kind, so that overhead and bandwidth part from each other.
QUICK = (
    ("qwen3-0.6b", "mlx-4bit"),
    ("llama-3.2-3b", "mlx-8bit"),
    ("qwen3-8b", "mlx-4bit"),
    ("gemma-3-4b", "mlx-4bit"),
    ("qwen3-30b-a3b", "mlx-4bit"),
    ("qwen3.5-4b", "mlx-4bit"),
)
# A CPU measures in a minute only what is small.
QUICK_ON_CPU = (
    ("smollm2-135m", "mlx-4bit"),
    ("smollm2-135m", "mlx-8bit"),
    ("gemma-3-270m", "mlx-4bit"),
    ("lfm2-350m", "mlx-4bit"),
    ("granite-4.0-h-tiny", "mlx-4bit"),
    ("smollm2-360m", "mlx-4bit"),
)


@dataclass(frozen=True)
class Point:
    """One thing to measure; written to the measuring process as JSON.

    kind            "slice": random weights, a few layers; "whole": the model at ``path``
    config          the model's config.json; empty for a whole run
    bits, group_size, mode   the quantization as MLX knows it
    depths          tokens in the cache while decoding
    prompt_tokens   lengths of the prompts that are timed
    usual_bytes     what slices may weigh if any design does; more only where none does [bytes]
    most_bytes      what may be built at all; None: what is free here [bytes]
    limit_s         when to stop repeating [s]
    """

    kind: str
    model: str
    quant_id: str
    config: Mapping[str, Any] = field(default_factory=dict)
    bits: int | None = None
    group_size: int | None = None
    mode: str = "none"
    path: str = ""
    depths: tuple[int, ...] = ()
    prompt_tokens: tuple[int, ...] = ()
    kv_bits: int = 16
    usual_bytes: int = USUAL_BYTES
    most_bytes: int | None = None
    limit_s: float = LIMIT_S

    @property
    def label(self) -> str:
        return f"{self.model} {self.quant_id}".strip()

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Point:
        fields = json.loads(text)
        for name in ("depths", "prompt_tokens"):
            fields[name] = tuple(fields[name])
        return cls(**fields)


def of(
    catalog: Catalog, model_id: str, quant_id: str, *, quick: bool = False, metal: bool = True
) -> Point:
    """A slice run of a catalog model. Raises ``InputError`` where MLX has no such weights.

    metal   whether a Mac's GPU measures; a CPU gets shorter prompts and contexts
    """
    model = catalog.model(model_id)
    if not model.buildable:
        raise InputError(f"{model_id} cannot be measured: {model.not_buildable_because}")
    if quant_id not in catalog.quants:
        raise unknown("quantization", quant_id, catalog.quant_ids)
    quant = catalog.quants[quant_id]
    if quant.format != "mlx":
        raise InputError(
            f"{quant_id} is a GGUF quantization and slices run in MLX. Choose one such as "
            "mlx-4bit, or measure the file with llama-bench."
        )
    depths, prompts = lengths(quick=quick, metal=metal)
    return Point(
        kind=SLICE,
        model=model_id,
        quant_id=quant_id,
        config=model.config,
        bits=None if quant.mode == "none" else int(quant.bits),
        group_size=quant.group_size,
        mode=quant.mode,
        depths=depths,
        prompt_tokens=prompts,
        limit_s=QUICK_LIMIT_S if quick else LIMIT_S,
    )


def lengths(*, quick: bool, metal: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Depths and prompt lengths to time [tokens]."""
    if quick:
        return (QUICK_DEPTHS, QUICK_PROMPTS) if metal else (QUICK_CPU_DEPTHS, QUICK_CPU_PROMPTS)
    return (DEPTHS, PROMPTS) if metal else (CPU_DEPTHS, CPU_PROMPTS)


def chosen(
    catalog: Catalog, models: Sequence[str], quants: Sequence[str], *, quick: bool, metal: bool
) -> Iterator[Point]:
    """The points of these models in these quantizations; without models those of ``QUICK``."""
    pairs: Sequence[tuple[str, str]] = QUICK if metal else QUICK_ON_CPU
    if models:
        pairs = [(model, quant) for model in models for quant in quants or ("mlx-4bit",)]
    for model_id, quant_id in pairs:
        yield of(catalog, model_id, quant_id, quick=quick, metal=metal)
