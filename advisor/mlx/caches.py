"""What one token leaves in each layer's cache, read from mlx-lm's own cache objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from advisor.mlx import configs, models
from advisor.mlx.shapes import CacheShape

BYTES_OF_16_BITS = 2


def cache_shape(model: Any, fields: Mapping[str, Any]) -> CacheShape:
    """Layers and bytes by kind of cache, from a lazy forward pass.

    Without a GPU the pass of a model with Metal kernels (BitNet) cannot be traced: then its
    cache is counted from the config, as full attention in every layer.
    """
    traced = models.traced_caches(model)
    if traced is None:
        return _with_readers(_full_attention(len(model.layers), fields), fields)
    return _with_readers(_summed(traced, int(fields.get("kv_lora_rank") or 0)), fields)


def _with_readers(shape: CacheShape, fields: Mapping[str, Any]) -> CacheShape:
    """Count the last ``num_kv_shared_layers`` layers, which read an earlier layer's cache.

    Source: mlx-lm, models/gemma3n.py and models/gemma4_text.py.
    """
    shared = int(fields.get("num_kv_shared_layers") or 0)
    types = list(fields.get("layer_types") or [])
    sharing = types[-shared:] if shared else []
    return replace(
        shape,
        full_reading_layers=shape.full_layers + sharing.count("full_attention"),
        sliding_reading_layers=shape.sliding_layers + sharing.count("sliding_attention"),
    )


def _summed(traced: list[Any], latent_width: int) -> CacheShape:
    layers = dict.fromkeys(("full", "latent", "sliding", "state"), 0)
    bytes_per_token = dict.fromkeys(("full", "latent", "sliding"), 0)
    window_bytes = state_bytes = 0
    for layer in traced:
        leaves = [(leaf, arrays) for leaf in _leaves(layer) if (arrays := _arrays(leaf))]
        # A layer that compresses its keys does so in all of its caches (index keys included).
        is_latent = any(_is_latent(arrays, latent_width) for _, arrays in leaves)
        kinds = set()
        for leaf, arrays in leaves:
            if _is_state(leaf):
                kinds.add("state")
                state_bytes += sum(array.nbytes for array in arrays)
                continue
            if any(array.shape[2] == 0 for array in arrays):
                raise configs.refused("gives a cache no room")
            window = _window_tokens(leaf)
            kind = "sliding" if window else "latent" if is_latent else "full"
            kinds.add(kind)
            one_token = sum(array.nbytes // array.shape[2] for array in arrays)
            bytes_per_token[kind] += one_token
            window_bytes += one_token * window
        for kind in kinds:
            layers[kind] += 1
    sliding = bytes_per_token["sliding"]
    return CacheShape(
        full_layers=layers["full"],
        full_bytes_per_token=bytes_per_token["full"],
        latent_layers=layers["latent"],
        latent_bytes_per_token=bytes_per_token["latent"],
        sliding_layers=layers["sliding"],
        sliding_bytes_per_token=sliding,
        window_tokens=window_bytes / sliding if sliding else 0,
        state_layers=layers["state"],
        state_bytes=state_bytes,
    )


def _leaves(cache: Any) -> Iterator[Any]:
    """The caches inside a ``CacheList``, or the cache itself."""
    inner = getattr(cache, "caches", None)
    if inner is None:
        yield cache
    else:
        for part in inner:
            yield from _leaves(part)


def _is_state(leaf: Any) -> bool:
    from mlx_lm.models.cache import ArraysCache

    return isinstance(leaf, ArraysCache)


def _window_tokens(leaf: Any) -> int:
    """Tokens that a rotating or chunked cache keeps; 0 for one that keeps all."""
    return getattr(leaf, "max_size", None) or getattr(leaf, "chunk_size", None) or 0


def _arrays(leaf: Any) -> list[Any]:
    import mlx.core as mx

    found = leaf.cache if _is_state(leaf) else [leaf.keys, leaf.values]
    return [array for array in found if isinstance(array, mx.array)]


def _is_latent(arrays: list[Any], latent_width: int) -> bool:
    """Whether one head as wide as the latent is cached (batch, heads, tokens, width)."""
    return latent_width > 0 and any(
        len(array.shape) == 4 and array.shape[1] == 1 and array.shape[3] >= latent_width
        for array in arrays
    )


def _full_attention(layers: int, fields: Mapping[str, Any]) -> CacheShape:
    _, head_dim = configs.attention_heads(fields)
    one_layer = 2 * configs.key_value_heads(fields) * head_dim * BYTES_OF_16_BITS
    return CacheShape(full_layers=layers, full_bytes_per_token=layers * one_layer)
