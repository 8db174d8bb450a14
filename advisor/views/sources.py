"""Sources: every fact, where it comes from, how sure it is, and how speeds were fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from advisor.catalog import Catalog
from advisor.estimate import accuracy, coefficients, fitted_constants
from advisor.views import links, state
from advisor.views.page_keys import One, PageKeys, Text
from advisor.views.source_runs import SECTIONS
from advisor.views.source_tables import Section

TITLE, URL = "Sources", "sources"
BY_ID = {section.id: section for section in SECTIONS}
KEYS = PageKeys("sources", {"table": One("table", tuple(BY_ID), "chips"), "q": Text()})
SHORT_LINK = r"^https?://(?:www\.)?(.{1,48})"
NUMBERS = {  # column -> format; the others are as they come
    "params_b": "%.2f", "active_params_b": "%.2f", "published_gb": "%.2f", "computed_gb": "%.2f",
    "bits_per_weight": "%.3f", "score": "%.4g", "decode_tok_s": "%.1f", "prefill_tok_s": "%.0f",
    "ttft_s": "%.2f", "usd": "dollar", "max_context_tokens": "localized",
    "context_tokens": "localized", "cache_bytes_per_token": "localized", "state_bytes": "localized",
    "median_error": "percent", "one_in_ten_above": "percent", "bias": "percent",
    "inside_80_interval": "percent", "bytes_exact": "localized",
}  # fmt: skip
UNITS = {"gb": "GB", "gib": "GiB", "mib": "MiB", "mhz": "MHz", "tflops": "TFLOPS", "w": "W",
         "usd": "USD", "b": "billion", "s": "s", "tokens": "tokens", "bytes": "bytes"}  # fmt: skip
LABELS = {
    "bandwidth_gb_per_s": "Bandwidth (GB/s)", "spec_gb_per_s": "Spec (GB/s)",
    "measured_gb_per_s": "Measured (GB/s)", "decode_tok_s": "Decode (tok/s)",
    "prefill_tok_s": "Prefill (tok/s)", "ttft_s": "First token (s)", "tok_per_s": "tok/s",
    "cache_bytes_per_token": "Cache (bytes a token)", "fp16_tflops_measured": "fp16 (TFLOPS)",
    "newest_list_price_usd": "Newest list price (USD)", "runs_of": "Runs of",
    "inside_80_interval": "Inside the 80 % interval", "one_in_ten_above": "One in ten above",
}  # fmt: skip


def render(catalog: Catalog) -> None:
    """Draw the page."""
    st.markdown("# Facts, and where they come from")
    state.current(catalog)
    KEYS.open()
    _summary(catalog)
    st.pills(
        "Table", list(BY_ID), key=KEYS.widget("table"), required=True,
        format_func=lambda name: BY_ID[name].name, label_visibility="collapsed",
    )  # fmt: skip
    section = BY_ID[st.session_state[KEYS.widget("table")]]
    search = st.text_input(
        "Find", key=KEYS.widget("q"), placeholder="words that a row must hold", type="search",
        max_chars=60, live=True, width=340,
    )  # fmt: skip
    state.write_link(KEYS.close())
    table = _table(catalog.digest, section.id, _catalog=catalog)
    shown = found(table, _text(catalog.digest, section.id, _table=table), search or "")
    st.markdown(section.what)
    low = int((shown["confidence"] == "low").sum()) if "confidence" in shown else 0
    st.caption(
        f"**{len(shown):,} of {len(table):,} rows**"
        + (f", {low:,} of low confidence (○)." if low else ".")
    )
    _show(section, shown)
    st.download_button(
        f"Download these {len(shown):,} rows (CSV)",
        lambda: shown.to_csv(index=False).encode(),
        file_name=f"tollbooth-{section.id}.csv", mime="text/csv", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def found(table: pd.DataFrame, text: pd.Series, search: str) -> pd.DataFrame:
    """Rows whose ``text`` holds every word of ``search``."""
    keep = np.ones(len(table), dtype=bool)
    for word in search.lower().split():
        keep &= text.str.contains(word, regex=False).to_numpy()
    return table[keep]


def label(column: str) -> str:
    """A column's name for people, its unit in brackets: "memory_gb" -> "Memory (GB)"."""
    if column in LABELS:
        return LABELS[column]
    words = column.split("_")
    unit = UNITS.get(words[-1]) if len(words) > 1 else None
    name = " ".join(words[:-1] if unit else words)
    name = name.replace("gpu", "GPU").replace("cpu", "CPU").replace("macos", "macOS")
    name = name if name.startswith("macOS") else name[:1].upper() + name[1:]
    return name + (f" ({unit})" if unit else "")


@st.cache_data(max_entries=32, show_spinner=False)
def _table(digest: str, section_id: str, *, _catalog: Catalog) -> pd.DataFrame:
    return BY_ID[section_id].table(_catalog)


@st.cache_data(max_entries=32, show_spinner=False)
def _text(digest: str, section_id: str, *, _table: pd.DataFrame) -> pd.Series:
    """What a search looks at: all cells of a row in small letters."""
    rows = (
        " ".join(str(cell) for cell in row if pd.notna(cell)).lower()
        for row in _table.itertuples(index=False)
    )
    return pd.Series(list(rows), index=_table.index, dtype=object)


def _summary(catalog: Catalog) -> None:
    fitted = coefficients.load(catalog)
    every = accuracy.by_slice(catalog)["all"]
    runs = catalog.runs
    st.markdown(
        f"Catalog **{catalog.digest}**: {len(catalog.chips)} chip bins, {len(catalog.macs)} Macs, "
        f"{len(catalog.model_ids)} models that mlx-lm builds, {len(catalog.quant_ids)} "
        f"quantizations, {len(runs):,} public runs from {runs['file'].nunique()} sources. "
        f"Speeds were fitted on {fitted.fitted_on} (data {fitted.data_digest}); on whole sources "
        f"the fit had not seen, half of {every['runs']:,} runs are within "
        f"{every['median_error']:.0%} and {every['coverage']:.0%} inside the 80 % interval."
    )
    with st.expander("How speeds were fitted, and how far they are off"):
        aside = fitted_constants.set_aside(catalog)
        st.markdown(
            "Seconds a token = layers × overhead + bytes of weights read / a share of the "
            "bandwidth + bytes of cache read / a lower share. Overhead and shares are fitted on "
            "the public runs, by chip, runtime, kind of model and quantization; a narrow group is "
            "pulled towards its wider one. Not learnt from: "
            + "; ".join(f"{count:,} {reason}" for reason, count in aside.items())
            + "."
        )
        links.link("accuracy", "How far they are off", ":material/rule:")


def _show(section: Section, shown: pd.DataFrame) -> None:
    table = shown
    if "confidence" in table:
        sure = {"high": "● high", "medium": "◐ medium", "low": "○ low"}
        table = table.assign(confidence=table["confidence"].map(sure).fillna(""))
    if "source" in table:
        linked = table["source"].astype(str).str.startswith("http")
        words = table["source"].where(~linked)
        table = table.assign(source=table["source"].where(linked))
        if words.notna().any():
            table.insert(list(table).index("source") + 1, "no_link", words)
    table = table.dropna(axis="columns", how="all")
    blank = [name for name in table if (table[name].astype(str) == "").all()]
    table = table.drop(columns=blank)
    st.dataframe(
        table,
        hide_index=True,
        height=560 if len(table) > 14 else "auto",
        placeholder="",
        alt=section.name,
        column_config=_columns(table),
        key=f"source table {section.id}",
    )


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    column = st.column_config
    found: dict[str, Any] = {}
    for at, name in enumerate(table):
        if name == "source":
            found[name] = column.LinkColumn("Source", display_text=SHORT_LINK, width=250)
        elif pd.api.types.is_numeric_dtype(table[name]):
            found[name] = column.NumberColumn(label(name), format=NUMBERS.get(name, "localized"))
        else:
            longest = table[name].astype(str).str.len().max() if len(table) else 0
            wide = max(longest * 7.5, len(label(name)) * 7 + 24)
            width = 170 if at == 0 else int(min(wide, 260))
            found[name] = column.TextColumn(label(name), pinned=at == 0, width=width)
    return found
