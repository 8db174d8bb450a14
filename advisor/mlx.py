"""What a config.json weighs, told by mlx-lm itself: the only module that imports mlx or mlx_lm.

A model is built from its config without weights and never evaluated: MLX arrays are lazy, so
shapes, bytes and cache sizes are known while no memory is touched. Parameters are counted where
mlx-lm puts them, quantization follows the model's own predicate, and a lazy forward pass of one
token shows what each layer caches.

Source: mlx-lm (github.com/ml-explore/mlx-lm), ``mlx_lm.utils`` and ``mlx_lm.models.cache``.
"""

from __future__ import annotations

import contextlib
import copy
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from advisor.errors import InputError

TOP_K_NAMES = (
    "num_experts_per_tok",
    "num_experts_per_token",
    "top_k_experts",
    "experts_per_token",
    "moe_k",
    "moe_top_k",
    "moe_topk",
)
MAX_CONTEXT_NAMES = (
    "max_position_embeddings",
    "model_max_length",
    "max_seq_len",
    "seq_length",
    "n_positions",
    "n_ctx",
)
# Tables that are looked up one row a token, whatever the head does.
PER_LAYER_TABLES = ("embed_tokens_per_layer",)
ESSENTIAL = ("hidden_size", "num_hidden_layers", "vocab_size")
ESSENTIAL_ALIASES = {
    "hidden_size": ("n_embd", "d_model", "dim", "model_dim"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers", "num_transformer_layers"),
    "vocab_size": (),
}
FLAT_ROPE_TYPES = ("ernie4_5", "glm4", "glm4_moe", "helium", "gemma3n", "olmo_hybrid")


@dataclass(frozen=True)
class CacheShape:
    """What the layers cache, in bytes of one sequence at 16 bits (state: the traced dtype).

    Where layers of one model have several windows, ``window_tokens`` is their mean weighted by
    bytes, so that ``sliding_bytes_per_token * window_tokens`` stays the exact total.
    """

    full_layers: int = 0
    full_bytes_per_token: int = 0
    latent_layers: int = 0
    latent_bytes_per_token: int = 0
    sliding_layers: int = 0
    sliding_bytes_per_token: int = 0
    window_tokens: float = 0
    state_layers: int = 0
    state_bytes: int = 0


@dataclass(frozen=True)
class ModelShape:
    """Counts of a model that do not depend on its quantization.

    params            all parameters [-]
    active_params     all but the experts a token is not routed to [-]
    read_params       parameters read to decode one token: ``active_params`` without tables that
                      are only looked up (an untied input embedding, per-layer embeddings) [-]
    expert_params     parameters of all routed experts [-]
    """

    model_type: str
    params: int
    active_params: int
    read_params: int
    embedding_params: int
    expert_params: int
    layers: int
    hidden_size: int
    vocab_size: int
    experts: int
    experts_per_token: int
    kind: str
    max_context_tokens: int
    attention_heads: int
    head_dim: int
    cache: CacheShape


@dataclass(frozen=True)
class WeightBytes:
    """Bytes of one model in one quantization; scales and what stays unquantized included.

    weight_bytes      all weights [bytes]
    dense_read_bytes  read for every decoded token, whatever the router says [bytes]
    expert_bytes      all routed experts; a token reads ``experts_per_token / experts`` of it
    """

    weight_bytes: int
    dense_read_bytes: int
    expert_bytes: int


def describe(config: Mapping[str, Any]) -> ModelShape:
    """Parameter counts, layer counts and cache shape of a config.

    Raises ``InputError`` where the config lacks an essential field or mlx-lm cannot build it.
    """
    fields = _text_fields(config)
    model = _build(config)
    count = _count(model, fields)
    cache = cache_shape(model, fields)
    experts, top_k = count.experts, _top_k(fields) if count.experts else 0
    routed = count.expert_params * top_k // experts if experts else 0
    dense = count.params - count.expert_params
    heads = int(fields.get("num_attention_heads") or fields.get("n_head") or 0)
    hidden = _essential(fields, "hidden_size")
    return ModelShape(
        model_type=str(config["model_type"]),
        params=count.params,
        active_params=dense + routed,
        read_params=dense - count.table_params + routed,
        embedding_params=count.table_params,
        expert_params=count.expert_params,
        layers=len(getattr(model, "layers", ())) or _essential(fields, "num_hidden_layers"),
        hidden_size=hidden,
        vocab_size=_essential(fields, "vocab_size"),
        experts=experts,
        experts_per_token=top_k,
        kind=("hybrid-" if cache.state_layers else "") + "moe"
        if experts
        else ("hybrid" if cache.state_layers else "dense"),
        max_context_tokens=_max_context(fields),
        attention_heads=heads,
        head_dim=int(fields.get("head_dim") or (hidden // heads if heads else 0)),
        cache=cache,
    )


def weigh(
    config: Mapping[str, Any], *, bits: int | None, group_size: int | None, mode: str
) -> WeightBytes:
    """Bytes of a config's weights, quantized as ``mlx_lm.convert`` would (``bits`` None: bf16).

    mode   "affine", "mxfp4", "nvfp4" or "mxfp8"; "none" keeps bf16
    Raises ``InputError`` as ``describe`` does.
    """
    fields = _text_fields(config)
    model = _build(config)
    if mode != "none":
        from mlx_lm.utils import quantize_model

        with _silence():
            model, _ = quantize_model(model, {}, group_size, bits, mode=mode)
    count = _count(model, fields)
    return WeightBytes(
        weight_bytes=count.bytes,
        dense_read_bytes=count.bytes - count.table_bytes - count.expert_bytes,
        expert_bytes=count.expert_bytes,
    )


def cache_shape(model: Any, fields: Mapping[str, Any]) -> CacheShape:
    """What one token leaves in each layer's cache, from a lazy forward pass.

    A model whose forward pass needs a Metal kernel (BitNet) is counted from its config: all its
    layers cache full attention.
    """
    import mlx.core as mx
    from mlx_lm.models.cache import make_prompt_cache

    caches = make_prompt_cache(model)
    try:
        model(mx.zeros((1, 1), dtype=mx.int32), cache=caches)
    except RuntimeError as error:
        if "Metal" not in str(error):
            raise
        return _full_attention(fields)
    latent = bool(fields.get("kv_lora_rank"))
    return _sum_caches(caches, latent)


def _sum_caches(caches: list[Any], latent: bool) -> CacheShape:
    layers = dict.fromkeys(("full", "latent", "sliding", "state"), 0)
    per_token = dict.fromkeys(("full", "latent", "sliding"), 0)
    window_bytes = 0
    state_bytes = 0
    for layer in caches:
        seen = set()
        for leaf in _cache_leaves(layer):
            arrays = _arrays(leaf)
            if not arrays:
                continue
            name = type(leaf).__name__
            if name == "ArraysCache":
                kind = "state"
                state_bytes += sum(array.nbytes for array in arrays)
            else:
                window = getattr(leaf, "max_size", None) or getattr(leaf, "chunk_size", None)
                kind = "sliding" if window else "latent" if latent else "full"
                bytes_per_token = sum(array.nbytes // array.shape[2] for array in arrays)
                per_token[kind] += bytes_per_token
                window_bytes += bytes_per_token * (window or 0)
            seen.add(kind)
        for kind in seen:
            layers[kind] += 1
    return CacheShape(
        full_layers=layers["full"],
        full_bytes_per_token=per_token["full"],
        latent_layers=layers["latent"],
        latent_bytes_per_token=per_token["latent"],
        sliding_layers=layers["sliding"],
        sliding_bytes_per_token=per_token["sliding"],
        window_tokens=window_bytes / per_token["sliding"] if per_token["sliding"] else 0,
        state_layers=layers["state"],
        state_bytes=state_bytes,
    )


def _cache_leaves(cache: Any) -> Iterator[Any]:
    inner = getattr(cache, "caches", None)
    if inner is None:
        yield cache
        return
    for leaf in inner:
        yield from _cache_leaves(leaf)


def _arrays(leaf: Any) -> list[Any]:
    import mlx.core as mx

    if type(leaf).__name__ == "ArraysCache":
        found = leaf.cache
    else:
        found = [getattr(leaf, "keys", None), getattr(leaf, "values", None)]
    return [array for array in found if isinstance(array, mx.array)]


def _full_attention(fields: Mapping[str, Any]) -> CacheShape:
    layers = _essential(fields, "num_hidden_layers")
    heads = int(fields["num_attention_heads"])
    head_dim = int(fields.get("head_dim") or _essential(fields, "hidden_size") // heads)
    kv_heads = int(fields.get("num_key_value_heads") or heads)
    return CacheShape(full_layers=layers, full_bytes_per_token=layers * 2 * kv_heads * head_dim * 2)


@dataclass(frozen=True)
class _Count:
    params: int
    bytes: int
    table_params: int
    table_bytes: int
    expert_params: int
    expert_bytes: int
    experts: int


def _count(model: Any, fields: Mapping[str, Any]) -> _Count:
    """Walk every array once; modules say how many bits it packs and whether it is an expert."""
    import mlx.core as mx
    import mlx.nn as nn
    from mlx.utils import tree_flatten

    modules = dict(model.named_modules())
    tables = _looked_up_tables(modules, fields)
    total = {"params": 0, "bytes": 0, "table": [0, 0], "expert": [0, 0]}
    experts = 0
    for path, array in tree_flatten(model.parameters()):
        owner_path, _, leaf = path.rpartition(".")
        owner = modules.get(owner_path)
        params = math.prod(array.shape)
        quantized = isinstance(owner, nn.Module) and "scales" in owner
        if quantized and leaf == "weight" and array.dtype == mx.uint32:
            params = params * 32 // owner.bits
        elif quantized and leaf in ("scales", "biases"):
            params = 0
        total["params"] += params
        total["bytes"] += array.nbytes
        if "SwitchLinear" in type(owner).__name__:
            experts = max(experts, owner.weight.shape[0])
            bucket = total["expert"]
        elif owner_path in tables:
            bucket = total["table"]
        else:
            continue
        bucket[0] += params
        bucket[1] += array.nbytes
    return _Count(
        total["params"], total["bytes"], *total["table"], *total["expert"], experts=experts
    )


def _looked_up_tables(modules: Mapping[str, Any], fields: Mapping[str, Any]) -> set[str]:
    """Paths of embeddings of which a token reads one row: untied input and per-layer tables."""
    vocab = _essential(fields, "vocab_size")
    tables = {path for path, m in modules.items() if "Embedding" in type(m).__name__}
    heads = [
        path
        for path, m in modules.items()
        if path not in tables
        and type(m).__name__ in ("Linear", "QuantizedLinear")
        and path.rsplit(".", 1)[-1] in ("lm_head", "output", "head", "ff_out", "output_layer")
        and m.weight.shape[0] >= vocab
    ]
    return {path for path in tables if heads or path.rsplit(".", 1)[-1] in PER_LAYER_TABLES}


def _build(config: Mapping[str, Any]) -> Any:
    """A lazy bf16 model of a config; every private name of mlx-lm is used here alone."""
    try:
        import mlx.core as mx
        from mlx.utils import tree_map_with_path
        from mlx_lm.utils import _get_classes
    except ImportError as error:
        raise InputError(
            f"mlx-lm cannot be imported here ({error}); reading a config needs it. "
            "Run `make run` once to install it."
        ) from error

    adapted = _adapt(config)
    try:
        model_class, args_class = _get_classes(adapted)
    except ValueError as error:
        raise InputError(
            f"mlx-lm knows no model_type {adapted.get('model_type')!r}, so its shape cannot be "
            "computed. Check the config, or try a newer mlx-lm."
        ) from error
    try:
        with _silence():
            model = model_class(args_class.from_dict(copy.deepcopy(adapted)))
    except Exception as error:  # any class may fail its own way on a foreign config
        raise InputError(
            f"mlx-lm cannot build a {adapted.get('model_type')!r} model from this config: "
            f"{type(error).__name__}: {error}. Compare it with the model's published config.json."
        ) from error
    _drop_unused_head(model, adapted)
    keep = getattr(model, "cast_predicate", lambda _: True)
    model.update(
        tree_map_with_path(
            lambda path, a: (
                a.astype(mx.bfloat16) if keep(path) and mx.issubdtype(a.dtype, mx.floating) else a
            ),
            model.parameters(),
        )
    )
    return model


def _drop_unused_head(model: Any, config: Mapping[str, Any]) -> None:
    """Gemma 3 and 4 create a head that ``sanitize`` drops when a checkpoint ties it."""
    if not str(config["model_type"]).startswith(("gemma3", "gemma4")):
        return
    if _text_fields(config).get("tie_word_embeddings") is False:
        return
    for _, module in model.named_modules():
        if "lm_head" in module:
            module.pop("lm_head")
            module.tie_word_embeddings = True


def _adapt(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config as mlx-lm's classes want it; what is required but missing is an error."""
    adapted = {k: v for k, v in copy.deepcopy(dict(config)).items() if not k.startswith("_")}
    adapted.pop("has_vision", None)
    fields = _text_fields(adapted)
    for name in ESSENTIAL:
        _essential(fields, name)
    model_type = adapted["model_type"]
    if model_type == "minimax_m3":
        return {"model_type": "minimax_m3_vl", "text_config": adapted}
    rope = adapted.get("rope_parameters")
    if model_type in FLAT_ROPE_TYPES and isinstance(rope, dict) and "rope_theta" in rope:
        adapted.setdefault("rope_theta", rope["rope_theta"])
    return adapted


def _text_fields(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The language part of a config: itself, or its ``text_config``."""
    if not isinstance(config, Mapping):
        raise InputError("A model's config must be a JSON object with named fields.")
    if not isinstance(config.get("model_type"), str):
        raise InputError("The config has no model_type; use the model's own config.json.")
    inner = config.get("text_config")
    return {**config, **inner} if isinstance(inner, Mapping) else config


def _essential(fields: Mapping[str, Any], name: str) -> int:
    for alias in (name, *ESSENTIAL_ALIASES[name]):
        value = fields.get(alias)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    pattern = fields.get("layers_block_type") or fields.get("hybrid_override_pattern")
    if name == "num_hidden_layers" and pattern:
        return len(pattern)
    raise InputError(
        f"The config has no usable {name}; mlx-lm would take a default silently, so no "
        "figure would be right. Use the model's own config.json."
    )


def _top_k(fields: Mapping[str, Any]) -> int:
    for name in TOP_K_NAMES:
        value = fields.get(name)
        if isinstance(value, int) and value > 0:
            return value
    raise InputError(
        "The config has experts but does not say how many a token uses "
        f"(looked for {', '.join(TOP_K_NAMES)})."
    )


def _max_context(fields: Mapping[str, Any]) -> int:
    for name in MAX_CONTEXT_NAMES:
        value = fields.get(name)
        if isinstance(value, int) and value > 0:
            return value
    return 0


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()):
        yield
