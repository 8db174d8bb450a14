"""What each layer of a built model is: layers that cost the same have the same kind.

A kind is told from the layer itself (its modules, shapes and switches, and the cache it keeps),
not from a name in a config: so dense first layers, experts, sliding windows, latent attention
and recurrent state are found alike in every architecture.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from advisor.mlx import models

# Where a layer stands, and among how many, is no difference in what it costs.
PLACE = re.compile(r"idx|index|layer_id|layer_num|num_hidden_layers|num_layers|^_")


def kinds(model: Any) -> tuple[str, ...]:
    """A short name for the kind of each layer, in order; equal names cost the same."""
    layers = list(model.layers)
    caches = models.fresh_caches(model)
    # Nemotron-H keeps no entry for layers without a cache; their switches tell them apart.
    kept = caches if len(caches) == len(layers) else [None] * len(layers)
    return tuple(_kind(layer, cache) for layer, cache in zip(layers, kept, strict=True))


def paths(model: Any) -> dict[str, int]:
    """The module path of each layer -> its place in order."""
    place = {id(layer): number for number, layer in enumerate(model.layers)}
    return {path: place[id(part)] for path, part in model.named_modules() if id(part) in place}


def _kind(layer: Any, cache: Any) -> str:
    from mlx.utils import tree_flatten

    modules = sorted((path, type(part).__name__, _switches(part))
                     for path, part in layer.named_modules())  # fmt: skip
    arrays = sorted((path, array.shape) for path, array in tree_flatten(layer.parameters()))
    text = repr((modules, arrays, _cache_name(cache)))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _switches(module: Any) -> list[tuple[str, Any]]:
    return sorted(
        (name, value)
        for name, value in vars(module).items()
        if isinstance(value, bool | str | int) and not PLACE.search(name)
    )


def _cache_name(cache: Any) -> str:
    inner = getattr(cache, "caches", None)
    if inner is not None:
        return "+".join(_cache_name(part) for part in inner)
    window = getattr(cache, "max_size", None) or getattr(cache, "chunk_size", None) or ""
    return f"{type(cache).__name__}{window}"
