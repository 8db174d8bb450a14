"""The speed of each case: what its facts and the fitted numbers give, term by term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate import batching, decode, memory, options, prefill
from advisor.estimate.arrays import Arrays, arrays
from advisor.estimate.cases import Cases
from advisor.estimate.coefficients import Coefficients, Widths
from advisor.estimate.terms import ATTENTION, CACHE, OVERHEAD, PREFILL, SAMPLING, WEIGHTS

if TYPE_CHECKING:
    from advisor.catalog import Catalog


@dataclass(frozen=True, slots=True)
class StepTerms:
    """Terms of a step that do not depend on the context, and what a token in the cache adds.

    A sequence's ``growing`` part counts every token, its ``sliding`` part those in the window.
    """

    overhead_s: np.ndarray
    streams_s: np.ndarray  # of overhead_s, what sequences beyond the first add
    weights_s: np.ndarray
    read_weight_bytes: np.ndarray
    growing_read_bytes: np.ndarray
    sliding_read_bytes: np.ndarray
    growing_s: np.ndarray
    sliding_s: np.ndarray


def step_terms(
    catalog: Catalog, fitted: Coefficients, chips: np.ndarray, cases: Cases
) -> StepTerms:
    """The terms of each case's step [s, bytes]; ``chips`` is the chip index of each machine."""
    facts, stream_share = arrays(catalog), 0.0
    if np.any(cases.batch > 1):
        stream_share = options.load(catalog).stream_share
    v, at = facts.variants, cases.variant
    chip = chips[cases.machine]
    bandwidth = facts.bandwidth_bytes_per_s[chip]
    keys = (chip, cases.runtime, at, v.format[at], fitted.variant_class[at])
    read = _read_weight_bytes(facts, at, cases.batch)
    growing = memory.growing_bytes_per_token(
        full_bytes_per_token=v.full_bytes_per_token[at] * v.full_readers[at],
        latent_bytes_per_token=v.latent_bytes_per_token[at],
        kv_bits=cases.kv_bits,
        cache_quantizes=v.cache_quantizes[at],
    )
    sliding = v.sliding_bytes_per_token[at] * v.sliding_readers[at]
    cache = fitted.terms[CACHE]
    share = cache.score(*keys)
    s_per_byte = decode.seconds_per_byte(bandwidth, share)
    # Only full attention is quantized: windows and latent caches stay as they are.
    narrow = (np.asarray(cases.kv_bits) < 16) & v.cache_quantizes[at]
    narrow &= v.latent_bytes_per_token[at] == 0
    s_per_growing_byte = decode.seconds_per_byte(
        bandwidth, share + narrow * cache.narrow[v.format[at]]
    )
    s_per_width = decode.attention_s_per_width(
        facts.gpu_cores[chip], fitted.terms[ATTENTION].score(*keys)
    )
    weights_s_per_byte = decode.seconds_per_byte(bandwidth, fitted.terms[WEIGHTS].score(*keys))
    overhead_s = decode.overhead_s(v.layers[at], fitted.terms[OVERHEAD].score(*keys))
    overhead_s = overhead_s + decode.sampling_s(
        v.vocab_size[at], fitted.terms[SAMPLING].score(*keys)
    )
    streams_s = np.array(0.0)
    if np.any(cases.batch > 1):
        single_s = overhead_s + _read_weight_bytes(facts, at, np.array(1)) * weights_s_per_byte
        streams_s = batching.streams_s(
            single_step_s=single_s, batch=cases.batch, stream_share=stream_share
        )
    return StepTerms(
        overhead_s=overhead_s + streams_s,
        streams_s=streams_s,
        weights_s=read * weights_s_per_byte,
        read_weight_bytes=read,
        growing_read_bytes=growing,
        sliding_read_bytes=sliding,
        growing_s=growing * s_per_growing_byte + v.attention_width[at] * s_per_width,
        sliding_s=sliding * s_per_byte + v.sliding_width[at] * s_per_width,
    )


def _read_weight_bytes(facts: Arrays, at: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """Weights and recurrent state that a step moves [bytes]."""
    v = facts.variants
    return decode.read_weight_bytes(
        dense_read_bytes=v.dense_read_bytes[at],
        expert_bytes=v.expert_bytes[at],
        expert_share=v.expert_share[at],
        batch=batch,
    ) + decode.fixed_cache_read_bytes(state_bytes=v.state_bytes[at], batch=batch)


def prefill_rate(
    facts: Arrays, fitted: Coefficients, chips: np.ndarray, cases: Cases
) -> np.ndarray:
    """Prompt tokens per second of each case, never above the shaders' peak."""
    v, at = facts.variants, cases.variant
    chip = chips[cases.machine]
    log_rate = fitted.terms[PREFILL].score(
        chip, cases.runtime, at, v.format[at], fitted.variant_class[at]
    )
    flops = prefill.prompt_flops_per_token(
        active_params=v.active_params[at],
        attention_width=v.attention_width[at],
        prompt_tokens=cases.context_tokens,
    )
    return prefill.prefill_tok_s(
        flops_per_token=flops,
        log_flop_s=np.minimum(
            log_rate + np.log(facts.gpu_cores[chip]), np.log(facts.peak_flop_s[chip])
        ),
        prompt_tokens=cases.context_tokens,
        half_speed_tokens=fitted.half_speed_tokens,
    )


def log_half_width(widths: Widths, facts: Arrays, chips: np.ndarray, cases: Cases) -> np.ndarray:
    """The logarithm of the factor to either end of each case's 80 % interval."""
    chip, model = chips[cases.machine], facts.variants.model[cases.variant]
    return np.exp(
        widths.chip_runtime[chip, cases.runtime]
        + widths.model_runtime[model, cases.runtime]
        + widths.depth * decode.depth(cases.context_tokens)
    )
