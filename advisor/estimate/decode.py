"""Seconds to decode one token: a cost per layer and per token, the weights read, the context.

Every token is its own round trip to memory: weights and cache are read, each at its own share
of the chip's bandwidth, fitted (``fitting.py``) and never above 1. On top comes what moves no
bytes: launches, by layer, and the arithmetic of attention, by query and position.
"""

from __future__ import annotations

import numpy as np

# Intervals widen from the first on, over so many factors of 4.
SHALLOW_TOKENS, MOST_DEPTH = 2048, 2.0


def distinct_expert_share(expert_share: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """Share of a layer's experts that a step of ``batch`` sequences touches [-].

    Sequences choose independently: 1 - (1 - top_k / experts) ** batch. Routers are less even
    than that, so it is an upper bound for a batch above one.
    """
    return 1.0 - (1.0 - np.asarray(expert_share)) ** batch


def read_weight_bytes(
    *,
    dense_read_bytes: np.ndarray,
    expert_bytes: np.ndarray,
    expert_share: np.ndarray,
    batch: np.ndarray,
) -> np.ndarray:
    """Bytes of weights one decode step reads: the dense part once, each touched expert once."""
    return dense_read_bytes + expert_bytes * distinct_expert_share(expert_share, batch)


def fixed_cache_read_bytes(*, state_bytes: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """Bytes of recurrent state a step moves whatever the context: read once, written once."""
    return 2.0 * state_bytes * batch


def seconds_per_byte(bandwidth_bytes_per_s: np.ndarray, share_logit: np.ndarray) -> np.ndarray:
    """Seconds per byte at a share of the bandwidth; the share is a logistic, so under 1."""
    return (1.0 + np.exp(-share_logit)) / bandwidth_bytes_per_s


def attention_s_per_width(gpu_cores: np.ndarray, log_core_seconds: np.ndarray) -> np.ndarray:
    """Seconds that a token in the cache adds by arithmetic, for each query element that meets it.

    A layer has heads x head_dim query elements, whatever the bytes of its cache.
    log_core_seconds   logarithm of the seconds one GPU core takes for one of them [-]
    Why it is apart from the bytes: with eight query heads to a key head, the cache shrinks
    eightfold and the cost of depth does not (Ollama's 0.5B Qwen2.5 on an M4 Pro: 1.2 us a
    token, 26 times what its cache bytes take).
    """
    return np.exp(log_core_seconds) / gpu_cores


def overhead_s(layers: np.ndarray, log_seconds_per_layer: np.ndarray) -> np.ndarray:
    """Seconds of a step that move no weights, such as kernel launches; never negative."""
    return layers * np.exp(log_seconds_per_layer)


def sampling_s(vocab_size: np.ndarray, log_seconds_per_entry: np.ndarray) -> np.ndarray:
    """Seconds to choose a token from the vocabulary and hand it out; never negative.

    Engines do this on the CPU once a token, whatever the layers: an engine that looks slow on
    small models and not on large ones is slow here.
    """
    return vocab_size * np.exp(log_seconds_per_entry)


def depth(context_tokens: np.ndarray) -> np.ndarray:
    """Factors of 4 above a short context, 0 to 2, which widen an interval; no curve jumps."""
    doublings = np.log2(np.maximum(context_tokens, 1) / SHALLOW_TOKENS)
    return np.clip(doublings / 2, 0.0, MOST_DEPTH)
