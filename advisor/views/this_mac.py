"""This Mac among the machines of a page: its name in lists, what it is now, and looking again.

The app answers for the computer it runs on. Where that is no Mac it is in the lists as "This
computer", and choosing it says what it is.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from advisor.advice import this_machine
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.detect import THIS
from advisor.errors import InputError
from advisor.estimate.budget import gpu_limit_bytes
from advisor.units import format_gib


def usable(catalog: Catalog, chosen: Scenario, before: Scenario) -> Scenario:
    """``chosen`` with the Mac before it where it asks for this computer, which is none."""
    if THIS not in (chosen.a, chosen.b):
        return chosen
    try:
        this_machine.find(catalog, THIS)
    except InputError as error:
        a = before.a if chosen.a == THIS else chosen.a
        b = before.b if chosen.b == THIS else chosen.b
        kept = " and ".join(
            catalog.machine(now).label
            for now, asked in ((a, chosen.a), (b, chosen.b))
            if asked == THIS
        )
        st.info(f"{error} Shown with {kept}.")
        return replace(chosen, a=a, b=b)
    return chosen


def show(catalog: Catalog, machines: tuple[Machine, ...]) -> None:
    """A line of what this Mac is at this moment, where it is one of the machines."""
    this = next((machine for machine in machines if machine.id == THIS), None)
    if this is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(state_text(catalog, this), width="content")
        st.button(
            "Look again", key="look again", type="tertiary", icon=":material/refresh:",
            on_click=this_machine.look_again, help="Ask this Mac anew what is in use.",
        )  # fmt: skip


def state_text(catalog: Catalog, this: Machine) -> str:
    """ "This Mac: macOS 26.2, GPU limit 37.4 GiB (Metal), 6.9 GiB in use at 14:02, …"."""
    seen = this_machine.seen()
    limit = gpu_limit_bytes(catalog.memory_rules, this)
    told = this_machine.gpu_limit(catalog, seen.found)
    # A limit that the settings of the page ask for is nobody's figure but theirs.
    by = f" ({told.told_by})" if told and told.bytes == limit else ""
    parts = [f"macOS {seen.found.version}", f"GPU limit {format_gib(limit)}{by}"]
    parts.append(f"{format_gib(this.in_use_bytes)} in use at {seen.at:%H:%M}")
    if seen.found.power_source == "battery":
        parts.append("on battery")
    if seen.found.low_power_mode:
        parts.append("low power mode: slower than predicted")
    return f"This Mac: {', '.join(parts)}." + "".join(f" Assumed: {a}." for a in this.assumed)
