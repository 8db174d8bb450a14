"""LiteLLM's YAML: one model name a class, ``auto``, and what answers when a model cannot.

A class falls back to another model when its own fails, and to a wider one when its prompt is
too long. Embeddings never fall back: vectors of another model mean something else.
LiteLLM accepts misspelt keys and names of models that do not exist; ``check.py`` does not.
Source: litellm 1.108.7, litellm/router.py and proxy/proxy_server.py.
"""

from __future__ import annotations

import math
from typing import Any

from advisor.routing.exports.setup import HOSTED, MLX, OLLAMA_PORT, Server, Setup
from advisor.routing.exports.writing import yaml_text
from advisor.routing.rules import rules
from advisor.routing.table import Route

FILE, START, KEY_FILE = "litellm.yaml", "start-litellm.sh", "litellm.key"
AUTO = "auto"
CALLBACK = "tollbooth_auto.chooses_the_class"
HOSTED_MODEL, HOSTED_EMBEDDER, HOSTED_KEY = (
    "HOSTED_MODEL", "HOSTED_EMBEDDING_MODEL", "HOSTED_API_KEY"
)  # fmt: skip
NO_KEY = "none"  # local servers ask for no key, LiteLLM's client wants one
LEAST_TIMEOUT_S = 60
SCRIPTS, SWAP, OLLAMA, OMLX = "mlx-server", "llama-swap", "ollama", "omlx"
STARTS = {
    SCRIPTS: "mlx-server/start-all.sh", SWAP: "llama-swap", OLLAMA: "Ollama", OMLX: "oMLX",
}  # fmt: skip
QUEUE_FACTOR = 2  # a request may wait as long as another takes
COOLDOWN_S = 30
LEAST_INPUT_TOKENS = 256
HOSTED_TIMEOUT_S = 600


def litellm(setup: Setup, behind: str | None = None) -> str:
    """The configuration as YAML.

    behind   what serves the models, one of ``STARTS``; None: Ollama or oMLX for their tables,
             llama-swap where a model is loaded on demand, which scripts cannot do, else scripts
    """
    served = behind or served_by(setup)
    return yaml_text(_config(setup, served), _head(setup, served))


def served_by(setup: Setup) -> str:
    """What serves a table's models where nobody chose."""
    if setup.table.runtime in (OLLAMA, OMLX):
        return setup.table.runtime
    return SWAP if setup.on_demand else SCRIPTS


def start_script(setup: Setup) -> str:
    """Starts the proxy, which refuses to start without a key, for this machine alone.

    A key is made once and kept beside the script. Prices are not fetched from the network.
    """
    lines = ["#!/bin/sh", "set -eu", 'cd "$(dirname "$0")"']
    for name, what in _environment(setup).items():
        lines.append(f': "${{{name}:?set it to {what}}}"')
    lines += [
        'if [ -z "${LITELLM_MASTER_KEY:-}" ]; then',
        f"  [ -s {KEY_FILE} ] || (umask 077 && "
        f"printf 'sk-%s' \"$(od -An -N24 -tx1 /dev/urandom | tr -d ' \\n')\" >{KEY_FILE})",
        f"  LITELLM_MASTER_KEY=$(cat {KEY_FILE})",
        f'  echo "Clients use the key in {KEY_FILE}." >&2',
        "fi",
        "export LITELLM_MASTER_KEY LITELLM_LOCAL_MODEL_COST_MAP=True",
        f"exec litellm --config {FILE} --host {setup.choices.host} "
        f"--port {setup.choices.litellm_port}",
    ]
    return "\n".join(lines) + "\n"


def _environment(setup: Setup) -> dict[str, str]:
    """Variables that name what is hosted, each with what it must hold."""
    needed = {}
    if setup.hosted:
        needed[HOSTED_MODEL] = "the hosted model, such as openai/NAME"
    if setup.hosted_embeddings:
        needed[HOSTED_EMBEDDER] = "the hosted embedding model, such as openai/NAME"
    return needed | ({HOSTED_KEY: "the key of what is hosted"} if needed else {})


def _config(setup: Setup, behind: str) -> dict[str, Any]:
    routes = setup.table.routes
    default = next(
        route for route in routes
        if route.class_id == rules(setup.table, setup.choices.kinds).rules[-1].class_id
    )  # fmt: skip
    models = [_model(setup, route, route.class_id, behind) for route in routes]
    models.append(_model(setup, default, AUTO, behind))
    if setup.hosted:
        models.append(_hosted(HOSTED))
    names = [(route.class_id, route) for route in routes] + [(AUTO, default)]
    fallbacks = [{name: found} for name, route in names if (found := _fallbacks(setup, route))]
    wider = [{name: found} for name, route in names if (found := _wider(setup, route))]
    return {
        "model_list": models,
        "router_settings": {
            "routing_strategy": "simple-shuffle",
            "enable_pre_call_checks": True,
            "num_retries": 0,
            "allowed_fails": 3,
            "cooldown_time": COOLDOWN_S,
            "fallbacks": fallbacks,
            "context_window_fallbacks": wider,
        },
        "litellm_settings": {"drop_params": True, "callbacks": [CALLBACK]},
    }


def _model(setup: Setup, route: Route, name: str, behind: str) -> dict[str, Any]:
    if route.resident == "":
        return _hosted(name, setup.embeds(route))
    server = setup.server(route.resident)
    port, backend = _backend(setup, server, behind)
    embeds = server.resident.embedder
    return {
        "model_name": name,
        "litellm_params": {
            "model": f"openai/{backend}",
            "api_base": f"http://{setup.choices.host}:{port}/v1",
            "api_key": NO_KEY,
            "timeout": _timeout_s(server, route),
            "max_parallel_requests": server.resident.slots,
        },
        "model_info": {
            "id": f"{name}@{server.name}",
            "mode": "embedding" if embeds else "chat",
            # The published schema asks for it.
            "base_model": None,
            "max_input_tokens": input_tokens(setup, route),
        },
    }


def _timeout_s(server: Server, route: Route) -> int:
    """Seconds in which even an answer as long as the context is done, another one before it."""
    answer_s = route.ttft_high if math.isfinite(route.ttft_high) else 0.0
    if route.decode_low > 0:  # not a number for an embedder
        answer_s += route.context_tokens / route.decode_low
    return max(LEAST_TIMEOUT_S, math.ceil(server.resident.load_s + QUEUE_FACTOR * answer_s))


def _backend(setup: Setup, server: Server, behind: str) -> tuple[int, str]:
    """Port of a model and its name there."""
    if behind == OLLAMA:
        return OLLAMA_PORT, server.name
    if behind == SWAP:
        return setup.choices.llama_swap_port, server.name
    if server.program != MLX:
        return server.port, server.name
    if behind == OMLX:
        return setup.choices.omlx_port, server.name
    # mlx_lm.server would load any other model a request names.
    return server.port, "default_model"


def _hosted(name: str, embeds: bool = False) -> dict[str, Any]:
    return {
        "model_name": name,
        "litellm_params": {
            "model": f"os.environ/{HOSTED_EMBEDDER if embeds else HOSTED_MODEL}",
            "api_key": f"os.environ/{HOSTED_KEY}",
            "timeout": HOSTED_TIMEOUT_S,
        },
        "model_info": {
            "id": f"{name}@{HOSTED}" if name != HOSTED else HOSTED,
            "mode": "embedding" if embeds else "chat",
            "base_model": None,
        },
    }


def input_tokens(setup: Setup, route: Route) -> int:
    """The longest prompt a class may send to its model: its context less room for the answer."""
    resident = setup.server(route.resident).resident
    if resident.embedder:
        return resident.context_tokens
    return max(LEAST_INPUT_TOKENS, resident.context_tokens - setup.output_of(route))


def _fallbacks(setup: Setup, route: Route) -> list[str]:
    """Classes on other models that hold this one's context, the narrowest first, then hosted."""
    if setup.embeds(route):
        return []
    others = _one_a_model(setup, route)
    fitting = [r for r in others if _context(setup, r) >= route.context_tokens]
    if route.resident == "":
        # Better a local answer than none: the widest model first.
        return [r.class_id for r in sorted(others, key=lambda r: -_context(setup, r))][:1]
    found = [r.class_id for r in sorted(fitting, key=lambda r: _context(setup, r))]
    return [*found, *([HOSTED] if setup.hosted else [])]


def _wider(setup: Setup, route: Route) -> list[str]:
    """Classes on models with more context than this class's, the narrowest first, then hosted."""
    if setup.embeds(route) or route.resident == "":
        return []
    own = input_tokens(setup, route)
    wider = [r for r in _one_a_model(setup, route) if input_tokens(setup, r) > own]
    found = [r.class_id for r in sorted(wider, key=lambda r: input_tokens(setup, r))]
    return [*found, *([HOSTED] if setup.hosted else [])]


def _one_a_model(setup: Setup, route: Route) -> list[Route]:
    """For each other language model of this machine, its class with the longest prompts."""
    found: dict[str, Route] = {}
    for other in setup.table.routes:
        if other.resident in ("", route.resident) or setup.embeds(other):
            continue
        known = found.get(other.resident)
        if known is None or input_tokens(setup, other) > input_tokens(setup, known):
            found[other.resident] = other
    return list(found.values())


def _context(setup: Setup, route: Route) -> int:
    return setup.server(route.resident).resident.context_tokens


def _head(setup: Setup, behind: str) -> list[str]:
    lines = [
        f"LiteLLM for {setup.table.machine.label}: start {STARTS[behind]} first, then {START}.",
        "A client names a class as its model, or auto: then the rules in tollbooth_rules choose.",
    ]
    lines += [f"{name} is {what}." for name, what in _environment(setup).items()]
    return lines
