"""A config with some of its layers: the same model, only shorter.

Configs say which layer is what in four ways: a list with an entry for each layer, a list of
layer numbers, a count of layers at the front or at the end, or an interval. The first three are
cut here; an interval is either kept, where whole periods are cut, or made shorter. Whether the
shorter config gives the layers that were asked for is checked on the model built from it
(``layers.kinds``), so a config that says it in a fifth way is refused, never measured wrongly.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from advisor.mlx import configs

FRONT_COUNTS = ("first_k_dense_replace", "num_dense_layers")
END_COUNTS = ("num_kv_shared_layers",)
LISTS_OF_NUMBERS = ("mlp_only_layers", "full_attn_idxs")
LISTS_FROM_ONE = ("kda_layers", "full_attn_layers")
INTERVALS = ("full_attention_interval", "sliding_window_pattern", "interleave_moe_layer_step")
# Their lists are about something else; the text part is cut on its own.
NO_LAYERS_IN = ("text_config", "vision_config", "audio_config", "rope", "quantization")
# A shorter list of another meaning is no list of layers.
FEWEST_LAYERS_OF_A_LIST = 4


def cut(
    config: Mapping[str, Any], layers: int, pick: Sequence[int], interval: int | None = None
) -> dict[str, Any]:
    """A copy of an adapted config with the picked ones of its layers, in rising order.

    layers     how many layers the config has [-]
    interval   what to say instead of the config's interval, for a pick of another period
    """
    found = copy.deepcopy(dict(config))
    _cut_fields(found, layers, list(pick), interval)
    inner = found.get("text_config")
    if isinstance(inner, dict):
        _cut_fields(inner, layers, list(pick), interval)
    return found


def _cut_fields(fields: dict[str, Any], layers: int, pick: list[int], interval: int | None) -> None:
    for name, value in list(fields.items()):
        if name in configs.LAYER_NAMES:
            fields[name] = len(pick)
        elif name in FRONT_COUNTS and configs.is_count(value):
            fields[name] = sum(number < value for number in pick)
        elif name in END_COUNTS and configs.is_count(value):
            fields[name] = sum(number >= layers - value for number in pick)
        elif name in LISTS_OF_NUMBERS and isinstance(value, list):
            fields[name] = [pick.index(number) for number in value if number in pick]
        elif name in LISTS_FROM_ONE and isinstance(value, list):
            fields[name] = [pick.index(one - 1) + 1 for one in value if one - 1 in pick]
        elif _is_list_of_layers(name, value, layers):
            chosen = [value[number] for number in pick]
            fields[name] = "".join(chosen) if isinstance(value, str) else chosen
        elif isinstance(value, dict) and not name.startswith(NO_LAYERS_IN):
            _cut_fields(value, layers, pick, interval)
        elif name in INTERVALS and interval is not None and configs.is_count(value):
            fields[name] = interval
    if interval is not None and _leaves_out_its_interval(fields):
        fields["sliding_window_pattern"] = interval


def _leaves_out_its_interval(fields: Mapping[str, Any]) -> bool:
    """Gemma 3 configs list their layers; mlx-lm goes by an interval that it takes to be 6."""
    return fields.get("model_type") in ("gemma3_text", "gemma3") and "hidden_size" in fields


def _is_list_of_layers(name: str, value: Any, layers: int) -> bool:
    if layers < FEWEST_LAYERS_OF_A_LIST or not isinstance(value, list | str):
        return False
    return len(value) == layers and (isinstance(value, list) or name in configs.LAYER_LISTS)
