"""What a GGUF file says of itself: sizes of its tensors, and its cache from the metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from advisor.errors import InputError

CACHE_ELEMENT_BYTES = 2  # llama.cpp's default cache is fp16
INPUT_TABLES = ("token_embd.weight", "per_layer_token_embd.weight")


def inspect_gguf(path: Path, context_tokens: int) -> dict[str, Any]:
    """Figures of ``advisor inspect`` for a GGUF file; only its header is read.

    Layers with full attention are assumed to cache all of the context; a sliding window named
    in the metadata is reported, not applied: files do not say which layers slide.
    Raises ``InputError`` for a missing, split or broken file.
    """
    try:
        from gguf import GGUFReader
    except ImportError as error:
        raise InputError("Reading GGUF files needs the library gguf: pip install gguf.") from error
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    try:
        reader = GGUFReader(str(path))
        fields = {name: field.contents() for name, field in reader.fields.items()}
    except Exception as error:  # the reader raises whatever a broken header makes it hit
        raise InputError(f"{path} is not a readable GGUF file: {error}.") from error
    if int(fields.get("split.count", 0)) > 1:  # later parts hold no other metadata
        raise InputError(f"{path} is one part of several. Merge them, or inspect the config.json.")
    architecture = fields.get("general.architecture")
    if not architecture or not reader.tensors:
        raise InputError(f"{path} holds no model: its architecture or its tensors are missing.")
    layers = _number(fields, f"{architecture}.block_count", path)
    embedding = _number(fields, f"{architecture}.embedding_length", path)
    heads = _first(fields.get(f"{architecture}.attention.head_count"), 0)
    key = int(fields.get(f"{architecture}.attention.key_length") or (embedding // max(heads, 1)))
    value = int(fields.get(f"{architecture}.attention.value_length") or key)
    kv_heads = fields.get(f"{architecture}.attention.head_count_kv", heads)
    per_layer = kv_heads if isinstance(kv_heads, list) else [kv_heads] * layers
    kv_per_token = sum(int(count) for count in per_layer) * (key + value) * CACHE_ELEMENT_BYTES
    sizes = {t.name: (int(t.n_elements), int(t.n_bytes)) for t in reader.tensors}
    params, weights = (sum(values) for values in zip(*sizes.values(), strict=True))
    tied = "output.weight" not in sizes
    unread = [sizes[n] for n in INPUT_TABLES if n in sizes and not (tied and n == INPUT_TABLES[0])]
    experts = [size for name, size in sizes.items() if "_exps" in name]
    used = fields.get(f"{architecture}.expert_used_count", 0)
    total = fields.get(f"{architecture}.expert_count", 0)
    idle = 1 - int(used) / int(total) if total else 0.0

    def read(which: int) -> int:
        looked_up = sum(size[which] for size in unread)
        return round(
            (params, weights)[which] - looked_up - idle * sum(size[which] for size in experts)
        )

    return {
        "source": str(path),
        "quant": f"GGUF, {8 * weights / params:.2f} bits per weight",
        "params": params,
        "active_params": round(params - idle * sum(size[0] for size in experts)),
        "read_params": read(0),
        "weights_bytes": weights,
        "read_weight_bytes": read(1),
        "kv_bytes_per_token": kv_per_token,
        "sliding_bytes_per_token": 0,
        "window_tokens": int(fields.get(f"{architecture}.attention.sliding_window") or 0),
        "fixed_cache_bytes": 0,
        "layers": layers,
        "max_context_tokens": int(fields.get(f"{architecture}.context_length") or 0),
        "context_tokens": context_tokens,
        "kv_bytes": kv_per_token * context_tokens,
        "file_bytes": path.stat().st_size,
    }


def _number(fields: dict[str, Any], name: str, path: Path) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or value <= 0:
        raise InputError(f"{path} has no {name} in its metadata, so its cache is not known.")
    return value


def _first(value: Any, default: int) -> int:
    if isinstance(value, list):
        return int(max(value)) if value else default
    return int(value) if value is not None else default
