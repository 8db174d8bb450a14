"""Bytes a model takes: weights, cache at a context, and what the runtime needs beside them.

Plain arrays in and out; everything broadcasts.
"""

from __future__ import annotations

import numpy as np

from advisor.units import GIB

# mlx-lm's KVCache allocates in steps, so a cache is never smaller than the step it is in.
# Source: mlx_lm.models.cache, KVCache.step.
CACHE_STEP_TOKENS = 256
# A quantized cache keeps a 16-bit scale and bias for every 64 elements: 0.5 bits an element.
# Source: mlx_lm.models.cache, QuantizedKVCache(group_size=64).
GROUP_OVERHEAD_BITS = 0.5


def cache_share(kv_bits: np.ndarray) -> np.ndarray:
    """Bytes of a cache element over its bytes at 16 bits [-]; scales of the groups included."""
    bits = np.asarray(kv_bits, dtype=float)
    return np.where(bits >= 16, 1.0, (bits + GROUP_OVERHEAD_BITS) / 16)


def growing_bytes_per_token(
    *, full_bytes_per_token: np.ndarray, latent_bytes_per_token: np.ndarray, kv_bits: np.ndarray
) -> np.ndarray:
    """Bytes one more token of context adds to the layers that keep all of it.

    Only full attention is quantized: mlx-lm's sliding, latent and recurrent caches stay as
    they are. Source: mlx_lm.models.cache.
    """
    return full_bytes_per_token * cache_share(kv_bits) + latent_bytes_per_token


def kv_bytes(
    *,
    growing_bytes_per_token: np.ndarray,
    sliding_bytes_per_token: np.ndarray,
    window_tokens: np.ndarray,
    state_bytes: np.ndarray,
    context_tokens: np.ndarray,
    batch: np.ndarray,
) -> np.ndarray:
    """Bytes of the cache at a context: growing layers, windows up to their length, states."""
    held = np.ceil(np.asarray(context_tokens) / CACHE_STEP_TOKENS) * CACHE_STEP_TOKENS
    windows = sliding_bytes_per_token * np.minimum(held, window_tokens)
    return batch * (growing_bytes_per_token * held + windows + state_bytes)


def mlx_buffer_bytes(
    *,
    hidden_size: np.ndarray,
    sliding_bytes_per_token: np.ndarray,
    is_hybrid: np.ndarray,
    context_tokens: np.ndarray,
    chunk_tokens: int,
    fixed_bytes: float,
    bytes_per_hidden: float,
    hybrid_bytes_per_hidden: float,
) -> np.ndarray:
    """What MLX holds beside weights and cache at its peak, while a prompt chunk is processed.

    A chunk's activations grow with tokens x hidden size, recurrent layers keep more of them,
    and a sliding layer holds its window and the whole chunk until the chunk is done.
    Constants: catalog/memory_rules.toml, fitted on the peaks of catalog/measured_memory.csv.
    """
    tokens = np.minimum(context_tokens, chunk_tokens)
    per_hidden = bytes_per_hidden + is_hybrid * hybrid_bytes_per_hidden
    return fixed_bytes + tokens * (hidden_size * per_hidden + sliding_bytes_per_token)


def llama_cpp_buffer_bytes(
    *, hidden_size: np.ndarray, vocab_size: np.ndarray, ubatch_tokens: int
) -> np.ndarray:
    """llama.cpp's compute buffer: fp32 logits and one activation of a micro-batch.

    It gives the 258.5 MiB that llama.cpp logs for Llama-3-8B at its default of 512 tokens.
    """
    return ubatch_tokens * 4.0 * (hidden_size + vocab_size)


def largest_context_tokens(
    *,
    free_bytes: np.ndarray,
    growing_bytes_per_token: np.ndarray,
    sliding_bytes_per_token: np.ndarray,
    window_tokens: np.ndarray,
    state_bytes: np.ndarray,
    batch: np.ndarray,
    max_context_tokens: np.ndarray,
) -> np.ndarray:
    """The largest context whose cache fits into ``free_bytes``, in whole cache steps.

    No more than the model's own maximum; 0 where not even one step fits. A model that caches
    nothing that grows is bound by its maximum alone.
    """
    free = free_bytes / batch - state_bytes
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = free / (growing_bytes_per_token + sliding_bytes_per_token)
        beyond = (free - sliding_bytes_per_token * window_tokens) / growing_bytes_per_token
    tokens = np.where(inside <= window_tokens, inside, np.maximum(beyond, window_tokens))
    tokens = np.where(free < 0, 0, tokens)
    steps = np.floor(np.nan_to_num(tokens, nan=0.0, posinf=1e12) / CACHE_STEP_TOKENS)
    limit = np.where(max_context_tokens > 0, max_context_tokens, 1e12)
    return np.minimum(np.maximum(steps, 0) * CACHE_STEP_TOKENS, limit)


def gib_text(size_bytes: float) -> str:
    """A short amount for sentences: "3.2 GiB"."""
    return f"{size_bytes / GIB:.1f} GiB"
