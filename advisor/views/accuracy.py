"""Accuracy: how far predictions were off on runs that the fit had not seen, kind by kind."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from advisor.catalog import Catalog
from advisor.estimate import accuracy
from advisor.estimate.accuracy import DIMENSIONS, LEAST_RUNS, LEAST_SOURCES, OTHER
from advisor.validation import words
from advisor.validation.report import report
from advisor.views import accuracy_charts, state, widgets
from advisor.views.page_keys import One, PageKeys

TITLE, URL = "Accuracy", "accuracy"
EVERY = "all"
FILTERS = {"eng": "runtime", "kind": "kind", "tier": "tier"}  # key in the link -> dimension
PLOTTED = ["measured_tok_s", "without_source_tok_s", "half_width", "kind", "model_id", "quant_id",
           "chip", "runtime", "context_drawn", "weight_gb", "file"]  # fmt: skip
VIEWS = {"runs": "Predicted and measured", "context": "By context", "size": "By size"}


def render(catalog: Catalog) -> None:
    """Draw the page."""
    st.markdown("# How right the predictions are")
    state.current(catalog)
    runs = accuracy.joined(catalog)
    keys = _keys(catalog, runs)
    keys.open()
    st.markdown(
        "Each public run is predicted by a fit that has not seen any run of its source, and set "
        "against what that source measured."
    )
    shown = _filtered(runs, keys)
    state.write_link(keys.close())
    if shown.empty:
        st.info("No public run is of this kind: its estimates lean on others. Widen the choice.")
        return
    _headline(shown)
    _charts(catalog, shown, keys)
    _table(shown, keys)
    st.markdown("## And besides")
    st.markdown("\n".join(f"- {said}" for said in words.sentences(report(catalog))))
    st.download_button(
        f"Download these {len(shown):,} runs with their predictions (CSV)",
        lambda: shown.drop(columns=["context_drawn"]).to_csv(index=False).encode(),
        file_name="tollbooth-accuracy.csv", mime="text/csv", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _keys(catalog: Catalog, runs: pd.DataFrame) -> PageKeys:
    choices = {
        key: One(DIMENSIONS[name].lower(), (EVERY, *labels(runs, name)), EVERY)
        for key, name in FILTERS.items()
    }
    return PageKeys(
        "accuracy",
        choices
        | {
            "by": One("table", tuple(DIMENSIONS), "runtime"),
            "view": One("chart", tuple(VIEWS), "runs"),
        },
    )


def labels(runs: pd.DataFrame, dimension: str) -> list[str]:
    """The labels of a dimension in their order."""
    return accuracy.table(runs, dimension)["slice"].tolist()


def _filtered(runs: pd.DataFrame, keys: PageKeys) -> pd.DataFrame:
    row = st.container(horizontal=True, vertical_alignment="bottom")
    keep = pd.Series(True, index=runs.index)
    for key, name in FILTERS.items():
        pick = row.selectbox(
            DIMENSIONS[name], (EVERY, *labels(runs, name)), key=keys.widget(key), width=200,
            format_func=lambda label, name=name: _every(name) if label == EVERY else label,
        )  # fmt: skip
        if pick != EVERY:
            keep &= runs[name] == pick
        elif name == "runtime":
            keep &= runs[name] != OTHER
    return runs[keep]


def _every(dimension: str) -> str:
    return "all named ones" if dimension == "runtime" else "all"


def _headline(shown: pd.DataFrame) -> None:
    found = accuracy.row(shown)
    with st.container(horizontal=True, gap="medium"):
        widgets.figure(
            "Median error",
            f"{found['median_error']:.1%}",
            f"{found['runs']:,} runs, {found['sources']} sources",
        )
        widgets.figure(
            "Nine in ten within", f"{found['p90_error']:.0%}", f"bias {found['bias']:+.1%}"
        )
        widgets.figure(
            "Inside the 80 % interval",
            f"{found['coverage']:.0%}",
            f"typically × / ÷ {found['half_width']:.2f}",
        )
        widgets.figure(
            "Bandwidth ÷ bytes", f"{found['naive']:.0%}",
            f"one fitted constant: {found['one_constant']:.0%}",
        )  # fmt: skip
    if found["runs"] < LEAST_RUNS or found["sources"] < LEAST_SOURCES:
        st.caption("Few runs, or one source: these figures say little.")


def _charts(catalog: Catalog, shown: pd.DataFrame, keys: PageKeys) -> None:
    pick = st.segmented_control(
        "Chart", list(VIEWS), key=keys.widget("view"), required=True, format_func=VIEWS.get,
        label_visibility="collapsed",
    )  # fmt: skip
    names = {model: catalog.model(model).name for model in shown["model_id"].unique()}
    points = shown[PLOTTED].assign(model=shown["model_id"].map(names)).drop(columns="model_id")
    if pick == "runs":
        left, right = st.columns(2)
        left.altair_chart(accuracy_charts.scatter(points), width="stretch")
        right.altair_chart(accuracy_charts.ratios(points), width="stretch")
        st.caption(
            "Left: a point a run; on the line both agree. Right: the grey band is the typical "
            "80 % interval; what is off by more than a factor of two stands at the edge."
        )
        return
    column, title = {
        "context": ("context_drawn", "Context (tokens)"),
        "size": ("weight_gb", "Weights (GB)"),
    }[str(pick)]
    st.altair_chart(accuracy_charts.leftover(points, column, title), width="stretch")


def _table(shown: pd.DataFrame, keys: PageKeys) -> None:
    st.markdown("## By what")
    by = st.pills(
        "Table by", list(DIMENSIONS), key=keys.widget("by"), required=True,
        format_func=DIMENSIONS.get, label_visibility="collapsed",
    )  # fmt: skip
    table = accuracy.table(shown, str(by))
    few = (table["runs"] < LEAST_RUNS) | (table["sources"] < LEAST_SOURCES)
    column = st.column_config
    percent = {
        "median_error": ("Median error", "Its whole source left out of the fit"),
        "p90_error": ("Nine in ten within", "90th percentile of the error"),
        "bias": ("Bias", "Above 0: measured faster than predicted"),
        "coverage": ("Inside 80 %", "Share of runs inside their interval; widths unseen too"),
        "without_chip": ("Chip unseen", "Median error with the whole chip left out"),
        "without_model": ("Model unseen", "Median error with the whole model left out"),
        "naive": ("Bandwidth ÷ bytes", "Median error of that rule"),
        "one_constant": ("One constant", "Median error of the rule times one fitted constant"),
    }
    shown_table = table.assign(
        slice=table["slice"] + few.map({True: " (thin)", False: ""}),
        **{name: table[name] * 100 for name in percent},
    )
    st.dataframe(
        shown_table,
        hide_index=True,
        height="auto",
        alt=f"Errors by {DIMENSIONS[str(by)].lower()}",
        column_config={
            "slice": column.TextColumn(DIMENSIONS[str(by)], pinned=True),
            "runs": column.NumberColumn("Runs", format="localized"),
            "sources": column.NumberColumn("Sources"),
            "half_width": column.NumberColumn("Interval × / ÷", format="%.2f"),
            **{
                name: column.NumberColumn(title, format="%.1f %%", help=help)
                for name, (title, help) in percent.items()
            },
        },
    )
