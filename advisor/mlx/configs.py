"""A config.json as it comes: what it must say, and how mlx-lm wants it said."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from advisor.errors import InputError

USE_ITS_OWN = "Use the model's own config.json."
HIDDEN_SIZE_NAMES = ("hidden_size", "n_embd", "d_model", "dim", "model_dim", "hidden_dim")
LAYER_NAMES = ("num_hidden_layers", "n_layer", "n_layers", "num_layers",
               "num_transformer_layers")  # fmt: skip
VOCAB_NAMES = ("vocab_size", "num_vocab", "embedding_size")
HEAD_NAMES = ("num_attention_heads", "n_head", "n_heads", "num_heads")
TOP_K_NAMES = ("num_experts_per_tok", "num_experts_per_token", "top_k_experts",
               "experts_per_token", "moe_k", "moe_top_k", "moe_topk")  # fmt: skip
CONTEXT_NAMES = ("max_position_embeddings", "model_max_length", "max_seq_len", "seq_length",
                 "n_positions", "n_ctx", "max_sequence_length")  # fmt: skip
# Nemotron-H names its layers one by one, in words or in one letter each, and does not count them.
LAYER_LISTS = ("layers_block_type", "hybrid_override_pattern")
# A typo must not fill the memory: every published model is far below these.
MOST = {"hidden_size": 1 << 20, "num_hidden_layers": 2048, "vocab_size": 1 << 24}
NEVER_ZERO = ("heads", "head_dim", "group", "groups", "kernel", "kernel_size", "chunk_size",
              "interval", "period")  # fmt: skip
# Gemma configs leave out what their classes in transformers set, and mlx-lm sets it alike.
LEAN_TYPES = ("gemma3", "gemma3n", "gemma4")
LEFT_OUT_BY_LEAN_TYPES = ("vocab_size", "num_attention_heads", "num_key_value_heads", "head_dim")
# transformers 5 nests rope_theta; these classes of mlx-lm want it flat.
FLAT_ROPE_TYPES = ("ernie4_5", "glm4", "glm4_moe", "helium", "gemma3n", "olmo_hybrid")


def named(config: Mapping[str, Any]) -> dict[str, Any]:
    """A copy that mlx-lm's classes take. Raises ``InputError`` without a model_type."""
    found = {
        key: value
        for key, value in copy.deepcopy(dict(_checked(config))).items()
        if not str(key).startswith("_") and key != "has_vision"
    }
    model_type = found["model_type"]
    inner = found.get("text_config")
    if isinstance(inner, dict) and "tie_word_embeddings" in found:
        inner.setdefault("tie_word_embeddings", found["tie_word_embeddings"])
    if model_type == "minimax_m3":
        return {"model_type": "minimax_m3_vl", "text_config": found}
    rope = found.get("rope_parameters")
    if model_type in FLAT_ROPE_TYPES and isinstance(rope, dict) and "rope_theta" in rope:
        found.setdefault("rope_theta", rope["rope_theta"])
    return found


def require_sizes(adapted: Mapping[str, Any]) -> None:
    """Raises ``InputError`` naming the first size that is missing or that no model has."""
    fields = text_fields(adapted)
    hidden_size(fields)
    layers(fields)
    _refuse_zeros(fields)
    if "vocab_size" not in may_leave_out(adapted["model_type"]):
        _size(fields, "vocab_size", VOCAB_NAMES)


def text_fields(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The language part of a config: itself, or its ``text_config`` over it."""
    inner = config.get("text_config")
    return {**config, **inner} if isinstance(inner, Mapping) else config


def may_leave_out(model_type: str) -> tuple[str, ...]:
    """Sizes that configs of this type rightly leave to the defaults of their class."""
    return LEFT_OUT_BY_LEAN_TYPES if model_type.removesuffix("_text") in LEAN_TYPES else ()


def refused(reason: str) -> InputError:
    """The sentence for a config of which no figure would be right."""
    return InputError(f"The config {reason}, so no figure would be right. {USE_ITS_OWN}")


def hidden_size(fields: Mapping[str, Any]) -> int:
    """Width of the model [-]."""
    return _size(fields, "hidden_size", HIDDEN_SIZE_NAMES)


def attention_heads(fields: Mapping[str, Any]) -> tuple[int, int]:
    """Query heads and the width of their keys; (0, 0) where no layer has attention heads [-]."""
    heads = _first(fields, HEAD_NAMES)
    nope, rope = fields.get("qk_nope_head_dim"), fields.get("qk_rope_head_dim")
    if nope is not None and rope is not None and is_count(nope) and is_count(rope):
        return heads, nope + rope
    stated = _first(fields, ("head_dim", "attention_head_dim"))
    return heads, stated or (hidden_size(fields) // heads if heads else 0)


def key_value_heads(fields: Mapping[str, Any]) -> int:
    """Heads that are cached [-]."""
    return _first(fields, ("num_key_value_heads",)) or attention_heads(fields)[0]


def experts_per_token(fields: Mapping[str, Any]) -> int:
    """Routed experts that one token uses [-]. Raises ``InputError`` where that is not said."""
    found = _first(fields, TOP_K_NAMES)
    if not found:
        raise InputError(
            "The config has experts but does not say how many a token uses "
            f"(looked for {', '.join(TOP_K_NAMES)}). {USE_ITS_OWN}"
        )
    return found


def max_context_tokens(fields: Mapping[str, Any]) -> int:
    """The longest context that the config names; 0 where it names none [tokens]."""
    return _first(fields, CONTEXT_NAMES)


def _checked(config: Any) -> Mapping[str, Any]:
    if not isinstance(config, Mapping):
        raise InputError("A model's config must be a JSON object with named fields.")
    model_type = config.get("model_type")
    if not isinstance(model_type, str) or not model_type.strip():
        raise InputError(f"The config has no model_type. {USE_ITS_OWN}")
    return config


def layers(fields: Mapping[str, Any]) -> int:
    """Layers that the config asks for [-]."""
    for name in LAYER_LISTS:
        value = fields.get(name)
        if _first(fields, LAYER_NAMES) == 0 and isinstance(value, (list, str)) and value:
            return len(value)
    return _size(fields, "num_hidden_layers", LAYER_NAMES)


def _refuse_zeros(fields: Mapping[str, Any]) -> None:
    """No heads, or heads of no width, divide by zero deep inside MLX and end the process."""
    for name, value in fields.items():
        if name.endswith(NEVER_ZERO) and type(value) is int and value <= 0:
            raise refused(f"says {name} = {value}")


def _size(fields: Mapping[str, Any], name: str, names: tuple[str, ...]) -> int:
    found = _first(fields, names)
    if not found:
        raise InputError(
            f"The config has no usable {name}; mlx-lm would take a default silently, so no "
            f"figure would be right. {USE_ITS_OWN}"
        )
    if found > MOST[name]:
        raise InputError(
            f"The config says {name} = {found}, more than any model has ({MOST[name]} at most). "
            f"{USE_ITS_OWN}"
        )
    return found


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> int:
    """The first whole number above 0 under one of ``names``; 0 where there is none."""
    return next((fields[name] for name in names if is_count(fields.get(name))), 0)


def is_count(value: Any) -> bool:
    """Whether a value of a config is a whole number above 0."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
