"""Memory of both machines on one GiB scale: weights, cache, free room, macOS's limit, RAM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

from advisor.catalog.shapes import Machine
from advisor.units import GIB

if TYPE_CHECKING:
    import altair as alt

PARTS = ("weights", "cache", "buffers", "other programs", "free for the GPU", "kept from the GPU")
# Distinct in lightness, so that they read in grey and on light and dark grounds.
COLOURS = ("#1f5f8b", "#e08a1e", "#7a9e3b", "#8c6bb1", "#b8c4ce", "#8a939b")


def parts(loaded: Mapping[str, tuple[Machine, float, pd.Series | None]]) -> pd.DataFrame:
    """GiB of each part of each machine's memory; the parts of a machine add up to its RAM.

    loaded   a machine's short name -> the machine, its budget [bytes] and the engine's row of
             the model in its memory, if any
    """
    found = []
    for name, (machine, budget_bytes, row) in loaded.items():
        memory = (machine.memory_bytes or 0) / GIB
        in_use = machine.in_use_bytes / GIB
        weights, cache, buffers = (
            0.0 if row is None else row[column] / GIB
            for column in ("weight_bytes", "kv_bytes", "buffer_bytes")
        )
        free = max(budget_bytes / GIB - weights - cache - buffers, 0.0)
        kept = memory - in_use - weights - cache - buffers - free
        sizes = (weights, cache, buffers, in_use, free, max(kept, 0.0))
        start = 0.0
        for part, size in zip(PARTS, sizes, strict=True):
            found.append((name, part, size, start, start + size))
            start += size
    return pd.DataFrame(found, columns=["machine", "part", "gib", "start", "end"])


def chart(table: pd.DataFrame, limits: dict[str, float]) -> alt.LayerChart:
    """Stacked bars, one a machine, with a tick at macOS's GPU limit.

    limits   a machine's short name -> GPU limit [GiB]
    """
    import altair as alt

    order = list(dict.fromkeys(table["machine"]))
    table = table[table["gib"] > 0]
    present = [part for part in PARTS if part in set(table["part"])]
    colours = [COLOURS[PARTS.index(part)] for part in present]
    base = alt.Chart(table)
    bars = base.mark_bar(stroke="white", strokeWidth=0.5).encode(
        x=alt.X("start:Q", title="Memory (GiB)", scale=alt.Scale(domainMin=0, nice=False)),
        x2="end:Q",
        y=alt.Y("machine:N", sort=order, title=None, axis=alt.Axis(labelLimit=170)),
        color=alt.Color(
            "part:N",
            scale=alt.Scale(domain=present, range=colours),
            legend=alt.Legend(title=None, orient="top", columns=3, labelLimit=120),
        ),
        tooltip=["machine", "part", alt.Tooltip("gib:Q", title="GiB", format=".1f")],
    )
    ticks = (
        alt.Chart(pd.DataFrame({"machine": list(limits), "limit": list(limits.values())}))
        .mark_tick(thickness=3, size=46, color="#d62728")
        .encode(
            x="limit:Q",
            y=alt.Y("machine:N", sort=order),
            tooltip=[alt.Tooltip("limit:Q", title="macOS's GPU limit (GiB)", format=".1f")],
        )
    )
    return (bars + ticks).properties(
        height=240, description="Memory of each machine: weights, cache, free room and limit"
    )
