"""Memory of machines on one GiB scale, as a chart: weights, cache, free room, macOS's limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from advisor.units import GIB

if TYPE_CHECKING:
    import altair as alt

PARTS = ("weights", "cache", "buffers", "other programs", "free for the GPU", "kept from the GPU")
# Neighbours differ in lightness, so that they read in grey and on light and dark grounds.
COLOURS = ("#1f5f8b", "#f2b134", "#5b8a3a", "#6f4a9e", "#ccd6de", "#8a939b")
LIMIT_COLOUR = "#e04545"


@dataclass(frozen=True)
class Memory:
    """A machine's memory and what is loaded into it [bytes]."""

    memory_bytes: float
    in_use_bytes: float  # held by other programs
    budget_bytes: float
    weight_bytes: float = 0.0
    kv_bytes: float = 0.0
    buffer_bytes: float = 0.0


def parts(loaded: Mapping[str, Memory]) -> pd.DataFrame:
    """GiB of each part of each machine's memory, by its short name; they add up to its RAM."""
    found = []
    for name, one in loaded.items():
        memory, in_use = one.memory_bytes / GIB, one.in_use_bytes / GIB
        weights, cache, buffers = (
            size / GIB for size in (one.weight_bytes, one.kv_bytes, one.buffer_bytes)
        )
        free = max(one.budget_bytes / GIB - weights - cache - buffers, 0.0)
        kept = memory - in_use - weights - cache - buffers - free
        sizes = (weights, cache, buffers, in_use, free, max(kept, 0.0))
        start = 0.0
        for part, size in zip(PARTS, sizes, strict=True):
            found.append((name, part, size, start, start + size))
            start += size
    return pd.DataFrame(found, columns=["machine", "part", "gib", "start", "end"])


def chart(table: pd.DataFrame, limits: Mapping[str, float]) -> alt.LayerChart:
    """Stacked bars, one a machine, with a named tick at macOS's GPU limit.

    limits   a machine's short name -> GPU limit [GiB]
    """
    import altair as alt

    order = list(dict.fromkeys(table["machine"]))
    table = table[table["gib"] > 0]
    present = [part for part in PARTS if part in set(table["part"])]
    colours = [COLOURS[PARTS.index(part)] for part in present]
    # Room above each bar for the name of its tick.
    y = alt.Y("machine:N", sort=order, title=None, axis=alt.Axis(labelLimit=170),
              scale=alt.Scale(paddingInner=0.45, paddingOuter=0.4))  # fmt: skip
    bars = (
        alt.Chart(table)
        .mark_bar()
        .encode(
            x=alt.X("start:Q", title="Memory (GiB)", scale=alt.Scale(domainMin=0, nice=False)),
            x2="end:Q",
            y=y,
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=present, range=colours),
                legend=alt.Legend(title=None, orient="top", columns=3, labelLimit=140),
            ),
            tooltip=["machine", "part", alt.Tooltip("gib:Q", title="GiB", format=".1f")],
        )
    )
    at = alt.Chart(
        pd.DataFrame(
            {
                "machine": list(limits),
                "limit": list(limits.values()),
                "said": [f"macOS's limit {gib:.1f}" for gib in limits.values()],
            }
        )
    )
    ticks = at.mark_tick(thickness=3, size=38, color=LIMIT_COLOUR).encode(
        x="limit:Q",
        y=y,
        tooltip=[alt.Tooltip("limit:Q", title="macOS's GPU limit (GiB)", format=".1f")],
    )
    named = at.mark_text(dy=-24, color=LIMIT_COLOUR, fontWeight="bold").encode(
        x="limit:Q", y=y, text="said:N"
    )
    return (bars + ticks + named).properties(
        height=205, description="Memory of each machine: weights, cache, free room and limit"
    )
