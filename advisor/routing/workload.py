"""Workloads: the classes of request that a machine must answer, and what each asks of it.

A class has a share of the requests, lengths of prompt and output, a prefix that stays the same
from one request to the next, floors for speed and first token, and how many come at once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from advisor.catalog.files import check_backed, parse, read_toml, shown
from advisor.catalog.shapes import Fact, Source
from advisor.errors import CatalogError, unknown

if TYPE_CHECKING:
    from advisor.catalog import Catalog

P90_SIGMAS = 1.2815515655446004  # standard deviations from the median to the 90th percentile
CONTEXT_STEP_TOKENS = 1024
MOST_TOKENS = 16 * 2**20
SCALES = ("short", "chat", "code", "long", "agent", "reasoning", "embeddings")
FIGURES = (
    "share", "prompt_p50_tokens", "prompt_p90_tokens", "output_p50_tokens", "output_p90_tokens",
    "prefix_share", "least_tok_s", "most_ttft_s", "concurrency", "least_quality",
)  # fmt: skip


class RequestClass(Fact):
    """One kind of request.

    scale         the quality scale it is judged by, one of ``SCALES``
    share         its part of all requests; shares are scaled to sum to 1
    prefix_share  part of a prompt that is the same as before and may come from a cache, 0 to <1
    least_tok_s   floor of decoding, of one sequence [tokens/s]; 0 none
    most_ttft_s   longest wait for the first token [s]
    concurrency   requests of the class in flight at once
    least_quality floor of quality on the scale, 0 to 1: a quick answer of no use is none
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")
    name: str = Field(min_length=1, max_length=60)
    scale: str
    share: float = Field(ge=0)
    prompt_p50_tokens: float = Field(gt=0, le=MOST_TOKENS)
    prompt_p90_tokens: float = Field(gt=0, le=MOST_TOKENS)
    output_p50_tokens: float = Field(ge=0, le=MOST_TOKENS)
    output_p90_tokens: float = Field(ge=0, le=MOST_TOKENS)
    prefix_share: float = Field(ge=0, lt=1, default=0.0)
    least_tok_s: float = Field(ge=0, default=0.0)
    most_ttft_s: float = Field(gt=0)
    concurrency: int = Field(ge=1, le=256, default=1)
    least_quality: float = Field(ge=0, lt=1, default=0.0)
    images: bool = False
    tools: bool = False
    sources: tuple[Source, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.scale not in SCALES:
            raise ValueError(f"scale is one of {', '.join(SCALES)}, not {self.scale!r}")
        for what, low, high in (
            ("prompt", self.prompt_p50_tokens, self.prompt_p90_tokens),
            ("output", self.output_p50_tokens, self.output_p90_tokens),
        ):
            if low > high:
                raise ValueError(
                    f"{self.id}: half of the {what}s have {low:,.0f} tokens or more, so nine in "
                    f"ten cannot end at {high:,.0f}. Raise {what}_p90_tokens"
                )
        if self.embeds:
            if self.output_p90_tokens:
                raise ValueError(f"{self.id}: embeddings have no output tokens. Write 0")
        elif self.output_p50_tokens < 1:
            raise ValueError(f"{self.id}: an answer has 1 output token or more")
        return self

    @property
    def embeds(self) -> bool:
        return self.scale == "embeddings"

    @property
    def context_tokens(self) -> int:
        """Context that nine in ten requests stay within, in whole steps of 1,024 tokens."""
        whole = self.prompt_p90_tokens + self.output_p90_tokens
        return math.ceil(whole / CONTEXT_STEP_TOKENS) * CONTEXT_STEP_TOKENS

    @property
    def prefix_tokens(self) -> float:
        """Tokens of the p90 prompt that a prefix cache may hold."""
        return self.prefix_share * self.prompt_p90_tokens

    @property
    def prompt_mean_tokens(self) -> float:
        return lognormal_mean(self.prompt_p50_tokens, self.prompt_p90_tokens)

    @property
    def output_mean_tokens(self) -> float:
        return lognormal_mean(self.output_p50_tokens, self.output_p90_tokens)


class Workload(Fact):
    """Classes of request and how often they come.

    requests_per_hour   all classes together, in a busy hour
    hosted              whether a hosted model may answer what this machine cannot
    most_busy_share     part of an hour that the GPU may be at work; more, and requests queue
    """

    id: str = Field(min_length=1, max_length=60)
    name: str = Field(min_length=1, max_length=80)
    note: str = ""
    requests_per_hour: float = Field(gt=0, le=1e7)
    hosted: bool = True
    most_busy_share: float = Field(gt=0, le=1, default=0.7)
    classes: tuple[RequestClass, ...] = Field(min_length=1, max_length=24)
    sources: tuple[Source, ...] = ()

    @model_validator(mode="after")
    def _sums_to_something(self) -> Self:
        ids = [c.id for c in self.classes]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"the class {twice!r} is there twice. Rename or remove one")
        if not sum(c.share for c in self.classes) > 0:
            raise ValueError(
                "the shares of all classes are 0, so there is nothing to route. "
                "Give at least one class a share above 0"
            )
        return self

    @property
    def shares(self) -> tuple[float, ...]:
        """Each class's part of the requests; sums to 1."""
        whole = sum(c.share for c in self.classes)
        return tuple(c.share / whole for c in self.classes)


def lognormal_mean(p50: float, p90: float) -> float:
    """Mean of a lognormal distribution by its median and 90th percentile.

    Request lengths are close to lognormal up to their 90th percentile; beyond it the traces'
    tails differ, so a mean from these two leaves out rare giants.
    """
    if p50 <= 0:
        return p90 / 2
    sigma = math.log(p90 / p50) / P90_SIGMAS
    return p50 * math.exp(sigma * sigma / 2)


def presets(catalog: Catalog) -> dict[str, Workload]:
    """The catalog's workloads by id, each figure backed by a source.

    Raises ``CatalogError`` for a broken file.
    """
    folder = catalog.root / "workloads"
    return {path.stem: preset(catalog, path.stem) for path in sorted(folder.glob("*.toml"))}


def preset(catalog: Catalog, workload_id: str) -> Workload:
    """One workload of the catalog. Raises ``InputError`` for an unknown id."""
    path = catalog.root / "workloads" / f"{workload_id}.toml"
    names = sorted(p.stem for p in path.parent.glob("*.toml"))
    if workload_id not in names:
        raise unknown("workload", workload_id, names, f"{catalog.root.name}/workloads/")
    where = shown(path, catalog.root)
    workload = parse(Workload, read_toml(path, catalog.root), where)
    if workload.id != workload_id:
        raise CatalogError(
            f"{where}: id is {workload.id!r}, the file's name says {workload_id!r}. "
            "Make them the same."
        )
    check_backed(
        ["requests_per_hour", "most_busy_share"], workload.sources, where, known={"hosted"}
    )
    for request in workload.classes:
        check_backed(FIGURES, request.sources, f"{where}, class {request.id}", known=set(FIGURES))
    return workload
