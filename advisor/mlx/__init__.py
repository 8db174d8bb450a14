"""What a config.json weighs, told by mlx-lm itself: the only package that imports mlx or mlx_lm.

A model is built from its config without weights and never evaluated: MLX arrays are lazy, so
shapes, bytes and cache sizes are known while no memory is touched. Parameters are counted where
mlx-lm puts them, quantization follows the model's own predicate, and a lazy forward pass of one
token shows what each layer caches.

``configs`` checks and adapts a config, ``models`` is the door to mlx-lm, ``counting`` walks its
arrays, ``caches`` reads its caches, ``shapes`` are the answers. mlx-lm is imported on first use.

Source: mlx-lm (github.com/ml-explore/mlx-lm), ``mlx_lm.utils`` and ``mlx_lm.models.cache``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from advisor.mlx import caches, configs, counting, models
from advisor.mlx.shapes import CacheShape, ModelShape, WeightBytes

__all__ = ["CacheShape", "ModelShape", "WeightBytes", "describe", "weigh"]


def describe(config: Mapping[str, Any]) -> ModelShape:
    """Parameter counts, layer counts and cache shape of a config.

    Raises ``InputError`` where the config lacks a field that decides a size, or mlx-lm cannot
    build it.
    """
    adapted = _adapted(config)
    fields = configs.text_fields(adapted)
    model = models.build(adapted)
    count = counting.count(model, configs.hidden_size(fields))
    top_k = configs.experts_per_token(fields) if count.experts else 0
    if top_k > count.experts:
        raise configs.refused(f"routes a token to {top_k} of only {count.experts} experts")
    cache = caches.cache_shape(model, fields)
    routed = count.expert_params * top_k // count.experts if count.experts else 0
    dense = count.params - count.expert_params
    heads, head_dim = configs.attention_heads(fields)
    return ModelShape(
        model_type=str(config["model_type"]),
        params=count.params,
        active_params=dense + routed,
        read_params=dense - count.table_params + routed,
        embedding_params=count.table_params,
        expert_params=count.expert_params,
        layers=len(model.layers),
        hidden_size=configs.hidden_size(fields),
        vocab_size=count.vocab_size,
        experts=count.experts,
        experts_per_token=top_k,
        kind=_kind(is_moe=count.experts > 0, is_hybrid=cache.state_layers > 0),
        max_context_tokens=configs.max_context_tokens(fields),
        attention_heads=heads,
        head_dim=head_dim,
        cache=cache,
    )


def weigh(
    config: Mapping[str, Any],
    *,
    bits: int | None,
    group_size: int | None,
    mode: str,
    overrides: Mapping[str, Any] | None = None,
) -> WeightBytes:
    """Bytes of a config's weights, quantized as ``mlx_lm.convert`` would (``bits`` None: bf16).

    mode       "affine", "mxfp4", "nvfp4" or "mxfp8"; "none" keeps bf16
    overrides  the "quantization" object of a converted model's config: what it says of single
               modules ({path: {"bits": 8, "group_size": 64}}, {path: false}) is followed
    Raises ``InputError`` as ``describe`` does, and where mlx-lm knows no such quantization.
    """
    adapted = _adapted(config)
    model = models.build(adapted)
    if mode != "none":
        models.quantize(model, bits, group_size, mode, overrides or {})
    count = counting.count(model, configs.hidden_size(configs.text_fields(adapted)))
    return WeightBytes(
        weight_bytes=count.bytes,
        dense_read_bytes=count.bytes - count.table_bytes - count.expert_bytes,
        expert_bytes=count.expert_bytes,
    )


def _adapted(config: Mapping[str, Any]) -> dict[str, Any]:
    """What mlx-lm is to build; an unknown model_type is said before any missing field."""
    adapted = configs.named(config)
    models.classes(adapted)
    configs.require_sizes(adapted)
    return adapted


def _kind(*, is_moe: bool, is_hybrid: bool) -> str:
    if is_hybrid:
        return "hybrid-moe" if is_moe else "hybrid"
    return "moe" if is_moe else "dense"
