"""Fit: every model in its best quantization on one or more Macs, to filter, sort and keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from advisor.advice import own_runs, words
from advisor.advice.machine_names import short_names
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.estimate.verdict import NO, PAGES, RAISE_LIMIT
from advisor.units import format_tokens
from advisor.views import fit_rows, macs, receipt, share, state, widgets
from advisor.views.page_keys import Many, One, PageKeys, Text

TITLE, URL = "Fit", "fit"
MOST_MACHINES = 6
SIZES = ("0", "1", "2", "4", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128", "any")


def render(catalog: Catalog) -> None:
    """Draw the page."""
    sharing = share.head("Every model on these Macs")
    scenario = state.controls(catalog)
    keys = _keys(catalog)
    keys.open()
    _filters(catalog, keys)
    machines = macs.chosen(catalog, scenario, st.session_state[keys.widget("more")])
    every = st.session_state[keys.widget("quants")] == "all"
    table = _rows(
        catalog.digest, scenario.key, tuple(m.key for m in machines), every,
        _catalog=catalog, _scenario=scenario, _machines=machines,
    )  # fmt: skip
    named = _narrowed(keys, table)
    wanted = _states(keys, named, scenario)
    shown = named[named["state"].isin(wanted)] if wanted else named
    shown = fit_rows.ordered(shown, st.session_state[keys.widget("sort")], [m.id for m in machines])
    ours = keys.close()
    state.write_link(ours)
    with sharing:
        share.button(catalog, scenario, URL, ours)
    st.caption(_count_text(table, shown, machines, scenario, every=every))
    picked = _table(shown, machines)
    st.download_button(
        f"Download these {len(shown):,} rows (CSV)",
        lambda: fit_rows.download(shown),
        file_name="tollbooth-fit.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )
    if picked is not None:
        row = shown.iloc[picked]
        with st.container(border=True):
            receipt.show(catalog, next(m for m in machines if m.id == row["machine_id"]), row)
            widgets.get_it(catalog, row)
    widgets.evidence(catalog, list(dict.fromkeys(m.chip.name for m in machines)), scenario.runtime)


@st.cache_data(show_spinner=False)
def _known(digest: str, _catalog: Catalog) -> dict[str, tuple[str, ...]]:
    facts = fit_rows.facts(_catalog)
    tasks = {task for has in facts["tasks"] for task in has.split(", ") if task}
    return {
        "families": tuple(sorted(set(facts["family"]), key=str.lower)),
        "tasks": tuple(sorted(tasks)),
        "machines": tuple(state.machine_labels(_catalog)),
    }


def _keys(catalog: Catalog) -> PageKeys:
    known = _known(catalog.digest, catalog)
    return PageKeys(
        "fit",
        {
            "q": Text(),
            "show": Many("kind of verdict", fit_rows.STATES),
            "family": Many("family", known["families"]),
            "task": Many("task", known["tasks"]),
            "from": One("size", SIZES[:-1], SIZES[0]),
            "to": One("size", SIZES[1:], SIZES[-1]),
            "more": Many("machine", known["machines"], most=MOST_MACHINES - 2),
            "quants": One("choice of quantizations", ("best", "all"), "best"),
            "sort": One("order", tuple(fit_rows.SORTS), "best"),
        },
    )


def _filters(catalog: Catalog, keys: PageKeys) -> None:
    known = _known(catalog.digest, catalog)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    row.text_input(
        "Find", key=keys.widget("q"), placeholder="name, family or quantization", type="search",
        max_chars=60, live=True, width=300,
    )  # fmt: skip
    chosen = sum(bool(st.session_state[keys.widget(name)]) for name in ("family", "task", "more"))
    chosen += st.session_state[keys.widget("from")] != SIZES[0]
    chosen += st.session_state[keys.widget("to")] != SIZES[-1]
    with row.popover(f"Filters ({chosen})" if chosen else "Filters"):
        st.multiselect("Family", known["families"], key=keys.widget("family"))
        st.multiselect("Task", known["tasks"], key=keys.widget("task"))
        low, high = st.columns(2)
        low.selectbox("Weights from (GB)", SIZES[:-1], key=keys.widget("from"))
        high.selectbox("to (GB)", SIZES[1:], key=keys.widget("to"))
        labels = state.machine_labels(catalog)
        st.multiselect(
            "More Macs", list(labels), key=keys.widget("more"), format_func=labels.get,
            max_selections=MOST_MACHINES - 2,
        )  # fmt: skip
        st.caption("The least speed is with the runtime, in the settings above.")
    row.selectbox(
        "Order", list(fit_rows.SORTS), key=keys.widget("sort"), format_func=fit_rows.SORTS.get,
        width=190,
    )  # fmt: skip
    row.segmented_control(
        "Quantizations", ("best", "all"), key=keys.widget("quants"), required=True,
        format_func={"best": "best of each", "all": "all"}.get,
    )  # fmt: skip


@st.cache_data(max_entries=32, show_spinner=False)
def _rows(
    digest: str,
    key: tuple[object, ...],
    machine_keys: tuple[tuple[object, ...], ...],
    every_quant: bool,
    *,
    _catalog: Catalog,
    _scenario: Scenario,
    _machines: tuple[Machine, ...],
) -> pd.DataFrame:
    table = plan.table(
        _catalog,
        _machines,
        context_tokens=_scenario.context_tokens,
        runtime=_scenario.runtime,
        kv_bits=_scenario.kv_bits,
    )
    rows = fit_rows.rows(_catalog, table, _scenario.least_tok_s, every_quant=every_quant)
    return rows.assign(measured_tok_s=own_runs.measured_tok_s(_catalog, _machines, rows))


def _narrowed(keys: PageKeys, table: pd.DataFrame) -> pd.DataFrame:
    low, high = (st.session_state[keys.widget(name)] for name in ("from", "to"))
    return fit_rows.filtered(
        table,
        search=st.session_state[keys.widget("q")] or "",
        families=st.session_state[keys.widget("family")],
        tasks=st.session_state[keys.widget("task")],
        size_gb=(float(low), float("inf") if high == SIZES[-1] else float(high)),
    )


def _states(keys: PageKeys, table: pd.DataFrame, scenario: Scenario) -> list[str]:
    least = f"{scenario.least_tok_s:g} tok/s"
    names = {
        fit_rows.FAST: f"✓ fits, ≥ {least}",
        fit_rows.SLOW: f"✓ fits, slower than {least}",
        RAISE_LIMIT: "▲ raise the limit",
        PAGES: "◐ pages and crawls",
        NO: "✗ does not fit",
        fit_rows.TOO_LONG: f"cannot hold {format_tokens(scenario.context_tokens)} tokens",
    }
    counts = fit_rows.counts(table)
    chosen: Any = st.pills(
        "Show",
        fit_rows.STATES,
        selection_mode="multi",
        key=keys.widget("show"),
        format_func=lambda name: f"{names[name]} ({counts.get(name, 0)})",
        label_visibility="collapsed",
    )
    return list(chosen or [])


def _count_text(
    table: pd.DataFrame,
    shown: pd.DataFrame,
    machines: Sequence[Machine],
    scenario: Scenario,
    *,
    every: bool,
) -> str:
    what = "every quantization" if every else "the best quantization of each"
    macs = "1 Mac" if len(machines) == 1 else f"{len(machines)} Macs"
    return (
        f"**{len(shown):,} of {len(table):,} rows**: {table['model_id'].nunique()} models, {what}, "
        f"{macs}, at a context of {format_tokens(scenario.context_tokens)} tokens. "
        f"{words.basis_text(table['basis'])}, with their 80 % interval, and stand only where the "
        f"model runs. "
        f"Select a row for its toll receipt and how to get it."
    )


def _table(shown: pd.DataFrame, machines: Sequence[Machine]) -> int | None:
    """Draw the table; the position of the selected row."""
    labels = short_names(machines)
    table = fit_rows.display(shown, labels)
    if len(machines) == 1:
        table = table.drop(columns="Mac")
    for name in ("Score", "Measured"):
        if table[name].isna().all():
            table = table.drop(columns=name)
    if (table["Basis"] == "predicted").all():
        table = table.drop(columns="Basis")
    column = st.column_config
    event: Any = st.dataframe(
        table,
        hide_index=True,
        height=560 if len(table) > 14 else "auto",
        on_select="rerun",
        selection_mode="single-row",
        key="fit rows",
        placeholder="",
        alt="Models that fit, with verdict, speed and size",
        column_config={
            "Model": column.TextColumn(pinned=True, width=150),
            "Mac": column.TextColumn(width=104),
            "Verdict": column.TextColumn(width=124),
            "Quantization": column.TextColumn("Quant", width=82),
            "Decode": column.NumberColumn("Decode (tok/s)", format="%.1f", width=104),
            "Interval": column.TextColumn("80 % interval", width=96, alignment="right"),
            "Basis": column.TextColumn(width=84),
            "Measured": column.NumberColumn(
                "Measured (tok/s)", format="%.1f", width=120, help="By a run of this Mac."
            ),
            "First token": column.NumberColumn("First token (s)", format="%.1f", width=100),
            "Size": column.NumberColumn("Weights (GB)", format="%.1f", width=96),
            "Size is": column.TextColumn("Weights are", width=92),
            "Computed": column.NumberColumn("Computed (GB)", format="%.1f", width=106),
            "Needs": column.NumberColumn(
                "Needs (GiB)", format="%.1f", width=92, help="Weights, cache and buffers together."
            ),
            "Context room": column.NumberColumn(
                "Context room (tokens)", format="localized", width=150
            ),
            "What would help": column.TextColumn(width=190),
            "Score": column.NumberColumn(format="%.1f", width=64, help="whatmodel.sh, 2026"),
            "Family": column.TextColumn(width=90),
            "Tasks": column.TextColumn(width=130),
            "Runs": column.NumberColumn(
                "Public runs", width=90, help="Of this chip family with this runtime."
            ),
        },
    )
    picked = event.selection.rows if event else []
    return picked[0] if picked and picked[0] < len(shown) else None
