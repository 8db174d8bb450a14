"""``advisor inspect``: what a config, a hub id, a GGUF file or a model folder weighs."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from advisor.catalog import Catalog, load
from advisor.catalog.names import resolve_quant
from advisor.catalog.shapes import Quant
from advisor.errors import InputError
from advisor.estimate import memory, plan
from advisor.units import GB, MB, format_tokens

# A config without a quantization is of the weights as they were trained.
DEFAULT_QUANT = "bf16"


@dataclass(frozen=True)
class Inspected:
    """Figures of one model in one quantization; bytes, tokens and counts."""

    source: str
    quant: str
    params: int
    active_params: int
    read_params: int
    weights_bytes: int
    read_weight_bytes: int
    kv_bytes_per_token: int
    sliding_bytes_per_token: int
    window_tokens: int
    fixed_cache_bytes: int
    layers: int
    max_context_tokens: int
    context_tokens: int
    kv_bytes: int
    file_bytes: int | None = None


def inspect_model(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print the figures as JSON or text. Raises ``InputError`` for what cannot be read."""
    catalog = load()
    plan.check_numbers(context_tokens=arguments.context)
    found = inspect_any(catalog, arguments.what, arguments.quant, arguments.context)
    if arguments.json:
        out.write(json.dumps(asdict(found)) + "\n")
    else:
        out.write(as_text(found))


def inspect_any(catalog: Catalog, what: str, quant: str | None, context_tokens: int) -> Inspected:
    """The figures of a config file, a folder, a GGUF file, or a hub id (in that order)."""
    path = Path(what).expanduser()
    if path.suffix.lower() == ".gguf":
        from advisor.cli.gguf_file import inspect_gguf

        if quant:
            raise InputError("A GGUF file has its own quantization; leave out --quant.")
        return Inspected(**inspect_gguf(path, context_tokens))
    if path.is_dir():
        config = _json(path / "config.json")
        files = [file.stat().st_size for file in path.glob("*.safetensors")]
        return _of_config(catalog, config, quant, context_tokens, str(path), sum(files) or None)
    if path.is_file() or path.suffix == ".json":
        return _of_config(catalog, _json(path), quant, context_tokens, str(path), None)
    return _of_config(catalog, _hub_config(catalog, what), quant, context_tokens, what, None)


def _of_config(
    catalog: Catalog,
    config: dict[str, Any],
    quant: str | None,
    context_tokens: int,
    source: str,
    file_bytes: int | None,
) -> Inspected:
    from advisor import mlx

    config = dict(config)
    stored = config.pop("quantization", None) or config.pop("quantization_config", None)
    config.pop("quantization_config", None)
    stored = stored if isinstance(stored, dict) else None
    shape = mlx.describe(config)
    chosen = _quant(catalog, quant) if quant else None
    cache = shape.cache
    share = shape.experts_per_token / shape.experts if shape.experts else 0.0
    if chosen is not None and chosen.format == "gguf":
        bytes_per_weight = (chosen.bits_per_weight or 0) / 8
        weight_bytes = shape.params * bytes_per_weight
        read_bytes = shape.read_params * bytes_per_weight
        name = chosen.id
    else:
        bits, group_size, mode, name = _mlx_quant(chosen, stored)
        # A converted model's config names the modules it keeps at other widths.
        kept = None if chosen is not None else stored
        weights = mlx.weigh(config, bits=bits, group_size=group_size, mode=mode, overrides=kept)
        weight_bytes = weights.weight_bytes
        read_bytes = weights.dense_read_bytes + weights.expert_bytes * share
    growing = cache.full_bytes_per_token + cache.latent_bytes_per_token
    kv = memory.kv_bytes(
        growing_bytes_per_token=np.array(growing),
        sliding_bytes_per_token=np.array(cache.sliding_bytes_per_token),
        window_tokens=np.array(cache.window_tokens),
        state_bytes=np.array(cache.state_bytes),
        context_tokens=np.array(context_tokens),
        batch=np.array(1),
    )
    return Inspected(
        source=source,
        quant=name,
        params=shape.params,
        active_params=shape.active_params,
        read_params=shape.read_params,
        weights_bytes=round(weight_bytes),
        read_weight_bytes=round(read_bytes),
        kv_bytes_per_token=growing,
        sliding_bytes_per_token=cache.sliding_bytes_per_token,
        window_tokens=round(cache.window_tokens),
        fixed_cache_bytes=round(
            cache.sliding_bytes_per_token * cache.window_tokens + cache.state_bytes
        ),
        layers=shape.layers,
        max_context_tokens=shape.max_context_tokens,
        context_tokens=context_tokens,
        kv_bytes=round(float(kv)),
        file_bytes=file_bytes,
    )


def _mlx_quant(
    chosen: Quant | None, stored: dict[str, Any] | None
) -> tuple[int | None, int | None, str, str]:
    """(bits, group size, mode, name): what is asked, else what the config says it is in."""
    if chosen is not None:
        bits = None if chosen.mode == "none" else int(chosen.bits)
        return bits, chosen.group_size, chosen.mode, chosen.id
    if stored and isinstance(stored.get("bits"), int):
        mode = str(stored.get("mode", "affine"))
        bits, group_size = stored["bits"], stored.get("group_size")
        return bits, group_size, mode, f"{mode} {bits} bit, groups of {group_size}"
    return None, None, "none", DEFAULT_QUANT


def _quant(catalog: Catalog, text: str) -> Quant:
    for runtime in ("mlx-lm", "llama.cpp"):
        found = resolve_quant(catalog, text, runtime)
        if not found.problem:
            return catalog.quants[found.quant_id]
    raise InputError(
        f"No quantization is called {text!r}. Known: {', '.join(catalog.quant_ids[:12])}, …"
    )


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{path} is not valid JSON in UTF-8: {error}.") from error
    if not isinstance(found, dict):
        raise InputError(f"{path} must hold a JSON object, the model's config.json.")
    # An entry of our own catalog keeps the config inside.
    inner = found.get("config")
    return inner if "model_type" not in found and isinstance(inner, dict) else found


def _hub_config(catalog: Catalog, hub_id: str) -> dict[str, Any]:
    """The config of a hub id: from the catalog, else from the hub, since the user asked."""
    wanted = hub_id.strip().lower()
    for model in catalog.models.values():
        if wanted in (model.id, model.hf_id.lower()):
            if not model.buildable:
                raise InputError(f"{model.name} is known, but {model.not_buildable_because}.")
            return model.config
    if hub_id.count("/") != 1:
        raise InputError(f"{hub_id!r} is no file, folder, catalog model or hub id (owner/name).")
    try:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.utils import logging

        logging.set_verbosity_error()  # its retries are no news to the user, the outcome is
        return _json(Path(hf_hub_download(hub_id, "config.json")))
    except InputError:
        raise
    except Exception as error:  # the hub's own errors, a refused or missing network
        raise InputError(
            f"{hub_id} is not in the catalog and its config.json could not be fetched from the "
            f"hub ({type(error).__name__}). Download config.json and give its path."
        ) from error


def as_text(found: Inspected) -> str:
    """The figures for a person."""
    lines = [
        f"{found.source} in {found.quant}",
        f"parameters            {found.params:,} ({found.read_params:,} read per token)",
        f"weights               {found.weights_bytes / GB:.2f} GB"
        + (f" (files {found.file_bytes / GB:.2f} GB)" if found.file_bytes else ""),
        f"read per token        {found.read_weight_bytes / GB:.2f} GB",
        f"cache per token       {found.kv_bytes_per_token:,} bytes",
        f"fixed cache           {found.fixed_cache_bytes / MB:.1f} MB"
        + (f" (window of {found.window_tokens} tokens)" if found.window_tokens else ""),
        f"cache at {format_tokens(found.context_tokens):12} {found.kv_bytes / GB:.2f} GB",
        f"layers                {found.layers}",
        f"longest context       {format_tokens(found.max_context_tokens)}",
    ]
    return "\n".join(lines) + "\n"
