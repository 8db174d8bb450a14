"""Tables made by hand: a 48 GB machine with three residents and one on demand."""

from dataclasses import replace

from advisor.routing.table import Resident, Route, RoutingTable
from advisor.units import GB


def resident(name: str, model_id: str, quant_id: str, **changes) -> Resident:
    plain = Resident(
        name=name, model_id=model_id, quant_id=quant_id, kv_bits=16, context_tokens=8192, slots=2,
        weight_bytes=4 * GB, kv_bytes=1 * GB, buffer_bytes=0.5 * GB, load_s=2.4,
    )  # fmt: skip
    return replace(plain, **changes)


def route(class_id: str, resident_name: str, **changes) -> Route:
    plain = Route(
        class_id=class_id, resident=resident_name, share=0.2, context_tokens=4096,
        decode_tok_s=40, decode_low=30, decode_high=50, ttft_s=1, ttft_low=0.5, ttft_high=2,
        quality=0.6, quality_basis="published", meets_floors=True, reason="", runner_up="",
        robust=True,
    )  # fmt: skip
    return replace(plain, **changes)


SMALL = resident("qwen3-4b-4bit", "qwen3-4b", "mlx-4bit")
CODER = resident(
    "qwen3-coder-30b-a3b-4bit", "qwen3-coder-30b-a3b", "mlx-4bit", context_tokens=32768, slots=1,
    weight_bytes=17 * GB, kv_bytes=3 * GB, load_s=7.2,
)  # fmt: skip
WIDE = resident(
    "llama-3-1-8b-q4-k-m", "llama-3.1-8b", "Q4_K_M", kv_bits=8, context_tokens=65536, slots=1,
    weight_bytes=5 * GB, kv_bytes=4 * GB, load_s=2.0, on_demand=True,
)  # fmt: skip
EMBEDDER = resident(
    "bge-m3", "bge-m3", "F16", weight_bytes=1.2 * GB, kv_bytes=0, buffer_bytes=0.1 * GB,
    load_s=0.5, embedder=True,
)  # fmt: skip
RESIDENTS = (SMALL, CODER, WIDE, EMBEDDER)
ROUTES = (
    route("short", SMALL.name, context_tokens=1024),
    route("chat", SMALL.name),
    route("code", CODER.name, context_tokens=16384),
    route("long", WIDE.name, context_tokens=49152),
    route("agent", ""),
    route("reasoning", CODER.name, context_tokens=8192),
    route("embeddings", EMBEDDER.name, context_tokens=2048),
)
SOURCES = {EMBEDDER.name: "gpustack/bge-m3-GGUF"}


def table(catalog, **changes) -> RoutingTable:
    plain = RoutingTable(
        machine=catalog.machine("mac-mini-m4-pro-48"), runtime="mlx-lm", workload_id="personal",
        residents=RESIDENTS, routes=ROUTES, budget_bytes=39 * GB,
        reserve_bytes=2 * GB, gap=0.0, problems=(),
    )  # fmt: skip
    return replace(plain, **changes)
