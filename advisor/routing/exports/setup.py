"""What every export starts from: each resident's server, its files, and its port.

A table says which models stay in memory; a setup says how each is served: MLX files by
``mlx_lm.server``, GGUF files and embedders by ``llama-server``, one process and one port each.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from advisor.advice.commands import command, published_in
from advisor.errors import InputError
from advisor.routing.rules import kind_of
from advisor.routing.scales import embedders
from advisor.routing.table import Resident, Route, RoutingTable
from advisor.routing.workload import Workload

if TYPE_CHECKING:
    from advisor.catalog import Catalog

MLX, LLAMA = "mlx_lm.server", "llama-server"
HOSTED = "hosted"  # the name under which a hosted model is reached
OLLAMA_PORT = 11434
USUAL_OUTPUT_TOKENS = 1024
# One answer in ten is longer than the usual one, and must not be cut off.
LONGER_ANSWERS = 2
# Longer than nine in ten pauses between an agent's requests (129 s).
# Source: kv-cache-tester's traces of coding agents, 2026, gap between requests, p90.
USUAL_TTL_S = 600


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person may choose about the exports.

    ttl_s           seconds without a request after which a model loaded on demand is unloaded
    hosted          whether a hosted model stands behind the local ones; None: where the table
                    itself sends some class to one
    output_tokens   longest usual answer of a class (its p90) [tokens], by class id
    sources         a folder, file or repository to serve instead of the published one, by
                    resident name
    kinds           kind of request of a class, by class id, where the id does not say it
    """

    host: str = "127.0.0.1"
    first_port: int = 8081
    llama_swap_port: int = 8080
    litellm_port: int = 4000
    omlx_port: int = 8000
    ttl_s: int = USUAL_TTL_S
    hosted: bool | None = None
    output_tokens: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Server:
    """How one resident is served.

    source            repository, file or folder of the weights
    gguf_quant        the quantization to take from a repository of GGUF files, "" for MLX
    prepare           commands that bring the files onto this Mac
    output_tokens     longest answer it gives where a request does not say
    reserve_bytes     its part of the memory kept for prefix caches
    """

    resident: Resident
    program: str
    source: str
    gguf_quant: str
    prepare: str
    port: int
    classes: tuple[str, ...]
    output_tokens: int
    reserve_bytes: float

    @property
    def name(self) -> str:
        return self.resident.name


@dataclass(frozen=True, slots=True)
class Setup:
    """A table with a server for each resident."""

    table: RoutingTable
    servers: tuple[Server, ...]
    choices: Choices
    prefill_chunk_tokens: int
    microbatch_tokens: int

    @property
    def hosted(self) -> bool:
        """Whether a hosted language model stands behind those of this machine."""
        if self.choices.hosted is None:
            return any(r.resident == "" and not self.embeds(r) for r in self.table.routes)
        return self.choices.hosted

    @property
    def hosted_embeddings(self) -> bool:
        return any(r.resident == "" and self.embeds(r) for r in self.table.routes)

    def embeds(self, route: Route) -> bool:
        """Whether a class asks for embeddings."""
        if route.resident == "":
            return kind_of(route.class_id, self.choices.kinds) == "embeddings"
        return self.server(route.resident).resident.embedder

    @property
    def on_demand(self) -> tuple[Server, ...]:
        return tuple(s for s in self.servers if s.resident.on_demand)

    @property
    def always(self) -> tuple[Server, ...]:
        return tuple(s for s in self.servers if not s.resident.on_demand)

    def server(self, name: str) -> Server:
        return next(s for s in self.servers if s.name == name)

    def route(self, class_id: str) -> Route:
        return next(r for r in self.table.routes if r.class_id == class_id)

    def output_of(self, route: Route) -> int:
        """Tokens of the class's context that are kept for the answer."""
        said = self.choices.output_tokens.get(route.class_id)
        return said if said is not None else min(USUAL_OUTPUT_TOKENS, route.context_tokens // 4)


def choices_of(workload: Workload, **others: Any) -> Choices:
    """What a workload says about its classes: their longest usual answers and their kinds."""
    kinds = {
        c.id: "images" if c.images else "agent" if c.tools else c.scale for c in workload.classes
    }
    answers = {c.id: math.ceil(c.output_p90_tokens) for c in workload.classes}
    return Choices(output_tokens=answers, kinds=kinds, **others)


def set_up(catalog: Catalog, table: RoutingTable, choices: Choices | None = None) -> Setup:
    """The servers of a table. Raises ``InputError`` where a model's files are not known."""
    choices = choices or Choices()
    rules = catalog.memory_rules
    shares = _reserve_shares(table)
    bare = Setup(table, (), choices, rules.prefill_chunk_tokens, rules.llama_cpp_ubatch_tokens)
    servers = []
    for place, resident in enumerate(table.residents):
        routes = [r for r in table.routes if r.resident == resident.name]
        program, source, gguf_quant, prepare = _files(catalog, resident, choices)
        servers.append(
            Server(
                resident, program, source, gguf_quant, prepare,
                port=choices.first_port + place,
                classes=tuple(r.class_id for r in routes),
                output_tokens=_most_output(resident, [bare.output_of(r) for r in routes]),
                reserve_bytes=shares[resident.name],
            )
        )  # fmt: skip
    return Setup(
        table, tuple(servers), choices, rules.prefill_chunk_tokens, rules.llama_cpp_ubatch_tokens
    )


def _most_output(resident: Resident, usual: Sequence[int]) -> int:
    """Tokens at which an answer is cut: well above the usual ones, at most half the context."""
    wanted = max([USUAL_OUTPUT_TOKENS, *(LONGER_ANSWERS * tokens for tokens in usual)])
    return min(wanted, resident.context_tokens // 2)


def _reserve_shares(table: RoutingTable) -> dict[str, float]:
    """The prefix-cache reserve by resident, in proportion to their caches.

    Of models loaded on demand one is in memory at a time, so each may have the whole share of
    the largest of them. An embedder keeps no prefix.
    """
    keeps = {r.name: 0.0 if r.embedder else r.kv_bytes for r in table.residents}
    always = sum(keeps[r.name] for r in table.residents if not r.on_demand)
    swapped = max((keeps[r.name] for r in table.residents if r.on_demand), default=0.0)
    whole = always + swapped
    return {
        r.name: (
            table.reserve_bytes * (swapped if r.on_demand else keeps[r.name]) / whole
            if whole and keeps[r.name]
            else 0.0
        )
        for r in table.residents
    }


def _files(catalog: Catalog, resident: Resident, choices: Choices) -> tuple[str, str, str, str]:
    """Program, source, GGUF quantization and the commands that bring the files."""
    chosen = choices.sources.get(resident.name)
    quant = catalog.quants.get(resident.quant_id)
    gguf = resident.embedder or (quant is not None and quant.format == "gguf")
    program = LLAMA if gguf else MLX
    if chosen is not None:
        is_path = chosen.startswith(("/", ".", "~")) or chosen.endswith(".gguf")
        if is_path:
            return program, chosen, "", ""
        return program, chosen, resident.quant_id if gguf else "", _download(chosen)
    if resident.embedder and resident.model_id in embedders(catalog):
        known = embedders(catalog)[resident.model_id]
        return LLAMA, known.hf_id, known.quant, _download(known.hf_id, f"*{known.quant}*")
    if quant is None or resident.model_id not in catalog.models:
        raise InputError(
            f"No files are known for {resident.name} ({resident.model_id} in "
            f"{resident.quant_id}). Name a repository or a file of its own for it."
        )
    ids = (catalog, resident.model_id, resident.quant_id)
    repository = published_in(*ids, "gguf" if gguf else "mlx")
    if gguf and repository:
        fetch = _download(repository, f"*{resident.quant_id}*")
        return LLAMA, repository, resident.quant_id, fetch
    if repository:
        return MLX, repository, "", _download(repository)
    *make, run = command(*ids, "llama.cpp" if gguf else "mlx-lm").text.splitlines()
    return program, run.split()[-1], "", "\n".join(make)


def _download(repository: str, pattern: str = "") -> str:
    """The command that fetches a repository, or its files of a pattern, into the hub's cache."""
    return shlex.join(["hf", "download", repository, *(["--include", pattern] if pattern else [])])
