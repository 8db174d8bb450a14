"""Home: what fits, how fast, and what the other Mac would buy, on one screen."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from advisor.advice import compare, picks, routing_rule
from advisor.advice import scenario as scenarios
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.estimate.verdict import FITS
from advisor.units import GIB, format_gb, format_gib, format_tokens
from advisor.views import macs, memory_bar, receipt, state, widgets

TITLE, URL = "Compare", "home"


def render(catalog: Catalog) -> None:
    """Draw the page."""
    st.markdown("#### Which model fits, how fast, and what would the other Mac buy?")
    scenario = state.controls(catalog, pairs=True)
    state.write_link()
    machines = state.machines(catalog, scenario)
    short = macs.short_names(machines)
    names = (short[machines[0].id], short[machines[1].id])
    table = widgets.table(catalog, scenario)
    reference = widgets.table(
        catalog,
        scenario,
        model_ids=(compare.REFERENCE_MODEL,),
        quant_ids=(compare.reference_quant(catalog, scenario.runtime),),
    )
    same = [_row_of(reference, machine.id) for machine in machines]
    claims = compare.claims(*same)
    any_speed = picks.best_quants(catalog, table)
    fast = picks.best_quants(catalog, table, scenario.least_tok_s)
    ids = (machines[0].id, machines[1].id)
    st.markdown(f"##### {compare.verdict(catalog, any_speed, ids, names, claims)}")
    best = [picks.best(any_speed, machine.id) for machine in machines]
    sides = zip(("first", "second"), st.columns(2), machines, same, best, strict=True)
    for side, column, machine, row, pick in sides:
        with column.container(border=True):
            _card(catalog, scenario, side, machine, (pick, picks.best(fast, machine.id)), row)
    _memory(machines, names, same, best)
    st.markdown("##### What the money buys")
    for sentence in compare.sentences(catalog, claims, names):
        st.markdown(f"- {sentence}")
    _routing(catalog, scenario, machines, names)
    st.caption(
        widgets.evidence(catalog, [machine.chip.name for machine in machines], scenario.runtime)
    )
    st.caption(f"How models are ordered: {picks.RULE}")
    _links(scenario)


def _card(
    catalog: Catalog,
    scenario: Scenario,
    side: str,
    machine: Machine,
    chosen: tuple[pd.Series | None, pd.Series | None],
    same: pd.Series,
) -> None:
    status = catalog.mac(machine.id.rpartition("-")[0]).status
    note = "" if status == "current" else f", {status}"
    st.markdown(f"**{machine.label}**, {machine.chip.bandwidth_gb_per_s:g} GB/s{note}")
    best, fast = chosen
    _pick(catalog, "Best that fits", best, f"best {side}")
    least = f"{scenario.least_tok_s:g}"
    _pick(catalog, f"Best at ≥ {least} tok/s", fast, f"fast {side}")
    model = catalog.model(same["model_id"]).name
    left, right = st.columns(2)
    left.metric(f"{model}, 4 bit", f"{same['decode_tok_s']:.1f} tok/s",
                f"{same['decode_low']:.0f} to {same['decode_high']:.0f}", delta_color="off",
                delta_arrow="off")  # fmt: skip
    right.metric(
        "First token",
        widgets.seconds_text(same["ttft_s"]),
        f"a prompt of {format_tokens(scenario.context_tokens)}",
        delta_color="off",
        delta_arrow="off",
    )
    if same["verdict"] != FITS:
        st.markdown(f"{widgets.VERDICT_WORDS[same['verdict']]} {same['change']}")
    with st.popover("Toll receipt", width="stretch"):
        receipt.show(catalog, machine, same)


def _pick(catalog: Catalog, title: str, row: pd.Series | None, key: str) -> None:
    if row is None:
        st.markdown(f"{title}: **nothing** at this context. Try a shorter one.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{title}: **{widgets.model_text(catalog, row)}**, "
            f"{format_gb(row['weight_bytes'])}, {widgets.speed_text(row)}"
        )
        run = st.popover("Run it", key=f"why {key}")
    with run:
        st.markdown(f"Why: {picks.reason(row)}; the widest quantization that qualifies.")
        widgets.get_it(catalog, row)


def _memory(
    machines: tuple[Machine, Machine],
    names: tuple[str, str],
    rooms: list[pd.Series],
    best: list[pd.Series | None],
) -> None:
    """Draw both memories.

    rooms   any row of each machine: its limit and budget are those of the machine
    """
    st.markdown("##### Memory, with the best that fits loaded")
    budgets = [float(room["budget_bytes"]) for room in rooms]
    table = memory_bar.parts(
        dict(zip(names, zip(machines, budgets, best, strict=True), strict=True))
    )
    limits = {name: room["gpu_limit_bytes"] / GIB for name, room in zip(names, rooms, strict=True)}
    st.altair_chart(memory_bar.chart(table, limits), width="stretch")
    st.caption("The red line is what macOS lets the GPU use. 1 GB of memory is 1 GiB here.")
    for name, machine, room, row in zip(names, machines, rooms, best, strict=True):
        idle = (machine.memory_bytes or 0) - machine.in_use_bytes
        text = (
            f"**{name}**: macOS {machine.macos} lets the GPU use "
            f"{format_gib(room['gpu_limit_bytes'], 2)}; other programs keep {format_gib(idle)} "
            "with no model loaded"
        )
        loaded = "" if row is None else f", {format_gib(idle - row['total_bytes'])} with this one"
        text += f"{loaded}."
        if room["budget_bytes"] < room["gpu_limit_bytes"]:
            text += (
                f" With {format_gib(machine.in_use_bytes)} in use, a model may take "
                f"{format_gib(room['budget_bytes'])} now, "
                f"{format_gib(room['gpu_limit_bytes'])} on an idle Mac."
            )
        st.markdown(text)


def _routing(
    catalog: Catalog, scenario: Scenario, machines: tuple[Machine, Machine], names: tuple[str, str]
) -> None:
    st.markdown("##### What to route where")
    # Each class has a context of its own, so the slider's changes nothing here.
    anywhere = replace(scenario, context_tokens=scenarios.DEFAULT.context_tokens)
    found = _routes(catalog.digest, anywhere.key, _catalog=catalog, _scenario=anywhere)
    by_class: dict[str, dict[str, routing_rule.Route]] = {}
    for route in found:
        by_class.setdefault(route.request.id, {})[route.machine_id] = route
    rows = []
    for routes in by_class.values():
        cells = [routes[machine.id] for machine in machines]
        request = cells[0].request
        picks_ = [_choice(route.pick) for route in cells]
        texts = [_cell(catalog, route.pick) for route in cells]
        if picks_[0] != picks_[1]:
            texts[1] = f"**changes →** {texts[1]}"
        floor = f"{format_tokens(request.context_tokens)}, ≥ {request.least_tok_s:g} tok/s"
        rows.append({"Request": request.name, "Needs": floor, names[0]: texts[0],
                     f"{names[1]} ": texts[1]})  # fmt: skip
    st.table(pd.DataFrame(rows).set_index("Request"))
    st.caption(routing_rule.RULE)


@st.cache_resource(max_entries=64, show_spinner=False)
def _routes(
    digest: str, key: tuple[object, ...], *, _catalog: Catalog, _scenario: Scenario
) -> list[routing_rule.Route]:
    ids = list(dict.fromkeys((_scenario.a, _scenario.b)))
    return routing_rule.routes(
        _catalog, ids, lambda context: widgets.table(_catalog, _scenario, context_tokens=context)
    )


def _choice(row: pd.Series | None) -> tuple[str, str] | None:
    return None if row is None else (row["model_id"], row["quant_id"])


def _cell(catalog: Catalog, row: pd.Series | None) -> str:
    if row is None:
        return "nothing reaches it"
    return f"{widgets.model_text(catalog, row)}, {row['decode_tok_s']:.0f} tok/s"


def _links(scenario: Scenario) -> None:
    with st.container(horizontal=True):
        st.page_link(st.session_state["page fit"], label="All models")
        with st.popover("Share", type="tertiary"):
            st.markdown(
                "The address of this page holds the whole comparison. A link to 127.0.0.1 opens "
                "only on this Mac; whoever runs Tollbooth can add this to their own address:"
            )
            st.code(f"?{scenarios.query(scenario)}", wrap_lines=True)


def _row_of(table: pd.DataFrame, machine_id: str) -> pd.Series:
    return table[table["machine_id"] == machine_id].iloc[0]
