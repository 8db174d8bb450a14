"""Memory of both machines on Home: the chart, and what is left for other programs."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from advisor.catalog.shapes import Machine
from advisor.share.memory_bar import Memory, chart, parts
from advisor.units import GIB, format_gib

LOADED = ("weight_bytes", "kv_bytes", "buffer_bytes")


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
    table = parts({name: _memory(machine, room, row) for name, machine, room, row in shown})
    limits = {name: room["gpu_limit_bytes"] / GIB for name, _, room, _ in shown}
    st.altair_chart(chart(table, limits), width="stretch")
    said = [f"**{name}**: {_left(machine, room, row)}" for name, machine, room, row in shown]
    st.caption("\n\n".join([*said, "Memory is counted in GiB (2³⁰), files in GB (10⁹)."]))


def _memory(machine: Machine, room: pd.Series, row: pd.Series | None) -> Memory:
    load = {} if row is None else {name: float(row[name]) for name in LOADED}
    return Memory(
        machine.memory_bytes or 0, machine.in_use_bytes, float(room["budget_bytes"]), **load
    )


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
