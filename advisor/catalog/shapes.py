"""The shapes of facts: what a catalog file may say. Strict: an unknown field is an error.

Files keep a figure as its source prints it (``bandwidth_gb_per_s = 546``); properties convert.
Every figure is backed by a source; ``check_backed`` refuses one that is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from advisor.units import GB, GIB

Confidence = Literal["high", "medium", "low"]
Tier = Literal["base", "pro", "max", "ultra"]
Format = Literal["mlx", "gguf"]
LINK_NOT_KEPT = "public file, link not kept"


class Fact(BaseModel):
    """Base of everything read from a catalog file: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(Fact):
    """Where figures come from. ``url`` may be ``public file, link not kept`` (low confidence)."""

    backs: tuple[str, ...] = Field(min_length=1)
    url: str = Field(min_length=1)
    seen: date | None = None
    confidence: Confidence = "high"
    note: str = ""


class Chip(Fact):
    """One bin of an Apple chip. GPU cores (or, on the M6, memory) decide its bandwidth."""

    id: str
    name: str  # "M4 Pro": what people call it
    generation: int = Field(ge=1)  # 4 for M4
    tier: Tier
    cpu_cores: int = Field(gt=0)
    gpu_cores: int = Field(gt=0)
    bandwidth_gb_per_s: float = Field(gt=0)
    memory_gb: tuple[int, ...] = ()  # set only where memory decides the bin (M6)
    memory_type: str = ""
    neural_accelerators: bool  # in the GPU cores: M5 and later
    gpu_clock_mhz: int | None = None
    fp16_tflops_computed: float | None = None
    fp16_tflops_measured: float | None = None
    power_w: float | None = None
    released: str
    note: str = ""
    sources: tuple[Source, ...] = Field(min_length=1)

    @property
    def bandwidth_bytes_per_s(self) -> float:
        return self.bandwidth_gb_per_s * GB


class Price(Fact):
    """A dated list price; a new price is a new row, the old one stays."""

    memory_gb: int
    usd: int = Field(gt=0)
    on: str  # a date or month, as the source gives it
    kind: str  # "launch list", "list after rise", "derived: ..."
    ssd_gb: int | None = None


class Mac(Fact):
    """A Mac in one chip bin with its memory options; ``<id>-<memory_gb>`` is a machine id."""

    id: str  # "mac-mini-m4-pro"
    name: str  # "Mac mini (2024)"
    year: int
    chips: tuple[str, ...] = Field(min_length=1)  # chip ids; several only where memory decides (M6)
    memory_gb: tuple[int, ...] = Field(min_length=1)
    prices: tuple[Price, ...] = ()
    status: Literal["current", "discontinued", "announced"]
    status_note: str = ""
    idle_w: float | None = None
    max_w: float | None = None
    note: str = ""
    sources: tuple[Source, ...] = Field(min_length=1)


class Quant(Fact):
    """A quantization as the field writes it."""

    id: str  # "mlx-4bit", "Q4_K_M", "bf16"
    format: Format
    bits: float = Field(gt=0)  # nominal bits of a weight
    mode: Literal["affine", "mxfp4", "nvfp4", "mxfp8", "none", "gguf"]
    group_size: int | None = None
    bits_per_weight: float | None = None  # GGUF: measured over whole files
    quality_class: int = Field(ge=2, le=16)  # the whole bits it counts as when 3 and below is no pick
    listed: bool = True  # shown in whole-catalog tables; the rest only answer when asked for
    aliases: tuple[str, ...] = ()
    note: str = ""


class Runtime(Fact):
    """A program that runs models on a Mac."""

    id: str  # "mlx-lm"
    name: str
    formats: tuple[Format, ...] = Field(min_length=1)  # the first is its default
    note: str = ""


class Model(Fact):
    """A model: who made it, how it is named, and its config as mlx-lm wants it."""

    id: str
    name: str  # "Qwen3-30B-A3B"
    hf_id: str
    family: str  # "Qwen3"
    license: str = ""
    released: str = ""
    buildable: bool = True
    not_buildable_because: str = ""
    vision_bytes: int | None = None  # tower that multimodal repositories add, never quantized
    card_params_b: float | None = None
    card_active_params_b: float | None = None
    aliases: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()  # "chat", "code", "reasoning", "vision", ...
    note: str = ""
    sources: tuple[Source, ...] = Field(min_length=1)
    config: dict[str, Any]


@dataclass(frozen=True)
class Machine:
    """A Mac as the engine sees it. ``memory_gb`` None: speeds only, no budget, no verdict."""

    id: str  # catalog id, or "" for one given in parts
    label: str  # "Mac mini M4 Pro, 48 GB"
    chip: Chip
    memory_gb: int | None
    macos: int = 26
    wired_limit_mib: int | None = None
    in_use_bytes: int = 0  # held by other programs, wired and compressed included
    other_bins: tuple[Chip, ...] = ()  # bins the input leaves open; the interval covers them
    assumed: tuple[str, ...] = ()  # "gpu_cores=40", "macos=26"

    @property
    def memory_bytes(self) -> int | None:
        return None if self.memory_gb is None else self.memory_gb * GIB
