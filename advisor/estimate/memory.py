"""Bytes a model takes: weights, cache at a context, and what the runtime needs beside them.

Plain arrays in and out; everything broadcasts.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

# mlx-lm's KVCache allocates in steps, so a cache is never smaller than the step it is in.
# Source: mlx_lm.models.cache, KVCache.step.
CACHE_STEP_TOKENS = 256
# A quantized cache keeps a 16-bit scale and bias for every 64 elements: 0.5 bits an element.
# llama.cpp's q8_0 and q4_0 come to the same 8.5 and 4.5 bits.
# Source: mlx_lm.models.cache, QuantizedKVCache(group_size=64).
GROUP_OVERHEAD_BITS = 0.5
# Stands for "no limit" where a model states no maximum context.
UNBOUNDED_TOKENS = 1e12


@dataclass(frozen=True, slots=True)
class Growth:
    """How memory grows with the context: everything that is not fixed, for each case.

    growing_bytes_per_token   cache layers that keep every token
    sliding_bytes_per_token   cache layers that stop at ``window_tokens``
    state_bytes               cache of recurrent layers, whatever the context
    batch                     sequences, each with a cache of its own
    chunk_bytes_per_token     activations of a prompt chunk, up to ``chunk_tokens``
    """

    growing_bytes_per_token: np.ndarray
    sliding_bytes_per_token: np.ndarray
    window_tokens: np.ndarray
    state_bytes: np.ndarray
    batch: np.ndarray
    chunk_bytes_per_token: np.ndarray
    chunk_tokens: int


def cache_share(kv_bits: np.ndarray) -> np.ndarray:
    """Bytes of a cache element over its bytes at 16 bits [-]; scales of the groups included."""
    bits = np.asarray(kv_bits, dtype=float)
    return np.where(bits >= 16, 1.0, (bits + GROUP_OVERHEAD_BITS) / 16)


def growing_bytes_per_token(
    *,
    full_bytes_per_token: np.ndarray,
    latent_bytes_per_token: np.ndarray,
    kv_bits: np.ndarray,
    cache_quantizes: np.ndarray,
) -> np.ndarray:
    """Bytes one more token of context adds to the layers that keep all of it.

    cache_quantizes   whether the engine can keep this model's cache in fewer bits; else 16

    Only full attention is quantized: latent caches stay as they are, and mlx-lm refuses a model
    that has sliding layers. Source: mlx_lm.models.cache, RotatingKVCache.to_quantized.
    """
    share = np.where(cache_quantizes, cache_share(kv_bits), 1.0)
    return full_bytes_per_token * share + latent_bytes_per_token


def held_tokens(context_tokens: np.ndarray) -> np.ndarray:
    """Tokens a cache has room for at a context: whole steps."""
    return np.ceil(np.asarray(context_tokens) / CACHE_STEP_TOKENS) * CACHE_STEP_TOKENS


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
    held = held_tokens(context_tokens)
    windows = sliding_bytes_per_token * np.minimum(held, window_tokens)
    return batch * (growing_bytes_per_token * held + windows + state_bytes)


def mlx_chunk_bytes_per_token(
    *,
    hidden_size: np.ndarray,
    sliding_bytes_per_token: np.ndarray,
    is_hybrid: np.ndarray,
    bytes_per_hidden: float,
    hybrid_bytes_per_hidden: float,
) -> np.ndarray:
    """What MLX holds for each token of the prompt chunk it processes [bytes].

    Activations grow with the hidden size, recurrent layers keep more of them, and a sliding
    layer holds its window and the whole chunk until the chunk is done.
    Constants: catalog/memory_rules.toml, fitted on the peaks of catalog/measured_memory.csv.
    """
    per_hidden = bytes_per_hidden + is_hybrid * hybrid_bytes_per_hidden
    return hidden_size * per_hidden + sliding_bytes_per_token


def llama_cpp_buffer_bytes(
    *, hidden_size: np.ndarray, vocab_size: np.ndarray, ubatch_tokens: int
) -> np.ndarray:
    """llama.cpp's compute buffer: fp32 logits and one activation of a micro-batch.

    It gives the 258.5 MiB that llama.cpp logs for Llama-3-8B at its default of 512 tokens.
    """
    return ubatch_tokens * 4.0 * (hidden_size + vocab_size)


def chunk_bytes(growth: Growth, context_tokens: np.ndarray) -> np.ndarray:
    """Activations of the largest prompt chunk up to a context [bytes]."""
    chunk = np.minimum(held_tokens(context_tokens), growth.chunk_tokens)
    return growth.chunk_bytes_per_token * chunk


def largest_context_tokens(
    *, free_bytes: np.ndarray, growth: Growth, max_context_tokens: np.ndarray
) -> np.ndarray:
    """The largest context whose cache and chunk fit into ``free_bytes``, in whole cache steps.

    No more than the model's own maximum (0: not known); 0 where not even one step fits.

    Memory over context is the least of four lines: window reached or not, chunk reached or
    not. So the largest context is the largest of the four lines' own answers.
    """
    free = np.asarray(free_bytes - growth.batch * growth.state_bytes, dtype=float)
    sliding = growth.batch * growth.sliding_bytes_per_token
    tokens: np.ndarray = np.zeros_like(free)
    for window_full, chunk_full in product((False, True), repeat=2):
        slope = growth.batch * growth.growing_bytes_per_token
        left = free
        if window_full:
            left = left - sliding * growth.window_tokens
        else:
            slope = slope + sliding
        if chunk_full:
            left = left - growth.chunk_bytes_per_token * growth.chunk_tokens
        else:
            slope = slope + growth.chunk_bytes_per_token
        with np.errstate(divide="ignore", invalid="ignore"):
            line = np.where(left >= 0, left / slope, 0.0)
        # 0 / 0: nothing grows and nothing is left, so any context fits.
        tokens = np.maximum(tokens, np.nan_to_num(line, nan=UNBOUNDED_TOKENS))
    steps = np.floor(np.minimum(tokens, UNBOUNDED_TOKENS) / CACHE_STEP_TOKENS)
    limit = np.where(max_context_tokens > 0, max_context_tokens, UNBOUNDED_TOKENS)
    return np.minimum(steps * CACHE_STEP_TOKENS, limit)
