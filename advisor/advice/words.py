"""An estimate in words, with its interval: the same on pages, in reports and on cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.runs import Run

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


def basis_text(basis: Iterable[str]) -> str:
    """ "Speeds are predicted": what the speeds of some rows are, for the start of a sentence."""
    if "calibrated" in set(basis):
        return "Speeds are calibrated by this Mac's own runs where there are any, else predicted"
    return "Speeds are predicted"


def measured_text(run: Run) -> str:
    """ "41.0 tok/s (40.2–41.9), the whole model at 512 tokens, on 2026-12-01"."""
    spread = ""
    if run.decode_low and run.decode_high:
        spread = f" ({run.decode_low:.1f}–{run.decode_high:.1f})"
    how = {"slice": "by slices", "whole": "the whole model", "imported": "brought in"}[run.kind]
    return (
        f"{run.decode_tok_s or 0:.1f} tok/s{spread}, {how} at {run.context_tokens:,} tokens, "
        f"on {run.created[:10]}"
    )


def model_text(catalog: Catalog, row: Row) -> str:
    """ "Qwen3-8B, mlx-4bit"."""
    return f"{catalog.model(row['model_id']).name}, {row['quant_id']}"
