"""Tokens per second of the prompt: arithmetic, paid once, so it follows compute not bandwidth."""

from __future__ import annotations

import numpy as np


def prompt_flops_per_token(
    *, active_params: np.ndarray, attention_width: np.ndarray, prompt_tokens: np.ndarray
) -> np.ndarray:
    """Floating-point operations a prompt token costs on average [FLOP].

    Two per parameter it meets, and four per attended position and attention dimension, half of
    the prompt being in view on average.
    attention_width   heads x head_dim, summed over the layers with full attention
    Source: How to Scale Your Model (2025), ch. 4.
    """
    return 2.0 * active_params + 2.0 * attention_width * prompt_tokens


def prefill_tok_s(
    *,
    flops_per_token: np.ndarray,
    log_flop_s: np.ndarray,
    prompt_tokens: np.ndarray,
    half_speed_tokens: float,
) -> np.ndarray:
    """Prompt tokens per second; a prompt of ``half_speed_tokens`` reaches half the full rate.

    log_flop_s   natural logarithm of the arithmetic rate of chip and runtime [FLOP/s]
    """
    filled = prompt_tokens / (prompt_tokens + half_speed_tokens)
    return np.exp(log_flop_s) * filled / flops_per_token


def ttft_s(*, prompt_s: np.ndarray, step_s: np.ndarray) -> np.ndarray:
    """Seconds to the first token: the whole prompt uncached, then one decode step; model warm."""
    return prompt_s + step_s
