"""Memory of both machines on one GiB scale: weights, cache, free room, macOS's limit, RAM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from advisor.catalog.shapes import Machine
from advisor.units import GIB, format_gib

if TYPE_CHECKING:
    import altair as alt

PARTS = ("weights", "cache", "buffers", "other programs", "free for the GPU", "kept from the GPU")
# Neighbours differ in lightness, so that they read in grey and on light and dark grounds.
COLOURS = ("#1f5f8b", "#f2b134", "#5b8a3a", "#6f4a9e", "#ccd6de", "#8a939b")
LIMIT_COLOUR = "#e04545"


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


def show(
    names: Sequence[str],
    machines: Sequence[Machine],
    rooms: Sequence[pd.Series],
    loaded: Sequence[pd.Series | None],
) -> None:
    """Draw the bars and say what is left for other programs, idle and with a model loaded.

    rooms    any row of each machine: its limit and budget are those of the machine
    loaded   the row of the model in each machine's memory
    """
    st.markdown("## Memory, with the best that fits loaded")
    shown = list(zip(names, machines, rooms, loaded, strict=True))
    table = parts(
        {name: (machine, float(room["budget_bytes"]), row) for name, machine, room, row in shown}
    )
    limits = {name: room["gpu_limit_bytes"] / GIB for name, _, room, _ in shown}
    st.altair_chart(chart(table, limits), width="stretch")
    said = [f"**{name}**: {_left(machine, room, row)}" for name, machine, room, row in shown]
    st.caption("\n\n".join([*said, "Memory is counted in GiB (2³⁰), files in GB (10⁹)."]))


def _left(machine: Machine, room: pd.Series, row: pd.Series | None) -> str:
    idle = (machine.memory_bytes or 0) - machine.in_use_bytes
    loaded = "" if row is None else f", {format_gib(idle - row['total_bytes'])} loaded"
    text = (
        f"the GPU may use {format_gib(room['gpu_limit_bytes'], 2)}; left for other programs: "
        f"{format_gib(idle)} idle{loaded}."
    )
    if room["budget_bytes"] < room["gpu_limit_bytes"]:
        text += (
            f" With {format_gib(machine.in_use_bytes)} in use, a model may take "
            f"{format_gib(room['budget_bytes'])} now, "
            f"{format_gib(room['gpu_limit_bytes'])} on an idle Mac."
        )
    return text
