"""The shapes of facts: what a catalog file may say. Strict: an unknown field is an error.

Files keep a figure as its source prints it (``bandwidth_gb_per_s = 546``); properties convert.
Every figure is backed by a source; ``check_backed`` refuses one that is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from advisor.units import GB, GIB

Confidence = Literal["high", "medium", "low"]
Tier = Literal["base", "pro", "max", "ultra"]
Format = Literal["mlx", "gguf"]
LINK_NOT_KEPT = "public file, link not kept"
GENERAL_KNOWLEDGE = "general knowledge"


class Fact(BaseModel):
    """Base of everything read from a catalog file: frozen, no unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Source(Fact):
    """Where figures come from.

    ``url`` may be ``public file, link not kept``, which is of low confidence, or ``general
    knowledge``, which is never of high confidence.
    """

    backs: tuple[str, ...] = Field(min_length=1)
    url: str = Field(min_length=1)
    seen: date | None = None
    confidence: Confidence = "high"
    note: str = ""

    @model_validator(mode="after")
    def _as_sure_as_its_link(self) -> Self:
        if self.url.startswith(LINK_NOT_KEPT) and self.confidence != "low":
            raise ValueError(f"a source with {LINK_NOT_KEPT!r} has confidence 'low'")
        if self.url == GENERAL_KNOWLEDGE and self.confidence == "high":
            raise ValueError(f"{GENERAL_KNOWLEDGE!r} has confidence 'low' or 'medium'")
        return self


class Chip(Fact):
    """One bin of an Apple chip. GPU cores (or, on the M6, memory) decide its bandwidth."""

    id: str
    name: str  # "M4 Pro": what people call it
    generation: int = Field(ge=1)  # 4 for M4
    tier: Tier
    cpu_cores: int = Field(gt=0)
    gpu_cores: int = Field(gt=0)
    bandwidth_gb_per_s: float = Field(gt=0)
    memory_gb: tuple[int, ...] = Field(min_length=1)  # the sizes this bin is sold with
    memory_type: str = ""
    neural_accelerators: bool  # in the GPU cores: M5 and later
    gpu_clock_mhz: int | None = Field(default=None, gt=0)
    fp16_tflops_measured: float | None = Field(default=None, gt=0)
    power_w: float | None = Field(default=None, gt=0)
    released: str
    note: str = ""
    sources: tuple[Source, ...] = Field(min_length=1)

    @property
    def bandwidth_bytes_per_s(self) -> float:
        return self.bandwidth_gb_per_s * GB

    @property
    def fp16_tflops_computed(self) -> float | None:
        """Peak of the shader cores: 128 lanes a core, a fused multiply-add a clock [TFLOPS].

        Holds for M1 to M4, whose fp16 rate equals fp32; neural accelerators come on top.
        """
        if self.gpu_clock_mhz is None:
            return None
        return self.gpu_cores * 128 * 2 * self.gpu_clock_mhz * 1e6 / 1e12


class Price(Fact):
    """A dated list price; a new price is a new row, the old one stays."""

    memory_gb: int
    usd: int = Field(gt=0)
    on: str = Field(pattern=r"^\d{4}-\d{2}(-\d{2})?$")  # a day or a month
    kind: str  # "launch list", "list after rise", "derived: ..."
    ssd_gb: int | None = None


class Mac(Fact):
    """A Mac with its memory options; ``<id>-<memory_gb>`` is a machine id.

    ``bins`` says which chip bin each memory size comes with. Where a size is sold with two
    bins, the plain id holds the base one and the other bin is a Mac of its own
    (``mac-mini-m4-pro-20c``), so every machine id means one bin.
    """

    id: str  # "mac-mini-m4-pro"
    name: str  # "Mac mini (2024)"
    year: int
    bins: dict[str, tuple[int, ...]] = Field(min_length=1)  # chip id -> memory sizes [GB]
    prices: tuple[Price, ...] = ()
    status: Literal["current", "discontinued", "announced"]
    status_note: str = ""
    idle_w: float | None = Field(default=None, gt=0)
    max_w: float | None = Field(default=None, gt=0)
    note: str = ""
    sources: tuple[Source, ...] = Field(min_length=1)

    @property
    def chips(self) -> tuple[str, ...]:
        return tuple(self.bins)

    @property
    def memory_gb(self) -> tuple[int, ...]:
        return tuple(sorted(size for sizes in self.bins.values() for size in sizes))

    @property
    def chip_of_memory(self) -> dict[int, str]:
        return {size: chip for chip, sizes in self.bins.items() for size in sizes}

    @model_validator(mode="after")
    def _one_bin_a_size(self) -> Self:
        sizes = self.memory_gb
        if not sizes or len(set(sizes)) != len(sizes):
            raise ValueError("bins must give each memory size once")
        for price in self.prices:
            if price.memory_gb not in sizes:
                raise ValueError(
                    f"prices: {price.memory_gb} GB is no memory option of this Mac {sizes}"
                )
        return self


class Quant(Fact):
    """A quantization as the field writes it."""

    id: str  # "mlx-4bit", "Q4_K_M", "bf16"
    format: Format
    bits: float = Field(gt=0)  # nominal bits of a weight
    mode: Literal["affine", "mxfp4", "nvfp4", "mxfp8", "none", "gguf"]
    group_size: int | None = None
    bits_per_weight: float | None = Field(default=None, gt=0)  # GGUF: from gguf_bpw.csv
    quality_class: int = Field(
        ge=2, le=16
    )  # the whole bits it counts as when 3 and below is no pick
    # Shown in whole-catalog tables: always, never, or for models whose file of it is published;
    # the rest only answer when asked for.
    listed: bool | Literal["published"] = True
    aliases: tuple[str, ...] = ()
    note: str = ""


class Runtime(Fact):
    """A program that runs models on a Mac."""

    id: str  # "mlx-lm"
    name: str
    formats: tuple[Format, ...] = Field(min_length=1)  # the first is its default
    loads_vision: bool = True  # False: text only, a vision tower stays on the disk
    note: str = ""


class LimitBracket(Fact):
    """What macOS lets the GPU use from one memory size on: a share, or all but a reserve."""

    from_gb: int = Field(ge=0)
    fraction: float | None = Field(default=None, gt=0, lt=1)
    keep_gib: int | None = Field(default=None, gt=0)
    observed: bool = True  # some log shows it; False: the bracket is inferred

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.fraction is None) == (self.keep_gib is None):
            raise ValueError("a bracket needs either fraction or keep_gib")
        return self


class LimitRule(Fact):
    """The default GPU working set of a range of macOS versions, by memory size.

    ``ceil(float32(fraction) * memory_bytes / page_bytes) * page_bytes``, or memory less
    ``keep_gib``. The bracket with the largest ``from_gb`` not above the memory holds.
    """

    macos_from: int
    macos_to: int
    brackets: tuple[LimitBracket, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        starts = [bracket.from_gb for bracket in self.brackets]
        if self.macos_from > self.macos_to or starts[0] != 0 or starts != sorted(set(starts)):
            raise ValueError("brackets start at 0 GB and rise, macos_from is not above macos_to")
        return self


class MemoryRules(Fact):
    """How macOS and the runtimes share memory; the constants of every budget and verdict."""

    page_bytes: int = Field(gt=0)
    os_reserve_gib: float = Field(gt=0)  # left for macOS when the wired limit is raised
    paging_working_set_factor: float = Field(gt=0)  # MLX allocates up to this x working set,
    paging_memory_share: float = Field(gt=0, le=1)  # but no more than this share of memory
    mlx_collect_share: float = Field(gt=0, le=1)  # MLX frees its cache from here on
    max_buffer_share: float = Field(gt=0, le=1)  # of the default working set: one buffer
    llama_cpp_margin_gib: float = Field(ge=0)  # what llama.cpp's own fit leaves free
    prefill_chunk_tokens: int = Field(gt=0)  # prompt tokens MLX processes at once
    mlx_fixed_bytes: float = Field(ge=0)
    mlx_bytes_per_hidden: float = Field(ge=0)  # per token of a chunk and hidden dimension
    mlx_hybrid_bytes_per_hidden: float = Field(ge=0)  # on top, with recurrent layers
    llama_cpp_ubatch_tokens: int = Field(gt=0)
    gpu_limit: tuple[LimitRule, ...] = Field(min_length=1)
    sources: tuple[Source, ...] = Field(min_length=1)

    @property
    def macos_versions(self) -> tuple[int, ...]:
        """Major versions with a rule; macOS went from 15 to 26."""
        return tuple(
            version
            for rule in self.gpu_limit
            for version in range(rule.macos_from, rule.macos_to + 1)
        )


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
    default_limit_bytes: int | None = None  # macOS's own GPU limit as this Mac tells it
    # What its own runs taught (``estimate.corrections``), and what tells that apart, for caches.
    taught: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    taught_by: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from any other machine and from itself at another time, for caches."""
        return (
            self.id, self.chip.id, self.memory_gb, self.macos, self.wired_limit_mib,
            self.in_use_bytes, self.default_limit_bytes, self.taught_by,
        )  # fmt: skip

    @property
    def memory_bytes(self) -> int | None:
        return None if self.memory_gb is None else self.memory_gb * GIB
