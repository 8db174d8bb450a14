"""oMLX: settings for its home folder, laid over what is there.

oMLX runs MLX files alone, so models of GGUF files (embedders among them) are left to
``llama-server`` beside it, and what they take is taken off oMLX's ceiling.
Source: oMLX of late 2026, omlx/settings.py (version 1.0) and omlx/model_settings.py (version 1).
"""

from __future__ import annotations

from typing import Any

from advisor.errors import InputError
from advisor.routing.exports.servers import DOWNLOAD, download
from advisor.routing.exports.setup import MLX, Server, Setup
from advisor.routing.exports.writing import json_text
from advisor.units import GIB, MIB

# oMLX also finds what `hf download` keeps in the hub's cache.
MODELS_FOLDER = '"${OMLX_BASE_PATH:-$HOME/.omlx}/models"'
SETTINGS, MODEL_SETTINGS, APPLY = "settings.json", "model_settings.json", "apply.py"
# In oMLX's own words: from here on it admits no more, and stops what runs.
SOFT_SHARE, HARD_SHARE = 0.9, 1.0
APPLY_TEXT = '''"""Lays these settings over those of oMLX, which keep whatever is not named here.

Run it while oMLX is not running: python3 apply.py
"""

import json
import os
from pathlib import Path

here = Path(__file__).resolve().parent
home = Path(os.environ.get("OMLX_BASE_PATH") or Path.home() / ".omlx")


def laid_over(old, new):
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: laid_over(old.get(key), value) for key, value in new.items()}}
    return new


home.mkdir(parents=True, exist_ok=True)
for name in ("settings.json", "model_settings.json"):
    target = home / name
    old = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    if old:
        target.with_suffix(".before.json").write_text(json.dumps(old, indent=2), encoding="utf-8")
    new = json.loads((here / name).read_text(encoding="utf-8"))
    target.write_text(json.dumps(laid_over(old, new), indent=2), encoding="utf-8")
    print("wrote", target)
'''


def omlx(setup: Setup) -> dict[str, str]:
    """Settings of the server and of each model, and scripts that lay them over and get the files.

    Raises ``InputError`` for a table without MLX files.
    """
    if not served(setup):
        raise InputError(
            "oMLX runs MLX files alone, and this table has none. Make the table for the runtime "
            "mlx-lm or omlx."
        )
    return {
        SETTINGS: json_text(_settings(setup)),
        MODEL_SETTINGS: json_text(_model_settings(setup)),
        APPLY: APPLY_TEXT,
        DOWNLOAD: download(served(setup), MODELS_FOLDER),
    }


def served(setup: Setup) -> tuple[Server, ...]:
    """What oMLX can serve of a table."""
    return tuple(server for server in setup.servers if server.program == MLX)


def model_name(server: Server) -> str:
    """oMLX's name of a model: its folder's."""
    return server.source.rstrip("/").rsplit("/", maxsplit=1)[-1]


def _settings(setup: Setup) -> dict[str, Any]:
    table = setup.table
    beside = sum(s.resident.total_bytes for s in setup.servers if s.program != MLX)
    mine = served(setup)
    reserve = sum(s.reserve_bytes for s in mine if not s.resident.on_demand)
    reserve += max((s.reserve_bytes for s in mine if s.resident.on_demand), default=0.0)
    return {
        "version": "1.0",
        "server": {"host": setup.choices.host, "port": setup.choices.omlx_port},
        "scheduler": {
            "max_concurrent_requests": max((s.resident.slots for s in mine), default=1),
            "chunked_prefill": True,
        },
        "memory": {
            "prefill_memory_guard": True,
            "memory_guard_tier": "custom",
            # "GB" of oMLX are GiB.
            "memory_guard_custom_ceiling_gb": round((table.budget_bytes - beside) / GIB, 2),
            "soft_threshold": SOFT_SHARE,
            "hard_threshold": HARD_SHARE,
        },
        "cache": {"enabled": True, "hot_cache_max_size": f"{int(reserve // MIB)}MB"},
    }


def _model_settings(setup: Setup) -> dict[str, Any]:
    models: dict[str, Any] = {}
    first = True
    for server in served(setup):
        resident = server.resident
        model: dict[str, Any] = {
            "model_alias": server.name,
            "max_context_window": resident.context_tokens,
            "max_tokens": server.output_tokens,
            "is_pinned": not resident.on_demand,
            "is_default": first,
        }
        if resident.on_demand:
            model["ttl_seconds"] = setup.choices.ttl_s
        if resident.kv_bits < 16:
            model |= {"turboquant_kv_enabled": True, "turboquant_kv_bits": resident.kv_bits}
        models[model_name(server)] = model
        first = False
    return {"version": 1, "models": models}
