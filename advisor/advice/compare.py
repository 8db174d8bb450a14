"""Two machines compared: the same model on both, and what speed and room each really buy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.advice import picks
from advisor.units import GB

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

# The model everyone has measured; 4 bit in the runtime's own format.
REFERENCE_MODEL = "llama-3.1-8b"
REFERENCE_QUANT = {"mlx": "mlx-4bit", "gguf": "Q4_K_M"}


@dataclass(frozen=True)
class Claims:
    """The essay's claim computed for a pair of machines; factors are second over first.

    same_model       speed of the same dense model
    same_speed       size of the dense model that decodes as fast as the first machine's 8B;
                     not above 0 where cache and overhead alone take longer than that
    same_speed_bytes that size [bytes]
    filled           speed of a dense model that fills the budget; NaN without room on either
    room_bytes       what cache and buffers leave for weights, first and second [bytes]
    """

    same_model: float
    same_speed: float
    same_speed_bytes: float
    filled: float
    room_bytes: tuple[float, float]


def reference_quant(catalog: Catalog, runtime: str) -> str:
    """The reference model's quantization in a runtime's first format."""
    return REFERENCE_QUANT[catalog.runtimes[runtime].formats[0]]


def claims(first: pd.Series, second: pd.Series) -> Claims:
    """From the engine's rows of the reference model on both machines.

    A dense model of another size is taken to cost the reference's overhead and cache, and its
    weights in proportion to their bytes: what changes between sizes is what is read.
    """
    at_second = second["weights_s"] / second["read_weight_bytes"]
    same_bytes = (first["step_s"] - second["overhead_s"] - second["kv_s"]) / at_second
    share = first["weight_bytes"] / first["read_weight_bytes"]
    room = (_room_bytes(first), _room_bytes(second))
    return Claims(
        same_model=second["decode_tok_s"] / first["decode_tok_s"],
        same_speed=same_bytes / first["read_weight_bytes"],
        same_speed_bytes=same_bytes * share,
        filled=filled_step_s(first) / filled_step_s(second) if min(room) > 0 else math.nan,
        room_bytes=room,
    )


def sentences(catalog: Catalog, found: Claims, names: tuple[str, str]) -> list[str]:
    """The three claims in words, computed for this pair."""
    model = catalog.model(REFERENCE_MODEL).name
    return [
        f"The same dense model ({model}, 4 bit) decodes {_times(found.same_model)} on the "
        f"{names[1]}.",
        _same_speed(found, names),
        _filled(found, names),
    ]


def _same_speed(found: Claims, names: tuple[str, str]) -> str:
    first, second = names
    if found.same_speed <= 0:
        return (
            f"No dense model decodes on the {second} as fast as this one on the {first}: its "
            "cache and layers alone take longer."
        )
    size, room = found.same_speed_bytes, found.room_bytes[1]
    said = (
        f"Kept at the {first}'s speed, the {second} buys {found.same_speed:.1f} × the model: "
        f"{size / GB:.0f} GB of dense weights instead of {size / found.same_speed / GB:.0f} GB"
    )
    if room <= 0:
        return f"{said}, but at this context there is no room for weights."
    return f"{said}." if size <= room else f"{said}, but only {room / GB:.0f} GB fit."


def _filled(found: Claims, names: tuple[str, str]) -> str:
    first, second = names
    if math.isnan(found.filled):
        full = first if found.room_bytes[0] <= 0 else second
        return f"The cache of this context alone fills the {full}: no dense model fits beside it."
    return (
        f"A dense model that fills the {second} decodes at {found.filled:.2f} × the speed of one "
        f"that fills the {first}: "
        + ("room is not speed." if found.filled < 1 else "here the room comes with speed.")
    )


def verdict(
    catalog: Catalog, ranked: pd.DataFrame, ids: tuple[str, str], names: tuple[str, str], x: Claims
) -> str:
    """One sentence: which model one machine runs and the other does not, and how much faster.

    ranked   the best quantization of each model and machine, best model first
    """
    if ids[0] == ids[1]:
        return "Both are the same machine: nothing changes."
    rows = [picks.best(ranked, machine_id) for machine_id in ids]
    found = [(name, row) for name, row in zip(names, rows, strict=True) if row is not None]
    speed = f"the same 8B decodes {_times(x.same_model)} on the {names[1]}"
    if not found:
        return f"No model fits either Mac at this context; {speed}."
    if len(found) == 1:
        name, row = found[0]
        return f"Only the {name} has a model that fits, {_named(catalog, row)}; {speed}."
    (name, one), (other, less) = sorted(found, key=lambda pair: _place(ranked, pair[1]))
    if one["model_id"] == less["model_id"]:
        model = catalog.model(one["model_id"]).name
        return (
            f"Both run {model} as their best, the {names[0]} as {_width(found[0][1])} and the "
            f"{names[1]} as {_width(found[1][1])}; {speed}."
        )
    factor = x.same_model if name == names[1] else 1 / x.same_model
    return (
        f"The {name} runs {_named(catalog, one)} where the {other} stops at "
        f"{_named(catalog, less)}, and decodes the same 8B {_times(factor)}."
    )


def _width(row: pd.Series) -> str:
    return f"{row['quant_id']} at {row['decode_tok_s']:.0f} tok/s"


def _place(ranked: pd.DataFrame, row: pd.Series) -> int:
    """How far down the ranking a model stands, whichever machine runs it."""
    return int(np.argmax(ranked["model_id"].to_numpy() == row["model_id"]))


def _named(catalog: Catalog, row: pd.Series) -> str:
    return f"{catalog.model(row['model_id']).name} ({row['decode_tok_s']:.0f} tok/s)"


def _room_bytes(row: pd.Series) -> float:
    return float(row["budget_bytes"] - row["kv_bytes"] - row["buffer_bytes"])


def filled_step_s(row: pd.Series) -> float:
    """Seconds a step takes when dense weights fill what cache and buffers leave."""
    share = row["read_weight_bytes"] / row["weight_bytes"]
    per_byte = row["weights_s"] / row["read_weight_bytes"]
    return float(row["overhead_s"] + per_byte * _room_bytes(row) * share + row["kv_s"])


def _times(factor: float) -> str:
    if 0.95 <= factor <= 1.05:
        return "equally fast"
    return f"{factor:.1f} × as fast" if factor >= 0.1 else f"{factor:.2f} × as fast"
