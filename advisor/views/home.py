"""Home: what fits, how fast, and what the other Mac would buy, on one screen."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from advisor.advice import compare, picks, routing_rule, words
from advisor.advice import scenario as scenarios
from advisor.advice.machine_names import short_names, status_text
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.estimate.verdict import FITS
from advisor.units import format_gb, format_tokens
from advisor.views import links, memory_bar, receipt, received, share, state, widgets

TITLE, URL = "Compare", "home"


def render(catalog: Catalog) -> None:
    """Draw the page."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.markdown("# What fits, how fast, and what would the other Mac buy?", width="stretch")
    with head:
        state.pair_buttons()
        links = st.container(horizontal=True, width="content", vertical_alignment="center")
    scenario = state.controls(catalog)
    state.write_link()
    with links:
        _links(catalog, scenario)
    machines = state.machines(catalog, scenario)
    short = short_names(machines)
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
    st.markdown(f"## {compare.verdict(catalog, any_speed, ids, names, claims)}")
    received.show()
    best = [picks.best(any_speed, machine.id) for machine in machines]
    for side, column in enumerate(st.columns(2)):
        chosen = (best[side], picks.best(fast, machines[side].id))
        with column.container(border=True, height="stretch"):
            _card(catalog, scenario, side, machines[side], names[side], chosen, same[side])
    left, right = st.columns(2)
    with left:
        _routing(catalog, scenario, machines, names)
    with right:
        memory_bar.show(names, machines, same, best)
    st.markdown("## What the money buys")
    st.markdown("\n".join(f"- {one}" for one in compare.sentences(catalog, claims, names)))
    st.caption(
        f"{words.basis_text(table['basis'])}; 80 % of runs are expected inside the range in "
        f"brackets. How models are ordered: {picks.RULE}"
    )
    widgets.evidence(catalog, [machine.chip.name for machine in machines], scenario.runtime)


def _card(
    catalog: Catalog,
    scenario: Scenario,
    side: int,
    machine: Machine,
    name: str,
    chosen: tuple[pd.Series | None, pd.Series | None],
    same: pd.Series,
) -> None:
    note = status_text(catalog, machine)
    runs = int(same["runs"])
    badge = f":{'gray' if runs else 'orange'}-badge[{runs} public run{'s' * (runs != 1)}]"
    st.markdown(f"**{machine.label}**, {machine.chip.bandwidth_gb_per_s:g} GB/s{note} {badge}")
    titles = ("Best that fits", f"Best at ≥ {scenario.least_tok_s:g} tok/s")
    for at, (title, row) in enumerate(zip(titles, chosen, strict=True)):
        _pick(catalog, machine, title, row, key=f"pick {side} {at}")
    model = catalog.model(same["model_id"]).name
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        widgets.figure(
            f"{model}, 4 bit",
            f"{same['decode_tok_s']:.1f} tok/s",
            f"{same['decode_low']:.0f}–{same['decode_high']:.0f} tok/s",
        )
        widgets.figure(
            "First token",
            words.seconds_text(same["ttft_s"]),
            f"{words.seconds_range(same)}, prompt of {format_tokens(scenario.context_tokens)}",
        )
        widgets.opened(
            f"Toll receipt, {name}",
            f"toll {side}",
            lambda: receipt.show(catalog, machine, same),
        )
    if same["verdict"] != FITS:
        st.markdown(f"{widgets.VERDICT_WORDS[same['verdict']]} {same['change']}")


def _pick(
    catalog: Catalog, machine: Machine, title: str, row: pd.Series | None, *, key: str
) -> None:
    if row is None:
        st.markdown(f"{title}: **nothing** at this context. Try a shorter one.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown(f"{title}:", width="content")
        widgets.opened(
            words.model_text(catalog, row),
            key,
            lambda: _why(catalog, machine, row),
            icon=":material/terminal:",
            help="Why this one, the command that runs it, and its toll receipt",
        )
        st.markdown(f"{format_gb(row['weight_bytes'])}, {words.speed_text(row)}", width="content")


def _why(catalog: Catalog, machine: Machine, row: pd.Series) -> None:
    st.markdown(f"Why: {picks.reason(row)}; the widest quantization that qualifies.")
    widgets.get_it(catalog, row)
    receipt.show(catalog, machine, row)


def _routing(
    catalog: Catalog, scenario: Scenario, machines: tuple[Machine, Machine], names: tuple[str, str]
) -> None:
    st.markdown("## What to route where")
    # Each class has a context of its own, so the slider's changes nothing here.
    anywhere = replace(scenario, context_tokens=scenarios.DEFAULT.context_tokens)
    key = (*anywhere.key, *(machine.key for machine in machines))
    found = _routes(catalog.digest, key, _catalog=catalog, _scenario=anywhere)
    by_class: dict[str, dict[str, routing_rule.Route]] = {}
    for route in found:
        by_class.setdefault(route.request.id, {})[route.machine_id] = route
    rows = []
    for routes in by_class.values():
        cells = [routes[machine.id] for machine in machines]
        request = cells[0].request
        texts = [_cell(catalog, route.pick) for route in cells]
        if _choice(cells[0].pick) != _choice(cells[1].pick):
            texts[1] = f":blue-badge[changes] {texts[1]}"
        needs = f"{format_tokens(request.context_tokens)}, ≥ {request.least_tok_s:g} tok/s"
        # A name of its own even where both Macs are the same.
        rows.append({"Request": f"**{request.name}** {needs}", names[0]: texts[0],
                     f"{names[1]} ": texts[1]})  # fmt: skip
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal")
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
    return f"{words.model_text(catalog, row)}, {row['decode_tok_s']:.0f} tok/s"


def _links(catalog: Catalog, scenario: Scenario) -> None:
    links.link("fit", "All models", ":material/list:")
    share.button(catalog, scenario, URL)


def _row_of(table: pd.DataFrame, machine_id: str) -> pd.Series:
    return table[table["machine_id"] == machine_id].iloc[0]
