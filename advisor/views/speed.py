"""Speed: decode and first token over the context, with the public runs that stand behind them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from advisor.advice.compare import REFERENCE_QUANT
from advisor.advice.machine_names import short_names
from advisor.advice.scenario import Scenario
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.units import format_tokens
from advisor.views import charts, macs, receipt, share, speed_rows, state, widgets
from advisor.views.fit_rows import RUNS, VERDICTS
from advisor.views.page_keys import Many, One, PageKeys
from advisor.views.speed_rows import Asked

TITLE, URL = "Speed", "speed"
MOST_MODELS, MOST_MACHINES = 5, 4
DEFAULT_MODELS = ("qwen3-8b", "qwen3-30b-a3b")
DEFAULT_BITS = 4
ENDS = tuple(str(2**power) for power in range(12, 24))  # 4K to 8M
ANY_END = "own"


def render(catalog: Catalog) -> None:
    """Draw the page."""
    sharing = share.head("Speed against context")
    scenario = state.controls(catalog)
    keys = _keys(catalog)
    keys.open()
    asked, machines = _asked(catalog, scenario, keys)
    ours = keys.close()
    state.write_link(ours)
    with sharing:
        share.button(catalog, scenario, URL, ours)
    if not asked.choices:
        st.info("Choose a model to see its speed.")
        return
    names = short_names(machines)
    key = (*scenario.key, *(machine.key for machine in machines))
    curve, now, runs = _numbers(
        catalog.digest, key, tuple(names.items()), asked.choices, asked.most_tokens,
        _catalog=catalog, _asked=asked, _context=scenario.context_tokens,
    )  # fmt: skip
    _charts(curve, now, runs, names, scenario)
    _data(curve, runs)
    st.markdown(f"## At {format_tokens(scenario.context_tokens)} tokens")
    _table_now(now, names)
    _toll(catalog, now, machines)


def _keys(catalog: Catalog) -> PageKeys:
    return PageKeys(
        "speed",
        {
            "m": Many("model", catalog.model_ids, DEFAULT_MODELS, most=MOST_MODELS),
            "quant": One("quantization", ("", *catalog.quant_ids), ""),
            "more": Many("machine", tuple(state.machine_labels(catalog)), most=MOST_MACHINES - 2),
            "to": One("longest context", (ANY_END, *ENDS), ANY_END),
        },
    )


@st.cache_data(show_spinner=False)
def _model_names(digest: str, _catalog: Catalog) -> dict[str, str]:
    return {model_id: _catalog.model(model_id).name for model_id in _catalog.model_ids}


def _asked(
    catalog: Catalog, scenario: Scenario, keys: PageKeys
) -> tuple[Asked, tuple[Machine, ...]]:
    """The page's own controls, and what they and the scenario ask for."""
    names = _model_names(catalog.digest, catalog)
    quants = quants_of(catalog, scenario.runtime)
    chosen = keys.widget("quant")
    if st.session_state[chosen] not in quants:
        # A quantization of another runtime, or none chosen yet: the 4-bit one of this runtime.
        st.session_state[chosen] = default_quant(catalog, quants)
    row = st.container(horizontal=True, vertical_alignment="bottom")
    models = row.multiselect(
        "Models", list(names), key=keys.widget("m"), format_func=names.get,
        max_selections=MOST_MODELS, width=520,
    )  # fmt: skip
    quant = row.selectbox("Quantization", quants, key=chosen, width=150)
    with row.popover("More"):
        labels = state.machine_labels(catalog)
        more = st.multiselect(
            "More Macs", list(labels), key=keys.widget("more"), format_func=labels.get,
            max_selections=MOST_MACHINES - 2,
        )  # fmt: skip
        end = st.selectbox(
            "Longest context", (ANY_END, *ENDS), key=keys.widget("to"), format_func=_end_text
        )
    machines = macs.chosen(catalog, scenario, more)
    longest = catalog.shapes["max_context_tokens"].reindex(models).max()
    own = int(longest) if models and longest > 0 else int(ENDS[0])
    asked = Asked(
        machines=machines,
        choices=tuple((model_id, quant) for model_id in models),
        runtime=scenario.runtime,
        kv_bits=scenario.kv_bits,
        most_tokens=own if end == ANY_END else int(end),
    )
    return asked, machines


def quants_of(catalog: Catalog, runtime: str) -> list[str]:
    """The listed quantizations a runtime runs."""
    formats = catalog.runtimes[runtime].formats
    return [q.id for q in catalog.quants.values() if q.format in formats and q.listed is True]


def default_quant(catalog: Catalog, quants: Sequence[str]) -> str:
    """The most common 4-bit one: the field publishes nearly everything in it."""
    for quant_id in REFERENCE_QUANT.values():
        if quant_id in quants:
            return quant_id
    return next((q for q in quants if catalog.quants[q].quality_class == DEFAULT_BITS), quants[0])


def _end_text(end: str) -> str:
    return "the model's own maximum" if end == ANY_END else format_tokens(int(end))


@st.cache_data(max_entries=32, show_spinner=False)
def _numbers(
    digest: str,
    key: tuple[object, ...],
    names: tuple[tuple[str, str], ...],
    choices: tuple[tuple[str, str], ...],
    most_tokens: int,
    *,
    _catalog: Catalog,
    _asked: Asked,
    _context: int,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Curves, the rows at the scenario's context and the public runs, named for the charts."""

    def as_shown(table: pd.DataFrame) -> pd.DataFrame:
        return speed_rows.named(_catalog, table, dict(names), quants=False)

    runs = speed_rows.public_runs(_catalog, _asked)
    runs["model"] = runs["model_id"].map(_model_names(digest, _catalog))
    return (
        as_shown(speed_rows.curves(_catalog, _asked)),
        as_shown(speed_rows.at(_catalog, _asked, _context)),
        runs,
    )


def _charts(
    curve: pd.DataFrame,
    now: pd.DataFrame,
    runs: pd.DataFrame,
    names: dict[str, str],
    scenario: Scenario,
) -> None:
    models, machines = list(dict.fromkeys(now["model"])), list(names.values())
    for row in now.to_dict("records"):
        if row["series"] not in set(curve["series"]):
            st.markdown(f"✕ {speed_rows.no_room_text(row)}")
    if curve.empty:
        return

    def draw(quantity: str) -> None:
        spec = charts.over_context(quantity, curve, runs, models, machines, scenario.context_tokens)
        st.vega_lite_chart(spec=spec, width="stretch")

    st.markdown("## Decode")
    measured = int(runs["decode_tok_s"].notna().sum())
    st.caption(
        "Line: the estimate; band: its 80 % interval; ✕: memory ends. "
        + _runs_text(runs, measured, scenario)
    )
    draw(charts.DECODE)
    st.markdown("## First token")
    st.caption(
        "An uncached prompt of that length, the model in memory; band: its 80 % interval. "
        f"Public runs that state it: {int(runs['ttft_s'].notna().sum())}."
    )
    draw(charts.FIRST_TOKEN)


def _runs_text(runs: pd.DataFrame, measured: int, scenario: Scenario) -> str:
    if not measured:
        return f"No public run of these choices with {scenario.runtime} on these chips is known."
    low = int(runs["low_confidence"].sum())
    sources = runs["file"].nunique()
    chips = charts.chip_order(runs)
    shapes = ", ".join(
        f"{sign} {c}" for sign, c in zip(charts.SHAPES.values(), chips, strict=False)
    )
    return (
        f"Points ({shapes}): {measured} public run{'s' if measured > 1 else ''} of the same "
        f"chip family, runtime, model and quantization from {sources} "
        f"source{'s' if sources > 1 else ''}"
        + (f", {low} of low confidence drawn hollow." if low else ".")
    )


def _table_now(now: pd.DataFrame, names: dict[str, str]) -> None:
    column = st.column_config
    fits = now["verdict"].isin(RUNS)
    shown = pd.DataFrame(
        {
            "Model": now["model"],
            "Mac": now["machine"],
            "Verdict": now["verdict"].map(VERDICTS),
            "Decode": now["decode_tok_s"].where(fits),
            "Low": now["decode_low"].where(fits),
            "High": now["decode_high"].where(fits),
            "First token": now["ttft_s"].where(fits),
            "Context room": now["max_context_tokens"],
            "Public runs": now["runs"],
        }
    )
    if len(names) == 1:
        shown = shown.drop(columns="Mac")
    st.dataframe(
        shown,
        hide_index=True,
        height="auto",
        placeholder="",
        alt="Speeds at the chosen context",
        column_config={
            "Model": column.TextColumn(pinned=True, width=150),
            "Decode": column.NumberColumn("Decode (tok/s)", format="%.1f"),
            "Low": column.NumberColumn("80 % from", format="%.1f"),
            "High": column.NumberColumn("to", format="%.1f"),
            "First token": column.NumberColumn("First token (s)", format="%.1f"),
            "Context room": column.NumberColumn("Context room (tokens)", format="localized"),
            "Public runs": column.NumberColumn(help="Of this chip family with this runtime."),
        },
    )


def _toll(catalog: Catalog, now: pd.DataFrame, machines: Sequence[Machine]) -> None:
    st.markdown("## Where the time of a token goes")
    fits = now[now["verdict"].isin(RUNS)]
    if fits.empty:
        st.caption("Nothing fits at this context.")
        return
    st.vega_lite_chart(spec=charts.toll(speed_rows.toll_parts(fits)), width="stretch")
    options = list(fits["series"])
    pick = st.selectbox("Toll receipt of", options, key="speed receipt")
    row = fits[fits["series"] == pick].iloc[0]
    with st.container(border=True):
        receipt.show(catalog, next(m for m in machines if m.id == row["machine_id"]), row)
        widgets.get_it(catalog, row)


def _data(curve: pd.DataFrame, runs: pd.DataFrame) -> None:
    """The numbers behind the charts, to look at and to keep."""
    plain = curve.drop(columns=["model", "machine", "series", "ends"], errors="ignore")
    drawn = runs.drop(columns=["drawn_tokens", "context", "low_confidence", "model", "bin"])
    with st.expander("The numbers behind the curves"):
        st.dataframe(
            plain[["machine_id", "model_id", "quant_id", "runtime", "context_tokens",
                   "decode_tok_s", "decode_low", "decode_high", "ttft_s", "verdict"]],
            hide_index=True, height=260, alt="Numbers behind the curves",
        )  # fmt: skip
    with st.container(horizontal=True):
        st.download_button(
            f"Curves ({len(plain):,} rows, CSV)", lambda: speed_rows.download(plain),
            file_name="tollbooth-speed.csv", mime="text/csv", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
        st.download_button(
            f"Public runs drawn ({len(runs):,} rows, CSV)",
            lambda: drawn.to_csv(index=False).encode(),
            file_name="tollbooth-speed-runs.csv", mime="text/csv", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
