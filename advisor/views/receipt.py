"""The toll receipt: where the time of one token goes, and which facts say so."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from advisor.advice import own_runs, words
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine, Source
from advisor.estimate import coefficients
from advisor.units import GB, format_gb, format_gib, format_tokens
from advisor.views import widgets


def lines(catalog: Catalog, machine: Machine, row: pd.Series) -> pd.DataFrame:
    """The receipt as a table: item, what is read, milliseconds, share of the token's time."""
    step = row["step_s"]
    items = [
        ("Weights read", format_gb(row["read_weight_bytes"], 2), row["weights_s"]),
        ("Cache read", format_gb(row["read_kv_bytes"], 2), row["kv_s"]),
        (
            "Overhead",
            f"{catalog.shapes.at[row['model_id'], 'layers']} layers",
            row["overhead_s"],
        ),
        ("One token", f"{machine.chip.bandwidth_gb_per_s:g} GB/s chip", step),
    ]
    return pd.DataFrame(
        [(name, what, f"{s * 1e3:.1f} ms", f"{s / step:.0%}") for name, what, s in items],
        columns=["", "What", "Time", "Share"],
    )


def show(catalog: Catalog, machine: Machine, row: pd.Series) -> None:
    """Draw the receipt of one row of the engine's table, with its memory and its sources."""
    model = catalog.model(row["model_id"])
    st.markdown(f"**{model.name}, {row['quant_id']}** with {row['runtime']} on the {machine.label}")
    st.table(lines(catalog, machine, row).set_index(""))
    wait = words.seconds_text(row["ttft_s"])
    reached = (row["read_weight_bytes"] + row["read_kv_bytes"]) / row["step_s"]
    st.markdown(
        f"{row['decode_tok_s']:.1f} tok/s at a context of {format_tokens(row['context_tokens'])} "
        f"({row['basis']}; 80 % interval {row['decode_low']:.1f}–{row['decode_high']:.1f}): "
        f"{reached / GB:.0f} of {machine.chip.bandwidth_gb_per_s:g} GB/s. "
        f"The prompt is paid once: {wait} at {row['prefill_tok_s']:.0f} tok/s "
        f"({words.seconds_range(row)}); "
        f"a cold model loads in about {row['load_s']:.0f} s more."
    )
    _own(catalog, machine, row)
    computed, published = row["computed_weight_bytes"], row["published_weight_bytes"]
    size = f"Weights {format_gb(row['weight_bytes'])} ({row['weight_basis']}"
    if pd.notna(published):
        size += f"; computed {format_gb(computed)}"
    st.markdown(
        f"{size}), cache {format_gib(row['kv_bytes'], 2)}, buffers "
        f"{format_gib(row['buffer_bytes'], 2)}: {format_gib(row['total_bytes'])} of "
        f"{format_gib(row['budget_bytes'])} that macOS {machine.macos} leaves."
    )
    widgets.how_right(catalog, row["runtime"], catalog.shapes.at[row["model_id"], "kind"])
    _sources(catalog, machine, row)


def _own(catalog: Catalog, machine: Machine, row: pd.Series) -> None:
    """What this Mac's runs have to do with the row: measured itself, or corrected by others."""
    if row["basis"] != "calibrated":
        return
    carried = {one.carried for one in machine.taught if one.carried}
    if carried:
        st.markdown(
            f"Calibrated: a part of what the runs of your {', '.join(sorted(carried))} say, with "
            "an interval no narrower than without."
        )
        return
    choice = (row["model_id"], row["quant_id"], row["runtime"], float(row["context_tokens"]))
    run = own_runs.measured(catalog, machine, *choice)
    if run is None:
        st.markdown("Calibrated by this Mac's runs of other models or contexts.")
    else:
        st.markdown(f":blue-badge[measured] {words.measured_text(run)}.")


def _sources(catalog: Catalog, machine: Machine, row: pd.Series) -> None:
    fitted = coefficients.load(catalog)
    chip, model = machine.chip, catalog.model(row["model_id"])
    named = [
        *((f"bandwidth of the {chip.name}", s) for s in _backing(chip.sources, "bandwidth")),
        *((f"shape of {model.name}", s) for s in _backing(model.sources, "config")),
    ]
    text = [f"- {what}: {source.url} ({source.confidence} confidence)" for what, source in named]
    text.append(
        f"- speed: fitted on {fitted.fitted_on} on public runs, {int(row['runs'])} of them of "
        f"this chip and runtime"
    )
    st.caption("Sources\n" + "\n".join(text))


def _backing(sources: tuple[Source, ...], figure: str) -> tuple[Source, ...]:
    """The first source that backs a figure whose name starts so."""
    found = [s for s in sources if any(backed.startswith(figure) for backed in s.backs)]
    return tuple(found[:1])
