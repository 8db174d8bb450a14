"""Parameters and bytes of a built model: all, experts, and tables that are only looked up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# BitNet's linear layers pack four weights of -1, 0 or 1 into a byte, whatever the quantization.
TERNARY_WEIGHTS_A_BYTE = 4


@dataclass(frozen=True)
class Count:
    """Parameters [-] and bytes of a model; ``table`` is what a token reads one row of."""

    params: int
    bytes: int
    table_params: int
    table_bytes: int
    expert_params: int
    expert_bytes: int
    experts: int
    vocab_size: int


def count(model: Any, hidden_size: int) -> Count:
    """Walk every array once; its module says how many bits it packs and what it is for."""
    from mlx.utils import tree_flatten

    modules = dict(model.named_modules())
    embeddings = {path: module for path, module in modules.items() if _is_embedding(module)}
    inputs = _input_table(embeddings, hidden_size)
    vocab = embeddings[inputs].weight.shape[0] if inputs else 0
    tables = _looked_up(modules, embeddings, inputs)
    params = dict.fromkeys(("table", "expert", "rest"), 0)
    size = dict.fromkeys(params, 0)
    experts = 0
    for path, array in tree_flatten(model.parameters()):
        owner_path, _, name = path.rpartition(".")
        owner = modules.get(owner_path)
        use = "table" if owner_path in tables else "expert" if _is_expert(owner) else "rest"
        if use == "expert" and name == "weight":
            experts = max(experts, array.shape[0])
        params[use] += _parameters(owner, name, array)
        size[use] += array.nbytes
    return Count(
        params=sum(params.values()),
        bytes=sum(size.values()),
        table_params=params["table"],
        table_bytes=size["table"],
        expert_params=params["expert"],
        expert_bytes=size["expert"],
        experts=experts,
        vocab_size=vocab,
    )


def _parameters(owner: Any, name: str, array: Any) -> int:
    """Model parameters that an array stands for; the scales of a group are none."""
    import mlx.core as mx

    elements = math.prod(array.shape)
    if owner is not None and "scales" in owner:
        if name in ("scales", "biases"):
            return 0
        if name == "weight":
            return elements * 32 // owner.bits
    if name == "weight" and array.dtype == mx.uint8:
        return elements * TERNARY_WEIGHTS_A_BYTE
    return elements


def _is_expert(module: Any) -> bool:
    from mlx_lm.models.switch_layers import QuantizedSwitchLinear, SwitchLinear

    return isinstance(module, SwitchLinear | QuantizedSwitchLinear)


def _is_embedding(module: Any) -> bool:
    import mlx.nn as nn

    return isinstance(module, nn.Embedding | nn.QuantizedEmbedding)


def _is_linear(module: Any) -> bool:
    import mlx.nn as nn

    return isinstance(module, nn.Linear | nn.QuantizedLinear)


def _input_table(embeddings: Mapping[str, Any], hidden_size: int) -> str:
    """Path of the input embedding: of the tables as wide as the model, the one with most rows.

    Positions have fewer rows, per-layer embeddings are of another width.
    """

    def rank(path: str) -> tuple[bool, int]:
        rows, packed = embeddings[path].weight.shape
        return packed * 32 // getattr(embeddings[path], "bits", 32) == hidden_size, rows

    return max(embeddings, key=rank, default="")


def _looked_up(modules: Mapping[str, Any], embeddings: Mapping[str, Any], inputs: str) -> set[str]:
    """Paths of tables of which a token reads one row.

    A head is a linear layer outside the layers with a row for every word. Without one the input
    embedding is the head, and read whole; other tables never are.
    """
    vocab = embeddings[inputs].weight.shape[0] if inputs else 0
    has_head = any(
        _is_linear(module) and module.weight.shape[0] >= vocab and not _is_numbered(path)
        for path, module in modules.items()
    )
    return {path for path in embeddings if has_head or path != inputs}


def _is_numbered(path: str) -> bool:
    return any(part.isdigit() for part in path.split("."))
