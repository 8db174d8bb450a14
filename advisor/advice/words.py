"""An estimate in words, with its interval: the same on pages, in reports and on cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.catalog import Catalog

Row = Mapping[str, Any]  # or a row of the engine's table


def speed_text(row: Row) -> str:
    """ "43.6 tok/s (32–58)": the estimate and its 80 % interval."""
    return f"{row['decode_tok_s']:.1f} tok/s ({row['decode_low']:.0f}–{row['decode_high']:.0f})"


def seconds_text(seconds: float) -> str:
    """ "0.8 s", "29 s", "4 min": as exact as the estimate deserves."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def seconds_range(row: Row) -> str:
    """ "24–36 s": the 80 % interval of the time to the first token."""
    low, high = seconds_text(row["ttft_low"]), seconds_text(row["ttft_high"])
    same_unit = low.split()[1] == high.split()[1]
    return f"{low.split()[0] if same_unit else low}–{high}"


def model_text(catalog: Catalog, row: Row) -> str:
    """ "Qwen3-8B, mlx-4bit"."""
    return f"{catalog.model(row['model_id']).name}, {row['quant_id']}"
