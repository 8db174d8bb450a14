"""Caches as they are at a depth, filled with random numbers instead of by a prompt.

Every cache gets room for the tokens that are timed, so that none of them pays for growth:
full and latent attention as long as the depth, a window filled up to its size, recurrent state
of its own shape. ``rewind`` sets them back to the depth between repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.errors import InputError
from advisor.mlx import models

STEP = 256
KV_GROUP_SIZE = 64


def at_depth(model: Any, depth: int, *, room: int = 64, kv_bits: int = 16) -> list[Any]:
    """The model's caches after ``depth`` tokens, with room for ``room`` more [tokens].

    kv_bits   8 or 4 for caches that mlx-lm quantizes; windows and state never are
    Raises ``InputError`` for a model whose caches mlx-lm cannot trace here.
    """
    import mlx.core as mx

    traced = models.traced_caches(model)
    if traced is None:
        raise InputError("This model needs Metal kernels, so it cannot run on this computer.")
    caches = [_filled(cache, depth, depth + room, kv_bits) for cache in traced]
    mx.eval([cache.state for cache in caches])
    return caches


def rewind(caches: Sequence[Any], depth: int) -> None:
    """Set caches of ``at_depth`` back to the depth; a full window only goes on turning."""
    for leaf in _leaves(caches):
        if not hasattr(leaf, "offset"):
            continue
        window = getattr(leaf, "max_size", None)
        if window and depth < window:
            leaf._idx = depth
        if hasattr(leaf, "start_position"):
            leaf.start_position = max(0, min(leaf.start_position, depth - leaf.chunk_size))
        leaf.offset = depth


def cache_bytes(model: Any, depth: int, *, room: int = 64) -> int:
    """What ``at_depth`` will take at 16 bits or more; nothing is evaluated [bytes]."""
    traced = models.traced_caches(model)
    total = 0
    for leaf in _leaves(traced or []):
        if _is_state(leaf):
            total += sum(array.nbytes for array in leaf.cache if array is not None)
        elif getattr(leaf, "keys", None) is not None:
            tokens = _tokens(leaf, depth + room)
            for array in (leaf.keys, leaf.values):
                total += array.nbytes // max(1, array.shape[2]) * tokens
    return total


def _filled(cache: Any, depth: int, end: int, kv_bits: int) -> Any:
    import mlx.core as mx
    from mlx_lm.models.cache import KVCache

    inner = getattr(cache, "caches", None)
    if inner is not None:
        cache.caches = tuple(_filled(part, depth, end, kv_bits) for part in inner)
        return cache
    if _is_state(cache):
        for index, array in enumerate(cache.cache):
            if isinstance(array, mx.array):
                cache[index] = _random(array.shape, array.dtype)
        return cache
    if getattr(cache, "keys", None) is None:
        return cache
    tokens = _tokens(cache, end)
    for name in ("keys", "values"):
        array = getattr(cache, name)
        setattr(cache, name, _random((*array.shape[:2], tokens, array.shape[3]), array.dtype))
    cache.offset = depth
    if hasattr(cache, "_idx"):
        cache._idx = min(depth, cache.max_size)
    if hasattr(cache, "start_position"):
        cache.start_position = max(0, depth - cache.chunk_size)
    if kv_bits < 16 and type(cache) is KVCache:
        return cache.to_quantized(group_size=KV_GROUP_SIZE, bits=kv_bits)
    return cache


def _tokens(leaf: Any, end: int) -> int:
    """Tokens to allocate: whole steps, or what the window keeps."""
    whole_steps = -(-end // STEP) * STEP
    if getattr(leaf, "max_size", None):
        return min(leaf.max_size, whole_steps)
    if getattr(leaf, "chunk_size", None):
        return min(leaf.chunk_size + STEP, whole_steps)
    return whole_steps


def _random(shape: Sequence[int], dtype: Any) -> Any:
    import mlx.core as mx

    made = mx.random.normal(tuple(shape), mx.float32).astype(dtype)
    mx.eval(made)
    return made


def _leaves(caches: Sequence[Any]) -> list[Any]:
    found: list[Any] = []
    for cache in caches:
        inner = getattr(cache, "caches", None)
        found += [cache] if inner is None else _leaves(inner)
    return found


def _is_state(leaf: Any) -> bool:
    from mlx_lm.models.cache import ArraysCache

    return isinstance(leaf, ArraysCache)
