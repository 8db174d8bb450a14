"""Our own check of the routers' files: references, keys, and sets against the budget.

llama-swap and LiteLLM accept a fallback to a model that does not exist, a misspelt key, and
models together that do not fit. Files edited by hand can be checked again by the same functions.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from advisor.errors import InputError
from advisor.routing.exports import known_keys
from advisor.routing.exports.known_keys import unknown_keys
from advisor.routing.exports.sets import expand
from advisor.routing.exports.setup import HOSTED, LLAMA, MLX
from advisor.routing.table import RoutingTable
from advisor.units import format_gb

CAPS = {
    MLX: (
        "--max-tokens", "--decode-concurrency", "--prompt-concurrency", "--prefill-step-size",
        "--prompt-cache-size", "--prompt-cache-bytes",
    ),
    LLAMA: ("--ctx-size", "--parallel", "--batch-size", "--ubatch-size"),
}  # fmt: skip


def refuse(problems: Iterable[str], file: str) -> None:
    """Raise ``InputError`` with all problems of a file, if there are any."""
    found = list(problems)
    if found:
        raise InputError(f"{file} cannot be used: {'; '.join(found)}.")


def table_problems(table: RoutingTable) -> Iterator[str]:
    """What is wrong with a table before anything is made of it."""
    names = [r.name for r in table.residents]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two models are called {name}"
    for route in table.routes:
        if route.resident and route.resident not in names:
            yield f"the class {route.class_id} goes to {route.resident}, which is no model here"
        if route.class_id in names:
            yield f"a class and a model are both called {route.class_id}"
    ids = [route.class_id for route in table.routes]
    for name in sorted({name for name in ids if ids.count(name) > 1}):
        yield f"the class {name} is there twice"
    for name in {"auto", HOSTED}.intersection(ids):
        yield f"a class cannot be called {name}, which means something else here"
    if table.used_bytes + table.reserve_bytes > table.budget_bytes:
        yield (
            f"the models need {format_gb(table.used_bytes)} and their prefix caches "
            f"{format_gb(table.reserve_bytes)}, the budget is {format_gb(table.budget_bytes)}"
        )


def llama_swap_problems(text: str, table: RoutingTable) -> Iterator[str]:
    """What is wrong with a llama-swap configuration of a table."""
    config = _mapping(yaml.safe_load(text))
    yield from unknown_keys(config, known_keys.LLAMA_SWAP)
    models = _mapping(config.get("models"))
    sizes = {r.name: r.total_bytes for r in table.residents}
    yield from (f"the model {name} is not in the table" for name in models if name not in sizes)
    yield from (f"the model {name} of the table is missing" for name in sizes if name not in models)
    aliases = [alias for model in models.values() for alias in _mapping(model).get("aliases", ())]
    for alias in sorted({a for a in aliases if aliases.count(a) > 1 or a in models}):
        yield f"the name {alias} stands for two models"
    for name, model in models.items():
        yield from command_problems(name, shlex.split(_mapping(model).get("cmd", "")))
    hooks = _mapping(_mapping(config.get("hooks")).get("on_startup"))
    for name in hooks.get("preload", ()):
        if name not in models:
            yield f"{name} is loaded at the start and is no model"
    settings = _mapping(_mapping(_mapping(config.get("routing")).get("router")).get("settings"))
    yield from _matrix_problems(_mapping(settings.get("matrix")), set(models), sizes, table)


def _matrix_problems(
    matrix: Mapping[str, Any], models: set[str], sizes: Mapping[str, float], table: RoutingTable
) -> Iterator[str]:
    variables = _mapping(matrix.get("vars"))
    for short, name in variables.items():
        if name not in models:
            yield f"the variable {short} stands for {name}, which is no model"
    for short, cost in _mapping(matrix.get("evict_costs")).items():
        if short not in variables and short not in models:
            yield f"evict_costs name {short}, which is no model"
        if not isinstance(cost, int) or cost < 1:
            yield f"evicting {short} costs {cost!r}, which is no whole number above 0"
    room = table.budget_bytes - table.reserve_bytes
    placed: set[str] = set()
    for set_name, text in _mapping(matrix.get("sets")).items():
        for one in expand(str(text)):
            named = {variables.get(short, short) for short in one}
            ghosts = sorted(named - models)
            placed |= named
            size = sum(sizes.get(name, 0.0) for name in named)
            if ghosts:
                yield f"the set {set_name} names {', '.join(ghosts)}, which is no model"
            elif size > room:
                yield (
                    f"the set {set_name} ({', '.join(sorted(named))}) needs {format_gb(size)}, "
                    f"there are {format_gb(room)}"
                )
    yield from (f"{name} is in no set" for name in sorted(models - placed))


def litellm_problems(text: str, table: RoutingTable) -> Iterator[str]:
    """What is wrong with a LiteLLM configuration of a table."""
    config = _mapping(yaml.safe_load(text))
    yield from unknown_keys(config, known_keys.LITELLM)
    models = [_mapping(model) for model in config.get("model_list") or ()]
    names = [str(model.get("model_name")) for model in models]
    ids = [str(_mapping(model.get("model_info")).get("id")) for model in models]
    yield from (f"two models have the id {i}" for i in sorted({i for i in ids if ids.count(i) > 1}))
    for route in table.routes:
        if f"{route.class_id}@{route.resident or HOSTED}" not in ids:
            yield f"the class {route.class_id} does not go to {route.resident or HOSTED}"
    inputs = {
        name: _mapping(model.get("model_info")).get("max_input_tokens")
        for name, model in zip(names, models, strict=True)
    }
    router = _mapping(config.get("router_settings"))
    for key in ("fallbacks", "context_window_fallbacks"):
        for entry in router.get(key) or ():
            for name, others in _mapping(entry).items():
                for other in [name, *others]:
                    if other not in names:
                        yield f"{key} name {other}, which is no model"
                if name in others:
                    yield f"{key} send {name} to itself"
                for other in others:
                    here, there = inputs.get(name), inputs.get(other)
                    if key != "fallbacks" and here and there and there <= here:
                        yield f"{key} send {name} to {other}, which takes no longer prompts"


def command_problems(name: str, argv: list[str]) -> Iterator[str]:
    """Caps that a server's command lacks."""
    program = argv[0] if argv else ""
    if program not in CAPS:
        yield f"{name} is run by {program or 'nothing'}, not by {MLX} or {LLAMA}"
        return
    for cap in CAPS[program]:
        if cap not in argv:
            yield f"{name} is run without {cap}"


def json_problems(text: str, level: known_keys.Level) -> Iterator[str]:
    """Unknown keys of a JSON file."""
    yield from unknown_keys(json.loads(text), level)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
