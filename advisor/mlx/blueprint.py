"""A model on paper: what its layers are and weigh, and any shorter model of the same layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.errors import InputError
from advisor.mlx import backend, configs, counting, cutting, layers, models, weights


@dataclass(frozen=True)
class Blueprint:
    """A config in a quantization, nothing of it built.

    kinds          kind of each layer, in order; equal names cost the same
    outside_bytes  embedding, head and norms, in the dtype measured in here [bytes]
    kind_bytes     one layer of each kind [bytes]
    experts, top_k 0 where the model has none [-]
    """

    config: Mapping[str, Any]
    bits: int | None
    group_size: int | None
    mode: str
    kinds: tuple[str, ...]
    outside_bytes: int
    kind_bytes: Mapping[str, int]
    vocab_size: int
    hidden_size: int
    experts: int
    top_k: int

    @property
    def counts(self) -> Counter[str]:
        """Layers of each kind, kinds in order of appearance."""
        return Counter(self.kinds)

    def weight_bytes(self, counts: Mapping[str, int]) -> int:
        """Bytes of a model with so many layers of each kind [bytes]."""
        return self.outside_bytes + sum(self.kind_bytes[kind] * n for kind, n in counts.items())


def read(
    config: Mapping[str, Any], *, bits: int | None, group_size: int | None, mode: str
) -> Blueprint:
    """The blueprint of a config in a quantization (``mode`` "none": unquantized).

    Raises ``InputError`` as ``describe`` and ``weigh`` do.
    """
    adapted = configs.named(config)
    models.classes(adapted)
    configs.require_sizes(adapted)
    model = _quantized(adapted, bits, group_size, mode)
    fields = configs.text_fields(adapted)
    counted = counting.count(model, configs.hidden_size(fields))
    outside, by_kind = weights.bytes_by_kind(model, backend.dtype(backend.here()))
    return Blueprint(
        config=adapted,
        bits=bits,
        group_size=group_size,
        mode=mode,
        kinds=layers.kinds(model),
        outside_bytes=outside,
        kind_bytes=by_kind,
        vocab_size=counted.vocab_size,
        hidden_size=configs.hidden_size(fields),
        experts=counted.experts,
        top_k=configs.experts_per_token(fields) if counted.experts else 0,
    )


def shorter(blueprint: Blueprint, pick: Sequence[int], interval: int | None = None) -> Any | None:
    """A lazy quantized model of the picked layers; None where mlx-lm makes others of them.

    interval   what to say instead of the config's interval of kinds
    """
    config = cutting.cut(blueprint.config, len(blueprint.kinds), pick, interval)
    try:
        model = _quantized(config, blueprint.bits, blueprint.group_size, blueprint.mode)
        found = Counter(layers.kinds(model))
        models.traced_caches(model)
    except InputError:
        return None
    unknown = set(found) - set(blueprint.kinds)
    asked = Counter(blueprint.kinds[number] for number in pick)
    return None if unknown or (interval is None and found != asked) else model


def _quantized(
    config: Mapping[str, Any], bits: int | None, group_size: int | None, mode: str
) -> Any:
    model = models.build(dict(config))
    if mode != "none":
        models.quantize(model, bits, group_size, mode, {})
    return model
