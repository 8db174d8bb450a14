"""Two machines compared: the same model on both, and what speed and room each really buy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    same_speed       size of the dense model that decodes as fast as the first machine's 8B
    same_speed_bytes that size [bytes]
    filled           speed of a dense model that fills the budget
    """

    same_model: float
    same_speed: float
    same_speed_bytes: float
    filled: float


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
    return Claims(
        same_model=second["decode_tok_s"] / first["decode_tok_s"],
        same_speed=same_bytes / first["read_weight_bytes"],
        same_speed_bytes=same_bytes * share,
        filled=_filled_step_s(first) / _filled_step_s(second),
    )


def sentences(catalog: Catalog, found: Claims, names: tuple[str, str]) -> list[str]:
    """The three claims in words, computed for this pair."""
    model = catalog.model(REFERENCE_MODEL).name
    first, second = names
    return [
        f"The same dense model ({model}, 4 bit) decodes {_times(found.same_model)} on the "
        f"{second}.",
        f"Kept at the {first}'s speed, the {second} buys {found.same_speed:.1f} × the model: "
        f"{found.same_speed_bytes / GB:.0f} GB of dense weights instead of "
        f"{found.same_speed_bytes / found.same_speed / GB:.0f} GB.",
        f"A dense model that fills the {second} decodes at {found.filled:.2f} × the speed of one "
        f"that fills the {first}: "
        + ("room is not speed." if found.filled < 1 else "here the room comes with speed."),
    ]


def verdict(
    catalog: Catalog, ranked: pd.DataFrame, ids: tuple[str, str], names: tuple[str, str], x: Claims
) -> str:
    """What one machine runs where the other stops, and how fast the second is, in two sentences."""
    first, second = (picks.best(ranked, machine_id) for machine_id in ids)
    speed = f"The same 8B model decodes {_times(x.same_model)}."
    if ids[0] == ids[1]:
        return f"Both are the same machine. {speed}"
    if second is None:
        if first is None:
            return f"Nothing fits either Mac at this context. {speed}"
        return f"Nothing fits the {names[1]} at this context. {speed}"
    of_second = catalog.model(second["model_id"]).name
    if first is None:
        return f"Only the {names[1]} has a model that fits: {of_second}. {speed}"
    of_first = catalog.model(first["model_id"]).name
    if first["model_id"] == second["model_id"]:
        room = f"Both run {of_first} as their best"
        if first["quant_id"] != second["quant_id"]:
            room += f" ({first['quant_id']} against {second['quant_id']})"
        return f"{room}. {speed}"
    place = list(ranked["model_id"])
    if place.index(second["model_id"]) > place.index(first["model_id"]):
        return f"The {names[1]} stops at {of_second} where the {names[0]} runs {of_first}. {speed}"
    return f"The {names[1]} runs {of_second} where the {names[0]} stops at {of_first}. {speed}"


def _filled_step_s(row: pd.Series) -> float:
    """Seconds a step takes when dense weights fill what cache and buffers leave."""
    room = row["budget_bytes"] - row["kv_bytes"] - row["buffer_bytes"]
    share = row["read_weight_bytes"] / row["weight_bytes"]
    per_byte = row["weights_s"] / row["read_weight_bytes"]
    return float(row["overhead_s"] + per_byte * room * share + row["kv_s"])


def _times(factor: float) -> str:
    if 0.95 <= factor <= 1.05:
        return "equally fast"
    return f"{factor:.1f} × as fast"
