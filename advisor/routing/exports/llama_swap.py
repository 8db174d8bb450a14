"""llama-swap's YAML: one process a model, and the sets of models that fit the budget together.

llama-swap starts, swaps and stops the servers. Its own check accepts unknown keys and sets that
do not fit; ``check.py`` does not.
Source: llama-swap v250, config-schema.json and config.example.yaml.
"""

from __future__ import annotations

import math
import re
from typing import Any

from advisor.errors import InputError
from advisor.routing.exports.servers import arguments, wrapped
from advisor.routing.exports.sets import expressions, maximal_sets
from advisor.routing.exports.setup import MLX, Server, Setup
from advisor.routing.exports.writing import yaml_text
from advisor.units import format_gb

FILE = "llama-swap.yaml"
LEAST_HEALTH_S = 300  # cold loads of 229 s have been seen; source: nix-ai, issue 490
COLD_LOAD_FACTOR = 3  # a disk or a file cache may be that much slower than foreseen
WAITING_REQUESTS = 100  # may wait for a model; more get the answer 429
PORT = "${PORT}"


def llama_swap(setup: Setup) -> str:
    """The configuration as YAML. Raises ``InputError`` for a table over its own budget."""
    return yaml_text(_config(setup), _head(setup))


def variables(setup: Setup) -> dict[str, str]:
    """Short names for the sets, one to eight letters and digits as the schema asks."""
    names: dict[str, str] = {}
    for server in setup.servers:
        words = re.findall(r"[a-z]+|[0-9]+", server.name.lower())
        short = "".join(word[0] if word.isalpha() else word for word in words)[:6] or "m"
        taken = sum(other.startswith(short) for other in names)
        names[f"{short}{chr(ord('a') + taken)}" if taken else short] = server.name
    return names


def together(setup: Setup) -> list[frozenset[str]]:
    """Names of residents that may be in memory at once; what is always kept is in every set."""
    table = setup.table
    found = maximal_sets(
        {r.name: r.total_bytes for r in table.residents},
        table.budget_bytes - table.reserve_bytes,
        keep=[r.name for r in table.residents if not r.on_demand],
    )
    named = frozenset().union(*found)
    alone = [r.name for r in table.residents if r.name not in named]
    if alone:
        raise InputError(
            f"{', '.join(alone)} and what is always kept need more than the budget of "
            f"{format_gb(table.budget_bytes)} less {format_gb(table.reserve_bytes)} for prefix "
            "caches. Choose a smaller context, fewer models or a larger machine."
        )
    return found


def _config(setup: Setup) -> dict[str, Any]:
    loads = [server.resident.load_s for server in setup.servers]
    short = {name: variable for variable, name in variables(setup).items()}
    sets = [frozenset(short[name] for name in one) for one in together(setup)]
    return {
        "healthCheckTimeout": max(LEAST_HEALTH_S, math.ceil(COLD_LOAD_FACTOR * max(loads))),
        "globalTTL": 0,
        "includeAliasesInList": True,
        "models": {server.name: _model(setup, server) for server in setup.servers},
        "routing": {
            "router": {
                "use": "matrix",
                "settings": {
                    "matrix": {
                        "vars": variables(setup),
                        "evict_costs": {
                            short[server.name]: max(1, round(server.resident.load_s))
                            for server in setup.servers
                        },
                        "sets": {
                            f"set{place}": text
                            for place, text in enumerate(expressions(sets), start=1)
                        },
                    }
                },
            }
        },
        "hooks": {"on_startup": {"preload": [server.name for server in setup.always]}},
    }


def _model(setup: Setup, server: Server) -> dict[str, Any]:
    resident = server.resident
    model: dict[str, Any] = {
        "cmd": _command(setup, server),
        "proxy": f"http://{setup.choices.host}:{PORT}",
        "checkEndpoint": "/v1/models" if server.program == MLX else "/health",
        "ttl": setup.choices.ttl_s if resident.on_demand else 0,
        "concurrencyLimit": resident.slots + WAITING_REQUESTS,
        "capabilities": {"context": resident.context_tokens},
    }
    if server.program == MLX:
        # mlx_lm.server loads whatever model a request names, except this one.
        model["useModelName"] = "default_model"
    if server.classes:
        model["aliases"] = list(server.classes)
    return model


def _command(setup: Setup, server: Server) -> str:
    """The server's command; in it ``${…}`` is a macro, so no path may have one."""
    argv = arguments(setup, server, PORT)
    for word in argv:
        if "\n" in word or ("${" in word and word != PORT):
            raise InputError(
                f"llama-swap cannot be given {word!r}: a line break ends a line of its command, "
                "and ${ begins a macro. Rename the folder or file."
            )
    return wrapped(argv).replace(f"'{PORT}'", PORT) + "\n"


def _head(setup: Setup) -> list[str]:
    table = setup.table
    return [
        f"llama-swap for {table.machine.label}: run it with",
        f"  llama-swap --config {FILE} --listen {setup.choices.host}:"
        f"{setup.choices.llama_swap_port}",
        f"Each set fits the budget of {format_gb(table.budget_bytes)}, of which "
        f"{format_gb(table.reserve_bytes)} are kept for prefix caches.",
        "evict_costs are the seconds a model takes to load again.",
    ]
