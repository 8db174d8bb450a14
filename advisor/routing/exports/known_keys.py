"""Keys that the exports use, level by level; a key that is not here is refused.

The routers take unknown keys in silence, so a misspelt one would simply not be obeyed. A level is
a mapping of known keys; ``EACH`` stands for names of one's own, and None for values that are not
looked into.
Source: llama-swap v250, config-schema.json; litellm 1.108.7, router.py and proxy/_types.py; oMLX
of late 2026, settings.py and model_settings.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

EACH = "*"
Level = Mapping[Any, Any] | None

LLAMA_SWAP: Level = {
    "healthCheckTimeout": None, "globalTTL": None, "includeAliasesInList": None,
    "models": {EACH: dict.fromkeys((
        "cmd", "proxy", "checkEndpoint", "ttl", "concurrencyLimit", "useModelName", "aliases",
    )) | {"capabilities": {"context": None}}},
    "routing": {"router": {"use": None, "settings": {"matrix": {
        "vars": None, "evict_costs": None, "sets": None,
    }}}},
    "hooks": {"on_startup": {"preload": None}},
}  # fmt: skip

LITELLM: Level = {
    "model_list": {EACH: {
        "model_name": None,
        "litellm_params": dict.fromkeys((
            "model", "api_base", "api_key", "timeout", "max_parallel_requests")),
        "model_info": dict.fromkeys(("id", "mode", "base_model", "max_input_tokens")),
    }},
    "router_settings": dict.fromkeys((
        "routing_strategy", "enable_pre_call_checks", "num_retries", "allowed_fails",
        "cooldown_time", "fallbacks", "context_window_fallbacks", "model_group_alias")),
    "litellm_settings": dict.fromkeys(("drop_params", "callbacks")),
}  # fmt: skip

OMLX_SETTINGS: Level = {
    "version": None,
    "server": dict.fromkeys(("host", "port")),
    "scheduler": dict.fromkeys(("max_concurrent_requests", "chunked_prefill")),
    "memory": dict.fromkeys((
        "prefill_memory_guard", "memory_guard_tier", "memory_guard_custom_ceiling_gb",
        "soft_threshold", "hard_threshold")),
    "cache": dict.fromkeys(("enabled", "hot_cache_max_size")),
}  # fmt: skip

OMLX_MODELS: Level = {
    "version": None,
    "models": {EACH: dict.fromkeys((
        "model_alias", "max_context_window", "max_tokens", "is_pinned", "is_default",
        "ttl_seconds", "turboquant_kv_enabled", "turboquant_kv_bits"))},
}  # fmt: skip

OLLAMA: Level = dict.fromkeys((
    "OLLAMA_HOST", "OLLAMA_MAX_LOADED_MODELS", "OLLAMA_NUM_PARALLEL", "OLLAMA_MAX_QUEUE",
    "OLLAMA_KEEP_ALIVE", "OLLAMA_CONTEXT_LENGTH", "OLLAMA_FLASH_ATTENTION",
    "OLLAMA_KV_CACHE_TYPE"))  # fmt: skip


def unknown_keys(value: Any, level: Level, where: str = "") -> Iterator[str]:
    """Each key that the level does not know, with the path to it."""
    if level is None:
        return
    if not isinstance(value, Mapping | list):
        yield f"{where or 'the file'} is {value!r} where keys are expected"
        return
    items: Iterable[tuple[Any, Any]]
    items = value.items() if isinstance(value, Mapping) else enumerate(value)
    for key, inner in items:
        path = f"{where}.{key}" if where else str(key)
        if key not in level and EACH not in level:
            yield f"the key {path} is not known"
        else:
            yield from unknown_keys(inner, level[key] if key in level else level[EACH], path)
