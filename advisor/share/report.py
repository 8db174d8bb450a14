"""The shape of a report: everything a comparison says and stands on, as one JSON object.

It is written here and read back elsewhere, so it is strict about what it means and lenient
about what it does not know: fields of a later version are left out, not refused.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

KIND = "Tollbooth report"
FORMAT = 1
Text = Annotated[str, Field(max_length=2000)]
Short = Annotated[str, Field(max_length=200)]


class Part(BaseModel):
    """Base of all parts: frozen, no infinities; bytes, seconds and tokens as everywhere."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class Choice(Part):
    """One model in one quantization on one machine: the engine's row."""

    model_id: Short
    model: Short
    quant_id: Short
    runtime: Short
    context_tokens: int
    weight_bytes: float
    kv_bytes: float
    buffer_bytes: float
    total_bytes: float
    verdict: Short
    change: Text = ""
    max_context_tokens: float | None
    weights_s: float
    kv_s: float
    overhead_s: float
    decode_tok_s: float
    decode_low: float
    decode_high: float
    prefill_tok_s: float
    ttft_s: float
    ttft_low: float
    ttft_high: float
    basis: Short
    runs: int  # public runs of its chip and runtime
    score: float | None = None  # published, by ``scored_by`` of the report


class Price(Part):
    """A dated list price [USD]."""

    usd: float
    on: Short
    kind: Short


class Backing(Part):
    """Where figures of a machine come from."""

    url: Text
    seen: Short = ""
    backs: tuple[Short, ...] = ()


class MachineReport(Part):
    """A machine and what it runs; ``models`` holds each model that fits, best first."""

    id: Short
    name: Short
    label: Short
    status: Short
    chip: Short
    gpu_cores: int
    memory_gb: int
    memory_bytes: float
    bandwidth_gb_per_s: float
    macos: int
    in_use_bytes: float
    wired_limit_mib: int | None
    gpu_limit_bytes: float
    budget_bytes: float
    assumed: tuple[Text, ...] = ()
    prices: tuple[Price, ...] = ()
    sources: tuple[Backing, ...] = ()
    best: Choice | None
    fast: Choice | None
    same: Choice
    models: tuple[Choice, ...] = ()


class Answered(Part):
    """What answers a class of request on one machine; ``model`` "" where nothing here does."""

    machine_id: Short
    model: Short = ""
    quant_id: Short = ""
    decode_tok_s: float | None = None
    decode_low: float | None = None
    decode_high: float | None = None
    ttft_s: float | None = None
    ttft_low: float | None = None
    ttft_high: float | None = None
    quality: float | None = None  # 0 to 1, on the class's own scale
    basis: Short = ""  # of the quality


class Request(Part):
    """A class of request and what answers it on each machine.

    needs   its context and floors in words
    share   of all requests, 0 to 1, where a workload says it
    """

    id: Short
    name: Short
    needs: Text
    share: float | None = None
    what: Short = ""  # what changes, in a word or two
    answers: tuple[Answered, ...]


class Table(Part):
    """A table of texts under its title."""

    title: Short
    columns: tuple[Short, ...]
    rows: tuple[tuple[Text, ...], ...]


class Section(Part):
    """Sentences and tables under a heading."""

    title: Short
    said: tuple[Text, ...] = ()
    tables: tuple[Table, ...] = ()
    note: Text = ""


class Run(Part):
    """A public measured run, as its source prints it."""

    id: Short
    chip: Short
    gpu_cores: float | None
    memory_gb: float | None
    runtime: Short
    runtime_version: Short | None
    model: Short
    quant: Short
    context_tokens: float | None
    decode_tok_s: float | None
    prefill_tok_s: float | None
    ttft_s: float | None
    source_url: Text
    source_date: Short | None
    confidence: Short


class HowRight(Part):
    """How far predictions of this runtime were off on runs the fit had not seen [share]."""

    of: Short
    runs: int
    median_error: float
    inside_80: float | None = None


class Report(Part):
    """A whole comparison."""

    kind: Literal["Tollbooth report"] = "Tollbooth report"
    format: int = FORMAT
    made: datetime
    tollbooth: Short
    catalog: Short
    page: Short
    link: Annotated[str, Field(max_length=4000)]  # the query part, sealed
    link_note: Text = ""
    scenario: dict[Short, Short]
    runtime_name: Short
    context_tokens: int
    least_tok_s: float
    verdict: Text
    claims: tuple[Text, ...]
    machines: Annotated[tuple[MachineReport, ...], Field(min_length=1, max_length=12)]
    requests: tuple[Request, ...]
    routed_by: Text
    sections: tuple[Section, ...] = ()
    upgrade: dict[str, Any] | None = None  # every number of an upgrade; never shown from a file
    ordered_by: Text
    how_right: HowRight
    evidence: tuple[Run, ...]
