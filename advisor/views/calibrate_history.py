"""The runs that are kept: which of them count, to take along and to bring in."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from advisor.advice import kept_runs, this_machine
from advisor.advice.run_machine import run_machine
from advisor.catalog import Catalog
from advisor.errors import InputError
from advisor.runs import Run, jsonl, open_store
from advisor.views import calibrate_rows
from advisor.views.plain import plain

BROUGHT = "calibrate brought"
TALL, TALL_ROWS = 460, 12


def show(catalog: Catalog, runs: Sequence[Run], place: str) -> None:
    """Draw every run with a switch for whether it counts, then what carries them."""
    st.markdown("## Runs kept")
    if runs:
        _table(calibrate_rows.table(catalog, runs))
        st.caption(
            plain(f"Kept in {place}. ")
            + "Runs of a Mac that count correct its numbers on every page, and in part those of "
            "other Macs."
        )
        st.download_button(
            f"Download {len(runs):,} runs (JSON Lines)", lambda: "".join(jsonl.lines(runs)),
            file_name="tollbooth-runs.jsonl", mime="application/jsonl", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
    else:
        st.caption("None yet. Start a measurement, or bring in a file.")
    if BROUGHT in st.session_state:
        st.success(st.session_state.pop(BROUGHT))
    with st.expander("Bring in runs"):
        _import(catalog)


def _table(table: pd.DataFrame) -> None:
    column = st.column_config
    number = {"format": "%.1f"}
    blank = [name for name in ("predicted", "calibrated", "note") if _is_blank(table[name])]
    edited = st.data_editor(
        table,
        hide_index=True,
        height="auto" if len(table) < TALL_ROWS else TALL,
        placeholder="",
        # Its edits are by place: other rows are another table.
        key=f"calibrate runs {hash(tuple(table['id']))}",
        disabled=[name for name in calibrate_rows.COLUMNS if name != "counts"],
        column_order=[name for name in calibrate_rows.COLUMNS if name not in ("id", *blank)],
        column_config={
            "counts": column.CheckboxColumn("Counts", help="Whether it corrects predictions"),
            "model": column.TextColumn("Model"),
            "quant": column.TextColumn("Quantization"),
            "runtime": column.TextColumn("Runtime"),
            "context_tokens": column.NumberColumn("Context (tokens)", format="localized"),
            "decode_tok_s": column.NumberColumn("Measured (tok/s)", **number),
            "spread": column.NumberColumn("Spread (± %)", **number),
            "predicted": column.NumberColumn("Before any run", **number),
            "calibrated": column.NumberColumn("With these runs", **number),
            "prefill_tok_s": column.NumberColumn("Prefill (tok/s)", **number),
            "made": column.TextColumn("Made (UTC)"),
            "machine": column.TextColumn("Chip"),
            "note": column.TextColumn("Note"),
        },
    )
    moved = calibrate_rows.changed(table, edited)
    if moved:
        with open_store() as store:
            for run_id, used in moved.items():
                store.set_used([run_id], used)
        st.rerun()


def _is_blank(values: pd.Series) -> bool:
    return bool((values.isna() | (values == "")).all())


def _import(catalog: Catalog) -> None:
    st.caption(
        "An export of runs, or what llama-bench -o json, mlx_lm.benchmark or ollama run --verbose "
        "printed on this computer."
    )
    file = st.file_uploader("File", type=["jsonl", "json", "txt", "log"], key="calibrate file")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.text_input("Model, if not in the file", key="calibrate of", max_chars=120)
        quant = st.text_input("Quantization, if not", key="calibrate in", max_chars=40)
    if not st.button("Bring in", key="calibrate import", disabled=file is None) or file is None:
        return
    try:
        text = file.getvalue().decode("utf-8-sig")
    except UnicodeDecodeError:
        st.warning(plain(f"{file.name} is not UTF-8 text."))
        return
    try:
        st.session_state[BROUGHT] = bring_in(catalog, text, model, quant)
    except InputError as error:
        st.warning(plain(f"Nothing was brought in. {error}"))
        return
    st.rerun()


def bring_in(catalog: Catalog, text: str, model: str, quant: str) -> str:
    """Keep the runs of a text; how many were new, in a sentence.

    Raises ``InputError`` where the text is not understood, or the store cannot be used.
    """
    machine = run_machine(this_machine.detected())
    runs = kept_runs.read(catalog, text, machine, model=model, quant=quant)
    with open_store() as store:
        new = store.add_all(runs)
    unmatched = sum(not run.is_matched for run in runs)
    kept = f"{new} new runs, {len(runs) - new} known already"
    if unmatched:
        kept += f", {unmatched} of a model the catalog does not know (kept, unmatched)"
    return f"{kept}."
